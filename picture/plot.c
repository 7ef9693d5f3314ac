/*
 * The layout of plots: which columns share a panel, and where everything goes.
 */
#include "picture/plot_svg.h"

#include <sinew/support.h>
#include <sinew_io/file.h>
#include <sinew_picture/plot.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. */
enum {
    WIDTH = 960,
    LEFT = 74,
    PANEL = 150,
    GAP = 44,
    TOP = 26,
    TITLE = 46,
    BOTTOM = 52,
    LABEL = 15 /* the least distance of two names of lines */
};
/* Points of a line at most; more would not be seen. */
enum { POINTS_MOST = 1600 };

/* Told apart by lightness as well, on white and on black. */
static const char *const colours[] = {"#3b78c4", "#d98a1f", "#c8465a", "#2f9166",
                                      "#8a6bc0", "#4aa9bd", "#a8733a", "#858b95"};
enum { COLOUR_COUNT = sizeof colours / sizeof colours[0] };

typedef struct panel {
    size_t first, count; /* of the columns, in the order of the panels */
    char title[96], unit[64];
    bool stacked; /* some column is */
    double spike; /* the largest value, where it is beyond the panel; else 0 */
    double top;   /* pixels */
    plot_axis up; /* of the values */
} panel;

typedef struct layout {
    const sn_picture_plot *plot;
    const sn_picture_column **columns; /* sorted by panel */
    panel *panels;
    size_t panel_count;
    plot_axis across;
    double right;  /* pixels, where the panels end */
    double height; /* pixels */
} layout;

/* ---- Panels ---- */

/* The length of a name without the x, y or z at its end; all of it where it is no such part. */
static size_t base_length(const char *name) {
    size_t length = strlen(name);
    bool is_part = length > 2 && name[length - 2] == ' ' && strchr("xyz", name[length - 1]);
    return is_part ? length - 2 : length;
}

static bool is_part(const char *name) {
    return base_length(name) < strlen(name);
}

/* Whether two columns belong into one panel: the same unit, and the same vector if any. */
static bool share_panel(const sn_picture_column *a, const sn_picture_column *b) {
    if (strcmp(a->unit, b->unit) != 0 || is_part(a->name) != is_part(b->name)) return false;
    size_t length = base_length(a->name);
    return !is_part(a->name) ||
           (length == base_length(b->name) && strncmp(a->name, b->name, length) == 0);
}

/* The last word of a name. */
static const char *last_word(const char *name) {
    const char *space = strrchr(name, ' ');
    return space ? space + 1 : name;
}

/* What all names of a panel end with, if they do. */
static const char *common_word(const layout *l, const panel *p) {
    const char *word = last_word(l->columns[p->first]->name);
    for (size_t i = 0; i < p->count; i++) {
        const char *name = l->columns[p->first + i]->name;
        if (strcmp(last_word(name), word) != 0 || last_word(name) == name) return NULL;
    }
    return p->count > 1 ? word : NULL;
}

/* What a line is called within its panel: x, or "kinetic" under "energy". */
static void label_of(const layout *l, const panel *p, size_t index, char label[64]) {
    const char *name = l->columns[p->first + index]->name, *word = common_word(l, p);
    size_t base = base_length(name), length = strlen(name);
    if (p->count > 1 && base < length)
        snprintf(label, 64, "%s", name + base + 1);
    else if (word)
        snprintf(label, 64, "%.*s", (int)(length - strlen(word) - 1), name);
    else
        snprintf(label, 64, "%s", name);
}

/* A unit with the power of ten in which an axis is said; empty where there is neither. */
static void name_unit(const plot_axis *axis, const char *unit, char *text, size_t size) {
    if (axis->exponent == 0)
        snprintf(text, size, "%s", unit);
    else
        snprintf(text, size, "10^%d%s%s", axis->exponent, unit[0] ? " " : "", unit);
}

static void write_title(FILE *f, const char *name, const char *unit) {
    sn_svg_escape(f, name);
    if (!unit[0]) return;
    fputs(name[0] ? " [" : "[", f);
    sn_svg_unit(f, unit);
    fputc(']', f);
}

static void name_panel(const layout *l, panel *p) {
    const sn_picture_column *first = l->columns[p->first];
    const char *word = common_word(l, p), *unit = first->unit;
    size_t base = base_length(first->name);
    char *name = p->title;
    if (p->count > 1 && base < strlen(first->name))
        snprintf(name, sizeof p->title, "%.*s", (int)base, first->name);
    else if (p->count == 1 || word)
        snprintf(name, sizeof p->title, "%s", word ? word : first->name);
    else if (strcmp(unit, "ms") == 0 || strcmp(unit, "s") == 0)
        snprintf(name, sizeof p->title, "time");
    else
        snprintf(name, sizeof p->title, "%s", unit[0] ? "" : "count");
    name_unit(&p->up, unit, p->unit, sizeof p->unit);
}

/* Puts columns that share a panel side by side. */
static void make_panels(layout *l) {
    const sn_picture_plot *plot = l->plot;
    size_t placed = 0;
    for (size_t i = 0; i < plot->column_count; i++) {
        const sn_picture_column *first = &plot->columns[i];
        bool done = false;
        for (size_t j = 0; j < placed && !done; j++) done = l->columns[j] == first;
        if (done) continue;
        panel *p = &l->panels[l->panel_count++];
        *p = (panel){.first = placed};
        for (size_t j = i; j < plot->column_count; j++) {
            if (!share_panel(first, &plot->columns[j])) continue;
            l->columns[placed++] = &plot->columns[j];
            p->stacked = p->stacked || plot->columns[j].stacked;
        }
        p->count = placed - p->first;
    }
}

/* ---- Values ---- */

static double part_of_stack(double value) {
    return value > 0 && isfinite(value) ? value : 0;
}

/* The sum of the stacked columns of a panel up to one of them. */
static double stack_to(const layout *l, const panel *p, size_t end, size_t row) {
    double sum = 0;
    for (size_t i = 0; i < end; i++) {
        const sn_picture_column *column = l->columns[p->first + i];
        if (column->stacked) sum += part_of_stack(column->values[row]);
    }
    return sum;
}

static void widen(double value, double *least, double *most) {
    if (!isfinite(value)) return;
    *least = fmin(*least, value);
    *most = fmax(*most, value);
}

static int compare_numbers(const void *a, const void *b) {
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

/*
 * Times have spikes, whenever the machine has something else to do, and one of them would flatten
 * the rest. Where the largest sum is far beyond nearly all others, the panel ends lower and its
 * title says how far it would go. `sums` has room for a number per row.
 */
static void cut_spikes(const layout *l, panel *p, double *most, double *sums) {
    size_t rows = l->plot->row_count;
    for (size_t row = 0; row < rows; row++) sums[row] = stack_to(l, p, p->count, row);
    qsort(sums, rows, sizeof *sums, compare_numbers);
    double usual = 2 * sums[rows - 1 - rows / 20];
    if (!(usual > 0 && *most > 2 * usual)) return;
    p->spike = *most;
    *most = usual;
}

static void scale_panel(const layout *l, panel *p, double *sums) {
    double least = INFINITY, most = -INFINITY;
    for (size_t row = 0; row < l->plot->row_count; row++) {
        if (p->stacked) widen(stack_to(l, p, p->count, row), &least, &most);
        for (size_t i = 0; i < p->count; i++) {
            const sn_picture_column *column = l->columns[p->first + i];
            if (!column->stacked) widen(column->values[row], &least, &most);
        }
    }
    if (!(least <= most)) least = most = 0;
    /* Zero belongs to what is not far from it, and to everything that is stacked. */
    if (p->stacked || (least > 0 && least < 0.6 * most)) least = fmin(least, 0);
    if (most < 0 && most > 0.6 * least) most = 0;
    if (p->stacked) cut_spikes(l, p, &most, sums);
    /* So that the difference is finite. */
    least = fmax(least, -1e300);
    most = fmin(most, 1e300);
    p->up = sn_axis_make(least, most, 4, true);
    p->up.from = p->top + PANEL;
    p->up.length = -PANEL;
}

/* ---- Lines ---- */

/* Rows that become one point of a line, so that there are not too many. */
static size_t rows_per_point(const layout *l) {
    return (l->plot->row_count + POINTS_MOST - 1) / POINTS_MOST;
}

static void write_point(FILE *f, char command, double x, double y) {
    fputc(command, f);
    sn_svg_number(f, x);
    fputc(' ', f);
    sn_svg_number(f, y);
}

/* The lowest and the highest of a few rows, in their order, so that no spike is lost. */
static void write_line(FILE *f, const layout *l, const panel *p, const sn_picture_column *column,
                       const char *colour) {
    size_t step = rows_per_point(l), rows = l->plot->row_count;
    bool pen_down = false;
    fprintf(f, "<path class=\"line\" stroke=\"%s\" d=\"", colour);
    for (size_t row = 0; row < rows; row += step) {
        size_t low = rows, high = rows;
        for (size_t i = row; i < rows && i < row + step; i++) {
            if (!isfinite(column->values[i])) continue;
            if (low == rows || column->values[i] < column->values[low]) low = i;
            if (high == rows || column->values[i] > column->values[high]) high = i;
        }
        if (low == rows) {
            pen_down = false;
            continue;
        }
        size_t order[2] = {low < high ? low : high, low < high ? high : low};
        for (int k = 0; k < (low == high ? 1 : 2); k++) {
            double x = sn_axis_at(&l->across, l->plot->across.values[order[k]]);
            double y = sn_axis_at(&p->up, column->values[order[k]]);
            write_point(f, pen_down ? 'L' : 'M', x, y);
            /* A point without a line is seen by its round ends. */
            if (!pen_down) write_point(f, 'L', x, y);
            pen_down = true;
        }
    }
    fputs("\"/>\n", f);
}

/* The border between a stacked column and what is below or above it, there or back. */
static void write_border(FILE *f, const layout *l, const panel *p, size_t end, bool back) {
    size_t step = rows_per_point(l), rows = l->plot->row_count, points = (rows + step - 1) / step;
    for (size_t k = 0; k < points; k++) {
        size_t row = (back ? points - 1 - k : k) * step;
        write_point(f, k == 0 && !back ? 'M' : 'L',
                    sn_axis_at(&l->across, l->plot->across.values[row]),
                    sn_axis_at(&p->up, stack_to(l, p, end, row)));
    }
}

static void write_area(FILE *f, const layout *l, const panel *p, size_t index, const char *colour) {
    fprintf(f, "<path class=\"area\" fill=\"%s\" d=\"", colour);
    write_border(f, l, p, index + 1, false);
    write_border(f, l, p, index, true);
    fputs("Z\"/>\n", f);
}

/* ---- Names of lines ---- */

typedef struct line_end {
    size_t index;
    double y; /* pixels */
} line_end;

static int compare_ends(const void *a, const void *b) {
    double one = ((const line_end *)a)->y, two = ((const line_end *)b)->y;
    return (one > two) - (one < two);
}

/* Where a line is at its right end. */
static double end_of(const layout *l, const panel *p, size_t index) {
    const sn_picture_column *column = l->columns[p->first + index];
    size_t last = l->plot->row_count - 1;
    if (column->stacked)
        return sn_axis_at(&p->up,
                          0.5 * (stack_to(l, p, index, last) + stack_to(l, p, index + 1, last)));
    for (size_t row = l->plot->row_count; row-- > 0;)
        if (isfinite(column->values[row])) return sn_axis_at(&p->up, column->values[row]);
    return p->top + PANEL;
}

/* Moves names apart that would lie on each other: down from the top, then up from the bottom. */
static void spread(line_end *ends, size_t count, double top, double bottom) {
    qsort(ends, count, sizeof *ends, compare_ends);
    double gap = fmin(LABEL, (bottom - top) / (double)(count > 1 ? count - 1 : 1));
    for (size_t i = 0; i < count; i++)
        ends[i].y = fmax(ends[i].y, i > 0 ? ends[i - 1].y + gap : top);
    for (size_t i = count; i-- > 0;)
        ends[i].y = fmin(ends[i].y, i + 1 < count ? ends[i + 1].y - gap : bottom);
}

static void write_labels(FILE *f, const layout *l, const panel *p, line_end *ends) {
    for (size_t i = 0; i < p->count; i++) ends[i] = (line_end){i, end_of(l, p, i)};
    spread(ends, p->count, p->top + 2, p->top + PANEL);
    /* A single line has the name of its panel. */
    for (size_t i = 0; i < p->count && p->count > 1; i++) {
        char label[64];
        label_of(l, p, ends[i].index, label);
        fprintf(f, "<text class=\"name\" fill=\"%s\" x=\"%d\" y=\"",
                colours[ends[i].index % COLOUR_COUNT], (int)l->right + 10);
        sn_svg_number(f, ends[i].y + 4);
        fputs("\">", f);
        sn_svg_escape(f, label);
        fputs("</text>\n", f);
    }
}

/* ---- The file ---- */

static void write_ticks(FILE *f, const layout *l, const panel *p, bool is_last) {
    double value;
    char text[32];
    for (int i = 0; sn_axis_tick(&p->up, i, &value); i++) {
        double y = sn_axis_at(&p->up, value);
        fprintf(f, "<path class=\"%s\" d=\"M%d %.1fH%d\"/>", value == 0 ? "zero" : "grid", LEFT, y,
                (int)l->right);
        sn_axis_text(&p->up, value, text);
        fprintf(f, "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                LEFT - 8, y + 4, text);
    }
    for (int i = 0; sn_axis_tick(&l->across, i, &value); i++) {
        double x = sn_axis_at(&l->across, value);
        fprintf(f, "<path class=\"grid\" d=\"M%.1f %.1fv%d\"/>", x, p->top, PANEL);
        sn_axis_text(&l->across, value, text);
        if (is_last)
            fprintf(f,
                    "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">%s"
                    "</text>",
                    x, p->top + PANEL + 18, text);
        fputc('\n', f);
    }
}

static void write_panel(FILE *f, const layout *l, const panel *p, line_end *ends) {
    bool is_last = p == &l->panels[l->panel_count - 1];
    fputs("<g>\n<text class=\"axis\" ", f);
    fprintf(f, "x=\"%d\" y=\"%.1f\">", LEFT, p->top - 10);
    write_title(f, p->title, p->unit);
    if (p->spike > 0) {
        char text[32];
        sn_axis_text(&p->up, p->spike, text);
        fprintf(f, "<tspan class=\"tick\" font-weight=\"normal\">, at most %s</tspan>", text);
    }
    fputs("</text>\n", f);
    write_ticks(f, l, p, is_last);
    int number = (int)(p - l->panels);
    fprintf(f,
            "<clipPath id=\"panel%d\"><rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>"
            "</clipPath>\n<g clip-path=\"url(#panel%d)\">\n",
            number, LEFT - 2, p->top - 2, (int)l->right - LEFT + 4, PANEL + 4, number);
    for (size_t i = 0; i < p->count; i++)
        if (l->columns[p->first + i]->stacked) write_area(f, l, p, i, colours[i % COLOUR_COUNT]);
    for (size_t i = 0; i < p->count; i++)
        if (!l->columns[p->first + i]->stacked)
            write_line(f, l, p, l->columns[p->first + i], colours[i % COLOUR_COUNT]);
    fputs("</g>\n", f);
    write_labels(f, l, p, ends);
    fputs("</g>\n", f);
}

static void write_head(FILE *f, const layout *l) {
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
            "viewBox=\"0 0 %d %.0f\" font-family=\"system-ui, sans-serif\">\n",
            WIDTH, l->height, WIDTH, l->height);
    if (l->plot->title && l->plot->title[0]) {
        fputs("<title>", f);
        sn_svg_escape(f, l->plot->title);
        fputs("</title>\n", f);
    }
    fputs("<style>\n"
          ".paper{fill:#fff}.title{font-size:17px;font-weight:600;fill:#1f2328}\n"
          ".axis{font-size:13px;font-weight:600;fill:#1f2328}.tick{font-size:12px;fill:#59636e}\n"
          ".name{font-size:13px}.grid{stroke:#e3e6ea;fill:none}.zero{stroke:#9aa2ab;fill:none}\n"
          ".line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}\n"
          ".area{opacity:.8}\n"
          "@media (prefers-color-scheme:dark){.paper{fill:#16191d}.title,.axis{fill:#e8eaed}"
          ".tick{fill:#a3abb5}.grid{stroke:#2c3138}.zero{stroke:#69717b}}\n"
          "</style>\n",
          f);
    fprintf(f, "<rect class=\"paper\" width=\"%d\" height=\"%.0f\"/>\n", WIDTH, l->height);
}

static void write_all(FILE *f, const layout *l, line_end *ends) {
    const sn_picture_plot *plot = l->plot;
    write_head(f, l);
    if (plot->title && plot->title[0]) {
        fprintf(f, "<text class=\"title\" x=\"%d\" y=\"30\">", LEFT);
        sn_svg_escape(f, plot->title);
        fputs("</text>\n", f);
    }
    for (size_t i = 0; i < l->panel_count; i++) write_panel(f, l, &l->panels[i], ends);
    fprintf(f, "<text class=\"axis\" text-anchor=\"middle\" x=\"%d\" y=\"%.0f\">",
            (LEFT + (int)l->right) / 2, l->height - 12);
    char unit[64];
    name_unit(&l->across, plot->across.unit, unit, sizeof unit);
    write_title(f, plot->across.name, unit);
    fputs("</text>\n</svg>\n", f);
}

/* Leaves room for the names of the lines. */
static double find_right(const layout *l) {
    double widest = 2;
    for (size_t i = 0; i < l->panel_count; i++) {
        for (size_t k = 0; k < l->panels[i].count && l->panels[i].count > 1; k++) {
            char label[64];
            label_of(l, &l->panels[i], k, label);
            widest = fmax(widest, sn_svg_width(label));
        }
    }
    return WIDTH - 28 - fmin(13 * widest, 300);
}

static void place_panels(layout *l, double *sums) {
    const sn_picture_plot *plot = l->plot;
    l->right = find_right(l);
    double y = TOP + (plot->title && plot->title[0] ? TITLE : 6);
    for (size_t i = 0; i < l->panel_count; i++) {
        l->panels[i].top = y;
        scale_panel(l, &l->panels[i], sums);
        name_panel(l, &l->panels[i]);
        y += PANEL + GAP;
    }
    l->height = y - GAP + BOTTOM;
    l->across =
        sn_axis_make(plot->across.values[0], plot->across.values[plot->row_count - 1], 9, false);
    l->across.from = LEFT;
    l->across.length = l->right - LEFT;
}

static sn_result check(const sn_picture_plot *plot) {
    if (plot->row_count == 0 || plot->column_count == 0)
        return sn_fail(SN_ERROR_VALUE, "a plot of %zu columns with %zu rows has nothing to show",
                       plot->column_count, plot->row_count);
    for (size_t i = 0; i < plot->column_count; i++) {
        const sn_picture_column *c = &plot->columns[i];
        if (!c->name || !c->unit || !c->values)
            return sn_fail(SN_ERROR_NULL, "column %zu of a plot: name, unit or values are null", i);
    }
    const sn_picture_column *across = &plot->across;
    if (!across->name || !across->unit || !across->values)
        return sn_fail(SN_ERROR_NULL, "the axis of a plot: name, unit or values are null");
    for (size_t i = 0; i < plot->row_count; i++) {
        double before = i > 0 ? across->values[i - 1] : -INFINITY;
        if (!isfinite(across->values[i]) || across->values[i] < before)
            return sn_fail(SN_ERROR_VALUE,
                           "row %zu: %s is %g, expected a number that is not below "
                           "the one before it",
                           i, across->name, across->values[i]);
    }
    return SN_OK;
}

sn_result sn_picture_plot_write(const char *path, const sn_picture_plot *plot) {
    if (!path || !plot || (plot->column_count > 0 && !plot->columns))
        return sn_fail(SN_ERROR_NULL,
                       "sn_picture_plot_write: path, plot and columns must not be null");
    SN_TRY(check(plot));
    layout l = {.plot = plot};
    l.columns = malloc(plot->column_count * sizeof *l.columns);
    l.panels = calloc(plot->column_count, sizeof *l.panels);
    line_end *ends = malloc(plot->column_count * sizeof *ends);
    double *sums = malloc(plot->row_count * sizeof *sums);
    sn_io_file file;
    sn_result result = SN_OK;
    if (!l.columns || !l.panels || !ends || !sums)
        result = sn_fail(SN_ERROR_MEMORY, "there is no memory to write \"%s\"", path);
    if (result == SN_OK) result = sn_io_file_open(&file, path);
    if (result == SN_OK) {
        make_panels(&l);
        place_panels(&l, sums);
        write_all(file.stream, &l, ends);
        result = sn_io_file_close(&file);
    }
    free(l.columns);
    free(l.panels);
    free(ends);
    free(sums);
    return result;
}
