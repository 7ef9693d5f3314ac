/* Fluids in velocities: viscosity and vorticity, by the loops of fluid_loops.c. */
#include "math/lanes.h"
#include "systems/fluid/fluid_loops.h"

static bool has(const sn_world *world, size_t field) {
    const sn_fluids *fluids = sn_fluids_of(world);
    for (size_t i = 0; i < fluids->slots.count; i++) {
        const char *def = (const char *)&fluids->members[i].def;
        if (fluids->slots.alive[i] && *(const sn_real *)(const void *)(def + field) > 0)
            return true;
    }
    return false;
}

bool sn_fluids_are_viscous(const sn_world *world) {
    return has(world, offsetof(sn_fluid_def, viscosity));
}

bool sn_fluids_are_confined(const sn_world *world) {
    return has(world, offsetof(sn_fluid_def, vorticity));
}

static void gather_velocities(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK && at < s->count; at++) {
        const sn_fluid_particle *p = &s->particle[s->order[at]];
        s->v[at] = world->nodes.v[p->node];
        s->v[at].w = p->viscosity;
    }
}

/* Where particles are and how fast, as they have come out of the substep. */
static sn_fluid_pass gather(sn_step *step) {
    sn_world *world = step->world;
    sn_fluid_run(world, sn_fluid_places_gather, world);
    sn_fluid_run(world, gather_velocities, world);
    return (sn_fluid_pass){.world = world, .places = &sn_fluids_of(world)->places, .h = step->h};
}

void sn_fluids_apply_viscosity(sn_step *step) {
    sn_world *world = step->world;
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    if (sn_fluid_rests(s)) return;
    sn_fluid_pass p = gather(step);
    const sn_fluid_loops *loops = sn_fluid_loops_of(world->bindings.width);
    if (s->is_thick)
        sn_fluid_solve_viscosity(&p);
    else
        sn_fluid_run(world, loops->viscosity[sn_fluid_is_alike(world)], &p);
}

void sn_fluids_confine_vorticity(sn_step *step) {
    sn_world *world = step->world;
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    if (sn_fluid_rests(s)) return;
    sn_fluid_pass p = gather(step);
    const sn_fluid_loops *loops = sn_fluid_loops_of(world->bindings.width);
    /* Nobody turns where nobody is. */
    s->product[s->blocks * SN_BLOCK] = (sn_vec4){0};
    sn_fluid_run(world, loops->curls, &p);
    sn_fluid_run(world, loops->confinement, &p);
}
