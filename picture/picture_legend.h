/* The scale of strain or speed, drawn into a corner of a picture. */
#ifndef SN_PICTURE_PICTURE_LEGEND_H
#define SN_PICTURE_PICTURE_LEGEND_H

#include "picture/colour.h"

void sn_legend_draw(sn_picture_image *image, const colour_scale *scale,
                    sn_picture_colouring colouring, const colour_encoder *encoder);

#endif
