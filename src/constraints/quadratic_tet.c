/*
 * A tetrahedron with ten nodes: quadratic displacements, and the stable Neo-Hookean material
 * of Macklin and Mueller 2021 (neo_hookean_tet.c).
 *
 * With barycentric coordinates L_i and their gradients b_i (tet.h), the corners x_i and the nodes
 * x_ij in the middle of edges,
 *
 *   x(L)      = sum_i L_i (2 L_i - 1) x_i + sum_ij 4 L_i L_j x_ij
 *   F         = sum_i h_i b_i^T,   h_i = dx/dL_i = (4 L_i - 1) x_i + sum_j 4 L_j x_ij
 *   dC by x_i  = (4 L_i - 1) P b_i,   by x_ij   4 (L_j P b_i + L_i P b_j),   P = dC/dF
 *
 * The four points of integration have one coordinate a = (5 + 3 sqrt 5) / 20 and three that are
 * (5 - sqrt 5) / 20; the integral of what is quadratic, such as the energy of small strain, is
 * exact with them. The volume counts at the centre alone (selective reduced integration): of eight
 * nodes per corner of a mesh and six tets around each, four volumes per tet would take all freedom
 * that there is, and it would lock as linear tets do where nu is near 1/2.
 *
 *   C = (J - 1 at the centre, sqrt(Q) at the four points)
 *
 * are solved together. Rows that are lengths see their direction only, so each counts as the most
 * that it could weigh at least, as in tet.h: the largest eigenvalue of J W J^T over all that the
 * four F can do, or else they throw each other about. Where F at a point is crushed from all
 * sides, where Q would draw it together, sqrt(2) |F - R| takes the place of sqrt(Q), with the
 * nearest rotation R.
 */
#define SN_TYPE quadratic_tet
#define SN_NODES 10
#define SN_POINTS 10
#define SN_MOVED 10
#define SN_FRAMES 0
#define SN_TURNED 0
#define SN_ROWS 5
#define SN_OWN 12 /* b_1 to b_3, and those below */
#define SN_STRUCTURED
#define SN_COLD
#include "constraints/block.h"
#include "constraints/neo_hookean.h"
#include "constraints/tet_rest.h"
#include "math/rotation.h"

/* The most that a length can weigh, W_xx + W_yy + W_zz at the centre, and tr F^T F below which a
   point is crushed. */
enum { OWN_MOST = 9, OWN_CENTRE, OWN_WHOLE };

enum { POINTS = 4, CENTRE = 4 };

/* L at a point, for the corner it is near or the centre, and the others. */
#define NEAR 0.58541019662496845446
#define AWAY 0.13819660112501051518
SN_INLINE double coordinate(int point, int corner) {
    return point == CENTRE ? 0.25 : point == corner ? NEAR : AWAY;
}

/* Which node is in the middle between two corners. */
static const int middle[4][4] = {{-1, 4, 5, 6}, {4, -1, 7, 8}, {5, 7, -1, 9}, {6, 8, 9, -1}};

SN_INLINE sn_lane row_of(const sn_real *own, int row) {
    return sn_lane_load(own + SN_BLOCK * row);
}

/* How far the middles are from straight edges. With these, m_ij, h_i is x_i + sum_j 4 L_j m_ij but
   for what all h_i have in common: less rounding. */
SN_INLINE void find_bows(const sn_lane3 *x, sn_lane3 bow[SN_POINTS]) {
    sn_lane half = sn_lane_all(SN_R(0.5));
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            bow[middle[i][j]] =
                sn_lane3_sub(x[middle[i][j]], sn_lane3_scale(half, sn_lane3_add(x[i], x[j])));
}

/* F at a point, by columns. */
SN_INLINE void deform(const sn_lane3 *x, const sn_lane3 *bow, const sn_real *own, const int point,
                      sn_lane3 f[3]) {
    sn_lane3 h[4];
    for (int i = 0; i < 4; i++) {
        h[i] = x[i];
        for (int j = 0; j < 4; j++)
            if (i != j)
                h[i] = sn_lane3_add(h[i],
                                    sn_lane3_scale(sn_lane_all((sn_real)(4 * coordinate(point, j))),
                                                   bow[middle[i][j]]));
    }
    for (int i = 1; i < 4; i++) h[i] = sn_lane3_sub(h[i], h[0]);
    for (int j = 0; j < 3; j++)
        f[j] = sn_lane3_add(sn_lane3_add(sn_lane3_scale(row_of(own, j), h[1]),
                                         sn_lane3_scale(row_of(own, 3 + j), h[2])),
                            sn_lane3_scale(row_of(own, 6 + j), h[3]));
}

/* The gradients by all nodes from the columns of P. */
SN_INLINE void pull_nodes(const sn_lane3 p[3], const sn_real *own, const int point, sn_lane3 *g) {
    sn_lane3 u[4];
    for (int i = 1; i < 4; i++)
        u[i] = sn_lane3_add(sn_lane3_add(sn_lane3_scale(row_of(own, 3 * i - 3), p[0]),
                                         sn_lane3_scale(row_of(own, 3 * i - 2), p[1])),
                            sn_lane3_scale(row_of(own, 3 * i - 1), p[2]));
    u[0] = sn_lane3_minus(sn_lane3_add(sn_lane3_add(u[1], u[2]), u[3]));
    for (int i = 0; i < 4; i++) {
        double along = 4 * coordinate(point, i) - 1;
        g[i] = sn_lane3_scale(sn_lane_all((sn_real)along), u[i]);
        for (int j = i + 1; j < 4; j++) {
            sn_lane by_i = sn_lane_all((sn_real)(4 * coordinate(point, j)));
            sn_lane by_j = sn_lane_all((sn_real)(4 * coordinate(point, i)));
            g[middle[i][j]] = sn_lane3_add(sn_lane3_scale(by_i, u[i]), sn_lane3_scale(by_j, u[j]));
        }
    }
}

/* What a point wants that is crushed. */
static SN_NOINLINE void open_up(const sn_lane3 f[3], sn_lane crushed, sn_lane *value,
                                sn_lane3 p[3]) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), square = zero;
    sn_lane root = sn_lane_sqrt(sn_lane_all(2));
    sn_lane3 r[3], e[3];
    sn_lane4_axes(sn_rotation_of(f, (sn_lane4){{zero, zero, zero}, one}), r);
    for (int j = 0; j < 3; j++) {
        e[j] = sn_lane3_sub(f[j], r[j]);
        square += sn_lane3_dot(e[j], e[j]);
    }
    sn_lane length = sn_lane_sqrt(square);
    sn_lane part = root / sn_lane_max(length, sn_lane_all(LEAST_STRAIN));
    *value = sn_lane_if_less(zero, crushed, root * length, *value);
    for (int j = 0; j < 3; j++)
        p[j] = sn_lane3_if_less(zero, crushed, sn_lane3_scale(part, e[j]), p[j]);
}

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *frame, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[1]) {
    (void)frame, (void)t;
    sn_lane3 f[3], p[3], bow[SN_POINTS];
    find_bows(x, bow);
    deform(x, bow, own, CENTRE, f);
    cofactors(f, p);
    value[0] = sn_lane3_dot(f[0], p[0]) - 1;
    pull_nodes(p, own, CENTRE, g[0]);
    for (int point = 0; point < POINTS; point++) {
        deform(x, bow, own, point, f);
        strain s = measure(f);
        sn_lane root = sn_lane_sqrt(s.q), crushed = row_of(own, OWN_WHOLE) - s.trace;
        sn_lane part = 1 / sn_lane_max(root, sn_lane_all(LEAST_STRAIN));
        for (int i = 0; i < 3; i++)
            p[i] = sn_lane3_scale(part, sn_lane3_sub(f[i], sn_lane3_scale(1 - s.j, s.k[i])));
        if (sn_lane_any_less(sn_lane_all(0), crushed)) open_up(f, crushed, &root, p);
        value[1 + point] = root;
        pull_nodes(p, own, point, g[1 + point]);
    }
}

/* The first row weighs this part of W_xx + W_yy + W_zz at least: where a tetrahedron collapses its
   gradient does, and a full step would throw it away. */
#define LEAST_WEIGHT SN_R(1e-3)
/* The square of the size of dC/dF of a length: 2 at rest, and as it is there. */
#define SIZE2 2

SN_INLINE void add_masses(const block *k, size_t lane, const state *s,
                          sn_lane a[SN_ROWS][SN_ROWS]) {
    const sn_real *own = k->own[0] + lane;
    for (int n = 0; n < SN_MOVED; n++) {
        sn_lane w = sn_lane_load(k->w[n] + lane);
        for (int i = 0; i < SN_ROWS; i++)
            for (int j = i; j < SN_ROWS; j++) a[i][j] += w * sn_lane3_dot(s->g[i][n], s->g[j][n]);
    }
    a[0][0] += LEAST_WEIGHT * row_of(own, OWN_CENTRE);
    for (int i = 1; i < SN_ROWS; i++) {
        sn_lane least = SIZE2 * row_of(own, OWN_MOST) - sn_lane_load(k->alpha[i] + lane);
        a[i][i] = sn_lane_max(a[i][i], least);
    }
}

SN_INLINE sn_lane3 pull_on(const block *k, size_t lane, const state *s, int n,
                           const sn_lane step[SN_ROWS]) {
    (void)k, (void)lane;
    sn_lane3 sum = sn_lane3_scale(step[0], s->g[0][n]);
    for (int r = 1; r < SN_ROWS; r++) sum = sn_lane3_add(sum, sn_lane3_scale(step[r], s->g[r][n]));
    return sum;
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { YOUNG = TET_PARAMETERS, POISSON };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    if (parameter[YOUNG] == 0)
        return sn_fail(SN_ERROR_VALUE, "quadratic_tet: young is 0, expected above 0 Pa");
    return measure_edges("quadratic_tet", from->x, parameter);
}

static double compliance(const sn_real *parameter, int row) {
    double young = (double)parameter[YOUNG], nu = (double)parameter[POISSON];
    if (parameter[YOUNG] == SN_AUTO) return soften(parameter, __builtin_inf());
    double mu = young / (2 * (1 + nu)), lambda = young * nu / ((1 + nu) * (1 - 2 * nu));
    return soften(parameter, row == 0 ? lambda : mu / POINTS);
}

/* dN/dX of the ten nodes at a point. */
static void shape_gradients(const double b[4][3], int point, double out[SN_NODES][3]) {
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 4; i++) {
            double l = coordinate(point, i);
            out[i][c] = (4 * l - 1) * b[i][c];
            for (int j = i + 1; j < 4; j++)
                out[middle[i][j]][c] = 4 * (coordinate(point, j) * b[i][c] + l * b[j][c]);
        }
}

/* Not less than the largest eigenvalue of a symmetric matrix that has none below 0, and at most
   1.17 times it: by the sum of their sixteenth powers. */
static double largest(double m[12][12]) {
    double next[12][12], square = 0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 12; i++)
            for (int j = 0; j < 12; j++) {
                next[i][j] = 0;
                for (int k = 0; k < 12; k++) next[i][j] += m[i][k] * m[k][j];
            }
        for (int i = 0; i < 144; i++) m[i / 12][i % 12] = next[i / 12][i % 12];
    }
    for (int i = 0; i < 144; i++) square += m[i / 12][i % 12] * m[i / 12][i % 12];
    return __builtin_sqrt(__builtin_sqrt(__builtin_sqrt(__builtin_sqrt(square))));
}

/* The largest of J W J^T of what four F are made of. */
static double most_weight(const sn_derivation *from, const double b[4][3]) {
    double n[POINTS][SN_NODES][3], m[12][12], scale = 0;
    for (int p = 0; p < POINTS; p++) shape_gradients(b, p, n[p]);
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            m[i][j] = 0;
            for (int k = 0; k < SN_NODES; k++)
                m[i][j] += (double)from->w[k] * n[i / 3][k][i % 3] * n[j / 3][k][j % 3];
            if (i == j) scale += m[i][j];
        }
    if (!(scale > 0)) return 0;
    /* So that no power of it is beyond what a number can be. */
    for (int i = 0; i < 144; i++) m[i / 12][i % 12] /= scale;
    return scale * largest(m);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real own[SN_OWN];
    double b[4][3], own_b[9], centre[SN_NODES][3], sum = 0;
    invert_shape(from->parameter, own_b);
    for (int i = 0; i < 9; i++) b[1 + i / 3][i % 3] = own_b[i];
    for (int c = 0; c < 3; c++) b[0][c] = -(b[1][c] + b[2][c] + b[3][c]);
    shape_gradients((const double(*)[3])b, CENTRE, centre);
    for (int k = 0; k < SN_NODES; k++)
        for (int c = 0; c < 3; c++) sum += (double)from->w[k] * centre[k][c] * centre[k][c];
    for (int i = 0; i < 9; i++) own[i] = (sn_real)own_b[i];
    own[OWN_MOST] = (sn_real)most_weight(from, (const double(*)[3])b);
    own[OWN_CENTRE] = (sn_real)sum;
    own[OWN_WHOLE] = least_trace((double)from->parameter[POISSON]);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(quadratic_tet, SN_QUADRATIC_TET_FIELDS,
               "a tetrahedron with ten nodes of the stable Neo-Hookean material", .compliant = true,
               .damping_time = TET_DAMPING_TIME, .compliance = compliance)

#endif
