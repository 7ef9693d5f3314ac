/*
 * A crowd of constraints of one type on shared nodes, for every type: the same bits for every SIMD
 * width, every number of threads and every kernel that the settings select.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig.h"

/* How many there are. Threads share the work of a large crowd only. */
typedef struct crowd_size {
    int moving, pinned, constraints;
} crowd_size;

static const crowd_size small = {160, 24, 300};
static const crowd_size large = {8000, 500, 5000};
#define MAX_NODES 8500

typedef enum crowd_mix {
    CROWD_HARD,    /* no compliance anywhere */
    CROWD_MIXED,   /* hard, soft, damped, one-sided and breakable ones */
    CROWD_DISJOINT /* mixed, none breakable, and no two share a node that moves */
} crowd_mix;

typedef struct crowd_options {
    crowd_size size;
    int threads;
    int width;
    crowd_mix mix;
    sn_solver solver;
    sn_model model;
    bool forget_forces;
    bool soft_stranger;      /* one more constraint far away, soft and damped */
    bool breakable_stranger; /* the same, hard, with a break force it never meets */
    bool loosened;           /* pinned nodes, which constraints read, get a mass afterwards */
} crowd_options;

static size_t pick(uint64_t *state, size_t count) {
    return (size_t)((rig_random(state) + 1) / 2 * (double)count) % count;
}

/* Nodes for one constraint, all different; those that are only read are pinned ones. */
static void choose(const sn_type_info *info, const sn_node *node, uint64_t *state, int nth,
                   const crowd_options *options, sn_node chosen[RIG_MAX_NODES]) {
    int moved = info->nodes - info->fixed_nodes;
    size_t moving = (size_t)options->size.moving;
    bool disjoint = options->mix == CROWD_DISJOINT;
    for (int k = 0; k < info->nodes; k++) {
        bool fresh = false;
        while (!fresh) {
            bool pinned = k >= moved || (!disjoint && pick(state, 10) == 0);
            size_t at = pick(state, moving);
            if (pinned) {
                at = moving + pick(state, (size_t)options->size.pinned);
            } else if (disjoint) {
                at = (size_t)(nth * moved + k);
            }
            chosen[k] = node[at];
            fresh = true;
            for (int j = 0; j < k; j++) {
                fresh = fresh && chosen[j].slot != chosen[k].slot;
            }
        }
    }
}

/* Coefficients for the nth constraint. */
static void vary(const sn_type_info *info, rig_def *def, int nth, crowd_mix mix) {
    rig_def_set(info, def, "stiffness", nth % 4 == 0 ? 1 : 0.6);
    if (mix == CROWD_HARD) {
        return;
    }
    if (nth % 3 != 0) {
        rig_def_set(info, def, "compliance", nth % 3 == 1 ? 1e-4 : 1e-2);
    }
    if (nth % 5 == 1) {
        rig_def_set(info, def, "damping", 3);
    }
    if (info->rows == 1) {
        rig_def_set(info, def, "side", nth % 7 == 1 ? 1 : nth % 7 == 2 ? 2 : 0);
    }
    if (mix == CROWD_MIXED && nth % 11 == 3) {
        rig_def_set(info, def, "break_force", 1e3);
    }
}

/* The stranger, on nodes of its own a kilometre away. */
static void add_stranger(sn_world *world, sn_type type, const crowd_options *options) {
    const sn_type_info *info = sn_type_get_info(type);
    uint64_t state = 77;
    sn_node nodes[RIG_MAX_NODES];
    for (int k = 0; k < info->nodes; k++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(1000 + rig_random(&state)), (sn_real)rig_random(&state),
                                 (sn_real)rig_random(&state)};
        def.inverse_mass = k < info->nodes - info->fixed_nodes ? 1 : 0;
        REQUIRE_OK(sn_node_create(world, &def, &nodes[k]));
    }
    rig_def def;
    rig_def_fill(info, nodes, &def);
    if (options->soft_stranger) {
        rig_def_set(info, &def, "compliance", 1e-3);
        rig_def_set(info, &def, "damping", 2);
    } else {
        rig_def_set(info, &def, "break_force", 1e30);
    }
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(world, type, &def, &constraint));
}

static sn_world *make_crowd(sn_type type, const crowd_options *options) {
    const sn_type_info *info = sn_type_get_info(type);
    sn_world_def world_def = sn_world_def_default();
    world_def.threads = options->threads;
    world_def.simd_width = options->width;
    world_def.settings.solver = options->solver;
    world_def.settings.model = options->model;
    world_def.settings.keep_forces = !options->forget_forces;
    world_def.settings.substeps = 4;
    world_def.settings.iterations = 2;
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&world_def, &world));

    uint64_t state = 11 + (uint64_t)type;
    static sn_node node[MAX_NODES];
    int nodes = options->size.moving + options->size.pinned;
    for (int i = 0; i < nodes; i++) {
        bool moves = i < options->size.moving;
        sn_node_def def = sn_node_def_default();
        def.position =
            (sn_vec3){(sn_real)(3 * rig_random(&state)), (sn_real)(3 * rig_random(&state)),
                      (sn_real)(3 * rig_random(&state))};
        if (moves) {
            def.velocity = (sn_vec3){(sn_real)rig_random(&state), (sn_real)rig_random(&state),
                                     (sn_real)rig_random(&state)};
        }
        def.inverse_mass = moves ? (sn_real)exp2(rig_random(&state)) : 0;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }

    int moved = info->nodes - info->fixed_nodes;
    int count =
        options->mix == CROWD_DISJOINT ? options->size.moving / moved : options->size.constraints;
    unsigned char *defs = malloc((size_t)count * info->def_size);
    if (!CHECK(defs != NULL)) {
        exit(1);
    }
    for (int i = 0; i < count; i++) {
        sn_node chosen[RIG_MAX_NODES];
        rig_def def;
        choose(info, node, &state, i, options, chosen);
        rig_def_fill(info, chosen, &def);
        vary(info, &def, i, options->mix);
        memcpy(defs + (size_t)i * info->def_size, &def, info->def_size);
    }
    REQUIRE_OK(sn_constraints_create(world, type, defs, (size_t)count, NULL));
    free(defs);
    if (options->soft_stranger || options->breakable_stranger) {
        add_stranger(world, type, options);
    }
    for (int i = options->size.moving; options->loosened && i < nodes; i++) {
        sn_result result = sn_node_set_inverse_mass(world, node[i], 1);
        CHECK(result == SN_OK || result == SN_ERROR_VALUE);
    }
    return world;
}

/* A hash of the bits of the crowd's own nodes, strangers left out. */
static uint64_t hash_crowd(const sn_world *world, const crowd_options *options) {
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    uint64_t hash = 1;
    for (int i = 0; i < options->size.moving + options->size.pinned; i++) {
        hash = rig_hash(hash, &view.position[i], sizeof view.position[i]);
        hash = rig_hash(hash, &view.velocity[i], sizeof view.velocity[i]);
    }
    return hash;
}

static uint64_t run_crowd(sn_type type, const crowd_options *options) {
    sn_world *world = make_crowd(type, options);
    uint64_t start = hash_crowd(world, options);
    for (int step = 0; step < 8; step++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    }
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    bool finite = true;
    for (size_t i = 0; i < view.count; i++) {
        finite = finite && isfinite(view.position[i].x) && isfinite(view.position[i].y) &&
                 isfinite(view.position[i].z);
    }
    CHECK(finite);
    uint64_t hash = hash_crowd(world, options);
    CHECK(hash != start);
    sn_world_destroy(world);
    return hash;
}

static const char *name_of(int type) {
    return sn_type_get_info((sn_type)type)->name;
}

static crowd_options plain(crowd_mix mix) {
    crowd_options options = {0};
    options.size = small;
    options.threads = 1;
    options.width = 1;
    options.mix = mix;
    return options;
}

TEST(every_width_gives_the_same_bits) {
    static const int widths[] = {4, 8, 16, 0};
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        for (int mix = CROWD_HARD; mix <= CROWD_DISJOINT; mix++) {
            for (int model = 0; model < 2; model++) {
                crowd_options options = plain((crowd_mix)mix);
                options.model = (sn_model)model;
                uint64_t expected = run_crowd((sn_type)type, &options);
                for (int i = 0; i < 4; i++) {
                    check_case("%s, mix %d, model %d, width %d", name_of(type), mix, model,
                               widths[i]);
                    options.width = widths[i];
                    CHECK(run_crowd((sn_type)type, &options) == expected);
                }
            }
        }
    }
}

TEST(every_number_of_threads_gives_the_same_bits) {
    static const int threads[] = {2, 3, 8};
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        crowd_options options = plain(CROWD_MIXED);
        options.size = large;
        options.width = 0;
        uint64_t expected = run_crowd((sn_type)type, &options);
        for (int i = 0; i < 3; i++) {
            check_case("%s, threads %d", name_of(type), threads[i]);
            options.threads = threads[i];
            CHECK(run_crowd((sn_type)type, &options) == expected);
        }
    }
}

/* Kernels are specialised for what the constraints of a type need; one of them must not change what
   the others compute. */
TEST(strangers_do_not_change_the_bits) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        for (int solver = 0; solver < 2; solver++) {
            for (int width = 0; width <= 16; width += 16) {
                check_case("%s, solver %d, width %d", name_of(type), solver, width);
                crowd_options options = plain(CROWD_HARD);
                options.solver = (sn_solver)solver;
                options.width = width;
                uint64_t expected = run_crowd((sn_type)type, &options);
                options.soft_stranger = true;
                CHECK(run_crowd((sn_type)type, &options) == expected);
                options.soft_stranger = false;
                options.breakable_stranger = true;
                CHECK(run_crowd((sn_type)type, &options) == expected);
                options.forget_forces = true;
                CHECK(run_crowd((sn_type)type, &options) == expected);
            }
        }
    }
}

TEST(keeping_forces_does_not_change_the_bits) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        for (int mix = CROWD_HARD; mix <= CROWD_DISJOINT; mix++) {
            for (int variant = 0; variant < 4; variant++) {
                check_case("%s, mix %d, solver %d, model %d", name_of(type), mix, variant & 1,
                           variant >> 1);
                crowd_options options = plain((crowd_mix)mix);
                options.solver = (sn_solver)(variant & 1);
                options.model = (sn_model)(variant >> 1);
                options.width = 0;
                uint64_t expected = run_crowd((sn_type)type, &options);
                options.forget_forces = true;
                CHECK(run_crowd((sn_type)type, &options) == expected);
            }
        }
    }
}

/* Where no two constraints share a node the order cannot matter, so the solvers differ in nothing
   but the code that runs: tuned lanes against one constraint at a time. */
TEST(solvers_agree_where_order_does_not_matter) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        for (int model = 0; model < 2; model++) {
            check_case("%s, model %d", name_of(type), model);
            crowd_options options = plain(CROWD_DISJOINT);
            options.model = (sn_model)model;
            options.solver = SN_SOLVER_REFERENCE;
            uint64_t expected = run_crowd((sn_type)type, &options);
            options.solver = SN_SOLVER_COLOURED;
            options.width = 0;
            CHECK(run_crowd((sn_type)type, &options) == expected);
        }
    }
}

/* A node that one constraint reads and another of the same colour moves: whether that is refused or
   allowed, it must not depend on who comes first. */
TEST(read_nodes_that_get_a_mass_keep_the_bits) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        if (sn_type_get_info((sn_type)type)->fixed_nodes == 0) {
            continue;
        }
        crowd_options options = plain(CROWD_MIXED);
        options.loosened = true;
        options.size = large;
        uint64_t expected = run_crowd((sn_type)type, &options);
        for (int width = 4; width <= 16; width *= 2) {
            check_case("%s, width %d", name_of(type), width);
            options.width = width;
            CHECK(run_crowd((sn_type)type, &options) == expected);
        }
        check_case("%s, threads 4", name_of(type));
        options.threads = 4;
        CHECK(run_crowd((sn_type)type, &options) == expected);
    }
}

TESTS(RUN(every_width_gives_the_same_bits), RUN(every_number_of_threads_gives_the_same_bits),
      RUN(strangers_do_not_change_the_bits), RUN(keeping_forces_does_not_change_the_bits),
      RUN(solvers_agree_where_order_does_not_matter), RUN(read_nodes_that_get_a_mass_keep_the_bits))
