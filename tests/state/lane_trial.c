/*
 * Trials of lanes: what is fastest stays, whatever that is; what was asked for is not tried; and
 * contacts, bodies and fluids end with the same bits whatever comes out.
 */
#include <scenes.h>

#include "base/clock.h"
#include "base/machine.h"
#include "check.h"
#include "state/world.h"

enum { ITEMS = 5000, FEW = 1000, STEPS = 4 };

static sn_world *make_world(int lanes) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.threads = 1;
    def.simd_width = lanes;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* With all widths, on any machine. */
static sn_world *make_wide_world(void) {
    sn_world *world = make_world(16);
    world->bindings.width = SN_WIDTH_16;
    world->bindings.fewer_lanes = true;
    return world;
}

static void spin(double seconds) {
    const double start = sn_clock_of_thread();
    while (sn_clock_of_thread() - start < seconds) {
    }
}

/* Runs that take so long with each width, until all are known; returns how many. */
static int run_all(const sn_world *world, sn_lane_trial *trial, size_t items,
                   const double seconds[SN_WIDTHS]) {
    int runs = 0;
    for (; sn_lane_trial_is_on(world, trial, items); runs++) {
        spin(seconds[sn_lane_trial_begin(world, trial, items)]);
        sn_lane_trial_end(world, trial);
        if (runs == 100) break;
    }
    return runs;
}

TEST(what_is_fastest_stays) {
    sn_world *world = make_wide_world();
    for (int best = SN_WIDTH_4; best < SN_WIDTHS; best++) {
        sn_lane_trial trial = {0};
        double seconds[SN_WIDTHS];
        for (int w = 0; w < SN_WIDTHS; w++) seconds[w] = w == best ? 1e-4 : 3e-4;
        CHECK(sn_lanes_of(world, &trial) == SN_WIDTH_16);
        /* Once to begin with, and three times with each. */
        CHECK(run_all(world, &trial, ITEMS, seconds) == 10);
        CHECK((int)sn_lanes_of(world, &trial) == best);
        CHECK((int)sn_lane_trial_begin(world, &trial, ITEMS) == best);
    }
    sn_world_destroy(world);
}

/* One run with each is enough to see that one is much faster than what takes long. */
TEST(long_runs_are_tried_less_often) {
    const double seconds[SN_WIDTHS] = {0, 15e-3, 5e-3, 11e-3};
    sn_world *world = make_wide_world();
    sn_lane_trial trial = {0};
    /* To begin with, then once with 16 and with 4 lanes, and with 8 until that is known. */
    int runs = run_all(world, &trial, ITEMS, seconds);
    CHECK(runs <= 6);
    CHECK(trial.runs[SN_WIDTH_4] == 1 && trial.runs[SN_WIDTH_16] == 1);
    CHECK(sn_lanes_of(world, &trial) == SN_WIDTH_8);
    sn_world_destroy(world);
}

/* In other caches others are fastest, perhaps; and what is small is not worth a trial. */
TEST(trials_begin_anew_where_there_is_more) {
    const double four[SN_WIDTHS] = {0, 1e-4, 3e-4, 3e-4}, eight[SN_WIDTHS] = {0, 3e-4, 1e-4, 3e-4};
    sn_world *world = make_wide_world();
    sn_lane_trial trial = {0};
    CHECK(run_all(world, &trial, FEW, four) == 0);
    CHECK(sn_lane_trial_begin(world, &trial, FEW) == SN_WIDTH_16);
    CHECK(run_all(world, &trial, ITEMS, four) == 10);
    CHECK(run_all(world, &trial, ITEMS * 3 / 2, eight) == 0);
    CHECK(run_all(world, &trial, FEW, eight) == 0);
    CHECK(sn_lanes_of(world, &trial) == SN_WIDTH_4);
    CHECK(run_all(world, &trial, ITEMS * 3, eight) == 10);
    CHECK(sn_lanes_of(world, &trial) == SN_WIDTH_8);
    sn_world_destroy(world);
}

TEST(what_is_asked_for_is_not_tried) {
    const int lanes[] = {1, 4, 8, 16};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        sn_world *world = make_world(lanes[i]);
        sn_lane_trial trial = {0};
        CHECK(!sn_lane_trial_is_on(world, &trial, ITEMS));
        CHECK(sn_lane_trial_begin(world, &trial, ITEMS) == world->bindings.width);
        sn_lane_trial_end(world, &trial);
        CHECK(sn_lanes_of(world, &trial) == world->bindings.width);
        CHECK(trial.most_items == 0);
        sn_world_destroy(world);
    }
}

/* ---- Scenes ---- */

typedef struct scene {
    sn_result (*build)(sn_world *world);
    sn_tried_loops tried[2]; /* what is known after a few steps */
    int steps;
} scene;

static sn_result build_pyramid(sn_world *world) {
    return scene_s4_pyramid(world, 8);
}
static sn_result build_water(sn_world *world) {
    return scene_s5(world, 4000);
}
static sn_result build_balls(sn_world *world) {
    return scene_balls(world, 12);
}

TEST(choices_do_not_change_bits) {
    static const scene scenes[] = {
        {build_pyramid, {SN_TRIED_RIGID_LOOK, SN_TRIED_RIGID_ROUND}, STEPS},
        {build_water, {SN_TRIED_FLUID, SN_TRIED_FLUID_LISTS}, 4 * STEPS},
        {build_balls, {SN_TRIED_SURFACE_CONTACT, SN_TRIED_SURFACE_CONTACT}, STEPS}};
    const bool wide = sn_machine_best_lanes() > 4;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        uint64_t hash[3];
        const int lanes[3] = {0, 4, 16};
        for (int k = 0; k < 3; k++) {
            sn_world *world = make_world(lanes[k]);
            check_case("scene %zu, %d lanes", i, lanes[k]);
            REQUIRE_OK(scenes[i].build(world));
            for (int n = 0; n < scenes[i].steps; n++)
                REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
            hash[k] = sn_world_hash(world);
            for (int n = 0; n < SN_TRIED_COUNT; n++) {
                const sn_lane_trial *trial = &world->bindings.lanes[n];
                CHECK(trial->width <= world->bindings.width);
                CHECK(k == 0 || trial->most_items == 0);
            }
            for (int n = 0; n < 2; n++) {
                const sn_lane_trial *trial = &world->bindings.lanes[scenes[i].tried[n]];
                CHECK(trial->done == (k == 0 && wide));
            }
            sn_world_destroy(world);
        }
        CHECK(hash[0] == hash[1] && hash[0] == hash[2]);
    }
}

TESTS(RUN(what_is_fastest_stays), RUN(long_runs_are_tried_less_often),
      RUN(trials_begin_anew_where_there_is_more), RUN(what_is_asked_for_is_not_tried),
      RUN(choices_do_not_change_bits))
