/*
 * The angle between two triangles at their common edge.
 *
 *        2          e = x_1 - x_0,   l = |e|
 *       / \         m = e x (x_2 - x_0),   n = (x_3 - x_0) x e      normals, twice the areas long
 *      /   \
 *     0--e--1       C(x)     = atan2(l m . (x_3 - x_0), m . n) - rest_angle
 *      \   /        grad_2 C = l m / |m|^2
 *       \ /         grad_3 C = l n / |n|^2
 *        3          grad_1 C = -((x_2 - x_0) . e grad_2 C + (x_3 - x_0) . e grad_3 C) / l^2
 *                   grad_0 C = -(grad_1 C + grad_2 C + grad_3 C)
 *
 * Mueller et al. 2007, section 4.1 and appendix A (eqs. 21 to 29), has the angle by arccos, whose
 * derivative is infinite when the triangles are flat, which is where cloth is most of the time;
 * the arc tangent is smooth there and knows the sign. The gradients are those of Bridson et al.
 * 2003. The sine is from m x n = (m . (x_3 - x_0)) e, so that both arguments are fourth powers of
 * a length, and meshes of any size are in the range of float. Creases are not in the paper.
 *
 * The gradient by a far corner is one over its height and grows as a triangle degenerates, so that
 * steps become small, not wild. It is held at what it is at a thousandth of the area at creation,
 * and is zero, as is the angle, where the corners lie on a line.
 */
#define SN_TYPE dihedral_bending
#define SN_NODES 4
#define SN_MOVED 4
#define SN_UNIT_GRADIENT 0
#define SN_OWN 2 /* rest angle with the crease, least |m| and |n| */
#include "constraints/formula.h"

#include "math/trig.h"

/* Below any length and area that matter, to the square, and large enough for their inverses to be
   finite. */
#define TINY_LENGTH2 SN_R(1e-30)
#define TINY_AREA2 SN_R(1e-37)

/* An angle between -2 pi and 2 pi, the shorter way round. */
SN_INLINE sn_lane wrap(sn_lane angle) {
    angle = sn_lane_if_less(sn_lane_all(SN_PI), angle, angle - 2 * SN_PI, angle);
    return sn_lane_if_less(angle, sn_lane_all(-SN_PI), angle + 2 * SN_PI, angle);
}

/* 1 / |m|^2, with one |m| no less than the least. */
SN_INLINE sn_lane per_area2(sn_lane3 m, sn_lane least) {
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(m, m) + TINY_AREA2);
    return 1 / (length * sn_lane_max(length, least));
}

SN_INLINE sn_lane formula(const sn_lane3 x[SN_NODES], const sn_real *own, sn_lane3 u[SN_NODES],
                          sn_lane *scale) {
    (void)scale;
    sn_lane3 e = x[1], m = sn_lane3_cross(e, x[2]), n = sn_lane3_cross(x[3], e);
    sn_lane square = sn_lane3_dot(e, e) + TINY_LENGTH2, length = sn_lane_sqrt(square);
    sn_lane least = sn_lane_load(own + SN_BLOCK), per_square = 1 / square;
    u[2] = sn_lane3_scale(length * per_area2(m, least), m);
    u[3] = sn_lane3_scale(length * per_area2(n, least), n);
    u[1] = sn_lane3_minus(sn_lane3_add(sn_lane3_scale(sn_lane3_dot(x[2], e) * per_square, u[2]),
                                       sn_lane3_scale(sn_lane3_dot(x[3], e) * per_square, u[3])));
    u[0] = sn_lane3_minus(sn_lane3_add(sn_lane3_add(u[1], u[2]), u[3]));
    sn_lane angle = sn_lane_atan2(length * sn_lane3_dot(m, x[3]), sn_lane3_dot(m, n));
    return wrap(angle - sn_lane_load(own));
}

#include "constraints/project.inl"

SN_DEFINE_GENERIC_LOOPS(project_range)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

/* Measured: |grad_k C|^2 of the four nodes, and the least |m| and |n|. */
enum { REST_ANGLE = SN_COMMON_PARAMETERS, YIELD, CREEP, PLASTIC_LIMIT, CREASE, GRADIENT2 };
enum { LEAST = GRADIENT2 + 4, MEASURED_COUNT = 5 };

/* An area this small, beside the square of the edge or in m^2, is none. */
#define FLAT SN_R(1e-6)
#define SMALLEST SN_R(1e-15)

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    sn_vec3 m = sn_vec3_cross(x[1], x[2]), n = sn_vec3_cross(x[3], x[1]);
    sn_real area_m = SN_ROOT(sn_vec3_dot(m, m)), area_n = SN_ROOT(sn_vec3_dot(n, n));
    sn_real area = area_m < area_n ? area_m : area_n, edge2 = sn_vec3_dot(x[1], x[1]);
    if (!(area > FLAT * edge2) || !(area > SMALLEST))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "dihedral_bending: triangle (%s) has no area beside an edge of %g m, "
                       "expected two proper triangles",
                       area_m < area_n ? "node 0, node 1, node 2" : "node 1, node 0, node 3",
                       (double)SN_ROOT(edge2));

    sn_real least = SN_R(1e-3) * area;
    sn_lane3 at[SN_NODES], u[SN_NODES];
    for (int k = 0; k < SN_NODES; k++) at[k] = (sn_lane3){x[k].x, x[k].y, x[k].z};
    sn_real own[SN_OWN * SN_BLOCK] = {[0] = 0, [SN_BLOCK] = least};
    sn_real angle = formula(at, own, u, NULL);
    for (int k = 0; k < SN_NODES; k++) parameter[GRADIENT2 + k] = sn_lane3_dot(u[k], u[k]);
    parameter[LEAST] = least;
    if (parameter[REST_ANGLE] == SN_AUTO) parameter[REST_ANGLE] = angle;
    return SN_OK;
}

/* With the crease, from -pi to pi. */
static sn_real rest_of(const sn_real *parameter) {
    sn_real crease = parameter[CREASE], rest = parameter[REST_ANGLE];
    return crease == 0 ? rest : wrap(rest + crease);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real sum = 0, least = from->parameter[LEAST];
    for (int n = 0; n < SN_NODES; n++) {
        coefficient[n] = from->w[n];
        sum += from->w[n] * from->parameter[GRADIENT2 + n];
    }
    /* A hundredth of the sum at creation; infinite where nothing can move. */
    coefficient[SN_NODES] = sum > 0 ? SN_R(0.01) * sum : SN_INFINITY;
    coefficient[SN_NODES + 1] = rest_of(from->parameter);
    coefficient[SN_NODES + 2] = least > 0 ? least : 1;
    return 1;
}

/* ---- Creases ---- */

static bool settles(const sn_real *parameter) {
    return parameter[YIELD] != SN_AUTO;
}

static bool settle(sn_real *parameter, const sn_real *value, double dt) {
    sn_real above = (value[0] < 0 ? -value[0] : value[0]) - parameter[YIELD];
    if (!(above > 0)) return false;
    double part = parameter[CREEP] == SN_AUTO ? 1 : (double)parameter[CREEP] * dt;
    if (part < 1) above = (sn_real)((double)above * part);
    sn_real before = parameter[CREASE], most = parameter[PLASTIC_LIMIT];
    sn_real crease = value[0] < 0 ? before - above : before + above;
    /* What is beyond the limit already does not come back by itself. */
    if (crease > most) crease = before > most ? before : most;
    if (crease < -most) crease = before < -most ? before : -most;
    parameter[CREASE] = crease;
    return crease != before;
}

SN_DEFINE_TYPE(dihedral_bending, SN_DIHEDRAL_BENDING_FIELDS,
               "keeps the angle between two triangles with a common edge",
               .measured = MEASURED_COUNT, .settles = settles, .settle = settle)

#endif
