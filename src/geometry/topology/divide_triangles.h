/*
 * Triangles that are divided evenly: each side into n parts, each triangle into n^2 of the same
 * shape.
 *
 *        c2           Vertices of the triangles keep their numbers; then come those on the edges,
 *        /\           n - 1 from the lower end of each to the higher, edge by edge, and those
 *       /__\          inside of the triangles. What two triangles share is there once.
 *      /\  /\
 *     /__\/__\
 *    c0       c1
 */
#ifndef SN_GEOMETRY_TOPOLOGY_DIVIDE_TRIANGLES_H
#define SN_GEOMETRY_TOPOLOGY_DIVIDE_TRIANGLES_H

#include "base/memory.h"

/* The most parts of a side, and the most vertices that there can be then. */
enum { SN_DIVISIONS_MOST = 32 };
#define SN_DIVIDED_VERTICES_MOST ((size_t)1 << 30)

#define SN_DIVIDED_NONE UINT32_MAX

typedef struct sn_divided {
    size_t vertices, triangles;
    uint32_t (*triangle)[3];
    uint32_t *carrier;   /* the first triangle that a vertex lies on, SN_DIVIDED_NONE for none */
    sn_real (*share)[3]; /* of the corners of that in it */
} sn_divided;

/* Corners are below `vertices`, those of a triangle differ. Nothing is to be freed after a failure,
   which is that of memory, or that there would be too many. */
sn_result sn_divided_create(sn_divided *divided, sn_memory *memory, const uint32_t (*triangles)[3],
                            size_t triangle_count, size_t vertices, uint32_t divisions);
void sn_divided_free(sn_divided *divided, sn_memory *memory);

#endif
