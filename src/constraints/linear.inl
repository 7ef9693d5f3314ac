/*
 * The loop of a constraint that is linear in the positions, a vector:
 *
 *   C = sum_k c_k x_k = sum_k>0 c_k (x_k - x_0)          as sum_k c_k = 0
 *
 * The including file defines SN_TYPE, SN_NODES, SN_MOVED as in project.inl, and SN_OFFSET, 1 where
 * a constant vector is added to x_1 - x_0. With SN_CLOSING, C becomes shorter in a substep by a
 * coefficient rather than zero at once. A node is one register here, so nothing is transposed and
 * all widths run the same code. The three rows share a scalar denominator:
 *
 *   dlambda = -(C + alpha lambda) / (sum_k w_k c_k^2 + alpha)
 *   x_k    += w_k c_k dlambda
 *
 * The dashpot (step/dashpots.c) acts along C only: across it, it would brake rigid rotation. Its
 * impulse is kept as a vector, since C may pass zero and turn round.
 *
 * With SN_BOUNDED, multipliers have bounds row by row, for limits and motors, and derive_bounds
 * makes coefficients of them. The type is `bounded` then, and `timed`.
 */

#include "constraints/dashpot.h"

#ifndef SN_CLOSING
#define SN_CLOSING 0
#endif
#ifndef SN_BOUNDED
#define SN_BOUNDED 0
#endif

typedef struct block {
    int32_t node[SN_NODES][SN_BLOCK];
    sn_real c[SN_NODES - 1][SN_BLOCK]; /* of nodes 1 and up */
    sn_real wc[SN_MOVED][SN_BLOCK];    /* w_k c_k, times the pivot (see `scaled` in state/type.h) */
#if SN_OFFSET
    sn_real offset[3][SN_BLOCK];
#endif
#if SN_BOUNDED
    sn_real least[3][SN_BLOCK], most[3][SN_BLOCK]; /* of the sum of the corrected errors */
#endif
#if SN_CLOSING
    sn_real closing[SN_BLOCK]; /* m, in the time that d - p takes */
#endif
} block;

enum { SN_ROWS = 3, SN_FRAMES = 0, SN_FIXED = SN_NODES - SN_MOVED };
enum { SN_FIRST_BOUND = SN_NODES - 1 + SN_MOVED + 3 * SN_OFFSET };
enum { SN_COEFFICIENTS = SN_FIRST_BOUND + 6 * SN_BOUNDED + SN_CLOSING };

/* sum_k>0 c_k y_k */
SN_INLINE sn_v4 combine(const sn_real c[SN_NODES - 1], const sn_v4 y[SN_NODES]) {
    sn_v4 sum = c[0] * y[1];
    for (int n = 2; n < SN_NODES; n++) sum += c[n - 1] * y[n];
    return sum;
}

SN_INLINE void take_coefficients(const block *k, size_t lane, sn_real c[SN_NODES - 1]) {
    for (int n = 0; n < SN_NODES - 1; n++) c[n] = k->c[n][lane];
}

SN_INLINE sn_v4 value_of(const sn_batch *b, const block *k, size_t lane,
                         const sn_real c[SN_NODES - 1]) {
    int32_t zero = k->node[0][lane];
    sn_v4 x0 = sn_at(b->x, zero), d0 = sn_at(b->d, zero), y[SN_NODES];
    for (int n = 1; n < SN_NODES; n++) {
        int32_t other = k->node[n][lane];
        y[n] = sn_at(b->x, other) - x0;
#if SN_OFFSET
        /* Before the small displacements, or they would be lost far from the origin. */
        if (n == 1) y[n] += (sn_v4){k->offset[0][lane], k->offset[1][lane], k->offset[2][lane], 0};
#endif
        y[n] += sn_at(b->d, other) - d0;
    }
    return combine(c, y);
}

/* What of C is to be corrected: all of it, or with SN_CLOSING what is longer than it was when the
   substep began, less what closes in it. */
SN_INLINE sn_v4 excess_of(const sn_batch *b, const block *k, size_t lane, sn_v4 value) {
#if SN_CLOSING
    if (!(k->closing[lane] < SN_INFINITY)) return value;
    sn_v4 start = value;
    for (int n = 1; n < SN_NODES; n++) {
        int32_t other = k->node[n][lane], zero = k->node[0][lane];
        start -= k->c[n - 1][lane] * ((sn_at(b->d, other) - sn_at(b->p, other)) -
                                      (sn_at(b->d, zero) - sn_at(b->p, zero)));
    }
    sn_real left = sn_v4_length(start) - k->closing[lane];
    sn_real length = sn_v4_length(value);
    if (left > 0 && length > 0) value *= 1 - left / length;
#else
    (void)b, (void)k, (void)lane;
#endif
    return value;
}

#if SN_BOUNDED
/* The error with which the sum stays within its bounds: the rows do not know of each other. */
SN_INLINE sn_v4 bounded_error(const block *k, size_t lane, sn_v4 kept, sn_v4 error) {
    for (int i = 0; i < 3; i++) {
        sn_real least = k->least[i][lane] - kept[i], most = k->most[i][lane] - kept[i];
        error[i] = error[i] < least ? least : most < error[i] ? most : error[i];
    }
    return error;
}
#endif

/* The error that a constraint is to be corrected by. */
SN_INLINE sn_v4 error_of(const sn_batch *b, const block *k, size_t slot, const int softness,
                         const int keep) {
    size_t lane = slot % SN_BLOCK;
    const sn_real *soft = b->soft + slot / SN_BLOCK * SN_SOFT_ROWS * SN_BLOCK + lane;
    sn_v4 *sum = (sn_v4 *)b->lambda;
    sn_real c[SN_NODES - 1];
    take_coefficients(k, lane, c);
    sn_v4 value = value_of(b, k, lane, c), error = excess_of(b, k, lane, value);
    sn_v4 kept = {0};
    if (keep && !b->first) kept = sum[slot];
    /* alpha lambda = -(alpha pivot) e, and `kept` is e. */
    if (softness >= SN_COMPLIANT) error -= soft[SN_SOFT_ALPHA * SN_BLOCK] * kept;
#if SN_BOUNDED
    error = bounded_error(k, lane, kept, error);
#endif
    if (keep) sum[slot] = kept + error;
    return error;
}

SN_INLINE void correct(sn_vec4 *out, const block *k, size_t lane, sn_v4 error) {
    for (int n = 0; n < SN_MOVED; n++) {
        /* A kinematic node may be the anchor of others, who read it at the same time. */
        if (SN_MOVED < SN_NODES && k->wc[n][lane] == 0) continue;
        *sn_in(out, k->node[n][lane]) -= k->wc[n][lane] * error;
    }
}

#if SN_LANES == 1

/* One by one, constraints may share nodes, and each must see the one before. */
SN_LOOP void project_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                           const int keep) {
    for (size_t slot = begin; slot < end; slot++) {
        const block *k = (const block *)b->block + slot / SN_BLOCK;
        correct(b->out, k, slot % SN_BLOCK, error_of(b, k, slot, softness, keep));
    }
}

#else

/*
 * Four at a time: no error waits for the one before, coefficients are loaded in fours, and nodes
 * stay in registers from when they are read until they are written, with their offsets.
 */
typedef struct four {
    int32_t node[SN_NODES][4];
    sn_v4 d[SN_NODES][4];
} four;

SN_INLINE void take_four(const sn_batch *b, const block *k, size_t lane, four *f, sn_v4 value[4]) {
    sn_v4 c[SN_NODES];
    for (int n = 0; n < SN_NODES; n++) sn_offsets(k->node[n] + lane, f->node[n]);
    for (int n = 1; n < SN_NODES; n++) c[n] = *(const sn_v4 *)(k->c[n - 1] + lane);
    SN_UNROLLED
    for (size_t j = 0; j < 4; j++) {
        for (int n = 0; n < SN_NODES; n++) f->d[n][j] = sn_at(b->d, f->node[n][j]);
        sn_v4 x0 = sn_at(b->x, f->node[0][j]);
        for (int n = 1; n < SN_NODES; n++) {
            sn_v4 y = sn_at(b->x, f->node[n][j]) - x0;
#if SN_OFFSET
            size_t i = lane + j;
            if (n == 1) y += (sn_v4){k->offset[0][i], k->offset[1][i], k->offset[2][i], 0};
#endif
            y += f->d[n][j] - f->d[0][j];
            value[j] = n == 1 ? c[n][j] * y : value[j] + c[n][j] * y;
        }
    }
}

SN_INLINE void give_four(sn_vec4 *out, const block *k, size_t lane, const four *f,
                         const sn_v4 error[4]) {
    sn_v4 wc[SN_MOVED];
    for (int n = 0; n < SN_MOVED; n++) wc[n] = *(const sn_v4 *)(k->wc[n] + lane);
    SN_UNROLLED
    for (size_t j = 0; j < 4; j++) {
        for (int n = 0; n < SN_MOVED; n++) {
            if (SN_MOVED < SN_NODES && wc[n][j] == 0) continue;
            *sn_in(out, f->node[n][j]) = f->d[n][j] - wc[n][j] * error[j];
        }
    }
}

SN_INLINE void project_four(const sn_batch *b, const block *k, size_t number, size_t lane,
                            const int softness, const int keep, const int first) {
    const sn_real *soft = b->soft + number * SN_SOFT_ROWS * SN_BLOCK + lane;
    sn_v4 *sum = (sn_v4 *)b->lambda + number * SN_BLOCK + lane, error[4];
    four f;
    take_four(b, k, lane, &f, error);
    SN_UNROLLED
    for (size_t j = 0; keep && j < 4; j++) {
        sn_v4 kept = {0};
        if (!first) kept = sum[j]; /* nothing is kept in the first sweep */
        if (softness >= SN_COMPLIANT && !first)
            error[j] -= soft[SN_SOFT_ALPHA * SN_BLOCK + j] * kept;
        sum[j] = kept + error[j];
    }
    give_four(b->out, k, lane, &f, error);
}

/* What needs the motion of the nodes as well, and what adds to something else than displacements,
   goes one by one: all errors of a block, then all corrections. */
SN_INLINE void project_singly(const sn_batch *b, size_t begin, size_t end, const int softness,
                              const int keep) {
    for (size_t slot = begin; slot < end; slot += SN_BLOCK) {
        const block *k = (const block *)b->block + slot / SN_BLOCK;
        size_t count = end - slot < SN_BLOCK ? end - slot : SN_BLOCK;
        sn_v4 error[SN_BLOCK];
        for (size_t i = 0; i < count; i++) error[i] = error_of(b, k, slot + i, softness, keep);
        for (size_t i = 0; i < count; i++) correct(b->out, k, i, error[i]);
    }
}

SN_INLINE void project_fours(const sn_batch *b, size_t begin, size_t end, const int softness,
                             const int keep, const int first) {
    /* A copy, of which the compiler knows that writing nodes does not change it. */
    const sn_batch mine = *b;
    const block *k = (const block *)mine.block;
    for (size_t i = begin / SN_BLOCK; i < (end + SN_BLOCK - 1) / SN_BLOCK; i++)
        for (size_t lane = 0; lane < SN_BLOCK; lane += 4)
            project_four(&mine, k + i, i, lane, softness, keep, first);
}

SN_LOOP void project_range(const sn_batch *b, size_t begin, size_t end, const int softness,
                           const int keep) {
    if (SN_CLOSING || SN_BOUNDED || b->out != b->d)
        project_singly(b, begin, end, softness, keep);
    else if (!keep || b->first)
        project_fours(b, begin, end, softness, keep, 1);
    else
        project_fours(b, begin, end, softness, keep, 0);
}

#endif

SN_DEFINE_GENERIC_LOOPS(project_range)

/* One at a time, as nodes are registers; in a colour no node is moved twice. */
static void damp(const sn_dashpots *d, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; slot++) {
        const block *k = (const block *)d->at.block + slot / SN_BLOCK;
        size_t lane = slot % SN_BLOCK;
        sn_v4 *kept = (sn_v4 *)d->impulse + slot, rate = {0};
        sn_real c[SN_NODES] = {0}, sum = 0;
        take_coefficients(k, lane, c + 1);
        for (int n = 1; n < SN_NODES; n++) c[0] -= c[n];
        sn_v4 value = value_of(&d->at, k, lane, c + 1);
        for (int n = 0; n < SN_MOVED; n++)
            sum += d->w[k->node[n][lane] / SN_NODE_BYTES] * c[n] * c[n];
        for (int n = 0; n < SN_NODES && !d->warm; n++) rate += c[n] * sn_at(d->v, k->node[n][lane]);
        sn_real alpha = d->alpha[slot / SN_BLOCK * SN_ROWS * SN_BLOCK + lane];
        sn_v4 push = sn_damp_along(value, rate, sum, alpha, d->warm, kept);
        bool any = push[0] != 0 || push[1] != 0 || push[2] != 0;
        for (int n = 0; n < SN_MOVED; n++) {
            int32_t node = k->node[n][lane];
            sn_real w = d->w[node / SN_NODE_BYTES];
            if (w > 0 && any) *sn_in(d->v, node) += (w * c[n]) * push;
        }
    }
}

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

static void evaluate(const sn_batch *b, size_t slot, sn_real *value, sn_vec3 *gradient) {
    const block *k = (const block *)b->block + slot / SN_BLOCK;
    size_t lane = slot % SN_BLOCK;
    sn_real c[SN_NODES] = {0};
    take_coefficients(k, lane, c + 1);
    sn_v4 v = value_of(b, k, lane, c + 1);
    for (int n = 1; n < SN_NODES; n++) c[0] -= c[n];
    for (int row = 0; row < 3; row++) {
        value[row] = v[row];
        for (int n = 0; gradient && n < SN_NODES; n++)
            gradient[row * SN_NODES + n] =
                (sn_vec3){row == 0 ? c[n] : 0, row == 1 ? c[n] : 0, row == 2 ? c[n] : 0};
    }
}

/* Coefficients from c_0 to c_n and an offset, which is null where there is none; the pivot. */
static sn_real derive_linear(const sn_derivation *from, const sn_real c[SN_NODES],
                             const sn_real *offset, sn_real *coefficient) {
    sn_real *out = coefficient, sum = 0;
    for (int n = 0; n < SN_MOVED; n++) sum += from->w[n] * c[n] * c[n];
    sn_real pivot = sn_pivot(from, sum);
    for (int n = 1; n < SN_NODES; n++) *out++ = c[n];
    for (int n = 0; n < SN_MOVED; n++) *out++ = from->w[n] * c[n] * pivot;
    for (int i = 0; i < 3 * SN_OFFSET; i++) *out++ = offset[i];
    return pivot;
}

#if SN_BOUNDED
/* Coefficients from the bounds of the multipliers, forces times the h2 of the derivation, and from
   the pivot: lambda = -pivot e. What nothing can move has multipliers of zero, whatever its sum. */
static void derive_bounds(const sn_real least[3], const sn_real most[3], sn_real pivot,
                          sn_real *coefficient) {
    for (int i = 0; i < 3; i++) {
        coefficient[SN_FIRST_BOUND + i] = pivot > 0 ? -most[i] / pivot : -SN_INFINITY;
        coefficient[SN_FIRST_BOUND + 3 + i] = pivot > 0 ? -least[i] / pivot : SN_INFINITY;
    }
}
#endif

#endif
