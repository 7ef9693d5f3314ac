/*
 * A system is its own files and one line in a list: a world with one more takes it along in the
 * step, in snapshots and recordings, when nodes go, when bodies sleep, and without memory.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sinew/sinew.h>

#include "api/systems.h"
#include "api/types.h"
#include "attractor.h"
#include "base/meter.h"
#include "check.h"

enum { NODES = 200, MOST_BYTES = 1 << 18 };
#define DT ((sn_real)1 / 60)
#ifdef SN_DOUBLE
#define RECORDING "system_f64.reco"
#else
#define RECORDING "system.reco"
#endif

static sn_node node[NODES];
static uint8_t before[MOST_BYTES], after[MOST_BYTES];

static sn_world_def small_def(void) {
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = 4;
    def.settings.iterations = 2;
    return def;
}

/* A world of the library's systems and one more. */
static sn_result make(const sn_world_def *def, sn_world **world) {
    static const sn_system *list[SN_SYSTEM_COUNT + 1];
    memcpy(list, sn_systems().system, SN_SYSTEM_COUNT * sizeof *list);
    list[SN_SYSTEM_COUNT] = &attractor_system;
    return sn_world_init(world, def, sn_types(), (sn_system_list){list, SN_SYSTEM_COUNT + 1});
}

static sn_world *make_world(int threads) {
    sn_world_def def = small_def();
    sn_world *world;
    def.threads = threads;
    REQUIRE_OK(make(&def, &world));
    return world;
}

static sn_world *make_plain(void) {
    sn_world_def def = small_def();
    sn_world *world;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static void add_nodes(sn_world *world) {
    for (int i = 0; i < NODES; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(i % 7), (sn_real)i / 50, (sn_real)(i % 11)};
        def.inverse_mass = 1 / (1 + (sn_real)(i % 3));
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
}

static sn_result set(sn_world *world, sn_vec3 point, sn_real compliance) {
    sn_attractor_def def = sn_attractor_def_default();
    def.point = point;
    def.compliance = compliance;
    return attractor_set(world, &def);
}

/* Nodes of which all but the first are pulled to a point. */
static void build(sn_world *world) {
    add_nodes(world);
    REQUIRE_OK(set(world, (sn_vec3){3, 2, 5}, (sn_real)1e-3));
    for (int i = 1; i < NODES; i++) REQUIRE_OK(attractor_add(world, node[i]));
}

static void step(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, DT));
}

static size_t save(const sn_world *world, uint8_t *bytes) {
    size_t size;
    REQUIRE_OK(sn_snapshot_save(world, bytes, MOST_BYTES, &size));
    return size;
}

static bool same_state(const sn_world *a, const sn_world *b) {
    size_t size = save(a, before);
    return save(b, after) == size && memcmp(before, after, size) == 0 &&
           sn_world_hash(a) == sn_world_hash(b);
}

/* ---- The step ---- */

/* Implicit Euler on a spring without a length: x' = v, v' = g - k x / m, in substeps of h. */
TEST(nodes_are_pulled) {
    sn_world *world = make_world(1);
    sn_world_def def = small_def();
    build(world);
    step(world, 30);
    sn_node_def found;
    REQUIRE_OK(sn_node_get(world, node[5], &found));
    double x = 5 - 3, v = 0, y = (double)((sn_real)5 / 50) - 2, u = 0, stiffness = 1e3;
    double h = 1.0 / 60 / def.settings.substeps, w = 1.0 / 3, soft = 1 + h * h * stiffness * w;
    for (int i = 0; i < 30 * def.settings.substeps; i++) {
        v = (v - h * stiffness * w * x) / soft;
        x += h * v;
        u = (u - h * 9.81 - h * stiffness * w * y) / soft;
        y += h * u;
    }
    CHECK_NEAR(found.position.x, 3 + x, 1e-4);
    CHECK_NEAR(found.position.y, 2 + y, 1e-4);
    /* The one that is not listed falls. */
    REQUIRE_OK(sn_node_get(world, node[0], &found));
    CHECK(found.position.x == 0 && found.position.y < -1);
    sn_world_destroy(world);
}

TEST(threads_do_not_matter) {
    sn_world *one = make_world(1), *four = make_world(4);
    build(one);
    build(four);
    step(one, 20);
    step(four, 20);
    CHECK(same_state(one, four));
    sn_world_destroy(one);
    sn_world_destroy(four);
}

/* A world that has the system and does not use it is one that does not have it. */
TEST(unused_it_changes_nothing) {
    sn_world *world = make_world(1), *plain = make_plain();
    add_nodes(world);
    add_nodes(plain);
    step(world, 5);
    step(plain, 5);
    CHECK(same_state(world, plain));
    sn_world_destroy(world);
    sn_world_destroy(plain);
}

/* ---- Nodes that go, bodies that sleep ---- */

TEST(nodes_are_forgotten) {
    sn_world *world = make_world(1);
    build(world);
    REQUIRE_OK(sn_nodes_destroy(world, &node[50], 100));
    CHECK(attractor_of(world)->count == NODES - 1 - 100);
    for (size_t k = 0; k < attractor_of(world)->count; k++)
        CHECK(world->nodes.slots.alive[attractor_of(world)->node[k]]);
    /* Who takes a slot over is not pulled. */
    sn_node_def def = sn_node_def_default(), found;
    sn_node fresh;
    def.inverse_mass = 1;
    REQUIRE_OK(sn_node_create(world, &def, &fresh));
    CHECK_FAILS(attractor_add(world, node[1]), SN_ERROR_VALUE);
    CHECK_FAILS(attractor_add(world, node[60]), SN_ERROR_STALE);
    step(world, 5);
    REQUIRE_OK(sn_node_get(world, fresh, &found));
    CHECK(found.position.x == 0 && found.position.z == 0 && found.position.y < 0);
    sn_world_destroy(world);
}

/* Two bodies, one at rest in the point and one that swings; whether the first falls asleep. */
static bool falls_asleep(bool joined) {
    sn_world_def def = small_def();
    sn_world *world;
    sn_body body[2];
    def.settings.sleep_time = (sn_real)0.1;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    REQUIRE_OK(make(&def, &world));
    for (int i = 0; i < 2; i++) {
        sn_node_def n = sn_node_def_default();
        sn_body_def whole = sn_body_def_default();
        REQUIRE_OK(sn_body_create(world, &whole, &body[i]));
        n.position.x = (sn_real)i;
        n.inverse_mass = 1;
        n.body = body[i];
        REQUIRE_OK(sn_node_create(world, &n, &node[i]));
    }
    REQUIRE_OK(set(world, (sn_vec3){0, 0, 0}, (sn_real)0.01));
    if (joined) REQUIRE_OK(attractor_add(world, node[0]));
    REQUIRE_OK(attractor_add(world, node[1]));
    step(world, 30);
    CHECK(!sn_body_is_asleep(world, body[1]));
    bool asleep = sn_body_is_asleep(world, body[0]);
    sn_world_destroy(world);
    return asleep;
}

TEST(what_it_joins_sleeps_together) {
    CHECK(falls_asleep(false));
    CHECK(!falls_asleep(true));
}

/* ---- Snapshots and recordings ---- */

TEST(snapshots_have_it) {
    sn_world *world = make_world(1), *other = make_world(4), *plain = make_plain();
    build(world);
    step(world, 10);
    size_t size = save(world, before);
    static uint8_t snapshot[MOST_BYTES];
    memcpy(snapshot, before, size);
    REQUIRE_OK(sn_snapshot_load(other, snapshot, size));
    CHECK(same_state(world, other));
    step(world, 10);
    step(other, 10);
    CHECK(same_state(world, other));

    /* A world without the system refuses what it does not know, and stays what it was. */
    add_nodes(plain);
    uint64_t hash = sn_world_hash(plain);
    CHECK_FAILS(sn_snapshot_load(plain, snapshot, size), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "attract") != NULL);
    CHECK(sn_world_hash(plain) == hash);

    /* A snapshot from before there was such a system is of a world without any. */
    size = save(plain, before);
    memcpy(snapshot, before, size);
    REQUIRE_OK(sn_snapshot_load(world, snapshot, size));
    CHECK(attractor_of(world)->count == 0);
    CHECK(same_state(world, plain));
    sn_world_destroy(world);
    sn_world_destroy(other);
    sn_world_destroy(plain);
}

/* Of a snapshot with a wrong node, that is named. */
TEST(what_is_read_is_checked) {
    sn_world *world = make_world(1), *other = make_world(1);
    build(world);
    attractor_of(world)->node[7] = NODES;
    size_t size = save(world, before);
    CHECK_FAILS(sn_snapshot_load(other, before, size), SN_ERROR_DATA);
    attractor_of(world)->node[7] = attractor_of(world)->node[6];
    size = save(world, before);
    CHECK_FAILS(sn_snapshot_load(other, before, size), SN_ERROR_DATA);
    CHECK(attractor_of(other)->count == 0);
    sn_world_destroy(world);
    sn_world_destroy(other);
}

/* Its own calls among others, also those that were refused, which are not there. */
TEST(recordings_are_repeated) {
    sn_world *world = make_world(1), *other = make_world(4), *plain = make_plain();
    sn_replay_report report;
    REQUIRE_OK(sn_recording_start(world, RECORDING));
    build(world);
    step(world, 5);
    CHECK_FAILS(attractor_add(world, node[3]), SN_ERROR_VALUE);
    REQUIRE_OK(sn_nodes_destroy(world, &node[20], 30));
    REQUIRE_OK(set(world, (sn_vec3){0, 1, 0}, (sn_real)0.5));
    step(world, 5);
    REQUIRE_OK(sn_recording_stop(world));
    REQUIRE_OK(sn_replay_file(other, RECORDING, &report));
    CHECK(report.steps == 10 && !report.differs);
    CHECK(report.calls == 10 + 1 + 2 + NODES + NODES - 1);
    CHECK(attractor_of(other)->count == NODES - 1 - 30);
    CHECK(same_state(world, other));
    /* Only where the system is known. */
    CHECK_FAILS(sn_replay_file(plain, RECORDING, &report), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "there is no call \"attractor_set\"") != NULL);
    sn_world_destroy(world);
    sn_world_destroy(other);
    sn_world_destroy(plain);
    CHECK(remove(RECORDING) == 0);
}

/* ---- Its list of fields ---- */

TEST(fields_are_checked) {
    sn_world *world = make_world(1);
    CHECK_FAILS(set(world, (sn_vec3){0, (sn_real)NAN, 0}, 0), SN_ERROR_VALUE);
    CHECK(strcmp(sn_last_error(), "attractor: point is nan, expected a finite number") == 0);
    CHECK_FAILS(set(world, (sn_vec3){0, 0, 0}, 2), SN_ERROR_VALUE);
    CHECK(strcmp(sn_last_error(), "attractor: compliance is 2, expected at most 1 m/N") == 0);
    sn_attractor_def def = {0};
    CHECK_FAILS(attractor_set(world, &def), SN_ERROR_DEFINITION);
    CHECK(attractor_of(world)->def.compliance == 0);
    sn_world_destroy(world);
}

TEST(the_world_tells_of_it) {
    sn_world *world = make_world(1);
    const sn_object_info *info, *found = NULL;
    for (size_t i = 0; (info = sn_world_object_info(world, i)); i++)
        if (strcmp(info->name, "attractor") == 0) found = info;
    if (CHECK(found != NULL)) {
        CHECK(found->field_count == 3 && found->array_count == 0);
        CHECK(found->def_size == sizeof(sn_attractor_def));
        CHECK(strcmp(found->fields[1].name, "compliance") == 0 && found->fields[1].most == 1);
    }
    CHECK(sn_object_by_name("attractor") == NULL);
    sn_world_destroy(world);
}

/* ---- Without memory ---- */

typedef sn_result act(sn_world *world);

static uint8_t loaded[MOST_BYTES];
static size_t loaded_size;

static sn_result add_rest(sn_world *world) {
    for (size_t i = attractor_of(world)->count; i < NODES; i++) {
        sn_result result = attractor_add(world, node[i]);
        if (result != SN_OK) return result;
    }
    return SN_OK;
}

static sn_result step_once(sn_world *world) {
    return sn_world_step(world, DT);
}

static sn_result load(sn_world *world) {
    return sn_snapshot_load(world, loaded, loaded_size);
}

/* Lets every allocation of a call fail once, the first one first: the call fails, changes nothing
   where it is `atomic`, and can be made again. Returns how often it failed. */
static size_t starve(sn_world *world, meter *m, act *call, bool atomic) {
    size_t failures = 0;
    for (size_t allowed = 0;; allowed++) {
        size_t size = save(world, before);
        m->fail_after = allowed;
        m->once = true;
        sn_result result = call(world);
        m->fail_after = METER_NEVER;
        if (result == SN_OK) return failures;
        failures++;
        check_case("%zu allocations", allowed);
        CHECK(result == SN_ERROR_MEMORY);
        if (atomic) CHECK(save(world, after) == size && memcmp(before, after, size) == 0);
    }
}

TEST(without_memory_nothing_changes) {
    static meter m;
    sn_world_def def = small_def();
    sn_world *world = NULL, *free_of_want = make_world(1);
    meter_init(&m);
    def.allocator = meter_allocator(&m);
    size_t allowed = 0;
    for (m.fail_after = 0; make(&def, &world) != SN_OK; m.fail_after = ++allowed)
        CHECK(m.blocks == 0 && m.failures == allowed + 1);
    CHECK(allowed > SN_SYSTEM_COUNT);
    m.fail_after = METER_NEVER;
    add_nodes(world);
    REQUIRE_OK(set(world, (sn_vec3){3, 2, 5}, (sn_real)1e-3));
    REQUIRE_OK(attractor_add(world, node[0]));
    step(world, 1);
    /* Adding is one call per node: those before the one that failed stay. */
    CHECK(starve(world, &m, add_rest, false) > 0);
    CHECK(attractor_of(world)->count == NODES);
    CHECK(starve(world, &m, step_once, true) > 0);
    loaded_size = save(world, loaded);
    CHECK(starve(world, &m, load, true) > SN_SYSTEM_COUNT);
    REQUIRE_OK(sn_snapshot_load(free_of_want, loaded, loaded_size));
    step(world, 3);
    step(free_of_want, 3);
    CHECK(same_state(world, free_of_want));
    size_t calls = m.calls;
    step(world, 3);
    CHECK(m.calls == calls);
    sn_world_destroy(world);
    sn_world_destroy(free_of_want);
    CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
}

TESTS(RUN(nodes_are_pulled), RUN(threads_do_not_matter), RUN(unused_it_changes_nothing),
      RUN(nodes_are_forgotten), RUN(what_it_joins_sleeps_together), RUN(snapshots_have_it),
      RUN(what_is_read_is_checked), RUN(recordings_are_repeated), RUN(fields_are_checked),
      RUN(the_world_tells_of_it), RUN(without_memory_nothing_changes))
