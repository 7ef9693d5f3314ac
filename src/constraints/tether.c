/*
 * A node on a leash: at most a length away from an anchor that it cannot move.
 *
 *   C(x)     = |x_1 - x_0| - l <= 0
 *   grad_0 C = -n,   n = (x_1 - x_0) / |x_1 - x_0|
 *
 * Long range attachments: Kim, Chentanez and Mueller 2012; survey of 2017, section 5.6. The anchor
 * is kinematic, so the whole correction goes to node 0 and masses do not matter: node 0 goes to
 * the sphere around the anchor. Only node 0 counts for colouring.
 *
 * Nearly all tethers are slack. So squared lengths come first, four at a time, and only where one
 * of the four is taut are there a square root and a division. Slack ones write nothing.
 */
#define SN_TYPE tether
#define SN_NODES 2
#define SN_MOVED 1
#define SN_UNIT_GRADIENT 1
#define SN_OWN 2 /* length, and the square up to which it is slack */
#define SN_USUAL_SIDE SN_SIDE_AT_MOST
#include "constraints/formula.h"

#include "constraints/length.inl"
#include "math/any.h"

#if SN_LANES == 1

SN_DEFINE_GENERIC_LOOPS(project_range)
const sn_loops SN_LOOPS(SN_TYPE, 1) = {SN_GENERIC_LOOPS, damp};

#else

/* Four edges, from node 0 to the anchor, and their squared lengths. */
SN_INLINE sn_v4 edges_of(const sn_batch *b, const block *k, size_t i, sn_v4 *e) {
    int32_t zero[4], one[4];
    sn_offsets(k->node[0] + i, zero);
    sn_offsets(k->node[1] + i, one);
    for (size_t j = 0; j < 4; j++)
        e[j] = (sn_at(b->x, one[j]) - sn_at(b->x, zero[j])) +
               (sn_at(b->d, one[j]) - sn_at(b->d, zero[j]));
    return sn_v4_pair_add(sn_v4_pair_add(e[0] * e[0], e[1] * e[1]),
                          sn_v4_pair_add(e[2] * e[2], e[3] * e[3])) +
           TINY;
}

/* Node 0 of each taut one of four goes back to its sphere. The same numbers as in the template,
   where the bound of a slack one leaves nothing to correct. */
SN_INLINE void pull(const sn_batch *b, const block *k, size_t slot, const sn_v4 *e, sn_v4 square,
                    sn_v4_bits taut, const int keep) {
    const sn_real *soft = b->soft + slot / SN_BLOCK * SN_SOFT_ROWS * SN_BLOCK;
    size_t i = slot % SN_BLOCK;
    sn_v4 length = sn_v4_sqrt(square), error = length - *(const sn_v4 *)(k->own[0] + i);
    sn_v4 most = *(const sn_v4 *)(soft + SN_SOFT_MOST * SN_BLOCK + i);
    sn_v4_bits more = (sn_v4_bits)(error > most);
    error = (sn_v4)((more & (sn_v4_bits)most) | (~more & (sn_v4_bits)error));
    if (keep) *(sn_v4 *)(b->lambda + slot) = (sn_v4)((sn_v4_bits)error & taut);
    sn_v4 factor = *(const sn_v4 *)(k->w[0] + i) * (-error * (1 / length));
    factor = (sn_v4)((sn_v4_bits)factor & taut);
    for (size_t j = 0; j < 4; j++)
        if (factor[j] != 0) *sn_in(b->out, k->node[0][i + j]) += factor[j] * -e[j];
}

/* In the first sweep of a substep, where compliance is in the coefficients and nowhere else. */
SN_INLINE void project_slack(const sn_batch *b, size_t begin, size_t end, const int keep) {
    size_t last = (end + SN_BLOCK - 1) / SN_BLOCK;
    for (size_t n = begin / SN_BLOCK; n < last; n++) {
        const block *k = (const block *)b->block + n;
        for (size_t i = 0; i < SN_BLOCK; i += 4) {
            size_t slot = n * SN_BLOCK + i;
            sn_v4 e[4], square = edges_of(b, k, i, e);
            /* What is no number counts as taut, so that it is seen. */
            sn_v4_bits taut = ~(sn_v4_bits)(square <= *(const sn_v4 *)(k->own[1] + i));
            if (sn_v4_any(taut))
                pull(b, k, slot, e, square, taut, keep);
            else if (keep)
                *(sn_v4 *)(b->lambda + slot) = (sn_v4){0};
        }
    }
}

static void quick(const sn_batch *b, size_t begin, size_t end) {
    project_slack(b, begin, end, 0);
}
static void quick_kept(const sn_batch *b, size_t begin, size_t end) {
    if (b->first)
        project_slack(b, begin, end, 1);
    else
        project_range(b, begin, end, SN_COMPLIANT, 1);
}
const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {
    {SN_LOOP_PAIR(quick), SN_LOOP_PAIR(quick)},
    damp,
};

#endif

#if SN_LANES == 1

enum { LENGTH = SN_COMMON_PARAMETERS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    if (parameter[LENGTH] == SN_AUTO) parameter[LENGTH] = SN_ROOT(sn_vec3_dot(x[1], x[1]));
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real w = from->w[0], pivot = sn_pivot(from, w), length = from->parameter[LENGTH];
    bool slack = from->parameter[SN_PARAMETER_SIDE] == (sn_real)SN_SIDE_AT_MOST;
    coefficient[0] = w * pivot;
    coefficient[1] = length;
    coefficient[2] = slack ? length * length : -1;
    return pivot;
}

SN_DEFINE_TYPE(tether, SN_TETHER_FIELDS, "keeps a node within reach of a kinematic node",
               .info.external = true, .scaled = true, .rank = SN_RANK_BOUND)

#endif
