/*
 * Surfaces: what can be built on the triangles of a mesh whose vertices are nodes.
 */
#ifndef SINEW_SURFACE_H
#define SINEW_SURFACE_H

#include <sinew/constraint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A triangle mesh on nodes. What the pointers point to is read during a call and not kept. */
typedef struct sn_surface {
    const sn_node *nodes; /* the vertices */
    size_t node_count;
    const uint32_t *triangles; /* three indices into nodes each, all with the same side up */
    size_t triangle_count;
} sn_surface;

/*
 * Makes a vertex_bending constraint at every inner vertex, with the fields of `def` (its list and
 * its area are not used), all of them or none. The area of vertices on the border goes to their
 * inner neighbours, the nearest most, so that the areas of all constraints add up to that of the
 * surface. `constraints` receives the ids and has room for node_count of them; it may be null.
 * *count is how many were made.
 *
 * Refused where part of the surface has no inner vertex (SN_ERROR_DEGENERATE): use dihedral_bending
 * there, and at the edges of triangles that have no inner vertex as a corner, such as the last one
 * at some corners of a sheet: nothing else keeps these from folding.
 */
SN_API sn_result sn_surface_bend(sn_world *world, const sn_surface *surface,
                                 const sn_vertex_bending_def *def, sn_constraint *constraints,
                                 size_t *count);

#ifdef __cplusplus
}
#endif

#endif
