/*
 * Stretch and shear of a segment of a Cosserat rod.
 *
 *   C(x, q)    = c - e_3,   c = R(q)^T (x_1 - x_0) / l       in the frame of the segment
 *   grad_1 C_i =  a_i / l                                    a_i the axes of the frame
 *   grad_0 C_i = -a_i / l
 *   by rotation: dC = c x phi, so the rows are
 *                (0, -c_z, c_y),  (c_z, 0, -c_x),  (-c_y, c_x, 0)
 *
 * Kugelstadt and Schoemer 2016; survey of 2017, section 5.8.3, eq. 37. There C is in the world and
 * one scalar denominator serves all rows. In the frame of the segment stretch is a row of its own,
 * which has its own stiffness and does not turn the frame; and the frame has a rotation vector and
 * three moments of inertia in place of a quaternion with one mass.
 *
 * Energy per row: half of stiffness l C^2, so the compliance is 1 / (stiffness l).
 */
#define SN_TYPE stretch_shear
#define SN_NODES 2
#define SN_POINTS 2
#define SN_MOVED 2
#define SN_FRAMES 1
#define SN_TURNED 1
#define SN_ROWS 3
#define SN_OWN 1 /* one over the rest length */
#define SN_STRUCTURED
#include "constraints/block.h"

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[SN_FRAMES]) {
    sn_lane per_length = sn_lane_load(own), zero = sn_lane_all(0);
    sn_lane3 axis[3];
    sn_lane4_axes(q[0], axis);
    for (int i = 0; i < SN_ROWS; i++) {
        g[i][1] = sn_lane3_scale(per_length, axis[i]);
        g[i][0] = sn_lane3_minus(g[i][1]);
        value[i] = sn_lane3_dot(g[i][1], x[1]);
    }
    t[0][0] = (sn_lane3){zero, -value[2], value[1]};
    t[1][0] = (sn_lane3){value[2], zero, -value[0]};
    t[2][0] = (sn_lane3){-value[1], value[0], zero};
    value[2] -= 1;
}

/* c, in the frame of the segment. */
SN_INLINE sn_lane3 direction(const state *s) {
    return (sn_lane3){s->value[0], s->value[1], s->value[2] + 1};
}

/* The axes are orthonormal, so positions give (w_0 + w_1) / l^2 on the diagonal; and the rows by
   rotation are those of a cross product. */
SN_INLINE void add_masses(const block *k, size_t lane, const state *s,
                          sn_lane a[SN_ROWS][SN_ROWS]) {
    sn_lane per_length = sn_lane_load(k->own[0] + lane);
    sn_lane w =
        (sn_lane_load(k->w[0] + lane) + sn_lane_load(k->w[1] + lane)) * (per_length * per_length);
    sn_lane wx = sn_lane_load(k->turn_w[0][0] + lane), wy = sn_lane_load(k->turn_w[0][1] + lane);
    sn_lane wz = sn_lane_load(k->turn_w[0][2] + lane);
    sn_lane3 c = direction(s);
    sn_lane xx = c.x * c.x, yy = c.y * c.y, zz = c.z * c.z;
    a[0][0] = w + (wy * zz + wz * yy);
    a[1][1] = w + (wx * zz + wz * xx);
    a[2][2] = w + (wx * yy + wy * xx);
    a[0][1] = -wz * (c.x * c.y);
    a[0][2] = -wy * (c.x * c.z);
    a[1][2] = -wx * (c.y * c.z);
}

SN_INLINE sn_lane3 pull_on(const block *k, size_t lane, const state *s, int n,
                           const sn_lane step[SN_ROWS]) {
    (void)k, (void)lane;
    sn_lane3 sum = sn_lane3_add(
        sn_lane3_scale(step[0], s->g[0][1]),
        sn_lane3_add(sn_lane3_scale(step[1], s->g[1][1]), sn_lane3_scale(step[2], s->g[2][1])));
    return n == 0 ? sn_lane3_minus(sum) : sum;
}

SN_INLINE sn_lane3 twist_on(const state *s, int n, const sn_lane step[SN_ROWS]) {
    (void)n;
    return sn_lane3_cross((sn_lane3){step[0], step[1], step[2]}, direction(s));
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { REST_LENGTH = SN_COMMON_PARAMETERS, STRETCH_STIFFNESS, SHEAR_STIFFNESS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    if (parameter[REST_LENGTH] == SN_AUTO)
        parameter[REST_LENGTH] = SN_ROOT(sn_vec3_dot(x[1], x[1]));
    if (parameter[REST_LENGTH] > 0) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE, "stretch_shear: rest_length is 0, expected above 0 m");
}

static double compliance(const sn_real *parameter, int row) {
    sn_real stiffness = parameter[row == 2 ? STRETCH_STIFFNESS : SHEAR_STIFFNESS];
    double own = 0;
    if (stiffness != SN_AUTO) own = 1 / ((double)stiffness * (double)parameter[REST_LENGTH]);
    return own + (double)parameter[SN_PARAMETER_COMPLIANCE];
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real length = from->parameter[REST_LENGTH], per_length = length > 0 ? 1 / length : 0;
    derive_block(from, compliance, &per_length, coefficient);
    return 1;
}

/* -k l c . d_3, of shear alone: by what a frame is turned, the length stays. */
static void pull_frame(const sn_real *parameter, const double along[3], const double q[2][4],
                       int member, sn_frame_pull *sum) {
    (void)q;
    double k = sn_stiffness_of(compliance(parameter, 0)) / (double)parameter[REST_LENGTH];
    for (int i = 0; i < 3 && member == 0; i++) sum->u[i] += k * along[i];
}

static void scale_length(sn_real *parameter, double ratio) {
    parameter[REST_LENGTH] = (sn_real)((double)parameter[REST_LENGTH] * ratio);
    parameter[SN_PARAMETER_DAMPING] = (sn_real)((double)parameter[SN_PARAMETER_DAMPING] * ratio);
    /* The force of C, which has no unit, is that in the segment times its length. */
    sn_real *most = &parameter[SN_PARAMETER_BREAK_FORCE];
    if (*most != SN_AUTO) *most = (sn_real)((double)*most * ratio);
}

SN_DEFINE_TYPE(stretch_shear, SN_STRETCH_SHEAR_FIELDS,
               "stretch and shear of a segment of a Cosserat rod", .compliant = true,
               .compliance = compliance, .scale_length = scale_length, .pull_frame = pull_frame)

#endif
