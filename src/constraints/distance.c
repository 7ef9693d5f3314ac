/*
 * Distance between two nodes.
 *
 *   C(x)     = |x_1 - x_0| - l
 *   grad_1 C =  n,   n = (x_1 - x_0) / |x_1 - x_0|
 *   grad_0 C = -n
 *
 * Mueller et al. 2007, section 3.3, eqs. 10 and 11; survey of 2017, section 5.1. Compliance takes
 * the place of their stiffness k. The gradients have length one, so the denominator of the
 * projection is constant, and with one direction for both nodes a projection is a square root, a
 * division and a few products. Two coincident nodes have no direction and are left alone.
 */
#define SN_TYPE distance
#define SN_NODES 2
#define SN_MOVED 2
#define SN_UNIT_GRADIENT 1
#define SN_OWN 1 /* rest length */
#include "constraints/formula.h"

#include "constraints/length.inl"

#if SN_LANES == 1

SN_DEFINE_GENERIC_LOOPS(project_range)
const sn_loops SN_LOOPS(SN_TYPE, 1) = {SN_GENERIC_LOOPS, damp};

#else

/*
 * The tuned loop: the same arithmetic in another order of work.
 *
 * An edge vector stays in one register and is scaled by a broadcast factor, so nothing is
 * transposed but the squares. A batch goes in two phases: first all factors, then all updates;
 * otherwise every update would wait for its square root and division.
 */
enum { TUNED_BLOCKS = 4 };

typedef struct tuned_batch {
    sn_v4 edge[TUNED_BLOCKS][SN_BLOCK];
    sn_real factor[TUNED_BLOCKS][SN_BLOCK]; /* error / length */
} tuned_batch;

/* Four edge vectors, and their squared lengths. */
SN_INLINE sn_v4 tuned_edges(const sn_vec4 *x, const sn_vec4 *d, const block *k, size_t i,
                            sn_v4 *e) {
    int32_t zero[4], one[4];
    sn_offsets(k->node[0] + i, zero);
    sn_offsets(k->node[1] + i, one);
    for (size_t j = 0; j < 4; j++)
        e[j] = (sn_at(x, one[j]) - sn_at(x, zero[j])) + (sn_at(d, one[j]) - sn_at(d, zero[j]));
    return sn_v4_pair_add(sn_v4_pair_add(e[0] * e[0], e[1] * e[1]),
                          sn_v4_pair_add(e[2] * e[2], e[3] * e[3]));
}

SN_INLINE void tuned_factors(const sn_batch *b, size_t n, const block *k, sn_v4 *edge,
                             sn_real *factor, const int softness, const int keep) {
    const sn_real *soft = b->soft + n * SN_SOFT_ROWS * SN_BLOCK;
    for (size_t i = 0; i < SN_BLOCK; i += SN_LANES) {
        sn_v4 square[SN_PARTS];
        for (size_t j = 0; j < SN_LANES; j += 4)
            square[j / 4] = tuned_edges(b->x, b->d, k, i + j, edge + i + j);
        sn_real *sum = b->lambda + n * SN_BLOCK + i;
        sn_lane length = sn_lane_sqrt(sn_lane_join(square) + TINY), scale = 1 / length;
        sn_lane kept = keep && !b->first ? sn_lane_load(sum) : sn_lane_all(0);
        sn_lane error = length - sn_lane_load(k->own[0] + i);
        if (softness >= SN_COMPLIANT) {
            error -= sn_lane_load(soft + SN_SOFT_ALPHA * SN_BLOCK + i) * kept;
            error = sn_lane_max(error, sn_lane_load(soft + SN_SOFT_LEAST * SN_BLOCK + i) - kept);
            error = sn_lane_min(error, sn_lane_load(soft + SN_SOFT_MOST * SN_BLOCK + i) - kept);
        }
        if (keep) sn_lane_store(sum, kept + error);
        sn_lane_store(factor + i, error * scale);
    }
}

SN_INLINE void tuned_updates(sn_vec4 *restrict out, const block *k, const sn_v4 *edge,
                             const sn_real *factor) {
    for (size_t i = 0; i < SN_BLOCK; i += 4) {
        sn_v4 f = *(const sn_v4 *)(factor + i);
        sn_v4 f0 = *(const sn_v4 *)(k->w[0] + i) * f, f1 = *(const sn_v4 *)(k->w[1] + i) * f;
        int32_t zero[4], one[4];
        sn_offsets(k->node[0] + i, zero);
        sn_offsets(k->node[1] + i, one);
        SN_UNROLLED
        for (size_t j = 0; j < 4; j++) {
            *sn_in(out, zero[j]) += f0[j] * edge[i + j];
            *sn_in(out, one[j]) -= f1[j] * edge[i + j];
        }
    }
}

SN_LOOP void project_tuned(const sn_batch *b, size_t begin, size_t end, const int softness,
                           const int keep) {
    tuned_batch t;
    size_t last = (end + SN_BLOCK - 1) / SN_BLOCK;
    for (size_t first = begin / SN_BLOCK; first < last; first += TUNED_BLOCKS) {
        size_t n = last - first < TUNED_BLOCKS ? last - first : TUNED_BLOCKS;
        const block *k = (const block *)b->block + first;
        for (size_t i = 0; i < n; i++)
            tuned_factors(b, first + i, k + i, t.edge[i], t.factor[i], softness, keep);
        for (size_t i = 0; i < n; i++) tuned_updates(b->out, k + i, t.edge[i], t.factor[i]);
    }
}

SN_DEFINE_LOOPS(tuned_hard, project_tuned, SN_HARD)
SN_DEFINE_LOOPS(tuned_compliant, project_tuned, SN_COMPLIANT)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {
    {SN_LOOP_PAIR(tuned_hard), SN_LOOP_PAIR(tuned_compliant)},
    damp,
};

#endif

#if SN_LANES == 1

enum { REST_LENGTH = SN_COMMON_PARAMETERS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    if (parameter[REST_LENGTH] == SN_AUTO)
        parameter[REST_LENGTH] = SN_ROOT(sn_vec3_dot(x[1], x[1]));
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real pivot = sn_pivot(from, from->w[0] + from->w[1]);
    coefficient[0] = from->w[0] * pivot;
    coefficient[1] = from->w[1] * pivot;
    coefficient[2] = from->parameter[REST_LENGTH];
    return pivot;
}

/* As a line of E A: its compliance is l / E A. */
static void scale_length(sn_real *parameter, double ratio) {
    parameter[REST_LENGTH] = (sn_real)((double)parameter[REST_LENGTH] * ratio);
    parameter[SN_PARAMETER_COMPLIANCE] =
        (sn_real)((double)parameter[SN_PARAMETER_COMPLIANCE] * ratio);
    parameter[SN_PARAMETER_DAMPING] = (sn_real)((double)parameter[SN_PARAMETER_DAMPING] / ratio);
}

SN_DEFINE_TYPE(distance, SN_DISTANCE_FIELDS, "keeps two nodes at a distance", .scaled = true,
               .scale_length = scale_length)

#endif
