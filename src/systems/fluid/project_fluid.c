/* Fluids in a sweep: the loops of fluid_loops.c over all places. */
#include "math/lanes.h"
#include "systems/fluid/fluid_loops.h"

/* Densities and pressures as the last substep met them, and who was in reach: those whose W has a
   slope. */
static void measure_blocks(void *context, size_t begin, size_t end) {
    const sn_fluid_pass *p = context;
    sn_fluid_places *s = p->places;
    for (size_t block = begin; block < end; block++) {
        sn_real within[SN_BLOCK] = {0};
        const sn_real *factor = s->factor + block * s->rows * SN_BLOCK;
        for (size_t k = 0; k < SN_BLOCK; k++)
            for (uint32_t row = 0; row < s->row_count[(block * SN_BLOCK + k) / 4]; row++)
                within[k] += factor[row * SN_BLOCK + k] < 0 ? SN_R(1.0) : 0;
        for (size_t k = 0; k < SN_BLOCK && block * SN_BLOCK + k < s->count; k++) {
            size_t at = block * SN_BLOCK + k;
            double volume = (double)s->particle[s->order[at]].volume;
            double pressure = -(double)s->lambda[at] / (p->h * p->h * volume);
            s->output[s->order[at]] = (sn_vec4){s->density[at], (sn_real)pressure, within[k], 0};
        }
    }
}

/* Sums over the pieces of a fluid. */
typedef struct measured {
    const sn_fluid_places *s;
    const sn_fluid_members *m;
} measured;

static void measure_pieces(void *context, size_t begin, size_t end) {
    const measured *c = context;
    for (size_t piece = begin; piece < end; piece++) {
        sn_fluid_measures sum = {0};
        size_t k = piece * SN_FLUID_PIECE, last = k + SN_FLUID_PIECE;
        for (; k < last && k < c->m->measured; k++) {
            const sn_vec4 *output = &c->s->output[c->m->first + k];
            const double one = (double)output->x, pressure = (double)output->y;
            sum.density += one;
            if (one > 1) sum.density_error += one - 1;
            if (one > sum.density_max) sum.density_max = one;
            if (pressure > sum.pressure_max) sum.pressure_max = pressure;
            sum.neighbours += (double)output->z;
        }
        c->s->piece[piece].sum = sum;
    }
}

/* What a step tells of a fluid. */
static void measure(sn_fluid_pass *p) {
    sn_fluid_places *s = p->places;
    sn_fluids *fluids = sn_fluids_of(p->world);
    sn_fluid_run(p->world, measure_blocks, p);
    for (size_t i = 0; i < fluids->slots.count; i++) {
        sn_fluid_members *m = &fluids->members[i];
        sn_fluid_measures all = {0};
        measured c = {s, m};
        const size_t pieces = sn_fluid_pieces(m->measured);
        sn_team_run(p->world->bindings.team, pieces, 2, measure_pieces, &c);
        for (size_t k = 0; k < pieces; k++) {
            const sn_fluid_measures *sum = &s->piece[k].sum;
            all.density += sum->density;
            all.density_error += sum->density_error;
            all.neighbours += sum->neighbours;
            if (sum->density_max > all.density_max) all.density_max = sum->density_max;
            if (sum->pressure_max > all.pressure_max) all.pressure_max = sum->pressure_max;
        }
        const double count = m->measured > 0 ? (double)m->measured : 1;
        all.density /= count;
        all.density_error /= count;
        all.neighbours /= count;
        m->measures = all;
    }
}

static void gather_grains(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_fluids *fluids = sn_fluids_of(world);
    const sn_fluid_places *s = &fluids->places;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK; at++) {
        s->search[at] = (sn_vec4){0};
        if (at >= s->count) continue;
        const sn_fluid_particle *p = &s->particle[s->order[at]];
        const sn_real full = SN_R(6.28318530717958648) * fluids->members[p->fluid].def.cohesion;
        s->search[at] = (sn_vec4){world->nodes.radius[p->node], full, 0, 0};
    }
}

/* Bridges pull before anybody is pushed, as gravity does: what they hold never begins to part. */
static void cohere(sn_fluid_pass *p) {
    const sn_fluid_places *s = p->places;
    sn_fluid_run(p->world, gather_grains, p->world);
    s->search[s->blocks * SN_BLOCK] = (sn_vec4){0};
    sn_fluid_images_copy(p->world, s->search);
    sn_fluid_run(p->world, sn_fluid_loops_of(p->world)->cohesion, p);
    sn_fluid_places_refresh(p->world);
}

void sn_fluids_project(sn_step *step) {
    sn_world *world = step->world;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_fluid_pass p = {.world = world,
                       .places = s,
                       .h = step->h,
                       .iteration = (uint32_t)step->iteration,
                       .may_rest = s->is_detailed && step->iteration + 1 < step->iterations};
    sn_lane_trial *trial = &world->bindings.lanes[SN_TRIED_FLUID];
    if (sn_fluid_rests(s)) return;
    /* Other constraints have moved them since. */
    if (step->iteration > 0) sn_fluid_places_refresh(world);
    if (step->iteration == 0 && s->is_cohesive) cohere(&p);
    if (step->iteration == 0 && s->is_tight) sn_fluid_apply_tension(&p);
    const sn_fluid_loops *loops = sn_fluid_loops_at(sn_lane_trial_begin(world, trial, s->count));
    sn_fluid_run(world, loops->multipliers[sn_fluid_is_alike(world)], &p);
    sn_lane_trial_end(world, trial);
    sn_fluid_images_place(world, s->change);
    sn_fluid_images_push(world);
    if (step->iteration == 0 && s->is_kept) sn_fluid_note_vorticity(&p);
    sn_fluid_run(world, loops->moves[s->is_tense], &p);
    sn_fluid_carriers_push(step);
    if (step->iteration + 1 == step->iterations) sn_fluid_wall_forces_add(world, step->h);
    if (step->substep + 1 == step->substeps && step->iteration + 1 == step->iterations) measure(&p);
}
