/*
 * Whether steps are faster with one thread is found by trying, with times that are made up: what is
 * faster goes on, few steps are lost, and where steps become others it is found again.
 */
#include "state/thread_trial.h"

#include "check.h"
#include "state/world.h"

enum { STEPS = 200 };

/* s: of a step with all threads and with one, and by how much both grow from step 100 on. */
typedef struct times {
    double all, one, grown;
} times;

/* How many of some steps on which so many threads work are made by one thread. */
static int run_on(size_t threads, sn_thread_trial *trial, times t, int first, int last) {
    int alone = 0;
    for (int step = first; step < last; step++) {
        const bool is_alone = sn_thread_trial_begin(trial, threads);
        const double noise = 1 + 0.005 * (step % 7), more = step < 100 ? 1 : t.grown;
        sn_thread_trial_end(trial, (is_alone ? t.one : t.all) * noise * more);
        alone += is_alone;
    }
    return alone;
}

static int run(sn_thread_trial *trial, times t, int first, int last) {
    return run_on(16, trial, t, first, last);
}

TEST(what_is_faster_goes_on) {
    sn_thread_trial one = {0}, all = {0}, slow = {0}, longer = {0}, few = {0};
    CHECK(run(&one, (times){1.4e-3, 0.9e-3, 1}, 0, 32) == 0);
    CHECK(run(&one, (times){1.4e-3, 0.9e-3, 1}, 32, 40) >= 3);
    CHECK(run(&one, (times){1.4e-3, 0.9e-3, 1}, 40, STEPS) == STEPS - 40);
    CHECK(run(&all, (times){1e-3, 1.5e-3, 1}, 0, STEPS) == 3);
    /* One thread that takes long is tried once; and not at all where many threads have long steps,
       as it might take all of their time. */
    CHECK(run(&slow, (times){1e-3, 8e-3, 1}, 0, STEPS) == 1);
    CHECK(run(&longer, (times){20e-3, 5e-3, 1}, 0, STEPS) == 0);
    CHECK(run_on(2, &few, (times){20e-3, 15e-3, 1}, 0, STEPS) >= STEPS - 37);
}

TEST(longer_steps_are_tried_again) {
    sn_thread_trial t = {0};
    CHECK(run(&t, (times){1.4e-3, 0.9e-3, 2}, 0, 100) > 60 && t.best);
    CHECK(run(&t, (times){1.4e-3, 0.9e-3, 2}, 100, 110) < 10);
    CHECK(run(&t, (times){1.4e-3, 0.9e-3, 2}, 110, STEPS) == STEPS - 110);
    sn_thread_trial heavy = {0};
    CHECK(run(&heavy, (times){1.4e-3, 0.9e-3, 1}, 0, 100) > 60);
    CHECK(run(&heavy, (times){1.4e-3, 9e-3, 10}, 100, STEPS) == 1);
}

/* A world with few nodes and many threads has the bits of one thread, alone or not. */
static uint64_t hash_of(int threads, bool *tried) {
    enum { LINKS = 40 };
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    sn_node node[LINKS + 1];
    def.threads = threads;
    REQUIRE_OK(sn_world_create(&def, &world));
    for (int i = 0; i <= LINKS; i++) {
        sn_node_def at = sn_node_def_default();
        at.position = (sn_vec3){(sn_real)0.05 * (sn_real)i, 1, 0};
        at.inverse_mass = i == 0 ? 0 : 100;
        REQUIRE_OK(sn_node_create(world, &at, &node[i]));
    }
    for (int i = 0; i < LINKS; i++) {
        sn_distance_def link = sn_distance_def_default();
        sn_constraint made;
        link.node[0] = node[i];
        link.node[1] = node[i + 1];
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &made));
    }
    *tried = false;
    for (int i = 0; i < STEPS; i++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        *tried = *tried || world->bindings.threads.rounds > 0 || world->bindings.threads.known;
    }
    const uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

TEST(alone_or_not_bits_are_the_same) {
    bool tried[2];
    CHECK(hash_of(1, &tried[0]) == hash_of(4, &tried[1]));
    CHECK(!tried[0] && tried[1]);
}

TESTS(RUN(what_is_faster_goes_on), RUN(longer_steps_are_tried_again),
      RUN(alone_or_not_bits_are_the_same))
