/*
 * The elements of all collision surfaces in lists, sorted by the slots of their nodes: so the order
 * of pairs, and with it that of contacts, says nothing about the order in which collision surfaces
 * were made.
 */
#include "contact/surface/surface_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of nodes in the elements of each list. */
static const size_t corners_of[SN_SURFACE_CONTACT_LISTS] = {1, 1, 1, 2, 2, 3};

static int compare(const uint32_t *a, const uint32_t *b, size_t corners) {
    for (size_t i = 0; i < corners; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}
static int compare_2(const void *a, const void *b) {
    return compare(a, b, 2);
}
static int compare_3(const void *a, const void *b) {
    return compare(a, b, 3);
}

/* Counts the elements, or appends them where there is room for them. */
static void add(sn_surface_elements *list, const uint32_t *element, size_t count, size_t corners,
                bool fill) {
    if (fill && count > 0)
        memcpy(list->node + list->count * corners, element, count * corners * sizeof *element);
    list->count += count;
}

/* Nodes that no edge of their collision surface has are balls. */
static void add_lone(sn_surface_contacts *m, const sn_collision_surface_state *s, bool fill) {
    for (size_t i = 0; i < s->def.node_count; i++) m->mark[s->node[i]] = 0;
    for (size_t i = 0; i < 2 * s->edges; i++) m->mark[s->edge[i]] = 1;
    for (size_t i = 0; i < s->def.node_count; i++)
        if (s->def.detail == SN_DETAIL_POINTS || !m->mark[s->node[i]])
            add(&m->list[SN_SURFACE_CONTACT_LONE], &s->node[i], 1, 1, fill);
}

static void add_all(const sn_world *world, sn_surface_contacts *m, bool fill) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    for (int i = 0; i < SN_SURFACE_CONTACT_LISTS; i++) m->list[i].count = 0;
    for (size_t k = 0; k < surfaces->slots.count; k++) {
        const sn_collision_surface_state *s = &surfaces->state[k];
        if (!surfaces->slots.alive[k]) continue;
        add(&m->list[SN_SURFACE_CONTACT_POINT], s->node, s->def.node_count, 1, fill);
        add_lone(m, s, fill);
        if (s->def.detail == SN_DETAIL_POINTS) continue;
        add(&m->list[SN_SURFACE_CONTACT_EDGE], s->edge, s->edges, 2, fill);
        add(&m->list[SN_SURFACE_CONTACT_TRIANGLE], s->triangle, s->def.triangle_count, 3, fill);
    }
}

static bool reserve(sn_surface_elements *list, sn_memory *memory, size_t corners) {
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
static double mean_length(const sn_world *world, const sn_surface_elements *edges) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    double sum = 0;
    for (size_t i = 0; i < edges->count; i++) {
        const sn_vec4 *a = &surfaces->rest[edges->node[2 * i]];
        const sn_vec4 *b = &surfaces->rest[edges->node[2 * i + 1]];
        double x = (double)(a->x - b->x), y = (double)(a->y - b->y), z = (double)(a->z - b->z);
        sum += sqrt(x * x + y * y + z * z);
    }
    return edges->count > 0 ? sum / (double)edges->count : 0;
}

/* ---- Order ---- */

/* Elements with the same first node are few, or somebody has made a fan. */
static void sort_alike(uint32_t *node, size_t count, size_t corners) {
    static int (*const by[])(const void *, const void *) = {compare_2, compare_3};
    if (count > 32) {
        qsort(node, count, corners * sizeof *node, by[corners - 2]);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t moved[3];
        size_t k = i;
        memcpy(moved, node + i * corners, corners * sizeof *node);
        for (; k > 0 && compare(node + (k - 1) * corners, moved, corners) > 0; k--)
            memcpy(node + k * corners, node + (k - 1) * corners, corners * sizeof *node);
        memcpy(node + k * corners, moved, corners * sizeof *node);
    }
}

/* Sorts by the first nodes by counting, and those that have the same one by comparing. */
static bool sort(sn_world *world, sn_surface_contacts *m, sn_surface_elements *list,
                 size_t corners) {
    size_t all = list->count * corners, nodes = world->nodes.slots.count;
    uint64_t *end = m->mark;
    if (!sn_reserve(&world->memory, (void **)&m->place, &m->place_capacity, all, sizeof *m->place))
        return false;
    memcpy(m->place, list->node, all * sizeof *m->place);
    memset(end, 0, nodes * sizeof *end);
    for (size_t i = 0; i < all; i += corners) end[m->place[i]]++;
    for (size_t i = 1; i < nodes; i++) end[i] += end[i - 1];
    for (size_t i = all; i > 0; i -= corners) {
        const uint32_t *element = m->place + i - corners;
        memcpy(list->node + --end[element[0]] * corners, element, corners * sizeof *element);
    }
    for (size_t i = 0, last; corners > 1 && i < list->count; i = last) {
        for (last = i + 1; last < list->count; last++)
            if (list->node[last * corners] != list->node[i * corners]) break;
        sort_alike(list->node + i * corners, last - i, corners);
    }
    return true;
}

/* ---- All of it ---- */

/* Those of a whole list that no triangle speaks for. */
static bool pick(sn_world *world, const sn_surface_elements *whole, const uint32_t *owner,
                 size_t corners, sn_surface_elements *loose) {
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

bool sn_surface_elements_update(sn_world *world, sn_surface_contacts *m) {
    sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    if (!surfaces->changed) return true;
    if (!sn_reserve(&world->memory, (void **)&m->mark, &m->mark_capacity, world->nodes.slots.count,
                    sizeof *m->mark))
        return false;
    add_all(world, m, false);
    for (int i = 0; i < SN_SURFACE_CONTACT_LISTS; i++)
        if (!reserve(&m->list[i], &world->memory, corners_of[i])) return false;
    add_all(world, m, true);
    for (int i = 0; i < SN_SURFACE_CONTACT_LISTS; i++)
        if (m->list[i].count > 1 && !sort(world, m, &m->list[i], corners_of[i])) return false;
    if (!sn_surface_bvh_reserve(world, m) || !sn_surface_contact_list_around(world, m))
        return false;
    sn_surface_bvh_make(world, m);
    sn_feature_owner(m);
    if (!sn_feature_fours_list(world, m)) return false;
    if (!pick(world, &m->list[SN_SURFACE_CONTACT_POINT], m->tree.point_owner, 1,
              &m->list[SN_SURFACE_CONTACT_LOOSE]) ||
        !pick(world, &m->list[SN_SURFACE_CONTACT_EDGE], m->tree.edge_owner, 2,
              &m->list[SN_SURFACE_CONTACT_SEGMENT]))
        return false;
    m->size = mean_length(world, &m->list[SN_SURFACE_CONTACT_EDGE]);
    surfaces->changed = false;
    sn_untangle_of(world)->known = false;
    return true;
}
