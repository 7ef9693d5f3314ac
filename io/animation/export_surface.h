/* What a material of a shape is in files of others: a copy of a look, as it was in the first
   frame. */
#ifndef SN_IO_ANIMATION_EXPORT_SURFACE_H
#define SN_IO_ANIMATION_EXPORT_SURFACE_H

#include <sinew_io/frame.h>

typedef struct sn_io_surface {
    char *name; /* of the material; null without */
    bool is_coloured;
    sn_vec3 colour;         /* sRGB, where it has one */
    const uint8_t *texture; /* a PNG or JPEG file; null without */
    size_t texture_bytes;
    sn_real texture_size; /* as in sn_io_look */
    sn_real opacity, roughness;
    uint8_t *own; /* the texture, where no surface before it has the same; else null */
} sn_io_surface;

/* The surfaces of a shape: that of its own look, and one for each of its materials. */
typedef struct sn_io_surfaces {
    sn_io_surface *items;
    size_t count;
    uint32_t *triangles; /* which of them each triangle has; null: all the first */
    size_t *start;       /* when triangles are sorted by them: the first of each; count + 1 */
} sn_io_surfaces;

/* False without memory; what there is must be freed all the same. */
bool sn_io_surfaces_make(sn_io_surfaces *surfaces, const sn_io_shape *shape);
void sn_io_surfaces_free(sn_io_surfaces *surfaces);

/* Takes over which triangles have which; false without memory, and all is as it was. */
bool sn_io_surfaces_follow(sn_io_surfaces *surfaces, const sn_io_shape *shape);

/* Sorts triangles by their surfaces, in their order; false without memory. */
bool sn_io_surfaces_sort(sn_io_surfaces *surfaces, uint32_t (*triangles)[3], size_t count);

static inline size_t sn_io_surface_triangles(const sn_io_surfaces *s, size_t surface) {
    return s->start[surface + 1] - s->start[surface];
}

#endif
