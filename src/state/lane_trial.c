#include "state/lane_trial.h"

#include "base/clock.h"
#include "state/world.h"

/* How trials of loops and of steps differ. */
typedef struct rules {
    sn_width wide, narrow; /* which of them are tried, where the machine has the first */
    uint8_t wins;          /* that are enough */
    double turn;   /* s: what is shorter is done several times before it is another's turn */
    double enough; /* s: what took so long needs no more rounds */
} rules;

/* A clock goes up and down within a millisecond. */
static const rules of_steps = {SN_WIDTH_16, SN_WIDTH_8, 2, 2.5e-3, 2};
static const rules of_loops = {SN_WIDTH_8, SN_WIDTH_4, 5, 0, 20e-3};

enum { LEAST = 64 /* items, or it does not matter */, MORE = 4, ASKED = 4 };

static bool is_step(const sn_world *world, const sn_lane_trial *trial) {
    return trial == &world->bindings.lanes[SN_TRIED_STEP];
}

static const rules *rules_of(const sn_world *world, const sn_lane_trial *trial) {
    return is_step(world, trial) ? &of_steps : &of_loops;
}

/* From four lanes on: one has never been faster. */
static bool has_choice(const sn_world *world, const sn_lane_trial *trial) {
    const sn_width most = is_step(world, trial) ? world->bindings.width : sn_lanes_most(world);
    return world->bindings.fewer_lanes && most == rules_of(world, trial)->wide;
}

/* Without a trial: of steps 8 lanes, which have to pay before there are more. */
static sn_width most_of(const sn_world *world, const sn_lane_trial *trial) {
    if (!is_step(world, trial)) return sn_lanes_most(world);
    return has_choice(world, trial) ? rules_of(world, trial)->narrow : world->bindings.width;
}

/* Many more items may not lie where they did. */
static bool is_new(const sn_lane_trial *trial, size_t items) {
    return trial->items == 0 || items / MORE >= trial->items;
}

/* Whether there is something to be found out. */
static bool is_open(const sn_world *world, const sn_lane_trial *trial, size_t items) {
    return (!trial->known || is_new(trial, items)) && items >= LEAST && world->sleep.count == 0;
}

bool sn_lane_trial_is_on(const sn_world *world, const sn_lane_trial *trial, size_t items) {
    return has_choice(world, trial) && is_open(world, trial, items);
}

sn_width sn_lanes_of(const sn_world *world, const sn_lane_trial *trial) {
    return has_choice(world, trial) && trial->items > 0 ? trial->width : most_of(world, trial);
}

sn_width sn_lanes_most(const sn_world *world) {
    if (world->bindings.wide.avoided) return SN_WIDTH_4;
    return sn_lanes_of(world, &world->bindings.lanes[SN_TRIED_STEP]);
}

/* Every other round the other way round: what gets slower or faster by itself does so for both. */
static sn_width next_of(const sn_lane_trial *trial, const rules *r) {
    const sn_width first = trial->rounds % 2 == 0 ? r->wide : r->narrow,
                   second = trial->rounds % 2 == 0 ? r->narrow : r->wide;
    return trial->each[first] > 0 ? second : first;
}

sn_width sn_lane_trial_begin(sn_world *world, sn_lane_trial *trial, size_t items) {
    trial->timed = trial->asks = false;
    trial->run_items = items;
    if (!is_step(world, trial) && is_open(world, trial, items) && world->bindings.wide.avoided) {
        trial->asks = true;
        if (trial->asked < ASKED) trial->start = sn_clock_of_thread();
    }
    if (!sn_lane_trial_is_on(world, trial, items)) return sn_lanes_of(world, trial);
    /* The first run, before which nothing is in caches, is not counted. */
    if (is_new(trial, items)) {
        const sn_width width = sn_lanes_of(world, trial);
        *trial = (sn_lane_trial){.width = width, .best = width, .items = items, .run_items = items};
        return width;
    }
    trial->timed = true;
    trial->width = next_of(trial, rules_of(world, trial));
    trial->start = sn_clock_of_thread();
    return trial->width;
}

static void end_round(sn_lane_trial *trial, const rules *r) {
    const sn_width faster = trial->each[r->narrow] < trial->each[r->wide] ? r->narrow : r->wide;
    trial->wins[faster]++;
    trial->rounds++;
    trial->gain += trial->each[r->narrow] - trial->each[r->wide];
    trial->each[r->wide] = trial->each[r->narrow] = 0;
    trial->best = trial->wins[r->narrow] > trial->wins[r->wide] ? r->narrow : r->wide;
    trial->known = trial->wins[faster] == r->wins || trial->spent > r->enough;
}

static void end_turn(sn_lane_trial *trial, const rules *r) {
    trial->each[trial->width] = trial->turn / (double)trial->turn_items;
    trial->spent += trial->turn;
    trial->turn = 0;
    trial->turn_items = 0;
    if (trial->each[r->wide] > 0 && trial->each[r->narrow] > 0) end_round(trial, r);
}

/* How long a loop takes that could be tried. The first run is the slowest; then it is known. */
static void note_untried(sn_wide_registers *wide, sn_lane_trial *trial) {
    if (trial->asked < ASKED) {
        const double each = (sn_clock_of_thread() - trial->start) / (double)trial->run_items;
        if (trial->asked == 0 || each < trial->narrow) trial->narrow = each;
        trial->asked++;
    }
    wide->untried += trial->narrow * (double)trial->run_items;
}

/* What 8 lanes save in a run, or would. */
static void note_saved(sn_wide_registers *wide, const sn_lane_trial *trial) {
    if (trial->best == SN_WIDTH_8 && trial->gain > 0)
        wide->saved += trial->gain / trial->rounds * (double)trial->run_items;
}

void sn_lane_trial_end(sn_world *world, sn_lane_trial *trial) {
    const rules *r = rules_of(world, trial);
    const bool step = is_step(world, trial);
    sn_wide_registers *wide = &world->bindings.wide;
    if (trial->timed) {
        const double took = sn_clock_of_thread() - trial->start;
        trial->turn += took;
        trial->turn_items += trial->run_items;
        if (trial->turn >= r->turn) end_turn(trial, r);
        /* A step in which loops were tried is not counted. */
        if (!step) {
            world->bindings.lanes[SN_TRIED_STEP].timed = false;
            wide->untried += took;
        }
    }
    if (trial->asks) note_untried(wide, trial);
    if (!step && !trial->asks) note_saved(wide, trial);
    trial->timed = trial->asks = false;
    if (trial->items > 0) trial->width = trial->best;
}
