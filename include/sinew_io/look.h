/*
 * How shapes are drawn, and from where: colours of shapes, and cameras. Scenes say them, caches
 * keep them, pictures follow them.
 *
 * Colours are red, green and blue in sRGB, 0 to 1, as programs that choose colours show them.
 */
#ifndef SINEW_IO_LOOK_H
#define SINEW_IO_LOOK_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the threads of a cloth cross. */
typedef enum sn_io_weave {
    SN_IO_WEAVE_NONE = 0,  /* no threads are drawn */
    SN_IO_WEAVE_PLAIN = 1, /* each over the next */
    SN_IO_WEAVE_TWILL = 2, /* over two and under two, one further in each row: slanted ribs */
    SN_IO_WEAVE_KNIT = 3   /* columns of loops */
} sn_io_weave;

/* What is dyed or printed on a cloth. */
typedef enum sn_io_pattern {
    SN_IO_PATTERN_NONE = 0,
    SN_IO_PATTERN_STRIPES = 1, /* along the second axis of the material */
    SN_IO_PATTERN_CHECKS = 2,  /* stripes both ways, through each other */
    SN_IO_PATTERN_SQUARES = 3  /* as on a board */
} sn_io_pattern;

/*
 * How a shape is drawn. Made by sn_io_look_default and then changed. Weaves and patterns lie on the
 * material, so they need `uvs` of the shape, and fade where they are too fine for the picture.
 */
typedef struct sn_io_look {
    /* Of the front, 1; SN_AUTO as its x, the default: one that differs from others'. */
    sn_vec3 colour;
    /* Of the other side, 1; SN_AUTO as its x, the default: as the front, duller. */
    sn_vec3 back;
    sn_io_weave weave;      /* SN_IO_WEAVE_NONE */
    sn_real thread;         /* m, from a thread to the next; 0.001 */
    sn_io_pattern pattern;  /* SN_IO_PATTERN_NONE */
    sn_vec3 pattern_colour; /* of every second stripe, 1; white */
    sn_real pattern_width;  /* m, of a stripe; 0.05 */
    sn_real opacity;        /* how much of what is behind it is hidden, 1; 1. What is less than half
                               opaque casts no shadow */
    sn_real sheen;          /* how bright fibres are that are looked along, 0 to 1; 0.2 */
    sn_real roughness;      /* how wide highlights are, and how weak, 0 to 1; 0.6 */
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

/* From where shapes are looked at, and when. Made by sn_io_staging_default and then changed. */
typedef struct sn_io_staging {
    size_t camera_count;         /* of cameras; 0 */
    const sn_io_camera *cameras; /* may be null */
    sn_real picture_at; /* s: the moment to show where a picture is all there is; SN_AUTO, the
                           default: the end */
} sn_io_staging;

/* A staging with the values above. */
SN_API sn_io_staging sn_io_staging_default(void);

#ifdef __cplusplus
}
#endif

#endif
