/* Fluids in velocities: the air around gases; viscosity, XSPH and vorticity, by fluid_loops.c. */
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

bool sn_fluids_are_kept(const sn_world *world) {
    return has(world, offsetof(sn_fluid_def, vorticity_kept));
}

bool sn_fluids_are_confined(const sn_world *world) {
    return has(world, offsetof(sn_fluid_def, vorticity));
}

bool sn_fluids_are_smoothed(const sn_world *world) {
    return has(world, offsetof(sn_fluid_def, xsph));
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

sn_fluid_pass sn_fluid_gather(sn_step *step) {
    sn_world *world = step->world;
    sn_fluid_places_refresh(world);
    sn_fluid_run(world, gather_velocities, world);
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_fluid_images_copy(world, s->v);
    return (sn_fluid_pass){.world = world, .places = s, .h = step->h, .of = s->v};
}

void sn_fluids_apply_viscosity(sn_step *step) {
    sn_world *world = step->world;
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    if (sn_fluid_rests(s)) return;
    sn_fluid_pass p = sn_fluid_gather(step);
    const sn_fluid_loops *loops = sn_fluid_loops_of(world);
    if (s->is_thick)
        sn_fluid_solve_viscosity(&p);
    else
        sn_fluid_run(world, loops->viscosity[sn_fluid_is_alike(world)], &p);
}

void sn_fluids_confine_vorticity(sn_step *step) {
    sn_world *world = step->world;
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    /* A fluid that asks for it may have nobody yet, beside others that do not. */
    if (sn_fluid_rests(s) || !s->is_confined) return;
    sn_fluid_pass p = sn_fluid_gather(step);
    const sn_fluid_loops *loops = sn_fluid_loops_of(world);
    /* Nobody turns where nobody is. */
    s->product[s->blocks * SN_BLOCK] = (sn_vec4){0};
    sn_fluid_run(world, loops->curls, &p);
    sn_fluid_images_copy(world, s->product);
    sn_fluid_run(world, loops->confinement, &p);
}

static void gather_parts(void *context, size_t begin, size_t end) {
    const sn_fluids *fluids = sn_fluids_of(context);
    const sn_fluid_places *s = &fluids->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK; at++) {
        s->search[at] = (sn_vec4){0};
        if (at >= s->count) continue;
        const sn_fluid_def *def = &fluids->members[s->particle[s->order[at]].fluid].def;
        s->search[at] = (sn_vec4){def->xsph, def->rest_density, 0, 0};
    }
}

void sn_fluids_smooth_velocities(sn_step *step) {
    sn_world *world = step->world;
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    if (sn_fluid_rests(s) || !s->is_smooth) return;
    sn_fluid_pass p = sn_fluid_gather(step);
    sn_fluid_run(world, gather_parts, world);
    s->search[s->blocks * SN_BLOCK] = (sn_vec4){0};
    sn_fluid_images_copy(world, s->search);
    sn_fluid_run(world, sn_fluid_loops_of(world)->smoothing, &p);
}

bool sn_fluids_are_in_air(const sn_world *world) {
    const sn_fluids *fluids = sn_fluids_of(world);
    for (size_t i = 0; i < fluids->slots.count; i++) {
        const sn_fluid_def *def = &fluids->members[i].def;
        if (fluids->slots.alive[i] && (def->buoyant || def->ambient_drag > 0)) return true;
    }
    return false;
}

/* What air around a particle does to its velocity in h; `density` is that of its fluid there. */
static sn_vec4 in_air(const sn_settings *air, const sn_fluid_def *def, double density, double h,
                      sn_vec4 v) {
    double lift = def->buoyant ? -h * (double)air->air_density / (double)def->rest_density : 0;
    double rare = density < 1 ? 1 - density : 0;
    double kept = 1 / (1 + h * (double)def->ambient_drag * rare);
    const double wind[3] = {(double)air->wind.x, (double)air->wind.y, (double)air->wind.z};
    const double g[3] = {(double)air->gravity.x, (double)air->gravity.y, (double)air->gravity.z};
    const sn_real before[3] = {v.x, v.y, v.z};
    sn_real after[3];
    for (int k = 0; k < 3; k++)
        after[k] = (sn_real)(wind[k] + kept * (((double)before[k] + lift * g[k]) - wind[k]));
    return (sn_vec4){after[0], after[1], after[2], v.w};
}

static void apply_air(void *context, size_t begin, size_t end) {
    const sn_fluid_pass *p = context;
    const sn_fluids *fluids = sn_fluids_of(p->world);
    const sn_fluid_places *s = p->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK && at < s->count; at++) {
        const sn_fluid_particle *particle = &s->particle[s->order[at]];
        const sn_fluid_def *def = &fluids->members[particle->fluid].def;
        sn_vec4 *v = &p->world->nodes.v[particle->node];
        if (!(p->world->nodes.w[particle->node] > 0)) continue;
        if (!def->buoyant && !(def->ambient_drag > 0)) continue;
        *v = in_air(&p->world->settings, def, (double)s->density[at], p->h, *v);
    }
}

/*
 * Buoyancy, -rho_air V g; and drag, -k (v - wind) (1 - rho / rho_0), which takes hold of what is at
 * the surface and has no neighbours beyond, in place of air that is not computed (Macklin et al.
 * 2014, section 7.2), backward in time.
 */
void sn_fluids_apply_air(sn_step *step) {
    sn_world *world = step->world;
    sn_fluid_pass p = {.world = world, .places = &sn_fluids_of(world)->places, .h = step->h};
    if (!sn_fluid_rests(p.places)) sn_fluid_run(world, apply_air, &p);
}
