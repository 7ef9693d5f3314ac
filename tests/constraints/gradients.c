/*
 * C and its gradient, for every type: they agree with each other, and they know nothing of where
 * the constraint is and how it is turned (V15, V16).
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "rig.h"

#define SEEDS 5

/* Begins a case for every type and seed. */
#define FOR_EACH_RIG(options)                                                                      \
    FOR_EACH_TYPE(type)                                                                            \
    for (options.seed = 1; options.seed <= SEEDS; options.seed++)

static void name_case(int type, const rig_options *options) {
    check_case("%s, seed %d", sn_type_get_info((sn_type)type)->name, (int)options->seed);
}

/* ---- The gradient ---- */

TEST(gradient_is_the_central_difference) {
    rig_options options = rig_options_default();
    FOR_EACH_RIG(options) {
        name_case(type, &options);
        rig r;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        rig_check_gradient(&r, RIG_GRADIENT_TOLERANCE);
        rig_deform(&r, 0.2, options.seed);
        rig_check_gradient(&r, RIG_GRADIENT_TOLERANCE);
        rig_free(&r);
    }
}

TEST(gradient_is_right_beside_null_nodes) {
    rig_options options = rig_options_default();
    options.null_fixed = true;
    FOR_EACH_RIG(options) {
        name_case(type, &options);
        if (sn_type_get_info((sn_type)type)->fixed_nodes == 0) {
            continue;
        }
        rig r;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        rig_deform(&r, 0.2, options.seed);
        rig_check_gradient(&r, RIG_GRADIENT_TOLERANCE);
        rig_free(&r);
    }
}

/* Joints at any points of their nodes: each end has its own. */
TEST(gradient_is_right_at_anchors_apart) {
    static const sn_vec3 anchors[2] = {{(sn_real)0.3, (sn_real)-0.2, (sn_real)0.1},
                                       {(sn_real)-0.15, (sn_real)0.4, (sn_real)0.25}};
    rig_options options = rig_options_default();
    options.anchors = anchors;
    int looked = 0;
    FOR_EACH_RIG(options) {
        rig_def def = {0};
        rig r;
        name_case(type, &options);
        const sn_type_info *info = sn_type_get_info((sn_type)type);
        if (!rig_def_set_vector(info, &def, "anchor_0", anchors[0])) continue;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        rig_deform(&r, 0.2, options.seed);
        rig_check_gradient(&r, RIG_GRADIENT_TOLERANCE);
        rig_free(&r);
        looked++;
    }
    CHECK(rig_is_narrow() || looked > 20);
}

/* ---- Invariance ---- */

/* Bounds for sums of a few products of rounded numbers, relative to their size. */
#define ROUNDING RIG_PICK(1e-12, 1e-5)

static bool is_internal(int type) {
    return !sn_type_get_info((sn_type)type)->external;
}

/* A rig whose nodes are moved by a share of its size; false for types that hold on to the world. */
static bool make_internal(rig *r, int type, const rig_options *options, double share) {
    name_case(type, options);
    if (!is_internal(type)) return false;
    REQUIRE_OK(rig_make(r, (sn_type)type, options));
    if (share > 0) rig_deform(r, share, options->seed);
    return true;
}

TEST(gradients_sum_to_zero) {
    rig_options options = rig_options_default();
    FOR_EACH_RIG(options) {
        rig r;
        if (!make_internal(&r, type, &options, 0.2)) continue;
        rig_value value = rig_evaluate(&r);
        for (int row = 0; row < r.info->rows; row++) {
            for (int axis = 0; axis < 3; axis++) {
                double sum = 0;
                for (int k = 0; k < r.nodes; k++) {
                    sum += value.gradient[row][k][axis];
                }
                CHECK_NEAR(sum, 0, ROUNDING * value.size / r.scale);
            }
        }
        rig_free(&r);
    }
}

/* Adds the torque about the origin of a multiplier on a row. */
static void add_torque(const rig *r, double gradient[RIG_MAX_COLUMNS][3], double multiplier,
                       double torque[3]) {
    rig_state state = rig_get_state(r);
    for (int k = 0; k < r->nodes; k++) {
        const double *x = state.x[k];
        const double *g = gradient[k];
        for (int axis = 0; axis < 3; axis++) {
            int b = (axis + 1) % 3;
            int c = (axis + 2) % 3;
            torque[axis] += multiplier * (x[b] * g[c] - x[c] * g[b]);
        }
    }
    for (int k = 0; k < r->frames; k++) {
        double turn[3];
        rig_rotate(state.q[k], gradient[r->nodes + k], turn);
        for (int axis = 0; axis < 3; axis++) {
            torque[axis] += multiplier * turn[axis];
        }
    }
}

/* A single row turns nothing at all. Several rows turn with the body, so that the multiplier that
   the solve gives, along C, has no torque. */
TEST(multipliers_have_no_torque) {
    rig_options options = rig_options_default();
    FOR_EACH_RIG(options) {
        rig r;
        if (!make_internal(&r, type, &options, 0.2)) continue;
        rig_value value = rig_evaluate(&r);
        CHECK(value.norm > 0);
        double torque[3] = {0, 0, 0};
        for (int row = 0; row < r.info->rows; row++) {
            double weight = r.info->rows == 1 ? 1 : value.c[row] / value.norm;
            add_torque(&r, value.gradient[row], weight, torque);
        }
        for (int axis = 0; axis < 3; axis++) {
            CHECK_NEAR(torque[axis], 0, ROUNDING * value.size);
        }
        rig_free(&r);
    }
}

TEST(rigid_motion_keeps_the_size_of_c) {
    rig_options options = rig_options_default();
    FOR_EACH_RIG(options) {
        rig r;
        if (!make_internal(&r, type, &options, 0.2)) continue;
        rig_value before = rig_evaluate(&r);
        rig_motion motion = rig_motion_random(3, options.seed);
        rig_apply_motion(&r, &motion);
        rig_value after = rig_evaluate(&r);
        CHECK_NEAR(after.norm, before.norm, ROUNDING * before.size);
        if (r.info->rows == 1) {
            CHECK_NEAR(after.c[0], before.c[0], ROUNDING * before.size);
        }
        rig_free(&r);
    }
}

/* The axis of a joint may be any: those that are turned by half a turn from the usual one are as
   those beside them. */
TEST(axes_may_be_opposite) {
    static const sn_vec3 axes[2] = {{0, 0, -2}, {0, (sn_real)0.01, -2}};
    rig_options options = rig_options_default();
    int looked = 0;
    FOR_EACH_RIG(options) {
        rig_def def = {0};
        double norm[2], size = 0;
        name_case(type, &options);
        const sn_type_info *info = sn_type_get_info((sn_type)type);
        if (info->frames == 0 || !rig_def_set_vector(info, &def, "axis", axes[0])) continue;
        for (int k = 0; k < 2; k++) {
            rig r;
            options.axis = &axes[k];
            REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
            rig_deform(&r, 0.2, options.seed);
            rig_value value = rig_evaluate(&r);
            norm[k] = value.norm;
            size = value.size;
            rig_free(&r);
        }
        CHECK_NEAR(norm[0], norm[1], 0.01 * size);
        looked++;
    }
    CHECK(rig_is_narrow() || looked > 20);
}

TEST(rigid_motion_of_the_rest_state_needs_no_correction) {
    rig_options options = rig_options_default();
    options.settings.iterations = 10;
    FOR_EACH_RIG(options) {
        rig r;
        if (!make_internal(&r, type, &options, 0)) continue;
        CHECK(rig_drive(&r, NULL));
        rig_motion motion = rig_motion_random(3, options.seed);
        rig_apply_motion(&r, &motion);
        rig_value value = rig_evaluate(&r);
        CHECK_NEAR(value.norm, 0, ROUNDING * value.size);
        rig_state x = rig_get_state(&r);
        REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
        CHECK_NEAR(rig_moved_by(&r, &x), 0, ROUNDING);
        rig_free(&r);
    }
}

/* The formula sees differences to node 0 only. Here these are exact, so the bits are the same. */
TEST(far_from_the_origin_nothing_changes) {
    rig_options options = rig_options_default();
    options.grid = true;
    FOR_EACH_RIG(options) {
        rig r;
        if (!make_internal(&r, type, &options, 0)) continue;
        rig_value here = rig_evaluate(&r);
        for (int k = 0; k < r.nodes; k++) {
            sn_node_def node = sn_node_def_default();
            REQUIRE_OK(sn_node_get(r.world, r.node[k], &node));
            sn_vec3 x = {node.position.x + 8192, node.position.y - 4096, node.position.z + 8192};
            REQUIRE_OK(sn_node_set_position(r.world, r.node[k], x));
        }
        rig_value there = rig_evaluate(&r);
        CHECK(memcmp(here.c, there.c, sizeof here.c) == 0);
        CHECK(memcmp(here.gradient, there.gradient, sizeof here.gradient) == 0);
        rig_free(&r);
    }
}

/* ---- Momentum ---- */

TEST(a_step_keeps_momentum) {
    static const double compliances[] = {0, 1e-3};
    rig_options options = rig_options_default();
    options.settings.substeps = 4;
    options.settings.iterations = 2;
    FOR_EACH_RIG(options) {
        name_case(type, &options);
        for (int i = 0; is_internal(type) && i < 2 * RIG_SOLVERS; i++) {
            rig r;
            rig_use_solver(&options.settings, i / 2);
            options.compliance = compliances[i % 2];
            options.damping = 0.5;
            REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
            /* Not every type rests where it was made. */
            CHECK(rig_drive(&r, NULL));
            rig_deform(&r, 0.1, options.seed);
            rig_throw(&r, 2, options.seed + 7);
            sn_measure before;
            sn_measure after;
            REQUIRE_OK(sn_world_measure(r.world, &before));
            rig_state x = rig_get_state(&r);
            for (int step = 0; step < 3; step++) {
                REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
            }
            REQUIRE_OK(sn_world_measure(r.world, &after));
            CHECK(rig_moved_by(&r, &x) > 0);
            /* sum of m |v| from the energy: an upper bound where all speeds are alike. */
            double energy = fmax(before.kinetic_energy, after.kinetic_energy);
            double size = sqrt(2 * before.mass * energy);
            for (int axis = 0; axis < 3; axis++) {
                CHECK_NEAR(after.momentum[axis], before.momentum[axis], ROUNDING * size);
            }
            rig_free(&r);
        }
    }
}

TESTS(RUN(gradient_is_the_central_difference), RUN(gradient_is_right_beside_null_nodes),
      RUN(gradient_is_right_at_anchors_apart), RUN(gradients_sum_to_zero),
      RUN(multipliers_have_no_torque), RUN(rigid_motion_keeps_the_size_of_c),
      RUN(axes_may_be_opposite), RUN(rigid_motion_of_the_rest_state_needs_no_correction),
      RUN(far_from_the_origin_nothing_changes), RUN(a_step_keeps_momentum))
