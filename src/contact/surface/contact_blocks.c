/*
 * What was found becomes sets: pairs that lie within one slab, or across one cut, are a group
 * (contact_slabs.c). Every pair of a group takes the lowest colour that is free at all nodes it can
 * move, and the pairs of a colour lie together in blocks of 16: first those that are near each
 * other, so that lanes that touch are together. Should the 64 colours of a mask not be enough,
 * those that are left begin again with empty masks, and so on.
 */
#include "collision/collider_pose.h"
#include "contact/surface/surface_pair.h"

#include <string.h>

enum { PAIRS_ALONE = 256, MASK = 64 };

/* ---- Groups ---- */

/* Some pairs of a kind, which get blocks after those that a set has. */
typedef struct packing {
    const sn_world *world;
    sn_surface_contacts *surface_contacts;
    sn_surface_contact_set *set;
    int kind;
    sn_surface_pair *pair;
    size_t count;
    size_t *first;                                  /* of this round; see the set */
    uint32_t begin[SN_SURFACE_CONTACT_MOST_GROUPS]; /* of every group, in `order` */
} packing;

/* Each group in the order of pairs. */
static void sort_by_group(packing *p) {
    size_t groups = sn_surface_contact_groups(p->set);
    uint32_t *order = p->surface_contacts->order, end[SN_SURFACE_CONTACT_MOST_GROUPS] = {0},
             sum = 0;
    for (size_t k = 0; k < p->count; k++) end[p->pair[k].group]++;
    for (size_t g = 0; g < groups; g++) {
        p->begin[g] = sum;
        sum += end[g];
        end[g] = p->begin[g];
    }
    p->begin[groups] = sum;
    for (size_t k = 0; k < p->count; k++) order[end[p->pair[k].group]++] = (uint32_t)k;
}

/* ---- Blocks ---- */

/* The nodes of a pair that it can move; returns how many. */
SN_INLINE int movable(const packing *p, const int kind, uint32_t k, uint32_t *node) {
    const sn_real *w = sn_world_contact_w(p->world);
    uint32_t all[SN_CONTACT_MOST_NODES];
    int count = 0;
    sn_surface_pair_node_list(p->surface_contacts, kind, p->pair[k].a, p->pair[k].b, all);
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

/* Makes blocks of up to 64 colours, from the given one on, which is moved; returns how many pairs
   are left, which are first in the list then. */
SN_INLINE size_t pack_round(const packing *p, const int kind, uint32_t *list, size_t count,
                            uint64_t *taken, size_t *block) {
    uint32_t number[2 * MASK] = {0}, slot[2 * MASK];
    size_t left = 0;
    colour(p, kind, list, count, taken, number);
    for (int c = 0; c < 2 * MASK; c += 2) {
        slot[c] = (uint32_t)*block * SN_SURFACE_CONTACT_BLOCK;
        slot[c + 1] = slot[c] + number[c];
        *block +=
            (number[c] + number[c + 1] + SN_SURFACE_CONTACT_BLOCK - 1) / SN_SURFACE_CONTACT_BLOCK;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t node[SN_CONTACT_MOST_NODES + 1], *at = &p->pair[list[i]].slot;
        if (*at >= 2 * MASK) {
            list[left++] = list[i];
            continue;
        }
        *at = slot[*at]++;
        for (int n = movable(p, kind, list[i], node) - 1; n >= 0; n--) taken[node[n]] = 0;
    }
    return left;
}

SN_INLINE size_t pack_kind(const packing *p, const int kind, size_t group, uint64_t *taken) {
    uint32_t *list = p->surface_contacts->order + p->begin[group];
    size_t count = p->begin[group + 1] - p->begin[group], blocks = 0;
    while (count > 0) count = pack_round(p, kind, list, count, taken, &blocks);
    return blocks;
}

static size_t layer_of(const sn_surface_contact_set *set, size_t group) {
    int layer = 0;
    while (group >= sn_surface_contact_layer(set, layer + 1)) layer++;
    return (size_t)layer;
}

/* Slots of pairs, counted from where their group begins; and how many blocks it has. */
static void pack_range(void *context, size_t begin, size_t end) {
    const packing *p = context;
    for (size_t g = begin; g < end; g++) {
        uint64_t *taken =
            p->surface_contacts->taken + layer_of(p->set, g) * p->world->nodes.slots.count;
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
        default:
            p->first[g + 1] = pack_kind(p, SN_CONTACT_EDGE_EDGE, g, taken);
        }
    }
}

/* Gives every pair its place; the set then has one round more. */
static bool pack_pairs(sn_world *world, packing *p) {
    sn_surface_contacts *m = p->surface_contacts;
    sn_surface_contact_set *set = p->set;
    size_t groups = sn_surface_contact_groups(set), had = set->rounds * (groups + 1);
    if (!sn_reserve(&world->memory, (void **)&set->first, &set->first_capacity, had + groups + 1,
                    sizeof *set->first) ||
        !sn_reserve(&world->memory, (void **)&m->order, &m->order_capacity, p->count,
                    sizeof *m->order))
        return false;
    p->first = set->first + had;
    sort_by_group(p);
    sn_team_run(world->bindings.team, groups, 3, pack_range, p);
    p->first[0] = set->blocks;
    for (size_t g = 0; g < groups; g++) p->first[g + 1] += p->first[g];
    return true;
}

/* ---- Rows ---- */

/* New pairs of a set, and the block in which they begin. */
typedef struct filling {
    const sn_world *world;
    const sn_surface_contacts *surface_contacts;
    int kind;
    sn_surface_pair *pair;
    size_t first;
    const size_t *first_of; /* every group; null before they have blocks */
} filling;

/* Lanes that nobody takes work on a node that is none and never touch. */
static void clear_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_surface_contact_set *set = &f->surface_contacts->set[f->kind];
    size_t nodes = (size_t)sn_contact_nodes(f->kind);
    for (size_t block = f->first + begin; block < f->first + end; block++) {
        int32_t *node = set->node + block * nodes * SN_SURFACE_CONTACT_BLOCK;
        sn_real *row = set->row + block * SN_SURFACE_CONTACT_ROWS * SN_SURFACE_CONTACT_BLOCK;
        for (size_t i = 0; i < nodes * SN_SURFACE_CONTACT_BLOCK; i++)
            node[i] = SN_NODE_PADDING * (int32_t)SN_NODE_BYTES;
        memset(row, 0, SN_SURFACE_CONTACT_ROWS * SN_SURFACE_CONTACT_BLOCK * sizeof *row);
    }
}

/* Slots, nodes and laws of pairs. Laws are those of two collision surfaces and bodies, and mostly
   those of the
   pair before. */
static void fill_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_world *world = f->world;
    const sn_surface_contact_set *set = &f->surface_contacts->set[f->kind];
    const int kind = f->kind, nodes = sn_contact_nodes(kind), first = sn_contact_first[kind];
    uint32_t known[4] = {UINT32_MAX, 0, 0, 0};
    sn_surface_pair_material law = {0};
    for (size_t k = begin; k < end; k++) {
        uint32_t node[SN_CONTACT_MOST_NODES], slot = f->pair[k].slot;
        slot += (uint32_t)f->first_of[f->pair[k].group] * SN_SURFACE_CONTACT_BLOCK;
        f->pair[k].slot = slot;
        sn_surface_pair_node_list(f->surface_contacts, kind, f->pair[k].a, f->pair[k].b, node);
        for (int n = 0; n < nodes; n++)
            *sn_surface_pair_node_at(set, kind, slot, n) = (int32_t)(node[n] * SN_NODE_BYTES);
        const uint32_t who[4] = {world->surfaces.of_node[node[0]],
                                 world->surfaces.of_node[node[first]], world->nodes.body[node[0]],
                                 world->nodes.body[node[first]]};
        if (memcmp(who, known, sizeof who) != 0)
            law = sn_surface_pair_material_of(world, kind, node);
        memcpy(known, who, sizeof who);
        const sn_vec4 *side = &f->surface_contacts->side[k];
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_LIMIT) = side->w;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_NORMAL) = side->x;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_NORMAL + 1) = side->y;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_NORMAL + 2) = side->z;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_CROSSED) = SN_SURFACE_CONTACT_UNKNOWN;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_STATIC) = law.static_friction;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_DYNAMIC) = law.dynamic_friction;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_RECOVERY) = law.recovery_speed;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_BOUNCE) = law.restitution;
    }
}

static void measure_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_surface_elements *list = f->surface_contacts->list;
    sn_separation_test near =
        sn_separation_test_of(f->world, &list[sn_surface_pair_whole_first[f->kind]],
                              &list[sn_surface_pair_whole_second[f->kind]]);
    sn_surface_contact_measure *measure =
        sn_separation_tests_of(f->world->bindings.width)->measure[f->kind];
    measure(&near, f->pair + begin, f->surface_contacts->side + begin, end - begin);
}

/* ---- Pairs that are used again ---- */

/* As they are now, and nothing has happened to them. Measuring takes the slots, which therefore
   wait in the place of the groups. */
static void renew_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_surface_contact_set *set = &f->surface_contacts->set[f->kind];
    for (size_t k = begin; k < end; k++) f->pair[k].group = f->pair[k].slot;
    measure_range(context, begin, end);
    for (size_t k = begin; k < end; k++) {
        const sn_vec4 *side = &f->surface_contacts->side[k];
        uint32_t slot = f->pair[k].slot = f->pair[k].group;
        for (int row = SN_SURFACE_CONTACT_CAME; row < SN_SURFACE_CONTACT_ROWS; row++)
            *sn_surface_contact_at(set, slot, row) = 0;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_LIMIT) = side->w;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_NORMAL) = side->x;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_NORMAL + 1) = side->y;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_NORMAL + 2) = side->z;
        *sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_CROSSED) = SN_SURFACE_CONTACT_UNKNOWN;
    }
}

void sn_surface_contact_renew(sn_world *world, sn_surface_contacts *m) {
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        filling f = {
            .world = world, .surface_contacts = m, .kind = kind, .pair = m->set[kind].pair};
        sn_team_run(world->bindings.team, m->set[kind].count, PAIRS_ALONE, renew_range, &f);
    }
}

static bool reserve_rows(sn_world *world, sn_surface_contact_set *set, int kind, size_t blocks) {
    size_t lanes = blocks * SN_SURFACE_CONTACT_BLOCK;
    return sn_reserve(&world->memory, (void **)&set->node, &set->node_capacity,
                      lanes * (size_t)sn_contact_nodes(kind), sizeof *set->node) &&
           sn_reserve(&world->memory, (void **)&set->row, &set->row_capacity,
                      lanes * SN_SURFACE_CONTACT_ROWS, sizeof *set->row);
}

/* ---- All of it ---- */

static void group_range(void *context, size_t begin, size_t end) {
    const packing *p = context;
    uint32_t node[SN_CONTACT_MOST_NODES];
    for (size_t k = begin; k < end; k++) {
        sn_surface_pair_node_list(p->surface_contacts, p->kind, p->pair[k].a, p->pair[k].b, node);
        p->pair[k].group =
            sn_surface_contact_group_of(p->world, p->set, node, sn_contact_nodes(p->kind));
    }
}

/* Adds pairs to the blocks of their set; nothing is changed without memory. */
static bool add_pairs(sn_world *world, sn_surface_contacts *m, int kind, sn_surface_pair *pair,
                      size_t count) {
    sn_surface_contact_set *set = &m->set[kind];
    packing p = {.world = world,
                 .surface_contacts = m,
                 .set = set,
                 .kind = kind,
                 .pair = pair,
                 .count = count};
    filling f = {.world = world, .surface_contacts = m, .kind = kind, .pair = pair};
    if (count == 0) return true;
    if (!sn_reserve(&world->memory, (void **)&m->side, &m->side_capacity, count, sizeof *m->side))
        return false;
    sn_team_run(world->bindings.team, count, PAIRS_ALONE, measure_range, &f);
    sn_team_run(world->bindings.team, count, PAIRS_ALONE, group_range, &p);
    if (!pack_pairs(world, &p)) return false;
    size_t blocks = p.first[sn_surface_contact_groups(set)];
    if (!reserve_rows(world, set, kind, blocks)) return false;
    f.first = set->blocks;
    f.first_of = p.first;
    set->rounds++;
    set->blocks = blocks;
    sn_team_run(world->bindings.team, blocks - f.first, PAIRS_ALONE / SN_SURFACE_CONTACT_BLOCK,
                clear_range, &f);
    sn_team_run(world->bindings.team, count, PAIRS_ALONE, fill_range, &f);
    return true;
}

/* Which is all zero whenever no pairs are being packed. */
static bool reserve_taken(sn_world *world, sn_surface_contacts *m) {
    size_t needed = SN_SURFACE_CONTACT_LAYERS * world->nodes.slots.count, had = m->taken_capacity;
    if (!sn_reserve(&world->memory, (void **)&m->taken, &m->taken_capacity, needed,
                    sizeof *m->taken))
        return false;
    if (m->taken_capacity > had) memset(m->taken, 0, m->taken_capacity * sizeof *m->taken);
    return true;
}

bool sn_surface_contact_pack(sn_world *world, sn_surface_contacts *m) {
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++)
        if (!sn_surface_contact_list_pairs(world, m, kind)) return false;
    if (!reserve_taken(world, m) || !sn_contact_slabs_make(world, m)) return false;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        m->set[kind].slabs = m->slabs.count;
        if (!add_pairs(world, m, kind, m->set[kind].pair, m->set[kind].count)) return false;
    }
    return true;
}

bool sn_surface_contact_pack_fresh(sn_world *world, sn_surface_contacts *m, int kind,
                                   size_t count) {
    sn_surface_contact_set *set = &m->set[kind];
    return sn_reserve(&world->memory, (void **)&set->pair, &set->capacity, set->count + count,
                      sizeof *set->pair) &&
           add_pairs(world, m, kind, m->fresh, count);
}
