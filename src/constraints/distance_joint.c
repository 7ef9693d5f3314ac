/*
 * Distance between points of two bodies, with what drives share (drive.h).
 *
 *   r = x_1 + R_1 a_1 - (x_0 + R_0 a_0),   n = r / |r|
 *   s = |r|                                grad x_1: n, x_0: -n
 *                                          phi_1: a_1 x R_1^T n, phi_0: -(a_0 x R_0^T n)
 *
 * Mueller et al. 2007, section 3.3, with the levers of Mueller et al. 2020, section 3.3.1. Points
 * that coincide have no direction and are left alone.
 */
#define SN_TYPE distance_joint
#define SN_NODES 2
#define SN_POINTS 2
#define SN_MOVED 2
#define SN_FRAMES 2
#define SN_TURNED 2
#define SN_ROWS 1
#define SN_OWN 10 /* anchors, and what is in drive.h */
#define SN_BOUNDED 1
#define SN_STARTED 1
#include "constraints/drive.h"

/* Below the square of any length that matters, and large enough for its inverse to be finite. */
#define TINY SN_R(1e-30)

/* r, and the axes of the nodes. */
SN_INLINE sn_lane3 reach(const sn_lane3 *x, const sn_lane4 *q, const sn_lane3 a[2],
                         sn_lane3 node[2][3]) {
    for (int n = 0; n < 2; n++) sn_lane4_axes(q[n], node[n]);
    return sn_lane3_add(x[1],
                        sn_lane3_sub(sn_along_axes(node[1], a[1]), sn_along_axes(node[0], a[0])));
}

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    const sn_lane3 a[2] = {sn_own_vector(own, SN_OWN_ANCHOR_0),
                           sn_own_vector(own, SN_OWN_ANCHOR_1)};
    sn_lane3 node[2][3], start = reach(x + SN_POINTS, q + SN_FRAMES, a, node);
    sn_lane3 now = reach(x, q, a, node);
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(now, now) + TINY);
    sn_lane3 n = sn_lane3_scale(1 / length, now);
    value[0] = sn_drive_value(own, length, sn_lane_sqrt(sn_lane3_dot(start, start) + TINY));
    g[0][0] = sn_lane3_minus(n);
    g[0][1] = n;
    t[0][0] = sn_lane3_cross(sn_in_axes(node[0], n), a[0]);
    t[0][1] = sn_lane3_cross(a[1], sn_in_axes(node[1], n));
}

#include "constraints/block.inl"

#if SN_LANES == 1

/* The rest length is the target of the drive. */
enum { DRIVE = SN_ANCHOR_1 + 3 };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_lane3 x[2] = {{0, 0, 0}, {from->x[1].x, from->x[1].y, from->x[1].z}}, a[2], node[2][3];
    sn_lane4 q[2] = {sn_lane4_of_quat(from->q[0]), sn_lane4_of_quat(from->q[1])};
    for (int n = 0; n < 2; n++) {
        const sn_real *anchor = parameter + SN_ANCHOR_0 + 3 * n;
        a[n] = (sn_lane3){anchor[0], anchor[1], anchor[2]};
    }
    sn_lane3 r = reach(x, q, a, node);
    if (parameter[DRIVE + SN_TARGET] == SN_AUTO)
        parameter[DRIVE + SN_TARGET] = SN_ROOT(sn_lane3_dot(r, r));
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real own[SN_OWN];
    for (int i = 0; i < 6; i++) own[SN_OWN_ANCHOR_0 + i] = from->parameter[SN_ANCHOR_0 + i];
    sn_derive_drive(from, from->parameter + DRIVE, from->move_h, own);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

static const sn_real *aims(const sn_real *parameter, double *period) {
    *period = 0;
    return sn_drive_target(parameter + DRIVE);
}

SN_DEFINE_TYPE(distance_joint, SN_DISTANCE_JOINT_FIELDS,
               "spring, rope, strut or winch between points of two nodes", .joins = true,
               .bounded = true, .timed = true, .compliance = compliance, .one_sided = one_sided,
               .aims = aims)

#endif
