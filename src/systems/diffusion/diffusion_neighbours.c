/* Who is near whom when a step begins. */
#include "math/vector.h"
#include "systems/diffusion/diffusions.h"

static void free_carriers(sn_carriers *c, sn_memory *memory) {
    sn_free(memory, c->carrier, c->room, sizeof *c->carrier);
    sn_free(memory, c->low, c->room, sizeof *c->low);
    sn_free(memory, c->high, c->room, sizeof *c->high);
    sn_free(memory, c->first, c->room + 1, sizeof *c->first);
}

void sn_carriers_free(sn_carriers *c, sn_memory *memory) {
    free_carriers(c, memory);
    sn_free(memory, c->near, c->near_room, sizeof *c->near);
    sn_free(memory, c->flow, c->flow_room, sizeof *c->flow);
    sn_free(memory, c->number, c->number_room, sizeof *c->number);
    sn_free(memory, c->load, c->load_room, sizeof *c->load);
    sn_broad_free(&c->broad, memory);
    *c = (sn_carriers){0};
}

/* Room for all of them; those that were there are dropped where it is not enough. Loads stay: they
   are planned before neighbours are found. */
static bool reserve(sn_carriers *c, sn_memory *memory, size_t count, size_t nodes) {
    if (count > c->room || !c->carrier) {
        free_carriers(c, memory);
        c->room = count;
        c->carrier = sn_allocate(memory, count, sizeof *c->carrier);
        c->low = sn_allocate(memory, count, sizeof *c->low);
        c->high = sn_allocate(memory, count, sizeof *c->high);
        c->first = sn_allocate(memory, count + 1, sizeof *c->first);
        if (!c->carrier || !c->low || !c->high || !c->first) return false;
    }
    return sn_reserve(memory, (void **)&c->number, &c->number_room, nodes + 1, sizeof *c->number) &&
           sn_reserve(memory, (void **)&c->load, &c->load_room, nodes + 1, sizeof *c->load);
}

double sn_diffusion_spacing(const sn_world *world, const sn_diffusion_state *d) {
    double sum = 0, count = 0;
    if (d->def.spacing != SN_AUTO) return (double)d->def.spacing;
    for (size_t k = 0; k < d->nodes; k++) {
        double radius = (double)world->nodes.radius[d->node[k].slot - 1];
        sum += radius;
        count += radius > 0;
    }
    return count > 0 ? 2 * sum / count : 0;
}

/* Who is not there has a box that meets nobody's. */
static void add_carriers(const sn_world *world, sn_carriers *c, size_t i) {
    const sn_diffusion_state *d = &sn_diffusions_of(world)->state[i];
    double spacing = sn_diffusion_spacing(world, d);
    for (size_t k = 0; k < d->nodes; k++) {
        uint32_t node = d->node[k].slot - 1;
        bool waits = !(world->nodes.w[node] > 0) && !(world->nodes.radius[node] > 0);
        sn_real half = waits && d->def.spacing == SN_AUTO ? -1 : (sn_real)spacing;
        sn_v4 x = *(const sn_v4 *)&world->nodes.x[node], by = {half, half, half, 0};
        *(sn_v4 *)&c->low[c->count] = x - by;
        *(sn_v4 *)&c->high[c->count] = x + by;
        c->carrier[c->count++] = (sn_carrier){.node = node,
                                              .diffusion = (uint32_t)i,
                                              .number = (uint32_t)k,
                                              .spacing = spacing,
                                              .is_there = half > 0};
    }
}

/* Those of one quantity that reach each other. */
static size_t accept(const void *context, sn_broad_pair *pairs, size_t count) {
    const sn_world *world = context;
    const sn_diffusions *all = sn_diffusions_of(world);
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        const sn_carrier *i = &all->carriers.carrier[(uint32_t)pairs[k]];
        const sn_carrier *j = &all->carriers.carrier[pairs[k] >> 32];
        sn_v4 way = *(const sn_v4 *)&world->nodes.x[i->node];
        way -= *(const sn_v4 *)&world->nodes.x[j->node];
        way[3] = 0;
        sn_real reach = (sn_real)(i->spacing + j->spacing);
        if (i->node == j->node || !(sn_v4_dot(way, way) < reach * reach) ||
            all->state[i->diffusion].def.quantity != all->state[j->diffusion].def.quantity)
            continue;
        pairs[kept++] = pairs[k];
    }
    return kept;
}

/* Lists of both, of pairs that were found once. */
static bool list_neighbours(sn_carriers *c, sn_memory *memory) {
    const sn_broad *broad = &c->broad;
    if (!sn_reserve(memory, (void **)&c->near, &c->near_room, 2 * broad->total + 1,
                    sizeof *c->near) ||
        !sn_reserve(memory, (void **)&c->flow, &c->flow_room, 2 * broad->total + 1,
                    sizeof *c->flow))
        return false;
    for (size_t i = 0; i <= c->count; i++) c->first[i] = 0;
    for (size_t i = 0; i < c->count; i++) {
        c->first[i + 1] += broad->number[i];
        for (size_t k = 0; k < broad->number[i]; k++)
            c->first[broad->partner[broad->first[i] + k] + 1]++;
    }
    for (size_t i = 0; i < c->count; i++) c->first[i + 1] += c->first[i];
    /* Those before one come first, as all are gone through in their order. */
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < broad->number[i]; k++)
            c->near[c->first[broad->partner[broad->first[i] + k]]++] = (uint32_t)i;
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < broad->number[i]; k++)
            c->near[c->first[i]++] = broad->partner[broad->first[i] + k];
    /* The beginnings have moved on to the ends. */
    for (size_t i = c->count; i > 0; i--) c->first[i] = c->first[i - 1];
    c->first[0] = 0;
    return true;
}

bool sn_diffusions_find(sn_world *world) {
    sn_diffusions *all = sn_diffusions_of(world);
    sn_carriers *c = &all->carriers;
    size_t count = 0;
    for (size_t i = 0; i < all->slots.count; i++) count += all->state[i].nodes;
    if (!reserve(c, &world->memory, count, world->nodes.slots.count)) {
        sn_carriers_free(c, &world->memory);
        return false;
    }
    c->count = 0;
    for (size_t i = 0; i < all->slots.count; i++) add_carriers(world, c, i);
    sn_boxes boxes = {c->low, c->high, c->count};
    return sn_broad_find(&c->broad, &world->memory, world->bindings.team,
                         world->settings.broad_phase, &boxes, NULL, accept, world) &&
           list_neighbours(c, &world->memory);
}
