/* The groups of vertices of shapes, as numbers by vertex: 1 for members, 0 for others. */
#ifndef SN_IO_ANIMATION_EXPORT_GROUPS_H
#define SN_IO_ANIMATION_EXPORT_GROUPS_H

#include <sinew_io/frame.h>

/* All zero where there are none. */
typedef struct sn_io_group_marks {
    char **names; /* each once */
    size_t count;
    size_t vertices; /* of all shapes, one after the other */
    uint8_t *marks;  /* of all vertices for the first group, then for the next */
} sn_io_group_marks;

/* Those of some shapes; false without memory, and nothing is to be freed. */
bool sn_io_group_marks_make(sn_io_group_marks *groups, const sn_io_shape *shapes, size_t count);
void sn_io_group_marks_free(sn_io_group_marks *groups);

static inline const uint8_t *sn_io_group_marks_of(const sn_io_group_marks *groups, size_t group) {
    return groups->marks + group * groups->vertices;
}

#endif
