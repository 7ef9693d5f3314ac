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
 *
 * n is taken where the nodes were predicted, which is x without d. Every projection keeps angular
 * momentum at the positions it sees; if each one of a sweep saw others, those that the ones before
 * have left, a couple would remain of what they all do together, in a direction that follows from
 * the order, and a flag would turn about its pole for ever. At the predicted positions nothing
 * remains, as if all were projected at once.
 *
 * Across a stretched edge a sweep is one of Jacobi then, whose step is error / length of every
 * edge, and which overshoots where these are large. What is more than an eighth, with which a node
 * is stable even between eight that cannot move, has the direction that the edge has now; and what
 * is pressed together by more, since a short edge may have turned to anywhere.
 */
#define SN_TYPE distance
#define SN_NODES 2
#define SN_MOVED 2
#define SN_UNIT_GRADIENT 1
#define SN_OWN 1 /* rest length */
#define SN_PREDICTED_SHARE SN_R(0.125)
/* More than is added to the square of now, so that what fills up a block is corrected by little. */
#define SN_PREDICTED_TINY SN_R(1e-26)
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

/* The offsets of both nodes of four edges, on arm64 by loads that extend two at once. */
SN_INLINE void tuned_offsets(const block *k, size_t i, int64_t zero[4], int64_t one[4]) {
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const int32_t *from = k->node[0] + i;
    __asm__("ldpsw %0, %1, [%4]\n\tldpsw %2, %3, [%4, #8]"
            : "=&r"(zero[0]), "=&r"(zero[1]), "=&r"(zero[2]), "=&r"(zero[3])
            : "r"(from), "m"(*(const int32_t(*)[4])from));
    __asm__("ldpsw %0, %1, [%4, #64]\n\tldpsw %2, %3, [%4, #72]"
            : "=&r"(one[0]), "=&r"(one[1]), "=&r"(one[2]), "=&r"(one[3])
            : "r"(from), "m"(*(const int32_t(*)[4])(from + SN_BLOCK)));
    _Static_assert(sizeof k->node[0] == 64, "where the offsets of node 1 are");
#else
    for (size_t j = 0; j < 4; j++) zero[j] = k->node[0][i + j];
    for (size_t j = 0; j < 4; j++) one[j] = k->node[1][i + j];
#endif
}

SN_INLINE sn_v4 tuned_at(const sn_vec4 *array, int64_t offset) {
    return *(const sn_v4 *)((const char *)array + offset);
}

SN_INLINE sn_v4 squares(const sn_v4 e[4]) {
    return sn_v4_pair_add(sn_v4_pair_add(e[0] * e[0], e[1] * e[1]),
                          sn_v4_pair_add(e[2] * e[2], e[3] * e[3]));
}

/* Four edge vectors as predicted, with their squared lengths; returns those of now. */
SN_INLINE sn_v4 tuned_edges(const sn_batch *b, const block *k, size_t i, sn_v4 *edge,
                            sn_v4 *predicted) {
    int64_t zero[4], one[4];
    sn_v4 now[4];
    tuned_offsets(k, i, zero, one);
    for (size_t j = 0; j < 4; j++) {
        edge[j] = tuned_at(b->x, one[j]) - tuned_at(b->x, zero[j]);
        now[j] = edge[j] + (tuned_at(b->d, one[j]) - tuned_at(b->d, zero[j]));
    }
    *predicted = squares(edge);
    return squares(now);
}

/* The multipliers of a sweep: not kept, begun, or gone on with. */
enum { KEEP_NONE, KEEP_FIRST, KEEP_MORE };

/* `small` loses the bits of lanes whose correction is not small, or no number. */
SN_INLINE void tuned_factors(const sn_batch *b, size_t n, const block *k, sn_v4 *edge,
                             sn_real *factor, sn_lane_bits *small, const int softness,
                             const int keep) {
    const sn_real *soft = b->soft + n * SN_SOFT_ROWS * SN_BLOCK;
    for (size_t i = 0; i < SN_BLOCK; i += SN_LANES) {
        sn_v4 square[SN_PARTS], predicted[SN_PARTS];
        for (size_t j = 0; j < SN_LANES; j += 4)
            square[j / 4] = tuned_edges(b, k, i + j, edge + i + j, &predicted[j / 4]);
        sn_real *sum = b->lambda + n * SN_BLOCK + i;
        sn_lane length = sn_lane_sqrt(sn_lane_join(square) + TINY);
        sn_lane scale = 1 / sn_lane_sqrt(sn_lane_join(predicted) + SN_PREDICTED_TINY);
        sn_lane kept = keep == KEEP_MORE ? sn_lane_load(sum) : sn_lane_all(0);
        sn_lane error = length - sn_lane_load(k->own[0] + i);
        if (softness >= SN_COMPLIANT) {
            error -= sn_lane_load(soft + SN_SOFT_ALPHA * SN_BLOCK + i) * kept;
            error = sn_lane_max(error, sn_lane_load(soft + SN_SOFT_LEAST * SN_BLOCK + i) - kept);
            error = sn_lane_min(error, sn_lane_load(soft + SN_SOFT_MOST * SN_BLOCK + i) - kept);
        }
        sn_lane total = kept + error;
        if (keep == KEEP_FIRST) total = error;
        if (keep) sn_lane_store(sum, total);
        sn_lane correction = error * scale;
        sn_lane_store(factor + i, correction);
        *small &= (sn_lane_bits)(sn_lane_max(correction, -correction) <= SN_PREDICTED_SHARE);
    }
}

/* Whether all bits are set. */
SN_INLINE bool is_all(sn_lane_bits bits) {
    sn_v4 part[SN_PARTS];
    sn_lane_split((sn_lane)bits, part);
    union {
        sn_v4_bits whole;
        uint64_t word[sizeof(sn_v4_bits) / sizeof(uint64_t)];
    } all = {(sn_v4_bits)part[0]};
    for (int i = 1; i < SN_PARTS; i++) all.whole &= (sn_v4_bits)part[i];
    uint64_t every = ~(uint64_t)0;
    for (size_t i = 0; i < sizeof all / sizeof *all.word; i++) every &= all.word[i];
    return every == ~(uint64_t)0;
}

/* The directions of a block with large corrections. */
static void tuned_aim(const sn_batch *b, const block *k, sn_v4 *edge, const sn_real *factor) {
    for (size_t i = 0; i < SN_BLOCK; i += SN_LANES) {
        sn_v4 now[SN_LANES];
        for (size_t j = 0; j < SN_LANES; j++)
            now[j] =
                edge[i + j] + (sn_at(b->d, k->node[1][i + j]) - sn_at(b->d, k->node[0][i + j]));
        sn_lane3_to_nodes(aim_between(sn_lane3_from_nodes(edge + i), sn_lane3_from_nodes(now),
                                      sn_lane_load(factor + i)),
                          edge + i);
    }
}

SN_INLINE void tuned_updates(sn_vec4 *restrict out, const block *k, const sn_v4 *edge,
                             const sn_real *factor) {
    for (size_t i = 0; i < SN_BLOCK; i += 4) {
        sn_v4 f = *(const sn_v4 *)(factor + i);
        sn_v4 f0 = *(const sn_v4 *)(k->w[0] + i) * f, f1 = *(const sn_v4 *)(k->w[1] + i) * f;
        int64_t zero[4], one[4];
        tuned_offsets(k, i, zero, one);
        for (size_t j = 0; j < 4; j++) {
            *(sn_v4 *)((char *)out + zero[j]) += f0[j] * edge[i + j];
            *(sn_v4 *)((char *)out + one[j]) -= f1[j] * edge[i + j];
        }
    }
}

SN_LOOP void tuned_run(const sn_batch *b, size_t begin, size_t end, const int softness,
                       const int keep) {
    /* A copy, of which the compiler knows that writing does not change it. */
    const sn_batch mine = *b;
    tuned_batch t;
    size_t last = (end + SN_BLOCK - 1) / SN_BLOCK;
    for (size_t first = begin / SN_BLOCK; first < last; first += TUNED_BLOCKS) {
        size_t n = last - first < TUNED_BLOCKS ? last - first : TUNED_BLOCKS;
        const block *k = (const block *)mine.block + first;
        sn_lane_bits small = ~(sn_lane_bits){0};
        for (size_t i = 0; i < n; i++)
            tuned_factors(&mine, first + i, k + i, t.edge[i], t.factor[i], &small, softness, keep);
        if (!is_all(small))
            for (size_t i = 0; i < n; i++) tuned_aim(&mine, k + i, t.edge[i], t.factor[i]);
        for (size_t i = 0; i < n; i++) tuned_updates(mine.out, k + i, t.edge[i], t.factor[i]);
    }
}

SN_LOOP void project_tuned(const sn_batch *b, size_t begin, size_t end, const int softness,
                           const int keep) {
    if (!keep)
        tuned_run(b, begin, end, softness, KEEP_NONE);
    else if (b->first)
        tuned_run(b, begin, end, softness, KEEP_FIRST);
    else
        tuned_run(b, begin, end, softness, KEEP_MORE);
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

SN_DEFINE_TYPE(distance, SN_DISTANCE_FIELDS, "keeps two nodes at a distance", .scaled = true)

#endif
