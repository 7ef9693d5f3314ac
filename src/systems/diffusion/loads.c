/* Masses that follow what nodes carry: m (1 + load T), with the volume that they have. Of a node
   that carries several quantities the loads are multiplied. */
#include "systems/diffusion/diffusions.h"

/* What of a mass is left at least, where values are below 0. */
#define LEAST 0.1

static double load_of(const sn_diffusion_state *d, size_t k) {
    double more = 1 + (double)d->def.load * d->value[k];
    return more > LEAST ? more : LEAST;
}

/* Of every node, the loads that are in its mass or come into it. */
static bool multiply_loads(sn_world *world) {
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
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_diffusion_state *d = &all->state[i];
        for (size_t k = 0; all->slots.alive[i] && d->def.load > 0 && k < d->nodes; k++)
            if (d->mass[k] > 0) c->load[d->node[k].slot - 1] *= load_of(d, k);
    }
    return true;
}

static void weigh(sn_world *world, uint32_t node, double mass) {
    sn_real *w = &world->nodes.w[node], weighed = (sn_real)(1 / mass);
    if (weighed == *w) return;
    *w = weighed;
    world->scratch.masses_changed = true;
    sn_world_wake_node(world, node);
}

/* Loads whose share is in the mass already come first, then those that come into it, and then
   quantities that weigh nothing. */
typedef enum rank { LOADED, LOADING, LIGHT, RANKS } rank;

static rank rank_of(const sn_diffusion_state *d, size_t k) {
    if (d->def.load == 0) return LIGHT;
    return d->mass[k] > 0 ? LOADED : LOADING;
}

static void load(sn_world *world, sn_diffusion_state *d, rank turn) {
    sn_carriers *c = &sn_diffusions_of(world)->carriers;
    for (size_t k = 0; k < d->nodes; k++) {
        uint32_t node = d->node[k].slot - 1;
        double w = (double)world->nodes.w[node];
        if (!(w > 0) || rank_of(d, k) != turn) continue;
        if (turn != LOADED) d->mass[k] = c->is_loaded ? 1 / w / c->load[node] : 1 / w;
        if (turn == LOADING) c->load[node] *= load_of(d, k);
        if (turn != LIGHT) weigh(world, node, d->mass[k] * c->load[node]);
    }
}

bool sn_diffusions_load(sn_world *world) {
    sn_diffusions *all = sn_diffusions_of(world);
    if (!multiply_loads(world)) return false;
    for (int turn = 0; turn < RANKS; turn++)
        for (size_t i = 0; i < all->slots.count; i++)
            if (all->slots.alive[i]) load(world, &all->state[i], (rank)turn);
    return true;
}

void sn_diffusion_unload(sn_world *world, const sn_diffusion_state *d) {
    for (size_t k = 0; d->def.load > 0 && k < d->nodes; k++) {
        uint32_t node = d->node[k].slot - 1;
        if (world->nodes.w[node] > 0 && d->mass[k] > 0) weigh(world, node, d->mass[k]);
    }
}

bool sn_diffusions_plan_loads(sn_step *step) {
    return multiply_loads(step->world);
}
