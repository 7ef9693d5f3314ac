/*
 * Sides: without the edges that pass through something, surfaces fall into parts. The largest part
 * of a surface is where it belongs, and all others are on the wrong side of what cuts them off.
 */
#include "base/union_find.h"
#include "contact/surface/surface_pair.h"
#include "contact/untangle/untangle.h"

/* Whether an edge passes through something that does not tell by its layer on which side it
   belongs. */
static bool is_cut(const sn_world *world, size_t e) {
    const sn_untangle *u = sn_untangle_of(world);
    const sn_surface_contacts *m = sn_surface_contacts_of(world);
    const uint32_t *edge = &m->list[SN_SURFACE_CONTACT_EDGE].node[2 * e];
    for (size_t k = 0; k < u->broad.number[e]; k++) {
        size_t t = u->broad.partner[u->broad.first[e] + k];
        const uint32_t *triangle = &m->list[SN_SURFACE_CONTACT_TRIANGLE].node[3 * t];
        if (sn_layered_pairs_order(world, edge, triangle) == 0) return true;
    }
    return false;
}

void sn_untangle_find_sides(sn_world *world) {
    sn_untangle *u = sn_untangle_of(world);
    const sn_surface_elements *points =
        &sn_surface_contacts_of(world)->list[SN_SURFACE_CONTACT_POINT];
    const sn_surface_elements *edges =
        &sn_surface_contacts_of(world)->list[SN_SURFACE_CONTACT_EDGE];
    for (size_t k = 0; k < points->count; k++) {
        uint32_t i = points->node[k];
        u->part[i] = u->surface[i] = u->largest[i] = i;
        u->size[i] = 0;
    }
    for (size_t e = 0; e < edges->count; e++) {
        uint32_t a = edges->node[2 * e], b = edges->node[2 * e + 1];
        sn_sets_join(u->surface, a, b);
        if (!is_cut(world, e)) sn_sets_join(u->part, a, b);
    }
    for (size_t k = 0; k < points->count; k++) u->size[sn_sets_root(u->part, points->node[k])]++;
    for (size_t k = 0; k < points->count; k++) {
        uint32_t part = sn_sets_root(u->part, points->node[k]),
                 whole = sn_sets_root(u->surface, part);
        if (u->size[part] > u->size[u->largest[whole]]) u->largest[whole] = part;
    }
    for (size_t k = 0; k < points->count; k++) {
        uint32_t i = points->node[k], whole = sn_sets_root(u->surface, i);
        u->loose[i] = sn_sets_root(u->part, i) != u->largest[whole] ? SN_LOOSE_WRONG : 0;
    }
    /* Where the sides are not known, contacts are off around the edge. */
    const sn_surface_elements *triangles =
        &sn_surface_contacts_of(world)->list[SN_SURFACE_CONTACT_TRIANGLE];
    for (size_t e = 0; e < edges->count; e++) {
        const uint32_t *v = &edges->node[2 * e];
        if (((u->loose[v[0]] ^ u->loose[v[1]]) & SN_LOOSE_WRONG) != 0) continue;
        for (size_t k = 0; k < u->broad.number[e]; k++) {
            const uint32_t *t =
                &triangles->node[3 * (size_t)u->broad.partner[u->broad.first[e] + k]];
            bool layered = sn_layered_pairs_order(world, v, t) != 0;
            uint8_t why = layered ? SN_LOOSE_LAYER : SN_LOOSE_NEAR;
            for (int i = 0; i < 2; i++) u->loose[v[i]] |= why;
            for (int i = 0; i < 3; i++) u->loose[t[i]] |= why;
        }
    }
}
