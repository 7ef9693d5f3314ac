/*
 * Slabs: space is cut across its longest side, so that each has about as many pairs as the others.
 * Cuts are halved along the second side, as there may be only one; what lies across both is left
 * for the end.
 *
 *     | slab | slab | slab |      half
 *     |      cut    cut    |      -----
 *     |      |      |      |      half
 *
 * Pairs that lie across one cut have no node in common with those of the cut after the next. A slab
 * is several features thick, for most pairs to be within one. Slabs depend on where nodes are when
 * pairs are found, and on nothing else.
 *
 * A slab of bodies is two or three of them thick, and these often stand in rows: cuts between whole
 * rows leave some slabs a third larger than others. So their cuts lean, to pass from one row to the
 * next on their way, and are where the pairs within slabs are as many in each: the first and the
 * last give fewer to cuts.
 *
 * Blocks: every pair of a group takes the lowest colour that is free at all nodes it can move, and
 * the pairs of a colour lie together: first those that are near each other, so that lanes that
 * touch are together. Should the 64 colours of a mask not be enough, those that are left begin
 * again with empty masks, and so on, while these go quickly. Where many have a node in common, as a
 * plate that bodies lie on, they take further ones instead, each the first that comes after those
 * of the others at its nodes: one pass, however many there are.
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
    PAIRS_PER_SLAB = 2048, /* between surfaces; fewer where each costs more */
    EVEN_SLABS = 8,        /* of bodies; fewer are thick */
    MASK = 64,
    FEW = 16, /* 1: of all pairs, that a mask is to give colours for others to wait for the next */
    PIECES = 16 /* of pairs, for threads */
};
/* Features across a slab, and how many of these a cut leans by from end to end; m in a m, the most
   that it does. */
static const double THICKNESS = 5, LEANS = 2, STEEPEST = 0.1;

void sn_contact_partition_free(sn_contact_partition *p, sn_memory *memory) {
    sn_free(memory, p->of_node, p->capacity, sizeof *p->of_node);
    sn_free(memory, p->taken, p->taken_capacity, sizeof *p->taken);
    sn_free(memory, p->order, p->order_capacity, sizeof *p->order);
    sn_free(memory, p->place, p->place_capacity, sizeof *p->place);
}

/* ---- Where the pairs are ---- */

typedef struct samples {
    uint32_t node[MOST_SAMPLES], other[MOST_SAMPLES];
    size_t count;
} samples;

/* The first nodes of both features of some pairs, evenly from all. */
static void take_samples(const sn_contact_part *parts, size_t count, size_t pairs, samples *s) {
    size_t stride = pairs / MOST_SAMPLES + 1;
    s->count = 0;
    for (size_t i = 0; i < count; i++) {
        const sn_contact_set *set = parts[i].set;
        const int corners = sn_contact_first[parts[i].kind];
        for (size_t k = 0; k < set->count && s->count < MOST_SAMPLES; k += stride) {
            uint32_t node[SN_CONTACT_MOST_NODES] = {0};
            sn_contact_nodes_of(parts[i].features, parts[i].kind, set->pair[k].a, set->pair[k].b,
                                node);
            s->node[s->count] = node[0];
            s->other[s->count++] =
                sn_contact_nodes(parts[i].kind) > corners ? node[corners] : node[0];
        }
    }
}

/* How space is cut along an axis. */
typedef struct cutting {
    const sn_vec4 *x; /* m, of nodes */
    int axis, other;
    double lean;           /* m in a m, of cuts along the other axis */
    double low, scale;     /* m, and bins in a m */
    uint8_t part_of[BINS]; /* of what is in a bin */
} cutting;

static size_t bin_of(const cutting *c, uint32_t node) {
    const sn_v4 x = sn_v4_load(&c->x[node]);
    double at = (double)x[c->axis] + c->lean * (double)x[c->other];
    double bin = (at - c->low) * c->scale;
    return bin > 0 ? bin < BINS - 1 ? (size_t)bin : BINS - 1 : 0;
}

/* The longest and the second side of the box around the samples; returns the length of the first in
   m. */
static double choose_axes(cutting c[2], const samples *s) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t k = 0; k < s->count; k++) {
        sn_v4 at = sn_v4_load(&c->x[s->node[k]]);
        for (int i = 0; i < 3; i++) {
            if ((double)at[i] < low[i]) low[i] = (double)at[i];
            if ((double)at[i] > high[i]) high[i] = (double)at[i];
        }
    }
    for (int n = 0; n < 2; n++) {
        int axis = n == 1 && c[0].axis == 0;
        for (int i = axis + 1; i < 3; i++)
            if (high[i] - low[i] > high[axis] - low[axis] && !(n == 1 && i == c[0].axis)) axis = i;
        c[n].axis = axis;
        c[n].low = low[axis];
        c[n].scale = BINS / (high[axis] - low[axis]);
    }
    return high[c[0].axis] - low[c[0].axis];
}

/* m: how large features are, in the mean. */
static double size_of(const sn_world *world, double size, const samples *s) {
    double radius = 0;
    for (size_t k = 0; k < s->count; k++) radius += (double)world->nodes.radius[s->node[k]];
    return size + 2 * radius / (double)s->count;
}

/* A power of two, which threads mostly are. */
static size_t count_slabs(double room, size_t work) {
    size_t count = 1;
    while (2 * count <= SN_CONTACT_MOST_SLABS && (double)(2 * count) <= room &&
           2 * count * PAIRS_PER_SLAB <= work)
        count *= 2;
    return count;
}

/* Into parts that have as many samples as each other. */
static void cut(cutting *c, const samples *s, size_t parts) {
    size_t number[BINS] = {0}, before = 0;
    for (size_t k = 0; k < s->count; k++) number[bin_of(c, s->node[k])]++;
    for (size_t b = 0; b < BINS; b++) {
        size_t middle = before + number[b] / 2;
        c->part_of[b] = (uint8_t)(middle * parts / (s->count + 1));
        before += number[b];
    }
}

/* Cuts across the first axis lean along the second by so much (m) from end to end. */
static void lean_over(cutting c[2], double by) {
    const double across = BINS / c[1].scale;
    c[0].other = c[1].axis;
    c[0].lean = by < STEEPEST * across ? by / across : STEEPEST;
    c[0].low += c[0].lean * c[1].low;
    c[0].scale = BINS / (BINS / c[0].scale + c[0].lean * across);
}

/* Pairs by the bins of their nodes: by the higher one the lower ones. */
typedef struct spans {
    uint8_t low[MOST_SAMPLES];
    size_t begin[BINS + 1];
} spans;

static void find_spans(const cutting *c, const samples *s, spans *all) {
    uint8_t bin[2][MOST_SAMPLES];
    memset(all->begin, 0, sizeof all->begin);
    for (size_t k = 0; k < s->count; k++) {
        const size_t a = bin_of(c, s->node[k]), b = bin_of(c, s->other[k]);
        bin[0][k] = (uint8_t)(a < b ? a : b);
        bin[1][k] = (uint8_t)(a < b ? b : a);
        all->begin[bin[1][k] + 1]++;
    }
    for (size_t b = 0; b < BINS; b++) all->begin[b + 1] += all->begin[b];
    size_t next[BINS];
    memcpy(next, all->begin, sizeof next);
    for (size_t k = 0; k < s->count; k++) all->low[next[bin[1][k]]++] = bin[0][k];
}

/* How many pairs a bin adds to those within a part that begins there. */
static size_t count_within(const spans *all, size_t bin, size_t begin) {
    size_t count = 0;
    for (size_t k = all->begin[bin]; k < all->begin[bin + 1]; k++) count += all->low[k] >= begin;
    return count;
}

/* Into parts that have at most so many pairs within them, but for those of a single bin; returns
   how many parts. */
static size_t cut_by(cutting *c, const spans *all, size_t most) {
    size_t part = 0, begin = 0, within = 0;
    for (size_t b = 0; b < BINS; b++) {
        within += count_within(all, b, begin);
        if (within > most && b > begin) {
            part++;
            begin = b;
            within = count_within(all, b, begin);
        }
        c->part_of[b] = (uint8_t)part;
    }
    return part + 1;
}

/* Into parts with as few pairs within the largest as can be. */
static void cut_evenly(cutting *c, const samples *s, size_t parts) {
    spans all;
    size_t few = 0, enough = s->count;
    find_spans(c, s, &all);
    while (few < enough) {
        const size_t middle = (few + enough) / 2;
        if (cut_by(c, &all, middle) > parts)
            few = middle + 1;
        else
            enough = middle;
    }
    (void)cut_by(c, &all, enough);
}

typedef struct marking {
    sn_contact_partition *partition;
    const sn_contact_space *space;
    const cutting *cut;
} marking;

static void mark_range(void *context, size_t begin, size_t end) {
    const marking *m = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = m->space->node ? m->space->node[k] : (uint32_t)k;
        uint32_t slab = m->cut[0].part_of[bin_of(&m->cut[0], i)];
        uint32_t half = m->cut[1].part_of[bin_of(&m->cut[1], i)];
        m->partition->of_node[i] = (uint8_t)(2 * slab + half);
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
    cutting c[2] = {{.x = space->x}, {.x = space->x}};
    marking marks = {p, space, c};
    samples s;
    size_t pairs = 0;
    for (size_t i = 0; i < count; i++) pairs += parts[i].set->count;
    p->slabs = 1;
    p->lost = false;
    if (!reserve_taken(world, p) || !sn_reserve(&world->memory, (void **)&p->of_node, &p->capacity,
                                                world->nodes.slots.count, sizeof *p->of_node))
        return false;
    if (pairs * space->work < 2 * (size_t)PAIRS_PER_SLAB) return true;
    take_samples(parts, count, pairs, &s);
    const double size = size_of(world, space->size, &s);
    p->slabs = count_slabs(choose_axes(c, &s) / (THICKNESS * size), pairs * space->work);
    if (p->slabs == 1) return true;
    if (space->bodies && p->slabs >= EVEN_SLABS) {
        lean_over(c, LEANS * size);
        cut_evenly(&c[0], &s, p->slabs);
    } else {
        cut(&c[0], &s, p->slabs);
    }
    cut(&c[1], &s, 2);
    sn_team_run(world->bindings.team, space->nodes, NODES_ALONE, mark_range, &marks);
    return true;
}

uint32_t sn_contact_group_of(const sn_world *world, const sn_contact_partition *p,
                             const sn_contact_set *set, const uint32_t *node, int nodes) {
    const sn_real *w = sn_world_contact_w(world);
    uint32_t low = UINT32_MAX, high = 0, halves = 0, count = (uint32_t)set->slabs;
    uint32_t last = (uint32_t)sn_contact_groups(set) - 1;
    if (p->lost) return last;
    if (count == 1) return 0;
    for (int n = 0; n < nodes; n++) {
        if (!(w[node[n]] > 0)) continue;
        uint32_t slab = p->of_node[node[n]] / 2;
        if (slab < low) low = slab;
        if (slab > high) high = slab;
        halves |= 1u << p->of_node[node[n]] % 2;
    }
    if (low >= high) return high;
    if (high > low + 1 || halves == 3) return last;
    return (uint32_t)sn_contact_layer(set, low % 2 ? 2 : 1) + low / 2 * 2 + halves - 1;
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
    uint32_t begin[SN_CONTACT_MOST_GROUPS];        /* of every group, in `order` */
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

/* The same of those that found none, whose nodes count how many they have now; returns how many
   there are. `number` is all zero. */
SN_INLINE size_t colour_left(const packing *p, const int kind, const uint32_t *list, size_t count,
                             uint64_t *taken, uint32_t *number) {
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t node[SN_CONTACT_MOST_NODES + 1], *at = &p->pair[list[i]].slot;
        uint64_t own = 0;
        const int nodes = movable(p, kind, list[i], node);
        for (int n = 0; n < nodes; n++)
            if (taken[node[n]] > own) own = taken[node[n]];
        for (int n = 0; n < nodes; n++) taken[node[n]] = own + 1;
        *at = 2 * (uint32_t)own + *at % 2;
        number[*at]++;
        if (own + 1 > most) most = own + 1;
    }
    return (size_t)most;
}

/* Makes blocks of so many colours, from the given one on, which is moved. Where pairs of each had
   their number, it is where they begin. */
SN_INLINE void lay_out(const packing *p, const int kind, size_t colours, uint32_t *place,
                       size_t *block) {
    for (size_t c = 0; c < 2 * colours; c += 2) {
        const uint32_t near = place[c], far = place[c + 1];
        place[c] = (uint32_t)*block * SN_CONTACT_BLOCK;
        place[c + 1] = place[c] + near;
        if (kind == SN_CONTACT_RIGID && p->chain > 0) {
            *block += blocks_for(near);
            place[c + 1] = (uint32_t)*block * SN_CONTACT_BLOCK;
            *block += p->chain * blocks_for(far);
        } else {
            *block += blocks_for(near + far);
        }
    }
}

/* Slots of pairs by where their colours begin; returns how many have none of these colours, which
   are first in the list then. No node has any when all are done. */
SN_INLINE size_t give_slots(const packing *p, const int kind, size_t colours, uint32_t *list,
                            size_t count, uint64_t *taken, uint32_t *place) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t node[SN_CONTACT_MOST_NODES + 1], *at = &p->pair[list[i]].slot;
        if (*at >= 2 * colours) {
            list[left++] = list[i];
            continue;
        }
        const bool chained = kind == SN_CONTACT_RIGID && p->chain > 0 && *at % 2;
        uint32_t *next = &place[*at];
        *at = (*next)++;
        if (chained && *next % SN_CONTACT_BLOCK == 0)
            *next += (uint32_t)(p->chain - 1) * SN_CONTACT_BLOCK;
        for (int n = movable(p, kind, list[i], node) - 1; n >= 0; n--) taken[node[n]] = 0;
    }
    return left;
}

SN_INLINE size_t pack_kind(const packing *p, const int kind, size_t group, uint64_t *taken) {
    uint32_t *list = p->partition->order + p->begin[group], number[2 * MASK];
    uint32_t *place = p->partition->place + 2 * p->begin[group];
    size_t count = p->begin[group + 1] - p->begin[group], blocks = 0;
    bool quick = true;
    while (count > 0 && quick) {
        const size_t had = count;
        memset(number, 0, sizeof number);
        colour(p, kind, list, count, taken, number);
        lay_out(p, kind, MASK, number, &blocks);
        count = give_slots(p, kind, MASK, list, count, taken, number);
        quick = FEW * (had - count) >= had;
    }
    if (count == 0) return blocks;
    memset(place, 0, 2 * count * sizeof *place);
    const size_t colours = colour_left(p, kind, list, count, taken, place);
    lay_out(p, kind, colours, place, &blocks);
    (void)give_slots(p, kind, colours, list, count, taken, place);
    return blocks;
}

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
            p->first[g + 1] = pack_kind(p, SN_CONTACT_POINT_POINT, g, taken);
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
            p->first[g + 1] = pack_kind(p, SN_CONTACT_RIGID, g, taken);
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
                    count + 1, sizeof *partition->order) ||
        !sn_reserve(&world->memory, (void **)&partition->place, &partition->place_capacity,
                    2 * count + 1, sizeof *partition->place))
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
    const size_t *first = sn_contact_partition_pack(world, partition, part, set->pair, set->count);
    if (!first) return false;
    size_t blocks = first[sn_contact_groups(set)];
    if (!sn_contact_set_renew(set, &world->memory, part->kind, blocks)) return false;
    placing p = {set->pair, first};
    sn_team_run(world->bindings.team, set->count, PAIRS_ALONE, place_range, &p);
    set->rounds = 1;
    set->blocks = blocks;
    return true;
}
