/* The point of a triangle that is nearest to a given one, and on what part of it that lies. */
#ifndef SN_GEOMETRY_CLOSEST_POINT_H
#define SN_GEOMETRY_CLOSEST_POINT_H

#include "geometry/point.h"

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
