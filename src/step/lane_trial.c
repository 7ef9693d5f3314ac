/*
 * Which lanes are fastest, by trying them.
 *
 * Twice as many lanes are not twice as fast: most of a loop is fetching nodes from where they are.
 * On one x86-64 a beam of tetrahedra took 1.4 times as long with 16 lanes as with 4, and another
 * material of the same beam three quarters. It depends on the type, the machine and how much of it
 * lies in which cache, so the first sweeps over a store are made with each of the widths in turn,
 * and the one with the shortest sweep stays. The bits are the same with all of them.
 */
#include "step/step.h"

#include "base/clock.h"

enum { ROUNDS = 4, LEAST = 1024 /* constraints, or it does not matter */ };

/* From four lanes on: one has never been faster. */
static unsigned widths(const sn_world *world) {
    sn_width most = world->bindings.width;
    return world->bindings.fewer_lanes && most > SN_WIDTH_4 ? (unsigned)(most - SN_WIDTH_4) + 1 : 1;
}

bool sn_lane_trial_is_on(const sn_world *world, const sn_store *store) {
    unsigned count = widths(world);
    return count > 1 && store->trial.sweeps < count * ROUNDS && store->count >= LEAST &&
           world->sleep.count == 0;
}

sn_width sn_lanes_of(const sn_world *world, const sn_store *store) {
    bool tried = widths(world) > 1 && store->trial.width > SN_WIDTH_1;
    return tried ? store->trial.width : world->bindings.width;
}

void sn_lane_trial_begin(sn_world *world, sn_store *store) {
    if (!sn_lane_trial_is_on(world, store)) return;
    sn_lane_trial *trial = &store->trial;
    trial->width = (sn_width)(SN_WIDTH_4 + trial->sweeps % widths(world));
    trial->began = sn_clock();
}

void sn_lane_trial_end(sn_world *world, sn_store *store) {
    if (!sn_lane_trial_is_on(world, store)) return;
    sn_lane_trial *trial = &store->trial;
    double spent = sn_clock() - trial->began;
    /* The first round, before which nothing is in caches, is not counted. */
    if (trial->sweeps >= widths(world) &&
        (trial->best[trial->width] == 0 || spent < trial->best[trial->width]))
        trial->best[trial->width] = spent;
    if (++trial->sweeps < widths(world) * ROUNDS) return;
    for (int w = SN_WIDTH_4; w <= (int)world->bindings.width; w++)
        if (trial->best[w] < trial->best[trial->width]) trial->width = (sn_width)w;
}
