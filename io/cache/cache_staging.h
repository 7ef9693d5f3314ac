/*
 * The staging of a cache: a section "staging" before the first topology, with cameras, lights,
 * and the looks of shapes by their names. A cache whose first frame has none of them does
 * not have it.
 */
#ifndef SN_IO_CACHE_CACHE_STAGING_H
#define SN_IO_CACHE_CACHE_STAGING_H

#include <sinew/archive.h>

#include <sinew_io/frame.h>

/* Arrays belong to this struct; all zero at first. */
typedef struct sn_io_cache_staging {
    sn_io_staging staging;
    sn_io_camera *cameras;
    sn_io_camera_key *keys; /* of all cameras */
    sn_io_light *lights;
    sn_io_look *looks;
    const char **look_names;
    size_t look_count;
    char *names; /* of cameras, then of looks, each with a zero at its end */
    size_t name_bytes;
    double *numbers; /* of everything, as they are in the file */
    size_t number_count;
    size_t key_count;
    /* Of looks: 0 for that of a shape, and 1, 2, ... for its materials, which follow it; and the
       names of materials, each with a zero at its end. A cache without either has no such
       columns. */
    uint32_t *places;
    char *materials;
    size_t material_bytes;
    uint8_t *textures; /* of looks, one after the other */
    size_t texture_bytes;
    bool first;  /* the first layout, which had fewer numbers */
    bool second; /* the second, for looks without thickness and texture */
} sn_io_cache_staging;

/* Gathers that of a frame; `any` says whether there is something to keep. */
sn_result sn_io_cache_staging_of(const sn_io_frame *frame, sn_io_cache_staging *s, bool *any);
void sn_io_cache_staging_free(sn_io_cache_staging *s);

/* Writes or reads the section; what is read is freed by the caller whether or not it failed. */
void sn_io_cache_serialize_staging(sn_archive *a, sn_io_cache_staging *s);

/* The look of the shape of this name; null where it has none. */
const sn_io_look *sn_io_cache_find_look(const sn_io_cache_staging *s, const char *name);

/* The looks of its materials, one after the other; null where it has none. */
const sn_io_look *sn_io_cache_find_materials(const sn_io_cache_staging *s, const char *name,
                                             size_t *count);

#endif
