/* The points by which a shape touches what is flat or hollow: its corners, or the middles of what
   is round; of a capsule both ends and, between them, one on its axis. */
#ifndef SN_COLLISION_SHAPES_SHAPE_POINTS_H
#define SN_COLLISION_SHAPES_SHAPE_POINTS_H

#include "collision/collider_geometry.h"
#include "math/vector.h"

/* Points in the frame of the shape, with their radius as w, and how many there are; `points` may be
   null. */
size_t sn_shape_points(const sn_collider_def *shape, sn_vec4 *points);

/* m, of every point: half the length of the capsule whose ends are beside it in the list, where it
   is that between them; below zero for others. */
void sn_shape_points_between(const sn_collider_def *shape, sn_real *half);

/* Of a point of a cylinder, whose points these are, wherever they were moved and turned to: the
   middle of its rim, and that of the place where the rim is furthest along a direction; where that
   is the same everywhere, the point itself. The others of the rim keep their distances. */
sn_v4 sn_shape_rim_middle(const sn_vec4 *points, size_t point);
sn_v4 sn_shape_rim_place(const sn_vec4 *points, size_t point, sn_v4 along);

/* Whether they are all that it is, where that of a capsule goes along its axis. */
static inline bool sn_shape_is_round(sn_shape shape) {
    return shape == SN_SHAPE_SPHERE || shape == SN_SHAPE_CAPSULE;
}

#endif
