/* What skinning and fitting share: which points are nearest. */
#ifndef SN_GEOMETRY_VOLUME_BLEND_SKINNING_H
#define SN_GEOMETRY_VOLUME_BLEND_SKINNING_H

#include "geometry/point.h"

#include <stddef.h>
#include <stdint.h>

/* The `most` points that are nearest to x, in order, those of lower number first where they are as
   far, with the squares of their distances. Returns how many there are. */
size_t sn_blend_nearest(const sn_vec3 *points, size_t count, sn_point x, size_t most,
                        uint32_t *which, double *square);

#endif
