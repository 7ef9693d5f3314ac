/*
 * Which edges and triangles every node has, and which triangle speaks for a point or an edge: the
 * lowest that has it. So what belongs to several triangles is found once.
 */
#include "contact/meet.h"

#include <string.h>

#define NONE UINT32_MAX

/* ---- What every node has ---- */

static bool list_around(sn_world *world, const sn_meet_elements *list, size_t corners,
                        sn_meet_around *around) {
    size_t nodes = world->nodes.slots.count, all = list->count * corners;
    if (!sn_reserve(&world->memory, (void **)&around->begin, &around->begin_capacity, nodes + 2,
                    sizeof *around->begin) ||
        !sn_reserve(&world->memory, (void **)&around->item, &around->item_capacity, all + 1,
                    sizeof *around->item))
        return false;
    /* Two places further, so that what is filled is where the next one begins. */
    uint32_t *begin = around->begin;
    memset(begin, 0, (nodes + 2) * sizeof *begin);
    for (size_t i = 0; i < all; i++) begin[list->node[i] + 2]++;
    for (size_t i = 2; i < nodes + 2; i++) begin[i] += begin[i - 1];
    for (size_t i = 0; i < all; i++)
        around->item[begin[list->node[i] + 1]++] = (uint32_t)(i / corners);
    return true;
}

bool sn_meet_list_around(sn_world *world, sn_meets *m) {
    const sn_meet_elements *points = &m->list[SN_MEET_POINT];
    if (!sn_reserve(&world->memory, (void **)&m->point_of, &m->point_capacity,
                    world->nodes.slots.count, sizeof *m->point_of))
        return false;
    for (uint32_t k = 0; k < points->count; k++) m->point_of[points->node[k]] = k;
    return list_around(world, &m->list[SN_MEET_EDGE], 2, &m->edges_of) &&
           list_around(world, &m->list[SN_MEET_TRIANGLE], 3, &m->triangles_of);
}

/* ---- Owners ---- */

/* Edges are kept as their skin has them, in either direction. */
static uint32_t find_edge(const sn_meets *m, uint32_t a, uint32_t b) {
    const sn_meet_around *around = &m->edges_of;
    const uint32_t *node = m->list[SN_MEET_EDGE].node;
    uint32_t turned = NONE;
    for (uint32_t i = around->begin[a]; i < around->begin[a + 1]; i++) {
        uint32_t edge = around->item[i];
        if (node[2 * (size_t)edge + 1] == b) return edge;
        if (node[2 * (size_t)edge] == b && turned == NONE) turned = edge;
    }
    return turned;
}

void sn_meet_own(sn_meets *m) {
    const sn_meet_elements *triangles = &m->list[SN_MEET_TRIANGLE];
    sn_meet_tree *tree = &m->tree;
    for (size_t i = 0; i < m->list[SN_MEET_POINT].count; i++) tree->point_owner[i] = NONE;
    for (size_t i = 0; i < m->list[SN_MEET_EDGE].count; i++) tree->edge_owner[i] = NONE;
    for (uint32_t t = 0; t < triangles->count; t++) {
        const uint32_t *node = triangles->node + 3 * (size_t)t;
        sn_meet_leaf *leaf = &tree->leaf[tree->place[t]];
        int points = 0, edges = 0;
        for (int c = 0; c < 3; c++) leaf->point[c] = leaf->edge[c] = NONE;
        for (int c = 0; c < 3; c++) {
            uint32_t point = m->point_of[node[c]], edge = find_edge(m, node[c], node[(c + 1) % 3]);
            if (tree->point_owner[point] == NONE) {
                tree->point_owner[point] = t;
                leaf->point[points++] = point;
            }
            if (edge != NONE && tree->edge_owner[edge] == NONE) {
                tree->edge_owner[edge] = t;
                leaf->edge[edges++] = edge;
            }
        }
    }
}
