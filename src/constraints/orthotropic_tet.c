/*
 * A tetrahedron of an orthotropic material.
 *
 *   C = (e_x + a e_y + b e_z, e_y + c e_z, e_z, e_yz, e_zx, e_xy),   with e as in tet_green.h
 *
 * Survey of 2017, section 5.8.1: the energy is V / 2 e . K e, with any elasticity tensor K. Of one
 * with three axes the part of e_x, e_y and e_z is a matrix of three by three, the inverse of the
 * compliance matrix, and
 *
 *   K = L D L^T,   L^T = | 1 a b |
 *                        |   1 c |
 *                        |     1 |
 *
 * so that in the rows L^T e it is diagonal: six rows with a stiffness each, as those of
 * elastic_tet, where a = b = nu / (1 - nu) and c = nu.
 */
#define SN_TYPE orthotropic_tet
#define SN_ROWS 6
#define SN_OWN 3 /* a, b and c */
#define SN_SOLVED
#include "constraints/tet.h"
#include "constraints/tet_green.h"

SN_INLINE void strain_rows(const sn_real *own, const sn_lane e[6], sn_lane value[SN_ROWS]) {
    value[0] = e[0] + (own_row(own, 0) * e[1] + own_row(own, 1) * e[2]);
    value[1] = e[1] + own_row(own, 2) * e[2];
    for (int i = 2; i < 6; i++) value[i] = e[i];
}

SN_INLINE void formula(const sn_lane3 f[3], const sn_real *own, sn_lane value[SN_ROWS],
                       sn_lane3 p[SN_ROWS][3]) {
    sn_lane e[6];
    green_strain(f, e);
    strain_rows(own, e, value);
    green_shear_rows(f, p);
    p[0][0] = f[0];
    p[0][1] = sn_lane3_scale(own_row(own, 0), f[1]);
    p[0][2] = sn_lane3_scale(own_row(own, 1), f[2]);
    p[1][1] = f[1];
    p[1][2] = sn_lane3_scale(own_row(own, 2), f[2]);
    p[2][2] = f[2];
}

SN_INLINE void add_strains(const sn_real *shape, const sn_real *own, const sn_lane3 f[3],
                           sn_lane m[SN_ROWS][SN_ROWS]) {
    sn_lane a = own_row(own, 0), b = own_row(own, 1), c = own_row(own, 2);
    green of = green_masses(shape, f, m);
    sn_lane x0 = of.xx + (a * of.xy + b * of.zx), y0 = of.xy + (a * of.yy + b * of.yz);
    sn_lane z0 = of.zx + (a * of.yz + b * of.zz), z1 = of.yz + c * of.zz;
    m[0][0] = x0 + (a * y0 + b * z0);
    m[0][1] = y0 + c * z0;
    m[0][2] = z0;
    m[1][1] = (of.yy + c * of.yz) + c * z1;
    m[1][2] = z1;
    m[2][2] = of.zz;
    for (int k = 0; k < 3; k++) {
        m[0][3 + k] = of.shear[0][k] + (a * of.shear[1][k] + b * of.shear[2][k]);
        m[1][3 + k] = of.shear[1][k] + c * of.shear[2][k];
        m[2][3 + k] = of.shear[2][k];
    }
}

/* F T */
SN_INLINE void combine(const sn_lane3 f[3], const sn_real *own, const sn_lane step[SN_ROWS],
                       sn_lane3 sum[3]) {
    sn_lane t[3];
    t[0] = step[0];
    t[1] = own_row(own, 0) * step[0] + step[1];
    t[2] = (own_row(own, 1) * step[0] + own_row(own, 2) * step[1]) + step[2];
    green_pull(f, t, step + 3, sum);
}

#include "constraints/tet_strains.h"

#include "constraints/tet.inl"

#if SN_LANES == 1

enum { AXIS = TET_PARAMETERS, ACROSS = AXIS + 3, YOUNG = ACROSS + 3 };
enum { POISSON = YOUNG + 3, SHEAR = POISSON + 3, PLASTIC = SHEAR + 3 };
#include "constraints/tet_axes.h"
#include "constraints/tet_plastic.h"

/* What is left of 1 when the ratios are taken away, above 0 where K is positive definite; this
   little of it is as good as none. */
#define LEAST_LEFT 1e-6

static bool is_infinite(const sn_real *parameter) {
    const sn_real *young = parameter + YOUNG;
    return young[0] == SN_AUTO || young[1] == SN_AUTO || young[2] == SN_AUTO;
}

/* Young's modulus along an axis beside the others; those that are infinite are alike. */
static double young_of(const sn_real *parameter, int axis) {
    return is_infinite(parameter) ? 1 : (double)parameter[YOUNG + axis];
}

/* nu_yz, nu_zx or nu_xy. */
static double ratio_of(const sn_real *parameter, int pair) {
    sn_real own = parameter[POISSON + pair];
    if (own != SN_AUTO) return (double)own;
    double one = young_of(parameter, (pair + 1) % 3), other = young_of(parameter, (pair + 2) % 3);
    return 0.3 * __builtin_sqrt(one / other);
}

/* L and D: a, b, c, and the stiffness of the first three rows over that which is infinite. The
   compliance matrix, scaled so that its diagonal is 1, is
     | 1  -r  -q |        r = nu_xy sqrt(E_y / E_x) and so on
     | -r  1  -p |
     | -q -p   1 |                                                                            */
typedef struct factors {
    double a, b, c, stiffness[3], mean[3]; /* mean: p, q, r */
    double left;                           /* the determinant of that matrix */
} factors;

/* The root of a ratio rather than the ratio of roots, whose bits depend on the unit of pressure. */
static double root_of(const double e[3], int above, int below) {
    return __builtin_sqrt(e[above] / e[below]);
}

static factors factorise(const sn_real *parameter) {
    factors of;
    double e[3];
    for (int i = 0; i < 3; i++) e[i] = young_of(parameter, i);
    for (int i = 0; i < 3; i++)
        of.mean[i] = ratio_of(parameter, i) * root_of(e, (i + 2) % 3, (i + 1) % 3);
    double p = of.mean[0], q = of.mean[1], r = of.mean[2], plane = 1 - p * p;
    of.left = 1 - (p * p + q * q + r * r) - 2 * p * q * r;
    of.a = (r + p * q) / plane * root_of(e, 1, 0);
    of.b = (q + p * r) / plane * root_of(e, 2, 0);
    of.c = p * root_of(e, 2, 1);
    of.stiffness[0] = e[0] * plane / of.left;
    of.stiffness[1] = e[1] / plane;
    of.stiffness[2] = e[2];
    return of;
}

static sn_result check_moduli(const sn_real *parameter) {
    static const char *const pairs[] = {"yz", "zx", "xy"};
    for (int i = 0; i < 3; i++)
        if (parameter[YOUNG + i] == 0 || parameter[SHEAR + i] == 0)
            return sn_fail(SN_ERROR_VALUE,
                           "orthotropic_tet: component %d of %s is 0, expected above 0 Pa", i,
                           parameter[YOUNG + i] == 0 ? "young" : "shear_modulus");
    factors of = factorise(parameter);
    for (int i = 0; i < 3; i++) {
        double most = young_of(parameter, (i + 1) % 3) / young_of(parameter, (i + 2) % 3);
        if (of.mean[i] * of.mean[i] < 1 - LEAST_LEFT) continue;
        return sn_fail(SN_ERROR_VALUE,
                       "orthotropic_tet: poisson %s is %g, expected a square below %g, the ratio "
                       "of young along %c to young along %c",
                       pairs[i], ratio_of(parameter, i), most, pairs[i][0], pairs[i][1]);
    }
    if (of.left > LEAST_LEFT) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "orthotropic_tet: poisson is %g, %g and %g, and with these moduli the "
                   "elasticity tensor is not positive definite: its determinant is %g of that "
                   "without ratios, expected above %g",
                   ratio_of(parameter, 0), ratio_of(parameter, 1), ratio_of(parameter, 2), of.left,
                   LEAST_LEFT);
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    SN_TRY(check_moduli(parameter));
    return measure_plastic("orthotropic_tet", from->x, parameter);
}

static double shear_of(const sn_real *parameter, int pair) {
    if (parameter[SHEAR + pair] != SN_AUTO) return (double)parameter[SHEAR + pair];
    double one = young_of(parameter, (pair + 1) % 3), other = young_of(parameter, (pair + 2) % 3);
    return __builtin_sqrt(one * other) / (2 * (1 + factorise(parameter).mean[pair]));
}

static double compliance(const sn_real *parameter, int row) {
    bool own = row >= 3 && parameter[SHEAR + row - 3] != SN_AUTO;
    if (is_infinite(parameter) && !own) return soften(parameter, __builtin_inf());
    if (row >= 3) return soften(parameter, shear_of(parameter, row - 3));
    return soften(parameter, factorise(parameter).stiffness[row]);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real shape[SN_MAX_PARAMETERS];
    factors of = factorise(from->parameter);
    sn_derivation after = derive_plastic(from, shape);
    turn_edges(from->parameter, shape + REST_EDGES);
    derive_tet(&after, compliance, (sn_real[SN_OWN]){(sn_real)of.a, (sn_real)of.b, (sn_real)of.c},
               coefficient);
    return 1;
}

SN_DEFINE_TYPE(orthotropic_tet, SN_ORTHOTROPIC_TET_FIELDS,
               "a tetrahedron of an elastic material that differs along three axes",
               .compliant = true, .damping_time = TET_DAMPING_TIME, .compliance = compliance,
               .settles = settles, .flow = flow)

#endif
