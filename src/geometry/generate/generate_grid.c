/*
 * A rectangle in the xz plane. Seen from above x goes to the right and z towards the reader, so a
 * cell a b (back) c d (front) faces up as a c d b.
 */
#include "geometry/generate/mesh_maker.h"

enum { LEFT = 1, RIGHT = 2, BACK = 4, FRONT = 8, BORDER = 16, CORNERS = 32, CORNER_0 = 64 };

static const char *const names[] = {"left",    "right",    "back",     "front",    "border",
                                    "corners", "corner_0", "corner_1", "corner_2", "corner_3"};

sn_grid_def sn_grid_def_default(void) {
    return (sn_grid_def){
        .size = sizeof(sn_grid_def), .width = 1, .depth = 1, .columns = 20, .rows = 20};
}

static uint32_t mark_of(bool left, bool right, bool back, bool front) {
    uint32_t mark = (left ? LEFT : 0) | (right ? RIGHT : 0) | (back ? BACK : 0) |
                    (front ? FRONT : 0) | (left || right || back || front ? BORDER : 0);
    if ((left || right) && (back || front)) {
        int corner = back ? (left ? 0 : 1) : (right ? 2 : 3);
        mark |= CORNERS | (uint32_t)CORNER_0 << corner;
    }
    return mark;
}

/* Whether a row is one of those that are shifted by half a cell. */
static bool is_shifted(const sn_grid_def *def, uint32_t row) {
    return def->pattern == SN_GRID_EQUILATERAL && row % 2 == 1;
}

static void put_row(sn_maker *maker, const sn_grid_def *def, uint32_t row) {
    uint32_t last = def->columns + is_shifted(def, row);
    for (uint32_t i = 0; i <= last; i++) {
        double at = i == 0 ? 0 : i == last ? def->columns : i - 0.5 * is_shifted(def, row);
        sn_point x = {(double)def->width * (at / def->columns - 0.5), 0,
                      (double)def->depth * ((double)row / def->rows - 0.5)};
        sn_maker_vertex(maker, x, mark_of(i == 0, i == last, row == 0, row == def->rows));
    }
}

/* Between a row and the next; of rows that are shifted every other one, the first begins at `a`
   and the second at `b`. */
static void fill_shifted(sn_maker *maker, const sn_grid_def *def, uint32_t row, uint32_t a,
                         uint32_t b) {
    uint32_t n = def->columns;
    for (uint32_t i = 0; i <= n; i++) {
        if (row % 2 == 0) {
            sn_maker_triangle(maker, a + i, b + i, b + i + 1);
            if (i < n) sn_maker_triangle(maker, a + i, b + i + 1, a + i + 1);
        } else {
            sn_maker_triangle(maker, a + i, b + i, a + i + 1);
            if (i < n) sn_maker_triangle(maker, a + i + 1, b + i, b + i + 1);
        }
    }
}

static void fill_row(sn_maker *maker, const sn_grid_def *def, uint32_t row, uint32_t a,
                     uint32_t b) {
    for (uint32_t i = 0; i < def->columns; i++) {
        uint32_t corner[4] = {a + i, b + i, b + i + 1, a + i + 1};
        if (def->pattern != SN_GRID_CROSSED) {
            sn_maker_quad(maker, corner, def->pattern == SN_GRID_ALTERNATING && (row + i) % 2 == 1);
            continue;
        }
        sn_point x = {(double)def->width * ((i + 0.5) / def->columns - 0.5), 0,
                      (double)def->depth * ((row + 0.5) / def->rows - 0.5)};
        uint32_t middle = sn_maker_vertex(maker, x, 0);
        for (int k = 0; k < 4; k++)
            sn_maker_triangle(maker, corner[k], corner[(k + 1) % 4], middle);
    }
}

sn_result sn_generate_grid(sn_mesh *mesh, const sn_grid_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "grid"));
    SN_TRY(sn_maker_expect_length("grid", "width", def->width));
    SN_TRY(sn_maker_expect_length("grid", "depth", def->depth));
    SN_TRY(sn_maker_expect_parts("grid", "columns", def->columns, 1));
    SN_TRY(sn_maker_expect_parts("grid", "rows", def->rows, 1));
    if ((unsigned)def->pattern > SN_GRID_EQUILATERAL)
        return sn_fail(SN_ERROR_VALUE, "grid: pattern is %d, expected one of sn_grid_pattern",
                       (int)def->pattern);
    double columns = def->columns, rows = def->rows;
    sn_maker_room room = {.vertices = (columns + 2) * (rows + 1),
                          .triangles = (2 * columns + 1) * rows};
    if (def->pattern == SN_GRID_CROSSED)
        room = (sn_maker_room){.vertices = (columns + 1) * (rows + 1) + columns * rows,
                               .triangles = 4 * columns * rows};
    sn_maker maker;
    SN_TRY(sn_maker_begin(&maker, mesh, "grid", room));
    for (uint32_t row = 0; row <= def->rows; row++) put_row(&maker, def, row);
    uint32_t first = 0;
    for (uint32_t row = 0; row < def->rows; row++) {
        uint32_t next = first + def->columns + 1 + is_shifted(def, row);
        if (def->pattern == SN_GRID_EQUILATERAL)
            fill_shifted(&maker, def, row, first, next);
        else
            fill_row(&maker, def, row, first, next);
        first = next;
    }
    return sn_maker_end(&maker, names, sizeof names / sizeof *names);
}
