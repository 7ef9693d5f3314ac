/*
 * Where a triangle is deepest in a shape: the least distance over its points.
 */
#ifndef SN_COLLISION_NARROW_PHASE_DEEPEST_POINT_H
#define SN_COLLISION_NARROW_PHASE_DEEPEST_POINT_H

#include "collision/shapes/shape_distance.h"

/* The shape that is asked, and how. */
typedef struct sn_deepest_shape {
    const sn_collider_def *def;
    double time;   /* of the step, 0 to 1 */
    uint32_t item; /* of meshes: the triangle to begin with, then the nearest one */
    sn_real trust; /* as of the shape; 0 where distances are convex and can be relied on as such */
    bool line;     /* whether a segment is asked for: a triangle whose last two corners are one */
    /* m: by how much another point may be deeper than what is found, or by SN_DEEPEST_DOUBT of its
       distance; 0: as little as can be. Only where `trust` is not 0, which is dear to ask. */
    sn_real rough;
    uint32_t asked; /* how many distances were asked for */
} sn_deepest_shape;

/* Whether triangles need to be looked at: of a plane a corner is always deepest. */
bool sn_triangle_contact_accepts(const sn_collider_def *def);
sn_deepest_shape sn_deepest_shape_of(const sn_collider_def *def, double time, uint32_t item,
                                     bool line);

#define SN_DEEPEST_DOUBT SN_R(0.25)

/* What is found; all in the frame of the shape. */
typedef struct sn_deepest {
    sn_real weight[3];  /* of the corners; where to begin, and then where it is (of a segment 0 for
                           the last) */
    sn_real distance;   /* m, there */
    sn_real least;      /* m: no point of the triangle is closer than this */
    sn_real rate;       /* by which the distance grows along the normal, at most 1 */
    sn_v4 point;        /* m */
    sn_v4 normal;       /* unit length: the way on which the triangle comes out */
    sn_v4 displacement; /* m, over the step, of the surface there, by its vertices */
    bool is_corner;     /* whether it is one of the corners */
} sn_deepest;

/* Looks until it is found, or until it is known that all of the triangle is beyond `enough` (m). */
void sn_deepest_point(sn_deepest_shape *shape, const sn_v4 corner[3], sn_real enough,
                      sn_deepest *d);

#endif
