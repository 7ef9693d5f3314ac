/*
 * The elements of all skins in lists, sorted by the slots of their nodes: so the order of pairs,
 * and with it that of meetings, says nothing about the order in which skins were made.
 */
#include "contact/meet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of nodes in the elements of each list. */
static const size_t corners_of[SN_MEET_LISTS] = {1, 1, 2, 2, 3};

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
        add(&m->list[SN_MEET_SEGMENT], s->edge + 2 * s->inner, s->edges - s->inner, 2, fill);
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
    m->size = mean_length(world, &m->list[SN_MEET_EDGE]);
    world->skins.changed = false;
    return true;
}
