/*
 * A long life. Two worlds are told the same, one with a single lane on a single thread, the other
 * with the best width and several threads: pieces of cloth come and go, nodes are held and let go,
 * constraints soften, break and are removed, solvers and steps change. All that time both have the
 * same bits, stay finite, and hold no more memory in the second half of their life than in the
 * first.
 */
#include "check.h"

#include <sinew/sinew.h>

#include <stdlib.h>

enum { ROUNDS = 6000, PIECES = 24, MOST_SIDE = 20, MOST_NODES = MOST_SIDE * MOST_SIDE };
enum { MOST_EDGES = 2 * MOST_NODES };

typedef struct piece {
    size_t nodes, edges; /* 0 nodes: not there */
    sn_node node[MOST_NODES];
    sn_constraint edge[MOST_EDGES];
} piece;

typedef struct life {
    sn_world *world;
    piece piece[PIECES];
} life;

static uint64_t state = 1;

static uint32_t random_number(void) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

static size_t pick(size_t count) {
    return random_number() % count;
}

static sn_real between(double least, double most) {
    return (sn_real)(least + (most - least) * random_number() / 2147483648.0);
}

/* ---- What happens to both ---- */

static void add_piece(life *l, size_t which, size_t side, sn_vec3 at) {
    piece *p = &l->piece[which];
    static sn_node_def nodes[MOST_NODES];
    static sn_distance_def edges[MOST_EDGES];
    p->nodes = side * side;
    p->edges = 0;
    for (size_t i = 0; i < p->nodes; i++) {
        nodes[i] = sn_node_def_default();
        nodes[i].position = (sn_vec3){at.x + (sn_real)0.1 * (sn_real)(i % side), at.y,
                                      at.z + (sn_real)0.1 * (sn_real)(i / side)};
        nodes[i].inverse_mass = i == 0 ? 0 : 10;
    }
    REQUIRE_OK(sn_nodes_create(l->world, nodes, p->nodes, p->node));
    for (size_t i = 0; i < p->nodes; i++) {
        for (int along = 0; along < 2; along++) {
            size_t other = along ? i + side : i + 1;
            if (other >= p->nodes || (!along && other % side == 0)) continue;
            edges[p->edges] = sn_distance_def_default();
            edges[p->edges].node[0] = p->node[i];
            edges[p->edges].node[1] = p->node[other];
            p->edges++;
        }
    }
    REQUIRE_OK(sn_constraints_create(l->world, SN_TYPE_DISTANCE, edges, p->edges, p->edge));
}

static void remove_piece(life *l, size_t which) {
    piece *p = &l->piece[which];
    REQUIRE_OK(sn_nodes_destroy(l->world, p->node, p->nodes));
    p->nodes = p->edges = 0;
}

static void change_edge(life *l, size_t which, size_t edge, size_t how, sn_real number) {
    sn_constraint constraint = l->piece[which].edge[edge];
    /* Some have been removed, or have broken. */
    if (!sn_constraint_is_valid(l->world, constraint)) return;
    sn_real value[3] = {number, 0, 0};
    static const char *const fields[] = {"compliance", "damping", "break_force"};
    if (how < 3)
        REQUIRE_OK(sn_constraint_set_field(l->world, constraint, fields[how], value));
    else
        REQUIRE_OK(sn_constraint_destroy(l->world, constraint));
}

/* Held nodes stand still: two that went apart would tear at everything between them. */
static void change_mass(life *l, size_t which, size_t node, sn_real w) {
    sn_node id = l->piece[which].node[node];
    REQUIRE_OK(sn_node_set_inverse_mass(l->world, id, w));
    if (w == 0) REQUIRE_OK(sn_node_set_velocity(l->world, id, (sn_vec3){0, 0, 0}));
}

static void change_settings(life *l, int substeps, int iterations, sn_solver solver) {
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(l->world, &settings));
    settings.substeps = substeps;
    settings.iterations = iterations;
    settings.solver = solver;
    REQUIRE_OK(sn_world_set_settings(l->world, &settings));
}

/* ---- A round ---- */

static void change(life lives[2]) {
    size_t which = pick(PIECES);
    if (lives[0].piece[which].nodes == 0) {
        size_t side = 2 + pick(MOST_SIDE - 1);
        sn_vec3 at = {between(-5, 5), between(-5, 5), between(-5, 5)};
        for (int i = 0; i < 2; i++) add_piece(&lives[i], which, side, at);
        return;
    }
    size_t what = pick(16);
    if (what == 0) {
        for (int i = 0; i < 2; i++) remove_piece(&lives[i], which);
    } else if (what == 1) {
        static const sn_solver solvers[] = {SN_SOLVER_COLOURED, SN_SOLVER_COLOURED,
                                            SN_SOLVER_REFERENCE, SN_SOLVER_JACOBI,
                                            SN_SOLVER_HYBRID};
        int substeps = 1 + (int)pick(8), iterations = 1 + (int)pick(3);
        sn_solver solver = solvers[pick(5)];
        for (int i = 0; i < 2; i++) change_settings(&lives[i], substeps, iterations, solver);
    } else if (what < 6) {
        size_t node = pick(lives[0].piece[which].nodes);
        sn_real w = pick(3) == 0 ? 0 : between(1, 20);
        for (int i = 0; i < 2; i++) change_mass(&lives[i], which, node, w);
    } else {
        size_t edge = pick(lives[0].piece[which].edges), how = pick(4);
        static const double most[] = {1e-3, 10, 500, 1};
        sn_real number = between(0, most[how]);
        for (int i = 0; i < 2; i++) change_edge(&lives[i], which, edge, how, number);
    }
}

TEST(two_lives_are_one) {
    life *lives = calloc(2, sizeof *lives);
    if (!CHECK(lives != NULL)) return;
    for (int i = 0; i < 2; i++) {
        sn_world_def def = sn_world_def_default();
        def.simd_width = i == 0 ? 1 : 0;
        def.threads = i == 0 ? 1 : 3;
        def.settings.damping = 1;
        REQUIRE_OK(sn_world_create(&def, &lives[i].world));
    }
    size_t most_memory[2] = {0, 0};
    bool same = true;
    for (int round = 0; round < ROUNDS && same; round++) {
        check_case("round %d", round);
        for (size_t i = pick(4); i-- > 0;) change(lives);
        sn_real dt = between(1.0 / 240, 1.0 / 30);
        for (int i = 0; i < 2; i++) REQUIRE_OK(sn_world_step(lives[i].world, dt));
        same = CHECK(sn_world_hash(lives[0].world) == sn_world_hash(lives[1].world));
        sn_stats stats;
        REQUIRE_OK(sn_world_stats(lives[1].world, &stats));
        size_t *most = &most_memory[round * 2 / ROUNDS];
        if (stats.memory > *most) *most = stats.memory;
    }
    check_case("the end");
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(lives[0].world, &measure));
    /* Letting go what was stretched gives it much energy, but not any amount. */
    CHECK_NEAR(measure.kinetic_energy, 0, 1e9);
    CHECK((double)most_memory[1] < 1.5 * (double)most_memory[0]);
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < PIECES; k++)
            if (lives[i].piece[k].nodes > 0) remove_piece(&lives[i], k);
        CHECK(sn_world_constraint_count(lives[i].world, SN_TYPE_COUNT) == 0);
        sn_world_destroy(lives[i].world);
    }
    free(lives);
}

TESTS(RUN(two_lives_are_one))
