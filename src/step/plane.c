#include "step/plane.h"

#include "math/quaternion.h"

bool sn_plane_is_needed(const sn_world *world) {
    return world->settings.plane != SN_PLANE_NONE;
}

/* 0, 1 or 2: the axis across the plane. */
static int axis_of(const sn_world *world) {
    return (int)world->settings.plane - 1;
}

static sn_v4 normal_of(const sn_world *world) {
    sn_v4 normal = {0, 0, 0, 0};
    normal[axis_of(world)] = 1;
    return normal;
}

/* The part of a rotation vector of a frame that is about the normal. */
static sn_v4 about(sn_v4 normal, sn_v4 q, sn_v4 turn) {
    sn_v4 own = sn_quat_rotate_back(q, normal);
    return (sn_v4_dot(turn, own) / sn_v4_dot(own, own)) * own;
}

static bool can_turn(const sn_frames *frames, size_t i) {
    sn_vec4 w = frames->w[i];
    return w.x > 0 || w.y > 0 || w.z > 0;
}

/* A frame has turned about the normal since the substep began, and not otherwise. */
static void keep_frame(const sn_world *world, size_t i) {
    const sn_frames *frames = &world->frames;
    sn_v4 normal = normal_of(world), start = *(const sn_v4 *)&frames->start[i];
    sn_v4 *q = (sn_v4 *)&frames->q[i], *turn = (sn_v4 *)&frames->turn[i];
    sn_v4 since = sn_quat_mul(*q, sn_quat_conjugate(start));
    sn_v4 kept = sn_v4_dot(since, normal) * normal;
    kept[3] = since[3];
    *turn = about(normal, *q, *turn);
    *q = sn_quat_normalize(sn_quat_mul(sn_quat_normalize(kept), start));
}

/* What a torque about another axis would turn, free rotation would mix with the rest. */
void sn_plane_keep_torques(sn_step *step) {
    sn_world *world = step->world;
    sn_v4 normal = normal_of(world);
    for (size_t i = 0; i < world->frames.slots.count; i++) {
        sn_v4 *torque = (sn_v4 *)&world->frames.torque[i];
        *torque = sn_v4_dot(*torque, normal) * normal;
    }
}

/* A node that moves along the plane alone has no rounding across it. */
void sn_plane_keep_positions(sn_step *step) {
    sn_world *world = step->world;
    const sn_nodes *nodes = &world->nodes;
    int axis = axis_of(world);
    for (size_t i = 0; i < nodes->slots.count; i++) {
        if (!(nodes->w[i] > 0)) continue;
        (*(sn_v4 *)&nodes->d[i])[axis] = 0;
        (*(sn_v4 *)&nodes->p[i])[axis] = 0;
        if (world->history.used) (*(sn_v4 *)&world->history.predicted[i])[axis] = 0;
    }
    for (size_t i = 0; i < world->frames.slots.count; i++)
        if (world->frames.slots.alive[i] && can_turn(&world->frames, i)) keep_frame(world, i);
}

void sn_plane_keep_velocities(sn_step *step) {
    sn_world *world = step->world;
    const sn_nodes *nodes = &world->nodes;
    sn_v4 normal = normal_of(world);
    int axis = axis_of(world);
    for (size_t i = 0; i < nodes->slots.count; i++)
        if (nodes->w[i] > 0) (*(sn_v4 *)&nodes->v[i])[axis] = 0;
    for (size_t i = 0; i < world->frames.slots.count; i++) {
        if (!world->frames.slots.alive[i] || !can_turn(&world->frames, i)) continue;
        sn_v4 *omega = (sn_v4 *)&world->frames.omega[i];
        *omega = about(normal, *(const sn_v4 *)&world->frames.q[i], *omega);
    }
}
