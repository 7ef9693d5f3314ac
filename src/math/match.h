/*
 * Shape matching of one region (Mueller et al. 2005, "Meshless Deformations Based on Shape
 * Matching"): what follows from sums over its nodes. In double, because sums over thousands of
 * nodes cancel where the shape is nearly right.
 *
 * With X the places at rest, x those now, m the masses and c0, c the centres, a shape is matched by
 * goals g = c + T q, where q holds the terms of X - c0 = (u, v, w): these three, and for quadratic
 * deformation also u^2, v^2, w^2, uv, vw, wu less their means, so that all terms have the mean zero
 * and c is the best centre for every T. With A = sum m x q^T and M = sum m q q^T,
 *
 *     rigid       T = R S_p, R the rotation nearest to A S_p^T, S_p the plastic deformation
 *     linear      the best matrix A M^-1, scaled to keep the volume
 *     quadratic   A M^-1, three rows of nine
 *
 * The last two are blended with the first by beta. What is minimised is
 *
 *     C^2 = (1 - beta) sum m |x - g_rigid|^2 + beta sum m |x - g_deformed|^2 ,
 *
 * not sum m |x - g|^2 of blended goals g. Because R and A M^-1 are the best of their kind, the
 * derivatives of C by way of them are zero, and grad_i C = m_i (x_i - g_i) / C with the blended
 * goals: matching is then an ordinary constraint. Only the scale of the volume is not the best of a
 * kind; its derivative is one more matrix, which is made part of T here, so that the formula for
 * the gradient stays.
 *
 * Matrices are columns, one after the other.
 */
#ifndef SN_MATH_MATCH_H
#define SN_MATH_MATCH_H

#include <stdbool.h>
#include <stddef.h>

enum { SN_MATCH_LINEAR_TERMS = 3, SN_MATCH_TERMS = 9 };

typedef enum sn_match_mode { SN_MATCH_RIGID, SN_MATCH_LINEAR, SN_MATCH_QUADRATIC } sn_match_mode;

/* A shape at rest. */
typedef struct sn_match_shape {
    sn_match_mode mode;
    double beta;
    double mass;
    double centre[3];
    double plastic[9];                              /* S_p */
    double mean[SN_MATCH_TERMS];                    /* of the terms, zero for the first three */
    double moment[SN_MATCH_TERMS * SN_MATCH_TERMS]; /* M; rows and columns that are used */
    double inverse[SN_MATCH_TERMS * SN_MATCH_TERMS];
    double linear_inverse[9]; /* of the part of M of the first three terms */
    int rank;                 /* of that part: 3 for a body, 2 for a sheet, 1 for a line */
} sn_match_shape;

/* Where a shape is to go: g = centre + sum of column[k] (q[k] - mean[k]). */
typedef struct sn_match_map {
    double column[SN_MATCH_TERMS * 3];
    /* C^2 = max(0, E - less) + more, with E = sum m |x - g|^2. */
    double less, more;
} sn_match_map;

/* How many terms a mode has. */
static inline int sn_match_terms(sn_match_mode mode) {
    return mode == SN_MATCH_QUADRATIC ? SN_MATCH_TERMS : SN_MATCH_LINEAR_TERMS;
}

/* The terms of a place relative to the centre, without their means. */
static inline void sn_match_terms_at(const double p[3], int terms, double q[SN_MATCH_TERMS]) {
    for (int k = 0; k < 3; k++) q[k] = p[k];
    if (terms == SN_MATCH_LINEAR_TERMS) return;
    for (int k = 0; k < 3; k++) q[3 + k] = p[k] * p[k];
    q[6] = p[0] * p[1];
    q[7] = p[1] * p[2];
    q[8] = p[2] * p[0];
}

/* The rotation nearest to a matrix, from that of the last time, as sn_rotation_of. */
void sn_match_rotation(const double a[9], double q[4]);

/*
 * A shape from its nodes: begin, add each once for the centre, centre, add each once for the
 * moments, end. Mode, beta and plastic are set by the caller. Directions in which the shape has no
 * extent are left out of the inverses; `rank` tells.
 */
void sn_match_shape_begin(sn_match_shape *shape);
void sn_match_add_centre(sn_match_shape *shape, double weight, const double x[3]);
void sn_match_centre(sn_match_shape *shape);
void sn_match_add_moments(sn_match_shape *shape, double weight, const double x[3]);
void sn_match_end(sn_match_shape *shape);

/* The columns of A M^-1, as many as there are terms. */
void sn_match_fit(const sn_match_shape *shape, const double *a, double *columns);

/* The map for A, with the rotation from the last one. */
void sn_match_find(const sn_match_shape *shape, const double *a, double q[4], sn_match_map *map);

/*
 * Plastic flow (survey of 2017, section 5.11.5): where the stretch S = R^T A M^-1 is off by more
 * than `yield` from none,
 *
 *     S_p  becomes  (1 + creep (S - 1)) S_p
 *
 * with the volume kept, and at most `limit` off from none itself; |.| of a matrix is the root of
 * the sum of its squares. Whether it changed.
 */
bool sn_match_flow(sn_match_shape *shape, const double *a, double q[4], double yield, double creep,
                   double limit);

#endif
