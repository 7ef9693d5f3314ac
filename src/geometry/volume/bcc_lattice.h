/*
 * A body-centred cubic lattice: the corners and the centres of cubes. Two centres of neighbouring
 * cubes and two neighbouring corners of the square between them make a tetrahedron; all are alike,
 * with two long edges (that between the centres and that between the corners, as long as a cube)
 * and four short ones (sqrt(3)/2 of that).
 *
 * Points have whole coordinates in halves of a cube: all even at corners, all odd at centres.
 */
#ifndef SN_GEOMETRY_VOLUME_BCC_LATTICE_H
#define SN_GEOMETRY_VOLUME_BCC_LATTICE_H

#include "geometry/volume/inside.h"

#include <sinew/volume.h>

typedef struct sn_lattice {
    sn_memory memory;
    uint32_t cubes[3];
    double spacing; /* of cubes */
    sn_point low;
    size_t corner_count, point_count;
    double *distance; /* per point: from the surface, negative inside; beyond a spacing from it only
                         the sign is right, and that it is more */
} sn_lattice;

/* Lays a lattice about a solid, with at least 1.5 cubes between it and the border. Refuses more
   than 2^24 cubes. */
sn_result sn_lattice_create(sn_lattice *lattice, const sn_solid *solid, double spacing);
void sn_lattice_free(sn_lattice *lattice);

/* The coordinates of a point, the point at coordinates, which must be there, and where it is. */
void sn_lattice_place(const sn_lattice *lattice, uint32_t point, int32_t at[3]);
uint32_t sn_lattice_point(const sn_lattice *lattice, const int32_t at[3]);
sn_point sn_lattice_position(const sn_lattice *lattice, uint32_t point);

/* Calls `visit` for every tetrahedron, of positive volume, until one does not return SN_OK. The
   first two points are the centres. */
sn_result sn_lattice_tets(const sn_lattice *lattice,
                          sn_result (*visit)(void *user, const uint32_t point[4]), void *user);

/* The tetrahedra that have something of the inside in them. `tets` is empty. */
sn_result sn_lattice_cover(const sn_lattice *lattice, const sn_solid *solid, sn_mesh *tets);

/* Cubes that have something of the inside in them, as six tetrahedra each. `tets` is empty. */
sn_result sn_lattice_cubes(const sn_lattice *lattice, sn_mesh *tets);

/* octree_lattice.c: the same with cubes that are joined inside, up to 2^levels each way, where the
   definition allows it. */
sn_result sn_lattice_octree(const sn_lattice *lattice, const sn_solid *solid,
                            const sn_fill_def *def, sn_mesh *tets);

/* The tetrahedra of the inside, cut at the surface. `tets` is empty. */
sn_result sn_lattice_stuff(const sn_lattice *lattice, sn_mesh *tets);

/* fit_boundary.c: moves the outer vertices of these until their faces are outside of the surface as
   much as inside; the triangles are those of the tets. */
sn_result sn_fill_fit(const sn_solid *solid, double spacing, sn_mesh *tets);

/* fill_losses.c: removes small parts that nothing holds; and whether the tets lost more than a
   little of the surface, or came apart where it does not. */
sn_result sn_fill_drop_islands(sn_memory memory, sn_mesh *tets);
sn_result sn_fill_loses(const sn_solid *solid, double spacing, const sn_mesh *tets, bool *lost);

#endif
