/*
 * Groups of vertices in an OBJ file, whose groups are of elements: a triangle is of those that have
 * all of its corners, and members of no such triangle are points under the name. What is of none is
 * of the group "default", as the format has it.
 */
#ifndef SN_IO_ANIMATION_EXPORT_OBJ_GROUPS_H
#define SN_IO_ANIMATION_EXPORT_OBJ_GROUPS_H

#include "io/animation/export_groups.h"
#include "io/text/out.h"

/* So many names may be on a line for Sinew to read it. */
enum { OBJ_GROUPS_MOST = 15 };

typedef struct sn_io_obj_groups {
    sn_io_group_marks marks;       /* 2 for members that a triangle of the group has */
    const uint32_t *kept;          /* which of the vertices are in the file; null for all */
    size_t vertices;               /* so many */
    uint32_t now[OBJ_GROUPS_MOST]; /* those that elements belong to at present */
    size_t count;
} sn_io_obj_groups;

/* Of a shape; false without memory, and nothing is to be freed. */
bool sn_io_obj_groups_make(sn_io_obj_groups *groups, const sn_io_shape *shape);
void sn_io_obj_groups_free(sn_io_obj_groups *groups);

/* To be called before each triangle, with its corners among the vertices, and after the last of
   them, where `first` is the number of the first vertex in the file. */
void sn_io_obj_groups_begin(sn_io_out *out, sn_io_obj_groups *groups, const uint32_t corners[3]);
void sn_io_obj_groups_end(sn_io_out *out, sn_io_obj_groups *groups, size_t first);

#endif
