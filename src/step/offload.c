/*
 * Work for a backend (state/backend.h), where the host program has lent one to the world.
 *
 * The order is that of the threads, colour by colour; only where a colour is projected differs. The
 * threads keep what a device does not see between substeps (forces that break a constraint, touched
 * nodes, velocities of constraints), what has no colour, and whole steps with another solver or
 * integrator, with trees or in which bodies sleep.
 *
 * Before every other entry of a stage comes back what it reads or writes. Where no entry of a
 * substep wants nodes, the backend integrates as well, and they come back when the step is over.
 */
#include "step/offload.h"
#include "step/integrators/integrator.h"
#include "step/solvers/solver.h"

enum {
    MOTION = SN_STATE_POSITIONS | SN_STATE_VELOCITIES,
    FETCHED = MOTION | SN_STATE_FRAMES,
    MOST_SEGMENTS = 64 /* each run of nodes with one body is a piece of work of its own */
};

static uint32_t wanted(const sn_stage_entry *entry) {
    return entry->offloaded ? 0 : (entry->reads | entry->writes) & FETCHED;
}

static bool is_resident(const sn_step *step, const sn_schedule *schedule) {
    uint32_t all = 0;
    size_t end = schedule->begin[SN_STAGE_VELOCITIES + 1];
    for (size_t i = schedule->begin[SN_STAGE_MOVE]; i < end; i++) all |= wanted(schedule->entry[i]);
    return !(all & MOTION) && !step->pushed && step->world->scratch.segments <= MOST_SEGMENTS;
}

void sn_offload_begin(sn_step *step, const sn_schedule *schedule) {
    sn_offload_renew(step);
    step->resident = step->backend && is_resident(step, schedule);
}

void sn_offload_renew(sn_step *step) {
    sn_backend *backend = step->world->bindings.backend;
    bool able = backend && !step->audit && step->world->sleep.count == 0 &&
                step->world->scratch.trees.trees == 0 && step->solver->offloads &&
                step->integrator->offloads && backend->begin(backend, step->world);
    step->backend = able ? backend : NULL;
    step->resident &= able;
}

static bool can_go(const sn_store *store, uint8_t colour) {
    const size_t *trait = store->trait;
    return colour != SN_SEQUENTIAL && store->type->info.list == SN_LIST_NONE &&
           trait[SN_TRAIT_BREAKABLE] + trait[SN_TRAIT_VELOCITIES] + trait[SN_TRAIT_SPARING] +
                   trait[SN_TRAIT_REMEMBERING] ==
               0;
}

bool sn_offload_colour(sn_step *step, const sn_store *store, uint8_t colour, bool first) {
    if (!step->backend) return false;
    sn_offload work = {store, colour, sn_step_softness(step->world, store), first};
    if (can_go(store, colour) && step->backend->project(step->backend, &work)) return true;
    sn_offload_fetch(step, FETCHED);
    return false;
}

void sn_offload_fetch(sn_step *step, uint32_t state) {
    if (step->backend && state) step->backend->fetch(step->backend, state);
}

void sn_offload_fetch_for(sn_step *step, const sn_stage_entry *entry) {
    sn_offload_fetch(step, wanted(entry));
}

void sn_offload_end(sn_step *step) {
    if (step->backend) step->backend->end(step->backend);
}
