/*
 * A node held above a point of a triangle, along its normal.
 *
 *   r = x_0 - p,   p = b_1 x_1 + b_2 x_2 + b_3 x_3
 *   C = (a_1 . r, a_2 . r, n . r - offset)
 *
 * with the frame of the triangle a_1 along x_2 - x_1, n its normal, a_2 = n x a_1. The rows do not
 * change under rigid motion. The frame turns with the triangle by omega, so that
 *
 *   d(a . r)    = a . dr + omega . (a x r)
 *   omega . a_1 =  sum_k (g_k . a_2) n . dx_k       g_k: gradients of the shares of the corners
 *   omega . a_2 = -sum_k (g_k . a_1) n . dx_k
 *   omega . n   = a_2 . (dx_2 - dx_1) / |x_2 - x_1|
 *
 * In the frame the corners are (0, 0), (l, 0) and (u, v), hence
 *
 *   g_2 = (1/l, -u/(l v))
 *   g_3 = (0, 1/v)
 *   g_1 = -(g_2 + g_3)
 *
 * The point and the triangle of Mueller et al. 2007, section 4.3, eq. 12, held at the height h on
 * both sides, with friction so large that nothing slides: two rows in the plane. No paper has it
 * in this form.
 */
#define SN_TYPE offset_attachment
#define SN_NODES 4
#define SN_POINTS 4
#define SN_MOVED 4
#define SN_FRAMES 0
#define SN_TURNED 0
#define SN_ROWS 3
#define SN_OWN 4 /* b_1, b_2, b_3 and the offset */
#include "constraints/block.h"

/* Edges this short, squared in m^2, have no direction; triangles this flat have no side. */
#define SHORTEST SN_R(1e-20)
#define FLATTEST SN_R(1e-10)

/* What a turn of the frame does to a corner. */
typedef struct lever {
    sn_lane of_1, of_2; /* omega . a_1 and omega . a_2, along n */
    sn_lane of_n;       /* omega . n, along a_2 */
} lever;

SN_INLINE sn_lane3 along(sn_lane a, sn_lane3 p, sn_lane b, sn_lane3 q, sn_lane c, sn_lane3 r) {
    return sn_lane3_add(sn_lane3_add(sn_lane3_scale(a, p), sn_lane3_scale(b, q)),
                        sn_lane3_scale(c, r));
}

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *frame, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[1]) {
    (void)frame, (void)t;
    sn_lane b[3] = {sn_lane_load(own), sn_lane_load(own + SN_BLOCK),
                    sn_lane_load(own + 2 * SN_BLOCK)};
    sn_lane offset = sn_lane_load(own + 3 * SN_BLOCK), zero = sn_lane_all(0);
    sn_lane3 first = sn_lane3_sub(x[2], x[1]), second = sn_lane3_sub(x[3], x[1]);
    sn_lane3 across = sn_lane3_cross(first, second);
    sn_lane ll = sn_lane_max(sn_lane3_dot(first, first), sn_lane_all(SHORTEST));
    sn_lane ss = sn_lane_max(sn_lane3_dot(second, second), sn_lane_all(SHORTEST));
    sn_lane l = sn_lane_sqrt(ll), per_l = 1 / l;
    sn_lane size = sn_lane_sqrt(sn_lane_max(sn_lane3_dot(across, across), FLATTEST * ll * ss));
    sn_lane3 n = sn_lane3_scale(1 / size, across), a1 = sn_lane3_scale(per_l, first);
    sn_lane3 a2 = sn_lane3_cross(n, a1);
    sn_lane3 r =
        sn_lane3_sub((sn_lane3){zero, zero, zero}, along(b[0], x[1], b[1], x[2], b[2], x[3]));
    sn_lane r1 = sn_lane3_dot(a1, r), r2 = sn_lane3_dot(a2, r), rn = sn_lane3_dot(n, r);
    sn_lane u = sn_lane3_dot(second, a1), per_v = l / size;
    value[0] = r1;
    value[1] = r2;
    value[2] = rn - offset;
    lever at[3] = {{zero, per_l, -per_l}, {-u * per_l * per_v, -per_l, per_l}, {per_v, zero, zero}};
    at[0].of_1 = -(at[1].of_1 + at[2].of_1);
    g[0][0] = a1;
    g[1][0] = a2;
    g[2][0] = n;
    for (int k = 0; k < 3; k++) {
        g[0][k + 1] = along(-b[k], a1, r2 * at[k].of_n, a2, -rn * at[k].of_2, n);
        g[1][k + 1] = along(-b[k], a2, -r1 * at[k].of_n, a2, rn * at[k].of_1, n);
        g[2][k + 1] = sn_lane3_scale(r1 * at[k].of_2 - r2 * at[k].of_1 - b[k], n);
    }
}

#include "constraints/block.inl"

#if SN_LANES == 1

#include "geometry/closest_point.h"

enum { WEIGHTS = SN_COMMON_PARAMETERS, OFFSET = WEIGHTS + 3 };

/* Where nothing was said: the nearest point, as shares of the corners. */
static void find_weights(const sn_point corner[3], sn_real b[3]) {
    double share[3];
    sn_point node = {0, 0, 0};
    sn_closest_shares(corner, sn_closest_on_triangle(node, corner[0], corner[1], corner[2], NULL),
                      share);
    /* On an edge, rounding may leave less than nothing. */
    for (int k = 0; k < 3; k++) b[k] = (sn_real)(share[k] > 0 ? share[k] : 0);
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_real *b = parameter + WEIGHTS;
    /* Node 0 is at the origin. */
    const sn_point corner[3] = {sn_point_of(from->x[1]), sn_point_of(from->x[2]),
                                sn_point_of(from->x[3])};
    sn_point first = sn_point_sub(corner[1], corner[0]),
             second = sn_point_sub(corner[2], corner[0]);
    sn_point across = sn_point_cross(first, second);
    double size = sn_point_length(across);
    if (!(size > 1e-5 * sn_point_length(first) * sn_point_length(second)))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "offset_attachment: nodes 1 to 3 lie on one line, twice their area is %g "
                       "m^2, expected a triangle",
                       size);
    if (b[0] == SN_AUTO || b[1] == SN_AUTO || b[2] == SN_AUTO) find_weights(corner, b);
    double sum = (double)b[0] + (double)b[1] + (double)b[2], height = 0;
    if (!(sum > 1e-6))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "offset_attachment: the weights (%g, %g, %g) have no sum, expected one "
                       "above 0",
                       (double)b[0], (double)b[1], (double)b[2]);
    for (int k = 0; k < 3; k++)
        height -= (double)b[k] / sum * sn_point_dot(across, corner[k]) / size;
    if (parameter[OFFSET] == SN_AUTO) parameter[OFFSET] = (sn_real)height;
    return SN_OK;
}

static double compliance(const sn_real *parameter, int row) {
    (void)row;
    return (double)parameter[SN_PARAMETER_COMPLIANCE];
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *b = from->parameter + WEIGHTS;
    sn_real sum = b[0] + b[1] + b[2];
    const sn_real own[SN_OWN] = {b[0] / sum, b[1] / sum, b[2] / sum, from->parameter[OFFSET]};
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(offset_attachment, SN_OFFSET_ATTACHMENT_FIELDS,
               "holds a node above a point of a triangle, along its normal, both ways",
               .joins = true, .compliance = compliance)

#endif
