/* Where particles go: those that a step has brought into a drain wait from then on. */
#include "collision/collider_pose.h"
#include "math/containment.h"
#include "systems/emitter/emitters.h"
#include "systems/fluid/fluids.h"

/* Whether a node is in a drain; who has no radius waits already. */
static bool is_within(const sn_world *world, const sn_drain_def *def, uint32_t node) {
    sn_vec4 x = world->nodes.x[node];
    if (!(world->nodes.radius[node] > 0)) return false;
    sn_v4 at = sn_place_in_frame(x, def->position, def->orientation);
    switch (def->shape) {
    case SN_DRAIN_SPHERE:
        return sn_ball_has(at, def->radius);
    case SN_DRAIN_HALF_SPACE:
        return sn_half_space_has(at);
    case SN_DRAIN_BOX:
        break;
    }
    return sn_box_has(at, def->extent);
}

/* Back to the reserve that it is from, or out of the way for good. */
static void take(sn_world *world, const sn_drain_def *def, sn_node node) {
    sn_emitters *all = sn_emitters_of(world);
    uint32_t slot = node.slot - 1;
    world->scratch.masses_changed = world->sleep.joints_changed = true;
    sn_world_restart_body(world, world->nodes.body[slot]);
    sn_world_wake_node(world, slot);
    for (size_t i = 0; i < all->slots.count; i++)
        for (size_t k = 0; all->slots.alive[i] && k < all->state[i].count; k++)
            if (all->state[i].reserve[k].node.slot == node.slot) {
                sn_emitter_park(world, &all->state[i], k);
                return;
            }
    sn_nodes_undrive(&world->nodes, slot);
    sn_nodes_place(&world->nodes, slot, def->position);
    world->nodes.v[slot] = (sn_vec4){0};
    world->nodes.w[slot] = world->nodes.radius[slot] = 0;
    world->nodes.group[slot] = 0;
}

static void drain_fluids(sn_world *world, sn_drain_state *d) {
    const sn_fluids *fluids = sn_fluids_of(world);
    for (size_t i = 0; i < fluids->slots.count; i++) {
        sn_fluid_members *m = &fluids->members[i];
        size_t kept = 0;
        for (size_t k = 0; k < m->count; k++) {
            sn_node node = m->node[k];
            if (is_within(world, &d->def, node.slot - 1)) {
                take(world, &d->def, node);
                d->drained++;
            } else
                m->node[kept++] = node;
        }
        m->count = kept;
    }
}

/* Those that are of no fluid. */
static void drain_loose(sn_world *world, sn_drain_state *d) {
    sn_emitters *all = sn_emitters_of(world);
    for (size_t i = 0; i < all->slots.count; i++)
        for (size_t k = 0; all->slots.alive[i] && k < all->state[i].count; k++) {
            const sn_reserve_node *r = &all->state[i].reserve[k];
            if (r->waits || !is_within(world, &d->def, r->node.slot - 1)) continue;
            take(world, &d->def, r->node);
            d->drained++;
        }
}

void sn_drains_act(sn_world *world, double dt) {
    sn_emitters *all = sn_emitters_of(world);
    for (size_t i = 0; i < all->drain_slots.count; i++) {
        sn_drain_state *d = &all->drain[i];
        if (!all->drain_slots.alive[i]) continue;
        d->clock += dt;
        if (d->clock < (double)d->def.start ||
            (d->def.end != SN_AUTO && d->clock > (double)d->def.end))
            continue;
        drain_fluids(world, d);
        drain_loose(world, d);
    }
}

SN_DEFINE_OBJECT(drain, SN_DRAIN_FIELDS, "drain", "where particles go", .check = NULL)
