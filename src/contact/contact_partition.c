/*
 * Cells: space is divided three times, along its two longest sides, into cells with about as many
 * pairs as each other. The cuts of a division are a third of a cell away from those of the others:
 *
 *     0     1     2     0     1     2     0          cuts along one side, by their division
 *     |-----:-----:-----|-----:-----:-----|
 *
 * What is smaller than that third lies across the cuts of at most one division along either side,
 * so that one of the three has it within a cell. What is larger may be left for the end: cells are
 * several features thick, so that little is, and most pairs are within one of the first division.
 *
 * A division cuts the longest side into slabs, and every slab by itself into columns, since the
 * second side is not the same everywhere. Cells depend on where nodes are when pairs are found, and
 * on nothing else.
 *
 * Blocks: every pair of a group goes into the first block that has room and none of the nodes it
 * can move. So many blocks are open at a time as a mask has bits; what fits into none of them waits
 * until these are closed. First come the pairs that are near each other, so that lanes that touch
 * are together.
 *
 * Pairs of two nodes, of balls and of bodies, have colours: the lowest that is free at both, and 64
 * of these in a round. They are few at a node, so colours fill blocks; and balls that are solved
 * colour by colour keep a cloth apart that they let through otherwise.
 */
#include "contact/contact_partition.h"

#include "collision/collider_pose.h"

#include <math.h>
#include <string.h>

enum {
    NODES_ALONE = 1024,
    PAIRS_ALONE = 256,
    MOST_SAMPLES = 4096,
    BINS = 256,
    MOST_COLUMNS = SN_CONTACT_MOST_CELLS / 8,
    PAIRS_PER_CELL = 4096, /* between surfaces; fewer where each costs more */
    THIRDS = SN_CONTACT_DIVISIONS,
    MASK = 64,
    PIECES = 16 /* of pairs, for threads */
};
static const double THICKNESS = 5; /* features across a cell */

void sn_contact_partition_free(sn_contact_partition *p, sn_memory *memory) {
    sn_free(memory, p->of_node, p->capacity, sizeof *p->of_node);
    sn_free(memory, p->taken, p->taken_capacity, sizeof *p->taken);
    sn_free(memory, p->order, p->order_capacity, sizeof *p->order);
}

/* ---- Where the pairs are ---- */

/* The first nodes of some pairs, evenly from all. */
typedef struct samples {
    uint32_t node[MOST_SAMPLES];
    size_t count;
} samples;

static void take_samples(const sn_contact_part *parts, size_t count, size_t pairs, samples *s) {
    size_t stride = pairs / MOST_SAMPLES + 1;
    s->count = 0;
    for (size_t i = 0; i < count; i++) {
        const sn_contact_set *set = parts[i].set;
        for (size_t k = 0; k < set->count && s->count < MOST_SAMPLES; k += stride) {
            uint32_t node[SN_CONTACT_MOST_NODES];
            sn_contact_nodes_of(parts[i].features, parts[i].kind, set->pair[k].a, set->pair[k].b,
                                node);
            s->node[s->count++] = node[0];
        }
    }
}

/* m: how large features are, in the mean. */
static double size_of(const sn_world *world, double size, const samples *s) {
    double radius = 0;
    for (size_t k = 0; k < s->count; k++) radius += (double)world->nodes.radius[s->node[k]];
    return size + 2 * radius / (double)s->count;
}

/* ---- Cells ---- */

/* What is along an axis, by the thirds of parts. */
typedef struct cutting {
    sn_real low, scale; /* m, and bins in a m */
    uint8_t third[BINS];
} cutting;

typedef struct division {
    const sn_vec4 *x; /* m, of nodes */
    int axis[2];
    size_t slabs, columns;
    cutting slab, column[SN_CONTACT_DIVISIONS][SN_CONTACT_MOST_SLABS + 1]; /* of every slab */
} division;

static sn_real place_of(const division *d, int side, uint32_t node) {
    return sn_v4_load(&d->x[node])[d->axis[side]];
}

static size_t third_of(const cutting *c, sn_real at) {
    const sn_real bin = (at - c->low) * c->scale;
    return c->third[bin > 0 ? bin < BINS - 1 ? (size_t)bin : BINS - 1 : 0];
}

/* The part that a third is in. Those of the first division begin with the first third. */
static size_t part_of(size_t third, size_t by) {
    return (third + (THIRDS - by) % THIRDS) / THIRDS;
}

/* The longest and the second side of the box around the samples, and their lengths in m. */
static void choose_axes(division *d, const samples *s, double length[2]) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t k = 0; k < s->count; k++) {
        sn_v4 at = sn_v4_load(&d->x[s->node[k]]);
        for (int i = 0; i < 3; i++) {
            if ((double)at[i] < low[i]) low[i] = (double)at[i];
            if ((double)at[i] > high[i]) high[i] = (double)at[i];
        }
    }
    for (int n = 0; n < 2; n++) {
        int axis = n == 1 && d->axis[0] == 0;
        for (int i = axis + 1; i < 3; i++)
            if (high[i] - low[i] > high[axis] - low[axis] && !(n == 1 && i == d->axis[0])) axis = i;
        d->axis[n] = axis;
        length[n] = high[axis] - low[axis];
    }
}

/* Cells are halved across their longer side while there is room and work for it: a power of two,
   which threads mostly are. */
static void count_cells(division *d, const double length[2], double thick, size_t work) {
    const size_t most[2] = {SN_CONTACT_MOST_SLABS, MOST_COLUMNS};
    size_t count[2] = {1, 1};
    while (2 * count[0] * count[1] <= SN_CONTACT_MOST_CELLS &&
           2 * count[0] * count[1] * PAIRS_PER_CELL <= work) {
        int side = length[1] / (double)count[1] > length[0] / (double)count[0];
        for (int n = 0; n < 2; n++)
            if (2 * count[side] > most[side] || length[side] < 2 * thick * (double)count[side])
                side = 1 - side;
        if (2 * count[side] > most[side] || length[side] < 2 * thick * (double)count[side]) break;
        count[side] *= 2;
    }
    d->slabs = count[0];
    d->columns = count[1];
}

/* Into so many thirds that have as many of these places as each other. */
static void cut(cutting *c, const sn_real *at, size_t count, size_t thirds) {
    size_t number[BINS] = {0}, before = 0;
    sn_real low = SN_INFINITY, high = -SN_INFINITY;
    for (size_t k = 0; k < count; k++) {
        if (at[k] < low) low = at[k];
        if (at[k] > high) high = at[k];
    }
    *c = (cutting){.low = low, .scale = high > low ? BINS / (high - low) : 0};
    /* While bins have no thirds, they are their own. */
    for (size_t b = 0; b < BINS; b++) c->third[b] = (uint8_t)b;
    for (size_t k = 0; k < count; k++) number[third_of(c, at[k])]++;
    for (size_t b = 0; b < BINS; b++) {
        c->third[b] = (uint8_t)((before + number[b] / 2) * thirds / (count + 1));
        before += number[b];
    }
}

/* Slabs of all divisions have samples that are next to each other in the order of thirds. */
static void divide(division *d, const samples *s) {
    sn_real at[MOST_SAMPLES] = {0}, across[MOST_SAMPLES] = {0};
    size_t begin[THIRDS * (SN_CONTACT_MOST_SLABS + 2) + 1] = {0};
    size_t next[THIRDS * SN_CONTACT_MOST_SLABS];
    for (size_t k = 0; k < s->count; k++) at[k] = place_of(d, 0, s->node[k]);
    cut(&d->slab, at, s->count, THIRDS * d->slabs);
    for (size_t k = 0; k < s->count; k++) begin[third_of(&d->slab, at[k]) + 1]++;
    for (size_t t = 0; t < THIRDS * (SN_CONTACT_MOST_SLABS + 2); t++) begin[t + 1] += begin[t];
    memcpy(next, begin, sizeof next);
    for (size_t k = 0; k < s->count; k++)
        across[next[third_of(&d->slab, at[k])]++] = place_of(d, 1, s->node[k]);
    for (size_t by = 0; by < SN_CONTACT_DIVISIONS; by++)
        for (size_t slab = 0; slab <= d->slabs; slab++) {
            const size_t shift = (THIRDS - by) % THIRDS, high = THIRDS * (slab + 1) - shift,
                         low = high > THIRDS ? high - THIRDS : 0;
            cut(&d->column[by][slab], across + begin[low], begin[high] - begin[low],
                THIRDS * d->columns);
        }
}

typedef struct marking {
    sn_contact_partition *partition;
    const sn_contact_space *space;
    const division *division;
} marking;

static void mark_range(void *context, size_t begin, size_t end) {
    const marking *m = context;
    const division *d = m->division;
    for (size_t k = begin; k < end; k++) {
        const uint32_t i = m->space->node ? m->space->node[k] : (uint32_t)k;
        const size_t third = third_of(&d->slab, place_of(d, 0, i));
        uint32_t cells = 0;
        for (size_t by = 0; by < SN_CONTACT_DIVISIONS; by++) {
            const size_t slab = part_of(third, by);
            const size_t column = part_of(third_of(&d->column[by][slab], place_of(d, 1, i)), by);
            cells |= (uint32_t)(slab * (d->columns + (by > 0)) + column) << 8 * by;
        }
        m->partition->of_node[i] = cells;
    }
}

/* Which is all zero whenever no pairs are being packed. */
static bool reserve_taken(sn_world *world, sn_contact_partition *p) {
    size_t needed = SN_CONTACT_LAYERS * world->nodes.slots.count, had = p->taken_capacity;
    if (!sn_reserve(&world->memory, (void **)&p->taken, &p->taken_capacity, needed,
                    sizeof *p->taken))
        return false;
    if (p->taken_capacity > had) memset(p->taken, 0, p->taken_capacity * sizeof *p->taken);
    return true;
}

bool sn_contact_partition_cut(sn_world *world, sn_contact_partition *p,
                              const sn_contact_part *parts, size_t count,
                              const sn_contact_space *space) {
    division d = {.x = space->x, .slabs = 1, .columns = 1};
    marking marks = {p, space, &d};
    samples s;
    double length[2];
    size_t pairs = 0;
    for (size_t i = 0; i < count; i++) pairs += parts[i].set->count;
    p->slabs = p->columns = 1;
    p->lost = false;
    if (!reserve_taken(world, p) || !sn_reserve(&world->memory, (void **)&p->of_node, &p->capacity,
                                                world->nodes.slots.count, sizeof *p->of_node))
        return false;
    if (pairs * space->work < 2 * (size_t)PAIRS_PER_CELL) return true;
    take_samples(parts, count, pairs, &s);
    choose_axes(&d, &s, length);
    count_cells(&d, length, THICKNESS * size_of(world, space->size, &s), pairs * space->work);
    if (d.slabs * d.columns == 1) return true;
    p->slabs = d.slabs;
    p->columns = d.columns;
    divide(&d, &s);
    sn_team_run(world->bindings.team, space->nodes, NODES_ALONE, mark_range, &marks);
    return true;
}

uint32_t sn_contact_group_of(const sn_world *world, const sn_contact_partition *p,
                             const sn_contact_set *set, const uint32_t *node, int nodes) {
    const sn_real *w = sn_world_contact_w(world);
    const uint32_t last = (uint32_t)sn_contact_groups(set) - 1;
    uint32_t cells = 0, differ = 0;
    bool moves = false;
    if (p->lost) return last;
    if (set->slabs * set->columns == 1) return 0;
    for (int n = 0; n < nodes; n++) {
        if (!(w[node[n]] > 0)) continue;
        if (!moves) cells = p->of_node[node[n]];
        moves = true;
        differ |= cells ^ p->of_node[node[n]];
    }
    for (int by = 0; by < SN_CONTACT_DIVISIONS; by++, cells >>= 8, differ >>= 8)
        if (!(differ & UINT8_MAX)) return (uint32_t)sn_contact_layer(set, by) + (cells & UINT8_MAX);
    return last;
}

/* ---- Groups ---- */

/* Some pairs of a part, which get blocks after those that its set has. */
typedef struct packing {
    const sn_world *world;
    const sn_contact_partition *partition;
    const sn_contact_set *set;
    sn_contact_features features;
    int kind;
    size_t chain;
    const uint32_t *carrier;
    sn_contact_pair *pair;
    size_t count;
    size_t *first;                                 /* of this round; see the set */
    uint32_t begin[SN_CONTACT_MOST_GROUPS + 1];    /* of every group, in `order`, and the end */
    uint32_t next[PIECES][SN_CONTACT_MOST_GROUPS]; /* the same of pieces of pairs */
} packing;

static void group_range(void *context, size_t begin, size_t end) {
    const packing *p = context;
    uint32_t node[SN_CONTACT_MOST_NODES];
    for (size_t k = begin; k < end; k++) {
        int count = sn_contact_nodes(p->kind);
        sn_contact_nodes_of(p->features, p->kind, p->pair[k].a, p->pair[k].b, node);
        const uint32_t carrier = p->carrier ? p->carrier[p->pair[k].b] : 0;
        if (carrier) node[count++] = carrier - 1;
        p->pair[k].group = sn_contact_group_of(p->world, p->partition, p->set, node, count);
    }
}

static size_t piece_begin(const packing *p, size_t piece) {
    return p->count * piece / PIECES;
}

static void count_groups(void *context, size_t begin, size_t end) {
    packing *p = context;
    for (size_t piece = begin; piece < end; piece++) {
        memset(p->next[piece], 0, sizeof p->next[piece]);
        for (size_t k = piece_begin(p, piece); k < piece_begin(p, piece + 1); k++)
            p->next[piece][p->pair[k].group]++;
    }
}

static void order_pairs(void *context, size_t begin, size_t end) {
    packing *p = context;
    for (size_t piece = begin; piece < end; piece++)
        for (size_t k = piece_begin(p, piece); k < piece_begin(p, piece + 1); k++)
            p->partition->order[p->next[piece][p->pair[k].group]++] = (uint32_t)k;
}

/* Each group in the order of pairs. Pieces of these are counted, so that each knows where its own
   begin in every group. */
static void sort_by_group(packing *p) {
    sn_team *team = p->world->bindings.team;
    const size_t groups = sn_contact_groups(p->set),
                 alone = p->count < PAIRS_ALONE ? PIECES + 1 : 2;
    uint32_t sum = 0;
    sn_team_run(team, PIECES, alone, count_groups, p);
    for (size_t g = 0; g < groups; g++) {
        p->begin[g] = sum;
        for (size_t piece = 0; piece < PIECES; piece++) {
            const uint32_t own = p->next[piece][g];
            p->next[piece][g] = sum;
            sum += own;
        }
    }
    p->begin[groups] = sum;
    sn_team_run(team, PIECES, alone, order_pairs, p);
}

/* ---- Blocks ---- */

/* The nodes of a pair that it can move; returns how many. */
SN_INLINE int movable(const packing *p, const int kind, uint32_t k, uint32_t *node) {
    const sn_real *w = sn_world_contact_w(p->world);
    uint32_t all[SN_CONTACT_MOST_NODES];
    int count = 0;
    sn_contact_nodes_of(p->features, kind, p->pair[k].a, p->pair[k].b, all);
    for (int n = 0; n < sn_contact_first[kind] + sn_contact_second[kind]; n++) {
        node[count] = all[n];
        count += w[all[n]] > 0;
    }
    return count;
}

/* Blocks that are being filled, by the bits of a mask. */
typedef struct filling {
    uint64_t open;
    size_t blocks;        /* of the group so far */
    uint64_t *taken;      /* of nodes, by which of these */
    uint32_t slot[MASK];  /* of the next pair */
    uint32_t nodes[MASK]; /* how many they have, and which */
    uint32_t node[MASK][SN_CONTACT_BLOCK * SN_CONTACT_MOST_NODES + 1];
} filling;

static void close_block(filling *f, uint32_t bit) {
    f->open &= ~((uint64_t)1 << bit);
    for (uint32_t i = 0; i < f->nodes[bit]; i++) f->taken[f->node[bit][i]] &= ~((uint64_t)1 << bit);
}

static void open_block(filling *f, uint32_t bit) {
    f->open |= (uint64_t)1 << bit;
    f->slot[bit] = (uint32_t)f->blocks++ * SN_CONTACT_BLOCK;
    f->nodes[bit] = 0;
}

/* False where a pair has a node in common with every block. */
SN_INLINE bool fill_in(const packing *p, const int kind, filling *f, uint32_t k) {
    uint32_t node[SN_CONTACT_MOST_NODES + 1];
    uint64_t held = 0;
    const int nodes = movable(p, kind, k, node);
    for (int n = 0; n < nodes; n++) held |= f->taken[node[n]];
    if (held == UINT64_MAX) return false;
    const uint32_t bit = (uint32_t)__builtin_ctzll(f->open & ~held ? f->open & ~held : ~held);
    if (!(f->open >> bit & 1)) open_block(f, bit);
    for (int n = 0; n < nodes; n++) {
        f->taken[node[n]] |= (uint64_t)1 << bit;
        f->node[bit][f->nodes[bit]++] = node[n];
    }
    p->pair[k].slot = f->slot[bit]++;
    if (f->slot[bit] % SN_CONTACT_BLOCK == 0) close_block(f, bit);
    return true;
}

/* Those of a list that are far, or the others; returns how many of all are left, which are first in
   the list then. */
SN_INLINE size_t fill_blocks(const packing *p, const int kind, filling *f, uint32_t *list,
                             size_t count, const bool far) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i] % 2 != far || !fill_in(p, kind, f, list[i] / 2)) list[left++] = list[i];
    return left;
}

/* Returns how many blocks a group has. Pairs say by their slots whether they are far, until they
   have one. */
SN_INLINE size_t pack_kind(const packing *p, const int kind, size_t group, uint64_t *taken) {
    uint32_t *list = p->partition->order + p->begin[group];
    size_t count = p->begin[group + 1] - p->begin[group];
    filling f;
    f.open = f.blocks = 0;
    f.taken = taken;
    for (size_t i = 0; i < count; i++) list[i] = 2 * list[i] + p->pair[list[i]].slot % 2;
    while (count > 0) {
        count = fill_blocks(p, kind, &f, list, count, false);
        count = fill_blocks(p, kind, &f, list, count, true);
        while (f.open) close_block(&f, (uint32_t)__builtin_ctzll(f.open));
    }
    return f.blocks;
}

/* ---- Blocks of pairs of nodes ---- */

/* Colours of pairs, by how many have each, near and far ones. Until there are slots, those of pairs
   say both: twice the colour, and one more for those that are far. */
SN_INLINE void colour(const packing *p, const int kind, const uint32_t *list, size_t count,
                      uint64_t *taken, uint32_t number[2 * MASK]) {
    for (size_t i = 0; i < count; i++) {
        uint32_t node[SN_CONTACT_MOST_NODES + 1], *at = &p->pair[list[i]].slot;
        uint64_t used = 0;
        int nodes = movable(p, kind, list[i], node);
        for (int n = 0; n < nodes; n++) used |= taken[node[n]];
        if (used == UINT64_MAX) {
            *at = 2 * MASK + *at % 2;
            continue;
        }
        uint32_t bit = (uint32_t)__builtin_ctzll(~used);
        *at = 2 * bit + *at % 2;
        for (int n = 0; n < nodes; n++) taken[node[n]] |= (uint64_t)1 << bit;
        number[*at]++;
    }
}

static size_t blocks_for(size_t count) {
    return (count + SN_CONTACT_BLOCK - 1) / SN_CONTACT_BLOCK;
}

/* Makes blocks of up to 64 colours, from the given one on, which is moved; returns how many pairs
   are left, which are first in the list then. */
SN_INLINE size_t pack_round(const packing *p, const int kind, uint32_t *list, size_t count,
                            uint64_t *taken, size_t *block) {
    uint32_t number[2 * MASK] = {0}, slot[2 * MASK];
    size_t left = 0;
    colour(p, kind, list, count, taken, number);
    for (int c = 0; c < 2 * MASK; c += 2) {
        slot[c] = (uint32_t)*block * SN_CONTACT_BLOCK;
        slot[c + 1] = slot[c] + number[c];
        if (kind == SN_CONTACT_RIGID && p->chain > 0) {
            *block += blocks_for(number[c]);
            slot[c + 1] = (uint32_t)*block * SN_CONTACT_BLOCK;
            *block += p->chain * blocks_for(number[c + 1]);
        } else {
            *block += blocks_for(number[c] + number[c + 1]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t node[SN_CONTACT_MOST_NODES + 1], *at = &p->pair[list[i]].slot;
        if (*at >= 2 * MASK) {
            list[left++] = list[i];
            continue;
        }
        const bool chained = kind == SN_CONTACT_RIGID && p->chain > 0 && *at % 2;
        uint32_t *next = &slot[*at];
        *at = (*next)++;
        if (chained && *next % SN_CONTACT_BLOCK == 0)
            *next += (uint32_t)(p->chain - 1) * SN_CONTACT_BLOCK;
        for (int n = movable(p, kind, list[i], node) - 1; n >= 0; n--) taken[node[n]] = 0;
    }
    return left;
}

SN_INLINE size_t pack_colours(const packing *p, const int kind, size_t group, uint64_t *taken) {
    uint32_t *list = p->partition->order + p->begin[group];
    size_t count = p->begin[group + 1] - p->begin[group], blocks = 0;
    while (count > 0) count = pack_round(p, kind, list, count, taken, &blocks);
    return blocks;
}

/* ---- All of it ---- */

static size_t layer_of(const sn_contact_set *set, size_t group) {
    int layer = 0;
    while (group >= sn_contact_layer(set, layer + 1)) layer++;
    return (size_t)layer;
}

/* Slots of pairs, counted from where their group begins; and how many blocks it has. */
static void pack_range(void *context, size_t begin, size_t end) {
    const packing *p = context;
    for (size_t g = begin; g < end; g++) {
        uint64_t *taken = p->partition->taken + layer_of(p->set, g) * p->world->nodes.slots.count;
        switch (p->kind) {
        case SN_CONTACT_POINT_POINT:
            p->first[g + 1] = pack_colours(p, SN_CONTACT_POINT_POINT, g, taken);
            break;
        case SN_CONTACT_POINT_SEGMENT:
            p->first[g + 1] = pack_kind(p, SN_CONTACT_POINT_SEGMENT, g, taken);
            break;
        case SN_CONTACT_POINT_TRIANGLE:
            p->first[g + 1] = pack_kind(p, SN_CONTACT_POINT_TRIANGLE, g, taken);
            break;
        case SN_CONTACT_EDGE_EDGE:
            p->first[g + 1] = pack_kind(p, SN_CONTACT_EDGE_EDGE, g, taken);
            break;
        case SN_CONTACT_RIGID:
            p->first[g + 1] = pack_colours(p, SN_CONTACT_RIGID, g, taken);
            break;
        default:
            p->first[g + 1] = pack_kind(p, SN_CONTACT_TRIANGLE_COLLIDER, g, taken);
        }
    }
}

const size_t *sn_contact_partition_pack(sn_world *world, sn_contact_partition *partition,
                                        const sn_contact_part *part, sn_contact_pair *pair,
                                        size_t count) {
    sn_contact_set *set = part->set;
    size_t groups = sn_contact_groups(set), had = set->rounds * (groups + 1);
    if (!sn_reserve(&world->memory, (void **)&set->first, &set->first_capacity, had + groups + 1,
                    sizeof *set->first) ||
        !sn_reserve(&world->memory, (void **)&partition->order, &partition->order_capacity,
                    count + 1, sizeof *partition->order))
        return NULL;
    packing p = {.world = world,
                 .partition = partition,
                 .set = set,
                 .features = part->features,
                 .kind = part->kind,
                 .chain = part->chain,
                 .carrier = part->carrier,
                 .pair = pair,
                 .count = count,
                 .first = set->first + had};
    sn_team_run(world->bindings.team, count, PAIRS_ALONE, group_range, &p);
    sort_by_group(&p);
    sn_team_run(world->bindings.team, groups, 3, pack_range, &p);
    p.first[0] = set->blocks;
    for (size_t g = 0; g < groups; g++) p.first[g + 1] += p.first[g];
    return p.first;
}

typedef struct placing {
    sn_contact_pair *pair;
    const size_t *first; /* blocks of groups */
} placing;

static void place_range(void *context, size_t begin, size_t end) {
    const placing *p = context;
    for (size_t k = begin; k < end; k++)
        p->pair[k].slot += (uint32_t)p->first[p->pair[k].group] * SN_CONTACT_BLOCK;
}

bool sn_contact_partition_place(sn_world *world, sn_contact_partition *partition,
                                const sn_contact_part *part, const sn_contact_space *space) {
    sn_contact_set *set = part->set;
    set->blocks = set->rounds = 0;
    if (!sn_contact_partition_cut(world, partition, part, 1, space)) return false;
    set->slabs = partition->slabs;
    set->columns = partition->columns;
    const size_t *first = sn_contact_partition_pack(world, partition, part, set->pair, set->count);
    if (!first) return false;
    size_t blocks = first[sn_contact_groups(set)];
    if (!sn_contact_set_reserve(set, &world->memory, part->kind, blocks)) return false;
    placing p = {set->pair, first};
    sn_team_run(world->bindings.team, set->count, PAIRS_ALONE, place_range, &p);
    set->rounds = 1;
    set->blocks = blocks;
    return true;
}
