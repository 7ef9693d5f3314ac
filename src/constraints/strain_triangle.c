/*
 * Strain based dynamics of a triangle.
 *
 *   C        = (|f_u| - 1, |f_v| - 1, s)        n_u = f_u / |f_u|,   n_v = f_v / |f_v|
 *   s        = c = n_u . n_v   or   f_u . f_v
 *   grad_k C = (b_k n_u, c_k n_v, b_k p + c_k q)
 *
 *                p = ds/df_u                  q = ds/df_v
 *   cosine       (n_v - c n_u) / |f_u|        (n_u - c n_v) / |f_v|
 *   product      f_v                          f_u
 *
 * Mueller, Chentanez, Kim and Macklin 2014; survey of 2017, section 5.8.2: the square root of S_ii
 * and the shear without stretch that follow eqs. 35 and 36, or the product of eq. 36. What
 * differs: stiffness in N/m by XPBD, and the three rows are solved together.
 *
 * With P = 1 / |f_u| and Q = 1 / |f_v| for the cosine, P = |f_v| and Q = |f_u| for the product,
 * all products of gradients follow from c (see add_masses).
 *
 * Where the threads lie nearly along each other, c is near 1 and the gradient of s vanishes or is
 * that of the other rows; a full Newton step would throw the nodes away. The square of its
 * gradient is therefore taken c^2 times its size larger, which is nothing near rest, and for the
 * cosine makes the angle change by sin times cos of itself: never too far.
 */
#define SN_TYPE strain_triangle
#define SN_NODES 3
#define SN_POINTS 3
#define SN_MOVED 3
#define SN_FRAMES 0
#define SN_TURNED 0
#define SN_ROWS 3
#define SN_OWN 8 /* those of membrane.h, and 1 for the cosine, 0 for the product */
#define SN_STRUCTURED
#include "constraints/block.h"
#include "constraints/membrane.h"

/* A thread this short, squared, has no direction; below what can be seen beside 1. */
#ifdef SN_DOUBLE
#define SHORTEST 1e-24
#else
#define SHORTEST 1e-12f
#endif

typedef struct strain {
    membrane m;
    sn_lane3 n_u, n_v, p, q;
    sn_lane u, v; /* |f_u|, |f_v| */
    sn_lane c, cosine, big_p, big_q;
} strain;

SN_INLINE strain stretch(const sn_lane3 *x, const sn_real *own) {
    strain s;
    sn_lane least = sn_lane_all(SHORTEST), one = sn_lane_all(1);
    s.m = deform(x, own);
    s.u = sn_lane_sqrt(sn_lane_max(sn_lane3_dot(s.m.u, s.m.u), least));
    s.v = sn_lane_sqrt(sn_lane_max(sn_lane3_dot(s.m.v, s.m.v), least));
    /* One division for both. */
    sn_lane per = one / (s.u * s.v), per_u = per * s.v, per_v = per * s.u;
    s.n_u = sn_lane3_scale(per_u, s.m.u);
    s.n_v = sn_lane3_scale(per_v, s.m.v);
    s.c = sn_lane3_dot(s.n_u, s.n_v);
    s.cosine = own_row(own, MEMBRANE_OWN);
    s.big_p = sn_lane_if_less(sn_lane_all(0), s.cosine, per_u, s.v);
    s.big_q = sn_lane_if_less(sn_lane_all(0), s.cosine, per_v, s.u);
    sn_lane back = s.cosine * s.c;
    s.p = sn_lane3_scale(s.big_p, sn_lane3_sub(s.n_v, sn_lane3_scale(back, s.n_u)));
    s.q = sn_lane3_scale(s.big_q, sn_lane3_sub(s.n_u, sn_lane3_scale(back, s.n_v)));
    return s;
}

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *frame, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[1]) {
    (void)frame, (void)t;
    strain s = stretch(x, own);
    value[0] = s.u - 1;
    value[1] = s.v - 1;
    value[2] = sn_lane_if_less(sn_lane_all(0), s.cosine, s.c, s.c * (s.u * s.v));
    for (int k = 0; k < SN_POINTS; k++) {
        g[0][k] = sn_lane3_scale(s.m.b[k], s.n_u);
        g[1][k] = sn_lane3_scale(s.m.c[k], s.n_v);
        g[2][k] = mix(s.m.b[k], s.p, s.m.c[k], s.q);
    }
}

SN_INLINE void add_masses(const block *k, size_t lane, const state *s,
                          sn_lane a[SN_ROWS][SN_ROWS]) {
    strain e = stretch(s->x, k->own[0] + lane);
    sn_lane uu = e.m.w_uu, uv = e.m.w_uv, vv = e.m.w_vv, p = e.big_p, q = e.big_q, c = e.c;
    sn_lane cc = c * c, product = 1 - e.cosine;
    /* |p| / P squared, and what p . q is made of. */
    sn_lane r = 1 - e.cosine * cc, sign = product - e.cosine;
    sn_lane both = (p * p * uu + q * q * vv) + 2 * sign * c * (p * q * uv);
    a[0][0] = uu;
    a[1][1] = vv;
    a[0][1] = c * uv;
    a[0][2] = product * c * p * uu + r * q * uv;
    a[1][2] = product * c * q * vv + r * p * uv;
    a[2][2] = (r + cc) * both;
}

SN_INLINE sn_lane3 pull_on(const block *k, size_t lane, const state *s, int n,
                           const sn_lane step[SN_ROWS]) {
    strain e = stretch(s->x, k->own[0] + lane);
    sn_lane3 along_u = mix(step[0], e.n_u, step[2], e.p);
    sn_lane3 along_v = mix(step[1], e.n_v, step[2], e.q);
    return mix(e.m.b[n], along_u, e.m.c[n], along_v);
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { SHEAR_FORM = MEMBRANE_PARAMETERS, INVERSE, MEASURED_COUNT = 4 };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    SN_TRY(check_stiffness("strain_triangle", parameter));
    return measure_shape("strain_triangle", from->x, parameter, parameter + INVERSE);
}

static double compliance(const sn_real *parameter, int row) {
    return soften(parameter, (double)parameter[WARP_STIFFNESS + row]);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real own[SN_OWN];
    derive_membrane(from, from->parameter + INVERSE, own);
    own[MEMBRANE_OWN] = from->parameter[SHEAR_FORM] == 0 ? 1 : 0;
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(strain_triangle, SN_STRAIN_TRIANGLE_FIELDS,
               "stretch along warp and weft, and shear, of a triangle of cloth",
               .measured = MEASURED_COUNT, .follows = true, .compliant = true,
               .damping_time = DAMPING_TIME, .compliance = compliance)

#endif
