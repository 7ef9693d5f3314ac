/*
 * Where surfaces pass through each other: an edge of one and a triangle of the other have a point
 * in common. And when they would: the first time at which a vertex hits a triangle or an edge
 * hits an edge on straight paths.
 *
 * All of it is in double, whatever sn_real is, with the same bits everywhere.
 */
#ifndef SN_COLLISION_CCD_TIME_OF_IMPACT_H
#define SN_COLLISION_CCD_TIME_OF_IMPACT_H

#include "base/memory.h"
#include "geometry/point.h"

/* ---- exact_sign.c: now ---- */

/* On which side of the plane through a, b, c the point x lies: the sign of sn_point_det, exactly:
   1, -1, or 0 on the plane. */
int sn_ccd_side(sn_point a, sn_point b, sn_point c, sn_point x);

/*
 * Whether the segment from p to q passes through a triangle. Signs are exact, and what only touches
 * is settled as if all segments were shifted by a vector (e, e^2, e^3) with e too small for any
 * number: so a segment through a side that two triangles share is in just one of them, one through
 * a corner likewise, and one that lies in the plane is in none. A triangle without area intersects
 * nothing.
 */
bool sn_ccd_segment(sn_point p, sn_point q, const sn_point triangle[3]);

/* ---- closest_features.c: nearest points ---- */

/*
 * A vertex and a triangle, or two edges: the points are x[0]; x[1], x[2], x[3] or x[0], x[1]; x[2],
 * x[3].
 */
typedef enum sn_ccd_kind { SN_CROSS_VERTEX, SN_CROSS_EDGES } sn_ccd_kind;

/* Weights of the four points such that their sum is the shortest vector from the second to the
   first: they add up to 1 on one side and to -1 on the other. */
typedef struct sn_ccd_gap {
    double weight[4];
    sn_point vector; /* m */
    double square;   /* m^2, of its length */
} sn_ccd_gap;

sn_ccd_gap sn_ccd_near(sn_ccd_kind kind, const sn_point x[4]);

/* ---- sweep.c: on straight paths ---- */

typedef struct sn_ccd_hit {
    bool hit;
    double time;      /* 0 to 1; before it the two are apart */
    double weight[4]; /* as above, at that time */
    sn_point normal;  /* of length 1, from the second to the first */
} sn_ccd_hit;

/*
 * Whether the two come together while each point goes from x to y, and when. Never misses. What
 * comes nearer than `tolerance` is reported too, and nothing that stays away by twice as much; the
 * tolerance is in metres, and at least 1e-7 of the size of both together with their relative
 * displacements.
 */
sn_ccd_hit sn_ccd_sweep(sn_ccd_kind kind, const sn_point x[4], const sn_point y[4],
                        double tolerance);

/* ---- count_intersections.c: all of them ---- */

/* An edge from vertex a to vertex b that passes through a triangle. */
typedef struct sn_crossing {
    uint32_t a, b, triangle;
} sn_crossing;

/*
 * How many pairs of an edge and a triangle of these surfaces pass through each other; pairs with a
 * vertex in common do not count. The first `room` of them are put into `list`, ordered by a, b and
 * triangle; it may be null. Positions must be finite, vertices of triangles in range and different.
 */
sn_result sn_ccd_count(sn_memory *memory, const sn_vec3 *positions, size_t vertices,
                       const uint32_t (*triangles)[3], size_t count, sn_crossing *list, size_t room,
                       size_t *found);

#endif
