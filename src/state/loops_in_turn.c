/*
 * Constraints one by one, with loops that take four at a time.
 *
 * Where a library is to be small it has one width of loops (SN_ONE_WIDTH). What has no colour is
 * then copied into the first lane of a block of its own, beside padding: each constraint sees the
 * one before, and the bits are those of a scalar loop.
 */
#include "state/loops_in_turn.h"

#ifdef SN_ONE_WIDTH

enum { BLOCK = 16, MOST_KEPT = 12, MOST_ROWS = SN_MAX_INDICES + SN_MAX_COEFFICIENTS };

/* A block of its own, with what lies beside blocks. */
typedef struct copy {
    _Alignas(16) char block[MOST_ROWS * BLOCK * sizeof(sn_real)];
    _Alignas(16) sn_real soft[SN_SOFT_ROWS][BLOCK];
    _Alignas(16) sn_real alpha[SN_MAX_ROWS][BLOCK];
    _Alignas(16) sn_real kept[BLOCK * MOST_KEPT];
} copy;

static sn_real *coefficients_of(const sn_constraint_type *type, const void *block) {
    return (sn_real *)((char *)block + (size_t)sn_index_rows(type) * BLOCK * sizeof(int32_t));
}

/* The other lanes: on the node that is none, with coefficients that move nothing. */
static void pad(const sn_constraint_type *type, copy *c) {
    const sn_real nothing[SN_MAX_PARAMETERS] = {0}, massless[SN_MAX_NODES] = {0};
    const sn_vec4 unturnable[SN_MAX_NODES] = {{0, 0, 0, 0}};
    sn_real coefficient[SN_MAX_COEFFICIENTS];
    sn_derivation from = {.type = type,
                          .parameter = nothing,
                          .w = massless,
                          .turn_w = unturnable,
                          .h = 1,
                          .rate_h = 1,
                          .move_h = 1,
                          .h2 = 1,
                          .relax = 1};
    const sn_real soft[SN_SOFT_ROWS] = {[SN_SOFT_RELAX] = 1,
                                        [SN_SOFT_LEAST] = -SN_REAL_MAX,
                                        [SN_SOFT_MOST] = SN_REAL_MAX,
                                        [SN_SOFT_PIVOT] = type->derive(&from, coefficient)};
    sn_real *row = coefficients_of(type, c->block);
    for (int lane = 1; lane < BLOCK; lane++) {
        for (int i = 0; i < sn_index_rows(type); i++)
            ((int32_t *)c->block)[i * BLOCK + lane] = SN_NODE_PADDING * SN_NODE_BYTES;
        for (int i = 0; i < type->coefficients; i++) row[i * BLOCK + lane] = coefficient[i];
        for (int i = 0; i < SN_SOFT_ROWS; i++) c->soft[i][lane] = soft[i];
        for (int i = 0; i < SN_MAX_ROWS; i++) c->alpha[i][lane] = (sn_real)SN_MOST_ALPHA;
    }
    memset(c->kept, 0, sizeof c->kept);
}

/* The batch of one constraint alone. */
static sn_batch copy_of(const sn_batch *b, size_t slot, copy *c) {
    size_t block = slot / BLOCK, lane = slot % BLOCK;
    const char *from = (const char *)b->block + block * sn_block_bytes(b->type);
    const sn_real *own = coefficients_of(b->type, from);
    sn_real *row = coefficients_of(b->type, c->block);
    for (int i = 0; i < sn_index_rows(b->type); i++)
        ((int32_t *)c->block)[i * BLOCK] = ((const int32_t *)from)[(size_t)i * BLOCK + lane];
    for (int i = 0; i < b->type->coefficients; i++) row[i * BLOCK] = own[(size_t)i * BLOCK + lane];
    for (size_t i = 0; i < SN_SOFT_ROWS; i++)
        c->soft[i][0] = b->soft[(block * SN_SOFT_ROWS + i) * BLOCK + lane];
    sn_batch one = *b;
    one.block = c->block;
    one.soft = c->soft[0];
    one.lambda = c->kept;
    return one;
}

static const sn_loops *loops_of(const sn_batch *b) {
    return b->type->loops[SN_WIDTH_4];
}

static void project(const sn_batch *b, size_t begin, size_t end, sn_softness softness, int keep) {
    sn_loop *loop = loops_of(b)->project[softness][keep];
    size_t bytes = sn_lambda_bytes(b->type), kept = bytes / sizeof(sn_real);
    bool listed = b->type->info.list != SN_LIST_NONE;
    copy c;
    if (!listed) pad(b->type, &c);
    for (size_t slot = begin; slot < end; slot++) {
        /* Those with lists take any range. */
        if (listed) {
            loop(b, slot, slot + 1);
            continue;
        }
        sn_batch one = copy_of(b, slot, &c);
        if (keep) memcpy(c.kept, b->lambda + slot * kept, bytes);
        loop(&one, 0, 1);
        if (keep) memcpy(b->lambda + slot * kept, c.kept, bytes);
    }
}

static void damp(const sn_dashpots *d, size_t begin, size_t end) {
    const sn_batch *b = &d->at;
    sn_dashpot_loop *loop = loops_of(b)->damp;
    size_t bytes = sn_impulse_bytes(b->type), kept = bytes / sizeof(sn_real);
    size_t rows = (size_t)sn_dashpot_rows(b->type);
    bool listed = b->type->info.list != SN_LIST_NONE;
    copy c;
    if (!listed) pad(b->type, &c);
    for (size_t slot = begin; slot < end; slot++) {
        if (listed) {
            loop(d, slot, slot + 1);
            continue;
        }
        sn_dashpots one = *d;
        one.at = copy_of(b, slot, &c);
        one.alpha = c.alpha[0];
        one.impulse = c.kept;
        for (size_t i = 0; i < rows; i++)
            c.alpha[i][0] = d->alpha[(slot / BLOCK * rows + i) * BLOCK + slot % BLOCK];
        memcpy(c.kept, d->impulse + slot * kept, bytes);
        loop(&one, 0, 1);
        memcpy(d->impulse + slot * kept, c.kept, bytes);
    }
}

#define SN_IN_TURN(name, softness, keep)                                                           \
    static void name(const sn_batch *b, size_t begin, size_t end) {                                \
        project(b, begin, end, softness, keep);                                                    \
    }
SN_IN_TURN(hard, SN_HARD, 0)
SN_IN_TURN(hard_kept, SN_HARD, 1)
SN_IN_TURN(compliant, SN_COMPLIANT, 0)
SN_IN_TURN(compliant_kept, SN_COMPLIANT, 1)

const sn_loops sn_loops_in_turn = {{{hard, hard_kept}, {compliant, compliant_kept}}, damp};

#endif
