/*
 * The length of a rope over two pulleys.
 *
 *   C(x)     = |x_1 - x_0| + |x_2 - x_1| + s |x_3 - x_2| - l
 *   grad_0 C = -n_a,   grad_1 C = n_a - n_b,   grad_2 C = n_b - s n_c,   grad_3 C = s n_c
 *
 * with n the directions of the three stretches. One distance (Mueller et al. 2007, section 3.3)
 * along a path: the rope runs through nodes 1 and 2 without friction, so its tension, the
 * multiplier, is the same everywhere.
 *
 * No stretch is shorter than 0: an end that is drawn to its pulley stops there, and does not go
 * through, as it would along a gradient that points the other way behind it. It has its direction
 * no longer, the rope is as much shorter, and what is left to correct is left to the other end. It
 * and its pulley are drawn to each other by what brings them together, which is less than the
 * tension: the pulley bears the rest.
 */
#define SN_TYPE pulley
#define SN_NODES 4
#define SN_MOVED 4
#define SN_UNIT_GRADIENT 0
#define SN_OWN 2 /* length, strands */
#include "constraints/formula.h"

/* Below the square of any length that matters, and large enough for its inverse to be finite. */
#define TINY SN_R(1e-30)

SN_INLINE sn_lane stretch(sn_lane3 from, sn_lane3 to, sn_lane3 *n) {
    sn_lane3 r = sn_lane3_sub(to, from);
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(r, r) + TINY);
    *n = sn_lane3_scale(1 / length, r);
    return length;
}

SN_INLINE sn_lane formula(const sn_lane3 x[SN_NODES], const sn_real *own, sn_lane3 u[SN_NODES],
                          sn_lane *scale) {
    (void)scale;
    sn_lane strands = sn_lane_load(own + SN_BLOCK);
    sn_lane3 a, b, c;
    sn_lane length =
        (stretch(x[0], x[1], &a) + stretch(x[1], x[2], &b)) + strands * stretch(x[2], x[3], &c);
    u[3] = sn_lane3_scale(strands, c);
    u[2] = sn_lane3_sub(b, u[3]);
    u[1] = sn_lane3_sub(a, b);
    u[0] = sn_lane3_minus(a);
    return length - sn_lane_load(own);
}

#include "constraints/project.inl"

/* An end of the rope. */
typedef struct rope_end {
    int end, pulley;
    sn_lane3 out;       /* the direction from the pulley to the end */
    sn_lane times, gap; /* the strands between them, and how long each is, m */
    sn_lane w, w_pulley;
    sn_lane left; /* 1, and 0 of an end that comes to its pulley */
} rope_end;

SN_INLINE rope_end end_of(const block *k, size_t lane, const sn_lane3 x[SN_NODES], int end,
                          int pulley, sn_lane times) {
    rope_end e = {.end = end, .pulley = pulley, .times = times, .left = sn_lane_all(1)};
    e.gap = stretch(x[pulley], x[end], &e.out);
    e.w = sn_lane_load(k->w[end] + lane);
    e.w_pulley = sn_lane_load(k->w[pulley] + lane);
    return e;
}

/* Takes an end out of C and its gradients that a step would draw through its pulley. */
SN_INLINE void stop(rope_end *e, sn_lane step, sn_lane *value, sn_lane3 u[SN_NODES]) {
    const sn_lane zero = sn_lane_all(0);
    sn_lane3 apart =
        sn_lane3_sub(sn_lane3_scale(e->w, u[e->end]), sn_lane3_scale(e->w_pulley, u[e->pulley]));
    sn_lane to = e->gap + step * sn_lane3_dot(e->out, apart);
    sn_lane stops = sn_lane_if_less(step, zero, sn_lane_if_less(to, zero, e->left, zero), zero);
    e->left -= stops;
    *value -= stops * e->times * e->gap;
    u[e->pulley] = sn_lane3_add(u[e->pulley], sn_lane3_scale(stops * e->times, e->out));
    u[e->end] = sn_lane3_sub(u[e->end], sn_lane3_scale(stops, u[e->end]));
}

/* What has stopped and its pulley come together. */
SN_INLINE void meet(const rope_end *e, sn_lane step, sn_lane3 u[SN_NODES]) {
    const sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane sum = e->w + e->w_pulley, pull = sn_lane_if_less(step, zero, -step, one);
    sn_lane share = e->gap / (sn_lane_if_less(zero, sum, sum, one) * pull);
    share = sn_lane_if_less(step, zero, sn_lane_min(share, e->times), zero) * (1 - e->left);
    u[e->end] = sn_lane3_add(u[e->end], sn_lane3_scale(share, e->out));
    u[e->pulley] = sn_lane3_sub(u[e->pulley], sn_lane3_scale(share, e->out));
}

/* The step of a group: where an end stops, the other one has more to do, and may stop by that. */
SN_INLINE sn_lane pull(const sn_batch *b, size_t slot, const sn_lane3 x[SN_NODES],
                       const int softness, const int keep, sn_lane3 u[SN_NODES]) {
    const block *k = block_at(b, slot);
    const size_t lane = slot % SN_BLOCK;
    sn_lane scale = sn_lane_all(1), kept = kept_of(b, slot, keep);
    sn_lane value = formula(x, k->own[0] + lane, u, &scale);
    sn_lane step = step_of(b, slot, value, kept, softness, keep, u, scale);
    rope_end end[2] = {end_of(k, lane, x, 0, 1, sn_lane_all(1)),
                       end_of(k, lane, x, 3, 2, sn_lane_load(k->own[1] + lane))};
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < 2; i++) stop(&end[i], step, &value, u);
        step = step_of(b, slot, value, kept, softness, keep, u, scale);
    }
    for (int i = 0; i < 2; i++) meet(&end[i], step, u);
    return step;
}

SN_LOOP void pull_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                        const int keep) {
    const sn_batch mine = *b;
    for (size_t slot = begin; slot < end; slot += SN_LANES) {
        sn_lane3 x[SN_NODES], u[SN_NODES];
        gather(&mine, block_at(&mine, slot), slot % SN_BLOCK, x);
        sn_lane step = pull(&mine, slot, x, softness, keep, u);
        scatter(&mine, block_at(&mine, slot), slot % SN_BLOCK, u, step);
    }
}

SN_DEFINE_GENERIC_LOOPS(pull_range)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

enum { REST_LENGTH = SN_COMMON_PARAMETERS, STRANDS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    sn_real sum = 0;
    for (int n = 0; n < 3; n++) {
        sn_vec3 r = sn_vec3_sub(x[n + 1], x[n]);
        sum += (n == 2 ? parameter[STRANDS] : 1) * SN_ROOT(sn_vec3_dot(r, r));
    }
    if (!(parameter[STRANDS] > 0))
        return sn_fail(SN_ERROR_DEGENERATE, "pulley: strands is 0, expected above 0");
    if (parameter[REST_LENGTH] == SN_AUTO) parameter[REST_LENGTH] = sum;
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real strands = from->parameter[STRANDS];
    for (int n = 0; n < SN_NODES; n++) coefficient[n] = from->w[n];
    sn_real sum = from->w[0] + strands * strands * from->w[3];
    /* The ends pull along the rope wherever it leads; a hundredth of that, or, where both are held,
       of what its pulleys can have. */
    if (!(sum > 0)) sum = from->w[1] + (1 + strands) * (1 + strands) * from->w[2];
    coefficient[SN_NODES] = sum > 0 ? SN_R(0.01) * sum : SN_INFINITY;
    coefficient[SN_NODES + 1] = from->parameter[REST_LENGTH];
    coefficient[SN_NODES + 2] = strands;
    return 1;
}

SN_DEFINE_TYPE(pulley, SN_PULLEY_FIELDS, "keeps the length of a rope over two pulleys",
               .measured = 0)

#endif
