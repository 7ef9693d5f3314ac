/*
 * The plan of a step: all the memory it may need, so that what follows cannot fail; and
 * coefficients of the constraints for its h.
 */
#include "step/step.h"

#include "base/error.h"

#include <assert.h>

sn_softness sn_step_softness(const sn_world *world, const sn_store *store) {
    const size_t *trait = store->trait;
    if (world->settings.model == SN_MODEL_PBD)
        return trait[SN_TRAIT_RELAXED] + trait[SN_TRAIT_SIDED] > 0 ? SN_COMPLIANT : SN_HARD;
    if (trait[SN_TRAIT_DAMPED] > 0) return SN_DAMPED;
    return trait[SN_TRAIT_COMPLIANT] + trait[SN_TRAIT_SIDED] > 0 ? SN_COMPLIANT : SN_HARD;
}

bool sn_step_keeps(const sn_world *world, const sn_store *store) {
    bool iterated = world->settings.iterations > 1 && sn_step_softness(world, store) != SN_HARD;
    return world->settings.keep_forces || iterated || store->trait[SN_TRAIT_BREAKABLE] > 0;
}

/* ---- Coefficients ---- */

typedef struct derivation {
    const sn_world *world;
    sn_store *store;
    uint8_t colour;
    sn_scale scale;
} derivation;

static void derive_range(void *context, size_t begin, size_t end) {
    derivation *d = context;
    const sn_world *world = d->world;
    sn_masses masses = {world->nodes.w, world->frames.w};
    if (d->colour >= d->scale.solved_in_turn)
        masses = (sn_masses){world->jacobi.w, world->jacobi.turn_w};
    sn_store_derive_blocks(d->store, d->colour, begin, end, masses, &d->scale);
}

/* Whether coefficients of a store change with the scale. */
static bool depends_on_scale(const sn_store *store, sn_scale from, sn_scale to) {
    bool soft = store->trait[SN_TRAIT_COMPLIANT] > 0, relaxed = store->trait[SN_TRAIT_RELAXED] > 0;
    if (from.model != to.model) return soft || relaxed;
    if (to.model == SN_MODEL_PBD) return relaxed && from.iterations != to.iterations;
    return soft && from.h != to.h;
}

void sn_step_derive(sn_step *step) {
    sn_world *world = step->world;
    sn_scale scale = {step->h, world->settings.model, world->settings.iterations,
                      sn_step_solved_in_turn(&world->settings)};
    bool shared = scale.solved_in_turn < SN_COLOURS;
    bool all = world->masses_changed || scale.solved_in_turn != world->scale.solved_in_turn ||
               (shared && (world->constraints_changed || world->settings_changed));
    if (shared && all) sn_jacobi_count(step, scale.solved_in_turn);
    for (size_t s = 0; s < world->store_count; s++) {
        sn_store *store = &world->store[s];
        if (!all && !depends_on_scale(store, world->scale, scale)) continue;
        for (uint8_t colour = 0; colour < SN_COLOURS; colour++) {
            derivation d = {world, store, colour, scale};
            sn_team_run(world->team, sn_colour_blocks(&store->colour[colour]), 64, derive_range,
                        &d);
        }
    }
    world->scale = scale;
    world->masses_changed = world->constraints_changed = world->settings_changed = false;
}

/* ---- Everything ---- */

#ifndef NDEBUG
/* Colours are checked where they can have changed; the scratch is not counted as a step's. */
static void validate_colours(sn_world *world) {
    sn_memory scratch = {sn_allocator_default(), 0};
    for (size_t s = 0; s < world->store_count; s++) {
        if (!world->store[s].changed) continue;
        assert(sn_store_is_valid(&world->store[s], world->nodes.slots.count, &scratch));
        world->store[s].changed = false;
    }
}
#endif

sn_result sn_step_plan(sn_step *step) {
    sn_world *world = step->world;
    sn_memory *memory = &world->memory;
    size_t breakable = 0, colours = 0, sequential = 0;
    for (size_t s = 0; s < world->store_count; s++) {
        breakable += world->store[s].trait[SN_TRAIT_BREAKABLE];
        colours += world->store[s].colours;
        sequential += world->store[s].colour[SN_SEQUENTIAL].count;
    }
    step->pushed = world->field_count > 0 || world->nodes.has_forces;
    bool room = sn_world_update_segments(world) &&
                sn_reserve(memory, (void **)&world->broken, &world->break_capacity, breakable,
                           sizeof *world->broken);
    if (room && step->pushed)
        room = sn_reserve(memory, (void **)&world->acceleration, &world->acceleration_capacity,
                          world->nodes.slots.count, sizeof *world->acceleration);
    if (room && sn_step_solved_in_turn(&world->settings) < SN_COLOURS)
        room = sn_world_reserve_jacobi(world);
    if (!room) return SN_ERROR_MEMORY;
#ifndef NDEBUG
    validate_colours(world);
#endif
    world->breaks = 0;
    for (size_t s = 0; s < world->store_count; s++)
        world->store[s].kept = sn_step_keeps(world, &world->store[s]);
    size_t constraints = world->constraints.slots.live;
    world->stats = (sn_stats){
        .nodes = world->nodes.slots.live,
        .constraints = constraints,
        .colours = colours,
        .sequential = sequential,
        .substeps = step->substeps,
        .projections = constraints * step->substeps * (size_t)world->settings.iterations,
    };
    return SN_OK;
}
