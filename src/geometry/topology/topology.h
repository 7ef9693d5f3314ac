/*
 * How triangles hang together: edges with one, two or more of them, fans about vertices, loops of
 * the boundary, and pieces.
 */
#ifndef SN_GEOMETRY_TOPOLOGY_TOPOLOGY_H
#define SN_GEOMETRY_TOPOLOGY_TOPOLOGY_H

#include "geometry/mesh_access.h"

/*
 * Fills in what a report says about edges, fans and pieces; triangles whose `left_out` is not 0 do
 * not count. `stays` says where each vertex would be welded to.
 */
sn_result sn_topology_report(const sn_mesh *mesh, sn_memory *memory, const uint8_t *left_out,
                             const uint32_t *stays, sn_mesh_report *report);

/* Counts a finding and keeps it as an example while there is room. */
void sn_report_add(sn_mesh_report *report, sn_mesh_finding_kind kind, uint32_t a, uint32_t b);

#endif
