/*
 * What was found becomes sets: pairs that lie within one slab, or across one cut, are a group
 * (meet_slab.c), and the pairs of a group lie together in blocks of 16 that have no node in common
 * which they can move. A pair goes to the first open block where it fits. Those that are near each
 * other come first, so that lanes that touch are together.
 */
#include "contact/meet_pair.h"
#include "contact/placing.h"

#include <string.h>

enum { PAIRS_ALONE = 256, OPEN = 64, LAYERS = 4, WAYS = 128 };

/* ---- Groups ---- */

/* Some pairs of a kind, which get blocks after those that a set has. */
typedef struct packing {
    const sn_world *world;
    sn_meets *meets;
    sn_meet_set *set;
    int kind;
    sn_meet_pair *pair;
    size_t count;
    size_t *first; /* of this round; see the set */
    /* Where the near and then the far ones of every group begin in `order`. */
    uint32_t begin[4 * SN_MEET_MOST_SLABS + 1];
} packing;

/* By group, and near ones before far ones; each in the order of pairs. */
static void sort_by_group(packing *p) {
    size_t keys = 2 * sn_meet_groups(p->set);
    uint32_t *order = p->meets->order, end[4 * SN_MEET_MOST_SLABS] = {0}, sum = 0;
    for (size_t k = 0; k < p->count; k++) end[2 * p->pair[k].group + p->pair[k].slot]++;
    for (size_t key = 0; key < keys; key++) {
        p->begin[key] = sum;
        sum += end[key];
        end[key] = p->begin[key];
    }
    p->begin[keys] = sum;
    for (size_t k = 0; k < p->count; k++)
        order[end[2 * p->pair[k].group + p->pair[k].slot]++] = (uint32_t)k;
}

/* ---- Blocks ---- */

/* Blocks of a group that still have room, by their numbers modulo 64. */
typedef struct window {
    const packing *packing;
    uint64_t *taken;       /* of every node: which of them have it; zero where there are none */
    uint64_t full;         /* which of them have no room */
    uint32_t oldest, next; /* blocks */
    uint8_t count[OPEN];
    uint32_t pair[OPEN][SN_MEET_BLOCK];
} window;

static void mark_pair(const window *w, uint32_t k, const int kind, uint64_t bit, bool set) {
    uint32_t node[SN_MEET_MOST_NODES];
    const sn_real *mass = sn_world_contact_w(w->packing->world);
    const sn_meet_pair *pair = &w->packing->pair[k];
    sn_meet_pair_nodes(w->packing->meets, kind, pair->a, pair->b, node);
    for (int n = 0; n < sn_meet_first[kind] + sn_meet_second[kind]; n++) {
        if (!(mass[node[n]] > 0)) continue;
        uint64_t *taken = &w->taken[node[n]];
        *taken = set ? *taken | bit : *taken & ~bit;
    }
}

static void close_oldest(window *w, const int kind) {
    uint32_t at = w->oldest++ % OPEN;
    uint64_t bit = (uint64_t)1 << at;
    for (int i = 0; i < w->count[at]; i++) mark_pair(w, w->pair[at][i], kind, bit, false);
    w->full &= ~bit;
    w->count[at] = 0;
}

/* Blocks in which none of the nodes is, the oldest in the lowest bit. */
SN_INLINE uint64_t find_room(const window *w, uint32_t k, const int kind) {
    uint32_t node[SN_MEET_MOST_NODES], turn = w->oldest % OPEN;
    const sn_real *mass = sn_world_contact_w(w->packing->world);
    const sn_meet_pair *pair = &w->packing->pair[k];
    uint64_t taken = w->full;
    sn_meet_pair_nodes(w->packing->meets, kind, pair->a, pair->b, node);
    for (int n = 0; n < sn_meet_first[kind] + sn_meet_second[kind]; n++)
        taken |= mass[node[n]] > 0 ? w->taken[node[n]] : 0;
    return ~(turn > 0 ? taken >> turn | taken << (OPEN - turn) : taken);
}

SN_INLINE void add_pair(window *w, uint32_t k, const int kind) {
    uint64_t room = find_room(w, k, kind);
    if (room == 0) {
        close_oldest(w, kind);
        room = find_room(w, k, kind);
    }
    uint32_t block = w->oldest + (uint32_t)__builtin_ctzll(room), at = block % OPEN;
    if (block >= w->next) w->next = block + 1;
    mark_pair(w, k, kind, (uint64_t)1 << at, true);
    w->packing->pair[k].slot = block * SN_MEET_BLOCK + w->count[at];
    w->pair[at][w->count[at]++] = k;
    if (w->count[at] == SN_MEET_BLOCK) w->full |= (uint64_t)1 << at;
    while (w->oldest < w->next && w->count[w->oldest % OPEN] == SN_MEET_BLOCK)
        close_oldest(w, kind);
}

/*
 * Pairs that follow each other have mostly a node in common. So they are dealt out in WAYS heaps,
 * and one of each is taken in turn: those of a block then come from many places, and so do those of
 * the blocks after it. A core need not wait for what it has just written.
 */
SN_INLINE void pack_some(window *w, uint32_t begin, uint32_t end, const int kind) {
    const uint32_t *order = w->packing->meets->order;
    uint32_t height = (end - begin + WAYS - 1) / WAYS;
    for (uint32_t row = begin; row < begin + height; row++)
        for (uint32_t i = row; i < end; i += height) add_pair(w, order[i], kind);
}

SN_INLINE void pack_kind(window *w, size_t group, const int kind) {
    const uint32_t *begin = w->packing->begin + 2 * group;
    pack_some(w, begin[0], begin[1], kind);
    pack_some(w, begin[1], begin[2], kind);
    while (w->oldest < w->next) close_oldest(w, kind);
}

/* Groups of one layer have no nodes in common. */
static size_t layer_of(const sn_meet_set *set, size_t group) {
    if (group < set->slabs) return 0;
    if (group + 1 == 2 * set->slabs) return 3;
    return 1 + (group - set->slabs) % 2;
}

/* Slots of pairs, counted from where their group begins; and how many blocks it has. */
static void pack_range(void *context, size_t begin, size_t end) {
    const packing *p = context;
    for (size_t g = begin; g < end; g++) {
        window w = {.packing = p,
                    .taken = p->meets->taken + layer_of(p->set, g) * p->world->nodes.slots.count};
        switch (p->kind) {
        case SN_MEETING_POINTS:
            pack_kind(&w, g, SN_MEETING_POINTS);
            break;
        case SN_MEETING_POINT_SEGMENT:
            pack_kind(&w, g, SN_MEETING_POINT_SEGMENT);
            break;
        case SN_MEETING_POINT_TRIANGLE:
            pack_kind(&w, g, SN_MEETING_POINT_TRIANGLE);
            break;
        default:
            pack_kind(&w, g, SN_MEETING_EDGES);
        }
        p->first[g + 1] = w.next;
    }
}

/* Gives every pair its place; the set then has one round more. */
static bool pack_pairs(sn_world *world, packing *p) {
    sn_meets *m = p->meets;
    sn_meet_set *set = p->set;
    size_t groups = sn_meet_groups(set), had = set->rounds * (groups + 1);
    if (!sn_reserve(&world->memory, (void **)&set->first, &set->first_capacity, had + groups + 1,
                    sizeof *set->first) ||
        !sn_reserve(&world->memory, (void **)&m->order, &m->order_capacity, p->count,
                    sizeof *m->order))
        return false;
    p->first = set->first + had;
    sort_by_group(p);
    sn_team_run(world->team, groups, 3, pack_range, p);
    p->first[0] = set->blocks;
    for (size_t g = 0; g < groups; g++) p->first[g + 1] += p->first[g];
    return true;
}

/* ---- Rows ---- */

/* New pairs of a set, and the block in which they begin. */
typedef struct filling {
    const sn_world *world;
    const sn_meets *meets;
    int kind;
    sn_meet_pair *pair;
    size_t first;
    const size_t *first_of; /* every group; null before they have blocks */
    const sn_vec4 *x;       /* m, where nodes are */
} filling;

/* Lanes that nobody takes work on a node that is none and never touch. */
static void clear_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_meet_set *set = &f->meets->set[f->kind];
    size_t nodes = (size_t)sn_meet_nodes(f->kind);
    for (size_t block = f->first + begin; block < f->first + end; block++) {
        int32_t *node = set->node + block * nodes * SN_MEET_BLOCK;
        sn_real *row = set->row + block * SN_MEET_ROWS * SN_MEET_BLOCK;
        for (size_t i = 0; i < nodes * SN_MEET_BLOCK; i++)
            node[i] = SN_NODE_PADDING * (int32_t)SN_NODE_BYTES;
        memset(row, 0, SN_MEET_ROWS * SN_MEET_BLOCK * sizeof *row);
    }
}

/* Slots, nodes and laws of pairs. Laws are those of two skins and bodies, and mostly those of the
   pair before. */
static void fill_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_world *world = f->world;
    const sn_meet_set *set = &f->meets->set[f->kind];
    const int kind = f->kind, nodes = sn_meet_nodes(kind), first = sn_meet_first[kind];
    uint32_t known[4] = {UINT32_MAX, 0, 0, 0};
    sn_meet_law law = {0};
    for (size_t k = begin; k < end; k++) {
        uint32_t node[SN_MEET_MOST_NODES], slot = f->pair[k].slot;
        slot += (uint32_t)f->first_of[f->pair[k].group] * SN_MEET_BLOCK;
        f->pair[k].slot = slot;
        sn_meet_pair_nodes(f->meets, kind, f->pair[k].a, f->pair[k].b, node);
        for (int n = 0; n < nodes; n++)
            *sn_meet_node_at(set, kind, slot, n) = (int32_t)(node[n] * SN_NODE_BYTES);
        const uint32_t who[4] = {world->skins.of_node[node[0]], world->skins.of_node[node[first]],
                                 world->nodes.body[node[0]], world->nodes.body[node[first]]};
        if (memcmp(who, known, sizeof who) != 0) law = sn_meet_law_of(world, kind, node);
        memcpy(known, who, sizeof who);
        const sn_vec4 *side = &f->meets->side[k];
        *sn_meet_at(set, slot, SN_MEET_LIMIT) = side->w;
        *sn_meet_at(set, slot, SN_MEET_NORMAL) = side->x;
        *sn_meet_at(set, slot, SN_MEET_NORMAL + 1) = side->y;
        *sn_meet_at(set, slot, SN_MEET_NORMAL + 2) = side->z;
        *sn_meet_at(set, slot, SN_MEET_CROSSED) = SN_MEET_UNKNOWN;
        *sn_meet_at(set, slot, SN_MEET_STATIC) = law.static_friction;
        *sn_meet_at(set, slot, SN_MEET_DYNAMIC) = law.dynamic_friction;
        *sn_meet_at(set, slot, SN_MEET_RECOVERY) = law.recovery_speed;
        *sn_meet_at(set, slot, SN_MEET_BOUNCE) = law.restitution;
    }
}

static void measure_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_meet_elements *list = f->meets->list;
    sn_meet_near near = sn_meet_near_of(f->world, &list[sn_meet_whole_first[f->kind]],
                                        &list[sn_meet_whole_second[f->kind]]);
    near.x = f->x;
    sn_meet_measure *measure = sn_meet_nears_of(f->world->width)->measure[f->kind];
    measure(&near, f->pair + begin, f->meets->side + begin, end - begin);
}

/* ---- Pairs that are used again ---- */

/* As they are now, and nothing has happened to them. Measuring takes the slots, which therefore
   wait in the place of the groups. */
static void renew_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_meet_set *set = &f->meets->set[f->kind];
    for (size_t k = begin; k < end; k++) f->pair[k].group = f->pair[k].slot;
    measure_range(context, begin, end);
    for (size_t k = begin; k < end; k++) {
        const sn_vec4 *side = &f->meets->side[k];
        uint32_t slot = f->pair[k].slot = f->pair[k].group;
        for (int row = SN_MEET_CAME; row < SN_MEET_ROWS; row++) *sn_meet_at(set, slot, row) = 0;
        *sn_meet_at(set, slot, SN_MEET_LIMIT) = side->w;
        *sn_meet_at(set, slot, SN_MEET_NORMAL) = side->x;
        *sn_meet_at(set, slot, SN_MEET_NORMAL + 1) = side->y;
        *sn_meet_at(set, slot, SN_MEET_NORMAL + 2) = side->z;
        *sn_meet_at(set, slot, SN_MEET_CROSSED) = SN_MEET_UNKNOWN;
    }
}

void sn_meet_renew(sn_world *world, sn_meets *m) {
    for (int kind = 0; kind < SN_MEET_KINDS; kind++) {
        filling f = {
            .world = world, .meets = m, .kind = kind, .pair = m->set[kind].pair, .x = world->nodes.x};
        sn_team_run(world->team, m->set[kind].count, PAIRS_ALONE, renew_range, &f);
    }
}

static bool reserve_rows(sn_world *world, sn_meet_set *set, int kind, size_t blocks) {
    size_t lanes = blocks * SN_MEET_BLOCK;
    return sn_reserve(&world->memory, (void **)&set->node, &set->node_capacity,
                      lanes * (size_t)sn_meet_nodes(kind), sizeof *set->node) &&
           sn_reserve(&world->memory, (void **)&set->row, &set->row_capacity, lanes * SN_MEET_ROWS,
                      sizeof *set->row);
}

/* ---- All of it ---- */

static void group_range(void *context, size_t begin, size_t end) {
    const packing *p = context;
    uint32_t node[SN_MEET_MOST_NODES];
    for (size_t k = begin; k < end; k++) {
        sn_meet_pair_nodes(p->meets, p->kind, p->pair[k].a, p->pair[k].b, node);
        p->pair[k].group = sn_meet_group_of(p->world, p->set, node, sn_meet_nodes(p->kind));
    }
}

/* Adds pairs to the blocks of their set, by where nodes are; nothing is changed without memory. */
static bool add_pairs(sn_world *world, sn_meets *m, int kind, sn_meet_pair *pair, size_t count,
                      const sn_vec4 *x) {
    sn_meet_set *set = &m->set[kind];
    packing p = {
        .world = world, .meets = m, .set = set, .kind = kind, .pair = pair, .count = count};
    filling f = {.world = world, .meets = m, .kind = kind, .pair = pair, .x = x};
    if (count == 0) return true;
    if (!sn_reserve(&world->memory, (void **)&m->side, &m->side_capacity, count, sizeof *m->side))
        return false;
    sn_team_run(world->team, count, PAIRS_ALONE, measure_range, &f);
    sn_team_run(world->team, count, PAIRS_ALONE, group_range, &p);
    if (!pack_pairs(world, &p)) return false;
    size_t blocks = p.first[sn_meet_groups(set)];
    if (!reserve_rows(world, set, kind, blocks)) return false;
    f.first = set->blocks;
    f.first_of = p.first;
    set->rounds++;
    set->blocks = blocks;
    sn_team_run(world->team, blocks - f.first, PAIRS_ALONE / SN_MEET_BLOCK, clear_range, &f);
    sn_team_run(world->team, count, PAIRS_ALONE, fill_range, &f);
    return true;
}

/* Which is all zero whenever no pairs are being packed. */
static bool reserve_taken(sn_world *world, sn_meets *m) {
    size_t needed = LAYERS * world->nodes.slots.count, had = m->taken_capacity;
    if (!sn_reserve(&world->memory, (void **)&m->taken, &m->taken_capacity, needed,
                    sizeof *m->taken))
        return false;
    if (m->taken_capacity > had) memset(m->taken, 0, m->taken_capacity * sizeof *m->taken);
    return true;
}

bool sn_meet_pack(sn_world *world, sn_meets *m) {
    for (int kind = 0; kind < SN_MEET_KINDS; kind++)
        if (!sn_meet_list_pairs(world, m, kind)) return false;
    if (!reserve_taken(world, m) || !sn_meet_slabs_make(world, m)) return false;
    for (int kind = 0; kind < SN_MEET_KINDS; kind++) {
        m->set[kind].slabs = m->slabs.count;
        if (!add_pairs(world, m, kind, m->set[kind].pair, m->set[kind].count,
                       world->skins.reach.from))
            return false;
    }
    return true;
}

bool sn_meet_pack_fresh(sn_world *world, sn_meets *m, int kind, size_t count) {
    sn_meet_set *set = &m->set[kind];
    return sn_reserve(&world->memory, (void **)&set->pair, &set->capacity, set->count + count,
                      sizeof *set->pair) &&
           add_pairs(world, m, kind, m->fresh, count, world->nodes.x);
}
