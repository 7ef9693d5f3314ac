/* Groups of vertices of a smooth surface. */
#ifndef SN_IO_ANIMATION_SMOOTH_GROUPS_H
#define SN_IO_ANIMATION_SMOOTH_GROUPS_H

#include "io/animation/smooth_level.h"

/* A new vertex on an edge is of the groups that have both of its ends. Null without memory; their
   names are those of the shape, and are set by who shows them. */
sn_mesh_group *sn_smooth_groups_make(const smooth_level *levels, int level_count,
                                     const sn_io_shape *shape);
void sn_smooth_groups_free(sn_mesh_group *groups, size_t count);

#endif
