#include "rods.h"

#include "check.h"

static const sn_real spacing = (sn_real)0.0625;

/* The nodes of a rod, a body of its own: all but the last have frames, with z along the rod. */
static void add_nodes(sn_world *world, int nth, int segments, golden_rods *rods) {
    sn_node_def defs[GOLDEN_MOST_SEGMENTS + 1];
    sn_body_def body = sn_body_def_default();
    body.damping = (sn_real)0.25;
    sn_node_def clamp = sn_node_def_default();
    clamp.position = (sn_vec3){0, 0, (sn_real)nth / 8};
    clamp.inverse_mass = 0;
    clamp.oriented = true;
    clamp.orientation = (sn_quat){0, 1, 0, 1};
    clamp.inverse_inertia = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_node_create(world, &clamp, &rods->clamp[nth]));
    REQUIRE_OK(sn_body_create(world, &body, &clamp.body));
    for (int i = 0; i <= segments; i++) {
        defs[i] = clamp;
        defs[i].position.x = (sn_real)i * spacing;
        defs[i].inverse_mass = i == 0 ? 0 : (sn_real)(32 + i % 3);
        defs[i].oriented = i < segments;
        defs[i].inverse_inertia = (sn_vec3){8192, 8192, (sn_real)(4096 + 64 * (i % 5))};
    }
    REQUIRE_OK(sn_nodes_create(world, defs, (size_t)segments + 1, rods->node[nth]));
}

/* Rods are curved and twisted at rest, every second one damped, and a few joints are weak. */
static void add_joints(sn_world *world, int nth, int segments, const golden_rods *rods) {
    sn_stretch_shear_def shear[GOLDEN_MOST_SEGMENTS];
    sn_bend_twist_def bend[GOLDEN_MOST_SEGMENTS];
    for (int i = 0; i < segments; i++) {
        shear[i] = sn_stretch_shear_def_default();
        shear[i].node[0] = rods->node[nth][i];
        shear[i].node[1] = rods->node[nth][i + 1];
        shear[i].stretch_stiffness = i % 2 ? 4096 : SN_AUTO;
        shear[i].shear_stiffness = 2048;
        bend[i] = sn_bend_twist_def_default();
        bend[i].node[0] = i == 0 ? rods->clamp[nth] : rods->node[nth][i - 1];
        bend[i].node[1] = rods->node[nth][i];
        bend[i].rest_length = i == 0 ? spacing / 2 : spacing;
        bend[i].bend_stiffness_x = (sn_real)0.5;
        bend[i].bend_stiffness_y = (sn_real)0.25;
        bend[i].twist_stiffness = (sn_real)0.125;
        bend[i].damping = nth % 2 ? (sn_real)0.03125 : 0;
        bend[i].rest_darboux = (sn_vec3){(sn_real)(nth % 3) / 4, (sn_real)0.125, 1};
        bend[i].break_force = i == 40 && nth % 4 == 1 ? (sn_real)0.25 : SN_AUTO;
    }
    size_t count = (size_t)segments;
    REQUIRE_OK(sn_constraints_create(world, SN_TYPE_STRETCH_SHEAR, shear, count, NULL));
    REQUIRE_OK(sn_constraints_create(world, SN_TYPE_BEND_TWIST, bend, count, NULL));
    if (nth % 4 != 2) return;
    /* A soft hold in the middle, to the world. */
    sn_frame_attachment_def hold = sn_frame_attachment_def_default();
    hold.node[0] = rods->node[nth][segments / 2];
    hold.compliance = 2;
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_FRAME_ATTACHMENT, &hold, &constraint));
}

void golden_rods_add(sn_world *world, int count, int segments, golden_rods *rods) {
    rods->count = count;
    rods->segments = segments;
    for (int i = 0; i < count; i++) {
        add_nodes(world, i, segments, rods);
        add_joints(world, i, segments, rods);
    }
}

void golden_rods_lead(sn_world *world, const golden_rods *rods, int step) {
    for (int i = 0; i < rods->count; i++) {
        const sn_node *node = rods->node[i];
        sn_vec3 torque = {(sn_real)0.0625, 0, (sn_real)step / 64};
        sn_vec3 pluck = {0, (sn_real)0.03125, (sn_real)-0.015625};
        sn_quat target = {(sn_real)(step + 1) / 16, 1, 0, 1};
        if (i % 4 == 1) CHECK_OK(sn_node_add_torque(world, node[rods->segments - 1], torque));
        if (i % 4 == 2 && step == 1)
            CHECK_OK(sn_node_apply_impulse(world, node[rods->segments / 2], pluck));
        if (i % 4 == 3) CHECK_OK(sn_node_set_target_orientation(world, rods->clamp[i], target));
    }
}
