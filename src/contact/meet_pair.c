#include "contact/meet_pair.h"

#include "contact/placing.h"

static sn_lane3 lane3(sn_v4 a) {
    return (sn_lane3){a[0], a[1], a[2]};
}

/* By kind, with the kind as a constant. */
static sn_lane3 nearest(int kind, const sn_lane3 *x, sn_real *weight) {
    switch (kind) {
    case SN_MEETING_POINTS:
        return sn_nearest(SN_MEETING_POINTS, x, weight);
    case SN_MEETING_POINT_SEGMENT:
        return sn_nearest(SN_MEETING_POINT_SEGMENT, x, weight);
    case SN_MEETING_POINT_TRIANGLE:
        return sn_nearest(SN_MEETING_POINT_TRIANGLE, x, weight);
    default:
        return sn_nearest(SN_MEETING_EDGES, x, weight);
    }
}

sn_v4 sn_meet_between(const sn_nodes *nodes, int kind, const uint32_t *node,
                      sn_real weight[SN_MEET_MOST_NODES]) {
    sn_lane3 x[SN_MEET_MOST_NODES] = {{0, 0, 0}};
    for (int n = 1; n < sn_meet_nodes(kind); n++)
        x[n] = lane3((sn_v4_load(&nodes->x[node[n]]) - sn_v4_load(&nodes->x[node[0]])) +
                     (sn_v4_load(&nodes->p[node[n]]) - sn_v4_load(&nodes->p[node[0]])));
    sn_lane3 r = nearest(kind, x, weight);
    return (sn_v4){r.x, r.y, r.z, 0};
}

static const sn_skin_def *skin_of(const sn_world *world, uint32_t node) {
    return &world->skins.state[world->skins.of_node[node] - 1].def;
}

static bool masks(const sn_skin_def *def, uint32_t group) {
    return (def->mask >> (group < 31 ? group : 31) & 1) != 0;
}

bool sn_meet_may(const sn_world *world, int kind, const uint32_t *node) {
    int first = sn_meet_first[kind], nodes = sn_meet_nodes(kind);
    uint32_t a = node[0], b = node[first];
    /* A sleeper alone does not, but something kinematic may be about to meet it. */
    bool moves = false, sleeps = false, driven = false;
    for (int n = 0; n < nodes; n++) {
        moves = moves || sn_world_contact_w(world)[node[n]] > 0;
        sleeps = sleeps || world->nodes.w[node[n]] > 0;
        driven = driven || world->nodes.driven[node[n]];
    }
    for (int i = 0; i < first; i++)
        for (int k = first; k < nodes; k++)
            if (node[i] == node[k]) return false;
    if (!moves && !(sleeps && driven)) return false;
    const sn_skin_def *one = skin_of(world, a), *two = skin_of(world, b);
    if (one == two && !one->self) return false;
    return masks(one, world->nodes.group[b]) && masks(two, world->nodes.group[a]);
}

static sn_real rest_distance(const sn_world *world, int kind, const uint32_t *node) {
    sn_lane3 x[SN_MEET_MOST_NODES] = {{0, 0, 0}};
    sn_real weight[SN_MEET_MOST_NODES];
    const sn_vec4 *rest = world->skins.rest;
    for (int n = 1; n < sn_meet_nodes(kind); n++)
        x[n] = lane3(sn_v4_load(&rest[node[n]]) - sn_v4_load(&rest[node[0]]));
    sn_lane3 r = nearest(kind, x, weight);
    return SN_ROOT(sn_lane3_dot(r, r));
}

sn_real sn_meet_radii(const sn_world *world, int kind, const uint32_t *node) {
    int first = sn_meet_first[kind], nodes = sn_meet_nodes(kind);
    sn_real radius[2] = {0, 0};
    for (int n = 0; n < nodes; n++) {
        sn_real *mine = &radius[n >= first];
        if (world->nodes.radius[node[n]] > *mine) *mine = world->nodes.radius[node[n]];
    }
    return radius[0] + radius[1];
}

sn_real sn_meet_limit(const sn_world *world, int kind, const uint32_t *node) {
    sn_real limit = sn_meet_radii(world, kind, node);
    int first = sn_meet_first[kind];
    if (skin_of(world, node[0]) != skin_of(world, node[first])) return limit;
    sn_real rest = rest_distance(world, kind, node);
    if (kind != SN_MEETING_POINTS) rest *= SN_R(0.5);
    return limit < rest ? limit : rest;
}

static sn_real recovery_of(sn_real a, sn_real b) {
    if (a == SN_AUTO) a = SN_R(1e9);
    if (b == SN_AUTO) b = SN_R(1e9);
    return a < b ? a : b;
}

sn_meet_law sn_meet_law_of(const sn_world *world, int kind, const uint32_t *node) {
    const sn_skin_def *a = skin_of(world, node[0]), *b = skin_of(world, node[sn_meet_first[kind]]);
    return (sn_meet_law){
        .static_friction = SN_ROOT(a->static_friction) * SN_ROOT(b->static_friction),
        .dynamic_friction = SN_ROOT(a->dynamic_friction) * SN_ROOT(b->dynamic_friction),
        .restitution = a->restitution > b->restitution ? a->restitution : b->restitution,
        .recovery_speed = recovery_of(a->recovery_speed, b->recovery_speed)};
}
