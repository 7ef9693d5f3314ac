/*
 * What was found becomes sets: every pair gets its slot (contact_partition.h), and its rows are
 * filled with its nodes, its material, and where it is.
 */
#include "collision/collider_pose.h"
#include "contact/surface/most_slots.h"
#include "contact/surface/surface_pair.h"

#include <string.h>

enum { PAIRS_ALONE = 256 };

/* ---- Rows ---- */

/* New pairs of a set, and the block in which they begin. */
typedef struct filling {
    const sn_world *world;
    const sn_surface_contacts *surface_contacts;
    int kind;
    sn_contact_pair *pair;
    size_t first;
    const size_t *first_of; /* every group; null before they have blocks */
} filling;

static void clear_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    sn_contact_set_clear(&f->surface_contacts->set[f->kind], f->kind, f->first + begin,
                         f->first + end);
}

/* Whether neither side is a part of a rope or a rod: see couple.h. */
static bool carries(const sn_surface_contacts *m, int kind, const sn_contact_pair *pair) {
    if (kind == SN_CONTACT_EDGE_EDGE)
        return m->tree.edge_owner[pair->a] != UINT32_MAX &&
               m->tree.edge_owner[pair->b] != UINT32_MAX;
    uint32_t node = m->list[SN_SURFACE_CONTACT_POINT].node[pair->a];
    bool joined = m->edges_of.begin[node] < m->edges_of.begin[node + 1];
    return kind == SN_CONTACT_POINT_TRIANGLE &&
           (m->tree.point_owner[pair->a] != UINT32_MAX || !joined);
}

/* What is in the row SN_ROW_SHOCK of a pair of these nodes. */
static sn_real shock_of(const sn_world *world, uint32_t a, uint32_t b) {
    sn_real first = sn_surface_pair_share(world, a, b), second = sn_surface_pair_share(world, b, a);
    return first < 1 ? first : second < 1 ? -second : 0;
}

/* Slots, nodes and materials of pairs in blocks that are empty. Materials are those of two
   collision surfaces and bodies, and mostly those of the pair before. */
static void fill_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_world *world = f->world;
    const sn_contact_set *set = &f->surface_contacts->set[f->kind];
    const int kind = f->kind, nodes = sn_contact_nodes(kind), first = sn_contact_first[kind];
    uint32_t known[4] = {UINT32_MAX, 0, 0, 0};
    sn_contact_material material = {0};
    sn_real recovery = 0, shock = 0;
    for (size_t k = begin; k < end; k++) {
        uint32_t node[SN_CONTACT_MOST_NODES] = {0}, slot = f->pair[k].slot;
        slot += (uint32_t)f->first_of[f->pair[k].group] * SN_CONTACT_BLOCK;
        f->pair[k].slot = slot;
        sn_surface_pair_node_list(f->surface_contacts, kind, f->pair[k].a, f->pair[k].b, node);
        for (int n = 0; n < nodes; n++)
            *sn_contact_node_at(set, kind, slot, n) = (int32_t)(node[n] * SN_NODE_BYTES);
        const uint32_t who[4] = {sn_collision_surfaces_of(world)->of_node[node[0]],
                                 sn_collision_surfaces_of(world)->of_node[node[first]],
                                 world->nodes.body[node[0]], world->nodes.body[node[first]]};
        if (memcmp(who, known, sizeof who) != 0) {
            material = sn_surface_pair_material(world, kind, node, &recovery);
            shock = shock_of(world, node[0], node[first]);
        }
        memcpy(known, who, sizeof who);
        const sn_vec4 *side = &f->surface_contacts->side[k];
        *sn_contact_at(set, slot, SN_ROW_LIMIT) = side->w;
        *sn_contact_at(set, slot, SN_ROW_NORMAL) = side->x;
        *sn_contact_at(set, slot, SN_ROW_NORMAL + 1) = side->y;
        *sn_contact_at(set, slot, SN_ROW_NORMAL + 2) = side->z;
        *sn_contact_at(set, slot, SN_ROW_CROSSED) = SN_CONTACT_UNKNOWN;
        sn_contact_row_set_material(sn_contact_rows(set, slot), &material, recovery);
        if (carries(f->surface_contacts, kind, &f->pair[k]))
            *sn_contact_at(set, slot, SN_ROW_CARRIES) = 1;
        if (shock != 0) *sn_contact_at(set, slot, SN_ROW_SHOCK) = shock;
        if (kind == SN_CONTACT_POINT_POINT)
            *sn_contact_at(set, slot, SN_ROW_ROLLING) = material.rolling_resistance;
    }
}

static void measure_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_surface_elements *list = f->surface_contacts->list;
    sn_separation_test near =
        sn_separation_test_of(f->world, &list[sn_surface_kind_of(f->kind)->first],
                              &list[sn_surface_kind_of(f->kind)->second]);
    sn_surface_contact_measure *measure =
        sn_surface_kind_of(f->kind)->loops[sn_lanes_most(f->world)]->measure;
    measure(&near, f->pair + begin, f->surface_contacts->side + begin, end - begin);
}

/* ---- Pairs that are used again ---- */

/* As they are now, and nothing has happened to them. Measuring takes the slots, which therefore
   wait in the place of the groups. */
static void renew_range(void *context, size_t begin, size_t end) {
    const filling *f = context;
    const sn_contact_set *set = &f->surface_contacts->set[f->kind];
    for (size_t k = begin; k < end; k++) f->pair[k].group = f->pair[k].slot;
    measure_range(context, begin, end);
    for (size_t k = begin; k < end; k++) {
        const sn_vec4 *side = &f->surface_contacts->side[k];
        uint32_t slot = f->pair[k].slot = f->pair[k].group;
        for (int row = SN_ROW_APPROACH; row < SN_ROW_COUNT; row++)
            *sn_contact_at(set, slot, row) = 0;
        *sn_contact_at(set, slot, SN_ROW_LIMIT) = side->w;
        *sn_contact_at(set, slot, SN_ROW_NORMAL) = side->x;
        *sn_contact_at(set, slot, SN_ROW_NORMAL + 1) = side->y;
        *sn_contact_at(set, slot, SN_ROW_NORMAL + 2) = side->z;
        *sn_contact_at(set, slot, SN_ROW_CROSSED) = SN_CONTACT_UNKNOWN;
    }
}

void sn_surface_contact_renew(sn_world *world, sn_surface_contacts *surface_contacts) {
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        filling f = {.world = world,
                     .surface_contacts = surface_contacts,
                     .kind = kind,
                     .pair = surface_contacts->set[kind].pair};
        sn_team_run(world->bindings.team, surface_contacts->set[kind].count, PAIRS_ALONE,
                    renew_range, &f);
    }
}

/* ---- All of it ---- */

static sn_contact_part part_of(sn_surface_contacts *m, int kind) {
    return (sn_contact_part){
        .set = &m->set[kind], .features = sn_surface_contact_features(m, kind), .kind = kind};
}

/* Nothing is kept of the rows of a set that has no blocks yet: they are not copied where they need
   more room, nor cleared by one thread. */
static bool make_room(sn_world *world, sn_contact_set *set, int kind, size_t blocks) {
    return set->blocks > 0 ? sn_contact_set_reserve(set, &world->memory, kind, blocks)
                           : sn_contact_set_renew(set, &world->memory, kind, blocks);
}

/* Adds pairs to the blocks of their set; nothing is changed without memory. */
static bool add_pairs(sn_world *world, sn_surface_contacts *m, int kind, sn_contact_pair *pair,
                      size_t count) {
    sn_contact_set *set = &m->set[kind];
    sn_contact_part part = part_of(m, kind);
    filling f = {
        .world = world, .surface_contacts = m, .kind = kind, .pair = pair, .first = set->blocks};
    if (count == 0) return true;
    if (!sn_renew(&world->memory, (void **)&m->side, &m->side_capacity, count, sizeof *m->side))
        return false;
    sn_team_run(world->bindings.team, count, PAIRS_ALONE, measure_range, &f);
    f.first_of = sn_contact_partition_pack(world, &m->partition, &part, pair, count);
    if (!f.first_of) return false;
    size_t blocks = f.first_of[sn_contact_groups(set)];
    if (!sn_surface_contact_admits(m, blocks * SN_CONTACT_BLOCK) ||
        !make_room(world, set, kind, blocks))
        return false;
    set->rounds++;
    set->blocks = blocks;
    sn_team_run(world->bindings.team, blocks - f.first, PAIRS_ALONE / SN_CONTACT_BLOCK, clear_range,
                &f);
    sn_team_run(world->bindings.team, count, PAIRS_ALONE, fill_range, &f);
    return true;
}

bool sn_surface_contact_pack(sn_world *world, sn_surface_contacts *m) {
    const sn_surface_elements *points = &m->list[SN_SURFACE_CONTACT_POINT];
    const sn_contact_space space = {.x = sn_collision_surfaces_of(world)->reach.from,
                                    .node = points->node,
                                    .nodes = points->count,
                                    .size = m->size,
                                    .work = 1};
    sn_contact_part part[SN_SURFACE_CONTACT_KINDS];
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        if (!sn_surface_contact_list_pairs(world, m, kind)) return false;
        part[kind] = part_of(m, kind);
    }
    if (!sn_contact_partition_cut(world, &m->partition, part, SN_SURFACE_CONTACT_KINDS, &space))
        return false;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        m->set[kind].slabs = m->partition.slabs;
        if (!add_pairs(world, m, kind, m->set[kind].pair, m->set[kind].count)) return false;
    }
    return true;
}

bool sn_surface_contact_pack_fresh(sn_world *world, sn_surface_contacts *m, int kind,
                                   size_t count) {
    sn_contact_set *set = &m->set[kind];
    return sn_surface_restitution_reserve(world, m, count) &&
           sn_reserve(&world->memory, (void **)&set->pair, &set->capacity, set->count + count,
                      sizeof *set->pair) &&
           add_pairs(world, m, kind, m->fresh, count);
}
