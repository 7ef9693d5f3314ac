/* Which vertex of a closed surface lies opposite to each, straight through what is inside. */
#ifndef SN_GEOMETRY_TOPOLOGY_OPPOSITE_VERTICES_H
#define SN_GEOMETRY_TOPOLOGY_OPPOSITE_VERTICES_H

#include "base/memory.h"

#define SN_OPPOSITE_NONE UINT32_MAX

/* Of triangles whose vertices are valid, with positions `x` (m): the vertex opposite to each, or
   SN_OPPOSITE_NONE where rays meet nothing. */
sn_result sn_opposites_find(sn_memory *memory, const uint32_t *triangles, size_t count,
                            const sn_vec3 *x, size_t vertices, uint32_t *opposite);

#endif
