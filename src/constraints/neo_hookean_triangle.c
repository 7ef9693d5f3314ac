/*
 * A triangle of a sheet of the stable Neo-Hookean material (Macklin and Mueller 2021) in plane
 * stress.
 *
 * Across the sheet it is as thick as the energy of neo_hookean_tet.c is least for, which leaves of
 * it, with the stretches s_1 and s_2 in the plane, j = s_1 s_2 and r = 1 - 2 nu,
 *
 *   mu / 2 (s_1^2 + s_2^2 - 3 - r + (1 + r)^2 / (r + j^2))
 *     = mu / 2 ((s_1 - s_2)^2 + (j - 1)^2 (2 j + 1 - r) / (r + j^2))
 *
 * (s_1 - s_2)^2 is that of two numbers. With R, the rotation that is nearest to F in the plane of
 * the triangle, and S = R^T F, which has the trace T = s_1 + s_2,
 *
 *   T^2 = |f_u|^2 + |f_v|^2 + 2 j
 *   S_uu - S_vv = (|f_u|^2 - |f_v|^2) / T,   2 S_uv = 2 f_u . f_v / T
 *   R = (F + cof F) / T,   cof F = (f_v x n, n x f_u),   n the unit normal
 *
 * so that C = (V(j), S_uu - S_vv, 2 S_uv) with V(j) = (j - 1) sqrt((2 j + 1 - r) / (r + j^2)) is
 * zero at rest, needs no iteration for R, and resists in every direction of the plane. With X
 * either of the last two, and Y = (f_u, -f_v) or (f_v, f_u),
 *
 *   dj/dF = cof F,   dX/dF = (2 Y - X R) / T
 *
 * Pressed together, V has a slope that vanishes where the material gives in: at j = 0.3 for nu = 0,
 * below 0.1 from nu = 0.28 on. From where it is half of that at rest, or from a tenth of the area,
 * it goes on as a line.
 *
 * Far from rest a full Newton step goes too far: where V is flatter than the line to rest, and
 * where cof F is small. The square of the first gradient is taken as V' times three quarters of the
 * slope of that line, where that is more, and, as for elastic_triangle.c, larger by a quarter of
 * what the mean of |f|^2 is below 1. Near rest both are a step of Newton.
 */
#define SN_TYPE neo_hookean_triangle
#define SN_NODES 3
#define SN_POINTS 3
#define SN_MOVED 3
#define SN_FRAMES 0
#define SN_TURNED 0
#define SN_ROWS 3
#define SN_OWN 11 /* those of membrane.h, and those of V */
#define SN_STRUCTURED
#include "constraints/block.h"
#include "constraints/membrane.h"

/* r, and where V becomes a line: j, V and V'. */
enum { OWN_R = MEMBRANE_OWN, OWN_LEAST, OWN_VALUE, OWN_SLOPE };
_Static_assert(OWN_SLOPE + 1 == SN_OWN, "all of them");

/* Below the trace and the area of any triangle that matters. */
#define TINY SN_R(1e-12)

/* A derivative by F, by its columns. */
typedef struct slopes {
    sn_lane3 u, v;
} slopes;

typedef struct strain {
    membrane m;
    sn_lane value[SN_ROWS];
    sn_lane slope, secant; /* V', and V / (j - 1) */
    slopes p[SN_ROWS];     /* cof F, and the derivatives of the last two */
    sn_lane size;          /* the mean of |f_u|^2 and |f_v|^2 */
} strain;

/* V, its slope, and the slope of the line to rest. */
SN_INLINE void resist(sn_lane j, const sn_real *own, strain *s) {
    sn_lane r = own_row(own, OWN_R), least = own_row(own, OWN_LEAST), one = sn_lane_all(1);
    sn_lane at = sn_lane_max(j, least), top = 2 * at + (one - r), bottom = r + at * at;
    sn_lane h = sn_lane_sqrt(top / bottom);
    sn_lane slope = h + (at - one) * (h * (one / top - at / bottom));
    sn_lane line = own_row(own, OWN_SLOPE);
    sn_lane pressed = own_row(own, OWN_VALUE) + line * (j - least);
    s->value[0] = sn_lane_if_less(j, least, pressed, (j - one) * h);
    s->slope = sn_lane_if_less(j, least, line, slope);
    s->secant = sn_lane_if_less(j, least, pressed / (sn_lane_min(j, least) - one), h);
}

SN_INLINE slopes turn_of(sn_lane x, sn_lane3 y_u, sn_lane3 y_v, const slopes *r, sn_lane per) {
    return (slopes){mix(2 * per, y_u, -x * per, r->u), mix(2 * per, y_v, -x * per, r->v)};
}

SN_INLINE strain stretch(const sn_lane3 *x, const sn_real *own) {
    strain s;
    sn_lane one = sn_lane_all(1), tiny = sn_lane_all(TINY);
    s.m = deform(x, own);
    sn_lane3 u = s.m.u, v = s.m.v, normal = sn_lane3_cross(u, v);
    sn_lane uu = sn_lane3_dot(u, u), vv = sn_lane3_dot(v, v), uv = sn_lane3_dot(u, v);
    sn_lane j = sn_lane_sqrt(sn_lane3_dot(normal, normal));
    sn_lane3 n = sn_lane3_scale(one / sn_lane_max(j, tiny), normal);
    sn_lane per = one / sn_lane_max(sn_lane_sqrt((uu + vv) + 2 * j), tiny);
    slopes r;
    resist(j, own, &s);
    s.size = SN_R(0.5) * (uu + vv);
    s.p[0] = (slopes){sn_lane3_cross(v, n), sn_lane3_cross(n, u)};
    r.u = sn_lane3_scale(per, sn_lane3_add(u, s.p[0].u));
    r.v = sn_lane3_scale(per, sn_lane3_add(v, s.p[0].v));
    s.value[1] = (uu - vv) * per;
    s.value[2] = 2 * uv * per;
    s.p[1] = turn_of(s.value[1], u, sn_lane3_minus(v), &r, per);
    s.p[2] = turn_of(s.value[2], v, u, &r, per);
    return s;
}

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *frame, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[1]) {
    (void)frame, (void)t;
    strain s = stretch(x, own);
    for (int i = 0; i < SN_ROWS; i++) value[i] = s.value[i];
    for (int k = 0; k < SN_POINTS; k++) {
        g[0][k] = mix(s.slope * s.m.b[k], s.p[0].u, s.slope * s.m.c[k], s.p[0].v);
        g[1][k] = mix(s.m.b[k], s.p[1].u, s.m.c[k], s.p[1].v);
        g[2][k] = mix(s.m.b[k], s.p[2].u, s.m.c[k], s.p[2].v);
    }
}

/* An entry of J W J^T, of two rows. */
SN_INLINE sn_lane weigh(const membrane *m, const slopes *p, const slopes *q) {
    sn_lane across = sn_lane3_dot(p->u, q->v) + sn_lane3_dot(p->v, q->u);
    return (sn_lane3_dot(p->u, q->u) * m->w_uu + sn_lane3_dot(p->v, q->v) * m->w_vv) +
           across * m->w_uv;
}

SN_INLINE void add_masses(const block *k, size_t lane, const state *s,
                          sn_lane a[SN_ROWS][SN_ROWS]) {
    strain e = stretch(s->x, k->own[0] + lane);
    sn_lane one = sn_lane_all(1), steep = sn_lane_max(e.slope, SN_R(0.75) * e.secant);
    sn_lane small = SN_R(0.25) * (one - sn_lane_min(e.size, one)) * (e.m.w_uu + e.m.w_vv);
    a[0][0] = e.slope * steep * (weigh(&e.m, &e.p[0], &e.p[0]) + small);
    a[0][1] = e.slope * weigh(&e.m, &e.p[0], &e.p[1]);
    a[0][2] = e.slope * weigh(&e.m, &e.p[0], &e.p[2]);
    a[1][1] = weigh(&e.m, &e.p[1], &e.p[1]);
    a[1][2] = weigh(&e.m, &e.p[1], &e.p[2]);
    a[2][2] = weigh(&e.m, &e.p[2], &e.p[2]);
}

SN_INLINE sn_lane3 pull_on(const block *k, size_t lane, const state *s, int n,
                           const sn_lane step[SN_ROWS]) {
    strain e = stretch(s->x, k->own[0] + lane);
    sn_lane first = e.slope * step[0];
    sn_lane3 u =
        sn_lane3_add(sn_lane3_scale(first, e.p[0].u), mix(step[1], e.p[1].u, step[2], e.p[2].u));
    sn_lane3 v =
        sn_lane3_add(sn_lane3_scale(first, e.p[0].v), mix(step[1], e.p[1].v, step[2], e.p[2].v));
    return mix(e.m.b[n], u, e.m.c[n], v);
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { STRETCH_STIFFNESS = SHAPE_PARAMETERS, POISSON, BRAKE, PLASTIC, INVERSE = PLASTIC + 6 };

static double ratio_of(const sn_real *parameter) {
    return (double)parameter[POISSON];
}

#include "constraints/membrane_plastic.h"

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    if (parameter[STRETCH_STIFFNESS] == 0)
        return sn_fail(SN_ERROR_VALUE,
                       "neo_hookean_triangle: stretch_stiffness is 0, expected above 0 N/m");
    return measure_plastic("neo_hookean_triangle", from->x, parameter);
}

/* All rows have that of mu. */
static double compliance(const sn_real *parameter, int row) {
    double stiffness = (double)parameter[STRETCH_STIFFNESS];
    (void)row;
    if (parameter[STRETCH_STIFFNESS] == SN_AUTO) return soften(parameter, stiffness);
    return soften(parameter, stiffness / (2 * (1 + ratio_of(parameter))));
}

/* V and its slope at j. */
static double slope_at(double r, double j, double *value) {
    double top = 2 * j + 1 - r, bottom = r + j * j, h = __builtin_sqrt(top / bottom);
    *value = (j - 1) * h;
    return h + (j - 1) * h * (1 / top - j / bottom);
}

/* Where the slope has come down to half of that at rest, or a tenth. */
static void find_line(double r, sn_real own[SN_OWN]) {
    double value, low = 0.1, high = 1, half = slope_at(r, 1, &value) / 2;
    if (slope_at(r, low, &value) >= half) high = low;
    for (int i = 0; i < 40 && high > low; i++) {
        double middle = (low + high) / 2;
        *(slope_at(r, middle, &value) < half ? &low : &high) = middle;
    }
    own[OWN_LEAST] = (sn_real)high;
    own[OWN_SLOPE] = (sn_real)slope_at(r, (double)own[OWN_LEAST], &value);
    own[OWN_VALUE] = (sn_real)value;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real own[SN_OWN] = {0}, measured[4];
    double r = 1 - 2 * ratio_of(from->parameter);
    derive_plastic(from->parameter, measured);
    derive_membrane(from, measured, own);
    own[OWN_R] = (sn_real)r;
    find_line(r, own);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(neo_hookean_triangle, SN_NEO_HOOKEAN_TRIANGLE_FIELDS,
               "a triangle of a sheet of the stable Neo-Hookean material", .measured = 4,
               .follows = true, .compliant = true, .damping_time = BRAKE, .compliance = compliance,
               .settles = settles, .flow = flow)

#endif
