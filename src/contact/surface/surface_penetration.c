/*
 * The meetings of the last step, by where their nodes are now. How close two may come is what the
 * loops keep them apart by (surface_pair.h); on the wrong side of each other they are deeper than
 * that, by how far they are apart there.
 */
#include "contact/surface/surface_penetration.h"

#include "contact/surface/surface_pair.h"

#include <math.h>

/* The nodes of a meeting, as slots; false where one of them, or its skin, is gone. */
static bool nodes_of(const sn_world *world, const sn_surface_contact *event, uint32_t *node) {
    for (int i = 0; i < sn_surface_pair_nodes((int)event->kind); i++) {
        if (!sn_slots_has(&world->nodes.slots, SN_ID(event->nodes[i]), world->tag)) return false;
        node[i] = event->nodes[i].slot - 1;
        if (world->surfaces.of_node[node[i]] == 0) return false;
    }
    return true;
}

/* m */
static double depth_of(const sn_world *world, const sn_surface_contact *event,
                       const uint32_t *node) {
    sn_real weight[SN_SURFACE_CONTACT_MOST_NODES];
    int kind = (int)event->kind;
    sn_v4 apart = sn_surface_pair_between_any(&world->nodes, kind, node, weight);
    sn_real limit =
        sn_surface_pair_limit_any(world, kind, node, sn_surface_pair_radii(world, kind, node));
    double distance = sqrt((double)sn_v4_dot(apart, apart));
    bool wrong = sn_v4_dot(apart, sn_v4_of(event->normal)) < 0;
    return (double)limit + (wrong ? distance : -distance);
}

size_t sn_surface_penetration_deepest(const sn_world *world, double *deepest) {
    const double slight = 1e-4;
    size_t deep = 0;
    for (size_t k = 0; k < world->surfaces.events; k++) {
        const sn_surface_contact *event = &world->surfaces.event[k];
        uint32_t node[SN_SURFACE_CONTACT_MOST_NODES];
        if (event->phase == SN_CONTACT_END || !nodes_of(world, event, node)) continue;
        double depth = depth_of(world, event, node);
        if (depth > *deepest) *deepest = depth;
        deep += depth > slight;
    }
    return deep;
}
