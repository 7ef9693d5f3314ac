/* The particles of all fluids side by side: memory, and where they are. */
#include "base/team.h"
#include "math/lanes.h"
#include "systems/fluid/fluids.h"

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
    sn_free(memory, s->piece, s->piece_capacity, sizeof *s->piece);
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
    /* Looking through them, as many lie behind the last as there are lanes. */
    if (!sn_reserve(memory, (void **)&s->alongs, &s->alongs_capacity, 3 * places + SN_BLOCK,
                    sizeof *s->alongs))
        return false;
    for (size_t k = 0; k < 3; k++) s->along[k] = s->alongs + k * places;
    return sn_reserve(memory, (void **)&s->clear, &s->clear_capacity, count + 1,
                      sizeof *s->clear) &&
           sn_reserve(memory, (void **)&s->piece, &s->piece_capacity, sn_fluid_pieces(count) + 1,
                      sizeof *s->piece) &&
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
        if (fluids->slots.alive[i]) sn_fluid_particles_add(step, i);
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
