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

/* How a shape is drawn. Made by sn_io_look_default and then changed. */
typedef struct sn_io_look {
    /* Of the front, 1; SN_AUTO as its x, the default: one that differs from others'. */
    sn_vec3 colour;
    /* Of the other side, 1; SN_AUTO as its x, the default: as the front, duller. */
    sn_vec3 back;
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
