/*
 * What was found becomes sets: every pair takes the lowest colour that is free at all nodes it can
 * move, in the order of pairs, and the pairs of a colour lie together in blocks of 16. Should the
 * 64 colours of a mask not be enough, those that are left begin again with empty masks, and so on.
 */
#include "contact/meet_pair.h"
#include "contact/placing.h"

#include <string.h>

enum { PAIRS_ALONE = 256, MASK = 64 };
#define UNCOLOURED UINT32_MAX

/* ---- Colours ---- */

/* The pairs that find a colour in this round; returns how many do not. */
static size_t colour_round(const sn_world *world, sn_meets *m, int kind, uint32_t round) {
    sn_meet_set *set = &m->set[kind];
    int nodes = sn_meet_nodes(kind);
    size_t left = 0;
    memset(m->colours, 0, world->nodes.slots.count * sizeof *m->colours);
    for (size_t k = 0; k < set->count; k++) {
        sn_meet_pair *pair = &set->pair[k];
        uint32_t node[SN_MEET_MOST_NODES];
        uint64_t taken = 0;
        if (pair->colour != UNCOLOURED) continue;
        sn_meet_pair_nodes(m, kind, pair->a, pair->b, node);
        for (int n = 0; n < nodes; n++)
            if (sn_world_contact_w(world)[node[n]] > 0) taken |= m->colours[node[n]];
        if (taken == UINT64_MAX) {
            left++;
            continue;
        }
        uint32_t bit = (uint32_t)__builtin_ctzll(~taken);
        for (int n = 0; n < nodes; n++) m->colours[node[n]] |= (uint64_t)1 << bit;
        pair->colour = round * MASK + bit;
        if (pair->colour >= set->colours) set->colours = pair->colour + 1;
    }
    return left;
}

/* Where each colour begins, and the slot of every pair. */
static bool place_pairs(sn_world *world, sn_meet_set *set) {
    if (!sn_reserve(&world->memory, (void **)&set->colour, &set->colour_capacity, set->colours + 1,
                    sizeof *set->colour))
        return false;
    memset(set->colour, 0, (set->colours + 1) * sizeof *set->colour);
    for (size_t k = 0; k < set->count; k++) {
        sn_meet_pair *pair = &set->pair[k];
        pair->slot = (uint32_t)set->colour[pair->colour + 1]++;
    }
    for (size_t c = 0; c < set->colours; c++) {
        size_t blocks = (set->colour[c + 1] + SN_MEET_BLOCK - 1) / SN_MEET_BLOCK;
        set->colour[c + 1] = set->colour[c] + blocks;
    }
    for (size_t k = 0; k < set->count; k++)
        set->pair[k].slot += (uint32_t)set->colour[set->pair[k].colour] * SN_MEET_BLOCK;
    set->blocks = set->colour[set->colours];
    return true;
}

/* ---- Rows ---- */

typedef struct filling {
    const sn_world *world;
    const sn_meets *meets;
    int kind;
} filling;

/* Lanes that nobody takes work on a node that is none and never touch. */
static void clear_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_meet_set *set = &f->meets->set[f->kind];
    size_t nodes = (size_t)sn_meet_nodes(f->kind);
    for (size_t block = begin; block < end; block++) {
        int32_t *node = set->node + block * nodes * SN_MEET_BLOCK;
        sn_real *row = set->row + block * SN_MEET_ROWS * SN_MEET_BLOCK;
        for (size_t i = 0; i < nodes * SN_MEET_BLOCK; i++)
            node[i] = SN_NODE_PADDING * (int32_t)SN_NODE_BYTES;
        memset(row, 0, SN_MEET_ROWS * SN_MEET_BLOCK * sizeof *row);
        for (size_t i = 0; i < SN_MEET_BLOCK; i++) row[SN_MEET_LIMIT * SN_MEET_BLOCK + i] = 0;
    }
}

/* Nodes and laws of pairs. Laws are those of two skins and bodies, and mostly those of the pair
   before. */
static void fill_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_world *world = f->world;
    const sn_meet_set *set = &f->meets->set[f->kind];
    const int kind = f->kind, nodes = sn_meet_nodes(kind), first = sn_meet_first[kind];
    uint32_t known[4] = {UINT32_MAX, 0, 0, 0};
    sn_meet_law law = {0};
    for (size_t k = begin; k < end; k++) {
        uint32_t node[SN_MEET_MOST_NODES], slot = set->pair[k].slot;
        sn_meet_pair_nodes(f->meets, kind, set->pair[k].a, set->pair[k].b, node);
        for (int n = 0; n < nodes; n++)
            *sn_meet_node_at(set, kind, slot, n) = (int32_t)(node[n] * SN_NODE_BYTES);
        const uint32_t who[4] = {world->skins.of_node[node[0]], world->skins.of_node[node[first]],
                                 world->nodes.body[node[0]], world->nodes.body[node[first]]};
        if (memcmp(who, known, sizeof who) != 0) law = sn_meet_law_of(world, kind, node);
        memcpy(known, who, sizeof who);
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
    sn_meet_nears_of(f->world->width)->fill[f->kind](&near, &f->meets->set[f->kind], begin, end);
}

static bool reserve_rows(sn_world *world, sn_meet_set *set, int kind) {
    size_t lanes = set->blocks * SN_MEET_BLOCK;
    return sn_reserve(&world->memory, (void **)&set->node, &set->node_capacity,
                      lanes * (size_t)sn_meet_nodes(kind), sizeof *set->node) &&
           sn_reserve(&world->memory, (void **)&set->row, &set->row_capacity, lanes * SN_MEET_ROWS,
                      sizeof *set->row);
}

/* ---- All of it ---- */

static bool make_set(sn_world *world, sn_meets *m, int kind) {
    sn_meet_set *set = &m->set[kind];
    if (!sn_meet_list_pairs(world, m, kind)) return false;
    if (set->count == 0) return true;
    uint32_t round = 0;
    while (colour_round(world, m, kind, round) > 0) round++;
    if (!place_pairs(world, set) || !reserve_rows(world, set, kind)) return false;
    filling f = {world, m, kind};
    sn_team_run(world->team, set->blocks, PAIRS_ALONE / SN_MEET_BLOCK, clear_range, &f);
    sn_team_run(world->team, set->count, PAIRS_ALONE, fill_range, &f);
    sn_team_run(world->team, set->blocks, PAIRS_ALONE / SN_MEET_BLOCK, measure_range, &f);
    return true;
}

bool sn_meet_colour(sn_world *world, sn_meets *m) {
    if (!sn_reserve(&world->memory, (void **)&m->colours, &m->colours_capacity,
                    world->nodes.slots.count, sizeof *m->colours))
        return false;
    for (int kind = 0; kind < SN_MEET_KINDS; kind++)
        if (!make_set(world, m, kind)) return false;
    return true;
}
