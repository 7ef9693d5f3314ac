/*
 * Area of a triangle.
 *
 *   C(x)     = |a x b| / 2 - A        a, b = x_1 - x_0, x_2 - x_0,   n = a x b / |a x b|
 *   grad_1 C = (b x n) / 2
 *   grad_2 C = (n x a) / 2
 *   grad_0 C = -(grad_1 C + grad_2 C)
 *
 * Survey of 2017, section 5.5.1. Each gradient is in the plane, at a right angle to the opposite
 * edge and half as long, whatever the area. Where the nodes lie on a line there is no plane; n and
 * the gradients are zero then.
 */
#define SN_TYPE triangle_area
#define SN_NODES 3
#define SN_MOVED 3
#define SN_UNIT_GRADIENT 0
#define SN_OWN 1 /* rest area */
#include "constraints/formula.h"

/* Below the square of any area that matters, and large enough for its inverse to be finite. */
#define TINY SN_R(1e-37)

SN_INLINE sn_lane formula(const sn_lane3 x[SN_NODES], const sn_real *own, sn_lane3 u[SN_NODES],
                          sn_lane *scale) {
    (void)scale;
    sn_lane3 n = sn_lane3_cross(x[1], x[2]);
    sn_lane half = SN_R(0.5) * sn_lane_sqrt(sn_lane3_dot(n, n) + TINY);
    n = sn_lane3_scale(SN_R(0.25) / half, n);
    u[1] = sn_lane3_cross(x[2], n);
    u[2] = sn_lane3_cross(n, x[1]);
    u[0] = sn_lane3_minus(sn_lane3_add(u[1], u[2]));
    return half - sn_lane_load(own);
}

#include "constraints/project.inl"

SN_DEFINE_GENERIC_LOOPS(project_range)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

/* Measured: |grad_k C|^2 of the three nodes at creation. */
enum { REST_AREA = SN_COMMON_PARAMETERS, GRADIENT2, MEASURED_COUNT = 3 };

/* An area this small beside the square of the longest edge is none. */
#define FLAT SN_R(1e-6)

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    sn_real longest2 = 0;
    for (int k = 0; k < SN_NODES; k++) {
        sn_vec3 opposite = sn_vec3_sub(x[(k + 2) % SN_NODES], x[(k + 1) % SN_NODES]);
        sn_real square = sn_vec3_dot(opposite, opposite);
        parameter[GRADIENT2 + k] = square / 4;
        longest2 = square > longest2 ? square : longest2;
    }
    sn_vec3 n = sn_vec3_cross(x[1], x[2]);
    sn_real area = SN_ROOT(sn_vec3_dot(n, n)) / 2;
    /* Without a gradient there is no constraint, and an area of zero is no area to keep. */
    if (!(longest2 > 0) ||
        (parameter[REST_AREA] == SN_AUTO && !(area > FLAT * longest2 && area * area > 1000 * TINY)))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "triangle_area: the three nodes lie on one line of %g m, expected a "
                       "triangle, or a rest_area",
                       (double)SN_ROOT(longest2));
    if (parameter[REST_AREA] == SN_AUTO) parameter[REST_AREA] = area;
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real sum = 0;
    for (int n = 0; n < SN_NODES; n++) {
        coefficient[n] = from->w[n];
        sum += from->w[n] * from->parameter[GRADIENT2 + n];
    }
    /* A hundredth of the sum at creation; infinite where nothing can move. */
    coefficient[SN_NODES] = sum > 0 ? SN_R(0.01) * sum : SN_INFINITY;
    coefficient[SN_NODES + 1] = from->parameter[REST_AREA];
    return 1;
}

SN_DEFINE_TYPE(triangle_area, SN_TRIANGLE_AREA_FIELDS, "keeps the area of a triangle",
               .measured = MEASURED_COUNT)

#endif
