/*
 * The Delaunay tetrahedralisation of points, within a cube (Bowyer 1981; Watson 1981).
 *
 * Everything is decided by whole numbers, as in the plane (triangulate/lattice.h). Points of grids
 * lie on common planes and spheres, where nothing is decided: each is moved by a little that
 * depends on its number alone, some 1e-4 of the largest distance.
 */
#ifndef SN_GEOMETRY_VOLUME_TETRAHEDRALIZE_H
#define SN_GEOMETRY_VOLUME_TETRAHEDRALIZE_H

#include "base/memory.h"
#include "geometry/point.h"

/* Corners of the cube come before the points. Bits 0, 1 and 2 of the number of a corner say whether
   it is at the upper end of x, y and z. */
enum { SN_CUBE_CORNERS = 8 };

/* How far the faces of the cube are from its middle, where points are within 1. */
#define SN_CUBE_SIZE 4

/* Tets, right-handed: those of a cube that points are put into. */
typedef struct sn_tets {
    uint32_t (*corner)[4];
    size_t count, capacity;
} sn_tets;

/* Points are within 1 of the origin along each axis. Nothing is to be freed after a failure. */
sn_result sn_tetrahedralize(sn_tets *tets, sn_memory *memory, const sn_point *points, size_t count);
void sn_tets_free(sn_tets *tets, sn_memory *memory);

#endif
