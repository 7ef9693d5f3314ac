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

/* The most bytes of a texture. */
#define SN_IO_TEXTURE_BYTES (1 << 24)

/*
 * How a shape is drawn. Made by sn_io_look_default and then changed. Weaves, patterns and textures
 * lie on the material, so they need `uvs` of the shape, and fade where they are too fine for the
 * picture.
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
    bool liquid;            /* particles are drawn as the surface of a liquid (sinew_io/liquid.h);
                               false */
    sn_real thickness;      /* m, of a cloth: it has two sides that far apart, and a border; 0 */
    size_t texture_byte_count;    /* at most SN_IO_TEXTURE_BYTES; 0 */
    const uint8_t *texture_bytes; /* a PNG or JPEG file: an image that the colours, or
                                     white, are multiplied with; null without */
    sn_real texture_size;         /* how much of the uvs the image is wide and high, after which it
                                     begins again; 1 */
    bool smoke; /* particles are drawn as puffs, the clearer the less of them is looked through;
                   false */
    const char *material; /* the name of its material in files that have names for them; null, the
                             default: that of the shape */
} sn_io_look;

/* A look with the values above. */
SN_API sn_io_look sn_io_look_default(void);

/* Where a camera is at a time. */
typedef struct sn_io_camera_key {
    sn_real time;          /* s */
    sn_vec3 eye, target;   /* m */
    sn_real field_of_view; /* rad */
} sn_io_camera_key;

/* A view that has a name. */
typedef struct sn_io_camera {
    const char *name;      /* the one that is used by default is called "main" */
    sn_vec3 eye, target;   /* m */
    sn_vec3 up;            /* no unit */
    sn_real field_of_view; /* rad, from the bottom to the top of the picture */
    size_t key_count;      /* of keys; 0: the camera stands */
    /* Where it is at times, in their order, from which it moves smoothly to the next; may be null.
       */
    const sn_io_camera_key *keys;
} sn_io_camera;

/* The camera as it is at a time, s: without keys, on its way. Before the first key it is there, and
   after the last. */
SN_API sn_io_camera sn_io_camera_at(const sn_io_camera *camera, double time);

/* A light that is far away. */
typedef struct sn_io_light {
    sn_vec3 direction; /* in which it shines, not upwards; any length, no unit */
    sn_vec3 colour;    /* 1 */
    sn_real strength;  /* 1 is as bright as the sun of a scene without lights; 1 */
} sn_io_light;

/* How many lights a staging can have. */
#define SN_IO_LIGHT_MOST 4

/* What the ground looks like. */
typedef enum sn_io_ground {
    SN_IO_GROUND_GRID = 0,    /* with lines */
    SN_IO_GROUND_CHECKER = 1, /* with squares */
    SN_IO_GROUND_PLAIN = 2,   /* with nothing on it */
    SN_IO_GROUND_NONE = 3     /* there is none */
} sn_io_ground;

/* What is behind everything. */
typedef enum sn_io_background {
    SN_IO_BACKGROUND_SKY = 0,  /* brighter towards the horizon */
    SN_IO_BACKGROUND_PLAIN = 1 /* one colour */
} sn_io_background;

/* From where shapes are looked at, when, and in which light. Made by sn_io_staging_default and then
   changed. */
typedef struct sn_io_staging {
    size_t camera_count;         /* of cameras; 0 */
    const sn_io_camera *cameras; /* may be null */
    sn_real picture_at; /* s: the moment to show where a picture is all there is; SN_AUTO, the
                           default: the end */
    size_t light_count; /* of lights, at most SN_IO_LIGHT_MOST; 0: a sun over the left shoulder */
    const sn_io_light *lights;   /* may be null */
    sn_real sky_light;           /* how bright the light is that comes from everywhere; 1 */
    sn_io_ground ground;         /* SN_IO_GROUND_GRID */
    sn_vec3 ground_colour;       /* 1; SN_AUTO as its x, the default: grey */
    sn_real ground_height;       /* m; SN_AUTO, the default: 0, or below everything */
    sn_io_background background; /* SN_IO_BACKGROUND_SKY */
    sn_vec3 background_colour;   /* of a plain one, 1; light grey */
} sn_io_staging;

/* A staging with the values above. */
SN_API sn_io_staging sn_io_staging_default(void);

#ifdef __cplusplus
}
#endif

#endif
