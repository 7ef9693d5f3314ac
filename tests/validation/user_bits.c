/*
 * Types written by a user that repeat those of the library give the same bits: a distance, whose
 * gradients have length one, and volumes and areas by the general way. Hard, compliant, damped,
 * one-sided, breaking and in the 2007 model, with every solver, number of threads and SIMD width.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "constraints/rig.h"
#include "user_types.h"
#include "widths.h"

/* ---- A slab of nodes with one constraint per cell, or per edge ---- */

/* How constraints are made, by their number. */
typedef enum softness {
    HARD,
    COMPLIANT,
    DAMPED,
    SIDED,
    BREAKING,
    MIXED,
    FAR_AWAY, /* mixed, at 8 km from the origin */
    OLD_MODEL,
    SOFTNESSES
} softness;

static const char *const softness_names[SOFTNESSES] = {
    "hard", "compliant", "damped", "one-sided", "breaking", "mixed", "far", "2007"};

enum { MOST_SIDE = 41, MOST_CELLS = 3 * (MOST_SIDE - 1) * (MOST_SIDE - 1) };

/* What is played. */
typedef struct play {
    user_kind kind;
    bool user; /* the type of the user, or that of the library */
    softness soft;
    int solver, iterations;
    int side; /* nodes along a side */
    int threads, width;
} play;

typedef struct outcome {
    uint64_t hash;
    size_t broken;
    double energy;
    uint64_t forces; /* of all constraints that are left, as a hash */
} outcome;

static sn_node node_at(const sn_node *node, int side, int row, int column, int layer) {
    return node[(layer * side + row) * side + column];
}

/* Cells are a little out of shape, and their sizes too. */
static void add_slab(sn_world *world, const play *p, sn_node *node) {
    uint64_t random = 5;
    for (int i = 0; i < 2 * p->side * p->side; i++) {
        sn_node_def def = sn_node_def_default();
        int column = i % p->side, row = i / p->side % p->side, layer = i / p->side / p->side;
        double away = p->soft == FAR_AWAY ? 8192 : 0;
        def.position = (sn_vec3){(sn_real)(away + 0.25 * column + 0.02 * rig_random(&random)),
                                 (sn_real)(0.25 * layer + 0.02 * rig_random(&random)),
                                 (sn_real)(0.25 * row + 0.02 * rig_random(&random) - away)};
        bool pinned = column == 0 && row % 3 == 0;
        def.inverse_mass = pinned ? 0 : (sn_real)(2 + i % 3);
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
}

static double rest_of(user_kind kind, int n) {
    static const double rest[] = {0.25, 0.25 * 0.25 * 0.25 / 6, 0.25 * 0.25 / 2};
    return rest[kind] * (0.95 + 0.02 * (n % 6));
}

static void fill(const play *p, const sn_type_info *info, const sn_node *nodes, int n, void *def) {
    bool mixed = p->soft == MIXED || p->soft == FAR_AWAY;
    static const double compliance[] = {1e-4, 1e-7, 1e-6}, breaking[] = {20, 2000, 200};
    rig_def_fill(info, nodes, def);
    rig_def_set(info, def,
                p->kind == USER_DISTANCE     ? "rest_length"
                : p->kind == USER_TET_VOLUME ? "rest_volume"
                                             : "rest_area",
                rest_of(p->kind, n));
    if (p->soft == COMPLIANT || p->soft == DAMPED || (mixed && n % 2 == 0))
        rig_def_set(info, def, "compliance", compliance[p->kind] * (1 + n % 4));
    if (p->soft == DAMPED || (mixed && n % 4 == 0))
        rig_def_set(info, def, "damping", 0.1 / compliance[p->kind] * 1e-4 * (n % 5));
    if (p->soft == SIDED || (mixed && n % 3 == 0)) rig_def_set(info, def, "side", n % 3);
    if (p->soft == BREAKING || (mixed && n % 7 == 0))
        rig_def_set(info, def, "break_force", breaking[p->kind] * (1 + n % 5));
    if (p->soft == OLD_MODEL) rig_def_set(info, def, "stiffness", 0.2 * (1 + n % 5));
}

static size_t add_constraints(sn_world *world, const play *p, const sn_node *node, sn_type type,
                              sn_constraint *made) {
    const sn_type_info *info = sn_world_type_info(world, type);
    int count = 0;
    for (int row = 0; row + 1 < p->side; row++) {
        for (int column = 0; column + 1 < p->side; column++) {
            /* A corner and the next along each axis: right-handed, and three edges. */
            sn_node corner[4] = {
                node_at(node, p->side, row, column, 0), node_at(node, p->side, row + 1, column, 0),
                node_at(node, p->side, row, column + 1, 0), node_at(node, p->side, row, column, 1)};
            for (int k = 1; k < (p->kind == USER_DISTANCE ? 4 : 2); k++) {
                sn_node edge[2] = {corner[0], corner[k]};
                rig_def def;
                fill(p, info, p->kind == USER_DISTANCE ? edge : corner, count, &def);
                REQUIRE_OK(sn_constraint_create(world, type, &def, &made[count]));
                count++;
            }
        }
    }
    return (size_t)count;
}

static outcome run(const play *p) {
    static sn_node node[2 * MOST_SIDE * MOST_SIDE];
    static sn_constraint made[MOST_CELLS];
    sn_world_def def = sn_world_def_default();
    def.threads = p->threads;
    def.simd_width = p->width;
    def.settings.substeps = 3;
    def.settings.iterations = p->iterations;
    def.settings.model = p->soft == OLD_MODEL ? SN_MODEL_PBD : SN_MODEL_XPBD;
    rig_use_solver(&def.settings, p->solver);
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    add_slab(world, p, node);
    sn_type type = user_kind_original(p->kind);
    if (p->user) {
        sn_user_type_def user = user_type_def(p->kind);
        REQUIRE_OK(sn_world_add_type(world, &user, &type));
    }
    size_t count = add_constraints(world, p, node, type, made);
    outcome out = {0};
    for (int step = 0; step < 3; step++) {
        sn_stats stats;
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        REQUIRE_OK(sn_world_stats(world, &stats));
        out.broken += stats.broken;
    }
    out.hash = sn_world_hash(world);
    for (size_t i = 0; i < count; i++) {
        sn_real force[SN_MAX_ROWS] = {0};
        if (!sn_constraint_is_valid(world, made[i])) continue;
        REQUIRE_OK(sn_constraint_force(world, made[i], force));
        out.forces = rig_hash(out.forces, force, sizeof *force);
    }
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(world, &measure));
    out.energy = measure.elastic_energy + measure.kinetic_energy;
    sn_world_destroy(world);
    return out;
}

static void compare(const play *p, const outcome *expected) {
    outcome out = run(p);
    CHECK(out.hash == expected->hash);
    CHECK(out.broken == expected->broken);
    CHECK(out.forces == expected->forces);
    CHECK(out.energy == expected->energy);
}

static void name_case(const play *p) {
    check_case("%s, %s, %s, %d iterations, %d threads, %d lanes",
               sn_type_get_info(user_kind_original(p->kind))->name, softness_names[p->soft],
               rig_solvers[p->solver].name, p->iterations, p->threads, p->width);
}

/* ---- The bits ---- */

/* Whether one of several cases has its turn: with the first solver every one, with the others a
   third in the short form. */
static bool has_turn(int nth, int solver) {
    return check_long() || solver == 0 || nth % 3 == 0;
}

TEST(a_users_type_gives_the_bits_of_the_library) {
    size_t broken[USER_KINDS] = {0};
    for (int kind = USER_DISTANCE; kind <= USER_TRIANGLE_AREA; kind++) {
        for (int i = 0; i < SOFTNESSES * RIG_SOLVERS * 2; i++) {
            if (!has_turn(i + kind, i / 2 % RIG_SOLVERS)) continue;
            play p = {.kind = (user_kind)kind,
                      .soft = (softness)(i / 2 / RIG_SOLVERS),
                      .solver = i / 2 % RIG_SOLVERS,
                      .iterations = i % 2 == 0 ? 1 : 4,
                      .side = 9,
                      .threads = 1};
            outcome expected = run(&p);
            CHECK(isfinite(expected.energy) && expected.energy > 0);
            broken[kind] += expected.broken;
            p.user = true;
            for (int k = 0; k < WIDTHS; k++) {
                p.width = widths[k];
                name_case(&p);
                compare(&p, &expected);
            }
        }
        check_case("%s", sn_type_get_info(user_kind_original((user_kind)kind))->name);
        CHECK(broken[kind] > 0);
    }
}

/* So many constraints that threads share a colour. */
TEST(for_any_number_of_threads) {
    for (int kind = USER_DISTANCE; kind <= USER_TRIANGLE_AREA; kind++) {
        for (int solver = 0; solver < RIG_SOLVERS; solver++) {
            if (!has_turn(solver + kind, solver)) continue;
            play p = {.kind = (user_kind)kind,
                      .soft = MIXED,
                      .solver = solver,
                      .iterations = 2,
                      .side = MOST_SIDE,
                      .threads = 1};
            outcome expected = run(&p);
            p.user = true;
            for (p.threads = 1; p.threads <= 4; p.threads++) {
                p.width = p.threads == 1 ? 0 : 1 << p.threads;
                name_case(&p);
                compare(&p, &expected);
            }
        }
    }
}

TESTS(RUN(a_users_type_gives_the_bits_of_the_library), RUN(for_any_number_of_threads))
