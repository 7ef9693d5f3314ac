#include "state/wide_registers.h"

#include "base/clock.h"
#include "state/world.h"

/* s: more than what a core takes to change its clock, and to change it back. */
#define SETTLED 2e-3
/* The most that 8 lanes save of what a loop took with 4. */
#define HALF 0.5
/* How much the balance of a step counts in the next. */
#define KEPT 0.5
/* s: of steps, beside which two microseconds for chains do not matter. */
#define SOME 0.2e-3
/* s, and steps: when the clock is asked again. */
#define OLD 0.3

enum { OLD_STEPS = 64, CHAIN = 500, CHAINS = 3 };

/* Many threads sweep without a stage that could be timed, so that nobody knows what they save. */
static bool are_weighed(const sn_world *world) {
    return world->bindings.fewer_lanes && world->bindings.width >= SN_WIDTH_8 &&
           sn_team_threads(world->bindings.team) == 1;
}

void sn_wide_registers_begin(sn_world *world) {
    sn_wide_registers *r = &world->bindings.wide;
    if (!are_weighed(world)) {
        *r = (sn_wide_registers){.pay = true};
        return;
    }
    if (r->age > OLD && r->steps >= OLD_STEPS)
        *r = (sn_wide_registers){.avoided = r->avoided, .quiet = r->quiet};
    r->avoided = r->avoided || r->chain[0] == 0;
    r->saved = r->untried = 0;
    r->start = sn_clock_of_thread();
}

/* s: the least of a few, as something else may come in between. */
static double time_chain(void) {
    volatile uint64_t seed = 1;
    double least = 1;
    for (int n = 0; n < CHAINS; n++) {
        const double start = sn_clock();
        uint64_t x = seed;
        for (int i = 0; i < CHAIN; i++) x = x * 6364136223846793005u + 1;
        seed = x;
        const double took = sn_clock() - start;
        if (took < least) least = took;
    }
    return least;
}

/* How fast the clock is after a step like this one. */
static void ask_clock(sn_wide_registers *r, double took) {
    r->quiet = r->avoided ? r->quiet + took : 0;
    r->unasked += took;
    if (r->unasked >= SOME && (!r->avoided || r->quiet >= SETTLED)) {
        r->chain[!r->avoided] = time_chain();
        r->unasked = 0;
    }
    r->age += took;
    r->steps++;
}

/* s: what a lower clock took of a step, or would have. */
static double lost(const sn_wide_registers *r, double took) {
    if (r->chain[0] == 0 || r->chain[1] <= r->chain[0]) return 0;
    return r->avoided ? took * (r->chain[1] / r->chain[0] - 1)
                      : took * (1 - r->chain[0] / r->chain[1]);
}

void sn_wide_registers_weigh(sn_wide_registers *r, double took) {
    const double hope = HALF * (r->untried < took ? r->untried : took);
    r->balance = KEPT * r->balance + r->saved + hope - lost(r, took);
    const bool avoided = r->chain[0] == 0 || r->balance <= 0;
    r->pay = !avoided && !r->avoided && r->untried == 0;
    if (avoided != r->avoided) r->balance = r->unasked = 0;
    r->avoided = avoided;
}

void sn_wide_registers_end(sn_world *world) {
    sn_wide_registers *r = &world->bindings.wide;
    if (!are_weighed(world) || sn_lanes_most(world) > SN_WIDTH_8) return;
    const double took = sn_clock_of_thread() - r->start;
    ask_clock(r, took);
    sn_wide_registers_weigh(r, took);
}
