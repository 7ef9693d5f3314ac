/*
 * Principal strains of a triangle.
 *
 *   F     = [f_u f_v] = [x_1 - x_0, x_2 - x_0] D^-1,   D the triangle at rest in its plane
 *   sigma = m +- d                                      the singular values of F
 *   m^2   = (|f_u|^2 + |f_v|^2 + 2 J) / 4,   J = |f_u x f_v|
 *   d^2   = ((|f_u|^2 - |f_v|^2)^2 + 4 (f_u . f_v)^2) / (4 m)^2
 *   C     = m +- (sqrt(d^2 + e^2) - e) - limit
 *
 * Survey of 2017, section 7.1, after Wang et al. 2010, who clamp the principal strains and move
 * the corners to the triangle that has them; here each is a constraint with one side.
 *
 * The two singular values have no derivative where they are equal, as they are at rest; the small
 * e rounds that off. Written with m and d, nothing needs singular vectors, and d keeps its digits
 * where it is small. Gradients follow from those by f_u and f_v: both are linear in the positions.
 */
#define SN_TYPE strain_limit_triangle
#define SN_NODES 3
#define SN_MOVED 3
#define SN_UNIT_GRADIENT 0
#define SN_OWN 5 /* D^-1, which has three numbers; the limit; + or - */
#define SN_USUAL_SIDE SN_SIDE_AT_MOST
#include "constraints/formula.h"

#define ROUND SN_R(0.000244140625) /* e: 1/4096 */
/* Below the square of any J that matters, and large enough for its inverse to be finite. */
#define TINY SN_R(1e-30)

SN_INLINE sn_lane3 combine(sn_lane a, sn_lane3 x, sn_lane b, sn_lane3 y) {
    return sn_lane3_add(sn_lane3_scale(a, x), sn_lane3_scale(b, y));
}

SN_INLINE sn_lane formula(const sn_lane3 x[SN_NODES], const sn_real *own, sn_lane3 u[SN_NODES],
                          sn_lane *scale) {
    (void)scale;
    sn_lane uu = sn_lane_load(own), uv = sn_lane_load(own + SN_BLOCK);
    sn_lane vv = sn_lane_load(own + 2 * SN_BLOCK), limit = sn_lane_load(own + 3 * SN_BLOCK);
    sn_lane sign = sn_lane_load(own + 4 * SN_BLOCK);
    sn_lane3 f = sn_lane3_scale(uu, x[1]), g = combine(uv, x[1], vv, x[2]);
    sn_lane3 n = sn_lane3_cross(f, g);
    sn_lane j = sn_lane_sqrt(sn_lane3_dot(n, n) + TINY);
    n = sn_lane3_scale(1 / j, n);

    sn_lane ff = sn_lane3_dot(f, f), gg = sn_lane3_dot(g, g), product = sn_lane3_dot(f, g);
    sn_lane difference = ff - gg;
    sn_lane m = SN_R(0.5) * sn_lane_sqrt((ff + gg) + (2 * j + TINY)), per_m = 1 / m;
    sn_lane part = SN_R(0.0625) * (per_m * per_m);
    sn_lane d2 = (difference * difference + 4 * (product * product)) * part;
    sn_lane r = sn_lane_sqrt(d2 + ROUND * ROUND), slope = sign / r;

    /* dC = dm (1 - sign d^2 / (r m)) + sign / (2 r) d(difference^2 + 4 product^2) part */
    sn_lane by_m = (1 - slope * (d2 * per_m)) * (SN_R(0.25) * per_m);
    sn_lane by_difference = 2 * (slope * (difference * part)),
            by_product = 4 * (slope * (product * part));
    sn_lane3 by_f = combine(by_m + by_difference, f, by_product, g);
    sn_lane3 by_g = combine(by_m - by_difference, g, by_product, f);
    by_f = sn_lane3_add(by_f, sn_lane3_scale(by_m, sn_lane3_cross(g, n)));
    by_g = sn_lane3_add(by_g, sn_lane3_scale(by_m, sn_lane3_cross(n, f)));
    u[1] = combine(uu, by_f, uv, by_g);
    u[2] = sn_lane3_scale(vv, by_g);
    u[0] = sn_lane3_minus(sn_lane3_add(u[1], u[2]));
    return (m + sign * (r - ROUND)) - limit;
}

#include "constraints/project.inl"

SN_DEFINE_GENERIC_LOOPS(project_range)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

/* Measured: D^-1, three numbers. */
enum { LIMIT = SN_COMMON_PARAMETERS, REST, MEASURED_COUNT = 3 };

/* A height this small beside the longest edge is none. */
#define FLAT SN_R(1e-6)

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    sn_vec3 n = sn_vec3_cross(x[1], x[2]), across = sn_vec3_sub(x[2], x[1]);
    sn_real base2 = sn_vec3_dot(x[1], x[1]), side2 = sn_vec3_dot(x[2], x[2]);
    sn_real longest2 = base2 > side2 ? base2 : side2, across2 = sn_vec3_dot(across, across);
    if (across2 > longest2) longest2 = across2;
    sn_real base = SN_ROOT(base2), area2 = SN_ROOT(sn_vec3_dot(n, n)), height = area2 / base;
    if (!(base > 0) || !(height > FLAT * SN_ROOT(longest2)) || !(area2 > FLAT * longest2))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "strain_limit_triangle: the three nodes lie on one line of %g m, expected a "
                       "triangle",
                       (double)SN_ROOT(longest2));
    parameter[REST] = 1 / base;
    parameter[REST + 1] = -(sn_vec3_dot(x[1], x[2]) / base) / (base * height);
    parameter[REST + 2] = 1 / height;
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *rest = from->parameter + REST;
    bool smallest = from->parameter[SN_PARAMETER_SIDE] == (sn_real)SN_SIDE_AT_LEAST;
    /* D^-1 row by row is what f_u and f_v take of nodes 1 and 2, and minus their sum of node 0. */
    sn_real b1 = rest[0] * rest[0] + rest[1] * rest[1], b2 = rest[2] * rest[2];
    sn_real u0 = rest[0], v0 = rest[1] + rest[2], b0 = u0 * u0 + v0 * v0;
    sn_real sum = from->w[0] * b0 + from->w[1] * b1 + from->w[2] * b2;
    for (int n = 0; n < SN_NODES; n++) coefficient[n] = from->w[n];
    /* A hundredth of about the sum at creation; infinite where nothing can move. */
    coefficient[SN_NODES] = sum > 0 ? SN_R(0.005) * sum : SN_INFINITY;
    for (int i = 0; i < 3; i++) coefficient[SN_NODES + 1 + i] = rest[i];
    coefficient[SN_NODES + 4] = from->parameter[LIMIT];
    coefficient[SN_NODES + 5] = smallest ? -1 : 1;
    return 1;
}

SN_DEFINE_TYPE(strain_limit_triangle, SN_STRAIN_LIMIT_TRIANGLE_FIELDS,
               "limits how much a triangle is stretched or compressed", .measured = MEASURED_COUNT)

#endif
