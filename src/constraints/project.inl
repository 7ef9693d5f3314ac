/*
 * The loop of a constraint with one row: gather, evaluate, solve, scatter.
 *
 * The including file defines
 *   SN_TYPE           its name
 *   SN_NODES          nodes it reads; the first SN_MOVED of them it moves
 *   SN_UNIT_GRADIENT  1 where no |grad_k C| depends on positions, so that the denominator is a
 *                     coefficient
 *   SN_OWN            coefficient rows of its own
 * and
 *   sn_lane formula(const sn_lane3 x[SN_NODES], const sn_real *own, sn_lane3 u[SN_NODES],
 *                   sn_lane *scale)
 * which returns C from positions relative to node 0, with the gradients grad_k C = scale u_k. (The
 * scale is asked for with unit gradients only. It keeps a division out of the three components.)
 * Row i of its own coefficients is sn_lane_load(own + 16 i). Where some nodes are not moved,
 * nothing is written to the others either while there is nothing to correct: a kinematic one may
 * be read by others.
 *
 * XPBD (Macklin, Mueller and Chentanez 2016; survey of 2017, section 4.2.6, eqs. 22 to 24):
 *
 *                -(C + alpha lambda)
 *   dlambda = -------------------------------        lambda += dlambda
 *             sum_k w_k |grad_k C|^2 + alpha         x_k    += w_k grad_k C dlambda
 *
 * with alpha = compliance / h^2. Bounds on lambda make the sides. The dashpot is a loop of its own,
 * on velocities (step/dashpots.c); it rests where a one-sided constraint does.
 */

typedef struct block {
    int32_t node[SN_NODES][SN_BLOCK];
    /* With unit gradients, inverse masses times the pivot (see `scaled` in state/type.h). */
    sn_real w[SN_MOVED][SN_BLOCK];
#if !SN_UNIT_GRADIENT
    /* The least sum over the nodes that counts: where a shape collapses and its gradient with it, a
       full Newton step would throw it away. */
    sn_real floor[SN_BLOCK];
#endif
    sn_real own[SN_OWN][SN_BLOCK];
} block;

enum { SN_ROWS = 1, SN_FRAMES = 0, SN_FIXED = SN_NODES - SN_MOVED };
enum { SN_COEFFICIENTS = SN_MOVED + !SN_UNIT_GRADIENT + SN_OWN };

/* Node vectors of SN_LANES constraints, relative to their node 0, as (x_k - x_0) + (d_k - d_0). */
SN_INLINE void gather(const sn_batch *b, const block *k, size_t lane, sn_lane3 x[SN_NODES]) {
    sn_lane_nodes near[SN_NODES][SN_NODE_REGISTERS];
    int32_t node[SN_NODES][SN_LANES];
    for (int n = 0; n < SN_NODES; n++) sn_lane_offsets(k->node[n] + lane, node[n]);
    SN_UNROLLED
    for (int i = 0; i < SN_NODE_REGISTERS; i++) {
        sn_lane_nodes x0 = sn_lane_nodes_at(b->x, node[0], i),
                      d0 = sn_lane_nodes_at(b->d, node[0], i);
        for (int n = 1; n < SN_NODES; n++)
            near[n][i] = (sn_lane_nodes_at(b->x, node[n], i) - x0) +
                         (sn_lane_nodes_at(b->d, node[n], i) - d0);
    }
    x[0] = (sn_lane3){sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)};
    SN_UNROLLED
    for (int n = 1; n < SN_NODES; n++) x[n] = sn_lane3_from_registers(near[n]);
}

/* Adds the corrections of all nodes. They are made before the first is written: the compiler cannot
   know that writing a node changes neither coefficients nor indices. */
SN_INLINE void scatter(const sn_batch *b, const block *k, size_t lane, const sn_lane3 u[SN_NODES],
                       sn_lane step) {
    sn_v4 add[SN_MOVED][SN_LANES];
    _Alignas(16) sn_real moves[SN_MOVED][SN_LANES];
    int32_t node[SN_MOVED][SN_LANES];
    SN_UNROLLED
    for (int n = 0; n < SN_MOVED; n++) {
        sn_lane factor = sn_lane_load(k->w[n] + lane) * step;
        if (SN_MOVED < SN_NODES) sn_lane_store(moves[n], factor);
        sn_lane3_to_nodes(sn_lane3_scale(factor, u[n]), add[n]);
        sn_lane_offsets(k->node[n] + lane, node[n]);
    }
    SN_UNROLLED
    for (int n = 0; n < SN_MOVED; n++) {
        if (SN_MOVED == SN_NODES) {
            for (size_t i = 0; i < SN_LANES; i++) add[n][i] = sn_at(b->out, node[n][i]) + add[n][i];
            for (size_t i = 0; i < SN_LANES; i++) *sn_in(b->out, node[n][i]) = add[n][i];
        } else {
            for (size_t i = 0; i < SN_LANES; i++)
                if (moves[n][i] != 0) *sn_in(b->out, node[n][i]) += add[n][i];
        }
    }
}

/* What is kept of a group in this substep. */
SN_INLINE sn_lane kept_of(const sn_batch *b, size_t slot, const int keep) {
    return keep && !b->first ? sn_lane_load(b->lambda + slot) : sn_lane_all(0);
}

/* The step of a group from C and its gradients, with which u leads to its corrections. */
SN_INLINE sn_lane step_of(const sn_batch *b, size_t slot, sn_lane value, sn_lane kept,
                          const int softness, const int keep, const sn_lane3 u[SN_NODES],
                          sn_lane scale) {
    const sn_real *soft = b->soft + slot / SN_BLOCK * SN_SOFT_ROWS * SN_BLOCK + slot % SN_BLOCK;
    sn_lane error = value, step;
#if SN_UNIT_GRADIENT
    /* alpha lambda = -(alpha pivot) e, and `kept` is e. */
    (void)u;
    if (softness >= SN_COMPLIANT) {
        error -= sn_lane_load(soft + SN_SOFT_ALPHA * SN_BLOCK) * kept;
        error = sn_lane_max(error, sn_lane_load(soft + SN_SOFT_LEAST * SN_BLOCK) - kept);
        error = sn_lane_min(error, sn_lane_load(soft + SN_SOFT_MOST * SN_BLOCK) - kept);
    }
    if (keep) sn_lane_store(b->lambda + slot, kept + error);
    step = -error * scale;
#else
    const block *k = (const block *)b->block + slot / SN_BLOCK;
    size_t lane = slot % SN_BLOCK;
    sn_lane sum = sn_lane_all(0);
    (void)scale;
    for (int n = 0; n < SN_MOVED; n++)
        sum += sn_lane_load(k->w[n] + lane) * sn_lane3_dot(u[n], u[n]);
    sum = sn_lane_max(sum, sn_lane_load(k->floor + lane));
    if (softness >= SN_COMPLIANT) {
        sn_lane alpha = sn_lane_load(soft + SN_SOFT_ALPHA * SN_BLOCK);
        error += alpha * kept;
        sum += alpha;
        error *= sn_lane_load(soft + SN_SOFT_RELAX * SN_BLOCK);
    }
    step = -error / sum;
    if (softness >= SN_COMPLIANT) {
        step = sn_lane_max(step, sn_lane_load(soft + SN_SOFT_LEAST * SN_BLOCK) - kept);
        step = sn_lane_min(step, sn_lane_load(soft + SN_SOFT_MOST * SN_BLOCK) - kept);
    }
    if (keep) sn_lane_store(b->lambda + slot, kept + step);
#endif
    return step;
}

/* The same from its positions. */
SN_INLINE sn_lane solve(const sn_batch *b, size_t slot, const sn_lane3 x[SN_NODES],
                        const int softness, const int keep, sn_lane3 u[SN_NODES]) {
    const block *k = (const block *)b->block + slot / SN_BLOCK;
    sn_lane scale = sn_lane_all(1);
    sn_lane value = formula(x, k->own[0] + slot % SN_BLOCK, u, &scale);
    return step_of(b, slot, value, kept_of(b, slot, keep), softness, keep, u, scale);
}

SN_INLINE const block *block_at(const sn_batch *b, size_t slot) {
    return (const block *)b->block + slot / SN_BLOCK;
}

#if SN_LANES == 1

/* One by one, constraints may share nodes, and each must see the one before. */
SN_LOOP void project_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                           const int keep) {
    /* A copy, of which the compiler knows that writing nodes does not change it. */
    const sn_batch mine = *b;
    for (size_t slot = begin; slot < end; slot++) {
        sn_lane3 x[SN_NODES], u[SN_NODES];
        gather(&mine, block_at(b, slot), slot % SN_BLOCK, x);
        sn_lane step = solve(&mine, slot, x, softness, keep, u);
        scatter(&mine, block_at(b, slot), slot % SN_BLOCK, u, step);
    }
}

#else

/* Within a colour the next group may be gathered before this one is scattered. It is gathered
   first, and without asking whether there is one: so the compiler can lay its loads between the
   operations of this group, which wait for each other. */
SN_LOOP void project_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                           const int keep) {
    const sn_batch mine = *b;
    sn_lane3 x[SN_NODES], ahead[SN_NODES];
    if (begin < end) gather(&mine, block_at(&mine, begin), begin % SN_BLOCK, x);
    for (size_t slot = begin; slot < end; slot += SN_LANES) {
        size_t next = slot + SN_LANES < end ? slot + SN_LANES : slot;
        sn_lane3 u[SN_NODES];
        gather(&mine, block_at(&mine, next), next % SN_BLOCK, ahead);
        sn_lane step = solve(&mine, slot, x, softness, keep, u);
        scatter(&mine, block_at(&mine, slot), slot % SN_BLOCK, u, step);
        for (int n = 0; n < SN_NODES; n++) x[n] = ahead[n];
    }
}

#endif

/* ---- The dashpot ---- */

#include "constraints/dashpot.h"

/* 1 where a one-sided constraint is active, 0 where it is slack. */
SN_INLINE sn_lane is_active(const sn_batch *b, size_t slot, sn_lane value) {
    const sn_real *soft = b->soft + slot / SN_BLOCK * SN_SOFT_ROWS * SN_BLOCK + slot % SN_BLOCK;
    /* What the bounds are for: lambda, or with unit gradients the sum of errors. */
    sn_lane wanted = SN_UNIT_GRADIENT ? value : -value, none = sn_lane_all(0);
    sn_lane active = sn_lane_if_less(wanted, sn_lane_load(soft + SN_SOFT_LEAST * SN_BLOCK), none,
                                     sn_lane_all(1));
    return sn_lane_if_less(sn_lane_load(soft + SN_SOFT_MOST * SN_BLOCK), wanted, none, active);
}

static void damp(const sn_dashpots *s, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; slot += SN_LANES) {
        const block *k = block_at(&s->at, slot);
        size_t lane = slot % SN_BLOCK;
        sn_lane3 x[SN_NODES], u[SN_NODES];
        sn_lane w[SN_MOVED], scale = sn_lane_all(1), rate = sn_lane_all(0), sum = rate;
        gather(&s->at, k, lane, x);
        sn_lane value = formula(x, k->own[0] + lane, u, &scale);
        sn_lane kept = sn_lane_load(s->impulse + slot), step = kept;
        for (int n = 0; n < SN_MOVED; n++) w[n] = sn_gather_w(s, k->node[n] + lane);
        if (!s->warm) {
            for (int n = 0; n < SN_NODES; n++)
                rate += sn_lane3_dot(u[n], sn_gather_velocity(s->v, k->node[n] + lane));
            for (int n = 0; n < SN_MOVED; n++) sum += w[n] * sn_lane3_dot(u[n], u[n]);
            if (SN_UNIT_GRADIENT) rate *= scale;
            if (SN_UNIT_GRADIENT) sum *= scale * scale;
#if !SN_UNIT_GRADIENT
            sum = sn_lane_max(sum, sn_lane_load(k->floor + lane));
#endif
            sn_lane alpha = sn_lane_load(s->alpha + slot);
            sn_lane all = sn_damped_step(alpha, kept, -(rate + alpha * kept) / (sum + alpha));
            step = sn_lane_if_less(sn_lane_all(0), is_active(&s->at, slot, value), all, -kept);
            sn_lane_store(s->impulse + slot, kept + step);
        }
        if (SN_UNIT_GRADIENT) step *= scale;
        for (int n = 0; n < SN_MOVED; n++) {
            sn_lane factor = w[n] * step;
            sn_add_velocity(s->v, k->node[n] + lane, factor, sn_lane3_scale(factor, u[n]));
        }
    }
}

#if SN_LANES == 1

static void evaluate(const sn_batch *b, size_t slot, sn_real *value, sn_vec3 *gradient) {
    const block *k = (const block *)b->block + slot / SN_BLOCK;
    sn_lane3 x[SN_NODES], u[SN_NODES];
    sn_lane scale = 1;
    gather(b, k, slot % SN_BLOCK, x);
    *value = formula(x, k->own[0] + slot % SN_BLOCK, u, &scale);
    for (int n = 0; gradient && n < SN_NODES; n++) {
        u[n] = sn_lane3_scale(SN_UNIT_GRADIENT ? scale : 1, u[n]);
        gradient[n] = (sn_vec3){u[n].x, u[n].y, u[n].z};
    }
}

#endif
