#include "picture/picture_legend.h"

#include "picture/picture_font.h"

#include <stdio.h>

/* Where everything goes, in pixels: a panel with the title above a bar with numbers below it. */
typedef struct layout {
    float left, top, width, height; /* of the panel */
    float text;                     /* height of a capital */
    float bar_left, bar_top, bar_width, bar_height;
} layout;

static layout make_layout(const sn_picture_image *image) {
    float unit =
        clamp((float)(image->width < image->height ? image->width : image->height) / 72, 5, 40);
    layout l = {.text = unit, .bar_width = 26 * unit, .bar_height = 1.2f * unit};
    l.bar_width = least_of(l.bar_width, 0.8f * (float)image->width);
    l.width = l.bar_width + 4 * unit;
    l.height = 6.6f * unit;
    l.left = 1.5f * unit;
    l.top = (float)image->height - l.height - 1.5f * unit;
    l.bar_left = l.left + 2 * unit;
    l.bar_top = l.top + 2.8f * unit;
    return l;
}

/* Makes the picture behind the legend calm enough to read on. */
static void draw_panel(sn_picture_image *image, const layout *l) {
    static const uint8_t paper[3] = {250, 250, 250};
    float round = 0.8f * l->text;
    for (int y = (int)l->top; y < (int)(l->top + l->height); y++) {
        for (int x = (int)l->left; x < (int)(l->left + l->width); x++) {
            float dx = most_of(l->left + round - (float)x, (float)x - l->left - l->width + round);
            float dy = most_of(l->top + round - (float)y, (float)y - l->top - l->height + round);
            float away = norm((vec){most_of(dx, 0), most_of(dy, 0), 0}) - round;
            sn_font_blend(image, x, y, paper, 0.82f * clamp(0.5f - away, 0, 1));
        }
    }
}

static void draw_bar(sn_picture_image *image, const layout *l, const colour_scale *scale,
                     const colour_encoder *encoder) {
    for (int x = (int)l->bar_left; x < (int)(l->bar_left + l->bar_width); x++) {
        vec c = sn_colour_at(scale, ((float)x + 0.5f - l->bar_left) / l->bar_width);
        const uint8_t bytes[3] = {colour_byte(encoder, c.x), colour_byte(encoder, c.y),
                                  colour_byte(encoder, c.z)};
        for (int y = (int)l->bar_top; y < (int)(l->bar_top + l->bar_height); y++)
            sn_font_blend(image, x, y, bytes, 1);
    }
}

void sn_legend_draw(sn_picture_image *image, const colour_scale *scale,
                    sn_picture_colouring colouring, const colour_encoder *encoder) {
    static const uint8_t ink[3] = {45, 48, 54};
    layout l = make_layout(image);
    bool is_strain = colouring == SN_PICTURE_COLOUR_STRAIN;
    /* Strain is said in percent. */
    double unit = is_strain ? 100 : 1;
    draw_panel(image, &l);
    draw_bar(image, &l, scale, encoder);
    sn_font_draw(image, l.bar_left, l.bar_top - 0.9f * l.text, l.text,
                 is_strain ? "strain [%]" : "speed [m/s]", ink);
    double least = unit * (double)scale->least, most = unit * (double)scale->most;
    double step = sn_colour_short_below((most - least) / 3.99);
    for (double at = ceil(least / step - 1e-6) * step; at <= most + 1e-6 * step; at += step) {
        char number[32];
        snprintf(number, sizeof number, "%.4g", fabs(at) < 1e-6 * step ? 0 : at);
        float x = l.bar_left + (float)((at - least) / (most - least)) * l.bar_width;
        float half = 0.5f * sn_font_width(number, l.text), y = l.bar_top + l.bar_height;
        for (int k = 0; k < (int)(0.6f * l.text); k++)
            sn_font_blend(image, (int)x, (int)y + k, ink, 0.8f);
        sn_font_draw(image, x - half, y + 2.0f * l.text, l.text, number, ink);
    }
}
