/* Points in cells, sorted by them: what is near is beside each other. */
#ifndef SN_GEOMETRY_VOLUME_REGIONS_H
#define SN_GEOMETRY_VOLUME_REGIONS_H

#include "geometry/point.h"
#include "geometry/topology/sort_indices.h"

typedef struct sn_point_cells {
    size_t count;
    sn_point low, high;        /* m, of the points */
    int32_t (*at)[3];          /* cells of the points, from 0 */
    int32_t last[3];           /* the highest */
    sn_record *sorted, *spare; /* cells by z, y, x; value: the point */
} sn_point_cells;

#endif
