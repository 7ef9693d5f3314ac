/*
 * A picture is drawn in bands of rows, which are independent of each other.
 *
 * A band first finds which item is nearest in the middle of every pixel. Where neighbours are not
 * one surface, or something thin passes, a pixel is at an edge and gets eight samples; the others
 * are looked at once. Shadows are soft, so how much of a light is seen is found in every second
 * pixel of every second row, and between them where these do not agree.
 *
 * Where something can be seen through, pixels have samples as well. From the nearest on, one layer
 * after the other is found by drawing what is behind the last one (Everitt 2001, depth peeling), so
 * that layers are in the right order wherever they pass through each other.
 */
#ifndef SN_PICTURE_PICTURE_BAND_H
#define SN_PICTURE_PICTURE_BAND_H

#include "picture/picture_hit.h"

/* Rows of a band; even. */
enum { BAND_ROWS = 32 };

/* What all bands share. */
typedef struct band_scene {
    const stage *stage;
    const projector *camera;
    const shading *shading;
    hit_scene hits;
    colour_encoder encoder;
    stage_bins bins;
    stage_bins clear; /* of what can be seen through; without bands where nothing can */
} band_scene;

/* What a thread needs to draw one. */
typedef struct band band;

/* Null when there is no memory. */
band *sn_band_create(const band_scene *scene, int width);
void sn_band_destroy(band *b);

/* Draws band `index` into an image; false when there is no memory. */
bool sn_band_draw(band *b, int index, sn_picture_image *image);

#endif
