/* Strips of edges of a sheet, straight on as far as there are edges (Stumpp et al. 2008). */
#ifndef SN_GEOMETRY_VOLUME_FIBRE_STRIPS_H
#define SN_GEOMETRY_VOLUME_FIBRE_STRIPS_H

#include "geometry/topology/triangle_edges.h"

#include <sinew/mesh.h>

/* Takes a strip: its vertices in their order, two at least. */
typedef sn_result sn_take_strip(void *context, const uint32_t *vertices, size_t count);

/* Every edge in one strip, in the order of their first edges. */
sn_result sn_fibre_strips(const sn_mesh *mesh, const sn_edges *edges, sn_memory *memory,
                          sn_take_strip *take, void *context);

#endif
