/*
 * The meetings of the last step, by where their nodes are now. How close two may come is what the
 * loops keep them apart by (meet_pair.h); on the wrong side of each other they are deeper than
 * that, by how far they are apart there.
 */
#include "contact/overlap.h"

#include "contact/meet_pair.h"

#include <math.h>

/* The nodes of a meeting, as slots; false where one of them, or its skin, is gone. */
static bool nodes_of(const sn_world *world, const sn_meeting *meeting, uint32_t *node) {
    for (int i = 0; i < sn_meet_nodes((int)meeting->kind); i++) {
        if (!sn_slots_has(&world->nodes.slots, SN_ID(meeting->nodes[i]), world->tag)) return false;
        node[i] = meeting->nodes[i].slot - 1;
        if (world->skins.of_node[node[i]] == 0) return false;
    }
    return true;
}

/* m */
static double depth_of(const sn_world *world, const sn_meeting *meeting, const uint32_t *node) {
    sn_real weight[SN_MEET_MOST_NODES];
    int kind = (int)meeting->kind;
    sn_v4 apart = sn_meet_between_any(&world->nodes, kind, node, weight);
    sn_real limit = sn_meet_limit_any(world, kind, node, sn_meet_radii(world, kind, node));
    double distance = sqrt((double)sn_v4_dot(apart, apart));
    bool wrong = sn_v4_dot(apart, sn_v4_of(meeting->normal)) < 0;
    return (double)limit + (wrong ? distance : -distance);
}

size_t sn_overlap_of_skins(const sn_world *world, double *deepest) {
    const double slight = 1e-4;
    size_t deep = 0;
    for (size_t k = 0; k < world->skins.meetings; k++) {
        const sn_meeting *meeting = &world->skins.meeting[k];
        uint32_t node[SN_MEET_MOST_NODES];
        if (meeting->phase == SN_CONTACT_END || !nodes_of(world, meeting, node)) continue;
        double depth = depth_of(world, meeting, node);
        if (depth > *deepest) *deepest = depth;
        deep += depth > slight;
    }
    return deep;
}
