/*
 * What contacts ask of ellipsoids beyond how far they reach; ellipsoid.h has the formulas.
 *
 * A push at an arm r moves the centre and turns the node, by the inverse masses of both: with
 * t = r x n, the centre goes w / (w + t . I^-1 t) of the depth, and the rest is made good by
 * turning by I^-1 t times the impulse.
 */
#include "contact/ellipsoid.h"

#include "contact/rolling.h"
#include "contact/surface/surface_pair.h"

enum { PAIRS_ALONE = 512 };

sn_real sn_ellipsoid_most_lack(const sn_world *world, size_t node) {
    if (!sn_is_ellipsoid(world, node)) return 0;
    sn_vec4 r = world->frames.radii[world->nodes.frame[node] - 1];
    sn_real least = r.x < r.y ? r.x : r.y;
    if (r.z < least) least = r.z;
    return world->nodes.radius[node] - least;
}

/* The same in the frame of the node. */
static sn_v4 local_arm(const sn_world *world, size_t frame, sn_v4 local) {
    sn_v4 radii = sn_v4_load(&world->frames.radii[frame]);
    return (radii * radii) * local * (-1 / sn_ellipsoid_reach(radii, local));
}

sn_v4 sn_ellipsoid_arm(const sn_world *world, size_t node, sn_v4 normal) {
    size_t frame = world->nodes.frame[node] - 1;
    sn_v4 q = sn_v4_load(&world->frames.q[frame]);
    return sn_quat_rotate(q, local_arm(world, frame, sn_quat_rotate_back(q, normal)));
}

sn_real sn_ellipsoid_push(const sn_world *world, size_t node, sn_real w, sn_v4 normal,
                          sn_real deep) {
    const sn_frames *frames = &world->frames;
    size_t frame = world->nodes.frame[node] - 1;
    if (!sn_roll_is_ball(world, node)) return deep;
    sn_v4 q = sn_v4_load(&frames->q[frame]), local = sn_quat_rotate_back(q, normal);
    sn_v4 torque = sn_v4_cross(local_arm(world, frame, local), local);
    sn_v4 turned = sn_v4_load(&sn_world_masses(world).turn_w[frame]) * torque;
    sn_real sum = w + sn_v4_dot(torque, turned);
    if (!(sum > 0)) return deep;
    sn_v4 phi = turned * (deep / sum);
    phi[3] = 0;
    sn_v4_store(&frames->turn[frame], sn_v4_load(&frames->turn[frame]) + phi);
    sn_v4_store(&frames->q[frame], sn_quat_turn(q, phi));
    return deep * (w / sum);
}

/* ---- Pairs of collision surfaces ---- */

/* m: how far a node reaches along a line, when the substep begins. */
static sn_real reach_along(const sn_world *world, size_t node, sn_v4 line) {
    if (!sn_is_ellipsoid(world, node)) return world->nodes.radius[node];
    size_t frame = world->nodes.frame[node] - 1;
    sn_v4 q = sn_v4_load(&world->frames.start[frame]);
    return sn_ellipsoid_reach(sn_v4_load(&world->frames.radii[frame]),
                              sn_quat_rotate_back(q, line));
}

static bool has_ellipsoid(const sn_world *world, int kind, const uint32_t *node) {
    bool has = false;
    for (int n = 0; n < sn_contact_nodes(kind); n++) has = has || sn_is_ellipsoid(world, node[n]);
    return has;
}

static void limit_pair(const sn_world *world, int kind, const sn_contact_pair *pair) {
    const sn_surface_contacts *surface_contacts = sn_surface_contacts_of(world);
    uint32_t node[SN_CONTACT_MOST_NODES];
    sn_real *limit = sn_contact_at(&surface_contacts->set[kind], pair->slot, SN_ROW_LIMIT);
    sn_real weight[SN_CONTACT_MOST_NODES], radius[2] = {0, 0};
    sn_surface_pair_node_list(surface_contacts, kind, pair->a, pair->b, node);
    /* What is 0 was let go. */
    if (!(*limit > 0) || !has_ellipsoid(world, kind, node)) return;
    sn_v4 r = sn_surface_pair_between_any(&world->nodes, kind, node, weight);
    r = sn_surface_pair_shortest(world, kind, r);
    sn_real length = SN_ROOT(sn_v4_dot(r, r));
    if (!(length > 0)) return;
    for (int n = 0; n < sn_contact_nodes(kind); n++) {
        sn_real mine = reach_along(world, node[n], r / length);
        int side = n >= sn_contact_first[kind];
        radius[side] = mine > radius[side] ? mine : radius[side];
    }
    *limit = sn_surface_pair_limit_any(world, kind, node, radius[0] + radius[1]);
}

typedef struct limiting {
    const sn_world *world;
    int kind;
} limiting;

static void limit_range(void *context, size_t begin, size_t end) {
    const limiting *l = context;
    const sn_contact_set *set = &sn_surface_contacts_of(l->world)->set[l->kind];
    for (size_t k = begin; k < end; k++) limit_pair(l->world, l->kind, &set->pair[k]);
}

void sn_ellipsoid_limits(sn_world *world) {
    if (world->frames.ellipsoids == 0) return;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        limiting l = {world, kind};
        sn_team_run(world->bindings.team, sn_surface_contacts_of(world)->set[kind].count,
                    PAIRS_ALONE, limit_range, &l);
    }
}
