/*
 * How shapes are drawn, and from where: looks of shapes, and the cameras, light and ground around
 * them. Scenes say them, caches keep them, pictures follow them.
 *
 * Colours are red, green and blue in sRGB, 0 to 1, as programs that choose colours show them.
 */
#ifndef SINEW_IO_LOOK_H
#define SINEW_IO_LOOK_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is woven into, or printed on, a material. */
typedef enum sn_io_pattern {
    SN_IO_PATTERN_NONE = 0,
    SN_IO_PATTERN_WEAVE = 1,   /* threads over and under each other */
    SN_IO_PATTERN_STRIPES = 2, /* along the second direction of the material */
    SN_IO_PATTERN_CHECKS = 3,  /* squares, woven: where both colours cross, their mean */
    SN_IO_PATTERN_DOTS = 4     /* in rows */
} sn_io_pattern;

/* How a shape is drawn. Made by sn_io_look_default and then changed. */
typedef struct sn_io_look {
    sn_vec3 colour;         /* of the front; SN_AUTO as its x: one that differs from others' */
    sn_vec3 back;           /* of the other side; SN_AUTO as its x: as the front, less bright */
    sn_real roughness;      /* 0 polished, 1 dull; 0.6 */
    sn_real sheen;          /* 0 to 1: how much fibres shine where they are looked at along; 0.3 */
    sn_real opacity;        /* 0 to 1: how much of what is behind it is hidden; 1 */
    sn_io_pattern pattern;  /* patterns and textures need `uvs` */
    sn_vec3 second;         /* the other colour of the pattern; white */
    sn_real size;           /* m, of a thread, a stripe, a square or a row of dots; 0.05 */
    sn_real angle;          /* rad, by which pattern and texture are turned on the material; 0 */
    const uint8_t *texture; /* a PNG file as it is, which colours the front; null: none */
    size_t texture_bytes;   /* of texture */
    sn_real texture_size;   /* m, from the left to the right of the texture, which repeats; 1 */
} sn_io_look;

/* A look with the values above. */
SN_API sn_io_look sn_io_look_default(void);

/* A view that has a name. */
typedef struct sn_io_camera {
    const char *name;      /* the one that is used by default is called "main" */
    sn_vec3 eye, target;   /* m */
    sn_vec3 up;            /* no unit */
    sn_real field_of_view; /* rad, from the bottom to the top of the picture */
} sn_io_camera;

/* What is around the shapes. Made by sn_io_staging_default and then changed. */
typedef struct sn_io_staging {
    size_t camera_count;         /* of cameras */
    const sn_io_camera *cameras; /* may be null */
    sn_real
        picture_at;   /* s: the moment to show where a picture is all there is; SN_AUTO: the end */
    sn_vec3 to_light; /* from the scene to the light; SN_AUTO as its x: over the left shoulder */
    sn_real light_size;    /* rad, the angle of its disc, which makes shadows soft; 0.14 */
    bool has_ground;       /* true */
    sn_real ground;        /* m, the height of the ground; SN_AUTO: 0 or below the shapes */
    sn_vec3 ground_colour; /* SN_AUTO as its x: grey, with lines */
    sn_vec3 background;    /* SN_AUTO as its x: sky */
} sn_io_staging;

/* A staging without cameras, with the values above. */
SN_API sn_io_staging sn_io_staging_default(void);

#ifdef __cplusplus
}
#endif

#endif
