/* Places with a value of their own: dT/dt = rate (value - T), backward in time. */
#include "math/quaternion.h"
#include "math/vector.h"
#include "systems/diffusion/diffusions.h"

static bool is_within(const sn_source_def *def, sn_vec4 x) {
    sn_v4 at = {x.x - def->position.x, x.y - def->position.y, x.z - def->position.z, 0};
    sn_quat q = def->orientation;
    at = sn_quat_rotate_back((sn_v4){q.x, q.y, q.z, q.w}, at);
    sn_vec3 e = def->extent;
    switch (def->shape) {
    case SN_SOURCE_SPHERE:
        return sn_v4_dot(at, at) < def->radius * def->radius;
    case SN_SOURCE_HALF_SPACE:
        return at[1] < 0;
    case SN_SOURCE_EVERYWHERE:
        return true;
    case SN_SOURCE_BOX:
        break;
    }
    return at[0] < e.x && -at[0] < e.x && at[1] < e.y && -at[1] < e.y && at[2] < e.z &&
           -at[2] < e.z;
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
