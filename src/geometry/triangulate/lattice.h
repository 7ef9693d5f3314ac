/*
 * Points of the plane as whole numbers, and the two questions that a triangulation asks of them,
 * answered without rounding: a product of the in-circle determinant has 124 bits at most.
 */
#ifndef SN_GEOMETRY_TRIANGULATE_LATTICE_H
#define SN_GEOMETRY_TRIANGULATE_LATTICE_H

#include <stdbool.h>
#include <stdint.h>

/* What is triangulated lies within 2^27 of the origin, the frame around it at 2^29. */
enum { SN_SITE_RANGE = 1 << 27, SN_SITE_FRAME = 1 << 29 };

typedef struct sn_site {
    int32_t x, y;
} sn_site;

__extension__ typedef __int128 sn_wide;

static inline bool sn_site_equal(sn_site a, sn_site b) {
    return a.x == b.x && a.y == b.y;
}

/* Twice the area of a triangle, positive where it is anticlockwise. */
static inline int64_t sn_site_turn(sn_site a, sn_site b, sn_site c) {
    return ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) -
           ((int64_t)b.y - a.y) * ((int64_t)c.x - a.x);
}

/* Whether d is inside the circle through a, b and c, which are anticlockwise; not on it. */
static inline bool sn_site_in_circle(sn_site a, sn_site b, sn_site c, sn_site d) {
    int64_t ax = (int64_t)a.x - d.x, ay = (int64_t)a.y - d.y;
    int64_t bx = (int64_t)b.x - d.x, by = (int64_t)b.y - d.y;
    int64_t cx = (int64_t)c.x - d.x, cy = (int64_t)c.y - d.y;
    sn_wide det = (sn_wide)(ax * ax + ay * ay) * (bx * cy - by * cx) +
                  (sn_wide)(bx * bx + by * by) * (cx * ay - cy * ax) +
                  (sn_wide)(cx * cx + cy * cy) * (ax * by - ay * bx);
    return det > 0;
}

/* Whether the segments from a to b and from c to d have a point in common that is no end of both.
   Where one lies along the other, that is one, too. */
static inline bool sn_sites_intersect(sn_site a, sn_site b, sn_site c, sn_site d) {
    int64_t ac = sn_site_turn(a, b, c), ad = sn_site_turn(a, b, d);
    int64_t ca = sn_site_turn(c, d, a), cb = sn_site_turn(c, d, b);
    if ((ac > 0 && ad > 0) || (ac < 0 && ad < 0) || (ca > 0 && cb > 0) || (ca < 0 && cb < 0))
        return false;
    if (ac != 0 || ad != 0) return true;
    /* On one line: they meet where their boxes do. */
    int32_t low[2] = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y};
    int32_t high[2] = {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y};
    return (c.x >= low[0] || d.x >= low[0]) && (c.x <= high[0] || d.x <= high[0]) &&
           (c.y >= low[1] || d.y >= low[1]) && (c.y <= high[1] || d.y <= high[1]);
}

#endif
