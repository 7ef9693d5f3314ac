/*
 * The elements of all skins in lists, sorted by the slots of their nodes: so the order of pairs,
 * and with it that of meetings, says nothing about the order in which skins were made.
 */
#include "contact/meet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of nodes in the elements of each list. */
static const size_t corners_of[SN_MEET_LISTS] = {1, 1, 1, 2, 2, 3};

static int compare(const uint32_t *a, const uint32_t *b, size_t corners) {
    for (size_t i = 0; i < corners; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}
static int compare_1(const void *a, const void *b) {
    return compare(a, b, 1);
}
static int compare_2(const void *a, const void *b) {
    return compare(a, b, 2);
}
static int compare_3(const void *a, const void *b) {
    return compare(a, b, 3);
}

/* Counts the elements, or appends them where there is room for them. */
static void add(sn_meet_elements *list, const uint32_t *element, size_t count, size_t corners,
                bool fill) {
    if (fill && count > 0)
        memcpy(list->node + list->count * corners, element, count * corners * sizeof *element);
    list->count += count;
}

/* Nodes that no edge of their skin has are balls. */
static void add_lone(sn_meets *m, const sn_skin_state *s, bool fill) {
    for (size_t i = 0; i < s->def.node_count; i++) m->colours[s->node[i]] = 0;
    for (size_t i = 0; i < 2 * s->edges; i++) m->colours[s->edge[i]] = 1;
    for (size_t i = 0; i < s->def.node_count; i++)
        if (s->def.detail == SN_SKIN_POINTS || !m->colours[s->node[i]])
            add(&m->list[SN_MEET_LONE], &s->node[i], 1, 1, fill);
}

static void add_all(const sn_world *world, sn_meets *m, bool fill) {
    for (int i = 0; i < SN_MEET_LISTS; i++) m->list[i].count = 0;
    for (size_t k = 0; k < world->skins.slots.count; k++) {
        const sn_skin_state *s = &world->skins.state[k];
        if (!world->skins.slots.alive[k]) continue;
        add(&m->list[SN_MEET_POINT], s->node, s->def.node_count, 1, fill);
        add_lone(m, s, fill);
        if (s->def.detail == SN_SKIN_POINTS) continue;
        add(&m->list[SN_MEET_EDGE], s->edge, s->edges, 2, fill);
        add(&m->list[SN_MEET_TRIANGLE], s->triangle, s->def.triangle_count, 3, fill);
    }
}

static bool reserve(sn_meet_elements *list, sn_memory *memory, size_t corners) {
    sn_column boxes[] = {{(void **)&list->low, sizeof *list->low},
                         {(void **)&list->high, sizeof *list->high}};
    if (!sn_reserve(memory, (void **)&list->node, &list->capacity, list->count * corners,
                    sizeof *list->node))
        return false;
    if (list->count <= list->box_capacity) return true;
    size_t grown = sn_columns_grow(memory, boxes, 2, 0, list->box_capacity, list->count);
    if (grown > 0) list->box_capacity = grown;
    return grown > 0;
}

/* m, of the edges at rest. */
static double mean_length(const sn_world *world, const sn_meet_elements *edges) {
    double sum = 0;
    for (size_t i = 0; i < edges->count; i++) {
        const sn_vec4 *a = &world->skins.rest[edges->node[2 * i]];
        const sn_vec4 *b = &world->skins.rest[edges->node[2 * i + 1]];
        double x = (double)(a->x - b->x), y = (double)(a->y - b->y), z = (double)(a->z - b->z);
        sum += sqrt(x * x + y * y + z * z);
    }
    return edges->count > 0 ? sum / (double)edges->count : 0;
}

/* ---- What the trees are about ---- */

static bool reserve_tree(sn_world *world, sn_meets *m) {
    sn_memory *memory = &world->memory;
    sn_meet_tree *tree = &m->tree;
    size_t triangles = m->list[SN_MEET_TRIANGLE].count, skins = world->skins.slots.count + 1;
    sn_column columns[] = {{(void **)&tree->node, 2 * sizeof *tree->node},
                           {(void **)&tree->order, sizeof *tree->order},
                           {(void **)&tree->key, sizeof *tree->key},
                           {(void **)&tree->own_point, 3 * sizeof *tree->own_point},
                           {(void **)&tree->own_edge, 3 * sizeof *tree->own_edge}};
    sn_column roots[] = {{(void **)&tree->root, sizeof *tree->root},
                         {(void **)&tree->begin, sizeof *tree->begin}};
    if (triangles > tree->capacity) {
        size_t grown = sn_columns_grow(memory, columns, 5, 0, tree->capacity, triangles);
        if (grown == 0) return false;
        tree->capacity = grown;
    }
    if (skins > tree->skin_capacity) {
        size_t grown = sn_columns_grow(memory, roots, 2, 0, tree->skin_capacity, skins);
        if (grown == 0) return false;
        tree->skin_capacity = grown;
    }
    return sn_reserve(memory, (void **)&tree->point_owner, &tree->point_capacity,
                      m->list[SN_MEET_POINT].count, sizeof *tree->point_owner) &&
           sn_reserve(memory, (void **)&tree->edge_owner, &tree->edge_capacity,
                      m->list[SN_MEET_EDGE].count, sizeof *tree->edge_owner);
}

/* Those of a whole list that no triangle speaks for. */
static bool pick(sn_world *world, const sn_meet_elements *whole, const uint32_t *owner,
                 size_t corners, sn_meet_elements *loose) {
    loose->count = 0;
    for (size_t i = 0; i < whole->count; i++) loose->count += owner[i] == UINT32_MAX;
    if (!reserve(loose, &world->memory, corners) ||
        !sn_reserve(&world->memory, (void **)&loose->at, &loose->at_capacity, loose->count,
                    sizeof *loose->at))
        return false;
    loose->count = 0;
    for (uint32_t i = 0; i < whole->count; i++) {
        if (owner[i] != UINT32_MAX) continue;
        add(loose, whole->node + i * corners, 1, corners, true);
        loose->at[loose->count - 1] = i;
    }
    return true;
}

bool sn_meet_update_elements(sn_world *world, sn_meets *m) {
    static int (*const by[])(const void *, const void *) = {compare_1, compare_2, compare_3};
    if (!world->skins.changed) return true;
    if (!sn_reserve(&world->memory, (void **)&m->colours, &m->colours_capacity,
                    world->nodes.slots.count, sizeof *m->colours))
        return false;
    add_all(world, m, false);
    for (int i = 0; i < SN_MEET_LISTS; i++)
        if (!reserve(&m->list[i], &world->memory, corners_of[i])) return false;
    add_all(world, m, true);
    for (int i = 0; i < SN_MEET_LISTS; i++)
        if (m->list[i].count > 1)
            qsort(m->list[i].node, m->list[i].count, corners_of[i] * sizeof(uint32_t),
                  by[corners_of[i] - 1]);
    if (!reserve_tree(world, m)) return false;
    sn_meet_tree_own(m);
    sn_meet_tree_make(world, m);
    if (!pick(world, &m->list[SN_MEET_POINT], m->tree.point_owner, 1, &m->list[SN_MEET_LOOSE]) ||
        !pick(world, &m->list[SN_MEET_EDGE], m->tree.edge_owner, 2, &m->list[SN_MEET_SEGMENT]))
        return false;
    m->size = mean_length(world, &m->list[SN_MEET_EDGE]);
    world->skins.changed = false;
    m->untangle.known = false;
    return true;
}
