/*
 * Trials of lanes: what is fastest stays, whatever that is; wide registers have to pay for the
 * clock that they take; what was asked for is not tried; and contacts, bodies and fluids end with
 * the same bits whatever comes out.
 */
#include <scenes.h>

#include "base/clock.h"
#include "base/machine.h"
#include "check.h"
#include "state/world.h"
#include "systems/fluid/pool.h"

enum { ITEMS = 5000, FEW = 50, STEPS = 12 };

static sn_world *world_with(int lanes) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.threads = 1;
    def.simd_width = lanes;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* With a choice on any machine: between 8 and 4 lanes, or of steps between 16 and fewer. */
static sn_world *make_wide_world(sn_width width) {
    sn_world *world = world_with(16);
    world->bindings.width = width;
    world->bindings.fewer_lanes = true;
    return world;
}

static void spin(double seconds) {
    const double start = sn_clock_of_thread();
    while (sn_clock_of_thread() - start < seconds) {
    }
}

/* Runs that take so long with each width, until it is known which is fastest; returns how many. */
static int run_all(sn_world *world, sn_lane_trial *trial, size_t items,
                   const double seconds[SN_WIDTHS]) {
    int runs = 0;
    for (; sn_lane_trial_is_on(world, trial, items) && runs < 100; runs++) {
        spin(seconds[sn_lane_trial_begin(world, trial, items)]);
        sn_lane_trial_end(world, trial);
    }
    return runs;
}

static const double four_is_best[SN_WIDTHS] = {0, 1e-4, 3e-4, 0},
                    eight_is_best[SN_WIDTHS] = {0, 3e-4, 1e-4, 0};

/* After a first run, until one was faster five times. */
TEST(what_is_fastest_stays) {
    sn_world *world = make_wide_world(SN_WIDTH_8);
    sn_lane_trial trial = {0}, other = {0};
    CHECK(sn_lanes_of(world, &trial) == SN_WIDTH_8);
    CHECK(run_all(world, &trial, ITEMS, four_is_best) == 11);
    CHECK(sn_lanes_of(world, &trial) == SN_WIDTH_4);
    CHECK(sn_lane_trial_begin(world, &trial, ITEMS) == SN_WIDTH_4);
    CHECK(run_all(world, &other, ITEMS, eight_is_best) == 11);
    CHECK(sn_lanes_of(world, &other) == SN_WIDTH_8);
    CHECK(sn_lanes_most(world) == SN_WIDTH_8);
    sn_world_destroy(world);
}

TEST(long_runs_are_tried_less_often) {
    const double seconds[SN_WIDTHS] = {0, 15e-3, 10e-3, 0};
    sn_world *world = make_wide_world(SN_WIDTH_8);
    sn_lane_trial trial = {0};
    CHECK(run_all(world, &trial, ITEMS, seconds) == 3);
    CHECK(sn_lanes_of(world, &trial) == SN_WIDTH_8);
    sn_world_destroy(world);
}

/* In other caches others are fastest, perhaps; and what is small is not worth a trial. */
TEST(trials_begin_anew_where_there_is_more) {
    sn_world *world = make_wide_world(SN_WIDTH_8);
    sn_lane_trial trial = {0};
    CHECK(run_all(world, &trial, FEW, four_is_best) == 0);
    CHECK(sn_lane_trial_begin(world, &trial, FEW) == SN_WIDTH_8);
    CHECK(run_all(world, &trial, ITEMS, four_is_best) == 11);
    CHECK(run_all(world, &trial, 3 * ITEMS, eight_is_best) == 0);
    CHECK(run_all(world, &trial, FEW, eight_is_best) == 0);
    CHECK(sn_lanes_of(world, &trial) == SN_WIDTH_4);
    CHECK(run_all(world, &trial, 5 * ITEMS, eight_is_best) == 11);
    CHECK(sn_lanes_of(world, &trial) == SN_WIDTH_8);
    sn_world_destroy(world);
}

/* Steps have 16 lanes everywhere, or fewer everywhere, and only then are loops tried, in steps that
   are not counted. */
TEST(steps_are_tried_as_a_whole) {
    const double narrow_is_best[SN_WIDTHS] = {0, 0, 3e-3, 6e-3},
                 wide_is_best[SN_WIDTHS] = {0, 0, 6e-3, 3e-3};
    for (int k = 0; k < 2; k++) {
        sn_world *world = make_wide_world(SN_WIDTH_16);
        sn_lane_trial *step = &world->bindings.lanes[SN_TRIED_STEP], loop = {0};
        CHECK(sn_lanes_most(world) == SN_WIDTH_8 && sn_lane_trial_is_on(world, &loop, ITEMS));
        CHECK(sn_lane_trial_begin(world, step, ITEMS) == SN_WIDTH_8);
        sn_lane_trial_end(world, step);
        CHECK(sn_lane_trial_begin(world, step, ITEMS) == SN_WIDTH_16);
        CHECK(sn_lanes_most(world) == SN_WIDTH_16 && sn_lanes_of(world, &loop) == SN_WIDTH_16);
        CHECK(!sn_lane_trial_is_on(world, &loop, ITEMS));
        *step = (sn_lane_trial){0};
        CHECK(run_all(world, step, ITEMS, k == 0 ? narrow_is_best : wide_is_best) == 5);
        CHECK(sn_lanes_most(world) == (k == 0 ? SN_WIDTH_8 : SN_WIDTH_16));
        CHECK(sn_lane_trial_is_on(world, &loop, ITEMS) == (k == 0));
        sn_world_destroy(world);
    }
    sn_world *world = make_wide_world(SN_WIDTH_16);
    sn_lane_trial *step = &world->bindings.lanes[SN_TRIED_STEP], loop = {0};
    int uncounted = 0;
    for (int k = 0; k < 20 && !step->known; k++) {
        const bool narrow = sn_lane_trial_begin(world, step, ITEMS) == SN_WIDTH_8;
        const double spent = step->spent;
        const bool tries = sn_lane_trial_is_on(world, &loop, ITEMS);
        CHECK(narrow || !tries);
        for (int n = 0; n < 3; n++) {
            spin(1e-3 * (int)sn_lane_trial_begin(world, &loop, ITEMS));
            sn_lane_trial_end(world, &loop);
        }
        sn_lane_trial_end(world, step);
        uncounted += tries;
        CHECK(!tries || step->spent == spent);
    }
    CHECK(step->known && loop.known && uncounted == 4);
    CHECK(sn_lanes_most(world) == SN_WIDTH_8 && sn_lanes_of(world, &loop) == SN_WIDTH_4);
    sn_world_destroy(world);
}

/* With a clock that is a fifth slower where there are 8 lanes. */
static sn_wide_registers slower(bool avoided) {
    return (sn_wide_registers){.avoided = avoided, .chain = {1e-6, 1.2e-6}};
}

static bool avoids_after(sn_wide_registers r, double saved, double untried) {
    r.saved = saved;
    r.untried = untried;
    sn_wide_registers_weigh(&r, 1);
    CHECK(!r.pay || (!r.avoided && untried == 0));
    return r.avoided;
}

/* Of a step of 1 s 4 lanes make one of 0.83 s and what 8 have saved, and 8 of one with 4 lanes
   1.2 s less what they save. */
TEST(wide_registers_have_to_pay_for_the_clock) {
    CHECK(avoids_after(slower(false), 0.16, 0));
    CHECK(!avoids_after(slower(false), 0.18, 0));
    CHECK(avoids_after(slower(true), 0.19, 0));
    CHECK(!avoids_after(slower(true), 0.21, 0));
    sn_wide_registers same = slower(true);
    same.chain[1] = same.chain[0];
    CHECK(!avoids_after(same, 1e-3, 0));
    CHECK(avoids_after(same, 0, 0));
    /* Half of what a loop takes is what there is to hope for. */
    CHECK(avoids_after(slower(true), 0, 0.39));
    CHECK(!avoids_after(slower(true), 0, 0.41));
    CHECK(!avoids_after(slower(false), 0.1, 0.2));
    /* Nothing is decided before the clock of 4 lanes is known. */
    CHECK(avoids_after((sn_wide_registers){.avoided = true}, 1, 1));
}

/* Where the clock is not slower, or nobody has asked, nothing is lost. */
TEST(wide_registers_that_cost_nothing_pay) {
    static const double chain[2] = {0, 0.8e-6};
    for (int k = 0; k < 2; k++) {
        sn_wide_registers r = slower(false);
        r.chain[1] = chain[k];
        check_case("%g s", chain[k]);
        CHECK(!avoids_after(r, 1e-3, 0));
        CHECK(avoids_after(r, 0, 0));
    }
    /* Until both clocks are known nothing is kept of them. */
    sn_wide_registers unknown = {.avoided = true, .chain = {0, 1.2e-6}, .saved = 0.25};
    sn_wide_registers_weigh(&unknown, 1);
    CHECK(unknown.avoided && unknown.balance == 0.25);
    /* 16 may be tried where 8 have won a step, and nothing is still to be tried. */
    for (int k = 0; k < 4; k++) {
        sn_wide_registers r = slower(k & 1);
        r.saved = 0.3;
        r.untried = k & 2 ? 0.1 : 0;
        sn_wide_registers_weigh(&r, 1);
        check_case("avoided %d, untried %g", k & 1, r.untried);
        CHECK(r.pay == (k == 0) && !r.avoided);
    }
}

/* Half of what was left of the last step counts; where a world changes over it begins anew. */
TEST(steps_are_weighed_with_those_before) {
    for (int k = 0; k < 2; k++) {
        sn_wide_registers r = slower(false);
        r.saved = 0.3;
        r.unasked = 1;
        sn_wide_registers_weigh(&r, 1);
        CHECK_NEAR(r.balance, 0.3 - 1 / 6.0, 1e-12);
        CHECK(r.unasked == 1);
        r.saved = k ? 0.0995 : 0.1005;
        sn_wide_registers_weigh(&r, 1);
        check_case("%g s", r.saved);
        CHECK(r.avoided == (k == 1));
        CHECK((r.balance == 0) == (k == 1) && (r.unasked == 0) == (k == 1));
    }
}

/* Where they are avoided everything has 4 lanes, and is tried when there is hope. */
TEST(loops_ask_for_wide_registers) {
    sn_world *world = make_wide_world(SN_WIDTH_8);
    sn_wide_registers *wide = &world->bindings.wide;
    sn_lane_trial trial = {0};
    *wide = slower(true);
    CHECK(sn_lanes_most(world) == SN_WIDTH_4 && !sn_lane_trial_is_on(world, &trial, ITEMS));
    for (int n = 0; n < 8; n++) {
        CHECK(sn_lane_trial_begin(world, &trial, ITEMS) == SN_WIDTH_4);
        if (n < 4) spin(1e-4);
        sn_lane_trial_end(world, &trial);
    }
    CHECK(wide->untried >= 8e-4 && wide->saved == 0 && trial.items == 0);
    sn_wide_registers_weigh(wide, 1e-3);
    CHECK(!wide->avoided);
    CHECK(run_all(world, &trial, ITEMS, eight_is_best) == 11);
    wide->saved = 0;
    wide->avoided = true;
    CHECK(sn_lane_trial_begin(world, &trial, ITEMS) == SN_WIDTH_4);
    sn_lane_trial_end(world, &trial);
    CHECK(wide->saved > 1e-4 && wide->saved < 1e-3);
    sn_world_destroy(world);
}

TEST(what_is_asked_for_is_not_tried) {
    const int lanes[] = {1, 4, 8, 16};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        sn_world *world = world_with(lanes[i]);
        sn_lane_trial trial = {0};
        CHECK(!sn_lane_trial_is_on(world, &trial, ITEMS));
        CHECK(sn_lane_trial_begin(world, &trial, ITEMS) == world->bindings.width);
        sn_lane_trial_end(world, &trial);
        CHECK(sn_lanes_of(world, &trial) == world->bindings.width);
        CHECK(trial.items == 0);
        sn_world_destroy(world);
    }
}

/* ---- Scenes ---- */

typedef struct scene {
    sn_result (*build)(sn_world *world);
    sn_tried tried[2]; /* among others */
    int steps;
} scene;

static sn_result build_pyramid(sn_world *world) {
    return scene_s4_pyramid(world, 8);
}
/* A block of a viscous liquid falls into a basin. */
static sn_result build_water(sn_world *world) {
    const int size[3] = {10, 10, 10};
    pool p = add_block(world, size, 0.03, (sn_vec3){(sn_real)0.1, 0, 0}, 1000, 1e-3);
    add_basin(world, 0.6, 0.42);
    free(p.node);
    return SN_OK;
}
static sn_result build_balls(sn_world *world) {
    return scene_balls(world, 12);
}

static sn_result build_cloth(sn_world *world) {
    return scene_s6(world, SCENE_SELF_SURFACE, NULL);
}

/* Trials are over, with one result or the other, or go on, as chance has it: loops of a step that
   read what others of it wrote have other lanes than these. */
static void shuffle(sn_world *world, uint32_t *seed) {
    for (int n = 0; n < SN_TRIED_COUNT; n++) {
        sn_lane_trial *trial = &world->bindings.lanes[n];
        const uint32_t chance = (*seed = *seed * 1664525u + 1013904223u) >> 24;
        const bool step = n == SN_TRIED_STEP;
        const sn_width best = (sn_width)((step ? SN_WIDTH_8 : SN_WIDTH_4) + chance % 2);
        const sn_width most = world->bindings.width;
        *trial = (sn_lane_trial){.best = best < most ? best : most,
                                 .known = step || chance % 4 < 2,
                                 .rounds = chance / 4 % 2,
                                 .items = SIZE_MAX / 2};
        trial->width = trial->best;
    }
    *seed = *seed * 1664525u + 1013904223u;
    world->bindings.wide = (sn_wide_registers){.avoided = *seed >> 31, .chain = {1e-6, 1e-6}};
}

/* As on a machine whose clock does not care. */
static void widen(sn_world *world) {
    world->bindings.wide = (sn_wide_registers){.chain = {1}};
}

static uint64_t play(const scene *what, int lanes, bool shuffles) {
    sn_world *world = world_with(lanes);
    uint32_t seed = 1;
    REQUIRE_OK(what->build(world));
    for (int n = 0; n < what->steps; n++) {
        if (shuffles) shuffle(world, &seed);
        if (lanes == 0 && !shuffles) widen(world);
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    }
    for (int n = 0; n < SN_TRIED_COUNT; n++) {
        const sn_lane_trial *trial = &world->bindings.lanes[n];
        CHECK(trial->width <= world->bindings.width);
        CHECK(lanes == 0 || trial->items == 0);
    }
    if (lanes == 0 && sn_machine_best_lanes() >= 8) {
        for (int n = 0; n < 2; n++) CHECK(world->bindings.lanes[what->tried[n]].items > 0);
    }
    const uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

TEST(choices_do_not_change_bits) {
    static const scene scenes[] = {
        {build_pyramid, {SN_TRIED_RIGID_LOOK, SN_TRIED_RIGID_ROUND}, STEPS},
        {build_water, {SN_TRIED_FLUID, SN_TRIED_FLUID_LISTS}, STEPS},
        {build_balls, {SN_TRIED_SURFACE_CONTACT, SN_TRIED_SURFACE_CONTACT}, STEPS},
        {build_cloth, {SN_TRIED_SURFACE_CONTACT, SN_TRIED_COLLIDER_CONTACT}, 2 * STEPS}};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        check_case("scene %zu", i);
        const uint64_t hash = play(&scenes[i], 4, false);
        CHECK(play(&scenes[i], 16, false) == hash);
        CHECK(play(&scenes[i], 0, false) == hash);
        CHECK(play(&scenes[i], 0, true) == hash);
    }
}

TESTS(RUN(what_is_fastest_stays), RUN(steps_are_tried_as_a_whole),
      RUN(long_runs_are_tried_less_often), RUN(trials_begin_anew_where_there_is_more),
      RUN(wide_registers_have_to_pay_for_the_clock), RUN(wide_registers_that_cost_nothing_pay),
      RUN(steps_are_weighed_with_those_before), RUN(loops_ask_for_wide_registers),
      RUN(what_is_asked_for_is_not_tried), RUN(choices_do_not_change_bits))
