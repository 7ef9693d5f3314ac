/*
 * Single pairs of elements: where they are nearest, whether they may touch, and how close.
 *
 * Inline, because the search asks for hundreds of thousands of pairs and knows their kind: the kind
 * is a constant there, and the loops over nodes are none.
 */
#ifndef SN_CONTACT_SURFACE_SURFACE_PAIR_H
#define SN_CONTACT_SURFACE_SURFACE_PAIR_H

#include "collision/collider_pose.h"
#include "collision/narrow_phase/closest_weights.h"
#include "contact/friction.h"
#include "contact/surface/surface_contact.h"

#include <sinew/support.h>

/* The vector from the second to the first when the substep begins, with the weights of the nodes.
 */
SN_INLINE sn_v4 sn_surface_pair_between(const sn_nodes *nodes, const int kind, const uint32_t *node,
                                        sn_real weight[SN_CONTACT_MOST_NODES]) {
    sn_lane3 x[SN_CONTACT_MOST_NODES] = {{0, 0, 0}};
    sn_v4 x0 = sn_v4_load(&nodes->x[node[0]]), p0 = sn_v4_load(&nodes->p[node[0]]);
    for (int n = 1; n < sn_contact_nodes(kind); n++)
        x[n] = sn_lane3_of((sn_v4_load(&nodes->x[node[n]]) - x0) +
                           (sn_v4_load(&nodes->p[node[n]]) - p0));
    sn_lane3 r = sn_nearest(kind, x, weight);
    return (sn_v4){r.x, r.y, r.z, 0};
}

/* In a periodic world, the shortest of all ways between two balls. */
SN_INLINE sn_v4 sn_surface_pair_shortest(const sn_world *world, const int kind, sn_v4 way) {
    if (kind != SN_CONTACT_POINT_POINT || !sn_world_is_periodic(world)) return way;
    sn_period period = sn_period_of(world);
    return sn_period_nearest(&period, way);
}

/* m: how far from where it was expected a node is, displaced by this, some time (s) after its pairs
   were found. */
SN_INLINE sn_v4 sn_surface_pair_away(const sn_vec4 *x, const sn_reach *reach, uint32_t i,
                                     sn_v4 displaced, double time) {
    sn_v4 at = sn_v4_load(&x[i]) - sn_v4_load(&reach->from[i]);
    return (at + displaced) - (sn_real)time * sn_v4_load(&reach->speed[i]);
}

/* Whether that is within its slack; false for what is not finite. */
SN_INLINE bool sn_surface_pair_is_near(const sn_vec4 *x, const sn_reach *reach, uint32_t i,
                                       sn_v4 displaced, double time) {
    sn_v4 away = sn_surface_pair_away(x, reach, i, displaced, time);
    sn_real slack = reach->slack[i];
    return sn_v4_dot(away, away) <= slack * slack;
}

SN_INLINE uint32_t sn_surface_pair_surface_of(const sn_world *world, uint32_t node) {
    return sn_collision_surfaces_of(world)->of_node[node] - 1;
}

/* Whether something holds a node of one at a node of the other. */
SN_INLINE bool sn_contact_is_excluded(const sn_contact_exclusion *exclusion, const int kind,
                                      const uint32_t *node) {
    bool joined = false;
    for (int i = 0; exclusion->any && i < sn_contact_first[kind]; i++)
        for (int k = sn_contact_first[kind]; k < sn_contact_nodes(kind); k++)
            joined = joined || sn_contact_are_excluded(exclusion, node[i], node[k]);
    return joined;
}

/* Whether the collision surfaces, groups and bodies of two nodes allow that they collide. */
SN_INLINE bool sn_surface_pair_may_collide(const sn_world *world, uint32_t a, uint32_t b) {
    uint32_t one = sn_surface_pair_surface_of(world, a), two = sn_surface_pair_surface_of(world, b);
    const sn_collision_surface_def *first = &sn_collision_surfaces_of(world)->state[one].def,
                                   *second = &sn_collision_surfaces_of(world)->state[two].def;
    if (one == two && !first->self) return false;
    uint32_t group[2] = {world->nodes.group[a], world->nodes.group[b]};
    for (int i = 0; i < 2; i++) group[i] = group[i] < 31 ? group[i] : 31;
    if (!(first->mask >> group[1] & second->mask >> group[0] & 1)) return false;
    sn_party of_a = {.body = world->nodes.body[a]}, of_b = {.body = world->nodes.body[b]};
    return sn_world_may_collide(world, of_a, of_b);
}

/* Which of two nodes is a loose ball at the surface of the other, 0 or 1, and the porosity of that;
   0 where neither is. */
SN_INLINE sn_real sn_surface_pair_porosity(const sn_world *world, uint32_t a, uint32_t b,
                                           int *loose) {
    const sn_collision_surface_state *surface = sn_collision_surfaces_of(world)->state;
    const sn_collision_surface_state *of[2] = {&surface[sn_surface_pair_surface_of(world, a)],
                                               &surface[sn_surface_pair_surface_of(world, b)]};
    for (*loose = 0; *loose < 2; ++*loose)
        if (of[*loose]->edges == 0 && of[1 - *loose]->edges > 0)
            return of[1 - *loose]->def.porosity;
    return 0;
}

/* Whether a loose ball is one of those that go through a surface, which is as if by chance. */
SN_INLINE bool sn_surface_pair_passes(const sn_world *world, uint32_t ball, uint32_t other,
                                      sn_real porosity) {
    uint64_t which = sn_hash_word(sn_hash_word(1, sn_surface_pair_surface_of(world, other)), ball);
    return (double)(which >> 11) * (1 / 9007199254740992.0) < (double)porosity;
}

/* By how many layers the collision surface of a node is outside that of another. */
SN_INLINE int sn_surface_pair_layers(const sn_world *world, uint32_t a, uint32_t b) {
    const sn_collision_surface_state *surface = sn_collision_surfaces_of(world)->state;
    return surface[sn_surface_pair_surface_of(world, a)].def.layer -
           surface[sn_surface_pair_surface_of(world, b)].def.layer;
}

/* By what the inverse masses of a node's surface are multiplied where it touches another. */
SN_INLINE sn_real sn_surface_pair_share(const sn_world *world, uint32_t a, uint32_t b) {
    const sn_collision_surface_state *surface = sn_collision_surfaces_of(world)->state;
    if (sn_surface_pair_layers(world, a, b) >= 0) return 1;
    return 1 / surface[sn_surface_pair_surface_of(world, a)].def.layer_shock;
}

/* Whether something of it can move. */
SN_INLINE bool sn_surface_pair_moves(const sn_world *world, const int kind, const uint32_t *node) {
    /* A sleeper alone does not move, but something kinematic may be about to touch it. */
    const sn_real *seen = sn_world_contact_w(world);
    sn_real w = 0, asleep = 0;
    bool driven = false;
    if (seen[node[0]] > 0) return true;
    for (int n = 0; n < sn_contact_nodes(kind); n++) {
        w += seen[node[n]];
        asleep += world->nodes.w[node[n]];
        driven |= world->nodes.driven[node[n]] > 0;
    }
    return w > 0 || (asleep > 0 && driven);
}

/* m: their radii together. */
SN_INLINE sn_real sn_surface_pair_radii(const sn_world *world, const int kind,
                                        const uint32_t *node) {
    sn_real radius[2] = {0, 0};
    for (int n = 0; n < sn_contact_nodes(kind); n++) {
        sn_real mine = world->nodes.radius[node[n]];
        int side = n >= sn_contact_first[kind];
        radius[side] = mine > radius[side] ? mine : radius[side];
    }
    return radius[0] + radius[1];
}

/* m: how close they may come: their radii, or less where they were close at rest. */
SN_INLINE sn_real sn_surface_pair_limit_of(const sn_world *world, const int kind,
                                           const uint32_t *node, sn_real limit) {
    sn_real weight[SN_CONTACT_MOST_NODES];
    if (sn_surface_pair_surface_of(world, node[0]) !=
        sn_surface_pair_surface_of(world, node[sn_contact_first[kind]]))
        return limit;
    sn_lane3 x[SN_CONTACT_MOST_NODES] = {{0, 0, 0}};
    sn_v4 x0 = sn_v4_load(&sn_collision_surfaces_of(world)->rest[node[0]]);
    for (int n = 1; n < sn_contact_nodes(kind); n++)
        x[n] = sn_lane3_of(sn_v4_load(&sn_collision_surfaces_of(world)->rest[node[n]]) - x0);
    sn_lane3 r = sn_nearest(kind, x, weight);
    sn_real rest = SN_ROOT(sn_lane3_dot(r, r));
    if (kind != SN_CONTACT_POINT_POINT) rest *= SN_R(0.5);
    return limit < rest ? limit : rest;
}

/* What happens when they touch, and how fast an overlap ends (m/s). */
sn_contact_material sn_surface_pair_material(const sn_world *world, int kind, const uint32_t *node,
                                             sn_real *recovery);

/* The same for a kind that is not known to the compiler. */
sn_v4 sn_surface_pair_between_any(const sn_nodes *nodes, int kind, const uint32_t *node,
                                  sn_real weight[SN_CONTACT_MOST_NODES]);
sn_real sn_surface_pair_limit_any(const sn_world *world, int kind, const uint32_t *node,
                                  sn_real limit);

#endif
