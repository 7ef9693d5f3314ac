/*
 * Fast things that do not pass through each other: rods, ropes, and coarse sheets with faces that
 * meet balls, cubes and capsules. Ways are followed exactly, from substep to substep: a force field
 * sees where each of them begins.
 */
#include "check.h"
#include "collision/ccd/time_of_impact.h"
#include "constraints/rig.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const sn_real dt = (sn_real)(1.0 / 60);
enum { SUBSTEPS = 20, MOST_NODES = 128 };

/* Pairs whose ways are followed: a segment and a segment, or the middle of a ball and a
   triangle. */
typedef struct watch {
    sn_ccd_kind kind;
    size_t pairs;
    uint32_t (*pair)[4]; /* slots of nodes; UINT32_MAX: the ball */
    sn_vec3 ball;        /* m, where it begins */
    sn_vec3 velocity;    /* m/s, of the ball */
    double until;        /* s, what happens later does not count */
    sn_point before[MOST_NODES], ball_before;
    bool begun;
    int passes;
} watch;

static void look(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    watch *w = user;
    (void)acceleration;
    sn_point now[MOST_NODES], ball = {(double)w->ball.x + (double)w->velocity.x * input->time,
                                      (double)w->ball.y + (double)w->velocity.y * input->time,
                                      (double)w->ball.z + (double)w->velocity.z * input->time};
    for (size_t i = 0; i < input->count; i++)
        now[i] = (sn_point){(double)input->position[i].x, (double)input->position[i].y,
                            (double)input->position[i].z};
    for (size_t k = 0; w->begun && input->time < w->until && k < w->pairs; k++) {
        sn_point from[4], to[4];
        for (int c = 0; c < 4; c++) {
            uint32_t i = w->pair[k][c];
            from[c] = i == UINT32_MAX ? w->ball_before : w->before[i];
            to[c] = i == UINT32_MAX ? ball : now[i];
        }
        w->passes += sn_ccd_sweep(w->kind, from, to, 0).hit;
    }
    memcpy(w->before, now, sizeof now);
    w->ball_before = ball;
    w->begun = true;
}

static sn_world *make_world(void) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = SUBSTEPS;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.threads = 1;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* ---- Rods and ropes ---- */

typedef struct line {
    int nodes;
    double length, aside; /* m, of a segment; from the middle to where the other crosses */
    double radius;
    sn_real inverse_mass;
    bool penetration_free;
} line;

/* A line along x or z, at a height, that goes down with a speed. */
static void add_line(sn_world *world, line l, bool along_z, double y, double speed) {
    sn_node node[16];
    sn_distance_def edge[16];
    uint32_t segment[32];
    sn_collision_surface surface;
    for (int i = 0; i < l.nodes; i++) {
        sn_node_def def = sn_node_def_default();
        sn_real at = (sn_real)(l.length * (i - (l.nodes - 1) / 2.0) + l.aside);
        def.position = (sn_vec3){along_z ? 0 : at, (sn_real)y, along_z ? at : 0};
        def.velocity.y = (sn_real)-speed;
        def.inverse_mass = l.inverse_mass;
        def.radius = (sn_real)l.radius;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
        if (i == 0) continue;
        edge[i - 1] = sn_distance_def_default();
        edge[i - 1].node[0] = node[i - 1];
        edge[i - 1].node[1] = node[i];
        segment[2 * i - 2] = (uint32_t)i - 1;
        segment[2 * i - 1] = (uint32_t)i;
    }
    if (l.inverse_mass > 0)
        REQUIRE_OK(sn_constraints_create(world, SN_TYPE_DISTANCE, edge, (size_t)l.nodes - 1, NULL));
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.nodes = node;
    def.node_count = (size_t)l.nodes;
    def.segments = segment;
    def.segment_count = (size_t)l.nodes - 1;
    def.penetration_free = l.penetration_free;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
}

/* How often a line passes through another that it falls on, in 40 substeps after they met. */
static int count_passes(line lower, line upper, double speed, double gap) {
    static uint32_t pair[256][4];
    sn_world *world = make_world();
    watch w = {.kind = SN_CROSS_EDGES, .pair = pair, .until = gap / speed + 40.0 / 60 / SUBSTEPS};
    add_line(world, lower, false, 0, 0);
    add_line(world, upper, true, gap, speed);
    for (uint32_t i = 0; i + 1 < (uint32_t)lower.nodes; i++)
        for (uint32_t k = 0; k + 1 < (uint32_t)upper.nodes; k++, w.pairs++) {
            uint32_t first = (uint32_t)lower.nodes + k, slots[4] = {i, i + 1, first, first + 1};
            memcpy(pair[w.pairs], slots, sizeof slots);
        }
    REQUIRE_OK(sn_world_add_force_field(world, look, &w));
    for (int i = 0; i < (int)(60 * gap / speed) + 4; i++) CHECK_OK(sn_world_step(world, dt));
    sn_world_destroy(world);
    return w.passes;
}

static const double gaps[] = {0.1, 0.37, 0.81, 1.03}, asides[] = {0, 0.005, 0.02};

/* Free, or on one that is held. */
TEST(rods_do_not_pass_at_1000_metres_a_second) {
    static const double speeds[] = {20, 60, 150, 300, 500, 1000}, radii[] = {0.002, 0.005, 0.02};
    for (int k = 0; k < 2 * 6 * 3 * 4 * 3; k++) {
        double speed = speeds[k / 2 % 6], gap = gaps[k / 36 % 4];
        line rod = {2, 0.3, asides[k / 144], radii[k / 12 % 3], 100, false}, lower = rod;
        if (k % 2) lower.inverse_mass = 0;
        check_case("%s, %g m/s, radius %g, gap %g, aside %g", k % 2 ? "held" : "free", speed,
                   rod.radius, gap, rod.aside);
        CHECK(count_passes(lower, rod, speed, gap) == 0);
    }
}

/* Many at once, each of another size and speed on one of its own, through all of it in a substep:
   none passes, and each pair keeps its momentum. */
TEST(balls_do_not_pass_each_other) {
    enum { PAIRS = 13 };
    sn_world *world = make_world();
    sn_collision_surface_def surface = sn_collision_surface_def_default();
    sn_collision_surface made;
    sn_node node[2 * PAIRS];
    for (int i = 0; i < 2 * PAIRS; i++) {
        sn_node_def def = sn_node_def_default();
        def.radius = (sn_real)(0.02 + 0.01 * (i / 2));
        def.position = (sn_vec3){(sn_real)(2 * (i / 2)), i % 2 ? (sn_real)1.5 : 0, 0};
        def.velocity.y = i % 2 ? (sn_real)(-1200 - 50 * (i / 2)) : 0;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
        surface.nodes = &node[i];
        surface.node_count = 1;
        REQUIRE_OK(sn_collision_surface_create(world, &surface, &made));
    }
    REQUIRE_OK(sn_world_step(world, dt / 5));
    for (int i = 0; i < PAIRS; i++) {
        sn_node_def low, high;
        double radius = 0.02 + 0.01 * i, speed = 1200 + 50 * i;
        REQUIRE_OK(sn_node_get(world, node[2 * i], &low));
        REQUIRE_OK(sn_node_get(world, node[2 * i + 1], &high));
        check_case("pair %d", i);
        CHECK((double)high.position.y - (double)low.position.y > 1.9 * radius);
        CHECK_REL((double)low.velocity.y + (double)high.velocity.y, -speed, 1e-5);
    }
    sn_world_destroy(world);
}

/* One of many is pulled away by a spring, farther within a step than anybody could expect when it
   began, and is stopped by another that is held. */
TEST(what_is_pulled_within_a_step_is_stopped) {
    enum { BALLS = 200 };
    sn_world *world = make_world();
    sn_collision_surface_def surface = sn_collision_surface_def_default();
    sn_distance_def spring = sn_distance_def_default();
    sn_collision_surface made;
    sn_constraint pulls;
    sn_node node;
    for (int i = 0; i < BALLS; i++) {
        sn_node_def def = sn_node_def_default();
        def.radius = (sn_real)0.1;
        def.position = (sn_vec3){(sn_real)i, i == 1 ? (sn_real)0.3 : 0, 0};
        if (i == 1) def.position.x = 0;
        if (i == 1) def.inverse_mass = 0;
        REQUIRE_OK(sn_node_create(world, &def, &node));
        if (i == 0) spring.node[0] = node;
        surface.nodes = &node;
        surface.node_count = 1;
        REQUIRE_OK(sn_collision_surface_create(world, &surface, &made));
    }
    sn_node_def end = sn_node_def_default();
    end.inverse_mass = 0;
    end.position.y = 3;
    REQUIRE_OK(sn_node_create(world, &end, &spring.node[1]));
    spring.rest_length = 1;
    spring.compliance = (sn_real)1e-3;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &spring, &pulls));
    for (int step = 0; step < 3; step++) {
        REQUIRE_OK(sn_world_step(world, dt));
        REQUIRE_OK(sn_node_get(world, spring.node[0], &end));
        check_case("step %d, at %g m", step, (double)end.position.y);
        CHECK_NEAR(end.position.y, 0.1, 0.01);
    }
    sn_world_destroy(world);
}

/* What a spring shoots from rest at a plate, which it would pass within the first step, is stopped
   by it, light or heavy. */
TEST(what_is_shot_within_a_step_is_stopped) {
    for (int k = 0; k < 3; k++) {
        const double mass = k == 0 ? 0.1 : k == 1 ? 1 : 10, radius = 0.02;
        sn_world *world = make_world();
        sn_collider_def plate = sn_collider_def_default();
        sn_distance_def spring = sn_distance_def_default();
        sn_node_def def = sn_node_def_default();
        sn_collider collider;
        sn_constraint pulls;
        plate.shape = SN_SHAPE_BOX;
        plate.extent = (sn_vec3){1, (sn_real)0.02, 1};
        plate.position.y = 1;
        REQUIRE_OK(sn_collider_create(world, &plate, &collider));
        def.radius = (sn_real)radius;
        def.inverse_mass = (sn_real)(1 / mass);
        REQUIRE_OK(sn_node_create(world, &def, &spring.node[0]));
        def.inverse_mass = 0;
        def.position.y = 3;
        REQUIRE_OK(sn_node_create(world, &def, &spring.node[1]));
        spring.rest_length = 1;
        spring.compliance = (sn_real)(1 / (1e4 * mass));
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &spring, &pulls));
        for (int step = 0; step < 3; step++) {
            REQUIRE_OK(sn_world_step(world, dt));
            REQUIRE_OK(sn_node_get(world, spring.node[0], &def));
            check_case("%g kg, step %d, at %g m", mass, step, (double)def.position.y);
            CHECK_NEAR(def.position.y, 1 - 0.02 - radius, 0.005);
        }
        sn_world_destroy(world);
    }
}

/* Ropes fold around each other, and four pairs of segments or more pull at the same nodes: slow and
   thick ones hold, all others want a guard. */
TEST(ropes_do_not_pass) {
    static const double speeds[] = {60, 300, 1000};
    for (int k = 0; k < 4 * 3; k++) {
        line rope = {11, 0.05, asides[k / 4], 0.02, 100, false};
        check_case("gap %g, aside %g", gaps[k % 4], rope.aside);
        CHECK(count_passes(rope, rope, 40, gaps[k % 4]) == 0);
        rope.radius = 0.005;
        rope.penetration_free = true;
        CHECK(count_passes(rope, rope, speeds[k % 3], gaps[k % 4]) == 0);
    }
}

/* ---- Sheets with faces ---- */

/* What is shot at a sheet. */
typedef struct missile {
    sn_shape shape;
    sn_vec3 extent; /* m, as radius */
    double radius;
    double reach; /* m, from its middle to its farthest point */
} missile;

static missile ball_of(double radius) {
    return (missile){SN_SHAPE_SPHERE, {0, 0, 0}, radius, radius};
}

/* A missile that is shot at a sheet, or on which a sheet is thrown. */
typedef struct shot {
    sn_vec3 start, velocity; /* m, m/s, of the missile as seen from the sheet */
    missile missile;
    double gap;  /* m, until they meet, at most */
    bool thrown; /* whether it is the sheet that moves */
    sn_quat orientation;
} shot;

/* How often a sheet of 10 by 10 squares of 10 cm passes the middle of a missile. */
static int meet(shot s) {
    static uint32_t pair[256][4];
    sn_world *world = make_world();
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    sn_node node[MOST_NODES];
    sn_vec3 v = s.velocity;
    double speed = sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
    grid.width = grid.depth = 1;
    grid.columns = grid.rows = 10;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def build = sn_build_def_default();
    sn_build built;
    cloth.thickness = (sn_real)0.004;
    build.mesh = &mesh;
    build.collide = SN_COLLIDE_OTHERS;
    build.surface.triangle_contact = true;
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &build, node, &built));
    for (size_t i = 0; s.thrown && i < mesh.vertex_count; i++)
        REQUIRE_OK(sn_node_set_velocity(world, node[i], (sn_vec3){-v.x, -v.y, -v.z}));
    sn_collider_def ball = sn_collider_def_default();
    sn_collider made;
    ball.shape = s.missile.shape;
    ball.extent = s.missile.extent;
    ball.radius = (sn_real)s.missile.radius;
    ball.position = s.start;
    ball.orientation = s.orientation;
    if (!s.thrown) ball.velocity = v;
    REQUIRE_OK(sn_collider_create(world, &ball, &made));
    watch w = {.kind = SN_CROSS_VERTEX,
               .pair = pair,
               .pairs = mesh.triangle_count,
               .ball = ball.position,
               .velocity = ball.velocity,
               .until = 1};
    for (size_t t = 0; t < mesh.triangle_count; t++) {
        pair[t][0] = UINT32_MAX;
        memcpy(pair[t] + 1, mesh.triangles[t], 3 * sizeof(uint32_t));
    }
    REQUIRE_OK(sn_world_add_force_field(world, look, &w));
    for (int i = 0; i < (int)(60 * s.gap / speed) + 4; i++) CHECK_OK(sn_world_step(world, dt));
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
    return w.passes;
}

/* 25 cm in a substep, and a ball of 15 cm; half as fast for one of half its size. */
TEST(no_ball_passes_a_sheet_at_300_metres_a_second) {
    static const double speeds[] = {90, 150, 200, 300}, radii[] = {0.15, 0.075};
    static const double below[] = {0.05, 0.33, 0.9}, beside[] = {0, 0.03, 0.05};
    /* The short form has every fifth, and with these all speeds, radii and places. */
    for (int k = 0; k < 2 * 2 * 4 * 3 * 3; k += check_long() ? 1 : 5) {
        double speed = speeds[k / 4 % 4], radius = radii[k / 2 % 2];
        double gap = below[k / 16 % 3], aside = beside[k / 48];
        if (radius < 0.1) speed /= 2;
        check_case("%s, %g m/s, radius %g, gap %g, aside %g", k % 2 ? "shot" : "thrown", speed,
                   radius, gap, aside);
        shot s = {{(sn_real)aside, (sn_real)(-radius - gap), (sn_real)(aside / 2 + 0.01)},
                  {0, (sn_real)speed, 0},
                  ball_of(radius),
                  gap,
                  !(k % 2),
                  {0, 0, 0, 1}};
        CHECK(meet(s) == 0);
    }
}

/* From anywhere to anywhere, one half straight and the others up to 60 degrees slanted. */
static shot random_shot(uint64_t *seed, missile what, double speed) {
    const double pi = 3.14159265358979323846;
    double slant = fmax(rig_between(seed, -pi / 3, pi / 3), 0), turn = rig_between(seed, 0, 2 * pi);
    double gap = rig_between(seed, 0.02, 1), far = gap + what.reach / cos(slant);
    double x = sin(slant) * cos(turn), y = cos(slant), z = sin(slant) * sin(turn);
    double to_x = rig_between(seed, -0.2, 0.2), to_z = rig_between(seed, -0.2, 0.2);
    return (shot){{(sn_real)(to_x - far * x), (sn_real)(-far * y), (sn_real)(to_z - far * z)},
                  {(sn_real)(speed * x), (sn_real)(speed * y), (sn_real)(speed * z)},
                  what,
                  far,
                  rig_random(seed) < 0,
                  {0, 0, 0, 1}};
}

TEST(no_ball_passes_a_sheet_wherever_it_meets_it) {
    static const struct {
        double radius, speed;
        int shots;
    } kinds[] = {
        {0.075, 150, 200}, {0.075, 300, 100}, {0.15, 300, 100}, {0.04, 60, 100}, {0.075, 1000, 60}};
    uint64_t seed = 20;
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < (check_long() ? kinds[k].shots : kinds[k].shots / 6); i++) {
            shot s = random_shot(&seed, ball_of(kinds[k].radius), kinds[k].speed);
            check_case("shot %d, %g m/s, radius %g, %s", i, kinds[k].speed, kinds[k].radius,
                       s.thrown ? "thrown" : "shot");
            CHECK(meet(s) == 0);
        }
}

/* A triangle that is deep in a ball, and was pushed out by one side of it at a place from which its
   neighbours took it back at once, is still at the side where it was. */
TEST(what_is_taken_back_is_at_the_side_where_it_was) {
    const sn_vec3 start = {(sn_real)-0.0526655577, (sn_real)-0.355346084, (sn_real)0.13748461};
    shot s = {start, {0, 300, 0}, ball_of(0.15), 0.355346084, false, {0, 0, 0, 1}};
    CHECK(meet(s) == 0);
}

/* Any orientation, each as likely. */
static sn_quat random_orientation(uint64_t *seed) {
    for (;;) {
        double q[4], square = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = rig_between(seed, -1, 1);
            square += q[k] * q[k];
        }
        double unit = 1 / sqrt(square);
        if (square > 0.01 && square < 1)
            return (sn_quat){(sn_real)(q[0] * unit), (sn_real)(q[1] * unit), (sn_real)(q[2] * unit),
                             (sn_real)(q[3] * unit)};
    }
}

/* Cubes of 12 cm at 25 cm a substep, and capsules of 8 cm and 28 cm at half of that. Deep in them
   several sides are equally near, and what is held by them is torn at by all of the sheet. */
TEST(no_cube_or_capsule_passes_a_sheet_wherever_it_meets_it) {
    const sn_real half = (sn_real)0.06;
    const struct {
        missile missile;
        double speed;
        int shots;
    } kinds[] = {{{SN_SHAPE_BOX, {half, half, half}, 0, 0.104}, 300, 80},
                 {{SN_SHAPE_CAPSULE, {0, (sn_real)0.1, 0}, 0.04, 0.14}, 150, 60}};
    for (int k = 0; k < 2; k++) {
        uint64_t seed = 20;
        for (int i = 0; i < (check_long() ? kinds[k].shots : kinds[k].shots / 6); i++) {
            shot s = random_shot(&seed, kinds[k].missile, kinds[k].speed);
            s.orientation = random_orientation(&seed);
            check_case("%s %d, %s", k ? "capsule" : "cube", i, s.thrown ? "thrown" : "shot");
            CHECK(meet(s) == 0);
        }
    }
}

/* Across the side of a ball within a substep, from just outside to inside at another place: what it
   met first keeps it out, and it goes on along that. */
TEST(what_cuts_across_a_ball_is_stopped_where_it_met_it) {
    enum { NODES = 16 };
    const double step = 0.01;
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    sn_collider_def ball = sn_collider_def_default();
    sn_collider collider;
    sn_node node[NODES];
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, &world));
    ball.shape = SN_SHAPE_SPHERE;
    ball.radius = 1;
    ball.static_friction = ball.dynamic_friction = 0;
    REQUIRE_OK(sn_collider_create(world, &ball, &collider));
    for (int i = 0; i < NODES; i++) {
        double angle = (50 + 2 * i) * 3.14159265358979323846 / 180;
        sn_node_def at = sn_node_def_default();
        at.position = (sn_vec3){(sn_real)1.02, 0, 0};
        at.velocity = (sn_vec3){(sn_real)((0.97 * cos(angle) - 1.02) / step),
                                (sn_real)(0.97 * sin(angle) / step), 0};
        at.radius = (sn_real)0.01;
        REQUIRE_OK(sn_node_create(world, &at, &node[i]));
    }
    REQUIRE_OK(sn_world_step(world, (sn_real)step));
    for (int i = 0; i < NODES; i++) {
        sn_node_def at = sn_node_def_default();
        double angle = (50 + 2 * i) * 3.14159265358979323846 / 180;
        REQUIRE_OK(sn_node_get(world, node[i], &at));
        check_case("%d degrees", 50 + 2 * i);
        CHECK_NEAR(at.position.x, 1, 0.01);
        CHECK_NEAR(at.position.y, 0.97 * sin(angle), 0.02);
    }
    sn_world_destroy(world);
}

/* A point without a radius that would be behind a plate after a substep stays before it, however
   short its way and however thin the plate is beside it. */
TEST(no_point_passes_a_plate_of_any_size) {
    static const double ways[] = {0.003, 0.03, 0.3, 3, 30};
    for (int i = 0; i < 15; i++) {
        const double way = ways[i % 5], h = (double)dt / SUBSTEPS;
        check_case("a way of %g m, shape %d", way, i / 5);
        sn_world *world = make_world();
        sn_collider_def plate = sn_collider_def_default();
        sn_collider collider;
        plate.shape = i < 5 ? SN_SHAPE_BOX : i < 10 ? SN_SHAPE_CYLINDER : SN_SHAPE_HULL;
        plate.extent = (sn_vec3){(sn_real)(3 * way), (sn_real)(0.02 * way), (sn_real)(3 * way)};
        if (i < 10) plate.radius = i < 5 ? 0 : plate.extent.x;
        sn_vec3 corner[8];
        for (int k = 0; k < 8; k++)
            corner[k] = (sn_vec3){k & 1 ? plate.extent.x : -plate.extent.x,
                                  k & 2 ? plate.extent.y : -plate.extent.y,
                                  k & 4 ? plate.extent.z : -plate.extent.z};
        if (i >= 10) plate.geometry = (sn_geometry){.vertices = corner, .vertex_count = 8};
        REQUIRE_OK(sn_collider_create(world, &plate, &collider));
        sn_node_def def = sn_node_def_default();
        sn_node node;
        def.position = (sn_vec3){(sn_real)(0.1 * way), (sn_real)(0.33 * way), (sn_real)(0.2 * way)};
        def.velocity = (sn_vec3){(sn_real)(-0.3 * way / h), (sn_real)(-way / h), 0};
        REQUIRE_OK(sn_node_create(world, &def, &node));
        REQUIRE_OK(sn_world_step(world, dt));
        REQUIRE_OK(sn_node_get(world, node, &def));
        CHECK((double)def.position.y > 0.0199 * way);
        sn_world_destroy(world);
    }
}

TESTS(RUN(what_is_shot_within_a_step_is_stopped), RUN(no_point_passes_a_plate_of_any_size),
      RUN(what_cuts_across_a_ball_is_stopped_where_it_met_it),
      RUN(rods_do_not_pass_at_1000_metres_a_second), RUN(balls_do_not_pass_each_other),
      RUN(what_is_pulled_within_a_step_is_stopped), RUN(ropes_do_not_pass),
      RUN(no_ball_passes_a_sheet_at_300_metres_a_second),
      RUN(no_ball_passes_a_sheet_wherever_it_meets_it),
      RUN(what_is_taken_back_is_at_the_side_where_it_was),
      RUN(no_cube_or_capsule_passes_a_sheet_wherever_it_meets_it))
