/*
 * Where colliders are within a step, and how far nodes are from them.
 *
 * As nodes, colliders are followed relative to where they were when the step began, so that they
 * move as finely far from the origin as near it.
 */
#ifndef SN_COLLISION_COLLIDER_POSE_H
#define SN_COLLISION_COLLIDER_POSE_H

#include "collision/collision_state.h"
#include "collision/shapes/shape_distance.h"
#include "math/quaternion.h"
#include "state/step_context.h"

/* Four numbers in one piece; a compiler that sees them one by one takes them one by one. */
typedef sn_real sn_v4_packed
    __attribute__((vector_size(4 * sizeof(sn_real)), aligned(sizeof(sn_real)), may_alias));

SN_INLINE void sn_v4_store(sn_vec4 *to, sn_v4 from) {
    *(sn_v4_packed *)to = from;
}

SN_INLINE sn_v4 sn_v4_load(const sn_vec4 *from) {
    return *(const sn_v4_packed *)from;
}

SN_INLINE bool sn_v4_is_finite(sn_v4 a) {
    return a[0] - a[0] == 0 && a[1] - a[1] == 0 && a[2] - a[2] == 0;
}

/* Room for all colliders; false when there is no memory. */
bool sn_collider_poses_reserve(sn_world *world);
/* The beginning of a step, the next substep, and where the collider is after the step. */
void sn_collider_pose_begin(const sn_world *world, size_t collider, double dt);
void sn_collider_pose_move(const sn_world *world, size_t collider, const sn_substep *substep);
void sn_collider_pose_end(sn_world *world, size_t collider, double dt);

/* Within a substep: a collider that is carried is where its node is now. */
void sn_collider_pose_follow(const sn_world *world, size_t collider);
/* Between steps: the definition of one that is carried has its place and motion; of those that a
   node (slot) carries. */
void sn_collider_place(const sn_world *world, size_t collider);
void sn_colliders_place(const sn_world *world, uint32_t node);
/* m: all that a node (slot) carries is this close to it. */
double sn_colliders_reach(const sn_world *world, uint32_t node);
/* Lets a node (slot + 1; 0 is none) carry a collider, where both are now. */
void sn_collider_carry_by(const sn_world *world, size_t collider, uint32_t carrier);

/* m: how far anything of a collider moves in a time of the step of length dt. */
double sn_collider_pose_displacement(const sn_world *world, size_t collider, double time,
                                     double dt);
/* m: by how much more than it is expected to move that lets one go that is carried. */
double sn_collider_pose_slack(const sn_collider_state *carried);
/* m/s: how fast anything of it is at most; and m, how close all of it is to its node. */
double sn_collider_pose_speed(const sn_world *world, const sn_collider_state *carried);
double sn_collider_pose_reach(const sn_collider_state *carried);

/* m: how far the point x + d is from the surface; its normal there, and the point in the frame of
   the collider. */
sn_real sn_collider_pose_distance(const sn_world *world, size_t collider, sn_v4 x, sn_v4 d,
                                  sn_v4 *normal, sn_v4 *local);

/* Vectors of the world in the frame q of a collider, and back. Where it is straight that is to add
   zero, which leaves all bits but the sign of a zero: the same as turning does. Beyond all numbers
   the turning itself says what comes out. */
SN_INLINE bool sn_collider_pose_is_easy(const sn_collider_pose *at, sn_v4 a) {
    return at->straight && sn_v4_dot(a, a) < SN_INFINITY;
}

SN_INLINE sn_v4 sn_collider_pose_into(const sn_collider_pose *at, const sn_vec4 *q, sn_v4 a) {
    if (sn_collider_pose_is_easy(at, a)) return (sn_v4){a[0], a[1], a[2], 0} + (sn_v4){0};
    return sn_quat_rotate_back(sn_v4_load(q), a);
}

SN_INLINE sn_v4 sn_collider_pose_out(const sn_collider_pose *at, const sn_vec4 *q, sn_v4 a) {
    if (sn_collider_pose_is_easy(at, a)) return (sn_v4){a[0], a[1], a[2], 0} + (sn_v4){0};
    return sn_quat_rotate(sn_v4_load(q), a);
}

/* m: from the collider to the point x + d. */
SN_INLINE sn_v4 sn_collider_pose_relative(const sn_collider_pose *at, sn_v4 x, sn_v4 d) {
    return (x - sn_v4_load(&at->x)) + (d - sn_v4_load(&at->d));
}

/* The same of a collider with a geometry, as far as it is asked for. */
sn_real sn_collider_pose_near(const sn_world *world, size_t collider, sn_v4 x, sn_v4 d,
                              sn_near *near, sn_v4 *local);

/* m: the motion in this substep of the point of the collider that is at `local` in its frame. */
SN_INLINE sn_v4 sn_collider_pose_motion(const sn_collider_pose *at, sn_v4 local) {
    return (sn_v4_load(&at->d) + sn_collider_pose_out(at, &at->q, local)) -
           (sn_v4_load(&at->p) + sn_collider_pose_out(at, &at->before, local));
}

#endif
