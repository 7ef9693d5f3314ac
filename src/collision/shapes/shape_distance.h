/*
 * Shapes as distances: how far a point in the frame of a shape is from its surface (negative
 * inside), and the direction in which that grows fastest. The distance is exact outside and never
 * more than the true one, so that a point may move by it without passing anything.
 */
#ifndef SN_COLLISION_SHAPES_SHAPE_DISTANCE_H
#define SN_COLLISION_SHAPES_SHAPE_DISTANCE_H

#include "collision/collider_geometry.h"
#include "math/vector.h"

#include <sinew/collider.h>

/* Of the shapes in the order of their enum. The normal has unit length. */
typedef sn_real sn_shape_distance(const sn_collider_def *shape, sn_v4 point, sn_v4 *normal);
sn_shape_distance *sn_shape_distance_of(sn_shape shape);

/* The unit vector, or up where there is no direction. */
SN_INLINE sn_real sn_shape_unit(sn_v4 a, sn_v4 *direction) {
    sn_real length = sn_v4_length(a);
    *direction = (sn_v4){0, 1, 0, 0};
    if (length > 0) *direction = a * (1 / length);
    return length;
}

/* The two that are everywhere, where a call would take longer than the answer. */
SN_INLINE sn_real sn_shape_plane(sn_v4 point, sn_v4 *normal) {
    *normal = (sn_v4){0, 1, 0, 0};
    return point[1];
}

SN_INLINE sn_real sn_shape_sphere(const sn_collider_def *shape, sn_v4 point, sn_v4 *normal) {
    return sn_shape_unit(point, normal) - shape->radius;
}

SN_INLINE sn_real sn_shape_distance_at(const sn_collider_def *shape, sn_v4 point, sn_v4 *normal) {
    if (shape->shape == SN_SHAPE_PLANE) return sn_shape_plane(point, normal);
    if (shape->shape == SN_SHAPE_SPHERE) return sn_shape_sphere(shape, point, normal);
    return sn_shape_distance_of(shape->shape)(shape, point, normal);
}

/* Of one part of a compound, by its number + 1; 0: of all of the shape. */
sn_real sn_shape_part_distance(const sn_collider_def *shape, uint32_t part, sn_v4 point,
                               sn_v4 *normal);

SN_INLINE sn_real sn_shape_distance_to(const sn_collider_def *shape, uint32_t part, sn_v4 point,
                                       sn_v4 *normal) {
    if (part) return sn_shape_part_distance(shape, part, point, normal);
    return sn_shape_distance_at(shape, point, normal);
}

/*
 * How shapes with a geometry are asked, whose answers take longer: by how far away it matters,
 * where to begin, and when in the step.
 */
typedef struct sn_near {
    double time;        /* of the step, 0 to 1 */
    double within;      /* m: from there on, the answer may be any distance that is at least this */
    uint32_t item;      /* the triangle to begin with, then the nearest one; or SN_BVH_NONE */
    sn_v4 displacement; /* m, over the step, of the nearest point, in the frame of the shape */
} sn_near;

typedef sn_real sn_shape_near(const sn_collider_def *shape, sn_v4 point, sn_near *near,
                              sn_v4 *normal);
/* Of shapes from the mesh on; null before. */
sn_shape_near *sn_shape_near_of(sn_shape shape);
sn_shape_near sn_near_mesh, sn_near_heights, sn_near_field, sn_near_parts;

/* The part of the distance that a point may move without passing anything: 1 where distances are
   those of the shape, less where they are interpolated. */
sn_real sn_shape_trust(const sn_collider_def *shape);

/* m: all of the shape is this close to the origin of its frame; infinite for a plane. */
double sn_shape_reach(const sn_collider_def *shape);

#endif
