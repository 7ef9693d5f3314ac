/*
 * Shapes as distances: how far a point in the frame of a shape is from its surface (negative
 * inside), and the direction in which that grows fastest. The distance is exact outside and never
 * more than the true one, so that a point may move by it without passing anything.
 */
#ifndef SN_CONTACT_SHAPE_H
#define SN_CONTACT_SHAPE_H

#include "math/vector.h"

#include <sinew/collider.h>

/* Of the shapes in the order of their enum. The normal has unit length. */
typedef sn_real sn_shape_distance(const sn_collider_def *shape, sn_v4 point, sn_v4 *normal);
sn_shape_distance *sn_shape_distance_of(sn_shape shape);

/* m: all of the shape is this close to the origin of its frame; infinite for a plane. */
double sn_shape_reach(const sn_collider_def *shape);

#endif
