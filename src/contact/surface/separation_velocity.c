/*
 * What overlaps and may come apart at once (a recovery speed of SN_AUTO) comes apart in a substep,
 * however deep it is. That is a jump, and not a velocity: a light ball that something heavy has
 * sunk into would leave it with a radius per substep. So when a substep is over, pairs that were
 * pushed are no faster relative to each other than before it, but for what gravity gives: what is
 * more, and not more than they were pushed, is taken from where they began, and not from where they
 * are. What bounces is given its speed later.
 *
 * At the end, because a pair that is held by others, by the floor below the light ball, is to push
 * with all that it overlaps, and does not move for it. From one thread, because pairs share nodes.
 */
#include "contact/surface/surface_pair.h"

/* Of collision surfaces that come apart at once: what stands for it is faster than anything. */
static const sn_real AT_ONCE = SN_R(1e8);

static bool recovers_by_itself(const sn_collision_surface_def *def) {
    return def->recovery_speed == SN_AUTO;
}

static bool is_needed(const sn_world *world) {
    return sn_collision_surfaces_any(sn_collision_surfaces_of(world), recovers_by_itself);
}

/* m: how a node moved in the substep before, or does by its velocity where a step begins. */
static sn_v4 moved_before(const sn_world *world, uint32_t i, sn_real h) {
    const sn_previous_positions *was = &sn_surface_contacts_of(world)->was;
    if (was->known) return sn_v4_load(&was->moved[i]);
    return h * sn_v4_load(&world->nodes.v[i]);
}

static void limit_pair(const sn_world *world, const sn_contact_set *set, int kind, size_t k,
                       const sn_substep *substep) {
    const sn_nodes *n = &world->nodes;
    const sn_real *w = sn_world_contact_w(world), h = (sn_real)substep->h;
    uint32_t slot = set->pair[k].slot, node[SN_CONTACT_MOST_NODES];
    sn_real weight[SN_CONTACT_MOST_NODES], sum = 0, push = *sn_contact_at(set, slot, SN_ROW_PUSH);
    if (!(push > 0) || !(*sn_contact_at(set, slot, SN_ROW_RECOVERY) > AT_ONCE)) return;
    sn_surface_pair_node_list(sn_surface_contacts_of(world), kind, set->pair[k].a, set->pair[k].b,
                              node);
    (void)sn_surface_pair_between_any(n, kind, node, weight);
    sn_v4 motion = {0}, before = {0};
    for (int i = 0; i < sn_contact_nodes(kind); i++) {
        motion += weight[i] * (sn_v4_load(&n->d[node[i]]) - sn_v4_load(&n->p[node[i]]));
        before += weight[i] * moved_before(world, node[i], h);
        sum += w[node[i]] * (weight[i] * weight[i]);
    }
    sn_vec3 g = world->settings.gravity;
    sn_real fall = h * h * SN_ROOT(sn_vec3_dot(g, g));
    sn_real most = SN_ROOT(sn_v4_dot(before, before)) + 2 * fall;
    sn_real fast = SN_ROOT(sn_v4_dot(motion, motion)), more = fast - most;
    if (!(more > 0) || !(sum > 0)) return;
    if (more > push) more = push;
    for (int i = 0; i < sn_contact_nodes(kind); i++) {
        sn_vec4 *was =
            &sn_surface_contacts_of(world)->was.p[sn_surface_contacts_of(world)->was.now][node[i]];
        sn_v4 by = (w[node[i]] * weight[i] * more / (sum * fast)) * motion;
        if (!(w[node[i]] > 0)) continue;
        sn_v4_store(&n->p[node[i]], sn_v4_load(&n->p[node[i]]) + by);
        sn_v4_store(was, sn_v4_load(was) + by);
    }
}

void sn_limit_separation_velocity(sn_world *world, const sn_substep *substep) {
    if (!sn_surface_contacts_of(world) || !sn_surface_contact_is_needed(world) || !is_needed(world))
        return;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++)
        for (size_t k = 0; k < sn_surface_contacts_of(world)->set[kind].count; k++)
            limit_pair(world, &sn_surface_contacts_of(world)->set[kind], kind, k, substep);
}
