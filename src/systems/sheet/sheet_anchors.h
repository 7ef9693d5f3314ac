/* Where a sheet is held: kinematic nodes, put together to places. */
#ifndef SN_SYSTEMS_SHEET_SHEET_ANCHORS_H
#define SN_SYSTEMS_SHEET_SHEET_ANCHORS_H

#include "geometry/point.h"

typedef struct sn_anchors {
    const sn_point *x; /* m, of every node at rest */
    size_t nodes;
    const uint32_t *triangles; /* three nodes each */
    size_t triangle_count;
    const uint32_t *anchor; /* which nodes hold */
    size_t anchors;
} sn_anchors;

/* Gives every anchor the number of its place, in `group`, which is of every node and means nothing
   for the others; how many places there are. */
size_t sn_anchors_group(const sn_anchors *def, uint32_t *group);

#endif
