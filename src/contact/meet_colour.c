/*
 * What was found becomes sets: every pair takes the lowest colour that is free at all nodes it can
 * move, in the order of pairs, and the pairs of a colour lie together in blocks of 16: first those
 * that are near each other, so that lanes that touch are together. Should the
 * 64 colours of a mask not be enough, those that are left begin again with empty masks, and so on.
 */
#include "contact/meet_pair.h"
#include "contact/placing.h"

#include <string.h>

enum { PAIRS_ALONE = 256, MASK = 64 };
#define UNCOLOURED UINT32_MAX
#define FAR UINT32_MAX

/* ---- Colours ---- */

/* Some pairs of a kind, which get colours after those that a set has. */
typedef struct colouring {
    const sn_world *world;
    sn_meets *meets;
    int kind;
    sn_meet_pair *pair;
    size_t count;
    size_t colours, blocks; /* with them */
} colouring;

/* Of all nodes, or of those that the pairs have where these are few. */
static void clear_colours(const colouring *c) {
    size_t nodes = c->world->nodes.slots.count;
    uint32_t node[SN_MEET_MOST_NODES];
    if (4 * c->count > nodes) {
        memset(c->meets->colours, 0, nodes * sizeof *c->meets->colours);
        return;
    }
    for (size_t k = 0; k < c->count; k++) {
        sn_meet_pair_nodes(c->meets, c->kind, c->pair[k].a, c->pair[k].b, node);
        for (int n = 0; n < sn_meet_nodes(c->kind); n++) c->meets->colours[node[n]] = 0;
    }
}

/*
 * The pairs that find a colour in this round, from the given one on; returns how many do not. Those
 * that are near each other get their slots, counted within their colours; others are marked.
 */
SN_INLINE size_t colour_kind(colouring *c, const int kind, uint32_t begin, size_t *count) {
    const sn_real *w = sn_world_contact_w(c->world);
    uint64_t *colours = c->meets->colours;
    const int nodes = sn_meet_first[kind] + sn_meet_second[kind];
    size_t left = 0;
    for (size_t k = 0; k < c->count; k++) {
        sn_meet_pair *pair = &c->pair[k];
        uint32_t node[SN_MEET_MOST_NODES];
        uint64_t taken = 0;
        if (pair->colour != UNCOLOURED) continue;
        sn_meet_pair_nodes(c->meets, kind, pair->a, pair->b, node);
        for (int n = 0; n < nodes; n++) taken |= w[node[n]] > 0 ? colours[node[n]] : 0;
        if (taken == UINT64_MAX) {
            left++;
            continue;
        }
        uint32_t bit = (uint32_t)__builtin_ctzll(~taken);
        for (int n = 0; n < nodes; n++) colours[node[n]] |= (uint64_t)1 << bit;
        pair->colour = begin + bit;
        pair->slot = pair->slot > 0 ? FAR : (uint32_t)count[pair->colour + 1]++;
        if (pair->colour >= c->colours) c->colours = pair->colour + 1;
    }
    return left;
}

static size_t colour_round(colouring *c, uint32_t begin, size_t *count) {
    switch (c->kind) {
    case SN_MEETING_POINTS:
        return colour_kind(c, SN_MEETING_POINTS, begin, count);
    case SN_MEETING_POINT_SEGMENT:
        return colour_kind(c, SN_MEETING_POINT_SEGMENT, begin, count);
    case SN_MEETING_POINT_TRIANGLE:
        return colour_kind(c, SN_MEETING_POINT_TRIANGLE, begin, count);
    default:
        return colour_kind(c, SN_MEETING_EDGES, begin, count);
    }
}

/* Gives every pair a colour; `colour` of the set then says where each one begins, and the slots of
   pairs count from there. */
static bool colour_pairs(sn_world *world, sn_meet_set *set, colouring *c) {
    size_t begin = set->colours, left = c->count;
    for (; left > 0; begin += MASK) {
        if (!sn_reserve(&world->memory, (void **)&set->colour, &set->colour_capacity,
                        begin + MASK + 1, sizeof *set->colour))
            return false;
        memset(set->colour + begin + 1, 0, MASK * sizeof *set->colour);
        clear_colours(c);
        left = colour_round(c, (uint32_t)begin, set->colour);
    }
    size_t *first = set->colour;
    first[set->colours] = set->blocks;
    for (size_t k = 0; k < c->count; k++) {
        sn_meet_pair *pair = &c->pair[k];
        if (pair->slot == FAR) pair->slot = (uint32_t)first[pair->colour + 1]++;
    }
    for (size_t k = set->colours; k < c->colours; k++)
        first[k + 1] = first[k] + (first[k + 1] + SN_MEET_BLOCK - 1) / SN_MEET_BLOCK;
    c->blocks = first[c->colours];
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
        slot += (uint32_t)set->colour[f->pair[k].colour] * SN_MEET_BLOCK;
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
    sn_meet_measure *measure = sn_meet_nears_of(f->world->width)->measure[f->kind];
    measure(&near, f->pair + begin, f->meets->side + begin, end - begin);
}

/* ---- Pairs that are used again ---- */

/* As they are now, and nothing has happened to them. Measuring takes the slots, which therefore
   wait in the place of the colours. */
static void renew_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_meet_set *set = &f->meets->set[f->kind];
    for (size_t k = begin; k < end; k++) f->pair[k].colour = f->pair[k].slot;
    measure_range(context, begin, end);
    for (size_t k = begin; k < end; k++) {
        const sn_vec4 *side = &f->meets->side[k];
        uint32_t slot = f->pair[k].slot = f->pair[k].colour;
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
        filling f = {world, m, kind, m->set[kind].pair, 0};
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

/* Adds pairs to the colours and blocks of their set; nothing is changed without memory. */
static bool add_pairs(sn_world *world, sn_meets *m, int kind, sn_meet_pair *pair, size_t count) {
    sn_meet_set *set = &m->set[kind];
    colouring c = {.world = world,
                   .meets = m,
                   .kind = kind,
                   .pair = pair,
                   .count = count,
                   .colours = set->colours};
    if (count == 0) return true;
    if (!sn_reserve(&world->memory, (void **)&m->side, &m->side_capacity, count, sizeof *m->side))
        return false;
    filling f = {world, m, kind, pair, set->blocks};
    sn_team_run(world->team, count, PAIRS_ALONE, measure_range, &f);
    if (!colour_pairs(world, set, &c) || !reserve_rows(world, set, kind, c.blocks)) return false;
    size_t blocks = c.blocks - set->blocks;
    set->colours = c.colours;
    set->blocks = c.blocks;
    sn_team_run(world->team, blocks, PAIRS_ALONE / SN_MEET_BLOCK, clear_range, &f);
    sn_team_run(world->team, count, PAIRS_ALONE, fill_range, &f);
    return true;
}

bool sn_meet_colour(sn_world *world, sn_meets *m) {
    if (!sn_reserve(&world->memory, (void **)&m->colours, &m->colours_capacity,
                    world->nodes.slots.count, sizeof *m->colours))
        return false;
    for (int kind = 0; kind < SN_MEET_KINDS; kind++)
        if (!sn_meet_list_pairs(world, m, kind) ||
            !add_pairs(world, m, kind, m->set[kind].pair, m->set[kind].count))
            return false;
    return true;
}

bool sn_meet_colour_fresh(sn_world *world, sn_meets *m, int kind, size_t count) {
    sn_meet_set *set = &m->set[kind];
    return sn_reserve(&world->memory, (void **)&set->pair, &set->capacity, set->count + count,
                      sizeof *set->pair) &&
           add_pairs(world, m, kind, m->fresh, count);
}
