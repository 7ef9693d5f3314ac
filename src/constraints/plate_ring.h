/*
 * The ring of triangles around a vertex, laid flat, and the rows in which a thin plate bends there
 * (plate_bending.c has the formulas): b of every neighbour, P of the ring, and the rows from the
 * inverse of P as far as the ring sees it.
 */
#ifndef SN_CONSTRAINTS_PLATE_RING_H
#define SN_CONSTRAINTS_PLATE_RING_H

#include "base/error.h"
#include "math/angle.h"
#include "math/principal.h"

#include <stddef.h>

/* A symmetric matrix of two rows as a vector of the same length: the trace, the difference of the
   diagonal and the sum of the rest, over the root of 2. */
#define ROOT_HALF 0.70710678118654752
#define PI 3.14159265358979324

static void symmetric(double xx, double yy, double xy, double out[3]) {
    out[0] = (xx + yy) * ROOT_HALF;
    out[1] = (xx - yy) * ROOT_HALF;
    out[2] = 2 * xy * ROOT_HALF;
}

static double sn_plate_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

typedef struct sn_plate_neighbour {
    double at[3];       /* m, from the vertex */
    double square, dot; /* m^2: its own length, and its product with the next one */
    double area, angle; /* of the triangle with the next one; 0 where there is none */
    double x, y;        /* where it is when the ring is laid flat */
    double b[3];        /* b(x) is the sum of these times x_k - x_0 */
} sn_plate_neighbour;

typedef struct sn_plate_ring {
    sn_plate_neighbour *of;
    size_t count;
    bool open;
    double area; /* a third of that of the triangles */
    double border[3];
} sn_plate_ring;

static size_t next_of(const sn_plate_ring *r, size_t k) {
    return k + 1 < r->count ? k + 1 : 0;
}

static void cross3(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Lengths, areas and angles, and the direction of the border as seen along the normal, from that
   to the first neighbour. */
static sn_result measure_triangles(sn_plate_ring *r, const sn_vec3 *x, const sn_real *border) {
    double normal[3] = {0}, n[3], t[3];
    for (size_t k = 0; k < r->count; k++) {
        sn_plate_neighbour *a = &r->of[k];
        *a = (sn_plate_neighbour){
            .at = {(double)x[1 + k].x, (double)x[1 + k].y, (double)x[1 + k].z}};
        a->square = sn_plate_dot(a->at, a->at);
    }
    for (size_t k = 0; k + r->open < r->count; k++) {
        sn_plate_neighbour *a = &r->of[k], *b = &r->of[next_of(r, k)];
        cross3(a->at, b->at, n);
        double twice = __builtin_sqrt(sn_plate_dot(n, n));
        if (!(twice > 1e-6 * a->square))
            return sn_fail(SN_ERROR_DEGENERATE,
                           "plate_bending: triangle (node 0, node %zu, node %zu) has no area, "
                           "expected proper triangles around node 0",
                           k + 1, next_of(r, k) + 1);
        a->dot = sn_plate_dot(a->at, b->at);
        a->area = twice / 2;
        a->angle = sn_angle(a->dot, twice);
        r->area += twice / 6;
        for (int i = 0; i < 3; i++) normal[i] += n[i];
    }
    const double b[3] = {(double)border[0], (double)border[1], (double)border[2]};
    cross3(normal, r->of[0].at, t);
    double along = sn_plate_dot(b, r->of[0].at), across = sn_plate_dot(b, t),
           size = sn_plate_dot(normal, normal);
    across = size > 0 ? across / __builtin_sqrt(size) : 0;
    double square = along * along + across * across;
    if (square > 0)
        symmetric(along * along / square, across * across / square, along * across / square,
                  r->border);
    return SN_OK;
}

/* Lays the ring flat; angles of a closed one are made to add up to a whole turn. */
static void lay_flat(sn_plate_ring *r) {
    double sum = 0, angle = 0, sine, cosine;
    for (size_t k = 0; k < r->count; k++) sum += r->of[k].angle;
    double turn = r->open ? 1 : 2 * PI / sum;
    for (size_t k = 0; k < r->count; k++) {
        sn_plate_neighbour *a = &r->of[k];
        double length = __builtin_sqrt(a->square);
        sn_sine_cosine(angle, &sine, &cosine);
        a->x = length * cosine;
        a->y = length * sine;
        angle += turn * a->angle;
        while (angle > PI) angle -= 2 * PI;
    }
}

/* Adds what the slope in the triangle of the neighbours k and q has to do with the edge to k. */
static void add_side(sn_plate_neighbour *k, sn_plate_neighbour *q,
                     const sn_plate_neighbour *first) {
    double nn[3];
    symmetric(k->y * k->y, k->x * k->x, -k->x * k->y, nn);
    for (int i = 0; i < 3; i++) {
        double part = nn[i] / (4 * first->area);
        q->b[i] += part;
        k->b[i] -= part * first->dot / k->square;
    }
}

/* b, and P row by row. */
static void find_curvature(sn_plate_ring *r, double p[3][3]) {
    for (size_t k = r->open; k + r->open < r->count; k++) {
        sn_plate_neighbour *own = &r->of[k], *before = &r->of[k > 0 ? k - 1 : r->count - 1];
        add_side(own, &r->of[next_of(r, k)], own);
        add_side(own, before, before);
    }
    for (size_t k = 0; k < r->count; k++) {
        double quadric[3], x = r->of[k].x, y = r->of[k].y;
        symmetric(x * x / 2, y * y / 2, x * y / 2, quadric);
        for (int i = 0; i < 9; i++) p[i / 3][i % 3] += r->of[k].b[i / 3] * quadric[i % 3] / r->area;
    }
}

/* ---- Its rows ---- */

/* Where the six numbers of a symmetric matrix are in it. */
static const int sn_plate_at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};

/* The least that a ring sees of a curvature, over what there is, for it to count. */
#define LEAST_SEEN 0.25

/* Of a vertex on the border: one row, along the border. */
static void find_border_row(const sn_plate_ring *r, const double p[3][3], double row[3][3]) {
    const sn_plate_neighbour *a = &r->of[0], *b = &r->of[r->count - 1];
    double la = __builtin_sqrt(a->square), lb = __builtin_sqrt(b->square), tt[3], seen = 0;
    double x = b->x / lb - a->x / la, y = b->y / lb - a->y / la, l2 = x * x + y * y;
    symmetric(x * x / l2, y * y / l2, x * y / l2, tt);
    for (int i = 0; i < 9; i++) seen += tt[i / 3] * p[i / 3][i % 3] * tt[i % 3];
    if (!(seen > LEAST_SEEN)) seen = LEAST_SEEN;
    for (int i = 0; i < 3; i++) row[0][i] = tt[i] / (r->area * __builtin_sqrt(seen));
}

/* The inverse of P as far as the ring sees it. */
static void invert(const double p[3][3], double inverse[3][3]) {
    double square[6], value[3], axes[3][3];
    for (int i = 0; i < 6; i++)
        square[i] = sn_plate_dot(p[sn_plate_at[i][0]], p[sn_plate_at[i][1]]);
    sn_eigen(square, value, axes);
    for (int v = 0; v < 3; v++) {
        if (!(value[v] > LEAST_SEEN * LEAST_SEEN)) continue;
        for (int i = 0; i < 3; i++) {
            double back = p[0][i] * axes[0][v] + p[1][i] * axes[1][v] + p[2][i] * axes[2][v];
            for (int k = 0; k < 3; k++) inverse[i][k] += back * axes[k][v] / value[v];
        }
    }
}

static void multiply(const double a[3][3], const double b[3][3], double out[3][3]) {
    for (int i = 0; i < 9; i++) {
        double column[3] = {b[0][i % 3], b[1][i % 3], b[2][i % 3]};
        out[i / 3][i % 3] = sn_plate_dot(a[i / 3], column);
    }
}

/* All curvatures that the ring sees, but that along the border. */
static void leave_border(const double border[3], double seen[3][3]) {
    double t[3];
    for (int i = 0; i < 3; i++) t[i] = sn_plate_dot(seen[i], border);
    double square = sn_plate_dot(t, t);
    for (int i = 0; i < 9 && square > 0; i++) seen[i / 3][i % 3] -= t[i / 3] * t[i % 3] / square;
}

/* From the symmetric part of P^-1, and P^-T F P^-1 for what the border gives, F, over the area. */
static void find_rows(const sn_plate_ring *r, const double p[3][3], double given,
                      double row[3][3]) {
    double inverse[3][3] = {{0}}, seen[3][3], whole[3][3], value[3], axes[3][3], even[6];
    invert(p, inverse);
    multiply((const double(*)[3])inverse, p, seen);
    leave_border(r->border, seen);
    multiply((const double(*)[3])seen, (const double(*)[3])inverse, whole);
    for (int i = 0; i < 6; i++) {
        int j = sn_plate_at[i][0], k = sn_plate_at[i][1];
        even[i] = (inverse[j][k] + inverse[k][j]) / 2;
        for (int n = 0; n < 3; n++) even[i] += given * whole[n][j] * whole[n][k];
    }
    sn_eigen(even, value, axes);
    for (int v = 0; v < 3; v++) {
        double size = value[v] > 0 ? __builtin_sqrt(value[v]) / r->area : 0;
        for (int k = 0; k < 3; k++) row[v][k] = size * axes[k][v];
    }
}

/* Measures the ring from the places of its nodes, the vertex first, and lays it flat. The border is
   as that of the definition. */
static sn_result sn_plate_ring_measure(sn_plate_ring *r, const sn_vec3 *x, const sn_real *border) {
    SN_TRY(measure_triangles(r, x, border));
    lay_flat(r);
    return SN_OK;
}

/* The rows, as factors of b; `given` is what neighbours on the border give to its area. */
static void sn_plate_ring_rows(sn_plate_ring *r, double given, double row[3][3]) {
    double p[3][3] = {{0}};
    find_curvature(r, p);
    if (r->open)
        find_border_row(r, (const double(*)[3])p, row);
    else
        find_rows(r, (const double(*)[3])p, given, row);
}

#endif
