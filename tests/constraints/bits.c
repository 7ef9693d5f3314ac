/*
 * A crowd of constraints of one type on shared nodes, for every type: the same bits for every SIMD
 * width, every number of threads and every kernel that the settings select.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig.h"
#include "widths.h"

/* How many there are. Threads share the work of a large crowd only. */
typedef struct crowd_size {
    int moving, pinned, constraints;
    int steps;
} crowd_size;

static const crowd_size small = {160, 24, 300, 2};
/* Where it is looked at what one constraint keeps, and not at lanes or threads. */
static const crowd_size few = {64, 12, 100, 2};
static const crowd_size large = {5000, 300, 3000, 1};
#define MAX_NODES 5300

typedef enum crowd_mix {
    CROWD_HARD,    /* no compliance anywhere */
    CROWD_SOFT,    /* hard, soft, damped and one-sided ones */
    CROWD_MIXED,   /* breakable ones as well */
    CROWD_DISJOINT /* as soft, and no two share a node that moves */
} crowd_mix;

typedef struct crowd_options {
    crowd_size size;
    int threads;
    int width;
    crowd_mix mix;
    int solver; /* of rig_solvers */
    sn_model model;
    int iterations;
    bool heavy; /* masses are not what they are otherwise */
    bool forget_forces;
    bool soft_stranger;      /* one more constraint far away, which is soft */
    bool breakable_stranger; /* the same, hard, with a break force it never meets */
    bool loosened;           /* pinned nodes, which constraints read, get a mass afterwards */
    bool free;               /* no gravity, and no node is pinned */
    bool undamped;           /* no dashpots, whose impulses are kept */
} crowd_options;

static size_t pick(uint64_t *state, size_t count) {
    return (size_t)((rig_random(state) + 1) / 2 * (double)count) % count;
}

/* Nodes for one constraint, all different; those that are only read are pinned ones. */
static void choose(const sn_type_info *info, const sn_node *node, uint64_t *state, int nth,
                   const crowd_options *options, sn_node chosen[RIG_MAX_NODES]) {
    int moved = rig_nodes(info) - info->fixed_nodes;
    size_t moving = (size_t)options->size.moving;
    bool disjoint = options->mix == CROWD_DISJOINT;
    for (int k = 0; k < rig_nodes(info); k++) {
        bool fresh = false;
        while (!fresh) {
            bool pinned = k >= moved || (!disjoint && pick(state, 10) == 0);
            size_t at = pick(state, moving);
            if (pinned) {
                at = moving + pick(state, (size_t)options->size.pinned);
            } else if (disjoint) {
                at = (size_t)nth * (size_t)moved + (size_t)k;
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
static void vary(const sn_type_info *info, rig_def *def, int nth, const crowd_options *options) {
    crowd_mix mix = options->mix;
    rig_def_set(info, def, "stiffness", nth % 4 == 0 ? 1 : 0.6);
    if (mix == CROWD_HARD) {
        return;
    }
    if (nth % 3 != 0) {
        rig_def_set(info, def, "compliance", nth % 3 == 1 ? 1e-4 : 1e-2);
    }
    if (nth % 5 == 1 && !options->undamped) {
        rig_def_set(info, def, "damping", 3);
    }
    if (info->rows == 1) {
        rig_def_set(info, def, "side", nth % 7 == 1 ? 1 : nth % 7 == 2 ? 2 : 0);
    }
    if (mix == CROWD_MIXED && nth % 11 == 3) {
        rig_def_set(info, def, "break_force", 1e3);
    }
}

/* Makes a node an oriented one, which turns if it moves. */
static void turn_randomly(sn_node_def *def, uint64_t *state) {
    sn_real w = def->inverse_mass;
    def->oriented = true;
    def->orientation = (sn_quat){(sn_real)rig_random(state), (sn_real)rig_random(state),
                                 (sn_real)rig_random(state), (sn_real)(1.5 + rig_random(state))};
    def->angular_velocity = def->velocity;
    def->inverse_inertia = (sn_vec3){2 * w, 3 * w, 5 * w};
}

/* The stranger, on nodes of its own a kilometre away. */
static void add_stranger(sn_world *world, sn_type type, const crowd_options *options) {
    const sn_type_info *info = sn_type_get_info(type);
    uint64_t state = 77;
    sn_node nodes[RIG_MAX_NODES];
    for (int k = 0; k < rig_nodes(info); k++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(1000 + rig_random(&state)), (sn_real)rig_random(&state),
                                 (sn_real)rig_random(&state)};
        def.inverse_mass = k < rig_nodes(info) - info->fixed_nodes ? 1 : 0;
        if (k < info->frames) {
            turn_randomly(&def, &state);
        }
        REQUIRE_OK(sn_node_create(world, &def, &nodes[k]));
    }
    rig_def def;
    rig_def_fill(info, nodes, &def);
    if (options->soft_stranger) {
        rig_def_set(info, &def, "compliance", 1e-3);
    } else {
        rig_def_set(info, &def, "break_force", 1e30);
    }
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(world, type, &def, &constraint));
}

static sn_settings settings_of(const crowd_options *options) {
    sn_settings settings = sn_settings_default();
    rig_use_solver(&settings, options->solver);
    settings.model = options->model;
    settings.keep_forces = !options->forget_forces;
    settings.substeps = 4;
    settings.iterations = options->iterations;
    if (options->free) {
        settings.gravity = (sn_vec3){0, 0, 0};
    }
    return settings;
}

/* The nodes of the crowd that was made last. */
static sn_node node_of_crowd[MAX_NODES];

static sn_world *make_crowd(sn_type type, const crowd_options *options) {
    const sn_type_info *info = sn_type_get_info(type);
    sn_world_def world_def = sn_world_def_default();
    world_def.threads = options->threads;
    world_def.simd_width = options->width;
    world_def.settings = settings_of(options);
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&world_def, &world));

    uint64_t state = 11 + (uint64_t)type;
    int nodes = options->size.moving + options->size.pinned;
    for (int i = 0; i < nodes; i++) {
        bool moves = i < options->size.moving || options->free;
        sn_node_def def = sn_node_def_default();
        def.position =
            (sn_vec3){(sn_real)(3 * rig_random(&state)), (sn_real)(3 * rig_random(&state)),
                      (sn_real)(3 * rig_random(&state))};
        if (moves) {
            def.velocity = (sn_vec3){(sn_real)rig_random(&state), (sn_real)rig_random(&state),
                                     (sn_real)rig_random(&state)};
        }
        double inverse_mass = exp2(rig_random(&state));
        def.inverse_mass = moves ? (sn_real)(options->heavy ? 0.1 : inverse_mass) : 0;
        if (info->frames > 0) {
            turn_randomly(&def, &state);
        }
        REQUIRE_OK(sn_node_create(world, &def, &node_of_crowd[i]));
    }

    int moved = rig_nodes(info) - info->fixed_nodes;
    int count =
        options->mix == CROWD_DISJOINT ? options->size.moving / moved : options->size.constraints;
    unsigned char *defs = malloc((size_t)count * info->def_size);
    sn_node(*chosen)[RIG_MAX_NODES] = malloc((size_t)count * sizeof *chosen);
    if (!CHECK(defs != NULL && chosen != NULL)) {
        exit(1);
    }
    for (int i = 0; i < count; i++) {
        rig_def def;
        choose(info, node_of_crowd, &state, i, options, chosen[i]);
        rig_def_fill(info, chosen[i], &def);
        vary(info, &def, i, options);
        memcpy(defs + (size_t)i * info->def_size, &def, info->def_size);
    }
    REQUIRE_OK(sn_constraints_create(world, type, defs, (size_t)count, NULL));
    free(defs);
    free(chosen);
    if (options->soft_stranger || options->breakable_stranger) {
        add_stranger(world, type, options);
    }
    for (int i = options->size.moving; options->loosened && i < nodes; i++) {
        sn_result result = sn_node_set_inverse_mass(world, node_of_crowd[i], 1);
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
    sn_frame_view frames;
    REQUIRE_OK(sn_world_frames(world, &frames));
    for (size_t i = 0; i < frames.count; i++) {
        if (frames.node[i] < (uint32_t)(options->size.moving + options->size.pinned)) {
            hash = rig_hash(hash, &frames.orientation[i], sizeof frames.orientation[i]);
            hash = rig_hash(hash, &frames.angular_velocity[i], sizeof frames.angular_velocity[i]);
        }
    }
    return hash;
}

/* Steps a crowd, destroys it and returns the hash it came to. */
static uint64_t finish_crowd(sn_world *world, const crowd_options *options) {
    uint64_t start = hash_crowd(world, options);
    for (int step = 0; step < options->size.steps; step++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    }
    CHECK(rig_is_finite(world));
    uint64_t hash = hash_crowd(world, options);
    CHECK(hash != start);
    sn_world_destroy(world);
    return hash;
}

static uint64_t run_crowd(sn_type type, const crowd_options *options) {
    return finish_crowd(make_crowd(type, options), options);
}

static const char *name_of(int type) {
    return sn_type_get_info((sn_type)type)->name;
}

static crowd_options plain(crowd_mix mix) {
    crowd_options options = {0};
    options.size = small;
    options.threads = 1;
    options.width = 1;
    options.iterations = 2;
    options.mix = mix;
    return options;
}

/* The solvers that have loops for every width. */
static bool has_widths(int solver) {
    return rig_solvers[solver].solver != SN_SOLVER_REFERENCE;
}

/* What is compared for every solver: both models, and the loops that each mix selects. */
static const struct {
    crowd_mix mix;
    sn_model model;
} kinds[] = {
    {CROWD_HARD, SN_MODEL_XPBD},
    {CROWD_SOFT, SN_MODEL_XPBD},
    {CROWD_MIXED, SN_MODEL_XPBD},
    {CROWD_SOFT, SN_MODEL_PBD},
};
#define KINDS ((int)(sizeof kinds / sizeof kinds[0]))

/* Whether a type is tried with a solver: every one with the first, and with one of the others, each
   of which so meets an eighth of the types; all of them where there is time. */
static bool is_tried(int type, int solver) {
    return check_long() || solver == 0 || (type + solver) % (RIG_SOLVERS - 1) == 0;
}

TEST(every_width_gives_the_same_bits) {
    FOR_EACH_TYPE(type) {
        for (int variant = 0; variant < KINDS * RIG_SOLVERS; variant++) {
            int solver = variant / KINDS;
            crowd_options options = plain(kinds[variant % KINDS].mix);
            options.model = kinds[variant % KINDS].model;
            options.solver = solver;
            uint64_t expected = 0;
            bool tried = has_widths(solver) && is_tried(type, solver);
            for (int k = 0; k < WIDTHS && tried; k++) {
                check_case("%s, %s, mix %d, model %d, width %d", name_of(type),
                           rig_solvers[solver].name, (int)options.mix, (int)options.model,
                           widths[k]);
                options.width = widths[k];
                uint64_t hash = run_crowd((sn_type)type, &options);
                expected = k == 0 ? hash : expected;
                CHECK(hash == expected);
            }
        }
    }
}

TEST(threads_give_the_same_bits) {
    FOR_EACH_TYPE(type) {
        for (int solver = 0; solver < RIG_SOLVERS; solver++) {
            if (!is_tried(type, solver)) continue;
            check_case("%s, %s", name_of(type), rig_solvers[solver].name);
            crowd_options options = plain(CROWD_MIXED);
            options.size = large;
            options.width = 0;
            options.solver = solver;
            uint64_t expected = run_crowd((sn_type)type, &options);
            options.threads = 5;
            CHECK(run_crowd((sn_type)type, &options) == expected);
        }
    }
}

/* Kernels are specialised for what the constraints of a type need; one of them must not change what
   the others compute. (A dashpot does: between substeps it needs velocities, which are rounded.) */
TEST(strangers_do_not_change_the_bits) {
    FOR_EACH_TYPE(type) {
        for (int solver = 0; solver < RIG_SOLVERS; solver++) {
            for (int width = 0; width <= 16 && is_tried(type, solver); width += 16) {
                check_case("%s, %s, width %d", name_of(type), rig_solvers[solver].name, width);
                crowd_options options = plain(CROWD_HARD);
                options.solver = solver;
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
    FOR_EACH_TYPE(type) {
        for (int variant = 0; variant < KINDS * RIG_SOLVERS; variant++) {
            if (!is_tried(type, variant / KINDS)) continue;
            crowd_options options = plain(kinds[variant % KINDS].mix);
            options.model = kinds[variant % KINDS].model;
            options.solver = variant / KINDS;
            options.width = 0;
            check_case("%s, %s, mix %d, model %d", name_of(type), rig_solvers[options.solver].name,
                       (int)options.mix, (int)options.model);
            uint64_t expected = run_crowd((sn_type)type, &options);
            options.forget_forces = true;
            CHECK(run_crowd((sn_type)type, &options) == expected);
        }
    }
}

/* Solvers that sum corrections up before anything moves. Rotations are then rounded otherwise. */
static bool is_jacobi(int solver) {
    return rig_solvers[solver].solver != SN_SOLVER_COLOURED &&
           rig_solvers[solver].solver != SN_SOLVER_REFERENCE;
}

/* Where no two constraints share a node the order cannot matter, and neither can the number of
   constraints at a node: the solvers differ in nothing but the code that runs, tuned lanes against
   one constraint at a time. */
TEST(solvers_agree_where_order_does_not_matter) {
    FOR_EACH_TYPE(type) {
        for (int model = 0; model < 2; model++) {
            crowd_options options = plain(CROWD_DISJOINT);
            options.model = (sn_model)model;
            options.width = 0;
            uint64_t of_first[3] = {0};
            for (int solver = 0; solver < RIG_SOLVERS; solver++) {
                check_case("%s, %s, model %d", name_of(type), rig_solvers[solver].name, model);
                options.solver = solver;
                const rig_solver *s = &rig_solvers[solver];
                uint64_t *expected = &of_first[(int)s->integrator * s->sweeps];
                if (!*expected) {
                    *expected = run_crowd((sn_type)type, &options);
                    continue;
                }
                if (sn_type_get_info((sn_type)type)->frames > 0 && is_jacobi(solver)) {
                    continue;
                }
                CHECK(run_crowd((sn_type)type, &options) == *expected);
            }
            CHECK(of_first[0] != of_first[2]);
        }
    }
}

/* Gives the nodes of the crowd that was made last the state of another crowd. */
static void take_over(sn_world *world, const sn_node_def *defs, int count, bool masses) {
    for (int i = 0; i < count; i++) {
        sn_node node = node_of_crowd[i];
        /* New masses renew all coefficients, so they are not set in vain. */
        if (masses) {
            REQUIRE_OK(sn_node_set_inverse_mass(world, node, defs[i].inverse_mass));
        }
        if (masses && defs[i].oriented) {
            sn_vec3 inertia = defs[i].inverse_inertia;
            REQUIRE_OK(sn_node_set_inverse_inertia(world, node, inertia));
        }
        if (defs[i].oriented) {
            sn_vec3 omega = defs[i].angular_velocity;
            REQUIRE_OK(sn_node_set_orientation(world, node, defs[i].orientation));
            REQUIRE_OK(sn_node_set_angular_velocity(world, node, omega));
        }
        REQUIRE_OK(sn_node_set_position(world, node, defs[i].position));
        REQUIRE_OK(sn_node_set_velocity(world, node, defs[i].velocity));
    }
}

/* Joints of light bodies under heavy loads go on from the forces of the substep before, which tell
   how stiff they are across (step/tree_solve.c). */
static bool is_solved_as_tree(sn_type type, int solver) {
    return strstr(name_of(type), "_joint") && rig_solvers[solver].solver == SN_SOLVER_COLOURED;
}

/* Coefficients depend on the length of a substep, on masses and on settings. A crowd that was made
   and stepped with others is then no different from one that always had these. */
TEST(changes_of_settings_leave_no_trace) {
    static sn_node_def defs[MAX_NODES];
    FOR_EACH_TYPE(type) {
        /* Regions remember how they were turned, and go on from there. */
        if (sn_type_get_info((sn_type)type)->list == SN_LIST_REGION) continue;
        for (int variant = 0; variant < 2 * 2 * 2 * 2 * RIG_SOLVERS; variant++) {
            if (!is_tried(type, variant / 16)) continue;
            /* The short form has every second change of models, masses and solvers, by turns. */
            if ((variant + variant / 4 + type) % 2 == 0 && !check_long()) continue;
            /* Soft ones depend on the substep, which would hide that masses were missed. */
            bool masses = (variant >> 2 & 1) != 0;
            crowd_options options = plain(masses ? CROWD_HARD : CROWD_SOFT);
            options.undamped = true;
            /* What is left of others shows at once. */
            options.size = few;
            options.width = 0;
            crowd_options first = options;
            options.model = (sn_model)(variant & 1);
            options.solver = variant / 16;
            first.model = (sn_model)(variant >> 1 & 1);
            /* The same solver, and one of another kind. */
            bool other = (variant >> 3 & 1) != 0;
            first.solver = (options.solver + (other ? 3 : 0)) % RIG_SOLVERS;
            if (other && first.model != options.model) {
                continue;
            }
            if (is_solved_as_tree((sn_type)type, options.solver)) continue;
            first.heavy = masses;
            first.iterations = 3;
            check_case("%s, %s after %s, model %d after %d, masses %s", name_of(type),
                       rig_solvers[options.solver].name, rig_solvers[first.solver].name,
                       (int)options.model, (int)first.model, masses ? "changed" : "kept");

            int count = options.size.moving + options.size.pinned;
            sn_world *world = make_crowd((sn_type)type, &options);
            for (int i = 0; i < count; i++) {
                REQUIRE_OK(sn_node_get(world, node_of_crowd[i], &defs[i]));
            }
            take_over(world, defs, count, false);
            uint64_t expected = finish_crowd(world, &options);

            sn_settings settings = settings_of(&options);
            world = make_crowd((sn_type)type, &first);
            REQUIRE_OK(sn_world_step(world, (sn_real)0.02));
            REQUIRE_OK(sn_world_step(world, (sn_real)0.005));
            REQUIRE_OK(sn_world_set_settings(world, &settings));
            take_over(world, defs, count, masses);
            CHECK(finish_crowd(world, &options) == expected);
        }
    }
}

/* Nodes that many constraints pull at: what one takes the others give. */
TEST(crowds_keep_momentum) {
    FOR_EACH_TYPE(type) {
        for (int solver = 0; solver < RIG_SOLVERS; solver++) {
            if (!is_tried(type, solver)) continue;
            check_case("%s, %s", name_of(type), rig_solvers[solver].name);
            if (sn_type_get_info((sn_type)type)->external || !rig_solvers[solver].keeps_momentum) {
                continue;
            }
            crowd_options options = plain(CROWD_MIXED);
            options.solver = solver;
            options.free = true;
            sn_world *world = make_crowd((sn_type)type, &options);
            sn_measure before;
            sn_measure after;
            REQUIRE_OK(sn_world_measure(world, &before));
            for (int step = 0; step < options.size.steps; step++) {
                REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
            }
            REQUIRE_OK(sn_world_measure(world, &after));
            double size = sqrt(2 * after.mass * fmax(before.kinetic_energy, after.kinetic_energy));
            for (int axis = 0; axis < 3; axis++) {
                CHECK_NEAR(after.momentum[axis], before.momentum[axis],
                           RIG_PICK(1e-12, 1e-5) * size);
            }
            sn_world_destroy(world);
        }
    }
}

/* A node that one constraint reads and another of the same colour moves: whether that is refused or
   allowed, it must not depend on who comes first. */
TEST(read_nodes_that_get_a_mass_keep_the_bits) {
    FOR_EACH_TYPE(type) {
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

TESTS(RUN(every_width_gives_the_same_bits), RUN(threads_give_the_same_bits),
      RUN(strangers_do_not_change_the_bits), RUN(keeping_forces_does_not_change_the_bits),
      RUN(solvers_agree_where_order_does_not_matter), RUN(crowds_keep_momentum),
      RUN(changes_of_settings_leave_no_trace), RUN(read_nodes_that_get_a_mass_keep_the_bits))
