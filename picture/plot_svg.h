/* Pieces of SVG: escaped text, short numbers, round ticks. */
#ifndef SN_PICTURE_PLOT_SVG_H
#define SN_PICTURE_PLOT_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* An axis with round ticks. */
typedef struct plot_axis {
    double least, most;  /* of what is shown */
    double step;         /* between ticks */
    double from, length; /* pixels: where `least` is, and how far away `most` is */
    int exponent;        /* numbers are said in units of 10 to this power */
} plot_axis;

/* An axis for values from `least` to `most` with about `ticks` ticks. With `space`, there is a
   little room beyond the values, but not beyond zero. */
plot_axis sn_axis_make(double least, double most, int ticks, bool space);

/* Where a value is, in pixels. */
double sn_axis_at(const plot_axis *axis, double value);

/* The tick of a number, from 0; false beyond the last. */
bool sn_axis_tick(const plot_axis *axis, int index, double *value);

/* The text of a tick. */
void sn_axis_text(const plot_axis *axis, double value, char text[32]);

/* Writes text so that it is no markup. Bytes that XML does not allow become question marks. */
void sn_svg_escape(FILE *stream, const char *text);

/* The same for a unit, where ^ raises the digits after it. */
void sn_svg_unit(FILE *stream, const char *unit);

/* About how wide a text is, for a size of letters of 1. */
double sn_svg_width(const char *text);

/* A coordinate with at most two digits after the point. */
void sn_svg_number(FILE *stream, double value);

#endif
