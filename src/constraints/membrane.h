/*
 * What the models of a triangle of cloth share: its shape at rest, and how it is deformed.
 *
 * At rest the triangle lies in the plane (u, v) of the sheet, u along the warp and v along the
 * weft, with node 0 at the origin.
 *
 *   F = [f_u f_v] = [x_1 - x_0, x_2 - x_0] D^-1,   D = [u_1 u_2; v_1 v_2]
 *
 * takes this plane to where the triangle is; its columns f_u and f_v are what became of the unit
 * vectors. Both are sums over the nodes,
 *
 *   f_u = sum_k b_k x_k,   b_0 = -(b_1 + b_2)
 *   f_v = sum_k c_k x_k,   c_0 = -(c_1 + c_2)
 *
 * so whatever C is made of f_u and f_v, J W J^T needs no more than the three numbers
 *
 *   W_uu = sum_k w_k b_k^2
 *   W_uv = sum_k w_k b_k c_k
 *   W_vv = sum_k w_k c_k^2
 *
 * which do not depend on positions and are coefficients.
 */
#ifndef SN_CONSTRAINTS_MEMBRANE_H
#define SN_CONSTRAINTS_MEMBRANE_H

/* The first coefficients of all types; each has more of its own. */
enum { B_1, B_2, C_1, C_2, W_UU, W_UV, W_VV, MEMBRANE_OWN };

typedef struct membrane {
    sn_lane b[3], c[3];       /* of the nodes */
    sn_lane w_uu, w_uv, w_vv; /* see above */
    sn_lane3 u, v;            /* f_u, f_v */
} membrane;

SN_INLINE sn_lane own_row(const sn_real *own, int row) {
    return sn_lane_load(own + SN_BLOCK * row);
}

SN_INLINE membrane deform(const sn_lane3 *x, const sn_real *own) {
    membrane m;
    m.b[1] = own_row(own, B_1);
    m.b[2] = own_row(own, B_2);
    m.c[1] = own_row(own, C_1);
    m.c[2] = own_row(own, C_2);
    m.b[0] = -(m.b[1] + m.b[2]);
    m.c[0] = -(m.c[1] + m.c[2]);
    m.w_uu = own_row(own, W_UU);
    m.w_uv = own_row(own, W_UV);
    m.w_vv = own_row(own, W_VV);
    m.u = sn_lane3_add(sn_lane3_scale(m.b[1], x[1]), sn_lane3_scale(m.b[2], x[2]));
    m.v = sn_lane3_add(sn_lane3_scale(m.c[1], x[1]), sn_lane3_scale(m.c[2], x[2]));
    return m;
}

/* a p + b q */
SN_INLINE sn_lane3 mix(sn_lane a, sn_lane3 p, sn_lane b, sn_lane3 q) {
    return sn_lane3_add(sn_lane3_scale(a, p), sn_lane3_scale(b, q));
}

#if SN_LANES == 1

#include "math/angle.h"

/* All types begin with these fields; the numbers of the shape are two vectors across. */
enum { REST_SHAPE = SN_COMMON_PARAMETERS, WARP_ANGLE = REST_SHAPE + 3, SHAPE_PARAMETERS };

/* And those with two directions go on with these. */
enum {
    WARP_STIFFNESS = SHAPE_PARAMETERS,
    WEFT_STIFFNESS,
    SHEAR_STIFFNESS,
    DAMPING_TIME,
    MEMBRANE_PARAMETERS
};

/* A triangle this flat beside the square of its longest edge is none. */
#define FLATTEST 1e-6

static sn_result refuse_shape(const char *type, double length, double across) {
    return sn_fail(
        SN_ERROR_DEGENERATE,
        "%s: the three nodes lie on one line: the edge from node 0 to node 1 is %g m and "
        "node 2 is %g m beside it, expected a triangle, or a rest_shape",
        type, length, across);
}

/* A sheet without any stiffness along a row is none. */
SN_INLINE sn_result check_stiffness(const char *type, const sn_real *parameter) {
    static const char *const row[] = {"warp", "weft", "shear"};
    for (int i = 0; i < SN_ROWS; i++)
        if (parameter[WARP_STIFFNESS + i] == 0)
            return sn_fail(SN_ERROR_VALUE, "%s: %s_stiffness is 0, expected above 0 N/m", type,
                           row[i]);
    return SN_OK;
}

/* Fills in the shape where it is automatic, and measures b_1, b_2, c_1 and c_2. */
static sn_result measure_shape(const char *type, const sn_vec3 *x, sn_real *parameter,
                               sn_real measured[4]) {
    sn_real *shape = parameter + REST_SHAPE;
    double sine, cosine;
    if (shape[0] == SN_AUTO || shape[1] == SN_AUTO || shape[2] == SN_AUTO) {
        sn_vec3 n = sn_vec3_cross(x[1], x[2]);
        shape[0] = SN_ROOT(sn_vec3_dot(x[1], x[1]));
        shape[1] = shape[0] > 0 ? sn_vec3_dot(x[1], x[2]) / shape[0] : 0;
        shape[2] = shape[0] > 0 ? SN_ROOT(sn_vec3_dot(n, n)) / shape[0] : 0;
    }
    double l = (double)shape[0], p = (double)shape[1], q = (double)shape[2];
    double longest2 = l * l, far2 = p * p + q * q, beside2 = (p - l) * (p - l) + q * q;
    if (far2 > longest2) longest2 = far2;
    if (beside2 > longest2) longest2 = beside2;
    if (!(l > 0) || !(l * q > FLATTEST * longest2)) return refuse_shape(type, l, q);
    sn_sine_cosine((double)parameter[WARP_ANGLE], &sine, &cosine);
    double u1 = l * cosine, v1 = -l * sine, u2 = p * cosine + q * sine, v2 = q * cosine - p * sine;
    double per_det = 1 / (l * q),
           inverse[4] = {v2 * per_det, -v1 * per_det, -u2 * per_det, u1 * per_det};
    for (int i = 0; i < 4; i++) {
        measured[i] = (sn_real)inverse[i];
        if (!((double)measured[i] * (double)measured[i] < 1e30)) return refuse_shape(type, l, q);
    }
    return SN_OK;
}

static double area_of(const sn_real *parameter) {
    return (double)parameter[REST_SHAPE] * (double)parameter[REST_SHAPE + 2] / 2;
}

/* What a row of a stiffness in N/m gives way by; automatic is not at all. */
static double soften(const sn_real *parameter, double stiffness) {
    double own = stiffness == (double)SN_AUTO ? 0 : 1 / (stiffness * area_of(parameter));
    return own + (double)parameter[SN_PARAMETER_COMPLIANCE];
}

/*
 * Where nodes are held, the others can hardly change a thread that lies along these, and what
 * rounding leaves of its strain would throw them far. There the sums are larger by this part of
 * what they are with nothing held.
 */
#define HELD_PART 1e-4

/* The coefficients above. */
static void derive_membrane(const sn_derivation *from, const sn_real measured[4], sn_real *own) {
    double b[3] = {0, (double)measured[0], (double)measured[1]};
    double c[3] = {0, (double)measured[2], (double)measured[3]}, sum[3] = {0};
    double largest = 0, least = (double)from->w[0];
    b[0] = -(b[1] + b[2]);
    c[0] = -(c[1] + c[2]);
    for (int k = 0; k < 3; k++) {
        double w = (double)from->w[k];
        sum[0] += w * b[k] * b[k];
        sum[1] += w * b[k] * c[k];
        sum[2] += w * c[k] * c[k];
        largest = w > largest ? w : largest;
        least = w < least ? w : least;
    }
    for (int k = 0; k < 3 && least == 0; k++) {
        sum[0] += HELD_PART * largest * b[k] * b[k];
        sum[2] += HELD_PART * largest * c[k] * c[k];
    }
    for (int i = 0; i < 4; i++) own[B_1 + i] = measured[i];
    for (int i = 0; i < 3; i++) own[W_UU + i] = (sn_real)sum[i];
}

#endif
#endif
