#include "contact/surface/surface_pair.h"

sn_v4 sn_surface_pair_between_any(const sn_nodes *nodes, int kind, const uint32_t *node,
                                  sn_real weight[SN_CONTACT_MOST_NODES]) {
    switch (kind) {
    case SN_CONTACT_POINT_POINT:
        return sn_surface_pair_between(nodes, SN_CONTACT_POINT_POINT, node, weight);
    case SN_CONTACT_POINT_SEGMENT:
        return sn_surface_pair_between(nodes, SN_CONTACT_POINT_SEGMENT, node, weight);
    case SN_CONTACT_POINT_TRIANGLE:
        return sn_surface_pair_between(nodes, SN_CONTACT_POINT_TRIANGLE, node, weight);
    default:
        return sn_surface_pair_between(nodes, SN_CONTACT_EDGE_EDGE, node, weight);
    }
}

sn_real sn_surface_pair_limit_any(const sn_world *world, int kind, const uint32_t *node,
                                  sn_real limit) {
    switch (kind) {
    case SN_CONTACT_POINT_POINT:
        return sn_surface_pair_limit_of(world, SN_CONTACT_POINT_POINT, node, limit);
    case SN_CONTACT_POINT_SEGMENT:
        return sn_surface_pair_limit_of(world, SN_CONTACT_POINT_SEGMENT, node, limit);
    case SN_CONTACT_POINT_TRIANGLE:
        return sn_surface_pair_limit_of(world, SN_CONTACT_POINT_TRIANGLE, node, limit);
    default:
        return sn_surface_pair_limit_of(world, SN_CONTACT_EDGE_EDGE, node, limit);
    }
}

static sn_real recovery_of(sn_real a, sn_real b) {
    if (a == SN_AUTO) a = SN_R(1e9);
    if (b == SN_AUTO) b = SN_R(1e9);
    return a < b ? a : b;
}

static sn_party party_of(const sn_world *world, uint32_t node) {
    return (sn_party){.body = world->nodes.body[node],
                      .surface = sn_collision_surfaces_of(world)->of_node[node]};
}

sn_contact_material sn_surface_pair_material(const sn_world *world, int kind, const uint32_t *node,
                                             sn_real *recovery) {
    const sn_collision_surface_state *surfaces = sn_collision_surfaces_of(world)->state;
    const sn_collision_surface_def *a = &surfaces[sn_surface_pair_surface_of(world, node[0])].def;
    const sn_collision_surface_def *b =
        &surfaces[sn_surface_pair_surface_of(world, node[sn_contact_first[kind]])].def;
    *recovery = recovery_of(a->recovery_speed, b->recovery_speed);
    return sn_world_contact_material(world, party_of(world, node[0]),
                                     party_of(world, node[sn_contact_first[kind]]));
}
