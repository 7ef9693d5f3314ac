/*
 * Colours are kept while constraints come and go: after any history no two constraints of a colour
 * share a node, which shows as equal bits for one thread and many, and for every width.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "constraints/rig.h"

/* ---- A history of changes ---- */

/* So many that threads share the work of a colour. */
#define NODES 5000
#define SLOTS 10000
#define CHANGES 20000

typedef struct history {
    sn_world *world;
    sn_node node[NODES];
    sn_constraint made[SLOTS];
    uint64_t state;
} history;

static uint32_t draw(history *h, uint32_t count) {
    h->state = h->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(h->state >> 33) % count;
}

static void add_node(history *h, int i) {
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){(sn_real)draw(h, 1000) / 250, (sn_real)draw(h, 1000) / 250,
                             (sn_real)draw(h, 1000) / 250};
    def.inverse_mass = i % 10 == 0 ? 0 : 1;
    /* Oriented, so that every type can use it. */
    def.oriented = true;
    def.inverse_inertia = (sn_vec3){def.inverse_mass, def.inverse_mass, def.inverse_mass};
    def.orientation = (sn_quat){(sn_real)draw(h, 100), (sn_real)draw(h, 100), (sn_real)draw(h, 100),
                                (sn_real)(1 + draw(h, 100))};
    REQUIRE_OK(sn_node_create(h->world, &def, &h->node[i]));
}

/* A constraint of a random type on random nodes; a few nodes are popular. */
static void add_constraint(history *h, int slot) {
    sn_type type = (sn_type)draw(h, SN_TYPE_COUNT);
    const sn_type_info *info = sn_type_get_info(type);
    rig_def def;
    sn_node chosen[RIG_MAX_NODES];
    for (int k = 0; k < rig_nodes(info); k++) {
        bool fresh = false;
        while (!fresh) {
            chosen[k] = h->node[draw(h, draw(h, 50) == 0 ? 12 : NODES)];
            if (k >= rig_nodes(info) - info->fixed_nodes) {
                chosen[k] = h->node[10 * draw(h, NODES / 10)];
            }
            fresh = true;
            for (int j = 0; j < k; j++) {
                fresh = fresh && chosen[j].slot != chosen[k].slot;
            }
        }
    }
    rig_def_fill(info, chosen, &def);
    rig_def_set(info, &def, "compliance", draw(h, 2) == 0 ? 0 : 0.1);
    sn_result result = sn_constraint_create(h->world, type, &def, &h->made[slot]);
    CHECK(result == SN_OK || result == SN_ERROR_DEGENERATE);
}

/* Adds and removes constraints and nodes, and steps now and then. */
static uint64_t live(int threads, int width, int solver) {
    static history h;
    memset(&h, 0, sizeof h);
    h.state = 99;
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.simd_width = width;
    def.settings.substeps = 2;
    rig_use_solver(&def.settings, solver);
    REQUIRE_OK(sn_world_create(&def, &h.world));
    for (int i = 0; i < NODES; i++) {
        add_node(&h, i);
    }
    for (int change = 0; change < CHANGES; change++) {
        int slot = (int)draw(&h, SLOTS);
        if (sn_constraint_is_valid(h.world, h.made[slot])) {
            REQUIRE_OK(sn_constraint_destroy(h.world, h.made[slot]));
        } else {
            add_constraint(&h, slot);
        }
        if (change % 997 == 0) {
            int i = (int)draw(&h, NODES);
            REQUIRE_OK(sn_node_destroy(h.world, h.node[i]));
            add_node(&h, i);
        }
        if (change % 5000 == 0) {
            REQUIRE_OK(sn_world_step(h.world, (sn_real)0.01));
        }
    }
    size_t alive = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        alive += sn_constraint_is_valid(h.world, h.made[slot]) ? 1 : 0;
    }
    CHECK(alive > SLOTS / 4);
    CHECK(sn_world_constraint_count(h.world, SN_TYPE_COUNT) == alive);
    for (int step = 0; step < 5; step++) {
        REQUIRE_OK(sn_world_step(h.world, (sn_real)0.01));
    }
    sn_stats stats;
    REQUIRE_OK(sn_world_stats(h.world, &stats));
    CHECK(stats.constraints == alive);
    CHECK(stats.projections == alive * 2 * (size_t)rig_solvers[solver].sweeps);
    CHECK(stats.colours > 1);
    uint64_t hash = sn_world_hash(h.world);
    sn_world_destroy(h.world);
    return hash;
}

TEST(changes_keep_the_bits) {
    static const int variants[][2] = {{4, 1}, {1, 4}, {1, 8}, {1, 16}, {4, 0}};
    check_case("threads 1, width 1");
    uint64_t expected = live(1, 1, 0);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        check_case("threads %d, width %d", variants[i][0], variants[i][1]);
        CHECK(live(variants[i][0], variants[i][1], 0) == expected);
    }
    for (int solver = 1; solver < RIG_SOLVERS; solver++) {
        check_case("%s", rig_solvers[solver].name);
        expected = live(1, 1, solver);
        CHECK(live(4, 0, solver) == expected);
    }
}

/* ---- A star ---- */

#define RAYS 200

/* A heavy hub in the middle of a sphere of nodes that fly apart. */
static uint64_t star(int threads, int width, int solver) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    sn_stats stats;
    sn_measure measure;
    def.threads = threads;
    def.simd_width = width;
    rig_use_solver(&def.settings, solver);
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 2;
    def.settings.iterations = 60;
    REQUIRE_OK(sn_world_create(&def, &world));
    sn_node hub;
    sn_node_def node_def = sn_node_def_default();
    node_def.inverse_mass = (sn_real)0.01;
    REQUIRE_OK(sn_node_create(world, &node_def, &hub));
    node_def.inverse_mass = 1;
    for (int i = 0; i < RAYS; i++) {
        sn_node end;
        sn_constraint made;
        sn_distance_def distance = sn_distance_def_default();
        double y = 1 - (i + 0.5) * 2 / RAYS;
        double r = sqrt(1 - y * y);
        node_def.position =
            (sn_vec3){(sn_real)(r * cos(2.4 * i)), (sn_real)y, (sn_real)(r * sin(2.4 * i))};
        node_def.velocity =
            (sn_vec3){5 * node_def.position.x, 3 * node_def.position.y, 1 + node_def.position.z};
        REQUIRE_OK(sn_node_create(world, &node_def, &end));
        distance.node[0] = hub;
        distance.node[1] = end;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &distance, &made));
    }
    for (int i = 0; i < 5; i++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)0.02));
    }
    REQUIRE_OK(sn_world_stats(world, &stats));
    REQUIRE_OK(sn_world_measure(world, &measure));
    CHECK(measure.residual_max < 1e-3);
    if (rig_solvers[solver].solver == SN_SOLVER_COLOURED) {
        /* Each needs a colour of its own; those that get none are solved one by one. */
        CHECK(stats.sequential > 0);
        CHECK(stats.colours + stats.sequential == RAYS);
    }
    CHECK(stats.projections == RAYS * 2 * 60 * (size_t)rig_solvers[solver].sweeps);
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

TEST(more_constraints_on_a_node_than_colours) {
    for (int solver = 0; solver < RIG_SOLVERS; solver++) {
        check_case("%s, threads 1, width 1", rig_solvers[solver].name);
        uint64_t expected = star(1, 1, solver);
        check_case("%s, threads 4, width 1", rig_solvers[solver].name);
        CHECK(star(4, 1, solver) == expected);
        check_case("%s, threads 4, width 16", rig_solvers[solver].name);
        CHECK(star(4, 16, solver) == expected);
    }
}

/* Colours are given back: what is removed leaves no trace in their number. */
TEST(colours_are_given_back) {
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(NULL, &world));
    sn_node node[RAYS + 1];
    sn_node_def defs[RAYS + 1];
    for (int i = 0; i <= RAYS; i++) {
        defs[i] = sn_node_def_default();
        defs[i].position = (sn_vec3){(sn_real)i, 0, 0};
    }
    REQUIRE_OK(sn_nodes_create(world, defs, RAYS + 1, node));
    for (int round = 0; round < 3; round++) {
        sn_constraint made[RAYS];
        for (int i = 0; i < RAYS; i++) {
            sn_distance_def def = sn_distance_def_default();
            def.node[0] = node[0];
            def.node[1] = node[i + 1];
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &made[i]));
        }
        for (int i = 0; i < RAYS; i++) {
            REQUIRE_OK(sn_constraint_destroy(world, made[i]));
        }
    }
    for (int i = 0; i < 3; i++) {
        sn_constraint made;
        sn_distance_def def = sn_distance_def_default();
        def.node[0] = node[0];
        def.node[1] = node[i + 1];
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &made));
    }
    sn_stats stats;
    REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
    REQUIRE_OK(sn_world_stats(world, &stats));
    CHECK(stats.sequential == 0);
    CHECK(stats.colours >= 3);
    CHECK(stats.constraints == 3);
    sn_world_destroy(world);
}

TESTS(RUN(changes_keep_the_bits), RUN(more_constraints_on_a_node_than_colours),
      RUN(colours_are_given_back))
