/*
 * Rays against round and flat things, in double: what queries are made of.
 *
 * A ray has a radius: a ball that moves along it. Then, as with everything here, a hit is where the
 * distance to the thing becomes the radius.
 */
#ifndef SN_COLLISION_QUERY_QUERY_RAY_H
#define SN_COLLISION_QUERY_QUERY_RAY_H

#include "geometry/bounds.h"

typedef struct sn_ray {
    sn_point origin;    /* m */
    sn_point direction; /* unit length */
    sn_point inverse;   /* one over direction, infinite where that is 0 */
    double length;      /* m, may be infinite */
    double radius;      /* m */
} sn_ray;

/* The direction may have any length above 0. */
sn_ray sn_ray_make(sn_point origin, sn_point direction, double length, double radius);

sn_point sn_ray_at(const sn_ray *ray, double s);

/* m: where the ray enters a box that is larger by `grow` on all sides, at least 0; infinite where
   it does not within its length. Never too late. */
double sn_ray_box(const sn_ray *ray, const sn_bounds *box, double grow);

/* Where the ray hits a ball; 0 where it begins inside. */
bool sn_ray_ball(const sn_ray *ray, sn_point center, double radius, double *s);

/* Where a ray without radius hits a triangle, from either side, and the weights of the corners.
   Rays that pass a side hit one of its triangles. */
bool sn_ray_triangle(const sn_ray *ray, const sn_point corner[3], double *s, double weight[3]);

/* m: how far a point is from a thing, negative inside, and the direction in which that grows. */
typedef double sn_ray_distance(const void *thing, sn_point x, sn_point *normal);

/* Something with a distance. */
typedef struct sn_ray_target {
    sn_ray_distance *distance;
    const void *thing;
    double tolerance; /* m: what is this close touches */
    bool convex;
} sn_ray_target;

/* The part of the ray within `reach` of a point, and so its own radius near everything in there;
   false where there is none. */
bool sn_ray_near(const sn_ray *ray, sn_point middle, double reach, double *from, double *to);

/* Where the ray hits it between two places on its way. */
bool sn_ray_march(const sn_ray *ray, const sn_ray_target *target, double from, double to,
                  double *s);

/* Whether it touches a box. */
bool sn_box_overlaps(const sn_bounds *box, const sn_ray_target *target);

/* m: from a point to a box, negative inside. */
double sn_box_distance(const sn_bounds *box, sn_point x);
/* The point of a box nearest to x. */
sn_point sn_box_nearest(const sn_bounds *box, sn_point x);

#endif
