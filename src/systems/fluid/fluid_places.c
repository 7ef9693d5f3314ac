/* The particles of all fluids side by side: memory, and what a step needs to know of each. */
#include "base/team.h"
#include "math/lanes.h"
#include "math/root.h"
#include "systems/diffusion/diffusions.h"
#include "systems/fluid/fluids.h"

#include <math.h>

#define COLUMNS(COLUMN)                                                                            \
    COLUMN(particle), COLUMN(output), COLUMN(bucket), COLUMN(order), COLUMN(node), COLUMN(y),      \
        COLUMN(found), COLUMN(wall), COLUMN(trait), COLUMN(change), COLUMN(v), COLUMN(lambda),     \
        COLUMN(density), COLUMN(push), COLUMN(aside), COLUMN(busy), COLUMN(row_count),             \
        COLUMN(drift)
#define COLUMN(array)                                                                              \
    { (void **)&s->array, sizeof *s->array }

void sn_fluid_places_free(sn_fluid_places *s, sn_memory *memory) {
    const sn_column columns[] = {COLUMNS(COLUMN)};
    sn_columns_free(memory, columns, sizeof columns / sizeof *columns, 0, s->capacity);
    sn_free(memory, s->clear, s->clear_capacity, sizeof *s->clear);
    sn_free(memory, s->alongs, s->alongs_capacity, sizeof *s->alongs);
    sn_free(memory, s->start, s->start_capacity, sizeof *s->start);
    sn_free(memory, s->astray, s->astray_capacity, sizeof *s->astray);
    sn_free(memory, s->strayed, s->strayed_capacity, sizeof *s->strayed);
    sn_free(memory, s->near, s->near_capacity, sizeof *s->near);
    sn_free(memory, s->factor, s->factor_capacity, sizeof *s->factor);
    sn_free(memory, s->rates, s->rates_capacity, sizeof *s->rates);
    sn_free(memory, s->sum, s->sum_capacity, sizeof *s->sum);
    sn_free(memory, s->part, s->part_capacity, sizeof *s->part);
    sn_free(memory, s->beside, s->beside_capacity, sizeof *s->beside);
    sn_free(memory, s->give, s->give_capacity, sizeof *s->give);
    sn_free(memory, s->load, s->load_capacity, sizeof *s->load);
    sn_free(memory, s->depth, s->depth_capacity, sizeof *s->depth);
    sn_free(memory, s->partner, s->partner_capacity, sizeof *s->partner);
    sn_fluid_images_free(s, memory);
    *s = (sn_fluid_places){0};
}

/* Room for so many particles, with as many rows of neighbours as were needed before. */
static bool reserve(sn_fluid_places *s, sn_memory *memory, size_t count) {
    const sn_column columns[] = {COLUMNS(COLUMN)};
    size_t blocks = (count + SN_BLOCK - 1) / SN_BLOCK;
    size_t places = (blocks + 1) * SN_BLOCK + s->image_room;
    if (s->rows == 0) s->rows = 40;
    if (places > s->capacity) {
        size_t grown = sn_columns_grow(memory, columns, sizeof columns / sizeof *columns, 0,
                                       s->capacity, places);
        if (grown == 0) return false;
        s->capacity = grown;
    }
    s->room = 2 * count + 1024;
    s->count = count;
    s->blocks = blocks;
    if (!sn_reserve(memory, (void **)&s->alongs, &s->alongs_capacity, 3 * places,
                    sizeof *s->alongs))
        return false;
    for (size_t k = 0; k < 3; k++) s->along[k] = s->alongs + k * places;
    return sn_reserve(memory, (void **)&s->clear, &s->clear_capacity, count + 1,
                      sizeof *s->clear) &&
           sn_reserve(memory, (void **)&s->start, &s->start_capacity, s->room + 1,
                      sizeof *s->start) &&
           sn_reserve(memory, (void **)&s->astray, &s->astray_capacity, s->room,
                      sizeof *s->astray) &&
           sn_reserve(memory, (void **)&s->strayed, &s->strayed_capacity, 2 * s->room,
                      sizeof *s->strayed) &&
           sn_reserve(memory, (void **)&s->near, &s->near_capacity, blocks * s->rows * SN_BLOCK,
                      sizeof *s->near) &&
           sn_reserve(memory, (void **)&s->factor, &s->factor_capacity, blocks * s->rows * SN_BLOCK,
                      sizeof *s->factor);
}

/* Room for what only some fluids need. */
static bool reserve_rates(sn_fluid_places *s, sn_memory *memory) {
    size_t places = sn_fluid_first_image(s) + s->image_room;
    if (!s->is_thick && !s->is_confined && !s->is_cohesive && !s->is_tight && !s->is_kept &&
        !s->is_smooth)
        return true;
    if (!sn_reserve(memory, (void **)&s->rates, &s->rates_capacity, 4 * places, sizeof *s->rates) ||
        !sn_reserve(memory, (void **)&s->sum, &s->sum_capacity, s->blocks + 1, sizeof *s->sum))
        return false;
    s->residual = s->rates;
    s->search = s->rates + places;
    s->product = s->rates + 2 * places;
    s->grip = s->rates + 3 * places;
    return true;
}

/* 1/kg, of a node without what it carries, which takes no room. */
static double bare_inverse_mass(const sn_world *world, uint32_t node) {
    const double *loads = sn_diffusions_loads(world);
    return loads ? (double)world->nodes.w[node] * (double)(sn_real)loads[node]
                 : (double)world->nodes.w[node];
}

/* The mean volume of the particles that have a mass; 0 where none has. */
static double mean_volume(const sn_world *world, const sn_fluid_members *m) {
    double mass = 0, counted = 0;
    for (size_t k = 0; k < m->count; k++) {
        double w = bare_inverse_mass(world, m->node[k].slot - 1);
        if (!(w > 0)) continue;
        mass += 1 / w;
        counted++;
    }
    return counted > 0 ? mass / counted / (double)m->def.rest_density : 0;
}

static bool is_like(const sn_world *world, const sn_fluid_particle *a, const sn_fluid_particle *b) {
    return world->nodes.w[a->node] == world->nodes.w[b->node] && a->volume == b->volume &&
           a->half_reach == b->half_reach && a->viscosity == b->viscosity;
}

/* In how many iterations of a substep a particle takes part, by how far it is from where one looks
   (Koester and Krueger 2016). */
static uint32_t turns_of(const sn_world *world, const sn_fluid_def *def, uint32_t node,
                         uint32_t iterations) {
    if (def->detail_radius == SN_AUTO) return iterations;
    sn_vec4 x = world->nodes.x[node];
    double a = (double)x.x - (double)def->detail_point.x;
    double b = (double)x.y - (double)def->detail_point.y;
    double c = (double)x.z - (double)def->detail_point.z, far = sqrt((a * a + b * b) + c * c);
    if (!(far > (double)def->detail_radius)) return iterations;
    uint32_t turns = (uint32_t)ceil(iterations * ((double)def->detail_radius / far));
    return turns > 1 ? turns : 1;
}

/* Adds the particles of a fluid; one of walls alone reaches nobody. */
static void add_particles(const sn_step *step, sn_fluid_places *s, size_t fluid) {
    const sn_world *world = step->world;
    const double h = step->h;
    sn_fluid_members *m = &sn_fluids_of(world)->members[fluid];
    double mean = mean_volume(world, m), reach = (double)m->def.reach;
    m->first = s->count;
    m->measured = 0;
    if (!(mean > 0)) return;
    const uint32_t iterations = (uint32_t)step->iterations;
    double spacing = sn_cube_root(mean), viscosity = (double)m->def.viscosity;
    /* More would overshoot where what a pair takes back is found from velocities before. */
    s->is_thick |= viscosity > 0.1 * spacing * spacing / h;
    s->is_confined |= m->def.vorticity > 0;
    s->is_cohesive |= m->def.cohesion > 0;
    s->is_tight |= m->def.surface_tension > 0;
    s->is_kept |= m->def.vorticity_kept > 0;
    s->is_weighed |= m->def.wall_forces;
    s->is_equal |= m->def.equality;
    s->is_smooth |= m->def.xsph > 0;
    const bool chosen = m->def.reach == SN_AUTO;
    if (chosen) reach = 2 * spacing;
    /* Lists that are for one substep have only iterations to last. */
    const double ahead = step->substeps > 1 ? 0.1 : 0.03;
    s->is_tense |= m->def.artificial_pressure > 0;
    for (size_t k = 0; k < m->count; k++) {
        uint32_t node = m->node[k].slot - 1;
        double w = bare_inverse_mass(world, node);
        s->clear[s->count] = (sn_vec4){0};
        double volume = w > 0 ? 1 / (w * (double)m->def.rest_density) : mean, own = reach;
        /* Rounding makes no difference. */
        if (chosen && fabs(volume - mean) > 1e-3 * mean) own = 2 * sn_cube_root(volume);
        s->is_thick |= own < reach && viscosity > 0.025 * own * own / h;
        if (own > s->reach) s->reach = own;
        if (!(s->margin > 0) || ahead * own < s->margin) s->margin = ahead * own;
        sn_fluid_particle *p = &s->particle[s->count++];
        *p = (sn_fluid_particle){.node = node,
                                 .fluid = (uint32_t)fluid,
                                 .volume = (sn_real)volume,
                                 .spacing = (sn_real)sn_cube_root(volume),
                                 .half_reach = (sn_real)(0.5 * own),
                                 .alpha = (sn_real)((double)m->def.compliance / (h * h)),
                                 .viscosity = (sn_real)(viscosity * (double)m->def.rest_density),
                                 .turns = turns_of(world, &m->def, node, iterations)};
        s->is_detailed |= p->turns < iterations;
        s->is_alike &= is_like(world, p, &s->particle[0]);
    }
    m->measured = m->count;
}

/* All fluids sleep together, so that the first node that can move speaks for all. */
static bool sleeps(const sn_world *world) {
    const sn_fluids *fluids = sn_fluids_of(world);
    if (world->sleep.count == 0) return false;
    for (size_t i = 0; i < fluids->slots.count; i++)
        for (size_t k = 0; k < fluids->members[i].count; k++) {
            uint32_t node = fluids->members[i].node[k].slot - 1;
            if (world->nodes.w[node] > 0)
                return sn_sleep_has(&world->sleep, world->nodes.body[node]);
        }
    return false;
}

bool sn_fluid_places_plan(sn_step *step) {
    sn_world *world = step->world;
    sn_fluids *fluids = sn_fluids_of(world);
    sn_fluid_places *s = &fluids->places;
    size_t count = 0;
    bool first = s->rows == 0;
    s->is_found = false;
    s->is_asleep = sleeps(world);
    if (s->is_asleep) return true;
    for (size_t i = 0; i < fluids->slots.count; i++) count += fluids->members[i].count;
    if (!reserve(s, &world->memory, count)) return false;
    s->count = 0;
    s->reach = s->margin = 0;
    s->is_tense = s->is_thick = s->is_confined = s->is_cohesive = false;
    s->is_tight = s->is_kept = s->is_detailed = s->is_weighed = false;
    s->is_equal = s->is_smooth = false;
    fluids->pushed = 0;
    s->is_alike = true;
    for (size_t i = 0; i < fluids->slots.count; i++)
        if (fluids->slots.alive[i]) add_particles(step, s, i);
    s->cell = s->reach + s->margin;
    s->blocks = (s->count + SN_BLOCK - 1) / SN_BLOCK;
    if (s->count == 0) return true;
    s->origin = world->nodes.x[s->particle[0].node];
    if (!sn_fluid_images_reserve(world, step->dt) || !reserve(s, &world->memory, s->count) ||
        !reserve_rates(s, &world->memory) || !sn_fluid_carriers_reserve(world) ||
        !sn_fluid_wall_forces_reserve(world))
        return false;
    /* Later steps know how many neighbours there are; the first has to look, since within a step it
       is too late to say that there is no memory. */
    if (!first || sn_fluid_neighbours_reserve(world)) return true;
    s->rows = 0;
    return false;
}

/* A place of nobody: far from all, without volume. */
static void leave_empty(sn_fluid_places *s, size_t at) {
    s->y[at] = s->change[at] = (sn_vec4){SN_R(1e18), SN_R(1e18), SN_R(1e18), 0};
    s->trait[at] = (sn_vec4){1, 0, 0, 0};
    s->v[at] = s->wall[at] = (sn_vec4){0};
    s->lambda[at] = s->push[at] = 0;
}

void sn_fluid_places_settle(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_real *w = sn_world_masses(world).w;
    sn_fluids *fluids = sn_fluids_of(world);
    sn_fluid_places *s = &fluids->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK; at++) {
        if (at >= s->count) {
            leave_empty(s, at);
            continue;
        }
        const sn_fluid_particle *p = &s->particle[s->order[at]];
        s->node[at] = p->node;
        s->y[at].w = p->volume;
        s->trait[at] = (sn_vec4){p->half_reach, w[p->node], p->alpha,
                                 fluids->members[p->fluid].def.artificial_pressure};
    }
}

void sn_fluid_places_refresh(sn_world *world) {
    enum { BLOCKS_ALONE = 16 };
    const sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_team_run(world->bindings.team, s->blocks, BLOCKS_ALONE, sn_fluid_places_gather, world);
    sn_fluid_images_place(world, s->y);
}

void sn_fluid_places_gather(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_nodes *n = &world->nodes;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    size_t last = end * SN_BLOCK < s->count ? end * SN_BLOCK : s->count;
    sn_vec4 o = s->origin;
    for (size_t at = begin * SN_BLOCK; at < last; at++) {
        sn_vec4 x = n->x[s->node[at]], d = n->d[s->node[at]], *y = &s->y[at];
        y->x = (x.x - o.x) + d.x;
        y->y = (x.y - o.y) + d.y;
        y->z = (x.z - o.z) + d.z;
        /* Who is at the place of another would never leave it. */
        if (s->aside[at]) y->x += SN_R(1e-3) * s->trait[at].x;
    }
}
