/* Letters of strokes, for the few words that pictures need. */
#ifndef SN_PICTURE_PICTURE_FONT_H
#define SN_PICTURE_PICTURE_FONT_H

#include "picture/vec.h"

#include <sinew_picture/picture.h>

/* Pixels that a text of this height (of its capitals) is wide. */
float sn_font_width(const char *text, float height);

/* Writes a text with its baseline at (x, y), in the bytes of a colour. What has no letter is left
   blank. */
void sn_font_draw(sn_picture_image *image, float x, float y, float height, const char *text,
                  const uint8_t colour[3]);

/* Mixes a colour into a pixel; outside of the picture nothing happens. */
void sn_font_blend(sn_picture_image *image, int x, int y, const uint8_t colour[3], float share);

#endif
