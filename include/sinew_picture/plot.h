/*
 * Plots of numbers over time, as SVG files that browsers, editors and documents show.
 *
 * Columns with the same unit share a panel, the panels lie above each other and share the axis of
 * time. Lines are named where they end, ticks are at round numbers, and the colours can be told
 * apart by people with any colour vision, on light and on dark ground.
 */
#ifndef SINEW_PICTURE_PLOT_H
#define SINEW_PICTURE_PLOT_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One quantity. */
typedef struct sn_picture_column {
    const char *name; /* such as "kinetic energy"; those that differ only in a last word x, y or z
                         are parts of one vector and get a panel of their own */
    const char *unit; /* of the values, such as "J"; empty for a number of things */
    const double *values; /* in that unit, one per row; what is not finite is a gap */
    bool stacked; /* parts of a whole, drawn as areas on top of each other; what is not finite, or
                     below 0, counts as 0 */
} sn_picture_column;

/* What is drawn. */
typedef struct sn_picture_plot {
    const char *title;                /* null or empty for none */
    size_t row_count;                 /* of all columns */
    sn_picture_column across;         /* the common axis, usually time; must not decrease */
    size_t column_count;              /* of columns */
    const sn_picture_column *columns; /* at least one */
} sn_picture_plot;

/* Writes the plot; the file is there as a whole or not at all. SN_ERROR_VALUE where there is
   nothing to draw, or the axis decreases or is not finite. */
SN_API sn_result sn_picture_plot_write(const char *path, const sn_picture_plot *plot);

/* ---- Tables ---- */

/* Numbers from a file. Free with sn_picture_table_free. */
typedef struct sn_picture_table {
    size_t row_count;           /* of every column */
    size_t column_count;        /* of columns */
    sn_picture_column *columns; /* in the order of the file, none of them stacked */
    void *memory;               /* of names and values */
} sn_picture_table;

/*
 * Reads a CSV file: a row of names such as "kinetic energy [J]", then rows of numbers. Cells may be
 * in double quotes; an empty cell is a gap (NaN). Anything else is SN_ERROR_DATA with a sentence
 * that names file, line and column: `stats.csv:3:14: "abc" is not a number`.
 */
SN_API sn_result sn_picture_table_read(const char *path, sn_picture_table *table);

/* Frees what reading has made; a table of zeros is left alone. */
SN_API void sn_picture_table_free(sn_picture_table *table);

#ifdef __cplusplus
}
#endif

#endif
