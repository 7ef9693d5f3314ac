/*
 * What air does to lines and balls: terminal speeds by the formula, wind and gusts, that nothing is
 * turned round; and drag and lift that differ from vertex to vertex of a sheet.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/meshed_body.h"
#include "snapshot.h"

#ifdef SN_DOUBLE
#define FILE_NAME "air_drag_f64.reco"
#else
#define FILE_NAME "air_drag.reco"
#endif

static const double DENSITY = 1.2, G = 9.81, CIRCLE = 3.14159265358979323846;

static sn_world *airy_world(double gravity, sn_vec3 wind) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.settings.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    def.settings.substeps = 10;
    def.settings.air_density = (sn_real)DENSITY;
    def.settings.wind = wind;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static void momentum_of(const sn_world *world, double p[3]) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(world, &m));
    for (int k = 0; k < 3; k++) p[k] = m.momentum[k];
}

/* ---- Terminal speeds ---- */

TEST(a_ball_falls_with_its_terminal_speed) {
    sn_particles_material m = sn_particles_material_default();
    sn_build_def def = sn_build_def_default();
    const sn_vec3 at = {0, 0, 0};
    double r = 0.02, mass = 900 * 4 * CIRCLE / 3 * r * r * r, p[3];
    double expected = sqrt(2 * mass * G / (DENSITY * CIRCLE * r * r * 0.47));
    m.radius = (sn_real)r;
    m.density = 900;
    m.drag = (sn_real)0.47;
    body b = body_make(airy_world(G, (sn_vec3){0, 0, 0}), SN_KIND_PARTICLES, &m,
                       points_mesh(&at, 1), &def);
    body_run(&b, 120, 1.0 / 60);
    momentum_of(b.world, p);
    CHECK_REL(-p[1] / b.build.mass, expected * tanh(G * 2 / expected), 1e-3);
    body_run(&b, 1200, 1.0 / 60);
    momentum_of(b.world, p);
    CHECK_REL(-p[1] / b.build.mass, expected, 1e-3);
    body_free(&b);
}

/* What pushes a ball does force times way, and the air takes what of it the ball has not got. */
TEST(forces_and_air_are_told_apart) {
    for (int axis = 0; axis < 3; axis++) {
        sn_particles_material m = sn_particles_material_default();
        sn_build_def def = sn_build_def_default();
        const sn_vec3 at = {0, 0, 0};
        sn_real part[3] = {0, 0, 0};
        sn_node node;
        sn_node_def now = sn_node_def_default();
        sn_audit audit;
        m.radius = (sn_real)0.05;
        m.density = 100;
        m.drag = (sn_real)0.47;
        body b = body_make(airy_world(0, (sn_vec3){0, 0, 0}), SN_KIND_PARTICLES, &m,
                           points_mesh(&at, 1), &def);
        check_case("axis %d", axis);
        part[axis] = (sn_real)0.2;
        REQUIRE_OK(sn_world_node_at(b.world, 0, &node));
        REQUIRE_OK(sn_world_audit_start(b.world));
        for (int i = 0; i < 120; i++) {
            REQUIRE_OK(sn_node_add_force(b.world, node, (sn_vec3){part[0], part[1], part[2]}));
            body_run(&b, 1, 1.0 / 60);
        }
        REQUIRE_OK(sn_world_get_audit(b.world, &audit));
        REQUIRE_OK(sn_node_get(b.world, node, &now));
        double way[3] = {(double)now.position.x, (double)now.position.y, (double)now.position.z};
        CHECK_REL(audit.work_forces, 0.2 * way[axis], 2e-3);
        CHECK(audit.kinetic < 0.95 * audit.work_forces);
        CHECK_REL(-audit.work_air, audit.work_forces - audit.kinetic - audit.lost_integrator, 1e-3);
        CHECK_NEAR(audit.unexplained, 0, 1e-4 * audit.work_forces);
        body_free(&b);
    }
}

/* Across it a rope or rod falls with the speed of a cylinder; a rod at an angle of 30 degrees slips
   away sideways, and only what is across it counts. */
TEST(a_cylinder_falls_with_its_terminal_speed) {
    for (int kind = 1; kind < 4; kind++) {
        double turn = kind == 3 ? CIRCLE / 6 : 0, r = 0.004, length = 1, p[3];
        double mass = 500 * CIRCLE * r * r * length;
        double across = sqrt(2 * mass * G * cos(turn) / (DENSITY * 2 * r * length * 1.2));
        sn_rope_material rope = sn_rope_material_default();
        sn_rod_material rod = sn_rod_material_default();
        sn_build_def def = sn_build_def_default();
        check_case("%s, turned by %.2f", kind < 2 ? "rope" : "rod", turn);
        rope.radius = rod.radius = (sn_real)r;
        rope.density = rod.density = 500;
        rope.drag = rod.drag = (sn_real)1.2;
        def.rotation = (sn_quat){0, 0, (sn_real)sin(turn / 2), (sn_real)cos(turn / 2)};
        body b = body_make(airy_world(G, (sn_vec3){0, 0, 0}), kind < 2 ? SN_KIND_ROPE : SN_KIND_ROD,
                           kind < 2 ? (const void *)&rope : &rod, line_mesh(length, 10), &def);
        body_run(&b, 300, 1.0 / 60);
        momentum_of(b.world, p);
        /* Along the axis it falls freely. */
        double along = (p[0] * cos(turn) + p[1] * sin(turn)) / b.build.mass;
        double normal = (p[0] * sin(turn) - p[1] * cos(turn)) / b.build.mass;
        CHECK_REL(normal, across, 0.01);
        CHECK_NEAR(along, -G * 5 * sin(turn), 0.01 * G * 5 * sin(turn) + 1e-3);
        body_free(&b);
    }
}

/* ---- Wind ---- */

static sn_vec3 whirl(sn_vec3 x) {
    return (sn_vec3){3 - x.y, x.x, 2};
}

static void blow(void *user, const sn_force_field_input *input, sn_vec4 *wind) {
    for (size_t i = 0; i < input->count; i++) {
        sn_vec4 x = input->position[i];
        sn_vec3 w = whirl((sn_vec3){x.x, x.y, x.z});
        wind[i] = (sn_vec4){w.x, w.y, w.z, 0};
    }
    ++*(int *)user;
}

/* The force on nodes at rest in the first substep, in wind that is even or the user's. */
TEST(wind_pushes_lines_and_balls) {
    for (int mine = 0; mine < 2; mine++) {
        const sn_vec3 wind = {3, 4, 12};
        sn_world *world = airy_world(0, mine ? (sn_vec3){0, 0, 0} : wind);
        sn_settings settings = sn_settings_default();
        sn_node nodes[3];
        int calls = 0;
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.substeps = 1;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        if (mine) REQUIRE_OK(sn_world_set_wind(world, blow, &calls));
        for (int i = 0; i < 3; i++) {
            sn_node_def def = sn_node_def_default();
            def.position = (sn_vec3){(sn_real)i, 0, 0};
            def.radius = (sn_real)0.1;
            def.inverse_mass = (sn_real)0.001;
            REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
        }
        sn_drag_def line = sn_drag_def_default(), ball = sn_drag_def_default();
        sn_drag first, second;
        line.nodes = nodes;
        line.element_count = 1;
        line.corners = 2;
        line.drag = (sn_real)1.2;
        ball.nodes = nodes + 2;
        ball.element_count = 1;
        REQUIRE_OK(sn_drag_create(world, &line, &first));
        REQUIRE_OK(sn_drag_create(world, &ball, &second));
        REQUIRE_OK(sn_world_step(world, (sn_real)0.001));
        /* At the middle of the line, whose axis is x; and at the ball. */
        sn_vec3 there = mine ? whirl((sn_vec3){(sn_real)0.5, 0, 0}) : wind;
        double speed = hypot((double)there.y, (double)there.z);
        double k = DENSITY / 2 * 1.2 * 0.2 * 1 * speed / 2;
        for (int i = 0; i < 2; i++) {
            sn_node_def def;
            REQUIRE_OK(sn_node_get(world, nodes[i], &def));
            CHECK_NEAR(def.velocity.x, 0, 1e-9);
            CHECK_REL(def.velocity.y, k * (double)there.y * 1e-6, 1e-3);
            CHECK_REL(def.velocity.z, k * (double)there.z * 1e-6, 1e-3);
        }
        there = mine ? whirl((sn_vec3){2, 0, 0}) : wind;
        speed = sqrt((double)(there.x * there.x + there.y * there.y + there.z * there.z));
        k = DENSITY / 2 * 0.47 * CIRCLE * 0.01 * speed;
        sn_node_def def;
        REQUIRE_OK(sn_node_get(world, nodes[2], &def));
        CHECK_REL(def.velocity.x, k * (double)there.x * 1e-6, 1e-3);
        CHECK_REL(def.velocity.z, k * (double)there.z * 1e-6, 1e-3);
        CHECK(calls == mine);
        sn_world_destroy(world);
    }
}

/* Light things in a gale become as fast as it and no faster, whatever the step. */
TEST(nothing_is_faster_than_the_wind) {
    sn_rope_material m = sn_rope_material_default();
    sn_build_def def = sn_build_def_default();
    m.density = (sn_real)0.001;
    m.drag = 10;
    body b =
        body_make(airy_world(0, (sn_vec3){0, 100, 0}), SN_KIND_ROPE, &m, line_mesh(1, 5), &def);
    double p[3], before = 0;
    for (int i = 0; i < 30; i++) {
        body_run(&b, 1, 1.0 / 60);
        momentum_of(b.world, p);
        CHECK(p[1] >= before * 0.9999 && p[1] <= 100.001 * b.build.mass);
        before = p[1];
    }
    CHECK_REL(before, 100 * b.build.mass, 1e-3);
    body_free(&b);
}

/* Of a line between a heavy and a light node the light one counts. */
TEST(light_ends_of_heavy_lines_are_no_faster) {
    sn_rope_material m = sn_rope_material_default();
    sn_build_def def = sn_build_def_default();
    m.density = (sn_real)0.001;
    m.drag = 10;
    for (int heavy = 0; heavy < 2; heavy++) {
        body b =
            body_make(airy_world(0, (sn_vec3){0, 100, 0}), SN_KIND_ROPE, &m, line_mesh(1, 1), &def);
        sn_node_def light = sn_node_def_default();
        REQUIRE_OK(sn_node_get(b.world, b.nodes[heavy], &light));
        REQUIRE_OK(
            sn_node_set_inverse_mass(b.world, b.nodes[heavy], (sn_real)1e-4 * light.inverse_mass));
        body_run(&b, 1, 1.0 / 60);
        REQUIRE_OK(sn_node_get(b.world, b.nodes[1 - heavy], &light));
        check_case("heavy %d, %g m/s", heavy, (double)light.velocity.y);
        CHECK(fabs((double)light.velocity.y) <= 101 && fabs((double)light.velocity.x) <= 101);
        body_free(&b);
    }
}

/* ---- Life ---- */

static uint64_t fly(int threads, const char *recording) {
    sn_world_def world_def = sn_world_def_default();
    sn_rope_material m = sn_rope_material_default();
    sn_particles_material dust = sn_particles_material_default();
    sn_build_def def = sn_build_def_default();
    sn_world *world;
    sn_build rope, balls;
    sn_mesh line = line_mesh(1, 3000);
    world_def.threads = threads;
    world_def.settings.air_density = (sn_real)DENSITY;
    world_def.settings.wind = (sn_vec3){5, 1, 0};
    world_def.settings.gust_strength = 2;
    m.drag = (sn_real)1.2;
    dust.drag = (sn_real)0.47;
    def.mesh = &line;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    if (recording) REQUIRE_OK(sn_recording_start(world, recording));
    REQUIRE_OK(sn_build_body(world, SN_KIND_ROPE, &m, &def, NULL, &rope));
    def.position = (sn_vec3){0, 0, 1};
    REQUIRE_OK(sn_build_body(world, SN_KIND_PARTICLES, &dust, &def, NULL, &balls));
    sn_drag drag;
    REQUIRE_OK(sn_world_drag_at(world, 1, &drag));
    REQUIRE_OK(sn_drag_set(world, drag, (sn_real)0.5));
    for (int i = 0; i < 3; i++) REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
    /* From a snapshot it goes on as if nothing had happened. */
    size_t size;
    uint8_t *bytes = snapshot_of(world, &size);
    sn_world *other;
    world_def.settings = sn_settings_default();
    REQUIRE_OK(sn_world_create(&world_def, &other));
    REQUIRE_OK(sn_snapshot_load(other, bytes, size));
    free(bytes);
    for (int i = 0; i < 2; i++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
        REQUIRE_OK(sn_world_step(other, (sn_real)0.01));
    }
    uint64_t hash = sn_world_hash(world);
    CHECK(sn_world_hash(other) == hash);
    if (recording) REQUIRE_OK(sn_recording_stop(world));
    sn_world_destroy(other);
    sn_world_destroy(world);
    sn_mesh_free(&line);
    return hash;
}

TEST(threads_snapshots_and_recordings_do_not_matter) {
    uint64_t hash = fly(1, FILE_NAME);
    CHECK(fly(3, NULL) == hash);
    sn_world *repeated = still_world(1, 0);
    sn_replay_report report;
    CHECK_OK(sn_replay_file(repeated, FILE_NAME, &report));
    CHECK(report.steps == 5 && !report.differs && sn_world_hash(repeated) == hash);
    CHECK(remove(FILE_NAME) == 0);
    sn_world_destroy(repeated);
}

TEST(lines_go_with_their_nodes_and_when_they_break) {
    sn_rope_material m = sn_rope_material_default();
    sn_build_def def = sn_build_def_default();
    m.drag = 1;
    body b = body_make(airy_world(0, (sn_vec3){0, 0, 0}), SN_KIND_ROPE, &m, line_mesh(1, 6), &def);
    sn_drag drag, again;
    sn_drag_def got = sn_drag_def_default();
    sn_node ends[12];
    size_t count = 0;
    REQUIRE_OK(sn_world_drag_at(b.world, 0, &drag));
    CHECK(sn_drag_is_valid(b.world, drag));
    REQUIRE_OK(sn_node_destroy(b.world, b.nodes[0]));
    CHECK_OK(sn_drag_get(b.world, drag, &got));
    CHECK(got.element_count == 5 && got.corners == 2 && got.drag == 1 && !got.nodes);
    /* Pulled apart at its end: what flies away is not a sail. */
    sn_constraint last;
    const sn_real weak[3] = {(sn_real)0.01};
    REQUIRE_OK(sn_world_constraint_at(b.world, 5, &last));
    REQUIRE_OK(sn_constraint_set_field(b.world, last, "break_force", weak));
    REQUIRE_OK(sn_node_apply_impulse(b.world, b.nodes[6], (sn_vec3){1, 0, 0}));
    REQUIRE_OK(sn_world_step(b.world, (sn_real)0.01));
    CHECK_OK(sn_drag_get_nodes(b.world, drag, ends, 12, &count));
    CHECK(count == 8);
    for (size_t i = 0; i < count; i++) CHECK(ends[i].slot != b.nodes[6].slot);
    REQUIRE_OK(sn_body_destroy(b.world, b.build.body));
    CHECK(!sn_drag_is_valid(b.world, drag));
    /* By hand. */
    sn_node_def node_def = sn_node_def_default();
    sn_node node;
    REQUIRE_OK(sn_node_create(b.world, &node_def, &node));
    sn_drag_def made = sn_drag_def_default();
    made.nodes = &node;
    made.element_count = 1;
    CHECK_OK(sn_drag_create(b.world, &made, &again));
    CHECK_OK(sn_drag_destroy(b.world, again));
    CHECK_FAILS(sn_drag_set(b.world, again, 1), SN_ERROR_STALE);
    sn_node both[2] = {node, node};
    made.nodes = both;
    made.corners = 2;
    CHECK_FAILS(sn_drag_create(b.world, &made, &again), SN_ERROR_DEGENERATE);
    made.corners = 3;
    CHECK_FAILS(sn_drag_create(b.world, &made, &again), SN_ERROR_VALUE);
    made.corners = 1;
    made.drag = (sn_real)-1;
    CHECK_FAILS(sn_drag_create(b.world, &made, &again), SN_ERROR_VALUE);
    body_free(&b);
}

/* ---- Sheets with drag and lift per vertex ---- */

static body sheet_in_wind(const sn_material_map *maps, size_t count, double drag, double lift) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    cloth.area_density = 10;
    cloth.drag = (sn_real)drag;
    cloth.lift = (sn_real)lift;
    def.maps = maps;
    def.map_count = count;
    return body_make(airy_world(0, (sn_vec3){3, 8, 0}), SN_KIND_CLOTH, &cloth,
                     grid_mesh(1, 1, 4, 4, SN_GRID_SAME), &def);
}

TEST(the_same_drag_everywhere_is_the_same_to_the_bit) {
    sn_real drag[25], lift[25];
    for (int i = 0; i < 25; i++) drag[i] = (sn_real)0.8, lift[i] = (sn_real)0.3;
    sn_material_map maps[] = {{"drag", drag, 25}, {"lift", lift, 25}};
    body plain = sheet_in_wind(NULL, 0, 0.8, 0.3), mapped = sheet_in_wind(maps, 2, 7, 5);
    body one = sheet_in_wind(maps + 1, 1, 0.8, 0);
    double x[3][3];
    body_run(&plain, 20, 0.01);
    body_run(&mapped, 20, 0.01);
    body_run(&one, 20, 0.01);
    for (size_t i = 0; i < 25; i++) {
        body_position(&plain, i, x[0]);
        body_position(&mapped, i, x[1]);
        body_position(&one, i, x[2]);
        CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0 && memcmp(x[0], x[2], sizeof x[0]) == 0);
    }
    body_free(&plain);
    body_free(&mapped);
    body_free(&one);
}

/* Drag that grows along x: the force on the sheet is that of its mean, and turns it. */
TEST(triangles_have_the_mean_of_their_corners) {
    sn_mesh mesh = grid_mesh(1, 1, 4, 4, SN_GRID_SAME);
    sn_real drag[25], lift[25];
    for (size_t i = 0; i < 25; i++) {
        drag[i] = 1 + mesh.positions[i].x;
        lift[i] = i % 2 ? SN_AUTO : drag[i] / 2;
    }
    sn_mesh_free(&mesh);
    sn_material_map maps[] = {{"drag", drag, 25}};
    body b = sheet_in_wind(maps, 1, 1, (double)SN_AUTO);
    double p[3], expected = DENSITY / 2 * 8 * sqrt(9 + 64.0);
    body_run(&b, 1, 0.001);
    momentum_of(b.world, p);
    CHECK_REL(p[1], 1e-3 * expected, 2e-3);
    CHECK_NEAR(p[0], 0, 1e-5);
    sn_measure m;
    REQUIRE_OK(sn_world_measure(b.world, &m));
    /* The moment about z is the integral of x (1 + x) per width: 1/12 of the force, less what the
       mean over a triangle and its even thirds leave out. */
    CHECK(m.angular_momentum[2] > 0.06 * p[1] && m.angular_momentum[2] < 0.09 * p[1]);
    /* Both at nodes, and back. */
    sn_real read[2][25];
    size_t count;
    CHECK_OK(sn_sheet_set_air(b.world, b.build.sheet, drag, lift, 25));
    CHECK_OK(sn_sheet_get_air(b.world, b.build.sheet, read[0], read[1], 25, &count));
    CHECK(count == 25 && memcmp(read[0], drag, sizeof drag) == 0 &&
          memcmp(read[1], lift, sizeof lift) == 0);
    CHECK_OK(sn_sheet_set_air(b.world, b.build.sheet, NULL, NULL, 0));
    CHECK_OK(sn_sheet_get_air(b.world, b.build.sheet, read[0], read[1], 25, &count));
    CHECK(read[0][3] == 1 && read[1][3] == SN_AUTO);
    lift[4] = 9;
    CHECK_FAILS(sn_sheet_set_air(b.world, b.build.sheet, drag, lift, 25), SN_ERROR_VALUE);
    CHECK_FAILS(sn_sheet_set_air(b.world, b.build.sheet, drag, NULL, 24), SN_ERROR_VALUE);
    body_free(&b);
}

/* Where the lift of one corner is automatic, that of its triangles is; here of all of them. */
TEST(automatic_lift_at_a_corner_is_so_for_the_triangle) {
    sn_real drag[25], lift[2][25];
    double x[2][3];
    body b[2];
    for (int i = 0; i < 25; i++) {
        drag[i] = (sn_real)(0.5 + 0.02 * i);
        lift[0][i] = SN_AUTO;
        lift[1][i] = i % 2 ? SN_AUTO : (sn_real)0.1;
    }
    for (int k = 0; k < 2; k++) {
        b[k] = sheet_in_wind(NULL, 0, 1, (double)SN_AUTO);
        REQUIRE_OK(sn_sheet_set_air(b[k].world, b[k].build.sheet, drag, lift[k], 25));
        body_run(&b[k], 5, 0.01);
    }
    for (size_t i = 0; i < 25; i++) {
        for (int k = 0; k < 2; k++) body_position(&b[k], i, x[k]);
        CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
    }
    for (int k = 0; k < 2; k++) body_free(&b[k]);
}

/* Sheets of one world do what they do alone. */
TEST(sheets_have_their_own_air) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_real drag[2][25];
    double x[2][3];
    cloth.area_density = 10;
    for (int i = 0; i < 25; i++) {
        drag[0][i] = (sn_real)(2 - 0.05 * i);
        drag[1][i] = (sn_real)(0.5 + 0.02 * i);
    }
    sn_world *world = airy_world(0, (sn_vec3){3, 8, 0});
    body alone[2], both[2];
    for (int k = 0; k < 2; k++) {
        sn_material_map map = {"drag", drag[k], 25};
        sn_build_def def = sn_build_def_default();
        def.maps = &map;
        def.map_count = 1;
        alone[k] = sheet_in_wind(&map, 1, 1, (double)SN_AUTO);
        both[k] =
            body_make(world, SN_KIND_CLOTH, &cloth, grid_mesh(1, 1, 4, 4, SN_GRID_SAME), &def);
        body_run(&alone[k], 5, 0.01);
    }
    body_run(&both[0], 5, 0.01);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < 25; i++) {
            body_position(&alone[k], i, x[0]);
            body_position(&both[k], i, x[1]);
            check_case("sheet %d, vertex %d", k, (int)i);
            CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
        }
    for (int k = 0; k < 2; k++) body_free(&alone[k]);
    sn_mesh_free(&both[1].mesh);
    free(both[1].nodes);
    body_free(&both[0]);
}

/* Copies of torn nodes, snapshots and recordings have them. */
TEST(drag_of_nodes_is_kept) {
    sn_real drag[25], read[2][30];
    size_t count, size;
    for (size_t i = 0; i < 25; i++) drag[i] = (sn_real)i;
    body b = sheet_in_wind(NULL, 0, 1, (double)SN_AUTO);
    sn_world *other = still_world(1, 0);
    sn_node copy;
    REQUIRE_OK(sn_recording_start(b.world, FILE_NAME));
    REQUIRE_OK(sn_sheet_set_air(b.world, b.build.sheet, drag, NULL, 25));
    REQUIRE_OK(sn_sheet_split(b.world, b.build.sheet, b.nodes[12], (sn_vec3){1, 0, 0}, &copy));
    REQUIRE_OK(sn_node_destroy(b.world, b.nodes[3]));
    REQUIRE_OK(sn_world_step(b.world, (sn_real)0.01));
    REQUIRE_OK(sn_recording_stop(b.world));
    CHECK_OK(sn_sheet_get_air(b.world, b.build.sheet, read[0], read[1], 30, &count));
    CHECK(count >= 25 && read[0][3] == 4 && read[0][24] == 12);
    uint8_t *bytes = snapshot_of(b.world, &size);
    CHECK_OK(sn_snapshot_load(other, bytes, size));
    CHECK(sn_world_hash(other) == sn_world_hash(b.world));
    sn_replay_report report;
    CHECK_OK(sn_replay_file(other, FILE_NAME, &report));
    CHECK(!report.differs && sn_world_hash(other) == sn_world_hash(b.world));
    REQUIRE_OK(sn_world_step(b.world, (sn_real)0.01));
    REQUIRE_OK(sn_world_step(other, (sn_real)0.01));
    CHECK(sn_world_hash(other) == sn_world_hash(b.world));
    CHECK(remove(FILE_NAME) == 0);
    free(bytes);
    sn_world_destroy(other);
    body_free(&b);
}

TESTS(RUN(a_ball_falls_with_its_terminal_speed), RUN(forces_and_air_are_told_apart),
      RUN(a_cylinder_falls_with_its_terminal_speed), RUN(wind_pushes_lines_and_balls),
      RUN(nothing_is_faster_than_the_wind), RUN(light_ends_of_heavy_lines_are_no_faster),
      RUN(threads_snapshots_and_recordings_do_not_matter),
      RUN(lines_go_with_their_nodes_and_when_they_break),
      RUN(the_same_drag_everywhere_is_the_same_to_the_bit),
      RUN(triangles_have_the_mean_of_their_corners),
      RUN(automatic_lift_at_a_corner_is_so_for_the_triangle), RUN(sheets_have_their_own_air),
      RUN(drag_of_nodes_is_kept))
