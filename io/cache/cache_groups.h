/* The groups of vertices of shapes in a cache. One without any, as older ones are, has none of
   these columns. */
#ifndef SN_IO_CACHE_CACHE_GROUPS_H
#define SN_IO_CACHE_CACHE_GROUPS_H

#include <sinew/archive.h>

#include <sinew_io/frame.h>

/* All zero where there are none. */
typedef struct sn_io_cache_groups {
    uint64_t *counts; /* of groups, per shape */
    size_t total;     /* of them */
    char *names;      /* each with a zero at its end */
    size_t name_bytes;
    uint64_t *sizes; /* of vertices, per group */
    uint32_t *members;
    size_t member_total;
    sn_mesh_group *views; /* of what was read, as shapes have them */
} sn_io_cache_groups;

/* Gathers those of a frame; false without memory, and what there is must be freed. */
bool sn_io_cache_groups_of(const sn_io_frame *frame, sn_io_cache_groups *g);
void sn_io_cache_groups_free(sn_io_cache_groups *g);

/* Within the section of a topology with so many shapes. What is read is checked but for the numbers
   of vertices, which are looked at with the frame. */
void sn_io_cache_serialize_groups(sn_archive *a, sn_io_cache_groups *g, size_t shapes);

#endif
