/*
 * Features of two leaves that may come near each other, one with several at a time. Every stage
 * leaves about half of what the one before it let through: by the boxes around paths and by how far
 * two are apart at rest, and by a plane between them.
 *
 * Compiled once per SIMD width: for those that are not wider than a block of features.
 */
#include "contact/surface/feature_fours.h"
#include "contact/surface/rest_tables.h"
#include "math/lanes.h"

#if SN_LANES > 1 && SN_LANES <= SN_FEATURE_LANES

/* Lanes of a block, and fours of lanes. */
enum { STEPS = SN_FEATURE_LANES / SN_LANES, FOURS = SN_LANES / 4 };
/* All of a leaf that may be compared with all of another; the last is written over. */
enum { MOST_FOUND = SN_FEATURE_MOST * ((SN_FEATURE_MOST + SN_LANES - 1) / SN_LANES) + 1 };
/* m^2: no square is less. */
#define NEVER SN_R(-1.0)

/* ---- Lanes ---- */

/* The lanes of a step of a block. */
SN_INLINE sn_lane lanes_of(const sn_v4 *of_block, size_t step) {
    return sn_lane_load((const sn_real *)of_block + step % STEPS * SN_LANES);
}

SN_INLINE sn_lane_bits bits_of(const sn_v4_bits *of_block, size_t step) {
    return (sn_lane_bits)lanes_of((const sn_v4 *)of_block, step);
}

/* The larger and the smaller of two, where neither is NaN, as sn_v4_larger. */
SN_INLINE sn_lane larger(sn_lane a, sn_lane b) {
#if SN_LANES == 4
    return (sn_lane)sn_v4_larger((sn_v4)a, (sn_v4)b);
#elif defined(__AVX__)
    return (sn_lane)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return sn_lane_max(a, b);
#endif
}

SN_INLINE sn_lane smaller(sn_lane a, sn_lane b) {
#if SN_LANES == 4
    return (sn_lane)sn_v4_smaller((sn_v4)a, (sn_v4)b);
#elif defined(__AVX__)
    return (sn_lane)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return sn_lane_min(a, b);
#endif
}

/* Whether a mask has any bit. */
SN_INLINE bool any(sn_lane_bits a) {
#if SN_LANES == 8 && defined(__AVX__)
    return _mm256_movemask_ps((__m256)a) != 0;
#else
    union {
        sn_lane_bits lanes;
        uint64_t word[sizeof(sn_lane_bits) / sizeof(uint64_t)];
    } of = {a};
    uint64_t some = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of.word; i++) some |= of.word[i];
    return some != 0;
#endif
}

/* The same number in every lane, as it is. */
SN_INLINE sn_lane all(sn_real a) {
    return a - (sn_lane){0};
}

/* One of a block, in all lanes. */
SN_INLINE sn_lane one_of(const sn_v4 *of_block, size_t i) {
    return all(of_block[i / 4][i % 4]);
}

SN_INLINE sn_lane choose(sn_lane_bits which, sn_lane yes, sn_lane no) {
    return (sn_lane)((which & (sn_lane_bits)yes) | (~which & (sn_lane_bits)no));
}

SN_INLINE sn_lane dot(const sn_lane *a, const sn_lane *b) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* ---- Rows ---- */

/* Which are near a box that has their reach in it. */
SN_INLINE sn_lane_bits in_box(const sn_feature_box *block, size_t step, const sn_vec4 *low,
                              const sn_vec4 *high) {
    sn_lane reach = lanes_of(block->slack, step) + lanes_of(block->radius, step);
    const sn_real least[3] = {low->x, low->y, low->z}, most[3] = {high->x, high->y, high->z};
    sn_lane_bits in = ~(sn_lane_bits){0};
    for (int k = 0; k < 3; k++)
        in &= (sn_lane_bits)(lanes_of(block->low[k], step) - reach <= all(most[k])) &
              (sn_lane_bits)(all(least[k]) <= lanes_of(block->high[k], step) + reach);
    return in;
}

/* Which rows are near the columns; of those that have not moved, near columns that have. */
SN_INLINE sn_lane_bits near_columns(const sn_feature_comparison *c, size_t step) {
    const sn_feature_box *block = &c->row.box[step / STEPS];
    if (!c->partial) return in_box(block, step, &c->box->low, &c->box->high);
    sn_lane_bits near = {0};
    if (c->row_moved)
        near = in_box(block, step, &c->box->low, &c->box->high) &
               bits_of(c->row.path[step / STEPS].moved, step);
    if (c->column_moved) near |= in_box(block, step, &c->moved->low, &c->moved->high);
    return near;
}

static size_t list_rows(const sn_feature_comparison *c, uint32_t row[SN_FEATURE_MOST + 1]) {
    size_t count = 0;
    for (size_t step = 0; step * FOURS < c->rows; step++) {
        sn_lane_bits near = near_columns(c, step);
        for (size_t i = 0; i < SN_LANES; i++) {
            row[count] = (uint32_t)(step * SN_LANES + i);
            count += near[i] != 0;
        }
    }
    return count;
}

/* ---- By boxes ---- */

/* A row and lanes of columns that it may come near. */
typedef struct found {
    union {
        sn_lane far2;       /* m^2, how near they may come, with their slack; NEVER of others */
        sn_lane_bits which; /* and then who is not kept apart by a plane */
    };
    uint32_t row;
    uint32_t column; /* the step */
} found;

/* One in all lanes, of which these are the numbers that boxes and rest are compared by. */
typedef struct asking {
    sn_lane low[3], high[3]; /* m */
    sn_lane slack, radius;   /* m */
} asking;

SN_INLINE asking asking_of(const sn_feature_comparison *c, uint32_t row) {
    const sn_feature_box *block = &c->row.box[row / SN_FEATURE_LANES];
    const size_t i = row % SN_FEATURE_LANES;
    asking one;
    for (int k = 0; k < 3; k++) {
        one.low[k] = one_of(block->low[k], i);
        one.high[k] = one_of(block->high[k], i);
    }
    one.slack = one_of(block->slack, i);
    one.radius = one_of(block->radius, i);
    return one;
}

/* m^2: how far they are from one, by the boxes around their paths. */
SN_INLINE sn_lane gap_of(const asking *one, const sn_feature_box *block, size_t step) {
    sn_lane gap = {0}, zero = gap;
    for (int k = 0; k < 3; k++) {
        sn_lane apart = larger(lanes_of(block->low[k], step) - one->high[k],
                               one->low[k] - lanes_of(block->high[k], step));
        apart = larger(apart, zero);
        gap += apart * apart;
    }
    return gap;
}

/* m^2: how near they may come, with their slack: within their radii, or half of what they are apart
   at rest (m) where that is less. Less than any square where they have a node in common, of which
   that half is SN_FEATURE_JOINED. */
SN_INLINE sn_lane far_of(const asking *one, const sn_feature_box *block, size_t step,
                         sn_lane half) {
    sn_lane limit = smaller(one->radius + lanes_of(block->radius, step), half);
    sn_lane far = (one->slack + lanes_of(block->slack, step)) + limit;
    return far * larger(far, -far);
}

/* Keeps those of `near` as what may come within `far2`; whether there are some. */
SN_INLINE bool keep(found *now, sn_lane far2, sn_lane_bits near) {
    now->far2 = choose(near, far2, all(NEVER));
    return any(near);
}

/* m: half of how far lanes are apart at rest from a row, by its table. */
SN_INLINE sn_lane known_half(const sn_feature_comparison *c, uint32_t row, size_t step) {
    return sn_lane_load((const sn_real *)(c->rest + (size_t)row * c->columns + step * FOURS));
}

/* Adds the columns that may come near a row: by their boxes, and by how far they are apart at rest
   where that is known. With `whole` every column is asked for. */
SN_INLINE size_t find_near(const sn_feature_comparison *c, uint32_t row, found *list, size_t count,
                           const bool known, const bool whole) {
    const asking one = asking_of(c, row);
    const bool within = !whole && c->within;
    const bool some =
        !whole && c->partial &&
        !(c->row_moved &&
          c->row.path[row / SN_FEATURE_LANES].moved[row % SN_FEATURE_LANES / 4][row % 4]);
    for (size_t step = within ? row / SN_LANES : 0; step * FOURS < c->columns; step++) {
        const sn_feature_box *block = &c->column.box[step / STEPS];
        sn_lane half = known ? known_half(c, row, step) : all(SN_REST_ELSEWHERE);
        sn_lane far2 = far_of(&one, block, step, half);
        sn_lane_bits near = (sn_lane_bits)(gap_of(&one, block, step) <= far2);
        if (some) near &= bits_of(c->column.path[step / STEPS].moved, step);
        /* Within a leaf each pair once. */
        for (size_t i = 0; within && step == row / SN_LANES && i <= row % SN_LANES; i++)
            near[i] = 0;
        list[count].row = row;
        list[count].column = (uint32_t)step;
        count += keep(&list[count], far2, near);
    }
    return count;
}

/* m: half of how far lanes are apart at rest from a row, where no table has it. */
SN_INLINE sn_lane half_of(const sn_feature_comparison *c, const found *now, const bool edges) {
    const sn_feature_rest *a = &c->row.rest[now->row / 4];
    sn_v4 half[FOURS];
    for (size_t i = 0; i < FOURS; i++) {
        const sn_feature_rest *b = &c->column.rest[now->column * FOURS + i];
        half[i] = edges ? sn_rest_half_of_edges(a, now->row % 4, b)
                        : sn_rest_half_of_points(a, now->row % 4, b);
    }
    return sn_lane_join(half);
}

/* Of those that are near by their boxes, who may be given how they are at rest. */
SN_INLINE size_t sift_rest(const sn_feature_comparison *c, found *list, size_t count,
                           const bool edges) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        found now = list[i];
        const sn_feature_box *block = &c->column.box[now.column / STEPS];
        const asking one = asking_of(c, now.row);
        sn_lane far2 = smaller(far_of(&one, block, now.column, half_of(c, &now, edges)), now.far2);
        bool is_near = keep(&now, far2, (sn_lane_bits)(gap_of(&one, block, now.column) <= far2));
        /* What is left goes where nobody waits for it. */
        list[left] = now;
        left += is_near;
    }
    return left;
}

/* ---- By planes ---- */

/* Who is not kept further away than that by a plane across the line between the middles, all along
   their paths (separation_test.h). Paths that do not begin at the same time must be apart as a
   whole. */
SN_INLINE sn_lane_bits meets(const sn_feature_comparison *c, const found *now, const int mine,
                             const int theirs, const bool together) {
    const sn_feature_path *a = &c->row.path[now->row / SN_FEATURE_LANES],
                          *b = &c->column.path[now->column / STEPS];
    const size_t i = now->row % SN_FEATURE_LANES, step = now->column;
    sn_lane zero = {0}, line[3], low[2] = {zero, zero}, high[2] = {zero, zero};
    for (int n = 0; n < 3; n++) {
        sn_real one = a->of[0].from[n][i / 4][i % 4];
        sn_lane two = lanes_of(b->of[0].from[n], step);
        for (int k = 1; k < mine; k++) one += a->of[k].from[n][i / 4][i % 4];
        for (int k = 1; k < theirs; k++) two += lanes_of(b->of[k].from[n], step);
        line[n] = all((sn_real)theirs * one) - (sn_real)mine * two;
    }
    for (int k = 0; k < mine; k++) {
        sn_lane from[3], to[3];
        for (int n = 0; n < 3; n++) {
            from[n] = one_of(a->of[k].from[n], i);
            to[n] = one_of(a->of[k].to[n], i);
        }
        sn_lane begin = dot(line, from), end = dot(line, to);
        low[0] = k == 0 ? begin : smaller(begin, low[0]);
        low[1] = k == 0 ? end : smaller(end, low[1]);
    }
    for (int k = 0; k < theirs; k++) {
        sn_lane from[3], to[3];
        for (int n = 0; n < 3; n++) {
            from[n] = lanes_of(b->of[k].from[n], step);
            to[n] = lanes_of(b->of[k].to[n], step);
        }
        sn_lane begin = dot(line, from), end = dot(line, to);
        high[0] = k == 0 ? begin : larger(begin, high[0]);
        high[1] = k == 0 ? end : larger(end, high[1]);
    }
    sn_lane gap = smaller(low[0] - high[0], low[1] - high[1]);
    if (!together) gap = smaller(low[0], low[1]) - larger(high[0], high[1]);
    sn_lane square = now->far2 * dot(line, line);
    sn_lane_bits apart = (sn_lane_bits)(gap > zero) & (sn_lane_bits)(gap * gap >= square);
    return ~apart & (sn_lane_bits)(now->far2 >= zero);
}

SN_INLINE size_t sift_planes(const sn_feature_comparison *c, found *list, size_t count,
                             const int mine, const int theirs, const bool together) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        const found now = list[i];
        sn_lane_bits which = meets(c, &now, mine, theirs, together);
        list[left] = (found){.which = which, .row = now.row, .column = now.column};
        left += any(which);
    }
    return left;
}

/* ---- Pairs ---- */

/* Puts the pairs of a row with the others; those that are not near are written over. Edges come in
   the order of their numbers. */
SN_INLINE size_t put_pairs(const sn_feature_comparison *c, const found *now, sn_broad_pair *pair,
                           sn_real *rest, size_t count, const bool edges) {
    const sn_v4_bits *one = c->row.path[now->row / SN_FEATURE_LANES].item;
    const uint32_t a = (uint32_t)one[now->row % SN_FEATURE_LANES / 4][now->row % 4];
    sn_lane_bits item = bits_of(c->column.path[now->column / STEPS].item, now->column);
    sn_lane half = all(c->same ? SN_REST_UNKNOWN : SN_REST_ELSEWHERE);
    if (c->rest) half = known_half(c, now->row, now->column);
    for (int k = 0; k < SN_LANES; k++) {
        uint32_t b = (uint32_t)item[k];
        rest[count] = half[k];
        pair[count] = edges && b < a ? sn_broad_pair_of(b, a) : sn_broad_pair_of(a, b);
        count -= (size_t)(ptrdiff_t)now->which[k];
    }
    return count;
}

/* Lists who may be near, and then who is not kept apart by a plane. None of it can be foreseen: so
   each is a loop over what the one before has left, and none is a branch. */
SN_INLINE size_t compare(const sn_feature_comparison *c, const uint32_t *row, size_t rows,
                         sn_broad_pair *pair, sn_real *rest, const bool edges) {
    const int mine = edges ? 2 : 1, theirs = edges ? 2 : 3;
    found list[MOST_FOUND];
    size_t count = 0, pairs = 0;
    if (c->rest && !c->partial && !c->within)
        for (size_t i = 0; i < rows; i++) count = find_near(c, row[i], list, count, true, true);
    else if (c->rest)
        for (size_t i = 0; i < rows; i++) count = find_near(c, row[i], list, count, true, false);
    else
        for (size_t i = 0; i < rows; i++) count = find_near(c, row[i], list, count, false, false);
    if (c->same && !c->rest) count = sift_rest(c, list, count, edges);
    /* Paths of a leaf that has moved begin now, those of others when all pairs were found. */
    count = c->row_moved == c->column_moved ? sift_planes(c, list, count, mine, theirs, true)
                                            : sift_planes(c, list, count, mine, theirs, false);
    for (size_t i = 0; i < count; i++) pairs = put_pairs(c, &list[i], pair, rest, pairs, edges);
    return pairs;
}

static size_t compare_edges(const sn_feature_comparison *c, const uint32_t *row, size_t rows,
                            sn_broad_pair *pair, sn_real *rest) {
    return compare(c, row, rows, pair, rest, true);
}

static size_t compare_points(const sn_feature_comparison *c, const uint32_t *row, size_t rows,
                             sn_broad_pair *pair, sn_real *rest) {
    return compare(c, row, rows, pair, rest, false);
}

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_FEATURE_LOOPS SN_JOIN2(sn_feature_loops_, SN_LANES)

extern const sn_feature_loops SN_FEATURE_LOOPS;
const sn_feature_loops SN_FEATURE_LOOPS = {list_rows, compare_edges, compare_points};

#endif
