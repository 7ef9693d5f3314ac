#include "contact/meet_pair.h"

sn_v4 sn_meet_between_any(const sn_nodes *nodes, int kind, const uint32_t *node,
                          sn_real weight[SN_MEET_MOST_NODES]) {
    switch (kind) {
    case SN_MEETING_POINTS:
        return sn_meet_between(nodes, SN_MEETING_POINTS, node, weight);
    case SN_MEETING_POINT_SEGMENT:
        return sn_meet_between(nodes, SN_MEETING_POINT_SEGMENT, node, weight);
    case SN_MEETING_POINT_TRIANGLE:
        return sn_meet_between(nodes, SN_MEETING_POINT_TRIANGLE, node, weight);
    default:
        return sn_meet_between(nodes, SN_MEETING_EDGES, node, weight);
    }
}

static sn_real recovery_of(sn_real a, sn_real b) {
    if (a == SN_AUTO) a = SN_R(1e9);
    if (b == SN_AUTO) b = SN_R(1e9);
    return a < b ? a : b;
}

sn_meet_law sn_meet_law_of(const sn_world *world, int kind, const uint32_t *node) {
    const sn_skin_state *skins = world->skins.state;
    const sn_skin_def *a = &skins[sn_meet_skin_of(world, node[0])].def;
    const sn_skin_def *b = &skins[sn_meet_skin_of(world, node[sn_meet_first[kind]])].def;
    return (sn_meet_law){
        .static_friction = SN_ROOT(a->static_friction) * SN_ROOT(b->static_friction),
        .dynamic_friction = SN_ROOT(a->dynamic_friction) * SN_ROOT(b->dynamic_friction),
        .restitution = a->restitution > b->restitution ? a->restitution : b->restitution,
        .recovery_speed = recovery_of(a->recovery_speed, b->recovery_speed)};
}
