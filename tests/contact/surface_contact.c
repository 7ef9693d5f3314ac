/* Contacts between collision surfaces: balls, capsules, sheets; momentum, friction, bouncing,
   sides, the same bits everywhere (V46, V47, V49). */
#include "check.h"
#include "snapshot.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;
static const sn_real dt = (sn_real)(1.0 / 60);

static sn_world *make_world(int substeps, double gravity, int threads, int width) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = substeps;
    def.settings.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    def.threads = threads;
    def.simd_width = width;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static sn_node add_ball(sn_world *world, double x, double y, double z, double mass, double radius) {
    sn_node node;
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    def.inverse_mass = mass > 0 ? (sn_real)(1 / mass) : 0;
    def.radius = (sn_real)radius;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

static sn_node_def look(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

static sn_collision_surface add_surface(sn_world *world, const sn_node *nodes, size_t count,
                                        sn_collision_surface_def *def) {
    sn_collision_surface surface;
    def->nodes = nodes;
    def->node_count = count;
    REQUIRE_OK(sn_collision_surface_create(world, def, &surface));
    return surface;
}

/* A sheet of n by n cells in the xz plane with its collision surface. */
typedef struct sheet {
    sn_mesh mesh;
    sn_node *nodes;
    sn_body body;
    sn_collision_surface surface;
} sheet;

static sheet add_sheet(sn_world *world, uint32_t cells, double width, double thickness, double y,
                       sn_collision_surface_def surface) {
    sheet s = {.mesh = sn_mesh_default()};
    sn_grid_def grid = sn_grid_def_default();
    grid.width = grid.depth = (sn_real)width;
    grid.columns = grid.rows = cells;
    REQUIRE_OK(sn_generate_grid(&s.mesh, &grid));
    s.nodes = malloc(s.mesh.vertex_count * sizeof *s.nodes);
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.thickness = (sn_real)thickness;
    sn_build_def build = sn_build_def_default();
    build.mesh = &s.mesh;
    build.position.y = (sn_real)y;
    sn_build built;
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &build, s.nodes, &built));
    s.body = built.body;
    surface.triangles = s.mesh.triangles[0];
    surface.triangle_count = s.mesh.triangle_count;
    s.surface = add_surface(world, s.nodes, s.mesh.vertex_count, &surface);
    return s;
}

static void free_sheet(sheet *s) {
    sn_mesh_free(&s->mesh);
    free(s->nodes);
}

static void step(sn_world *world, int count) {
    for (int i = 0; i < count; i++) CHECK_OK(sn_world_step(world, dt));
}

static sn_stats stats_of(const sn_world *world) {
    sn_stats stats;
    REQUIRE_OK(sn_world_stats(world, &stats));
    return stats;
}

/* ---- Balls ---- */

TEST(equal_balls_exchange_velocities) {
    sn_world *world = make_world(10, 0, 1, 0);
    sn_node ball[2] = {add_ball(world, -0.5, 0, 0, 1, 0.1), add_ball(world, 0.5, 0, 0, 1, 0.1)};
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.restitution = 1;
    def.self = true;
    (void)add_surface(world, ball, 2, &def);
    REQUIRE_OK(sn_node_set_velocity(world, ball[0], (sn_vec3){1, 0, 0}));
    REQUIRE_OK(sn_node_set_velocity(world, ball[1], (sn_vec3){-2, 0, 0}));
    size_t looked = 0;
    for (int i = 0; i < 60; i++) {
        step(world, 1);
        looked += stats_of(world).candidates;
        CHECK(stats_of(world).candidates <= 1 &&
              stats_of(world).contacts <= stats_of(world).candidates);
    }
    CHECK(looked > 0);
    CHECK_NEAR((double)look(world, ball[0]).velocity.x, -2, 1e-4);
    CHECK_NEAR((double)look(world, ball[1]).velocity.x, 1, 1e-4);
    sn_world_destroy(world);
}

/* From 0 to 1. */
static double draw(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216;
}

/* Balls of all sizes and masses in a heap without gravity: nothing is lost but energy. */
TEST(momentum_is_kept) {
    enum { COUNT = 200 };
    sn_world *world = make_world(8, 0, 1, 0);
    sn_node ball[COUNT];
    uint32_t seed = 7;
    for (int i = 0; i < COUNT; i++) {
        double place[3], r = 0.02 + 0.03 * draw(&seed);
        for (int k = 0; k < 3; k++) place[k] = draw(&seed) - 0.5;
        ball[i] = add_ball(world, place[0], place[1], place[2], 1000 * r * r * r, r);
        REQUIRE_OK(sn_node_set_velocity(
            world, ball[i],
            (sn_vec3){(sn_real)(-4 * place[0]), (sn_real)(-4 * place[1]), (sn_real)-place[2]}));
    }
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.self = true;
    (void)add_surface(world, ball, COUNT, &def);
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(world, &before));
    size_t met = 0;
    for (int i = 0; i < 60; i++) {
        step(world, 1);
        met += stats_of(world).contacts;
    }
    REQUIRE_OK(sn_world_measure(world, &after));
    CHECK(met > 100);
    double size = sqrt(2 * before.kinetic_energy * before.mass);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR((after.momentum[k] - before.momentum[k]) / size, 0, 1e-6);
    CHECK(after.kinetic_energy < before.kinetic_energy);
    CHECK(after.kinetic_energy > 0.01 * before.kinetic_energy);
    sn_world_destroy(world);
}

/* V47: a column of balls presses on its lowest with the weight of all. */
TEST(column_weighs) {
    enum { COUNT = 10 };
    sn_world *world = make_world(40, g, 1, 0);
    sn_node ball[COUNT + 1];
    for (int i = 0; i <= COUNT; i++) ball[i] = add_ball(world, 0, 0.2 * i, 0, i > 0, 0.1);
    sn_collision_surface_def def = sn_collision_surface_def_default();
    (void)add_surface(world, ball, 1, &def);
    def.self = true;
    (void)add_surface(world, ball + 1, COUNT, &def);
    step(world, 300);
    const sn_contact *event;
    size_t count;
    REQUIRE_OK(sn_world_contacts(world, &event, &count));
    CHECK(count == COUNT);
    for (size_t i = 0; i < count; i++)
        CHECK_NEAR((double)event[i].normal_impulse / (double)dt, g * (double)(COUNT - i),
                   0.01 * g * COUNT);
    for (int i = 1; i <= COUNT; i++)
        CHECK_NEAR((double)look(world, ball[i]).position.y, 0.2 * i, 2e-3);
    sn_world_destroy(world);
}

/* A ball on a heavy sheet that lies on an incline made of a kinematic triangle: masses do not
   matter to friction. */
static double slide(double mass, double mu, double angle) {
    sn_world *world = make_world(20, 0, 1, 0);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){(sn_real)(g * sin(angle)), (sn_real)(-g * cos(angle)), 0};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_node floor[3] = {add_ball(world, -50, 0, -50, 0, 0), add_ball(world, 0, 0, 100, 0, 0),
                        add_ball(world, 100, 0, -50, 0, 0)};
    sn_node ball = add_ball(world, 0, 0.1, 0, mass, 0.1);
    const uint32_t triangle[3] = {0, 1, 2};
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.static_friction = def.dynamic_friction = (sn_real)mu;
    (void)add_surface(world, &ball, 1, &def);
    def.triangles = triangle;
    def.triangle_count = 1;
    (void)add_surface(world, floor, 3, &def);
    step(world, 60);
    double x = (double)look(world, ball).position.x;
    sn_world_destroy(world);
    return x;
}

TEST(friction_does_not_depend_on_mass) {
    double angle = atan(0.5) + 5 * acos(-1) / 180, a = g * (sin(angle) - 0.5 * cos(angle));
    for (double mass = 1e-3; mass < 2e3; mass *= 100)
        CHECK_NEAR(slide(mass, 0.5, angle), a / 2, 0.01 * a);
    CHECK_NEAR(slide(1, 0.5, 0.95 * atan(0.5)), 0, 1e-4);
}

/* ---- Sides ---- */

/* A fast ball against a hanging sheet, from both sides, through a face, an edge or a corner. */
TEST(nothing_passes_a_sheet) {
    /* 0.9 radii in a substep, and more; any speed is for collision surfaces that are
       penetration-free. */
    const double speeds[] = {1, 5.4, 10};
    for (size_t s = 0; s < sizeof speeds / sizeof *speeds; s++)
        for (int place = 0; place < 4; place++) {
            double x = place * 0.025 / 3, side = place % 2 ? 1 : -1, r = 0.01;
            sn_world *world = make_world(10, 0, 1, 0);
            sn_collision_surface_def def = sn_collision_surface_def_default();
            sheet cloth = add_sheet(world, 8, 0.4, 0.004, 0, def);
            const size_t corner[] = {0, 8, 72, 80};
            for (int k = 0; k < 4; k++)
                REQUIRE_OK(sn_node_set_inverse_mass(world, cloth.nodes[corner[k]], 0));
            sn_node ball = add_ball(world, x, 0.1 * side, x / 2, 0.001, r);
            REQUIRE_OK(
                sn_node_set_velocity(world, ball, (sn_vec3){0, (sn_real)(-side * speeds[s]), 0}));
            (void)add_surface(world, &ball, 1, &def);
            bool through = false;
            for (int i = 0; i < 30; i++) {
                step(world, 1);
                sn_vec3 at = look(world, ball).position;
                bool within = fabs((double)at.x) < 0.15 && fabs((double)at.z) < 0.15;
                double sheet_y = (double)look(world, cloth.nodes[40]).position.y;
                if (within && ((double)at.y - sheet_y) * side < -0.02) through = true;
            }
            if (through) printf("speed %g, place %d\n", speeds[s], place);
            CHECK(!through);
            free_sheet(&cloth);
            sn_world_destroy(world);
        }
}

/* Two crossed ropes, one falling on the other: capsules. */
TEST(ropes_catch_each_other) {
    sn_world *world = make_world(20, g, 1, 0);
    enum { COUNT = 21 };
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_node rope[2][COUNT];
    uint32_t segment[2 * (COUNT - 1)];
    for (uint32_t i = 0; i + 1 < COUNT; i++) {
        segment[2 * i] = i;
        segment[2 * i + 1] = i + 1;
    }
    for (int k = 0; k < 2; k++) {
        sn_distance_def edge[COUNT - 1];
        for (int i = 0; i < COUNT; i++) {
            double along = 0.05 * (i - 10) + 0.005;
            /* The lower one is held at its ends, the upper one is loose. */
            bool held = k == 0 && (i == 0 || i == COUNT - 1);
            rope[k][i] =
                add_ball(world, k ? 0 : along, 0.2 * k, k ? along : 0, held ? 0 : 0.01, 0.01);
            if (i == 0) continue;
            edge[i - 1] = sn_distance_def_default();
            edge[i - 1].node[0] = rope[k][i - 1];
            edge[i - 1].node[1] = rope[k][i];
        }
        REQUIRE_OK(sn_constraints_create(world, SN_TYPE_DISTANCE, edge, COUNT - 1, NULL));
        def.segments = segment;
        def.segment_count = COUNT - 1;
        (void)add_surface(world, rope[k], COUNT, &def);
    }
    /* Until it hardly swings; one that creeps has fallen by then. */
    step(world, 360);
    /* It hangs over the other, both ends below. */
    double middle = (double)look(world, rope[1][10]).position.y;
    CHECK(middle > -0.25 && middle < 0.2);
    CHECK(stats_of(world).contacts > 0);
    CHECK(stats_of(world).penetrations == 0);
    double ends =
        ((double)look(world, rope[1][0]).position.y + (double)look(world, rope[1][20]).position.y) /
        2;
    CHECK(ends < middle - 0.2);
    sn_world_destroy(world);
}

/* ---- The same bits ---- */

static sn_world *make_sweeping_world(int sweeps, int threads, int width) {
    sn_world *world = make_world(6, g, threads, width);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.iterations = sweeps;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    return world;
}

static uint64_t run_heap(int sweeps, int threads, int width, int frames, void **snapshot,
                         size_t *bytes) {
    sn_world *world = make_sweeping_world(sweeps, threads, width);
    sn_collider floor;
    sn_collider_def plane = sn_collider_def_default();
    REQUIRE_OK(sn_collider_create(world, &plane, &floor));
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.self = true;
    sheet sheets[3];
    for (int i = 0; i < 3; i++) {
        def.detail = i == 2 ? SN_DETAIL_POINTS : SN_DETAIL_SURFACE;
        sheets[i] = add_sheet(world, 12, 0.3, i == 2 ? 0.02 : 0.006, 0.05 + 0.05 * i, def);
    }
    for (int i = 0; i < frames; i++) {
        step(world, 1);
        if (i == 20 && snapshot) *snapshot = snapshot_of(world, bytes);
    }
    CHECK(stats_of(world).contacts > 50);
    uint64_t hash = sn_world_hash(world);
    for (int i = 0; i < 3; i++) free_sheet(&sheets[i]);
    sn_world_destroy(world);
    return hash;
}

TEST(same_bits_everywhere) {
    void *snapshot = NULL;
    size_t bytes = 0;
    uint64_t hash = run_heap(1, 1, 0, 40, &snapshot, &bytes);
    const int threads[] = {1, 2, 3, 8, 1, 1, 1, 2}, width[] = {0, 0, 0, 0, 1, 4, 8, 16};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        if (!CHECK(run_heap(1, threads[i], width[i], 40, NULL, NULL) == hash))
            printf("%d threads, width %d\n", threads[i], width[i]);
    /* From the middle on, as if it had never stopped. */
    sn_world *world = make_world(6, g, 2, 0);
    REQUIRE_OK(sn_snapshot_load(world, snapshot, bytes));
    step(world, 19);
    CHECK(sn_world_hash(world) == hash);
    sn_world_destroy(world);
    free(snapshot);
}

/* Pairs that a sweep leaves alone may touch in the next. */
TEST(same_bits_with_several_sweeps) {
    uint64_t hash = run_heap(3, 1, 1, 40, NULL, NULL);
    const int widths[] = {4, 8, 16};
    for (int i = 0; i < 3; i++)
        if (!CHECK(run_heap(3, 2, widths[i], 40, NULL, NULL) == hash))
            printf("width %d\n", widths[i]);
}

/* ---- Many collision surfaces ---- */

/* A triangle of three nodes in the xz plane, as a collision surface of its own. */
static void add_triangle(sn_world *world, sn_vec3 at, double size, double mass, sn_node node[3]) {
    static const uint32_t corners[3] = {0, 1, 2};
    double x = (double)at.x, y = (double)at.y, z = (double)at.z;
    node[0] = add_ball(world, x - size, y, z - size, mass, 0.01);
    node[1] = add_ball(world, x, y, z + size, mass, 0.01);
    node[2] = add_ball(world, x + size, y, z - size, mass, 0.01);
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.triangles = corners;
    def.triangle_count = 1;
    (void)add_surface(world, node, 3, &def);
}

/* Small triangles that fall, each on a large one that is held: none of them is overlooked, however
   many collision surfaces there are, and however fast they come. */
static uint64_t drop_triangles(int threads) {
    enum { COUNT = 90 };
    sn_world *world = make_world(8, g, threads, 0);
    sn_node held[3], falls[COUNT][3];
    uint32_t random = 7;
    for (int i = 0; i < COUNT; i++) {
        sn_vec3 at = {(sn_real)(0.5 * (i % 10)), 0, (sn_real)(0.5 * (i / 10))};
        random = random * 1664525u + 1013904223u;
        at.y = (sn_real)(random >> 8) / (1 << 24);
        add_triangle(world, at, 0.2, 0, held);
        at.y += (sn_real)(0.1 + 0.004 * i);
        at.z -= (sn_real)0.08;
        add_triangle(world, at, 0.04, 0.1, falls[i]);
        for (int c = 0; c < 3; c++)
            REQUIRE_OK(
                sn_node_set_velocity(world, falls[i][c], (sn_vec3){0, (sn_real)(-0.03 * i), 0}));
    }
    step(world, 40);
    random = 7;
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        double under = (double)((sn_real)(random >> 8) / (1 << 24));
        for (int c = 0; c < 3; c++)
            CHECK_NEAR((double)look(world, falls[i][c]).position.y, under + 0.02, 0.002);
    }
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

TEST(many_surfaces_find_each_other) {
    uint64_t hash = drop_triangles(1);
    CHECK(drop_triangles(3) == hash);
}

/* One of many balls hits the floor, goes another way than was expected, and is searched for alone:
   there is nobody near it, and it is not its own neighbour. */
TEST(a_stray_does_not_meet_itself) {
    enum { COUNT = 32 };
    sn_world *world = make_world(20, g, 1, 0);
    sn_node ball[COUNT];
    sn_collider floor;
    sn_collider_def plane = sn_collider_def_default();
    REQUIRE_OK(sn_collider_create(world, &plane, &floor));
    for (int i = 0; i < COUNT; i++) ball[i] = add_ball(world, i, 5 + i, 0, 1, 0.01);
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.self = true;
    (void)add_surface(world, ball, COUNT, &def);
    REQUIRE_OK(sn_node_set_position(world, ball[0], (sn_vec3){0, (sn_real)0.1, 0}));
    REQUIRE_OK(sn_node_set_velocity(world, ball[0], (sn_vec3){0, -10, 0}));
    for (int i = 0; i < 6; i++) {
        step(world, 1);
        CHECK(stats_of(world).candidates == 0);
    }
    sn_world_destroy(world);
}

/* ---- Pairs that are used again ---- */

/* Two sheets, one on the other, which come to rest on the floor: surfaces, and balls. */
static sn_world *lay_down(sheet sheets[2], sn_collision_surface_detail detail) {
    sn_world *world = make_world(6, g, 1, 0);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.damping = 4;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_collider floor;
    sn_collider_def plane = sn_collider_def_default();
    REQUIRE_OK(sn_collider_create(world, &plane, &floor));
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.self = true;
    def.detail = detail;
    for (int i = 0; i < 2; i++) sheets[i] = add_sheet(world, 8, 0.2, 0.02, 0.011 + 0.022 * i, def);
    for (int i = 0; i < 600 && (i < 60 || stats_of(world).detections > 0); i++) step(world, 1);
    CHECK(stats_of(world).contacts > 20);
    return world;
}

static double closest(const sn_world *world, sn_node a, sn_node b) {
    sn_vec3 p = look(world, a).position, q = look(world, b).position;
    double x = (double)(p.x - q.x), y = (double)(p.y - q.y), z = (double)(p.z - q.z);
    return sqrt(x * x + y * y + z * z);
}

TEST(what_rests_is_not_searched_again) {
    static const sn_collision_surface_detail details[] = {SN_DETAIL_SURFACE, SN_DETAIL_POINTS};
    for (int k = 0; k < 2; k++) {
        sheet sheets[2];
        sn_world *world = lay_down(sheets, details[k]), *other = make_world(6, g, 2, 4);
        size_t bytes, searched = 0;
        CHECK(stats_of(world).detections == 0);
        /* Neither the step nor a snapshot in the middle shows in the bits. */
        void *snapshot = snapshot_of(world, &bytes);
        REQUIRE_OK(sn_snapshot_load(other, snapshot, bytes));
        for (int i = 0; i < 40; i++) {
            step(world, 1);
            step(other, 1);
            searched += stats_of(world).detections;
            CHECK(sn_world_hash(world) == sn_world_hash(other));
        }
        CHECK(searched < 10);
        /* Who is put elsewhere is seen there; who may not meet any more falls through at once. */
        sn_vec3 at = look(world, sheets[0].nodes[0]).position;
        at.y += (sn_real)0.015;
        REQUIRE_OK(sn_node_set_position(world, sheets[1].nodes[40], at));
        step(world, 1);
        CHECK(stats_of(world).contacts > 20);
        CHECK(closest(world, sheets[1].nodes[40], sheets[0].nodes[0]) > 0.0199);
        for (int i = 0; i < 600 && stats_of(world).detections > 0; i++) step(world, 1);
        size_t touching = stats_of(world).contacts;
        REQUIRE_OK(sn_body_set_collision(world, sheets[0].body, sheets[1].body, false));
        step(world, 1);
        CHECK(stats_of(world).detections > 0 && stats_of(world).contacts < touching);
        free(snapshot);
        for (int i = 0; i < 2; i++) free_sheet(&sheets[i]);
        sn_world_destroy(world);
        sn_world_destroy(other);
    }
}

/* Four balls in a row come together; where edges join them, only those that none joins meet. */
TEST(balls_that_an_edge_joins_are_left_to_it) {
    static const uint32_t segments[] = {0, 1, 2, 1, 2, 3};
    for (int joined = 0; joined < 2; joined++) {
        sn_world *world = make_world(4, 0, 1, 0);
        sn_node node[4];
        for (int i = 0; i < 4; i++) node[i] = add_ball(world, 0.1 * i, 0, 0, 1, 0.05);
        sn_collision_surface_def def = sn_collision_surface_def_default();
        def.self = true;
        def.detail = SN_DETAIL_POINTS;
        def.segments = joined ? segments : NULL;
        def.segment_count = joined ? 3 : 0;
        add_surface(world, node, 4, &def);
        REQUIRE_OK(sn_node_set_position(world, node[1], (sn_vec3){(sn_real)0.05, 0, 0}));
        step(world, 1);
        double between = closest(world, node[0], node[1]);
        CHECK(joined ? fabs(between - 0.05) < 1e-6 : between > 0.051);
        REQUIRE_OK(sn_node_set_position(world, node[2], (sn_vec3){(sn_real)0.05, 0, 0}));
        step(world, 1);
        CHECK(closest(world, node[0], node[2]) > 0.051);
        sn_world_destroy(world);
    }
}

/* ---- Calls ---- */

TEST(surfaces_are_checked) {
    sn_world *world = make_world(10, g, 1, 0);
    sn_node node[4];
    for (int i = 0; i < 4; i++) node[i] = add_ball(world, 0.1 * i, i % 2, 0, 1, 0.01);
    const uint32_t good[3] = {0, 1, 2}, twice[3] = {0, 1, 1}, beyond[3] = {0, 1, 4};
    sn_collision_surface surface;
    sn_collision_surface_def def = sn_collision_surface_def_default();
    CHECK_FAILS(sn_collision_surface_create(world, &def, &surface), SN_ERROR_VALUE);
    def.nodes = node;
    def.node_count = 4;
    def.triangle_count = 1;
    CHECK_FAILS(sn_collision_surface_create(world, &def, &surface), SN_ERROR_NULL);
    def.triangles = twice;
    CHECK_FAILS(sn_collision_surface_create(world, &def, &surface), SN_ERROR_DEGENERATE);
    def.triangles = beyond;
    CHECK_FAILS(sn_collision_surface_create(world, &def, &surface), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "triangle 0 has node 4, expected below 4"));
    def.triangles = good;
    def.dynamic_friction = 2;
    CHECK_FAILS(sn_collision_surface_create(world, &def, &surface), SN_ERROR_VALUE);
    def.dynamic_friction = 0;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
    CHECK(sn_collision_surface_is_valid(world, surface));
    sn_collision_surface other, same;
    CHECK_FAILS(sn_collision_surface_create(world, &def, &other), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "surface 1 already"));
    REQUIRE_OK(sn_world_collision_surface_at(world, 0, &same));
    CHECK(memcmp(&same, &surface, sizeof surface) == 0);
    sn_collision_surface_def read = sn_collision_surface_def_default();
    REQUIRE_OK(sn_collision_surface_get(world, surface, &read));
    CHECK(read.node_count == 4);
    CHECK(read.triangle_count == 1);
    read.self = true;
    REQUIRE_OK(sn_collision_surface_set(world, surface, &read));
    step(world, 1);
    /* Nodes take their elements along, and the last one the collision surface. */
    REQUIRE_OK(sn_node_destroy(world, node[1]));
    REQUIRE_OK(sn_collision_surface_get(world, surface, &read));
    CHECK(read.node_count == 3);
    CHECK(read.triangle_count == 0);
    step(world, 1);
    sn_node rest[3] = {node[0], node[2], node[3]};
    REQUIRE_OK(sn_nodes_destroy(world, rest, 3));
    CHECK(!sn_collision_surface_is_valid(world, surface));
    step(world, 1);
    sn_node lone = add_ball(world, 0, 0, 0, 1, 0.1);
    def = sn_collision_surface_def_default();
    surface = add_surface(world, &lone, 1, &def);
    REQUIRE_OK(sn_collision_surface_destroy(world, surface));
    CHECK(!sn_collision_surface_is_valid(world, surface));
    CHECK(sn_node_is_valid(world, lone));
    sn_world_destroy(world);
}

/* Begin, stay, end. */
TEST(contacts_are_told) {
    sn_world *world = make_world(10, 0, 1, 0);
    sn_node ball[2] = {add_ball(world, 0, 0, 0, 1, 0.1), add_ball(world, 0.255, 0, 0, 1, 0.1)};
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.self = true;
    (void)add_surface(world, ball, 2, &def);
    REQUIRE_OK(sn_node_set_velocity(world, ball[0], (sn_vec3){1, 0, 0}));
    const sn_contact *event;
    size_t count = 0;
    int waited = 0;
    for (; waited < 10 && count == 0; waited++) {
        step(world, 1);
        REQUIRE_OK(sn_world_contacts(world, &event, &count));
    }
    CHECK(waited == 4);
    CHECK(count == 1);
    CHECK(event[0].phase == SN_CONTACT_BEGIN);
    CHECK(event[0].kind == SN_CONTACT_POINT_POINT);
    CHECK_NEAR((double)event[0].normal.x, -1, 1e-6);
    CHECK_NEAR((double)event[0].impulse.x, -0.5, 1e-4);
    CHECK_NEAR((double)event[0].normal_impulse, 0.5, 1e-4);
    CHECK_NEAR((double)event[0].weights[0], 1, 0);
    REQUIRE_OK(sn_node_set_velocity(world, ball[0], (sn_vec3){-1, 0, 0}));
    step(world, 1);
    REQUIRE_OK(sn_world_contacts(world, &event, &count));
    CHECK(count == 1);
    CHECK(event[0].phase == SN_CONTACT_END);
    step(world, 1);
    REQUIRE_OK(sn_world_contacts(world, &event, &count));
    CHECK(count == 0);
    sn_world_destroy(world);
}

/* Everything at one place, nodes without a mass, and far away: nothing that is no number. */
TEST(abuse_is_survived) {
    sn_world *world = make_world(10, g, 1, 0);
    enum { COUNT = 40 };
    sn_node node[COUNT];
    uint32_t triangle[3 * (COUNT / 3)];
    for (int i = 0; i < COUNT; i++) {
        double far = i % 7 == 0 ? 1e6 : 0, mass = i % 3 == 0 ? 1e-6 : i % 3 == 1 ? 1e6 : 0;
        node[i] = add_ball(world, far, 0, 0, mass, 0.05);
    }
    for (uint32_t i = 0; i < 3 * (COUNT / 3); i++) triangle[i] = i;
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.self = true;
    def.triangles = triangle;
    def.triangle_count = COUNT / 3;
    (void)add_surface(world, node, COUNT, &def);
    step(world, 60);
    for (int i = 0; i < COUNT; i++) {
        sn_vec3 v = look(world, node[i]).velocity;
        double speed = sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
        CHECK(speed < 100);
    }
    sn_measure m;
    REQUIRE_OK(sn_world_measure(world, &m));
    CHECK(isfinite(m.kinetic_energy));
    sn_world_destroy(world);
}

/* ---- What is porous ---- */

/* How many of 400 balls, beside each other, have fallen through a sheet that is held. */
static size_t sieve(double porosity, uint32_t mask, int threads, uint64_t *hash) {
    enum { SIDE = 20 };
    static sn_node nodes[SIDE * SIDE], held[11 * 11];
    static uint32_t pins[11 * 11];
    sn_world_def world_def = sn_world_def_default();
    sn_world *world;
    sn_grid_def grid = sn_grid_def_default();
    sn_mesh net = sn_mesh_default(), balls = sn_mesh_default();
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_particles_material ball = sn_particles_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    size_t through = 0;
    world_def.threads = threads;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    grid.columns = grid.rows = 10;
    REQUIRE_OK(sn_generate_grid(&net, &grid));
    for (uint32_t i = 0; i < 11 * 11; i++) pins[i] = i;
    def.mesh = &net;
    def.pins = pins;
    def.pin_count = 11 * 11;
    def.collide = SN_COLLIDE_OTHERS;
    def.surface.porosity = (sn_real)porosity;
    def.surface.mask = mask;
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, held, &build));
    for (int i = 0; i < SIDE * SIDE; i++) {
        sn_vec3 at = {(sn_real)(0.045 * (i % SIDE - 9.5)), (sn_real)0.05,
                      (sn_real)(0.045 * (i / SIDE - 9.5))};
        REQUIRE_OK(sn_mesh_add_vertices(&balls, &at, 1));
    }
    def = sn_build_def_default();
    def.mesh = &balls;
    def.collide = SN_COLLIDE_OTHERS;
    REQUIRE_OK(sn_build_body(world, SN_KIND_PARTICLES, &ball, &def, nodes, &build));
    for (int i = 0; i < 30; i++) CHECK_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        sn_node_def now;
        CHECK_OK(sn_node_get(world, nodes[i], &now));
        through += (double)now.position.y < -0.1;
        CHECK((double)now.position.y < -0.1 || (double)now.position.y > 0);
    }
    *hash = sn_world_hash(world);
    sn_mesh_free(&net);
    sn_mesh_free(&balls);
    sn_world_destroy(world);
    return through;
}

/* As many as it says, within three standard deviations of a choice by chance, the same ones for any
   number of threads; those that do not are held. */
TEST(what_is_porous_lets_a_part_of_balls_through) {
    uint64_t hash[2];
    for (int i = 0; i <= 4; i++) {
        double part = 0.25 * i, expected = 400 * part;
        size_t through = sieve(part, UINT32_MAX, 1, &hash[0]);
        if (check_shows()) printf("%g: %zu of 400\n", part, through);
        CHECK_NEAR((double)through, expected, 3 * sqrt(400 * part * (1 - part)));
    }
    sieve(0.5, UINT32_MAX, 1, &hash[0]);
    sieve(0.5, UINT32_MAX, 3, &hash[1]);
    CHECK(hash[0] == hash[1]);
    /* Who does not collide with it at all falls through, however fine it is. */
    CHECK(sieve(0.5, 2, 1, &hash[0]) == 400);
    CHECK(sieve(0, 2, 1, &hash[0]) == 400);
}

TESTS(RUN(equal_balls_exchange_velocities), RUN(momentum_is_kept), RUN(column_weighs),
      RUN(friction_does_not_depend_on_mass), RUN(nothing_passes_a_sheet),
      RUN(ropes_catch_each_other), RUN(same_bits_everywhere), RUN(same_bits_with_several_sweeps),
      RUN(many_surfaces_find_each_other), RUN(a_stray_does_not_meet_itself),
      RUN(what_rests_is_not_searched_again), RUN(balls_that_an_edge_joins_are_left_to_it),
      RUN(surfaces_are_checked), RUN(contacts_are_told), RUN(abuse_is_survived),
      RUN(what_is_porous_lets_a_part_of_balls_through))
