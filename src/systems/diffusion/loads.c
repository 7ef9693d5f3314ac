/* Masses that follow what nodes carry: m (1 + load T), with the volume that they have. */
#include "systems/diffusion/diffusions.h"

/* What of a mass is left at least, where values are below 0. */
#define LEAST 0.1

static double load_of(const sn_diffusion_state *d, size_t k) {
    double more = 1 + (double)d->def.load * d->value[k];
    return more > LEAST ? more : LEAST;
}

void sn_diffusion_load(sn_world *world, sn_diffusion_state *d) {
    double load = (double)d->def.load;
    for (size_t k = 0; k < d->nodes; k++) {
        uint32_t node = d->node[k].slot - 1;
        sn_real *w = &world->nodes.w[node];
        if (!(*w > 0)) continue;
        double more = load_of(d, k);
        if (load == 0 || !(d->mass[k] > 0)) d->mass[k] = 1 / (double)*w;
        if (load == 0) continue;
        sn_real loaded = (sn_real)(1 / (d->mass[k] * more));
        if (loaded == *w) continue;
        *w = loaded;
        world->scratch.masses_changed = true;
        sn_world_wake_node(world, node);
    }
}

bool sn_diffusions_plan_loads(sn_step *step) {
    sn_world *world = step->world;
    sn_diffusions *all = sn_diffusions_of(world);
    sn_carriers *c = &all->carriers;
    size_t nodes = world->nodes.slots.count;
    c->is_loaded = false;
    for (size_t i = 0; i < all->slots.count; i++)
        c->is_loaded |= all->slots.alive[i] && all->state[i].def.load > 0;
    if (!c->is_loaded) return true;
    if (!sn_reserve(&world->memory, (void **)&c->load, &c->load_room, nodes + 1, sizeof *c->load)) {
        c->is_loaded = false;
        return false;
    }
    for (size_t i = 0; i < nodes; i++) c->load[i] = 1;
    for (size_t i = 0; i < all->slots.count; i++)
        for (size_t k = 0; all->slots.alive[i] && k < all->state[i].nodes; k++)
            c->load[all->state[i].node[k].slot - 1] *= (sn_real)load_of(&all->state[i], k);
    return true;
}
