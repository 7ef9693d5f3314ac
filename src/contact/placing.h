/*
 * Where colliders are within a step, and how far nodes are from them.
 *
 * As nodes, colliders are followed relative to where they were when the step began, so that they
 * move as finely far from the origin as near it.
 */
#ifndef SN_CONTACT_PLACING_H
#define SN_CONTACT_PLACING_H

#include "contact/shape.h"
#include "contact/touch.h"
#include "math/vector.h"

SN_INLINE void sn_v4_store(sn_vec4 *to, sn_v4 from) {
    *to = (sn_vec4){from[0], from[1], from[2], from[3]};
}

SN_INLINE sn_v4 sn_v4_load(const sn_vec4 *from) {
    return (sn_v4){from->x, from->y, from->z, from->w};
}

SN_INLINE bool sn_v4_is_finite(sn_v4 a) {
    return a[0] - a[0] == 0 && a[1] - a[1] == 0 && a[2] - a[2] == 0;
}

/* The beginning of a step, the next substep, and where the collider is after the step. */
void sn_placing_begin(const sn_world *world, size_t collider, double dt);
void sn_placing_move(const sn_world *world, size_t collider, const sn_moment *moment);
void sn_placing_end(sn_world *world, size_t collider, double dt);

/* m: how far anything of a collider moves in a time of the step of length dt. */
double sn_placing_way(const sn_world *world, size_t collider, double time, double dt);

/* m: how far the point x + d is from the surface; its normal there, and the point in the frame of
   the collider. */
sn_real sn_placing_distance(const sn_world *world, size_t collider, sn_v4 x, sn_v4 d, sn_v4 *normal,
                            sn_v4 *local);

/* The same of a collider with a geometry, as far as it is asked for. */
sn_real sn_placing_near(const sn_world *world, size_t collider, sn_v4 x, sn_v4 d, sn_near *near,
                        sn_v4 *local);

/* m: the motion in this substep of the point of the collider that is at `local` in its frame. */
sn_v4 sn_placing_motion(const sn_placing *at, sn_v4 local);

#endif
