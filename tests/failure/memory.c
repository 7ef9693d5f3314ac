/*
 * Memory: every byte comes from the world's allocator and goes back to it, a steady step asks for
 * none, and a call that gets none fails, changes nothing and can be made again.
 */
#include <string.h>

#include "check.h"
#include "conformance/rig.h"
#include "meter.h"
#include "scene.h"

static meter m;

static sn_world_def metered(void) {
    sn_world_def def = sn_world_def_default();
    meter_init(&m);
    def.allocator = meter_allocator(&m);
    def.settings.substeps = 3;
    def.settings.iterations = 2;
    return def;
}

static void check_empty(void) {
    CHECK(m.blocks == 0);
    CHECK(m.bytes == 0);
    CHECK(m.mistakes == 0);
}

/* ---- Accounting ---- */

TEST(all_memory_goes_back) {
    sn_world_def def = metered();
    static scene s;
    REQUIRE_OK(scene_make(&s, &def, SCENE_SMALL));
    CHECK(m.calls > 0);
    for (int i = 0; i < 3; i++) {
        REQUIRE_OK(scene_step(&s, 0.01));
        sn_stats stats;
        REQUIRE_OK(sn_world_stats(s.world, &stats));
        CHECK(stats.memory == m.bytes);
    }
    for (int i = 0; i < s.nodes; i += 2) {
        REQUIRE_OK(sn_node_destroy(s.world, s.node[i]));
    }
    REQUIRE_OK(sn_world_step(s.world, (sn_real)0.01));
    CHECK(m.mistakes == 0);
    sn_world_destroy(s.world);
    check_empty();
}

/* ---- Steady steps ---- */

typedef struct steady_case {
    const char *name;
    sn_model model;
    int threads;
    double dt[2];
} steady_case;

static const steady_case steady_cases[] = {
    {"constant steps", SN_MODEL_XPBD, 1, {0.01, 0.01}},
    {"alternating steps", SN_MODEL_XPBD, 1, {0.01, 0.004}},
    {"threads, alternating steps", SN_MODEL_XPBD, 3, {0.01, 0.004}},
    {"2007 model", SN_MODEL_PBD, 1, {0.01, 0.004}},
};

TEST(steady_steps_allocate_nothing) {
    enum { CASES = sizeof steady_cases / sizeof steady_cases[0] };
    for (int i = 0; i < CASES * RIG_SOLVERS; i++) {
        const steady_case *c = &steady_cases[i % CASES];
        sn_world_def def = metered();
        def.threads = c->threads;
        def.settings.model = c->model;
        rig_use_solver(&def.settings, i / CASES);
        static scene s;
        check_case("%s, %s", rig_solvers[i / CASES].name, c->name);
        REQUIRE_OK(scene_make(&s, &def, SCENE_SMALL));
        REQUIRE_OK(scene_step(&s, c->dt[0]));
        REQUIRE_OK(scene_step(&s, c->dt[1]));
        size_t calls = m.calls;
        for (int step = 0; step < 50; step++) {
            REQUIRE_OK(scene_step(&s, c->dt[step % 2]));
        }
        CHECK(m.calls == calls);
        CHECK(m.mistakes == 0);
        sn_world_destroy(s.world);
        check_empty();
    }
}

/* ---- Running out ---- */

/* The counts and the hash of a world, which a failed call leaves alone. */
typedef struct state {
    uint64_t hash;
    size_t constraints;
    sn_stats stats;
} state;

static state look(const sn_world *world) {
    state now;
    memset(&now, 0, sizeof now);
    now.hash = sn_world_hash(world);
    now.constraints = sn_world_constraint_count(world, SN_TYPE_COUNT);
    REQUIRE_OK(sn_world_stats(world, &now.stats));
    return now;
}

static void check_same(const state *a, const sn_world *world) {
    state b = look(world);
    CHECK(a->hash == b.hash);
    CHECK(a->constraints == b.constraints);
    CHECK(a->stats.nodes == b.stats.nodes);
    CHECK(a->stats.constraints == b.stats.constraints);
}

static uint64_t hash_after_steps(scene *s) {
    for (int i = 0; i < 5; i++) {
        REQUIRE_OK(scene_step(s, 0.01));
    }
    return sn_world_hash(s->world);
}

TEST(creation_without_memory) {
    size_t failures = 0;
    for (size_t n = 0;; n++) {
        sn_world_def def = metered();
        def.threads = 2;
        sn_world *world = (sn_world *)&world;
        check_case("after %zu blocks", n);
        m.fail_after = n;
        sn_result result = sn_world_create(&def, &world);
        if (result == SN_OK && m.failures == 0) {
            sn_world_destroy(world);
            break;
        }
        CHECK(result == SN_ERROR_MEMORY);
        CHECK(world == NULL);
        CHECK(strlen(sn_last_error()) > 0);
        check_empty();
        failures++;
    }
    CHECK(failures > 0);
    check_empty();
}

/* The calls that may run out of memory in a world that is already there. */
typedef sn_result scene_call(scene *s);

static sn_result add_nodes(scene *s) {
    sn_node_def defs[500];
    for (int i = 0; i < 500; i++) {
        defs[i] = sn_node_def_default();
        defs[i].position = (sn_vec3){(sn_real)i, 5, 0};
        defs[i].oriented = i % 2 == 0;
    }
    return sn_nodes_create(s->world, defs, 500, NULL);
}

/* All pairs of a row with one beside it: more constraints than the world has room for. */
static sn_result add_constraints(scene *s) {
    enum { PAIRS = 9 * 60 };
    sn_distance_def defs[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        defs[i] = sn_distance_def_default();
        defs[i].node[0] = s->node[i % 60];
        defs[i].node[1] = s->node[i % 60 + 13 + i / 60];
        defs[i].compliance = (sn_real)1e-3;
    }
    return sn_constraints_create(s->world, SN_TYPE_DISTANCE, defs, PAIRS, NULL);
}

static sn_result add_body(scene *s) {
    sn_body body;
    sn_body_def def = sn_body_def_default();
    return sn_body_create(s->world, &def, &body);
}

static sn_result add_cluster(scene *s) {
    sn_cluster cluster;
    sn_cluster_def def = sn_cluster_def_default();
    def.nodes = s->node + 10;
    def.node_count = 40;
    def.damping = 2;
    return sn_cluster_create(s->world, &def, &cluster);
}

static sn_result add_one_node(scene *s) {
    sn_node node;
    sn_node_def def = sn_node_def_default();
    return sn_node_create(s->world, &def, &node);
}

static sn_result add_one_constraint(scene *s) {
    sn_constraint constraint;
    sn_attachment_def def = sn_attachment_def_default();
    def.node[0] = s->node[7];
    return sn_constraint_create(s->world, SN_TYPE_ATTACHMENT, &def, &constraint);
}

static sn_result remove_many(scene *s) {
    return sn_nodes_destroy(s->world, s->node + 20, 40);
}

static sn_result remove_body(scene *s) {
    return sn_body_destroy(s->world, s->body);
}

/* To the other integrator, which has something of its own to remember. */
static sn_result use_bdf2(scene *s) {
    sn_settings settings;
    sn_result result = sn_world_get_settings(s->world, &settings);
    settings.integrator = SN_INTEGRATOR_BDF2;
    return result == SN_OK ? sn_world_set_settings(s->world, &settings) : result;
}

static sn_result one_step(scene *s) {
    return sn_world_step(s->world, (sn_real)0.01);
}

/* Constraints that break in the first substeps in which they bear anything. */
static sn_result add_weak(scene *s) {
    sn_distance_def weak[60];
    for (int i = 0; i < 60; i++) {
        weak[i] = sn_distance_def_default();
        weak[i].break_force = (sn_real)0.1 * (sn_real)(i % 5);
        weak[i].node[0] = s->node[i];
        weak[i].node[1] = s->node[i + 61];
    }
    return sn_constraints_create(s->world, SN_TYPE_DISTANCE, weak, 60, NULL);
}

static sn_result nothing(scene *s) {
    (void)s;
    return SN_OK;
}

typedef struct call_case {
    const char *name;
    scene_call *before;
    scene_call *call;
    bool must_fail; /* whether the call has to ask for memory */
} call_case;

static const call_case call_cases[] = {
    {"sn_nodes_create", nothing, add_nodes, true},
    {"sn_constraints_create", nothing, add_constraints, true},
    {"sn_body_create", nothing, add_body, false},
    {"sn_cluster_create", nothing, add_cluster, true},
    {"sn_node_create", nothing, add_one_node, false},
    {"sn_constraint_create", nothing, add_one_constraint, false},
    {"sn_nodes_destroy", nothing, remove_many, false},
    {"sn_body_destroy", nothing, remove_body, false},
    {"sn_world_step", nothing, one_step, true},
    {"sn_world_step with breaks", add_weak, one_step, true},
    {"sn_world_step after a change to BDF2", use_bdf2, one_step, true},
};

/* Lets the nth block of a call fail, for all n, in a fresh world and in one that has stepped. */
static void run_out(const call_case *c, int solver, bool stepped) {
    uint64_t expected = 0;
    size_t failures = 0;
    for (size_t n = METER_NEVER;; n++) {
        sn_world_def def = metered();
        rig_use_solver(&def.settings, solver);
        static scene s;
        REQUIRE_OK(scene_make(&s, &def, SCENE_SMALL));
        if (stepped) {
            REQUIRE_OK(scene_step(&s, 0.01));
        }
        check_case("%s, %s, after %d blocks, %s", c->name, rig_solvers[solver].name,
                   n == METER_NEVER ? -1 : (int)n, stepped ? "stepped" : "fresh");
        REQUIRE_OK(c->before(&s));
        state before = look(s.world);
        m.fail_after = n;
        sn_result result = c->call(&s);
        m.fail_after = METER_NEVER;
        bool failed = m.failures > 0;
        CHECK(result == (failed ? SN_ERROR_MEMORY : SN_OK));
        if (failed) {
            failures++;
            CHECK(strlen(sn_last_error()) > 0);
            check_same(&before, s.world);
            CHECK_OK(c->call(&s));
        }
        uint64_t hash = hash_after_steps(&s);
        if (n == METER_NEVER) {
            /* The first round, without a failure, says what the others must come to. */
            expected = hash;
        }
        CHECK(hash == expected);
        sn_world_destroy(s.world);
        check_empty();
        if (n != METER_NEVER && !failed) {
            break;
        }
    }
    if (!stepped) {
        CHECK(failures > 0 || !c->must_fail);
    }
}

TEST(calls_without_memory) {
    for (size_t i = 0; i < sizeof call_cases / sizeof call_cases[0]; i++) {
        /* What a step needs depends on the solver. */
        int solvers = call_cases[i].call == one_step ? RIG_SOLVERS : 1;
        for (int solver = 0; solver < solvers; solver++) {
            run_out(&call_cases[i], solver, false);
            run_out(&call_cases[i], solver, true);
        }
    }
}

TEST(breaks_are_ordered) {
    for (int solver = 0; solver < RIG_SOLVERS; solver++) {
        sn_world_def def = metered();
        rig_use_solver(&def.settings, solver);
        static scene s;
        check_case("%s", rig_solvers[solver].name);
        REQUIRE_OK(scene_make(&s, &def, SCENE_SMALL));
        REQUIRE_OK(add_weak(&s));
        sn_stats stats;
        const sn_break_event *events = NULL;
        size_t count = 0;
        REQUIRE_OK(scene_step(&s, 0.01));
        REQUIRE_OK(sn_world_stats(s.world, &stats));
        REQUIRE_OK(sn_world_breaks(s.world, &events, &count));
        CHECK(count > 1 && count == stats.broken);
        CHECK(count > 0 && events[0].substep == 0 && events[count - 1].substep > 0);
        for (size_t i = 1; i < count; i++) {
            bool later = events[i].substep > events[i - 1].substep;
            bool same = events[i].substep == events[i - 1].substep;
            CHECK(later || (same && events[i].constraint.slot > events[i - 1].constraint.slot));
        }
        sn_world_destroy(s.world);
        check_empty();
    }
}

TESTS(RUN(all_memory_goes_back), RUN(steady_steps_allocate_nothing), RUN(creation_without_memory),
      RUN(calls_without_memory), RUN(breaks_are_ordered))
