/* Sleeping gives the same bits for every number of threads and every SIMD width, and goes on from a
   snapshot and in a replay as if it had never stopped. */
#include "sleepers.h"
#include "snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 240, PILE = 12 };

typedef struct pile {
    sn_world *world;
    sn_node rope[4][ROPE_NODES];
    sn_body body[PILE];
} pile;

/* Bodies of all kinds, made in turns, so that those who sleep and those who do not lie side by side
   in blocks; each comes to rest at another time. */
static pile make_pile(sn_settings settings, int threads, int width) {
    pile p = {.world = sleepy_world(settings, threads, width)};
    add_floor(p.world);
    for (int i = 0; i < 4; i++) {
        p.body[3 * i] = drop_rope(p.world, i, 0.02 + 0.2 * i, p.rope[i]);
        p.body[3 * i + 1] = drop_cloth(p.world, i + 0.3, 0.5 - 0.1 * i, 5);
        p.body[3 * i + 2] = drop_rod(p.world, i + 0.6, 0.02 + 0.15 * i, NULL);
    }
    tie(p.world, p.rope[0][0], p.rope[1][0]);
    return p;
}

/* What happens before step i. */
static void disturb(pile *p, int i) {
    sn_collider ball;
    sn_collider_def def = sn_collider_def_default();
    switch (i) {
    case 110:
        CHECK_OK(sn_node_apply_impulse(p->world, p->rope[1][5],
                                       (sn_vec3){0, (sn_real)0.005, (sn_real)0.002}));
        break;
    case 150:
        def.shape = SN_SHAPE_SPHERE;
        def.radius = (sn_real)0.2;
        def.position = (sn_vec3){4, (sn_real)0.2, (sn_real)0.3};
        def.velocity = (sn_vec3){-1, 0, 0};
        CHECK_OK(sn_collider_create(p->world, &def, &ball));
        break;
    case 200:
        CHECK_OK(sn_body_wake(p->world, p->body[1]));
        break;
    default:
        break;
    }
}

static uint64_t mix(uint64_t sum, uint64_t value) {
    return (sum ^ value) * 0x100000001b3u;
}

/* Everything that is to be the same: states of all steps, and who slept in them. */
static uint64_t trace_of(sn_settings settings, int threads, int width, size_t *most) {
    pile p = make_pile(settings, threads, width);
    uint64_t sum = 0xcbf29ce484222325u;
    *most = 0;
    for (int i = 0; i < STEPS; i++) {
        disturb(&p, i);
        CHECK_OK(sn_world_step(p.world, STEP));
        size_t asleep = count_asleep(p.world);
        sum = mix(mix(sum, sn_world_hash(p.world)), asleep);
        if (asleep > *most) *most = asleep;
    }
    sn_world_destroy(p.world);
    return sum;
}

TEST(threads_and_widths_do_not_matter) {
    const struct {
        sn_solver solver;
        sn_integrator integrator;
    } ways[] = {{SN_SOLVER_COLOURED, SN_INTEGRATOR_BDF1},  {SN_SOLVER_COLOURED, SN_INTEGRATOR_BDF2},
                {SN_SOLVER_REFERENCE, SN_INTEGRATOR_BDF1}, {SN_SOLVER_JACOBI, SN_INTEGRATOR_BDF1},
                {SN_SOLVER_HYBRID, SN_INTEGRATOR_BDF2},    {SN_SOLVER_SPLIT, SN_INTEGRATOR_BDF1}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        sn_settings settings = sleepy_settings();
        settings.solver = ways[i].solver;
        settings.integrator = ways[i].integrator;
        settings.hybrid_colours = 2;
        settings.split_colours = 2;
        settings.substeps = 10;
        settings.sleep_time = (sn_real)0.25;
        settings.sleep_speed = (sn_real)0.05;
        check_case("solver %d, integrator %d", (int)ways[i].solver, (int)ways[i].integrator);
        size_t most, other;
        uint64_t first = trace_of(settings, 1, 1, &most);
        /* Otherwise there would be nothing to see. */
        CHECK(most >= 3);
        CHECK(trace_of(settings, 2, 4, &other) == first && other == most);
        CHECK(trace_of(settings, 3, 8, &other) == first && other == most);
        CHECK(trace_of(settings, 2, 16, &other) == first && other == most);
    }
}

/* Who is awake does not notice that others sleep. */
TEST(the_awake_have_the_bits_of_a_world_without_sleep) {
    for (sn_solver solver = SN_SOLVER_COLOURED; solver <= SN_SOLVER_HYBRID; solver++) {
        check_case("solver %d", (int)solver);
        sn_settings settings = sleepy_settings(), sleepless = sn_settings_default();
        settings.solver = sleepless.solver = solver;
        sn_world *world[] = {sleepy_world(settings, 1, 0), sleepy_world(sleepless, 1, 0)};
        size_t first = 0;
        for (int w = 0; w < 2; w++) {
            sn_node_view view;
            add_floor(world[w]);
            for (int i = 0; i < 3; i++) {
                drop_rope(world[w], i, 0.02, NULL);
                drop_rod(world[w], i + 0.5, 0.02, NULL);
            }
            advance(world[w], 120);
            REQUIRE_OK(sn_world_nodes(world[w], &view));
            first = view.count;
            drop_rope(world[w], 4, 0.5, NULL);
            drop_rod(world[w], 5, 0.5, NULL);
        }
        CHECK(count_asleep(world[0]) == 6 && count_asleep(world[1]) == 0);
        for (int i = 0; i < 40; i++) {
            sn_node_view a, b;
            advance(world[0], 1);
            advance(world[1], 1);
            REQUIRE_OK(sn_world_nodes(world[0], &a));
            REQUIRE_OK(sn_world_nodes(world[1], &b));
            size_t bytes = (a.count - first) * sizeof(sn_vec4);
            CHECK(memcmp(a.position + first, b.position + first, bytes) == 0);
            CHECK(memcmp(a.velocity + first, b.velocity + first, bytes) == 0);
        }
        CHECK(count_asleep(world[0]) == 6);
        sn_world_destroy(world[0]);
        sn_world_destroy(world[1]);
    }
}

/* ---- Snapshots ---- */

static bool is_same(const sn_world *a, const sn_world *b) {
    size_t size;
    void *bytes = snapshot_of(a, &size);
    const bool same = is_saved_as(b, bytes, size);
    free(bytes);
    return same;
}

TEST(a_snapshot_goes_on_as_if_nothing_had_been) {
    const int moments[] = {1, 40, 80, 111, 151, 160, 201, 230};
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;
         integrator++)
        for (size_t m = 0; m < sizeof moments / sizeof moments[0]; m++) {
            check_case("integrator %d, step %d", (int)integrator, moments[m]);
            sn_settings settings = sleepy_settings();
            settings.integrator = integrator;
            settings.sleep_time = (sn_real)0.25;
            pile p = make_pile(settings, 1, 0), q = p;
            for (int i = 0; i < STEPS; i++) {
                disturb(&p, i);
                /* After a call that wakes, and before the step that it wakes in. */
                if (i == moments[m]) {
                    size_t size;
                    void *bytes = snapshot_of(p.world, &size);
                    q.world = sleepy_world(sn_settings_default(), 1, 0);
                    CHECK_OK(sn_snapshot_load(q.world, bytes, size));
                    free(bytes);
                    CHECK(is_same(p.world, q.world));
                } else if (i > moments[m]) {
                    /* Ids are of the world that they were made in; slots are the same. */
                    CHECK(sn_world_hash(p.world) == sn_world_hash(q.world));
                }
                CHECK_OK(sn_world_step(p.world, STEP));
                if (i >= moments[m]) CHECK_OK(sn_world_step(q.world, STEP));
                if (i == 109 || i == 149 || i == 199) {
                    /* What comes next is done to one of them. */
                    if (i >= moments[m]) CHECK(is_same(p.world, q.world));
                    if (i >= moments[m]) break;
                }
            }
            CHECK(is_same(p.world, q.world));
            sn_world_destroy(p.world);
            sn_world_destroy(q.world);
        }
}

/* Worlds in which nothing sleeps have the snapshots that they had before there was any sleep. */
TEST(a_snapshot_without_sleep_says_nothing_of_it) {
    sn_settings settings = sn_settings_default();
    pile p = make_pile(settings, 1, 0);
    advance(p.world, 2);
    size_t size, found = 0;
    char *bytes = snapshot_of(p.world, &size);
    for (size_t i = 0; i + 5 < size; i++) found += memcmp(bytes + i, "sleep", 5) == 0;
    CHECK(found == 0);
    free(bytes);
    settings.sleep_time = 1;
    CHECK_OK(sn_world_set_settings(p.world, &settings));
    bytes = snapshot_of(p.world, &size);
    for (size_t i = 0; i + 5 < size; i++) found += memcmp(bytes + i, "sleep", 5) == 0;
    CHECK(found > 0);
    free(bytes);
    sn_world_destroy(p.world);
}

TEST(who_may_not_sleep_is_in_a_snapshot) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0), *other;
    sn_body body[2] = {drop_ball(world, 0, 0, NULL), drop_ball(world, 1, 0, NULL)}, same;
    sn_body_def def = sn_body_def_default();
    def.may_sleep = false;
    CHECK_OK(sn_body_set(world, body[1], &def));
    size_t size;
    void *bytes = snapshot_of(world, &size);
    other = sleepy_world(sn_settings_default(), 1, 0);
    CHECK_OK(sn_snapshot_load(other, bytes, size));
    for (size_t i = 0; i < 2; i++) {
        CHECK_OK(sn_world_body_at(other, i, &same));
        CHECK_OK(sn_body_get(other, same, &def));
        CHECK(def.may_sleep == (i == 0));
    }
    free(bytes);
    sn_world_destroy(world);
    sn_world_destroy(other);
}

/* ---- Recordings ---- */

TEST(a_recording_is_repeated_with_its_sleep) {
    const char *path = "contact_sleep_bits.rec";
    sn_settings settings = sleepy_settings();
    settings.sleep_time = (sn_real)0.25;
    pile p = make_pile(settings, 1, 0);
    for (int i = 0; i < STEPS; i++) {
        /* It begins where some sleep already. */
        if (i == 90) CHECK(count_asleep(p.world) > 0);
        if (i == 90) CHECK_OK(sn_recording_start(p.world, path));
        disturb(&p, i);
        if (i == 220) {
            sn_body body;
            sn_body_def def = sn_body_def_default();
            def.may_sleep = false;
            settings.sleep_speed = (sn_real)0.1;
            CHECK_OK(sn_world_set_settings(p.world, &settings));
            CHECK_OK(sn_body_create(p.world, &def, &body));
        }
        CHECK_OK(sn_world_step(p.world, STEP));
    }
    CHECK_OK(sn_recording_stop(p.world));
    sn_world *again = sleepy_world(sn_settings_default(), 2, 1);
    sn_replay_report report;
    CHECK_OK(sn_replay_file(again, path, &report));
    CHECK(!report.differs && report.steps == STEPS - 90);
    CHECK(is_same(p.world, again));
    remove(path);
    sn_world_destroy(p.world);
    sn_world_destroy(again);
}

TESTS(RUN(threads_and_widths_do_not_matter), RUN(the_awake_have_the_bits_of_a_world_without_sleep),
      RUN(a_snapshot_goes_on_as_if_nothing_had_been),
      RUN(a_snapshot_without_sleep_says_nothing_of_it), RUN(who_may_not_sleep_is_in_a_snapshot),
      RUN(a_recording_is_repeated_with_its_sleep))
