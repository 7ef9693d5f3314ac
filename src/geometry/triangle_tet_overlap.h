/* Whether a triangle and a tetrahedron have a point in common. */
#ifndef SN_GEOMETRY_TRIANGLE_TET_OVERLAP_H
#define SN_GEOMETRY_TRIANGLE_TET_OVERLAP_H

#include "geometry/point.h"

bool sn_triangle_overlaps_tet(const sn_point triangle[3], const sn_point tet[4]);

#endif
