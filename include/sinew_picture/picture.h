/*
 * Pictures of frames: a camera, what colours mean, drawing, and PNG files.
 *
 *     sn_picture_bounds bounds = sn_picture_bounds_none();
 *     sn_picture_bounds_add(&bounds, &frame);
 *     sn_picture_view view = sn_picture_view_around(&bounds, 1280.0 / 720);
 *     sn_picture_image image;
 *     if (sn_picture_draw(&frame, &view, 1280, 720, &image) == SN_OK)
 *         sn_picture_png_write("frame.png", &image);
 *     sn_picture_image_free(&image);
 *
 * Everything is drawn in software, with several samples a pixel: triangles from both sides, lines
 * as tubes with round ends, particles as balls, and a ground with a soft shadow of all of them. The
 * same frame, view and size give the same picture on the same machine.
 */
#ifndef SINEW_PICTURE_PICTURE_H
#define SINEW_PICTURE_PICTURE_H

#include <sinew_io/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Images ---- */

/* A picture in memory. */
typedef struct sn_picture_image {
    int width, height; /* pixels */
    uint8_t *rgb;      /* three bytes a pixel, sRGB, rows from the top */
} sn_picture_image;

/* A colour as parts of light: linear, 0 to 1, no unit. */
typedef struct sn_picture_colour {
    float r, g, b;
} sn_picture_colour;

/* Frees what sn_picture_draw made; an image of zeros is left alone. */
SN_API void sn_picture_image_free(sn_picture_image *image);

/* Writes a picture as PNG, compressed for speed rather than size. The file is there as a whole or
   not at all. */
SN_API sn_result sn_picture_png_write(const char *path, const sn_picture_image *image);

/* ---- Bounds ---- */

/* A box around shapes. */
typedef struct sn_picture_bounds {
    sn_vec3 least, most; /* m; the box holds nothing where least is above most */
} sn_picture_bounds;

/* The box that holds nothing. */
SN_API sn_picture_bounds sn_picture_bounds_none(void);

/* Makes the box hold a frame as well, radii included. Vertices that are not finite, or so far away
   (1e9 m) that no picture can show them, are left out, and so are shapes without any opacity. */
SN_API void sn_picture_bounds_add(sn_picture_bounds *bounds, const sn_io_frame *frame);

/* ---- Views ---- */

/* What the colour of a point says. */
typedef enum sn_picture_colouring {
    SN_PICTURE_COLOUR_BODY = 0,   /* which shape it belongs to */
    SN_PICTURE_COLOUR_STRAIN = 1, /* how far it is stretched */
    SN_PICTURE_COLOUR_SPEED = 2   /* how fast it moves */
} sn_picture_colouring;

/* What is behind the shapes. */
typedef enum sn_picture_background {
    SN_PICTURE_BACKGROUND_SKY = 0, /* brighter towards the horizon */
    /* One colour, the `backdrop` of the view; the ground fades into it. */
    SN_PICTURE_BACKGROUND_PLAIN = 1
} sn_picture_background;

/* Triangles are divided up to twice, until they are small on the picture; with `wire`, they stay as
   they are. */
#define SN_PICTURE_SMOOTH_AUTO (-1)

/* How a frame is looked at. Made by sn_picture_view_default or sn_picture_view_around and then
   changed. */
typedef struct sn_picture_view {
    sn_vec3 eye, target;   /* m */
    sn_vec3 up;            /* the direction that is up in the picture; any length, no unit */
    sn_real field_of_view; /* rad, from the bottom to the top of the picture, 0.01 to 3 */
    sn_vec3 to_light;      /* from the scene to the light, upwards; any length, no unit */
    bool has_ground;       /* whether there is a ground */
    sn_real ground;        /* m, its height: the y of its points */
    sn_picture_background background;
    sn_picture_colour backdrop;     /* of a plain background */
    sn_picture_colouring colouring; /* shapes that do not have the quantity are grey */
    /* The ends of the scale of the colouring, of strain (1) or speed (m/s). Where they are equal,
       they are taken from the frame. */
    sn_real least, most;
    bool legend;         /* draws the scale of strain or speed into the picture */
    bool wire;           /* draws the edges of triangles */
    int smooth;          /* how often triangles are divided (sinew_io/smooth.h), 0 to 3, or
                            SN_PICTURE_SMOOTH_AUTO */
    size_t colour_count; /* of colours */
    const sn_picture_colour
        *colours; /* of the shapes, in their order, and from the first again; null:
                                    a palette that people with any colour vision can tell apart */
    /* How many threads draw, up to 256; 0: one per core. The picture is the same for any. */
    int threads;
    size_t light_count;        /* of lights, at most SN_IO_LIGHT_MOST; 0: one sun, to_light */
    const sn_io_light *lights; /* may be null */
    sn_real sky_light;         /* how bright the light is that comes from everywhere; 1 */
    sn_io_ground ground_kind;  /* what is on the ground, where there is one */
    sn_picture_colour ground_colour;
} sn_picture_view;

/* A view of the unit cube on a ground, from slightly above. */
SN_API sn_picture_view sn_picture_view_default(void);

/*
 * The default view, moved so that the whole box is in the picture, whose width is `aspect` times
 * its height. The ground is at height 0 where the box is at or above it, but not high above it;
 * otherwise at the bottom of the box.
 */
SN_API sn_picture_view sn_picture_view_around(const sn_picture_bounds *bounds, double aspect);

/* Looks from somewhere else. The light comes along, over the left shoulder. */
SN_API void sn_picture_view_move(sn_picture_view *view, sn_vec3 eye, sn_vec3 target);

/* Takes lights, ground and background of a staging, which must live as long as the view, but no
   camera: sn_picture_view_move. Null leaves the view as it is. */
SN_API void sn_picture_view_stage(sn_picture_view *view, const sn_io_staging *staging);

/*
 * The ends of a scale for a frame, rounded outwards to a short number: what the view takes where
 * its own are equal. One value in a hundred may lie beyond, so that a single one does not set the
 * scale. For several frames, take the least and the most of all.
 */
SN_API void sn_picture_scale_of(const sn_io_frame *frame, sn_picture_colouring colouring,
                                sn_real *least, sn_real *most);

/* ---- Drawing ---- */

/* The most pixels that a picture can have each way. */
#define SN_PICTURE_MOST 8192

/*
 * Draws a frame into a new image of 1 to SN_PICTURE_MOST pixels each way, to be freed with
 * sn_picture_image_free. SN_ERROR_VALUE where an element names a vertex that is not there, or the
 * view is not finite; SN_ERROR_MEMORY. Vertices that are not finite are left out with their
 * elements.
 */
SN_API sn_result sn_picture_draw(const sn_io_frame *frame, const sn_picture_view *view, int width,
                                 int height, sn_picture_image *image);

#ifdef __cplusplus
}
#endif

#endif
