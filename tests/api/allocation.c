/*
 * Memory: every byte comes from the world's allocator and goes back to it, a steady step asks for
 * none, and a call that gets none fails, changes nothing and can be made again.
 */
#include <string.h>

#include "base/meter.h"
#include "check.h"
#include "constraints/rig.h"
#include "mixed_world.h"

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

/* ---- Constraints with lists, and types of the user's ---- */

/* The first rows of the cloth as a surface of squares with a diagonal each. */
enum { SKIN_SIDE = SCENE_SMALL, SKIN_ROWS = 3, SKIN_CELLS = (SKIN_SIDE - 1) * (SKIN_ROWS - 1) };

static size_t surface_triangles(uint32_t (*triangle)[3]) {
    size_t count = 0;
    for (uint32_t i = 0; i < SKIN_CELLS; i++) {
        uint32_t a = i / (SKIN_SIDE - 1) * SKIN_SIDE + i % (SKIN_SIDE - 1), c = a + SKIN_SIDE;
        const uint32_t corner[2][3] = {{a, a + 1, c + 1}, {a, c + 1, c}};
        memcpy(triangle[count], corner, sizeof corner);
        count += 2;
    }
    return count;
}

/* What the last of the calls below has made. */
static sn_constraint made_list[4];

static sn_result bend_surface(scene *s) {
    uint32_t triangle[2 * SKIN_CELLS][3];
    size_t count = 99, triangles = surface_triangles(triangle);
    sn_constraint made[SKIN_SIDE * SKIN_ROWS];
    sn_surface surface = {s->node, SKIN_SIDE * SKIN_ROWS, triangle[0], triangles};
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    def.compliance = 10;
    sn_result result = sn_surface_bend(s->world, &surface, &def, made, &count);
    CHECK(count == (result == SN_OK ? (SKIN_SIDE - 2) * (SKIN_ROWS - 2) : 99));
    if (result == SN_OK) made_list[2] = made[0];
    return result;
}

/* Tetrahedra on corners of the cloth, and rings on the same. */
static sn_result add_lists(scene *s) {
    static const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    enum { LISTS = 6 };
    sn_surface_volume_def volume[LISTS];
    sn_node node[LISTS][4];
    for (int i = 0; i < LISTS; i++) {
        sn_node corner[4] = {s->node[2 * i], s->node[2 * i + 1], s->node[2 * i + SCENE_SMALL],
                             s->node[2 * i + 2 * SCENE_SMALL + 3]};
        memcpy(node[i], corner, sizeof corner);
        volume[i] = sn_surface_volume_def_default();
        volume[i].nodes = node[i];
        volume[i].node_count = 4;
        volume[i].triangles = tetrahedron;
        volume[i].triangle_count = 4;
        volume[i].compliance = (sn_real)1e-6;
        volume[i].break_force = i % 5 == 0 ? (sn_real)1e-3 : SN_AUTO;
    }
    sn_constraint made[LISTS];
    sn_result result = sn_constraints_create(s->world, SN_TYPE_SURFACE_VOLUME, volume, LISTS, made);
    if (result == SN_OK) made_list[0] = made[1];
    return result;
}

static sn_result add_one_list(scene *s) {
    sn_vertex_bending_def ring = sn_vertex_bending_def_default();
    sn_node node[5] = {s->node[30], s->node[31], s->node[42], s->node[29], s->node[18]};
    ring.nodes = node;
    ring.node_count = 5;
    ring.compliance = 1;
    return sn_constraint_create(s->world, SN_TYPE_VERTEX_BENDING, &ring, &made_list[1]);
}

static sn_result add_all_lists(scene *s) {
    REQUIRE_OK(add_lists(s));
    REQUIRE_OK(add_one_list(s));
    return bend_surface(s);
}

static sn_result remove_lists(scene *s) {
    sn_result result = sn_constraint_destroy(s->world, made_list[1]);
    return result == SN_OK ? sn_constraint_destroy(s->world, made_list[0]) : result;
}

static sn_result set_list(scene *s) {
    sn_vertex_bending_def ring = sn_vertex_bending_def_default();
    sn_node node[5];
    size_t count;
    REQUIRE_OK(sn_constraint_get_nodes(s->world, made_list[1], node, 5, &count));
    REQUIRE_OK(sn_constraint_get(s->world, made_list[1], &ring));
    ring.nodes = node;
    ring.compliance = 2;
    return sn_constraint_set(s->world, made_list[1], &ring);
}

static sn_result set_list_field(scene *s) {
    sn_real pressure[3] = {(sn_real)1.5, 0, 0};
    return sn_constraint_set_field(s->world, made_list[0], "pressure", pressure);
}

/* How far two nodes are from each other, squared. */
static void square_formula(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        b->value[0][i] = -b->parameter[0][i];
        for (int a = 0; a < 3; a++) {
            b->value[0][i] += b->x[1][a][i] * b->x[1][a][i];
            b->gradient[0][a][i] = -2 * b->x[1][a][i];
            b->gradient[1][a][i] = 2 * b->x[1][a][i];
        }
    }
}

static sn_result add_type(scene *s) {
    static const sn_user_parameter square = {"square", "m^2", 0, 1, 0.01};
    sn_user_type_def def = sn_user_type_def_default();
    sn_type type = SN_TYPE_COUNT;
    def.name = "square";
    def.formula = square_formula;
    def.parameters = &square;
    def.parameter_count = 1;
    sn_result result = sn_world_add_type(s->world, &def, &type);
    CHECK(type == (result == SN_OK ? SN_TYPE_USER : SN_TYPE_COUNT));
    CHECK((sn_world_type_info(s->world, SN_TYPE_USER) != NULL) == (result == SN_OK));
    return result;
}

static sn_result use_type(scene *s) {
    sn_user_def def[40];
    for (int i = 0; i < 40; i++) {
        REQUIRE_OK(sn_user_def_default(s->world, SN_TYPE_USER, &def[i]));
        def[i].node[0] = s->node[i];
        def[i].node[1] = s->node[i + 2 * SCENE_SMALL];
        def[i].compliance = (sn_real)1e-3;
        def[i].parameter[0] = (sn_real)0.04;
    }
    return sn_constraints_create(s->world, SN_TYPE_USER, def, 40, NULL);
}

/* ---- Accounting ---- */

TEST(all_memory_goes_back) {
    sn_world_def def = metered();
    static scene s;
    REQUIRE_OK(scene_make(&s, &def, SCENE_SMALL));
    REQUIRE_OK(add_all_lists(&s));
    REQUIRE_OK(add_type(&s));
    REQUIRE_OK(use_type(&s));
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
        REQUIRE_OK(add_all_lists(&s));
        REQUIRE_OK(add_type(&s));
        REQUIRE_OK(use_type(&s));
        REQUIRE_OK(scene_step(&s, c->dt[0]));
        REQUIRE_OK(scene_step(&s, c->dt[1]));
        size_t calls = m.calls;
        for (int step = 0; step < (check_long() ? 50 : 10); step++) {
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

static sn_result add_damping_group(scene *s) {
    sn_damping_group damping_group;
    sn_damping_group_def def = sn_damping_group_def_default();
    def.nodes = s->node + 10;
    def.node_count = 40;
    def.damping = 2;
    return sn_damping_group_create(s->world, &def, &damping_group);
}

/* Overlapping regions of four, with everything that takes memory of its own. */
static sn_result add_matching(scene *s) {
    enum { MEMBERS = 40, REGIONS = 37 };
    sn_shape_matching matching;
    sn_shape_matching_def def = sn_shape_matching_def_default();
    uint32_t first[REGIONS + 1], members[4 * REGIONS];
    for (uint32_t r = 0; r <= REGIONS; r++) first[r] = 4 * r;
    for (uint32_t i = 0; i < 4 * REGIONS; i++) members[i] = i / 4 + i % 4;
    def.nodes = s->node + 10;
    def.node_count = MEMBERS;
    def.first = first;
    def.members = members;
    def.region_count = REGIONS;
    def.compliance = (sn_real)1e-3;
    def.plastic_yield = (sn_real)0.1;
    def.damping = 1;
    return sn_shape_matching_create(s->world, &def, &matching);
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
    {"sn_damping_group_create", nothing, add_damping_group, true},
    {"sn_shape_matching_create", nothing, add_matching, true},
    {"sn_world_step with a matching", add_matching, one_step, true},
    {"sn_node_create", nothing, add_one_node, false},
    {"sn_constraint_create", nothing, add_one_constraint, false},
    {"sn_nodes_destroy", nothing, remove_many, false},
    {"sn_body_destroy", nothing, remove_body, false},
    {"sn_world_step", nothing, one_step, true},
    {"sn_world_step with breaks", add_weak, one_step, true},
    {"sn_world_step after a change to BDF2", use_bdf2, one_step, true},
    {"sn_surface_bend", nothing, bend_surface, true},
    {"sn_constraints_create with lists", nothing, add_lists, true},
    {"sn_constraint_create with a list", nothing, add_one_list, true},
    {"sn_constraint_create with a list beside others", add_all_lists, add_one_list, true},
    {"sn_constraint_destroy with lists", add_all_lists, remove_lists, false},
    {"sn_constraint_set with a list", add_all_lists, set_list, true},
    {"sn_constraint_set_field with a list", add_all_lists, set_list_field, true},
    {"sn_nodes_destroy with lists", add_all_lists, remove_many, false},
    {"sn_world_add_type", nothing, add_type, true},
    {"sn_world_add_type beside others", add_all_lists, add_type, true},
    {"sn_constraints_create of a user's type", add_type, use_type, true},
};

/* Lets the nth block of a call fail, for all n or every third, in a fresh world and in one that has
   stepped. */
static void run_out(const call_case *c, int solver, bool stepped) {
    uint64_t expected = 0;
    size_t failures = 0;
    const size_t next = check_long() ? 1 : check_sample() ? 37 : 3;
    for (size_t n = METER_NEVER;; n += n == METER_NEVER ? 1 : next) {
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
