/*
 * What constraints do to rotation, for every type: angular momentum, of positions and of frames
 * together, is lost in the first order of h only; and frames that can turn about some axes only, or
 * not at all, or that turn while their nodes stand, stay in bounds.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "rig.h"

static const char *type_name(int type) {
    return sn_type_get_info((sn_type)type)->name;
}

/* ---- Angular momentum ---- */

/* How much of the angular momentum about the origin a thrown, soft rig loses in 0.1 s. */
static double lost(sn_type type, int solver, uint64_t seed, int steps) {
    rig_options options = rig_options_default();
    rig_use_solver(&options.settings, solver);
    options.seed = seed;
    rig r;
    REQUIRE_OK(rig_make(&r, type, &options));
    /* Soft enough for 0.1 s to be a radian or two of its oscillation. */
    rig_value value = rig_evaluate(&r);
    rig_free(&r);
    options.compliance = value.size * value.size / 100;
    REQUIRE_OK(rig_make(&r, type, &options));
    rig_deform(&r, 0.1, seed);
    rig_throw(&r, 2, seed + 7);
    sn_measure before;
    sn_measure after;
    REQUIRE_OK(sn_world_measure(r.world, &before));
    for (int step = 0; step < steps; step++) {
        REQUIRE_OK(sn_world_step(r.world, (sn_real)(0.1 / steps)));
    }
    REQUIRE_OK(sn_world_measure(r.world, &after));
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double change = after.angular_momentum[axis] - before.angular_momentum[axis];
        sum += change * change;
    }
    rig_free(&r);
    return sqrt(sum);
}

TEST(angular_momentum_is_lost_in_first_order) {
    int steps = RIG_PICK(100, 20);
    FOR_EACH_TYPE(type) {
        for (int solver = 0; solver < RIG_SOLVERS; solver++) {
            for (uint64_t seed = 1; seed <= 3; seed++) {
                check_case("%s, %s, seed %d", type_name(type), rig_solvers[solver].name, (int)seed);
                if (sn_type_get_info((sn_type)type)->external) {
                    continue;
                }
                double coarse = lost((sn_type)type, solver, seed, steps);
                double fine = lost((sn_type)type, solver, seed, 2 * steps);
                /* Some 2 kg m^2/s are there to be lost. */
                CHECK(fine < 0.6 * coarse + RIG_PICK(1e-9, 2e-5));
                CHECK(coarse < RIG_PICK(0.1, 0.5));
            }
        }
    }
}

/* The measure counts the spin of frames, and their energy. */
TEST(measure_counts_frames) {
    FOR_EACH_TYPE(type) {
        check_case("%s", type_name(type));
        rig_options options = rig_options_default();
        rig r;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        sn_measure before;
        sn_measure after;
        REQUIRE_OK(sn_world_measure(r.world, &before));
        rig_state state = rig_get_state(&r);
        double momentum[3] = {0, 0, 0};
        double energy = 0;
        for (int k = 0; k < r.frames && k < r.moved; k++) {
            double w[3];
            double spin[3] = {1, -2, 3};
            double own[3];
            double turned[3];
            sn_vec3 omega;
            rig_inverse_mass(&r, r.nodes + k, w);
            for (int i = 0; i < 3; i++) {
                own[i] = spin[i] / w[i];
                energy += own[i] * spin[i] / 2;
            }
            rig_rotate(state.q[k], spin, turned);
            omega = (sn_vec3){(sn_real)turned[0], (sn_real)turned[1], (sn_real)turned[2]};
            REQUIRE_OK(sn_node_set_angular_velocity(r.world, r.node[k], omega));
            rig_rotate(state.q[k], own, turned);
            for (int i = 0; i < 3; i++) {
                momentum[i] += turned[i];
            }
        }
        REQUIRE_OK(sn_world_measure(r.world, &after));
        double tolerance = RIG_PICK(1e-12, 1e-4);
        CHECK_NEAR(after.kinetic_energy - before.kinetic_energy, energy, tolerance);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(after.angular_momentum[i] - before.angular_momentum[i], momentum[i],
                       tolerance);
        }
        rig_free(&r);
    }
}

/* ---- Masses and inertias of which some are missing ---- */

typedef enum lack {
    NO_MASS,      /* nodes stand, frames turn */
    NO_INERTIA,   /* nodes move, frames do not turn */
    ONE_AXIS,     /* frames turn about their z axis only */
    TWO_AXES,     /* or about x and y */
    FIRST_STANDS, /* the first node neither moves nor turns */
    UNEVEN,       /* inertias a million times apart */
    LACKS
} lack;

static const char *const lack_names[LACKS] = {"no mass",  "no inertia",   "one axis",
                                              "two axes", "first stands", "uneven"};

static void take_away(rig *r, lack what) {
    static const sn_vec3 inertia[LACKS] = {
        [ONE_AXIS] = {0, 0, 2}, [TWO_AXES] = {2, 3, 0}, [UNEVEN] = {(sn_real)1e-3, 1e3, 1}};
    for (int k = 0; k < r->moved; k++) {
        bool all = what == NO_MASS || (what == FIRST_STANDS && k == 0);
        if (all) {
            REQUIRE_OK(sn_node_set_inverse_mass(r->world, r->node[k], 0));
        }
        bool turns_less = what != NO_MASS && (what != FIRST_STANDS || k == 0);
        if (k < r->frames && turns_less) {
            REQUIRE_OK(sn_node_set_inverse_inertia(r->world, r->node[k], inertia[what]));
        }
    }
}

TEST(missing_masses_stay_in_bounds) {
    static const double compliances[] = {0, 1e-6, 1e-2};
    FOR_EACH_TYPE(type) {
        for (int variant = 0; variant < LACKS * 3 * RIG_SOLVERS; variant++) {
            lack what = (lack)(variant % LACKS);
            rig_options options = rig_options_default();
            options.compliance = compliances[variant / LACKS % 3];
            options.damping = 1;
            options.settings.iterations = 5;
            rig_use_solver(&options.settings, variant / (LACKS * 3));
            rig r;
            REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
            if (r.frames == 0) {
                rig_free(&r);
                continue;
            }
            check_case("%s, %s, compliance %g, %s", type_name(type), lack_names[what],
                       options.compliance, rig_solvers[variant / (LACKS * 3)].name);
            take_away(&r, what);
            rig_deform(&r, 0.3, 3);
            rig_state state = rig_get_state(&r);
            for (int step = 0; step < 10; step++) {
                REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
                CHECK(rig_is_finite(r.world));
                if (step == 0) {
                    /* Nothing is flung away: C is of the order of 1, and so is the way to zero. */
                    CHECK(rig_moved_by(&r, &state) < 4);
                }
            }
            rig_free(&r);
        }
    }
}

TESTS(RUN(angular_momentum_is_lost_in_first_order), RUN(measure_counts_frames),
      RUN(missing_masses_stay_in_bounds))
