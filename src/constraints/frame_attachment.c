/*
 * The orientation of a node held to that of the world or of a kinematic node.
 *
 *   C(q) = 2 Im(Omega),   Omega = conj(q_0) q_1 rest          with Omega = 1 at creation
 *   by rotation: dC = (Omega_w psi + Omega_v x psi) - (Omega_w phi_0 - Omega_v x phi_0)
 *                psi = rest^-1 phi_1
 *
 * What section 3.6 of Mueller et al. 2007 does to positions, for orientations; C is the difference
 * of two frames of survey of 2017, section 5.8.3, as a rotation vector. No paper has it in this
 * form.
 *
 * The rotation that is missing, in the frame of node 0; along the shorter way, so that it does not
 * matter which of its two quaternions a node has.
 */
#define SN_TYPE frame_attachment
#define SN_NODES 2
#define SN_POINTS 0
#define SN_MOVED 0
#define SN_FRAMES 2
#define SN_TURNED 1
#define SN_ROWS 3
#define SN_OWN 4 /* rest rotation: x, y, z, w */
#include "constraints/block.h"

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[1], sn_lane3 (*t)[SN_FRAMES]) {
    (void)x, (void)g;
    sn_lane4 rest = {
        {sn_lane_load(own), sn_lane_load(own + SN_BLOCK), sn_lane_load(own + 2 * SN_BLOCK)},
        sn_lane_load(own + 3 * SN_BLOCK)};
    sn_lane4 omega = sn_lane4_mul(sn_lane4_between(q[0], q[1]), rest);
    sn_lane two = sn_lane_if_less(omega.w, sn_lane_all(0), sn_lane_all(-2), sn_lane_all(2));
    sn_lane3 v = sn_lane3_scale(two * SN_R(0.5), omega.v);
    sn_lane w = two * SN_R(0.5) * omega.w;
    value[0] = 2 * v.x;
    value[1] = 2 * v.y;
    value[2] = 2 * v.z;
    t[0][0] = (sn_lane3){-w, -v.z, v.y};
    t[1][0] = (sn_lane3){v.z, -w, -v.x};
    t[2][0] = (sn_lane3){-v.y, v.x, -w};
    /* A turn of node 1 is seen through the rest rotation. */
    sn_lane3 axis[3], turn[3] = {{w, -v.z, v.y}, {v.z, w, -v.x}, {-v.y, v.x, w}};
    sn_lane4_axes(rest, axis);
    for (int i = 0; i < SN_ROWS; i++)
        t[i][1] = sn_lane3_add(
            sn_lane3_add(sn_lane3_scale(turn[i].x, axis[0]), sn_lane3_scale(turn[i].y, axis[1])),
            sn_lane3_scale(turn[i].z, axis[2]));
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { REST = SN_COMMON_PARAMETERS, REST_COUNT = 4 };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_quat *q = from->q;
    sn_lane4 own = {{q[0].x, q[0].y, q[0].z}, q[0].w}, anchor = {{q[1].x, q[1].y, q[1].z}, q[1].w};
    sn_lane4 rest = sn_lane4_between(anchor, own);
    parameter[REST] = rest.v.x;
    parameter[REST + 1] = rest.v.y;
    parameter[REST + 2] = rest.v.z;
    parameter[REST + 3] = rest.w;
    return SN_OK;
}

static double compliance(const sn_real *parameter, int row) {
    (void)row;
    return (double)parameter[SN_PARAMETER_COMPLIANCE];
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    derive_block(from, compliance, from->parameter + REST, coefficient);
    return 1;
}

SN_DEFINE_TYPE(frame_attachment, SN_FRAME_ATTACHMENT_FIELDS,
               "holds the orientation of a node to the world or to a kinematic node",
               .info.external = true, .measured = REST_COUNT, .compliance = compliance)

#endif
