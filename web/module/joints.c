/*
 * Joints as lines: from node to node by way of their anchors, the axis that they turn about or go
 * along, and of limits where they are, beside where the joint is now. All of it by the fields that
 * a type has, so that no type is named.
 */
#include "view.h"

#include <math.h>
#include <string.h>

enum { ARC = 12 };

/* ---- Vectors ---- */

static sn_vec3 along(sn_vec3 from, float length, sn_vec3 way) {
    return (sn_vec3){from.x + length * way.x, from.y + length * way.y, from.z + length * way.z};
}

static float dot(sn_vec3 a, sn_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static sn_vec3 cross(sn_vec3 a, sn_vec3 b) {
    return (sn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Zero stays what it is. */
static sn_vec3 unit(sn_vec3 a) {
    float length = sqrtf(dot(a, a));
    return length > 0 ? (sn_vec3){a.x / length, a.y / length, a.z / length} : a;
}

static float distance(sn_vec3 a, sn_vec3 b) {
    sn_vec3 d = along(a, -1, b);
    return sqrtf(dot(d, d));
}

static sn_vec3 turned(sn_quat q, sn_vec3 v) {
    sn_vec3 u = {q.x, q.y, q.z}, once = cross(u, v);
    return along(along(v, 2 * q.w, once), 2, cross(u, once));
}

/* What of a vector is across a unit one, made unit. */
static sn_vec3 across(sn_vec3 axis, sn_vec3 v) {
    return unit(along(v, -dot(axis, v), axis));
}

/* ---- Fields ---- */

static const sn_field_info *field_of(const sn_type_info *info, const char *name) {
    for (size_t i = 0; info && i < info->field_count; i++)
        if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
    return NULL;
}

view_joint view_joint_of(const sn_type_info *info) {
    const sn_field_info *target = field_of(info, "target");
    bool joins = info && info->frames >= 2;
    view_joint joint = {.anchored = joins && field_of(info, "anchor_1"),
                        .has_axis = joins && field_of(info, "axis"),
                        .has_direction = joins && field_of(info, "direction")};
    if (joint.has_axis && target)
        joint.limit = strcmp(target->unit, "rad") == 0 ? VIEW_ANGLE : VIEW_LENGTH;
    return joint;
}

/* A vector in the frame of a node as one in the world; false where the library chooses it. */
static bool vector_of(const sn_world *world, sn_constraint id, const char *name, sn_quat frame,
                      sn_vec3 *v) {
    sn_real value[3];
    if (sn_constraint_get_field(world, id, name, value) != SN_OK || value[0] == SN_AUTO)
        return false;
    *v = turned(frame, (sn_vec3){value[0], value[1], value[2]});
    return true;
}

/* ---- Limits ---- */

/* A limit of an angle: an arc about the axis, from where node 1 has turned to where it may. */
static void draw_angle(sn_vec3 centre, sn_vec3 axis, sn_quat frame, float missing, float length,
                       view_segments *s) {
    sn_vec3 x = turned(frame, (sn_vec3){1, 0, 0}), y = turned(frame, (sn_vec3){0, 1, 0});
    sn_vec3 now = across(axis, fabsf(dot(x, axis)) < 0.9f ? x : y), side = cross(axis, now);
    sn_vec3 last = along(centre, length, now);
    /* Series are enough for a twelfth of a turn at most. */
    float turn = -missing / ARC, square = turn * turn;
    float cosine = 1 - square / 2 * (1 - square / 12);
    float sine = turn * (1 - square / 6 * (1 - square / 20));
    view_segments_add(s, centre, last);
    for (int i = 0; i < ARC; i++) {
        sn_vec3 forward = along(along(now, cosine - 1, now), sine, side);
        side = cross(axis, forward);
        now = forward;
        sn_vec3 next = along(centre, length, now);
        view_segments_add(s, last, next);
        last = next;
    }
    view_segments_add(s, centre, last);
}

/* A limit of a length: a cross where the anchor of node 1 may come. */
static void draw_length(sn_vec3 at, sn_vec3 axis, sn_quat frame, float missing, float length,
                        view_segments *s) {
    sn_vec3 x = turned(frame, (sn_vec3){1, 0, 0}), y = turned(frame, (sn_vec3){0, 1, 0});
    sn_vec3 one = across(axis, fabsf(dot(x, axis)) < 0.9f ? x : y), other = cross(axis, one);
    sn_vec3 end = along(at, -missing, axis);
    view_segments_add(s, at, end);
    view_segments_add(s, along(end, -length / 2, one), along(end, length / 2, one));
    view_segments_add(s, along(end, -length / 2, other), along(end, length / 2, other));
}

/* ---- The joint ---- */

bool view_joint_draw(const sn_world *world, sn_constraint id, const view_joint *joint,
                     const sn_constraint *other, view_segments *s) {
    sn_node nodes[4];
    sn_node_def node[2] = {sn_node_def_default(), sn_node_def_default()};
    size_t count = 0;
    sn_real value[SN_MAX_ROWS], side[3] = {SN_SIDE_BOTH};
    if (!joint->anchored && !joint->has_axis) return false;
    if (sn_constraint_get_nodes(world, id, nodes, 4, &count) != SN_OK || count < 2) return false;
    for (int i = 0; i < 2; i++)
        if (sn_node_get(world, nodes[i], &node[i]) != SN_OK) return false;
    sn_quat frame = node[0].orientation;
    sn_vec3 x = node[0].position, y = node[1].position, arm, axis, direction;
    sn_vec3 from = along(along(x, -0.5f, x), 0.5f, y), to = from;
    if (joint->anchored || other) {
        sn_constraint held = joint->anchored ? id : *other;
        from = vector_of(world, held, "anchor_0", frame, &arm) ? along(x, 1, arm) : from;
        to =
            vector_of(world, held, "anchor_1", node[1].orientation, &arm) ? along(y, 1, arm) : from;
    }
    float length = 0.3f * fmaxf(distance(x, y), fmaxf(distance(x, from), distance(y, to)));
    view_segments_add(s, x, from);
    if (joint->anchored) view_segments_add(s, from, to);
    view_segments_add(s, to, y);
    if (!joint->has_axis) return true;
    if (!vector_of(world, id, "axis", frame, &axis)) axis = turned(frame, (sn_vec3){0, 0, 1});
    axis = unit(axis);
    view_segments_add(s, along(from, -length, axis), along(from, length, axis));
    if (joint->has_direction && vector_of(world, id, "direction", frame, &direction))
        view_segments_add(s, from, along(from, length, across(axis, direction)));
    if (joint->limit == VIEW_NO_LIMIT ||
        sn_constraint_get_field(world, id, "side", side) != SN_OK || side[0] == SN_SIDE_BOTH ||
        sn_constraint_evaluate(world, id, value, NULL) != SN_OK)
        return true;
    (joint->limit == VIEW_ANGLE ? draw_angle : draw_length)(to, axis, node[1].orientation, value[0],
                                                            length, s);
    return true;
}
