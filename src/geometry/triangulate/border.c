/* The border: corners of outlines, and vertices at equal distances along the sides between them. */
#include "geometry/triangulate/outline.h"

#include "base/error.h"
#include "math/angle.h"

static double distance(const double a[2], const double b[2]) {
    double x = b[0] - a[0], y = b[1] - a[1];
    return __builtin_sqrt(x * x + y * y);
}

/* Whether a loop turns by more than the corner angle at a point. Points at the same place count as
   the last of them. */
static bool is_corner(const sn_loop *loop, size_t i, double angle) {
    const double *x = loop->points[i], *after = loop->points[(i + 1) % loop->count];
    if (distance(x, after) == 0) return false;
    size_t k = i;
    do k = (k + loop->count - 1) % loop->count;
    while (k != i && distance(loop->points[k], x) == 0);
    double ux = x[0] - loop->points[k][0], uy = x[1] - loop->points[k][1];
    double vx = after[0] - x[0], vy = after[1] - x[1], cross = ux * vy - uy * vx;
    return sn_angle(ux * vx + uy * vy, cross < 0 ? -cross : cross) > angle;
}

/* From point i along the loop to the next corner, or once around; returns where that is, counted
   on beyond the last point. */
static size_t end_of_side(const sn_loop *loop, size_t i, double angle, double *length) {
    size_t k = i;
    *length = 0;
    do {
        *length += distance(loop->points[k % loop->count], loop->points[(k + 1) % loop->count]);
        k++;
    } while (k < i + loop->count && !is_corner(loop, k % loop->count, angle));
    return k;
}

static bool add_vertex(sn_border *border, sn_memory *memory, uint32_t loop, double x, double y,
                       bool corner) {
    if (border->count == border->capacity) {
        const sn_column columns[] = {{(void **)&border->x, sizeof *border->x},
                                     {(void **)&border->loop, sizeof *border->loop},
                                     {(void **)&border->side, sizeof *border->side},
                                     {(void **)&border->corner, sizeof *border->corner}};
        size_t capacity =
            sn_columns_grow(memory, columns, 4, 0, border->capacity, border->count + 1);
        if (capacity == 0) return false;
        border->capacity = capacity;
    }
    size_t i = border->count++;
    border->x[i][0] = x;
    border->x[i][1] = y;
    border->loop[i] = loop;
    border->side[i] = (uint32_t)border->sides;
    border->corner[i] = corner;
    return true;
}

/* `parts` vertices from point i on, without the end of the side. */
static bool add_side(sn_border *border, sn_memory *memory, const sn_loop *loop, uint32_t number,
                     size_t i, double length, size_t parts, bool corner) {
    double passed = 0;
    if (!add_vertex(border, memory, number, loop->points[i][0], loop->points[i][1], corner))
        return false;
    size_t k = i;
    for (size_t part = 1; part < parts; part++) {
        double wanted = length * (double)part / (double)parts;
        const double *a = loop->points[k % loop->count];
        const double *b = loop->points[(k + 1) % loop->count];
        double step = distance(a, b);
        while (passed + step < wanted && k < i + loop->count) {
            passed += step;
            k++;
            a = b;
            b = loop->points[(k + 1) % loop->count];
            step = distance(a, b);
        }
        double share = step > 0 ? (wanted - passed) / step : 0;
        if (share > 1) share = 1;
        if (!add_vertex(border, memory, number, a[0] + share * (b[0] - a[0]),
                        a[1] + share * (b[1] - a[1]), false))
            return false;
    }
    return true;
}

/* All points of a loop, as one side. */
static bool add_points(sn_border *border, sn_memory *memory, const sn_loop *loop, uint32_t number) {
    for (size_t i = 0; i < loop->count; i++)
        if (!add_vertex(border, memory, number, loop->points[i][0], loop->points[i][1], false))
            return false;
    border->sides++;
    return true;
}

/* A loop has three edges at least, even if it is small. */
static bool add_loop(sn_border *border, sn_memory *memory, const sn_outlines *outlines,
                     uint32_t number) {
    const sn_loop *loop = &outlines->loops[number];
    double angle = outlines->corner_angle;
    if (outlines->sampled) return add_points(border, memory, loop, number);
    size_t first = 0, sides = 0;
    for (size_t i = loop->count; i-- > 0;)
        if (is_corner(loop, i, angle)) first = i, sides++;
    size_t least = sides >= 3 ? 1 : sides == 2 ? 2 : 3;
    for (size_t i = first; i < first + loop->count;) {
        double length;
        size_t end = end_of_side(loop, i % loop->count, angle, &length) - i % loop->count + i;
        double parts = length / outlines->edge + 0.5;
        size_t count = parts > (double)least ? (size_t)parts : least;
        if (!add_side(border, memory, loop, number, i % loop->count, length, count, sides > 0))
            return false;
        border->sides++;
        i = end;
    }
    return true;
}

sn_result sn_border_create(sn_border *border, const sn_outlines *outlines, sn_memory *memory) {
    *border = (sn_border){0};
    for (uint32_t i = 0; i < outlines->count; i++)
        if (!add_loop(border, memory, outlines, i)) {
            sn_border_free(border, memory);
            return SN_ERROR_MEMORY;
        }
    return SN_OK;
}

void sn_border_free(sn_border *border, sn_memory *memory) {
    const sn_column columns[] = {{(void **)&border->x, sizeof *border->x},
                                 {(void **)&border->loop, sizeof *border->loop},
                                 {(void **)&border->side, sizeof *border->side},
                                 {(void **)&border->corner, sizeof *border->corner}};
    if (border->capacity > 0) sn_columns_free(memory, columns, 4, 0, border->capacity);
    *border = (sn_border){0};
}
