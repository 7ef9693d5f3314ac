/* The point of a segment or a triangle that is nearest to a given one, and where that lies. */
#ifndef SN_GEOMETRY_CLOSEST_POINT_H
#define SN_GEOMETRY_CLOSEST_POINT_H

#include "geometry/point.h"

/* The part of b in the point of the segment from a to b nearest to x; without length, none. */
static inline double sn_closest_part(sn_point x, sn_point a, sn_point b) {
    sn_point ab = sn_point_sub(b, a);
    double square = sn_point_dot(ab, ab), along = sn_point_dot(sn_point_sub(x, a), ab);
    return along > 0 && square > 0 ? along < square ? along / square : 1 : 0;
}

/* That point, and the part of b in it. */
static inline sn_point sn_closest_on_segment(sn_point x, sn_point a, sn_point b, double *part) {
    *part = sn_closest_part(x, a, b);
    return sn_point_add(a, sn_point_scaled(sn_point_sub(b, a), *part));
}

/* Corner k, side k (from corner k to the next), or the inside. */
typedef enum sn_part {
    SN_PART_CORNER_0,
    SN_PART_CORNER_1,
    SN_PART_CORNER_2,
    SN_PART_SIDE_0,
    SN_PART_SIDE_1,
    SN_PART_SIDE_2,
    SN_PART_INSIDE
} sn_part;

/* `part` may be null. A triangle without area counts as its sides. */
sn_point sn_closest_on_triangle(sn_point x, sn_point a, sn_point b, sn_point c, sn_part *part);

/* The shares of the corners in a point of a triangle; without area, in that of its longest side. */
void sn_closest_shares(const sn_point corner[3], sn_point x, double share[3]);

#endif
