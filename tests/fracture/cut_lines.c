/*
 * Ropes and rods that are cut: what was between the ends of a line is gone, for constraints,
 * contacts and air alike; and a thread that slides comes out of what it went through.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bodies/meshed_body.h"
#include "snapshot.h"

enum { SEGMENTS = 8 };

static sn_world *falling_world(int substeps) {
    sn_world *world = still_world(substeps, 0);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){0, (sn_real)-9.81, 0};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    return world;
}

/* A disc of 5 cm across x at a place. */
static sn_blade_def blade_at(double x, double y) {
    sn_blade_def blade = sn_blade_def_default();
    blade.point = (sn_vec3){(sn_real)x, (sn_real)y, 0};
    blade.normal = (sn_vec3){1, 0, 0};
    blade.radius = (sn_real)0.05;
    return blade;
}

static double height_of(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return (double)def.position.y;
}

static size_t segments_of(const body *b) {
    sn_collision_surface_def def = sn_collision_surface_def_default();
    REQUIRE_OK(sn_collision_surface_get(b->world, b->build.surface, &def));
    return def.segment_count;
}

static size_t dragged_lines(const sn_world *world) {
    sn_drag drag;
    sn_drag_def def = sn_drag_def_default();
    if (sn_world_drag_at(world, 0, &drag) != SN_OK) return 0;
    REQUIRE_OK(sn_drag_get(world, drag, &def));
    return def.element_count;
}

/* How many constraints have both of two nodes. */
static size_t count_between(const sn_world *world, sn_node a, sn_node b) {
    size_t found = 0, left = sn_world_constraint_count(world, SN_TYPE_COUNT);
    for (size_t slot = 0; left > 0; slot++) {
        sn_constraint c;
        sn_node nodes[64];
        size_t count = 0;
        int has = 0;
        if (sn_world_constraint_at(world, slot, &c) != SN_OK) continue;
        left--;
        REQUIRE_OK(sn_constraint_get_nodes(world, c, nodes, 64, &count));
        for (size_t i = 0; i < count; i++)
            has += nodes[i].slot == a.slot || nodes[i].slot == b.slot;
        found += has == 2;
    }
    return found;
}

/* ---- Lines ---- */

static body make_line(int variant, bool held) {
    sn_rope_material rope = sn_rope_material_default();
    sn_rod_material rod = sn_rod_material_default();
    sn_build_def def = sn_build_def_default();
    static const uint32_t ends[] = {0, SEGMENTS};
    rope.radius = rod.radius = (sn_real)0.02;
    rope.drag = rod.drag = (sn_real)1.2;
    rope.bending_stiffness = variant == 1 ? (sn_real)0.01 : 0;
    rope.young = (sn_real)1e7;
    rod.young = (sn_real)1e6;
    rod.model = variant == 3;
    def.collide = SN_COLLIDE_ALL;
    def.pins = ends;
    def.pin_count = held ? 2 : 0;
    sn_kind kind = variant < 2 ? SN_KIND_ROPE : SN_KIND_ROD;
    const void *material = variant < 2 ? (const void *)&rope : (const void *)&rod;
    return body_make(falling_world(10), kind, material, line_mesh(1, SEGMENTS), &def);
}

TEST(nothing_is_left_between_the_ends_of_a_line) {
    for (int variant = 0; variant < 4; variant++) {
        body b = make_line(variant, false);
        double x[3], y[3];
        size_t lines = 77;
        check_case("variant %d", variant);
        body_position(&b, 3, x);
        body_position(&b, 4, y);
        sn_blade_def blade = blade_at((x[0] + y[0]) / 2, x[1]);
        CHECK(count_between(b.world, b.nodes[3], b.nodes[4]) > 0);
        CHECK(segments_of(&b) == SEGMENTS && dragged_lines(b.world) == SEGMENTS);
        REQUIRE_OK(sn_body_cut(b.world, b.build.body, &blade, &lines));
        CHECK(lines == 1);
        CHECK(count_between(b.world, b.nodes[3], b.nodes[4]) == 0);
        CHECK(count_between(b.world, b.nodes[2], b.nodes[3]) > 0);
        CHECK(segments_of(&b) == SEGMENTS - 1 && dragged_lines(b.world) == SEGMENTS - 1);
        REQUIRE_OK(sn_body_cut(b.world, b.build.body, &blade, &lines));
        CHECK(lines == 0);
        /* Lines that the caller names. */
        sn_node two[4] = {b.nodes[0], b.nodes[1], b.nodes[7], b.nodes[6]};
        REQUIRE_OK(sn_lines_cut(b.world, two, 2));
        CHECK(count_between(b.world, b.nodes[0], b.nodes[1]) == 0);
        CHECK(count_between(b.world, b.nodes[6], b.nodes[7]) == 0);
        CHECK(segments_of(&b) == SEGMENTS - 3);
        two[1] = two[0];
        CHECK_FAILS(sn_lines_cut(b.world, two, 2), SN_ERROR_DEGENERATE);
        body_run(&b, 5, 1.0 / 60);
        body_free(&b);
    }
}

/* A ball falls on the middle of a line of two fixed nodes. */
static double fall_on_line(bool cut) {
    static const sn_vec3 ends[] = {{(sn_real)-0.5, 0, 0}, {(sn_real)0.5, 0, 0}};
    sn_rope_material rope = sn_rope_material_default();
    sn_build_def def = sn_build_def_default();
    static const uint32_t pins[] = {0, 1};
    sn_mesh mesh = points_mesh(ends, 2);
    static const uint32_t line[1][2] = {{0, 1}};
    REQUIRE_OK(sn_mesh_add_lines(&mesh, line, 1));
    rope.radius = (sn_real)0.02;
    def.collide = SN_COLLIDE_ALL;
    def.pins = pins;
    def.pin_count = 2;
    body b = body_make(falling_world(10), SN_KIND_ROPE, &rope, mesh, &def);
    sn_node_def ball = sn_node_def_default();
    sn_collision_surface_def surface = sn_collision_surface_def_default();
    sn_collision_surface made;
    sn_node node;
    ball.position = (sn_vec3){0, (sn_real)0.2, 0};
    ball.radius = (sn_real)0.05;
    REQUIRE_OK(sn_node_create(b.world, &ball, &node));
    surface.nodes = &node;
    surface.node_count = 1;
    REQUIRE_OK(sn_collision_surface_create(b.world, &surface, &made));
    /* The pairs that were found before the cut are not gone on with. */
    body_run(&b, 9, 1.0 / 60);
    sn_blade_def blade = blade_at(0.1, 0);
    size_t lines = 0;
    if (cut) REQUIRE_OK(sn_body_cut(b.world, b.build.body, &blade, &lines));
    CHECK(lines == (cut ? 1 : 0));
    body_run(&b, 15, 1.0 / 60);
    double y = height_of(b.world, node);
    body_free(&b);
    return y;
}

TEST(nothing_is_met_where_a_line_was) {
    CHECK_NEAR(fall_on_line(false), 0.07, 2e-3);
    CHECK(fall_on_line(true) < -0.3);
}

/* What breaks is not met any more either. Every other node is held, so that each line carries. */
TEST(a_line_that_broke_is_not_met) {
    sn_rope_material rope = sn_rope_material_default();
    sn_build_def def = sn_build_def_default();
    uint32_t pins[SEGMENTS / 2 + 1];
    for (uint32_t i = 0; i <= SEGMENTS / 2; i++) pins[i] = 2 * i;
    rope.break_force = (sn_real)1e-6;
    def.collide = SN_COLLIDE_ALL;
    def.pins = pins;
    def.pin_count = SEGMENTS / 2 + 1;
    for (int slides = 0; slides < 2; slides++) {
        check_case("slides %d", slides);
        rope.slides = slides;
        body b = body_make(falling_world(10), SN_KIND_ROPE, &rope, line_mesh(1, SEGMENTS), &def);
        CHECK(segments_of(&b) == SEGMENTS);
        body_run(&b, 10, 1.0 / 60);
        CHECK(sn_world_constraint_count(b.world, SN_TYPE_COUNT) == 0);
        CHECK(segments_of(&b) == 0);
        body_free(&b);
    }
}

/* ---- Threads that slide ---- */

/* A thread from a weight over two rings to another weight. Rings are fixed nodes of it, or its own
   nodes are attached to places in the world. */
static body make_thread(bool pinned) {
    static const sn_vec3 places[] = {
        {(sn_real)-0.5, 0, 0}, {(sn_real)-0.5, 1, 0}, {(sn_real)0.5, 1, 0}, {(sn_real)0.5, 0, 0}};
    static const uint32_t lines[3][2] = {{0, 1}, {1, 2}, {2, 3}}, rings[] = {1, 2};
    sn_mesh mesh = points_mesh(places, 4);
    sn_rope_material rope = sn_rope_material_default();
    sn_build_def def = sn_build_def_default();
    REQUIRE_OK(sn_mesh_add_lines(&mesh, lines, 3));
    rope.slides = 1;
    rope.young = (sn_real)1e8;
    def.pins = rings;
    def.pin_count = pinned ? 2 : 0;
    body b = body_make(falling_world(20), SN_KIND_ROPE, &rope, mesh, &def);
    for (int i = 0; i < 4; i += 3) REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 1));
    for (int i = 1; !pinned && i < 3; i++) {
        sn_attachment_def hold = sn_attachment_def_default();
        sn_constraint made;
        hold.node[0] = b.nodes[i];
        REQUIRE_OK(sn_constraint_create(b.world, SN_TYPE_ATTACHMENT, &hold, &made));
    }
    return b;
}

/* Both weights fall freely from then on; what is left of the thread goes with them and keeps its
   length. */
TEST(a_thread_that_is_cut_carries_nothing) {
    for (int pinned = 0; pinned < 2; pinned++) {
        check_case("pinned %d", pinned);
        body b = make_thread(pinned);
        size_t lines = 0;
        double before, after, x[3], y[3];
        body_run(&b, 30, 1.0 / 60);
        before = height_of(b.world, b.nodes[3]);
        CHECK_NEAR(before, 0, 5e-3);
        sn_blade_def blade = blade_at(0, 1);
        REQUIRE_OK(sn_body_cut(b.world, b.build.body, &blade, &lines));
        CHECK(lines == 1);
        CHECK(sn_world_constraint_count(b.world, SN_TYPE_LACE) == 0);
        CHECK(sn_world_constraint_count(b.world, SN_TYPE_COUNT) == (pinned ? 0 : 2));
        body_run(&b, 30, 1.0 / 60);
        for (int i = 0; i < 4; i += 3) {
            after = height_of(b.world, b.nodes[i]);
            CHECK_NEAR(after - before, -9.81 * 0.125, 0.03);
        }
        body_position(&b, 2, x);
        body_position(&b, 3, y);
        double length = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
        CHECK(pinned ? x[1] == 1 : length < 1.001);
        body_free(&b);
    }
}

/* Of a cut that hits nothing, and of one elsewhere, nothing is known. */
TEST(a_thread_that_is_missed_holds) {
    body b = make_thread(true);
    size_t lines = 77;
    sn_blade_def blade = blade_at(0, 0.5);
    uint64_t before = sn_world_hash(b.world);
    REQUIRE_OK(sn_body_cut(b.world, b.build.body, &blade, &lines));
    CHECK(lines == 0 && sn_world_hash(b.world) == before);
    blade.normal = (sn_vec3){0, 0, 0};
    CHECK_FAILS(sn_body_cut(b.world, b.build.body, &blade, &lines), SN_ERROR_VALUE);
    body_free(&b);
}

/* ---- Snapshots and recordings ---- */

TEST(what_was_cut_goes_on_from_a_snapshot) {
    for (int variant = 0; variant < 5; variant++) {
        check_case("variant %d", variant);
        body b = variant < 4 ? make_line(variant, true) : make_thread(false);
        sn_world *copy = falling_world(10);
        sn_blade_def blade = variant < 4 ? blade_at(0.06, 0) : blade_at(0, 1);
        size_t size, lines = 0;
        blade.radius = SN_AUTO;
        body_run(&b, 5, 1.0 / 60);
        REQUIRE_OK(sn_body_cut(b.world, b.build.body, &blade, &lines));
        CHECK(lines == 1);
        body_run(&b, 5, 1.0 / 60);
        void *data = snapshot_of(b.world, &size);
        REQUIRE_OK(sn_snapshot_load(copy, data, size));
        free(data);
        for (int i = 0; i < 20; i++) REQUIRE_OK(sn_world_step(copy, (sn_real)(1.0 / 60)));
        body_run(&b, 20, 1.0 / 60);
        CHECK(sn_world_hash(copy) == sn_world_hash(b.world));
        sn_world_destroy(copy);
        body_free(&b);
    }
}

TEST(cuts_are_in_recordings) {
    for (int variant = 3; variant < 5; variant++) {
        body b = variant < 4 ? make_line(variant, true) : make_thread(false);
        sn_blade_def blade = variant < 4 ? blade_at(0.06, 0) : blade_at(0, 1);
        sn_world *again = falling_world(10);
        sn_replay_report report;
        const char *file = sizeof(sn_real) == 4 ? "cut_lines.reco" : "cut_lines_f64.reco";
        blade.radius = SN_AUTO;
        check_case("variant %d", variant);
        REQUIRE_OK(sn_recording_start(b.world, file));
        body_run(&b, 3, 1.0 / 60);
        REQUIRE_OK(sn_body_cut(b.world, b.build.body, &blade, NULL));
        body_run(&b, 10, 1.0 / 60);
        REQUIRE_OK(sn_recording_stop(b.world));
        CHECK_OK(sn_replay_file(again, file, &report));
        CHECK(report.steps == 13 && !report.differs && !report.truncated);
        CHECK(sn_world_hash(again) == sn_world_hash(b.world));
        CHECK(remove(file) == 0);
        sn_world_destroy(again);
        body_free(&b);
    }
}

TESTS(RUN(nothing_is_left_between_the_ends_of_a_line), RUN(nothing_is_met_where_a_line_was),
      RUN(a_line_that_broke_is_not_met), RUN(a_thread_that_is_cut_carries_nothing),
      RUN(a_thread_that_is_missed_holds), RUN(what_was_cut_goes_on_from_a_snapshot),
      RUN(cuts_are_in_recordings))
