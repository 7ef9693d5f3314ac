/*
 * Sides: without the edges that pass through something, surfaces fall into parts. The largest part
 * of a surface is where it belongs, and all others are on the wrong side of what cuts them off.
 */
#include "contact/surface/surface_contact.h"
#include "contact/untangle/untangle.h"

static uint32_t root_of(uint32_t *parent, uint32_t node) {
    uint32_t root = node;
    while (parent[root] != root) root = parent[root];
    while (parent[node] != root) {
        uint32_t next = parent[node];
        parent[node] = root;
        node = next;
    }
    return root;
}

/* The lower root is the root of both. */
static void join(uint32_t *parent, uint32_t a, uint32_t b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

void sn_untangle_find_sides(sn_world *world) {
    sn_untangle *u = &world->scratch.surface_contacts->untangle;
    const sn_surface_elements *points =
        &world->scratch.surface_contacts->list[SN_SURFACE_CONTACT_POINT];
    const sn_surface_elements *edges =
        &world->scratch.surface_contacts->list[SN_SURFACE_CONTACT_EDGE];
    for (size_t k = 0; k < points->count; k++) {
        uint32_t i = points->node[k];
        u->part[i] = u->surface[i] = u->largest[i] = i;
        u->size[i] = 0;
    }
    for (size_t e = 0; e < edges->count; e++) {
        uint32_t a = edges->node[2 * e], b = edges->node[2 * e + 1];
        join(u->surface, a, b);
        if (u->broad.number[e] == 0) join(u->part, a, b);
    }
    for (size_t k = 0; k < points->count; k++) u->size[root_of(u->part, points->node[k])]++;
    for (size_t k = 0; k < points->count; k++) {
        uint32_t part = root_of(u->part, points->node[k]), whole = root_of(u->surface, part);
        if (u->size[part] > u->size[u->largest[whole]]) u->largest[whole] = part;
    }
    for (size_t k = 0; k < points->count; k++) {
        uint32_t i = points->node[k], whole = root_of(u->surface, i);
        u->loose[i] = root_of(u->part, i) != u->largest[whole] ? SN_LOOSE_WRONG : 0;
    }
    /* Where the sides are not known, contacts are off around the edge. */
    const sn_surface_elements *triangles =
        &world->scratch.surface_contacts->list[SN_SURFACE_CONTACT_TRIANGLE];
    for (size_t e = 0; e < edges->count; e++) {
        const uint32_t *v = &edges->node[2 * e];
        if (((u->loose[v[0]] ^ u->loose[v[1]]) & SN_LOOSE_WRONG) != 0) continue;
        for (size_t k = 0; k < u->broad.number[e]; k++) {
            size_t t = u->broad.partner[u->broad.first[e] + k];
            u->loose[v[0]] |= SN_LOOSE_NEAR;
            u->loose[v[1]] |= SN_LOOSE_NEAR;
            for (int c = 0; c < 3; c++)
                u->loose[triangles->node[3 * t + (size_t)c]] |= SN_LOOSE_NEAR;
        }
    }
}
