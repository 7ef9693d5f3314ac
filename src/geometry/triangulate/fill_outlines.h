/*
 * Meshes of what lies within outlines, with triangles of about the same size and shape, in no
 * direction more than in another.
 */
#ifndef SN_GEOMETRY_TRIANGULATE_FILL_OUTLINES_H
#define SN_GEOMETRY_TRIANGULATE_FILL_OUTLINES_H

#include "geometry/mesh_access.h"
#include "geometry/triangulate/outline.h"
#include "geometry/triangulate/triangulation.h"

/*
 * Fills an empty mesh in the xz plane, which faces up: a point (x, y) of the outlines is at
 * (x, 0, -y), as it is drawn when seen from above. `border` has the vertices of the outlines, and
 * is to be freed with *vertex, which has the number of each in the mesh, and then that of the kept
 * one, where there is one. Nothing is to be freed after a failure.
 */
sn_result sn_fill_outlines(sn_mesh *mesh, const sn_outlines *outlines, sn_border *border,
                           uint32_t **vertex);
void sn_outlines_free(sn_mesh *mesh, sn_border *border, uint32_t *vertex);

/* ---- scatter_sites.c ---- */

/* Sites inside the border, no nearer to it than a part of an edge, and about as dense as the edge
   asks for. Nothing is to be freed after a failure. */
typedef struct sn_scatter {
    sn_site *site;
    size_t count, capacity;
} sn_scatter;
sn_result sn_scatter_create(sn_scatter *scatter, sn_memory *memory, sn_triangulation *mesh,
                            const uint8_t *inside, size_t border, double edge);

/* ---- relax_sites.c ---- */

/* Moves the sites from `first` on until their triangles are as regular as they become. */
void sn_triangulation_relax(sn_triangulation *mesh, uint32_t first);

/* ---- mend_sites.c ---- */

/*
 * Where relaxing ended with triangles that are too narrow, a site less or more lets it find better
 * ones. Writes the sites from `first` on to `scatter`, without one of each narrow triangle and with
 * one more on each long edge; true where that changed anything. `touched` is zero for all sites.
 */
bool sn_triangulation_mend(const sn_triangulation *mesh, const uint8_t *inside, uint32_t first,
                           double edge, uint8_t *touched, sn_scatter *scatter);

#endif
