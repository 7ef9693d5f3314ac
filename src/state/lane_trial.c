#include "state/lane_trial.h"

#include "base/clock.h"
#include "state/world.h"

enum {
    ROUNDS = 3,
    LEAST = 1024 /* items, or it does not matter */
};

/* s: runs with a width that took as long are enough; and from so long on, one is enough to see that
   others are faster. */
static const double ENOUGH = 10e-3, LONG = 1e-3;
/* A width is far slower where it takes so many times as long. */
static const double FAR = 1.25;

/* From four lanes on: one has never been faster. */
static bool has_choice(const sn_world *world) {
    return world->bindings.fewer_lanes && world->bindings.width > SN_WIDTH_4;
}

/* Twice as many items may not lie where they did. */
static bool is_new(const sn_lane_trial *trial, size_t items) {
    return trial->most_items == 0 || items / 2 > trial->most_items;
}

bool sn_lane_trial_is_on(const sn_world *world, const sn_lane_trial *trial, size_t items) {
    return has_choice(world) && (!trial->done || is_new(trial, items)) && items >= LEAST &&
           world->sleep.count == 0;
}

sn_width sn_lanes_of(const sn_world *world, const sn_lane_trial *trial) {
    return has_choice(world) && trial->most_items > 0 ? trial->width : world->bindings.width;
}

static sn_width fastest(const sn_world *world, const sn_lane_trial *trial) {
    sn_width best = world->bindings.width;
    for (int w = SN_WIDTH_4; w < (int)world->bindings.width; w++)
        if (trial->runs[w] > 0 && trial->least[w] < trial->least[best]) best = (sn_width)w;
    return best;
}

static bool is_known(const sn_lane_trial *trial, int width, sn_width best) {
    const bool far = trial->least[width] > FAR * trial->least[best];
    return trial->runs[width] == ROUNDS || trial->spent[width] > (far ? LONG : ENOUGH);
}

/* What was tried least, the widest first; SN_WIDTHS where all are known. */
static sn_width next_of(const sn_world *world, const sn_lane_trial *trial) {
    const sn_width best = fastest(world, trial);
    sn_width next = SN_WIDTHS;
    for (int w = (int)world->bindings.width; w >= SN_WIDTH_4; w--)
        if (!is_known(trial, w, best) && (next == SN_WIDTHS || trial->runs[w] < trial->runs[next]))
            next = (sn_width)w;
    return next;
}

sn_width sn_lane_trial_begin(const sn_world *world, sn_lane_trial *trial, size_t items) {
    trial->timed = false;
    if (!sn_lane_trial_is_on(world, trial, items)) return sn_lanes_of(world, trial);
    /* The first run, before which nothing is in caches, is not counted. */
    if (is_new(trial, items)) {
        *trial = (sn_lane_trial){.width = sn_lanes_of(world, trial), .most_items = items};
        return trial->width;
    }
    trial->timed = true;
    trial->items = items;
    trial->width = next_of(world, trial);
    trial->start = sn_clock_of_thread();
    return trial->width;
}

void sn_lane_trial_end(const sn_world *world, sn_lane_trial *trial) {
    if (!trial->timed) return;
    const sn_width width = trial->width;
    const double spent = sn_clock_of_thread() - trial->start, each = spent / (double)trial->items;
    if (trial->runs[width] == 0 || each < trial->least[width]) trial->least[width] = each;
    trial->runs[width]++;
    trial->spent[width] += spent;
    trial->timed = false;
    trial->width = fastest(world, trial);
    trial->done = next_of(world, trial) == SN_WIDTHS;
}
