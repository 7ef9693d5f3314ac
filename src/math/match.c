#include "math/match.h"

#include "math/matrix3.h"
#include "math/root.h"

#include <string.h>

enum { TERMS = SN_MATCH_TERMS };

/* ---- Matrices of three columns ---- */

/* The cofactors; the determinant is returned. */
static double cofactors(const double a[9], double out[9]) {
    for (int c = 0; c < 3; c++) {
        const double *b = a + (c + 1) % 3 * 3, *d = a + (c + 2) % 3 * 3;
        out[3 * c] = b[1] * d[2] - b[2] * d[1];
        out[3 * c + 1] = b[2] * d[0] - b[0] * d[2];
        out[3 * c + 2] = b[0] * d[1] - b[1] * d[0];
    }
    return (a[0] * out[0] + a[1] * out[1]) + a[2] * out[2];
}

static void rotation_of(const double q[4], double r[9]) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
                   2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
                   2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
    memcpy(r, m, sizeof m);
}

/* |a - 1|^2 */
static double off_from_one(const double a[9]) {
    double sum = 0;
    for (int k = 0; k < 9; k++) {
        double d = a[k] - (k % 4 == 0);
        sum += d * d;
    }
    return sum;
}

/* ---- The shape at rest ---- */

void sn_match_shape_begin(sn_match_shape *shape) {
    shape->mass = 0;
    memset(shape->centre, 0, sizeof shape->centre);
    memset(shape->mean, 0, sizeof shape->mean);
    memset(shape->moment, 0, sizeof shape->moment);
}

void sn_match_add_centre(sn_match_shape *shape, double weight, const double x[3]) {
    shape->mass += weight;
    for (int k = 0; k < 3; k++) shape->centre[k] += weight * x[k];
}

void sn_match_centre(sn_match_shape *shape) {
    for (int k = 0; k < 3; k++) shape->centre[k] /= shape->mass;
}

void sn_match_add_moments(sn_match_shape *shape, double weight, const double x[3]) {
    int terms = sn_match_terms(shape->mode);
    double p[3], q[TERMS];
    for (int k = 0; k < 3; k++) p[k] = x[k] - shape->centre[k];
    sn_match_terms_at(p, terms, q);
    for (int i = 0; i < terms; i++) {
        shape->mean[i] += weight * q[i];
        for (int k = 0; k <= i; k++) shape->moment[TERMS * i + k] += weight * q[i] * q[k];
    }
}

/*
 * The inverse of the first n rows and columns of m, by elimination on the diagonal. A term that
 * others make up is left out, with zeros in the inverse: the goals are the same without it. The
 * rank is returned.
 */
static int invert(const double m[TERMS * TERMS], int n, double inverse[TERMS * TERMS]) {
    double a[TERMS][2 * TERMS] = {{0}};
    bool used[TERMS] = {false};
    int rank = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) a[i][k] = m[TERMS * i + k];
        a[i][TERMS + i] = 1;
    }
    for (int i = 0; i < n; i++) {
        if (!(a[i][i] > 1e-10 * m[TERMS * i + i])) continue;
        used[i] = true;
        rank++;
        double scale = 1 / a[i][i];
        for (int k = 0; k < 2 * TERMS; k++) a[i][k] *= scale;
        for (int r = 0; r < n; r++) {
            double factor = a[r][i];
            for (int k = 0; r != i && k < 2 * TERMS; k++) a[r][k] -= factor * a[i][k];
        }
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            inverse[TERMS * i + k] = used[i] && used[k] ? a[i][TERMS + k] : 0;
    return rank;
}

void sn_match_end(sn_match_shape *shape) {
    int terms = sn_match_terms(shape->mode);
    double *m = shape->moment, linear[TERMS * TERMS] = {0};
    for (int i = 0; i < terms; i++) shape->mean[i] /= shape->mass;
    for (int i = 0; i < terms; i++)
        for (int k = 0; k <= i; k++) {
            m[TERMS * i + k] -= shape->mass * shape->mean[i] * shape->mean[k];
            m[TERMS * k + i] = m[TERMS * i + k];
        }
    memset(shape->inverse, 0, sizeof shape->inverse);
    invert(m, terms, shape->inverse);
    shape->rank = invert(m, 3, linear);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) shape->linear_inverse[3 * i + k] = linear[TERMS * i + k];
}

/* ---- Maps ---- */

void sn_match_fit(const sn_match_shape *shape, const double *a, double *t) {
    int terms = sn_match_terms(shape->mode);
    for (int c = 0; c < terms; c++)
        for (int r = 0; r < 3; r++) {
            double sum = 0;
            for (int k = 0; k < terms; k++) sum += a[3 * k + r] * shape->inverse[TERMS * c + k];
            t[3 * c + r] = sum;
        }
}

/* sum m |(t - other) q|^2; other has as many columns as it has, the rest is zero. */
static double difference(const sn_match_shape *shape, const double *t, const double *other,
                         int columns) {
    int terms = sn_match_terms(shape->mode);
    double d[TERMS * 3], sum = 0;
    for (int k = 0; k < 3 * terms; k++) d[k] = t[k] - (k < 3 * columns ? other[k] : 0);
    for (int i = 0; i < terms; i++)
        for (int k = 0; k < terms; k++) {
            double dot =
                (d[3 * i] * d[3 * k] + d[3 * i + 1] * d[3 * k + 1]) + d[3 * i + 2] * d[3 * k + 2];
            sum += dot * shape->moment[TERMS * i + k];
        }
    return sum;
}

/*
 * What the volume is scaled with, s = det^(-1/3), and its derivative. A shape that has lost seven
 * eighths of its volume, or is turned inside out, has no volume to keep: there s goes back to 1.
 */
static double volume_scale(double det, double *slope) {
    if (det >= 0.125) {
        double s = 1 / sn_cube_root(det);
        *slope = -s / (3 * det);
        return s;
    }
    *slope = det > 0 ? 8 : 0;
    return det > 0 ? 1 + 8 * det : 1;
}

/*
 * The best matrix t scaled to keep the volume, and `along`, with which sum m |x - s t q|^2 has the
 * gradient 2 m (x - along q): s t - G M^-1, G the derivative of half that sum by t beyond its
 * direct part,
 *
 *     G = s P + s' (P : t) cof t,   P = -(1 - s) t M.
 */
static void keep_volume(const sn_match_shape *shape, const double t[9], double scaled[9],
                        double along[9]) {
    double cofactor[9], back[9], zero[9] = {0}, slope;
    double s = volume_scale(cofactors(t, cofactor), &slope);
    double size = difference(shape, t, zero, 3);
    sn_matrix3_mul(cofactor, shape->linear_inverse, back);
    for (int k = 0; k < 9; k++) {
        scaled[k] = s * t[k];
        along[k] = scaled[k] + (1 - s) * (s * t[k] + slope * size * back[k]);
    }
}

/* R S_p, from the rotation of the last time. */
static void rigid_map(const sn_match_shape *shape, const double *a, double q[4], double out[9]) {
    double turned[9], r[9];
    sn_matrix3_mul_transposed(a, shape->plastic, turned);
    sn_match_rotation(turned, q);
    rotation_of(q, r);
    sn_matrix3_mul(r, shape->plastic, out);
}

void sn_match_find(const sn_match_shape *shape, const double *a, double q[4], sn_match_map *map) {
    double rigid[9], best[TERMS * 3], beta = shape->beta;
    *map = (sn_match_map){.less = 0};
    rigid_map(shape, a, q, rigid);
    memcpy(map->column, rigid, sizeof rigid);
    if (shape->mode == SN_MATCH_RIGID || beta == 0) return;
    sn_match_fit(shape, a, best);
    double off = difference(shape, best, rigid, 3);
    if (shape->mode == SN_MATCH_LINEAR) {
        double scaled[9], along[9];
        keep_volume(shape, best, scaled, along);
        for (int k = 0; k < 9; k++) map->column[k] = (1 - beta) * rigid[k] + beta * along[k];
        map->less = difference(shape, best, map->column, 3);
        map->more = (1 - beta) * off + beta * difference(shape, best, scaled, 3);
    } else {
        for (int k = 0; k < 3 * TERMS; k++)
            map->column[k] = (k < 9 ? (1 - beta) * rigid[k] : 0) + beta * best[k];
        map->less = (1 - beta) * (1 - beta) * off;
        map->more = (1 - beta) * off;
    }
}

/* ---- Plastic flow ---- */

static void scale_to_volume(double s[9]) {
    double cofactor[9], det = cofactors(s, cofactor);
    double scale = det > 0 ? 1 / sn_cube_root(det) : 1;
    for (int k = 0; k < 9; k++) s[k] *= scale;
}

bool sn_match_flow(sn_match_shape *shape, const double *a, double q[4], double yield, double creep,
                   double limit) {
    double turned[9], r[9], t[9], s[9], inverse[9], flow[9], to[9], cofactor[9];
    sn_matrix3_mul_transposed(a, shape->plastic, turned);
    sn_match_rotation(turned, q);
    rotation_of(q, r);
    /* S = R^T A M^-1 S_p^-1: S_p has the determinant 1. */
    sn_matrix3_mul(a, shape->linear_inverse, t);
    cofactors(shape->plastic, cofactor);
    sn_matrix3_mul_transposed(t, cofactor, inverse);
    sn_matrix3_transposed_mul(r, inverse, s);
    double off = off_from_one(s);
    if (!(off > yield * yield) || !(off < 1e6)) return false;
    for (int k = 0; k < 9; k++) flow[k] = creep * (s[k] - (k % 4 == 0)) + (k % 4 == 0);
    sn_matrix3_mul(flow, shape->plastic, to);
    if (!(cofactors(to, cofactor) > 0.01)) return false;
    scale_to_volume(to);
    /* Bringing it to the limit changes the volume a little, and keeping that the limit. */
    for (int i = 0; i < 8 && off_from_one(to) > limit * limit; i++) {
        double scale = limit / __builtin_sqrt(off_from_one(to));
        for (int k = 0; k < 9; k++) to[k] = scale * (to[k] - (k % 4 == 0)) + (k % 4 == 0);
        if (i < 7) scale_to_volume(to);
    }
    bool changed = memcmp(to, shape->plastic, sizeof to) != 0;
    memcpy(shape->plastic, to, sizeof to);
    return changed;
}
