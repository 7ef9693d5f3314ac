/* Where a segment is closest to a shape. */
#ifndef SN_COLLISION_SHAPES_SHAPE_SEGMENT_H
#define SN_COLLISION_SHAPES_SHAPE_SEGMENT_H

#include "collision/shapes/shape_distance.h"

/* Of a shape, or a part of it as in sn_shape_distance_to, and a segment in its frame, from `from`
   to `from + along`: how far along that is, from 0 to 1. Where that is so in many places, the
   middle of them for what is round, and any of them for others. */
sn_real sn_shape_closest_along(const sn_collider_def *shape, uint32_t part, sn_v4 from,
                               sn_v4 along);

#endif
