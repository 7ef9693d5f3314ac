/* Whether a triangle and a tetrahedron have a point in common. */
#ifndef SN_MESH_TOUCH_H
#define SN_MESH_TOUCH_H

#include "mesh/point.h"

bool sn_triangle_touches_tet(const sn_point triangle[3], const sn_point tet[4]);

#endif
