/* Ropes and rods whose length changes: a load goes up at the speed of the winch. */
#include <math.h>

#include "meshed_body.h"

enum { SEGMENTS = 10, STEPS = 120 };

static const double speed = 0.25; /* m/s */

static const double load = 0.5; /* kg */

/* A line of 1 m that hangs from its first vertex, with a load at its last. */
static body hang(sn_kind kind, double at_rest, sn_solver solver) {
    sn_rope_material rope = sn_rope_material_default();
    sn_rod_material rod = sn_rod_material_default();
    sn_settings settings = sn_settings_default();
    sn_world *world = still_world(solver == SN_SOLVER_DIRECT ? 20 : 400, 0);
    static const uint32_t first = 0;
    sn_build_def def = sn_build_def_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){0, (sn_real)-9.81, 0};
    settings.solver = solver;
    settings.keep_forces = true;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    /* Sweeps follow what is a jerk once a step where the line is elastic and damped. */
    rope.young = rod.young = (sn_real)(solver == SN_SOLVER_DIRECT ? 1e9 : 1e8);
    rope.damping = rod.damping = (sn_real)(solver == SN_SOLVER_DIRECT ? 0.001 : 0.005);
    rope.length = rod.length = (sn_real)at_rest;
    def.pins = &first;
    def.pin_count = 1;
    def.rotation = (sn_quat){0, 0, (sn_real)-sqrt(0.5), (sn_real)sqrt(0.5)};
    const void *material = kind == SN_KIND_ROPE ? (const void *)&rope : (const void *)&rod;
    body b = body_make(world, kind, material, line_mesh(1, SEGMENTS), &def);
    REQUIRE_OK(sn_node_set_inverse_mass(world, b.nodes[SEGMENTS], (sn_real)(1 / load)));
    return b;
}

static void brake(const body *b) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(b->world, &settings));
    settings.damping = 10;
    REQUIRE_OK(sn_world_set_settings(b->world, &settings));
}

static double tension_of(const body *b, sn_kind kind) {
    sn_type type = kind == SN_KIND_ROPE ? SN_TYPE_DISTANCE : SN_TYPE_STRETCH_SHEAR;
    sn_constraint last = {0};
    sn_real force[9];
    size_t left = count_type(b->world, type);
    for (size_t i = 0; left > 0; i++) {
        sn_constraint c;
        sn_type found;
        if (sn_world_constraint_at(b->world, i, &c) != SN_OK) continue;
        REQUIRE_OK(sn_constraint_get_type(b->world, c, &found));
        if (found != type) continue;
        last = c;
        left--;
    }
    sn_node node[2];
    size_t count;
    REQUIRE_OK(sn_constraint_get_nodes(b->world, last, node, 2, &count));
    REQUIRE_OK(sn_constraint_force(b->world, last, force));
    /* The multiplier of a segment is of C without unit. */
    double length = 1;
    sn_real rest[3];
    REQUIRE_OK(sn_constraint_get_field(b->world, last, "rest_length", rest));
    if (kind == SN_KIND_ROD) length = (double)rest[0];
    return fabs((double)force[kind == SN_KIND_ROPE ? 0 : 2]) / length;
}

/* Once a step the line is shorter by speed times the step, so that the load is where it should be
   to within that; half of it is wound up in the end, and then all of it let out again. E A is
   at least 8e3 N: it is stretched by 0.06 %. */
TEST(a_load_goes_up_with_the_winch) {
    static const struct {
        sn_kind kind;
        sn_solver solver;
    } cases[] = {{SN_KIND_ROPE, SN_SOLVER_DIRECT},
                 {SN_KIND_ROD, SN_SOLVER_DIRECT},
                 {SN_KIND_ROD, SN_SOLVER_COLOURED}};
    for (int i = 0; i < 3; i++) {
        sn_kind kind = cases[i].kind;
        body b = hang(kind, 1, cases[i].solver);
        double length = 1, dt = 1.0 / 60, x[3];
        check_case("%s, %s", i > 0 ? "rod" : "rope", i < 2 ? "direct" : "coloured");
        for (int step = 0; step < 2 * STEPS; step++) {
            double next = length + (step < STEPS ? -1 : 1) * speed * dt;
            REQUIRE_OK(sn_body_scale_length(b.world, b.build.body, (sn_real)(next / length)));
            length = next;
            body_run(&b, 1, dt);
            body_position(&b, SEGMENTS, x);
            CHECK_NEAR(-x[1], length, 1.5 * speed * dt);
        }
        CHECK_NEAR(length, 1, 1e-9);
        brake(&b);
        body_run(&b, 300, dt);
        CHECK_REL(tension_of(&b, kind), load * 9.81, 0.02);
        body_free(&b);
    }
}

/* What is built shorter than its mesh contracts to that. */
TEST(a_line_may_be_shorter_than_its_mesh) {
    for (int i = 0; i < 2; i++) {
        sn_kind kind = i ? SN_KIND_ROD : SN_KIND_ROPE;
        body b = hang(kind, 0.95, SN_SOLVER_DIRECT);
        double x[3];
        check_case("%s", i ? "rod" : "rope");
        brake(&b);
        body_run(&b, 240, 1.0 / 60);
        body_position(&b, SEGMENTS, x);
        CHECK_REL(-x[1], 0.95, 0.002);
        body_free(&b);
    }
}

static sn_constraint first_of(const body *b, sn_type type) {
    sn_constraint c = {0};
    sn_type found = SN_TYPE_COUNT;
    for (size_t i = 0; i < sn_world_constraint_count(b->world, SN_TYPE_COUNT); i++) {
        REQUIRE_OK(sn_world_constraint_at(b->world, i, &c));
        REQUIRE_OK(sn_constraint_get_type(b->world, c, &found));
        if (found == type) break;
    }
    CHECK(found == type);
    return c;
}

/* What turns a joint at rest stays, over a part of the length; E I, G J and what the rod stands
   before it yields are of the rod. */
TEST(a_shorter_rod_is_made_of_the_same) {
    const sn_real part = (sn_real)0.8;
    body b = hang(SN_KIND_ROD, 1, SN_SOLVER_COLOURED);
    sn_constraint joint = first_of(&b, SN_TYPE_BEND_TWIST);
    sn_bend_twist_def before = sn_bend_twist_def_default(), after = before;
    REQUIRE_OK(sn_constraint_get(b.world, joint, &before));
    before.rest_darboux = (sn_vec3){(sn_real)0.3, (sn_real)-0.2, (sn_real)0.1};
    before.plastic_darboux = (sn_vec3){(sn_real)-0.02, (sn_real)0.03, (sn_real)0.01};
    before.yield = (sn_vec3){5, 6, 7};
    before.creep = 2;
    before.plastic_limit = 9;
    REQUIRE_OK(sn_constraint_set(b.world, joint, &before));
    REQUIRE_OK(sn_body_scale_length(b.world, b.build.body, part));
    body_run(&b, 1, 1.0 / 60);
    REQUIRE_OK(sn_constraint_get(b.world, joint, &after));
    CHECK_REL(after.rest_length, part * before.rest_length, 1e-4);
    CHECK_REL(after.rest_darboux.x, before.rest_darboux.x / part, 1e-4);
    CHECK_REL(after.rest_darboux.y, before.rest_darboux.y / part, 1e-4);
    CHECK_REL(after.rest_darboux.z, before.rest_darboux.z / part, 1e-4);
    CHECK_REL(after.plastic_darboux.x, before.plastic_darboux.x / part, 1e-4);
    CHECK_REL(after.plastic_darboux.y, before.plastic_darboux.y / part, 1e-4);
    CHECK_REL(after.plastic_darboux.z, before.plastic_darboux.z / part, 1e-4);
    CHECK(after.yield.x == 5 && after.yield.y == 6 && after.yield.z == 7);
    CHECK(after.creep == 2 && after.plastic_limit == 9);
    CHECK(after.bend_stiffness_x == before.bend_stiffness_x);
    CHECK(after.bend_stiffness_y == before.bend_stiffness_y);
    CHECK(after.twist_stiffness == before.twist_stiffness);
    body_free(&b);
}

/* What was asked for before a step is in a snapshot, and in a recording by its call. */
TEST(a_snapshot_has_what_was_asked_for) {
    static unsigned char bytes[1 << 20];
    body b = hang(SN_KIND_ROD, 1, SN_SOLVER_COLOURED);
    size_t size;
    body_run(&b, 2, 1.0 / 60);
    REQUIRE_OK(sn_body_scale_length(b.world, b.build.body, (sn_real)0.95));
    REQUIRE_OK(sn_snapshot_save(b.world, bytes, sizeof bytes, &size));
    body_run(&b, 3, 1.0 / 60);
    uint64_t after = sn_world_hash(b.world);
    sn_world *other = still_world(1, 0);
    REQUIRE_OK(sn_snapshot_load(other, bytes, size));
    for (int i = 0; i < 3; i++) REQUIRE_OK(sn_world_step(other, (sn_real)(1.0 / 60)));
    CHECK(sn_world_hash(other) == after);
    sn_world_destroy(other);
    /* Twice before a step is the product. */
    body c = hang(SN_KIND_ROD, 1, SN_SOLVER_COLOURED);
    body_run(&c, 2, 1.0 / 60);
    REQUIRE_OK(sn_body_scale_length(c.world, c.build.body, (sn_real)0.5));
    REQUIRE_OK(sn_body_scale_length(c.world, c.build.body, (sn_real)1.9));
    body_run(&c, 3, 1.0 / 60);
    double x[3], y[3];
    body_position(&b, SEGMENTS, x);
    body_position(&c, SEGMENTS, y);
    CHECK_NEAR(x[1], y[1], 1e-5);
    body_free(&b);
    body_free(&c);
}

TEST(what_has_no_lines_has_no_length) {
    sn_particles_material m = sn_particles_material_default();
    sn_vec3 at[2] = {{0, 0, 0}, {1, 0, 0}};
    body b = body_make(still_world(1, 0), SN_KIND_PARTICLES, &m, points_mesh(at, 2), NULL);
    CHECK_FAILS(sn_body_scale_length(b.world, b.build.body, 2), SN_ERROR_DEGENERATE);
    CHECK_FAILS(sn_body_scale_length(b.world, b.build.body, 0), SN_ERROR_VALUE);
    CHECK_FAILS(sn_body_scale_length(NULL, b.build.body, 1), SN_ERROR_NULL);
    CHECK_FAILS(sn_body_scale_length(b.world, (sn_body){0}, 1), SN_ERROR_ID);
    body_free(&b);
}

/* m: of all distances of a line. */
static double length_of(const body *b) {
    double sum = 0;
    size_t left = count_type(b->world, SN_TYPE_DISTANCE);
    for (size_t i = 0; left > 0; i++) {
        sn_constraint c;
        sn_type found;
        sn_real rest[3];
        if (sn_world_constraint_at(b->world, i, &c) != SN_OK) continue;
        REQUIRE_OK(sn_constraint_get_type(b->world, c, &found));
        if (found != SN_TYPE_DISTANCE) continue;
        REQUIRE_OK(sn_constraint_get_field(b->world, c, "rest_length", rest));
        sum += (double)rest[0];
        left--;
    }
    return sum;
}

/* A step below a microsecond is carried over to the next one, and so is the winch; one of a
   microsecond is taken. */
TEST(a_winch_waits_for_a_step_that_is_taken) {
    body b = hang(SN_KIND_ROPE, 1, SN_SOLVER_COLOURED);
    CHECK_OK(sn_body_scale_length(b.world, b.build.body, (sn_real)0.9));
    CHECK_OK(sn_world_step(b.world, (sn_real)4e-7));
    CHECK_REL(length_of(&b), 1, 1e-6);
    CHECK_OK(sn_world_step(b.world, (sn_real)7e-7));
    CHECK_REL(length_of(&b), 0.9, 1e-6);
    CHECK_OK(sn_body_scale_length(b.world, b.build.body, (sn_real)0.5));
    CHECK_OK(sn_world_step(b.world, (sn_real)1e-6));
    CHECK_REL(length_of(&b), 0.45, 1e-6);
    body_free(&b);
}

TESTS(RUN(a_shorter_rod_is_made_of_the_same), RUN(a_load_goes_up_with_the_winch),
      RUN(a_line_may_be_shorter_than_its_mesh), RUN(a_snapshot_has_what_was_asked_for),
      RUN(a_winch_waits_for_a_step_that_is_taken), RUN(what_has_no_lines_has_no_length))
