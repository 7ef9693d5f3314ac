/*
 * Two gears on a frame: the angle of node 2 and that of node 1 about axes of node 0.
 *
 *   C = theta_2 - r theta_1        theta: sn_joint_twist of joint.h;   r = p / q
 *
 * Angles are known but for whole turns, so C is known but for multiples of 2 pi / q, and is the one
 * nearest to zero: the gears do not drift, however often they go round, and where they are torn
 * from each other they mesh again a tooth or more away. Teeth come in whole numbers, so r is the
 * nearest ratio of two of them. The angles are those that Mueller et al. 2020, section 3.3.4,
 * drives; survey of 2017, section 5.9 (joints).
 */
#define SN_TYPE gear_joint
#define SN_NODES 3
#define SN_POINTS 0
#define SN_MOVED 0
#define SN_FRAMES 3
#define SN_TURNED 3
#define SN_ROWS 1
#define SN_OWN 22 /* the quaternions of J_0 and rest for nodes 1 and 2, r, the period; drive.h */
#define SN_BOUNDED 1
#include "constraints/drive.h"

enum { OWN_RATIO = 16, OWN_PERIOD };

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[1], sn_lane3 (*t)[SN_FRAMES]) {
    (void)x, (void)g;
    sn_lane ratio = sn_lane_load(own + OWN_RATIO * SN_BLOCK), angle[2];
    sn_lane3 turned[2][2];
    for (int n = 0; n < 2; n++) {
        sn_lane4 pair[2] = {q[0], q[n + 1]};
        sn_lane3 own_0[3], own_1[3];
        sn_lane4 omega = sn_joint_turn(pair, sn_own_rotation(own, 8 * n),
                                       sn_own_rotation(own, 8 * n + 4), own_0, own_1);
        angle[n] = sn_joint_twist(omega, own_0, own_1, turned[n]);
    }
    t[0][0] = sn_lane3_sub(turned[1][0], sn_lane3_scale(ratio, turned[0][0]));
    t[0][1] = sn_lane3_scale(-ratio, turned[0][1]);
    t[0][2] = turned[1][1];
    value[0] = sn_wrapped(angle[1] - ratio * angle[0], sn_lane_load(own + OWN_PERIOD * SN_BLOCK));
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { AXIS_1 = SN_COMMON_PARAMETERS, AXIS_2 = AXIS_1 + 3, RATIO = AXIS_2 + 3, MEASURED };

/* The most teeth, and how near a ratio of theirs is as good as the one that was asked for. */
enum { MOST_TEETH = 1000 };
#define NEAR_RATIO 1e-6

/* p / q with q up to MOST_TEETH, by the continued fraction of a ratio above zero. */
static void find_teeth(double ratio, double *p, double *q) {
    double rest = ratio, p_before = 1, q_before = 0;
    *p = floor(ratio);
    *q = 1;
    while (fabs(ratio - *p / *q) > NEAR_RATIO * ratio) {
        rest = 1 / (rest - floor(rest));
        double next_p = floor(rest) * *p + p_before, next_q = floor(rest) * *q + q_before;
        if (!(next_q <= MOST_TEETH) || (*p > 0 && !(next_p <= MOST_TEETH * MOST_TEETH))) break;
        p_before = *p;
        q_before = *q;
        *p = next_p;
        *q = next_q;
    }
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    double ratio = fabs((double)parameter[RATIO]);
    for (int n = 1; n <= 2; n++)
        sn_prepare_turn_of(from, n, parameter + MEASURED + SN_JOINT_MEASURED * (n - 1));
    if (!(ratio * MOST_TEETH >= 1))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "gear_joint: ratio is %g, expected at least 1/%d one way or the other",
                       (double)parameter[RATIO], (int)MOST_TEETH);
    sn_result result = sn_prepare_axis("gear_joint", parameter + AXIS_1);
    return result == SN_OK ? sn_prepare_axis("gear_joint", parameter + AXIS_2) : result;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *parameter = from->parameter;
    sn_real own[SN_OWN];
    double p, q, sign = parameter[RATIO] < 0 ? -1 : 1;
    for (int n = 0; n < 2; n++)
        sn_derive_rotations(parameter + AXIS_1 + 3 * n,
                            parameter + MEASURED + SN_JOINT_MEASURED * n, own + 8 * n,
                            own + 8 * n + 4);
    find_teeth(sign * (double)parameter[RATIO], &p, &q);
    own[OWN_RATIO] = (sn_real)(sign * p / q);
    own[OWN_PERIOD] = (sn_real)(2 * (double)SN_PI / q);
    sn_derive_side(from, own);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(gear_joint, SN_GEAR_JOINT_FIELDS, "turns a node as another one turns, by a ratio",
               .joins = true, .bounded = true, .timed = true, .measured = 2 * SN_JOINT_MEASURED,
               .compliance = compliance, .one_sided = one_sided)

#endif
