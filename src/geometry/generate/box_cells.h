/* A box cut into cells: what the surface of a box and a block of tetrahedra have in common. */
#ifndef SN_GEOMETRY_GENERATE_BOX_CELLS_H
#define SN_GEOMETRY_GENERATE_BOX_CELLS_H

#include "geometry/generate/mesh_maker.h"

/* The groups of the sides, and the mark of a place of the lattice for them. */
extern const char *const sn_cells_names[6];
uint32_t sn_cells_mark(const uint32_t n[3], const uint32_t at[3]);

/* Where it is; the box has its middle at the origin. */
sn_point sn_cells_place(sn_vec3 extent, const uint32_t n[3], const uint32_t at[3]);

/* Lengths and numbers of cells that make sense. */
sn_result sn_cells_expect(const char *what, sn_vec3 extent, const uint32_t n[3]);

#endif
