/*
 * Bending of two triangles across their common edge, for motions that keep lengths.
 *
 *   C(x)     = s sum_k K_k x_k,   three rows
 *   grad_k C = s K_k I
 *   K        = (c03 + c04, c01 + c02, -c01 - c03, -c02 - c04)
 *   s^2      = scale / (A0 + A1)
 *
 * with the cotangents of the angles between the edge and its neighbours:
 *
 *        2          c01 at node 0, in the triangle of node 2
 *       / \         c02 at node 0, in that of node 3
 *      0---1        c03 at node 1, in that of node 2
 *       \ /         c04 at node 1, in that of node 3
 *        3
 *
 * Survey of 2017, section 5.3, after Bergou et al. 2006, where the energy itself, 1/2 x^T Q x with
 * Q = 3 / (A0 + A1) K^T K, is the constraint. With the rows above B |C|^2 / 2 is that energy, so B
 * is a bending stiffness, and C is linear. On even meshes the 3 is three times the energy of a
 * plate of stiffness B, so scale is 1 here. K is made from the triangles as they are at creation;
 * C is zero when they are coplanar.
 */
#define SN_TYPE isometric_bending
#define SN_NODES 4
#define SN_MOVED 4
#define SN_OFFSET 0
#include "constraints/formula.h"

#include "constraints/linear.inl"

#if SN_LANES == 1

enum { SCALE = SN_COMMON_PARAMETERS, MEASURED, MEASURED_COUNT = 5 }; /* K_0 to K_3, A0 + A1 */

/* Cotangent of the angle at the common corner, and twice the area. */
static sn_real cotangent(sn_vec3 a, sn_vec3 b, sn_real *area2) {
    sn_vec3 n = sn_vec3_cross(a, b);
    *area2 = SN_ROOT(sn_vec3_dot(n, n));
    return sn_vec3_dot(a, b) / *area2;
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    sn_real area0, area1;
    sn_vec3 edge = x[1], back = {-edge.x, -edge.y, -edge.z};
    sn_real c01 = cotangent(edge, x[2], &area0), c02 = cotangent(edge, x[3], &area1);
    sn_real c03 = cotangent(back, sn_vec3_sub(x[2], edge), &area0);
    sn_real c04 = cotangent(back, sn_vec3_sub(x[3], edge), &area1);
    sn_real square = sn_vec3_dot(edge, edge);
    /* Relative to the edge, so that the scale of the mesh does not matter. */
    if (!(area0 > SN_R(1e-6) * square) || !(area1 > SN_R(1e-6) * square))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "isometric_bending: triangle (%s) has no area beside an edge of %g m, "
                       "expected two proper triangles",
                       area0 > SN_R(1e-6) * square ? "node 1, node 0, node 3"
                                                   : "node 0, node 1, node 2",
                       (double)SN_ROOT(square));
    sn_real *measured = parameter + MEASURED;
    measured[0] = c03 + c04;
    measured[1] = c01 + c02;
    measured[2] = -c01 - c03;
    measured[3] = -c02 - c04;
    measured[4] = (area0 + area1) / 2;
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *measured = from->parameter + MEASURED;
    sn_real area = measured[4], s = area > 0 ? SN_ROOT(from->parameter[SCALE] / area) : 0;
    const sn_real c[SN_NODES] = {s * measured[0], s * measured[1], s * measured[2],
                                 s * measured[3]};
    return derive_linear(from, c, NULL, coefficient);
}

SN_DEFINE_TYPE(isometric_bending, SN_ISOMETRIC_BENDING_FIELDS,
               "keeps two triangles with a common edge flat, for motions that keep lengths",
               .scaled = true, .measured = MEASURED_COUNT)

#endif
