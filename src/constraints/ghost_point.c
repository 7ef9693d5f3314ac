/*
 * The ghost point of a segment, which is its material frame.
 *
 *   f = x_2 - (x_0 + x_1) / 2,   e = x_1 - x_0,   d = e / |e|,   n = f / |f|
 *   C_0 = f . d - ahead                     dC_0 = d . df + (f - (f . d) d) / |e| . de
 *   C_1 = |f| - radius                      dC_1 = n . df
 *   C_1 = |f| sqrt(|e| / l) - radius        dC_1 = sqrt(|e| / l) (n . df + |f| / (2 |e|) d . de)
 *
 * Umetani, Schmidt and Stam 2014 have the first two, as constraints of their own, and Angles et
 * al. 2019 radii that keep a volume, as scalars at the nodes. Here the ghost point lies on the
 * surface of the rod, and its distance is the radius: one point is the frame and the radius, and
 * what moves it keeps momentum.
 */
#define SN_TYPE ghost_point
#define SN_NODES 3
#define SN_POINTS 3
#define SN_MOVED 3
#define SN_FRAMES 0
#define SN_TURNED 0
#define SN_ROWS 2
#define SN_OWN 4 /* ahead, radius, one over the rest length, whether the volume is kept */
#include "constraints/block.h"

/* Below any length that matters; its root has an inverse whose square is finite. */
#define TINY SN_R(1e-24)

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[1]) {
    (void)q, (void)t;
    sn_lane half = sn_lane_all(SN_R(0.5)), kept = sn_lane_load(own + 3 * SN_BLOCK);
    /* Node 0 is at 0. */
    sn_lane3 f = sn_lane3_sub(x[2], sn_lane3_scale(half, x[1]));
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(x[1], x[1]) + TINY);
    sn_lane far = sn_lane_sqrt(sn_lane3_dot(f, f) + TINY);
    sn_lane3 d = sn_lane3_scale(1 / length, x[1]);
    sn_lane along = sn_lane3_dot(f, d);
    sn_lane root = sn_lane_sqrt(length * sn_lane_load(own + 2 * SN_BLOCK));
    sn_lane wide = 1 + kept * (root - 1);
    value[0] = along - sn_lane_load(own);
    value[1] = far * wide - sn_lane_load(own + SN_BLOCK);
    /* By f and by e of both rows. */
    const sn_lane3 by_f[SN_ROWS] = {d, sn_lane3_scale(wide / far, f)};
    const sn_lane3 by_e[SN_ROWS] = {
        sn_lane3_scale(1 / length, sn_lane3_sub(f, sn_lane3_scale(along, d))),
        sn_lane3_scale(half * kept * root * far / length, d)};
    for (int i = 0; i < SN_ROWS; i++) {
        sn_lane3 middle = sn_lane3_scale(half, by_f[i]);
        g[i][0] = sn_lane3_minus(sn_lane3_add(by_e[i], middle));
        g[i][1] = sn_lane3_sub(by_e[i], middle);
        g[i][2] = by_f[i];
    }
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { REST_LENGTH = SN_COMMON_PARAMETERS, AHEAD, RADIUS, KEEPS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x, e = x[1];
    sn_vec3 f = {x[2].x - e.x / 2, x[2].y - e.y / 2, x[2].z - e.z / 2};
    sn_real length = SN_ROOT(sn_vec3_dot(e, e));
    if (!(length > 0))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "ghost_point: node 0 and node 1 are at one place, expected a segment");
    if (parameter[REST_LENGTH] == SN_AUTO) parameter[REST_LENGTH] = length;
    if (parameter[AHEAD] == SN_AUTO) parameter[AHEAD] = sn_vec3_dot(f, e) / length;
    if (parameter[RADIUS] == SN_AUTO) parameter[RADIUS] = SN_ROOT(sn_vec3_dot(f, f));
    if (parameter[REST_LENGTH] > 0 && parameter[RADIUS] > 0) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE, "ghost_point: %s is 0, expected above 0 m",
                   parameter[RADIUS] > 0 ? "rest_length" : "radius");
}

static double compliance(const sn_real *parameter, int row) {
    (void)row;
    return (double)parameter[SN_PARAMETER_COMPLIANCE];
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *p = from->parameter;
    const sn_real own[SN_OWN] = {p[AHEAD], p[RADIUS], p[REST_LENGTH] > 0 ? 1 / p[REST_LENGTH] : 0,
                                 p[KEEPS]};
    derive_block(from, compliance, own, coefficient);
    return 1;
}

static double width(const sn_real *parameter, const sn_vec3 *x) {
    const sn_vec3 e = x[1];
    sn_vec3 f = {x[2].x - e.x / 2, x[2].y - e.y / 2, x[2].z - e.z / 2};
    return parameter[KEEPS] == 0 ? 0 : (double)SN_ROOT(sn_vec3_dot(f, f));
}

SN_DEFINE_TYPE(ghost_point, SN_GHOST_POINT_FIELDS,
               "holds the ghost point of a segment, which is its frame and its radius",
               .compliant = true, .compliance = compliance, .width = width)

#endif
