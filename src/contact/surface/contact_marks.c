/*
 * Which nodes touched something in a substep, for constraints that leave those alone.
 *
 * A touch has been pushed apart in one of the sweeps; what was pushed is known from the touches and
 * pairs themselves, so that the loops have nothing to write for this. From one thread, because
 * pairs share nodes.
 */
#include "contact/surface/surface_contact.h"
#include "contact/triangle/triangle_contact.h"

#include <string.h>

static void mark_touches(sn_world *world) {
    const sn_collider_contacts *t = &world->scratch.collider_contacts;
    if (t->count == 0 || !sn_collider_contact_is_needed(world)) return;
    for (size_t i = 0; i < world->nodes.slots.count; i++)
        for (size_t k = t->begin[i]; k < t->begin[i + 1]; k++)
            if (t->touch[k].push > 0) world->touched.node[i] = 1;
}

static void mark_pairs(sn_world *world, int kind) {
    const sn_surface_contact_set *set = &world->scratch.surface_contacts->set[kind];
    for (size_t i = 0; i < set->count; i++) {
        uint32_t slot = set->pair[i].slot;
        if (!(*sn_surface_contact_at(set, slot, SN_SURFACE_CONTACT_PUSH) > 0)) continue;
        for (int n = 0; n < sn_contact_nodes(kind); n++)
            world->touched.node[*sn_surface_pair_node_at(set, kind, slot, n) / SN_NODE_BYTES] = 1;
    }
}

void sn_contact_marks_update(sn_world *world) {
    memset(world->touched.node, 0, world->touched.capacity);
    mark_touches(world);
    sn_triangle_contact_mark(world);
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS && sn_surface_contact_is_needed(world) &&
                       world->scratch.surface_contacts;
         kind++)
        mark_pairs(world, kind);
}
