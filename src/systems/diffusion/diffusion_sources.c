/* Places with a value of their own: dT/dt = rate (value - T), backward in time. */
#include "math/containment.h"
#include "systems/diffusion/diffusions.h"

static bool is_within(const sn_source_def *def, sn_vec4 x) {
    sn_v4 at = sn_place_in_frame(x, def->position, def->orientation);
    switch (def->shape) {
    case SN_SOURCE_SPHERE:
        return sn_ball_has(at, def->radius);
    case SN_SOURCE_HALF_SPACE:
        return sn_half_space_has(at);
    case SN_SOURCE_EVERYWHERE:
        return true;
    case SN_SOURCE_BOX:
        break;
    }
    return sn_box_has(at, def->extent);
}

static void act(sn_world *world, const sn_source_def *def, double dt) {
    const sn_diffusions *all = sn_diffusions_of(world);
    for (size_t k = 0; k < all->carriers.count; k++) {
        const sn_carrier *c = &all->carriers.carrier[k];
        sn_diffusion_state *d = &all->state[c->diffusion];
        if (!(c->mass > 0) || d->def.quantity != def->quantity ||
            !is_within(def, world->nodes.x[c->node]))
            continue;
        double *value = &d->value[c->number], *liquid = &d->liquid[c->number];
        double rate = (double)def->rate * dt * (def->exposed ? 1 - c->crowd : 1);
        double change = rate / (1 + rate) * ((double)def->value - *value);
        sn_diffusion_settle(&d->def, sn_diffusion_heat(&d->def, *value, *liquid) + change, value,
                            liquid);
        d->received += c->mass * change;
    }
}

void sn_diffusions_take_in(sn_world *world, double dt) {
    sn_diffusions *all = sn_diffusions_of(world);
    for (size_t i = 0; i < all->source_slots.count; i++) {
        sn_source_state *s = &all->source[i];
        if (!all->source_slots.alive[i]) continue;
        s->clock += dt;
        if (s->clock < (double)s->def.start ||
            (s->def.end != SN_AUTO && s->clock > (double)s->def.end))
            continue;
        act(world, &s->def, dt);
    }
}

SN_DEFINE_OBJECT(source, SN_SOURCE_FIELDS, "source",
                 "a place with a value of its own, such as a flame", .check = NULL)
