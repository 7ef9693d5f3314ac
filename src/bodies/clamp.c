/*
 * Clamps of rods. The frame of a segment is the direction at its middle, so between a wall at its
 * end and that frame lies half a segment: a joint of half the length between a frame of the wall
 * and that of the segment. With it the error of a clamped rod is of the order of (l / L)^2 instead
 * of l / L.
 */
#include "api/check.h"
#include "bodies/lines.h"

#include <sinew/attach.h>

/* What a rod has at one of its ends. */
typedef struct rod_end {
    sn_node node;    /* the end */
    size_t segments; /* that the node is an end of */
    bool last;       /* whether the segment ends there, and does not begin */
    sn_node frame;   /* the node whose frame the segment has */
    sn_stretch_shear_def segment;
    bool jointed;
    sn_bend_twist_def joint; /* of the frame and the next one */
    sn_constraint bend;      /* that joint */
    bool held;               /* whether the node has a joint of its own: it is a pin */
    sn_constraint hold;      /* that one */
} rod_end;

static sn_result see_segment(sn_world *world, sn_constraint constraint, void *context) {
    rod_end *end = context;
    sn_stretch_shear_def def = sn_stretch_shear_def_default();
    SN_TRY(sn_constraint_get(world, constraint, &def));
    bool last = sn_rod_is_same(def.node[1], end->node);
    if (!last && !sn_rod_is_same(def.node[0], end->node)) return SN_OK;
    end->segments++;
    end->last = last;
    end->frame = def.node[0];
    end->segment = def;
    return SN_OK;
}

static sn_result see_joint(sn_world *world, sn_constraint constraint, void *context) {
    rod_end *end = context;
    sn_bend_twist_def def = sn_bend_twist_def_default();
    SN_TRY(sn_constraint_get(world, constraint, &def));
    if (end->last && sn_rod_is_same(def.node[0], end->frame) &&
        sn_rod_is_same(def.node[1], end->node)) {
        end->held = true;
        end->hold = constraint;
    }
    if (!sn_rod_is_same(def.node[end->last ? 1 : 0], end->frame)) return SN_OK;
    end->jointed = true;
    end->joint = def;
    end->bend = constraint;
    return SN_OK;
}

/* The wall and the joint between it and the end; neither where one fails. */
static sn_result make_wall(sn_world *world, const rod_end *end, sn_node *wall,
                           sn_constraint *joint) {
    sn_node_def frame = sn_node_def_default(), def = sn_node_def_default();
    SN_TRY(sn_node_get(world, end->frame, &frame));
    def.position = frame.position;
    def.body = frame.body;
    def.inverse_mass = 0;
    def.oriented = true;
    def.orientation = frame.orientation;
    def.inverse_inertia = (sn_vec3){0, 0, 0};
    SN_TRY(sn_node_create(world, &def, wall));
    sn_bend_twist_def half = end->joint;
    half.node[0] = end->last ? end->frame : *wall;
    half.node[1] = end->last ? *wall : end->frame;
    half.rest_length = end->segment.rest_length / 2;
    half.rest_darboux = sn_bend_twist_def_default().rest_darboux;
    half.plastic_darboux = sn_bend_twist_def_default().plastic_darboux;
    /* Damping is of a joint, and goes with its stiffness. */
    half.damping *= end->joint.rest_length / half.rest_length;
    sn_result result = sn_constraint_create(world, SN_TYPE_BEND_TWIST, &half, joint);
    if (result != SN_OK) sn_node_destroy(world, *wall);
    return result;
}

/* Held in place; the frame of a first segment that was pinned may turn again, as the next one, and
   the joint between both is from middle to middle again. */
static sn_result free_frame(sn_world *world, const rod_end *end, sn_node node) {
    sn_node_def def = sn_node_def_default(), next = sn_node_def_default();
    SN_TRY(sn_node_get(world, end->frame, &def));
    SN_TRY(sn_node_get(world, end->joint.node[end->last ? 0 : 1], &next));
    if (def.inverse_inertia.x == 0 && !end->last) {
        double l = (double)end->segment.rest_length, joint = (double)end->joint.rest_length;
        if (joint > l) SN_TRY(sn_rod_set_joint_length(world, end->bend, joint - l / 2));
        SN_TRY(sn_node_set_inverse_inertia(world, end->frame, next.inverse_inertia));
    }
    return sn_node_set_inverse_mass(world, node, 0);
}

sn_result sn_rod_clamp(sn_world *world, sn_node node, sn_node *wall, sn_constraint *joint) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(wall);
    SN_CHECK_POINTER(joint);
    rod_end end = {.node = node};
    sn_node_def def = sn_node_def_default();
    SN_TRY(sn_node_get(world, node, &def));
    SN_TRY(sn_rod_visit(world, SN_TYPE_STRETCH_SHEAR, see_segment, &end));
    if (end.segments == 1) SN_TRY(sn_rod_visit(world, SN_TYPE_BEND_TWIST, see_joint, &end));
    if (end.segments != 1 || !end.jointed)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "rod clamp: node %u is an end of %zu segments%s, expected the end of a rod",
                       node.slot - 1, end.segments, end.segments == 1 ? " without a joint" : "");
    if (end.held) {
        *wall = node;
        *joint = end.hold;
        return SN_OK;
    }
    SN_TRY(make_wall(world, &end, wall, joint));
    sn_result result = free_frame(world, &end, node);
    if (result != SN_OK) {
        sn_constraint_destroy(world, *joint);
        sn_node_destroy(world, *wall);
    }
    return result;
}
