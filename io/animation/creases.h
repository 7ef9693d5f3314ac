/* Hard edges of a mesh, told by its angles. */
#ifndef SN_IO_ANIMATION_CREASES_H
#define SN_IO_ANIMATION_CREASES_H

#include <sinew/base.h>

typedef struct sn_io_creases {
    uint32_t (*items)[2]; /* the lower vertex first; to be freed, also after a failure */
    size_t count;
} sn_io_creases;

/* Edges of two triangles whose faces turn by more than 40 degrees, in their order. */
sn_result sn_io_creases_find(const sn_vec3 *positions, const uint32_t (*triangles)[3], size_t count,
                             sn_io_creases *creases);

#endif
