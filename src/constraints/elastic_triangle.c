/*
 * A triangle of a Saint Venant-Kirchhoff sheet as a finite element.
 *
 *   e_u  = (f_u . f_u - 1) / 2          grad_k e_u  = b_k f_u
 *   e_v  = (f_v . f_v - 1) / 2          grad_k e_v  = c_k f_v
 *   e_uv = f_u . f_v                    grad_k e_uv = b_k f_v + c_k f_u
 *
 *   C = (e_u + nu_vu e_v, e_v, e_uv),   for which the compliance matrix is diagonal
 *
 * Survey of 2017, section 5.8.1, where the energy is one constraint; here it is the block
 * constraint of XPBD 2016, eqs. 27 and 28, in plane stress and with two directions.
 *
 * Where a thread is compressed its gradient is short and a full Newton step would go much too far:
 * from the length s it would go to (s + 1 / s) / 2. The square of the gradient is taken as
 *
 *   (3 s^2 + 1) / 4   in place of   s^2
 *
 * there, that is larger by -e / 2; that never goes beyond 1 and is the same at rest. And where the
 * threads lie nearly along each other the third row depends on the others; its square is taken
 * larger by the square of the cosine between them.
 */
#define SN_TYPE elastic_triangle
#define SN_NODES 3
#define SN_POINTS 3
#define SN_MOVED 3
#define SN_FRAMES 0
#define SN_TURNED 0
#define SN_ROWS 3
#define SN_OWN 8 /* those of membrane.h, and nu_vu */
#define SN_STRUCTURED
#include "constraints/block.h"
#include "constraints/membrane.h"

/* Below the square of any thread that matters. */
#define TINY SN_R(1e-30)

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *frame, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[1]) {
    (void)frame, (void)t;
    membrane m = deform(x, own);
    sn_lane half = sn_lane_all(SN_R(0.5)), nu = own_row(own, MEMBRANE_OWN);
    sn_lane along_v = half * (sn_lane3_dot(m.v, m.v) - 1);
    value[0] = half * (sn_lane3_dot(m.u, m.u) - 1) + nu * along_v;
    value[1] = along_v;
    value[2] = sn_lane3_dot(m.u, m.v);
    for (int k = 0; k < SN_POINTS; k++) {
        g[1][k] = sn_lane3_scale(m.c[k], m.v);
        g[0][k] = mix(m.b[k], m.u, nu, g[1][k]);
        g[2][k] = mix(m.b[k], m.v, m.c[k], m.u);
    }
}

/* J W J^T for the strains, and from it that for C. */
SN_INLINE void add_masses(const block *k, size_t lane, const state *s,
                          sn_lane a[SN_ROWS][SN_ROWS]) {
    const sn_real *own = k->own[0] + lane;
    membrane m = deform(s->x, own);
    sn_lane nu = own_row(own, MEMBRANE_OWN), one = sn_lane_all(1);
    sn_lane uu = sn_lane3_dot(m.u, m.u), vv = sn_lane3_dot(m.v, m.v), uv = sn_lane3_dot(m.u, m.v);
    sn_lane short_u = SN_R(0.25) * (one - sn_lane_min(uu, one));
    sn_lane short_v = SN_R(0.25) * (one - sn_lane_min(vv, one));
    sn_lane aside = uv * uv / (SN_R(0.5) * (uu + vv) + TINY);
    sn_lane e_uu = (uu + short_u) * m.w_uu, e_vv = (vv + short_v) * m.w_vv, e_uv = uv * m.w_uv;
    sn_lane e_vs = uv * m.w_vv + vv * m.w_uv;
    a[1][1] = e_vv;
    a[0][1] = e_uv + nu * e_vv;
    a[0][0] = e_uu + nu * (e_uv + a[0][1]);
    a[1][2] = e_vs;
    a[0][2] = (uv * m.w_uu + uu * m.w_uv) + nu * e_vs;
    a[2][2] = ((vv + aside) * m.w_uu + (uu + aside) * m.w_vv) + 2 * e_uv;
}

SN_INLINE sn_lane3 pull_on(const block *k, size_t lane, const state *s, int n,
                           const sn_lane step[SN_ROWS]) {
    const sn_real *own = k->own[0] + lane;
    membrane m = deform(s->x, own);
    sn_lane weft = step[1] + own_row(own, MEMBRANE_OWN) * step[0];
    return mix(m.b[n], mix(step[0], m.u, step[2], m.v), m.c[n], mix(weft, m.v, step[2], m.u));
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { POISSON = MEMBRANE_PARAMETERS, PLASTIC, INVERSE = PLASTIC + 6, MEASURED_COUNT = 4 };

/* nu_uv E_v / E_u; none of it where only one direction is infinitely stiff. */
static double other_ratio(const sn_real *parameter) {
    sn_real warp = parameter[WARP_STIFFNESS], weft = parameter[WEFT_STIFFNESS];
    double nu = (double)parameter[POISSON];
    if ((warp == SN_AUTO) != (weft == SN_AUTO) || warp == 0) return 0;
    return warp == SN_AUTO ? nu : nu * ((double)weft / (double)warp);
}

/* Of what is across the sheet, about which nothing is said: the mean of both, within what a
   material can have that is the same in all directions. */
static double ratio_of(const sn_real *parameter) {
    double square = (double)parameter[POISSON] * other_ratio(parameter);
    double mean = parameter[POISSON] > 0 && square > 0 ? __builtin_sqrt(square) : 0;
    return mean < 0.5 ? mean : 0.5;
}

#include "constraints/membrane_plastic.h"

static sn_result check_poisson(const sn_real *parameter) {
    double nu = (double)parameter[POISSON], other = other_ratio(parameter);
    if (nu * other < 0.9999) return SN_OK;
    return sn_fail(
        SN_ERROR_VALUE,
        "elastic_triangle: poisson is %g, and with the weft %g times as stiff as the warp "
        "%g the other way; expected a product of both below 1",
        nu, other / nu, other);
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    SN_TRY(check_stiffness("elastic_triangle", parameter));
    SN_TRY(check_poisson(parameter));
    double warp = (double)parameter[WARP_STIFFNESS], weft = (double)parameter[WEFT_STIFFNESS];
    bool infinite = parameter[WARP_STIFFNESS] == SN_AUTO || parameter[WEFT_STIFFNESS] == SN_AUTO;
    if (parameter[SHEAR_STIFFNESS] == SN_AUTO && !infinite) {
        double nu = (double)parameter[POISSON], mean = __builtin_sqrt(nu * other_ratio(parameter));
        double shear = __builtin_sqrt(warp * weft) / (2 * (1 + (nu < 0 ? -mean : mean)));
        parameter[SHEAR_STIFFNESS] = (sn_real)shear;
    }
    return measure_plastic("elastic_triangle", from->x, parameter);
}

static double compliance(const sn_real *parameter, int row) {
    double stiffness = (double)parameter[WARP_STIFFNESS + row];
    if (row > 0 || parameter[WARP_STIFFNESS] == SN_AUTO) return soften(parameter, stiffness);
    return soften(parameter, stiffness / (1 - (double)parameter[POISSON] * other_ratio(parameter)));
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real own[SN_OWN], measured[4];
    derive_plastic(from->parameter, measured);
    derive_membrane(from, measured, own);
    own[MEMBRANE_OWN] = (sn_real)other_ratio(from->parameter);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(elastic_triangle, SN_ELASTIC_TRIANGLE_FIELDS,
               "a triangle of an elastic sheet, with Poisson's ratio and two directions",
               .measured = MEASURED_COUNT, .follows = true, .compliant = true,
               .damping_time = DAMPING_TIME, .compliance = compliance, .settles = settles,
               .flow = flow)

#endif
