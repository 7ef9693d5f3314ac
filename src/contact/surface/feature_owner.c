/*
 * Which edges and triangles every node has, and which triangle speaks for a point or an edge: the
 * lowest that has it. So what belongs to several triangles is found once.
 */
#include "contact/surface/surface_contact.h"

#include <string.h>

#define NONE UINT32_MAX

/* ---- What every node has ---- */

static bool list_around(sn_world *world, const uint32_t *node, size_t count, size_t corners,
                        sn_surface_contact_around *around) {
    size_t nodes = world->nodes.slots.count, all = count * corners;
    if (!sn_reserve(&world->memory, (void **)&around->begin, &around->begin_capacity, nodes + 2,
                    sizeof *around->begin) ||
        !sn_reserve(&world->memory, (void **)&around->item, &around->item_capacity, all + 1,
                    sizeof *around->item))
        return false;
    /* Two places further, so that what is filled is where the next one begins. */
    uint32_t *begin = around->begin;
    memset(begin, 0, (nodes + 2) * sizeof *begin);
    for (size_t i = 0; i < all; i++) begin[node[i] + 2]++;
    for (size_t i = 2; i < nodes + 2; i++) begin[i] += begin[i - 1];
    for (size_t i = 0; i < all; i++) around->item[begin[node[i] + 1]++] = (uint32_t)(i / corners);
    return true;
}

static bool has_bonds(const sn_collision_surfaces *surfaces, size_t k) {
    return surfaces->slots.alive[k] && surfaces->state[k].def.detail == SN_DETAIL_POINTS;
}

/* Neighbours that an edge holds at a distance are left to it: as balls they would always touch
   where they are as far apart as they are thick. */
static bool list_bonds(sn_world *world, sn_surface_pair_bonds *bonds) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    size_t count = 0;
    bonds->count = 0;
    for (size_t k = 0; k < surfaces->slots.count; k++)
        if (has_bonds(surfaces, k)) count += surfaces->state[k].edges;
    if (!sn_reserve(&world->memory, (void **)&bonds->end, &bonds->capacity, 2 * count + 1,
                    sizeof *bonds->end))
        return false;
    uint32_t *high = bonds->end, *low = bonds->end + count;
    for (size_t k = 0; k < surfaces->slots.count; k++)
        for (size_t i = 0; has_bonds(surfaces, k) && i < surfaces->state[k].edges; i++) {
            const uint32_t *end = surfaces->state[k].edge + 2 * i;
            high[bonds->count] = end[0] < end[1] ? end[1] : end[0];
            low[bonds->count++] = end[0] < end[1] ? end[0] : end[1];
        }
    if (!list_around(world, high, count, 1, &bonds->of)) return false;
    for (size_t k = 0; k < count; k++) bonds->of.item[k] = low[bonds->of.item[k]];
    return true;
}

bool sn_surface_contact_list_around(sn_world *world, sn_surface_contacts *m) {
    const sn_surface_elements *points = &m->list[SN_SURFACE_CONTACT_POINT];
    if (!sn_reserve(&world->memory, (void **)&m->point_of, &m->point_capacity,
                    world->nodes.slots.count, sizeof *m->point_of))
        return false;
    for (uint32_t k = 0; k < points->count; k++) m->point_of[points->node[k]] = k;
    const sn_surface_elements *edges = &m->list[SN_SURFACE_CONTACT_EDGE];
    const sn_surface_elements *triangles = &m->list[SN_SURFACE_CONTACT_TRIANGLE];
    return list_around(world, edges->node, edges->count, 2, &m->edges_of) &&
           list_around(world, triangles->node, triangles->count, 3, &m->triangles_of) &&
           list_bonds(world, &m->bonds);
}

/* ---- Owners ---- */

/* Edges are kept as their collision surface has them, in either direction. */
static uint32_t find_edge(const sn_surface_contacts *m, uint32_t a, uint32_t b) {
    const sn_surface_contact_around *around = &m->edges_of;
    const uint32_t *node = m->list[SN_SURFACE_CONTACT_EDGE].node;
    uint32_t turned = NONE;
    for (uint32_t i = around->begin[a]; i < around->begin[a + 1]; i++) {
        uint32_t edge = around->item[i];
        if (node[2 * (size_t)edge + 1] == b) return edge;
        if (node[2 * (size_t)edge] == b && turned == NONE) turned = edge;
    }
    return turned;
}

void sn_feature_owner(sn_surface_contacts *surface_contacts) {
    const sn_surface_elements *triangles = &surface_contacts->list[SN_SURFACE_CONTACT_TRIANGLE];
    sn_surface_bvh *tree = &surface_contacts->tree;
    for (size_t i = 0; i < surface_contacts->list[SN_SURFACE_CONTACT_POINT].count; i++)
        tree->point_owner[i] = NONE;
    for (size_t i = 0; i < surface_contacts->list[SN_SURFACE_CONTACT_EDGE].count; i++)
        tree->edge_owner[i] = NONE;
    for (uint32_t t = 0; t < triangles->count; t++) {
        const uint32_t *node = triangles->node + 3 * (size_t)t;
        sn_surface_contact_leaf *leaf = &tree->leaf[tree->place[t]];
        int points = 0, edges = 0;
        for (int c = 0; c < 3; c++) leaf->point[c] = leaf->edge[c] = NONE;
        for (int c = 0; c < 3; c++) {
            uint32_t point = surface_contacts->point_of[node[c]],
                     edge = find_edge(surface_contacts, node[c], node[(c + 1) % 3]);
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
