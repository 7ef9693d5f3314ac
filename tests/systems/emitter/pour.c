/*
 * Emitters give the volume that they say and no two particles in one place; what they gave is in
 * the fluid, in drains or waits; and both are in snapshots, recordings and replays, and refuse what
 * they cannot be.
 */
#include <sinew/sinew.h>

#include "check.h"
#include "snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPACING 0.02

typedef struct stage {
    sn_world *world;
    sn_node node[4000];
    size_t count;
    sn_fluid fluid;
    sn_emitter emitter;
    sn_drain drain;
} stage;

static sn_world *make_world(double gravity, int threads) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.settings.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    def.settings.substeps = 5;
    def.threads = threads;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* A reserve of water, far from everything until an emitter has it. */
static void add_reserve(stage *s, size_t count, bool liquid) {
    sn_node_def def = sn_node_def_default();
    def.radius = (sn_real)(SPACING / 2);
    def.inverse_mass = (sn_real)(1 / (1000 * SPACING * SPACING * SPACING));
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        def.position = (sn_vec3){(sn_real)(5 + SPACING * (double)i), 5, 5};
        REQUIRE_OK(sn_node_create(s->world, &def, &s->node[i]));
    }
    sn_fluid_def fluid = sn_fluid_def_default();
    fluid.nodes = s->node;
    fluid.node_count = count;
    if (liquid) REQUIRE_OK(sn_fluid_create(s->world, &fluid, &s->fluid));
}

static sn_emitter_def nozzle(const stage *s) {
    sn_emitter_def def = sn_emitter_def_default();
    def.nodes = s->node;
    def.node_count = s->count;
    def.position = (sn_vec3){0, 1, 0};
    def.orientation = (sn_quat){1, 0, 0, 0}; /* down */
    def.radius = (sn_real)0.05;
    def.speed = 1;
    return def;
}

static void run(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++) CHECK_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

static sn_emitter_measures measure(const stage *s) {
    sn_emitter_measures m = {0};
    CHECK_OK(sn_emitter_measure(s->world, s->emitter, &m));
    return m;
}

static size_t members(const stage *s) {
    sn_fluid_def def;
    CHECK_OK(sn_fluid_get(s->world, s->fluid, &def));
    return def.node_count;
}

/* m: how near the nearest two of those are that have appeared. */
static double nearest(const stage *s) {
    double least = INFINITY;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < i; k++) {
            sn_node_def a, b;
            CHECK_OK(sn_node_get(s->world, s->node[i], &a));
            CHECK_OK(sn_node_get(s->world, s->node[k], &b));
            if (!(a.radius > 0) || !(b.radius > 0)) continue;
            double x = (double)(a.position.x - b.position.x);
            double y = (double)(a.position.y - b.position.y);
            double z = (double)(a.position.z - b.position.z);
            least = fmin(least, sqrt(x * x + y * y + z * z));
        }
    return least;
}

/* Without gravity and whatever the step: what a nozzle gives in two seconds. */
static void check_rate(double rate, double speed, double dt, sn_emitter_shape shape) {
    stage *s = calloc(1, sizeof *s);
    s->world = make_world(0, 1);
    add_reserve(s, 3000, true);
    sn_emitter_def def = nozzle(s);
    def.speed = (sn_real)speed;
    def.shape = shape;
    def.extent = (sn_vec3){def.radius, 1, def.radius};
    if (rate > 0) def.rate = (sn_real)rate;
    REQUIRE_OK(sn_emitter_create(s->world, &def, &s->emitter));
    CHECK(members(s) == 0 && measure(s).waiting == 3000);
    int steps = (int)lround(2 / dt);
    for (int i = 0; i < steps; i++) CHECK_OK(sn_world_step(s->world, (sn_real)dt));
    /* Five by five places are within two and a half spacings, but for the corners in a disc. */
    double places = shape == SN_EMITTER_DISC ? 21 : 25;
    double natural = places * SPACING * SPACING * speed, m = measure(s).volume;
    if (check_shows()) printf("%g of %g m^3\n", m, 2 * (rate > 0 ? rate : natural));
    /* The last layer may be the one that is due next. */
    double layer = places * SPACING * SPACING * SPACING;
    CHECK(fabs(m - 2 * (rate > 0 ? rate : natural)) <
          fmax(0.01 * 2 * (rate > 0 ? rate : natural), 1.01 * layer));
    CHECK(measure(s).blocked == 0);
    sn_world_destroy(s->world);
    free(s);
}

TEST(volume_comes_as_fast_as_it_should) {
    check_rate(0, 1, 1.0 / 60, SN_EMITTER_DISC);
    check_rate(0, 0.5, 1.0 / 240, SN_EMITTER_DISC);
    check_rate(0, 1.3, 1.0 / 24, SN_EMITTER_DISC);
    check_rate(0.004, 1, 1.0 / 60, SN_EMITTER_DISC);
    check_rate(0, 0.7, 1.0 / 60, SN_EMITTER_RECTANGLE);
}

/* Half a second of it, where nothing pushes them apart. */
/* m/s, of those that are within a spacing of the nozzle when they stood still a step ago. */
static double speed_in_pipe(const stage *s) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->count; i++) {
        sn_node_def def;
        CHECK_OK(sn_node_get(s->world, s->node[i], &def));
        if (!(def.radius > 0) || fabs((double)def.position.y - 1) > 0.9 * SPACING) continue;
        sum -= (double)def.velocity.y;
        count++;
        REQUIRE_OK(sn_node_set_velocity(s->world, s->node[i], (sn_vec3){0, 0, 0}));
    }
    return count > 0 ? sum / count : -1;
}

/* A nozzle takes along what is still in it, while it is open. */
TEST(a_closed_nozzle_takes_nothing_along) {
    for (int way = 0; way < 3; way++) {
        stage *s = calloc(1, sizeof *s);
        s->world = make_world(0, 1);
        add_reserve(s, 500, false);
        sn_emitter_def def = nozzle(s);
        REQUIRE_OK(sn_emitter_create(s->world, &def, &s->emitter));
        run(s->world, 5);
        REQUIRE_OK(sn_emitter_get(s->world, s->emitter, &def));
        if (way == 1) def.start = 10;
        if (way == 2) def.end = (sn_real)(5.0 / 60);
        REQUIRE_OK(sn_emitter_set(s->world, s->emitter, &def));
        check_case("%s", way == 0 ? "open" : way == 1 ? "not open yet" : "closed");
        CHECK_NEAR(speed_in_pipe(s), 1, 1e-4);
        run(s->world, 1);
        CHECK_NEAR(speed_in_pipe(s), way == 0 ? 1 : 0, 1e-4);
        sn_world_destroy(s->world);
        free(s);
    }
}

TEST(no_two_appear_in_one_place) {
    for (int shape = SN_EMITTER_DISC; shape <= SN_EMITTER_SPHERE; shape++) {
        stage *s = calloc(1, sizeof *s);
        s->world = make_world(0, 1);
        add_reserve(s, 600, false);
        sn_emitter_def def = nozzle(s);
        def.shape = (sn_emitter_shape)shape;
        def.extent = (sn_vec3){(sn_real)0.05, (sn_real)0.04, (sn_real)0.03};
        REQUIRE_OK(sn_emitter_create(s->world, &def, &s->emitter));
        run(s->world, 30);
        if (check_shows()) printf("%g appeared, nearest %g\n", measure(s).emitted, nearest(s));
        CHECK(measure(s).emitted > 50);
        /* Each by a twentieth of the spacing beside its place along every axis, or kept away. */
        CHECK(nearest(s) > 0.49 * SPACING);
        sn_world_destroy(s->world);
        free(s);
    }
}

/* A row of places along each axis, with somebody in the last: the others are filled once. */
TEST(long_rows_are_filled_once) {
    for (int i = 0; i < 6; i++) {
        enum { PLACES = 150 };
        const int axis = i % 3;
        sn_vec3 points[PLACES];
        check_case("%s along axis %d", i / 3 ? "points" : "a box", axis);
        stage *s = calloc(1, sizeof *s);
        sn_real half[3] = {(sn_real)0.011, (sn_real)0.011, (sn_real)0.011};
        sn_node_def other = sn_node_def_default();
        sn_node somebody;
        double last[3] = {0, 0, 0};
        half[axis] = (sn_real)(PLACES * SPACING / 2 + 1e-3);
        last[axis] = (PLACES - 1) * SPACING / 2;
        s->world = make_world(0, 1);
        add_reserve(s, 600, false);
        sn_emitter_def def = nozzle(s);
        def.orientation = (sn_quat){0, 0, 0, 1};
        def.shape = SN_EMITTER_BOX;
        def.extent = (sn_vec3){half[0], half[1], half[2]};
        def.speed = def.jitter = 0;
        for (int k = 0; k < PLACES; k++) {
            double at[3] = {0, 0, 0};
            at[axis] = last[axis] - SPACING * k;
            points[k] = (sn_vec3){(sn_real)at[0], (sn_real)at[1], (sn_real)at[2]};
        }
        if (i / 3) {
            def.shape = SN_EMITTER_MESH;
            def.points = points;
            def.point_count = PLACES;
        }
        REQUIRE_OK(sn_emitter_create(s->world, &def, &s->emitter));
        other.radius = (sn_real)(SPACING / 2);
        other.position = (sn_vec3){(sn_real)last[0], (sn_real)(1 + last[1]), (sn_real)last[2]};
        REQUIRE_OK(sn_node_create(s->world, &other, &somebody));
        run(s->world, 3);
        CHECK(measure(s).emitted == PLACES - 1);
        CHECK(nearest(s) > 0.99 * SPACING);
        sn_world_destroy(s->world);
        free(s);
    }
}

/* A ring that lies in the plane of the middle of the emitter, 10 cm wide and 3 cm thick. */
static const double ring = 0.05, tube = 0.03;

static stage *emit_from_ring(double rate, sn_mesh *points) {
    stage *s = calloc(1, sizeof *s);
    sn_torus_def torus = sn_torus_def_default();
    sn_mesh mesh = sn_mesh_default();
    torus.radius = (sn_real)ring;
    torus.tube = (sn_real)tube;
    torus.segments = 48;
    torus.sides = 24;
    REQUIRE_OK(sn_generate_torus(&mesh, &torus));
    REQUIRE_OK(sn_mesh_fill_points(&mesh, (sn_real)SPACING, (sn_real)(SPACING / 4), points));
    sn_mesh_free(&mesh);
    s->world = make_world(0, 1);
    add_reserve(s, 300, true);
    sn_emitter_def def = nozzle(s);
    def.shape = SN_EMITTER_MESH;
    def.points = points->positions;
    def.point_count = points->vertex_count;
    def.speed = 0;
    if (rate > 0) def.rate = (sn_real)rate;
    REQUIRE_OK(sn_emitter_create(s->world, &def, &s->emitter));
    return s;
}

/* How many have appeared within the ring, and how many beyond it. */
static void count_in_ring(const stage *s, size_t *in, size_t *out) {
    *in = *out = 0;
    for (size_t i = 0; i < s->count; i++) {
        sn_node_def now;
        CHECK_OK(sn_node_get(s->world, s->node[i], &now));
        if (!(now.radius > 0)) continue;
        double x = (double)now.position.x, y = (double)now.position.y - 1;
        double z = (double)now.position.z, across = hypot(x, z) - ring;
        *(hypot(across, y) < tube ? in : out) += 1;
    }
}

/* All of it at once where it says no rate, and otherwise as fast as it says. */
TEST(meshes_are_filled) {
    sn_mesh points = sn_mesh_default();
    sn_emitter_def got;
    size_t in, out;
    stage *s = emit_from_ring(0, &points);
    run(s->world, 1);
    count_in_ring(s, &in, &out);
    /* What is less than a quarter of the spacing below the surface has none. */
    double inner = tube - SPACING / 4, volume = 2 * 9.8696 * ring * inner * inner;
    if (check_shows())
        printf("%zu in, %zu out, %g of %g m^3\n", in, out, measure(s).volume, volume);
    CHECK(in == points.vertex_count && out == 0 && measure(s).emitted == (double)in);
    CHECK(nearest(s) > 0.85 * SPACING);
    CHECK_REL(measure(s).volume, volume, 0.15);
    CHECK_OK(sn_emitter_get(s->world, s->emitter, &got));
    CHECK(got.point_count == points.vertex_count && got.points[3].x == points.positions[3].x);
    got.shape = SN_EMITTER_BOX;
    CHECK_FAILS(sn_emitter_set(s->world, s->emitter, &got), SN_ERROR_VALUE);
    sn_world_destroy(s->world);
    free(s);
    sn_mesh_free(&points);
    s = emit_from_ring(1e-4, &points);
    run(s->world, 30);
    count_in_ring(s, &in, &out);
    CHECK_NEAR(measure(s).volume, 0.5e-4, 1.01 * SPACING * SPACING * SPACING);
    CHECK((double)in == measure(s).emitted && out == 0);
    /* A snapshot has the points. */
    size_t size = 0;
    void *saved = snapshot_of(s->world, &size);
    run(s->world, 15);
    uint64_t hash = sn_world_hash(s->world);
    sn_world_destroy(s->world);
    s->world = make_world(0, 3);
    CHECK_OK(sn_snapshot_load(s->world, saved, size));
    run(s->world, 15);
    CHECK(sn_world_hash(s->world) == hash);
    free(saved);
    sn_world_destroy(s->world);
    free(s);
    sn_mesh_free(&points);
}

/* A mesh without points, points without a mesh, and what has no inside. */
TEST(meshes_that_cannot_be_are_refused) {
    stage *s = calloc(1, sizeof *s);
    sn_mesh mesh = sn_mesh_default(), points = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    sn_vec3 point = {0, 0, 0};
    s->world = make_world(0, 1);
    add_reserve(s, 2, false);
    sn_emitter_def def = nozzle(s);
    def.points = &point;
    def.point_count = 1;
    CHECK_FAILS(sn_emitter_create(s->world, &def, &s->emitter), SN_ERROR_VALUE);
    def.shape = SN_EMITTER_MESH;
    def.point_count = 0;
    CHECK_FAILS(sn_emitter_create(s->world, &def, &s->emitter), SN_ERROR_VALUE);
    point.x = (sn_real)NAN;
    def.point_count = 1;
    CHECK_FAILS(sn_emitter_create(s->world, &def, &s->emitter), SN_ERROR_VALUE);
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    CHECK_FAILS(sn_mesh_fill_points(&mesh, 1, 0, &points), SN_ERROR_DEGENERATE);
    CHECK_FAILS(sn_mesh_fill_points(&mesh, 0, 0, &points), SN_ERROR_VALUE);
    CHECK_FAILS(sn_mesh_fill_points(&mesh, 1, -1, &points), SN_ERROR_VALUE);
    sn_mesh_free(&mesh);
    sn_world_destroy(s->world);
    free(s);
}

static stage *pour_into_drain(int threads, double end) {
    stage *s = calloc(1, sizeof *s);
    s->world = make_world(9.81, threads);
    add_reserve(s, 900, true);
    sn_emitter_def def = nozzle(s);
    def.start = (sn_real)0.1;
    def.end = (sn_real)end;
    REQUIRE_OK(sn_emitter_create(s->world, &def, &s->emitter));
    sn_drain_def drain = sn_drain_def_default();
    drain.shape = SN_DRAIN_HALF_SPACE;
    drain.position = (sn_vec3){0, (sn_real)0.2, 0};
    REQUIRE_OK(sn_drain_create(s->world, &drain, &s->drain));
    return s;
}

/* Whatever was given is in the fluid or was drained, and comes again. */
TEST(nothing_is_lost) {
    stage *s = pour_into_drain(1, 1.5);
    double drained = 0;
    for (int i = 0; i < 150; i++) {
        run(s->world, 1);
        sn_emitter_measures m = measure(s);
        CHECK_OK(sn_drain_measure(s->world, s->drain, &drained));
        CHECK((double)members(s) == m.emitted - drained);
        CHECK(m.waiting == (double)s->count - (m.emitted - drained));
        for (size_t k = 0; k < s->count; k += 97) CHECK(sn_node_is_valid(s->world, s->node[k]));
    }
    if (check_shows()) printf("%g given, %g drained\n", measure(s).emitted, drained);
    CHECK(drained > 900 && drained == measure(s).emitted);
    sn_world_destroy(s->world);
    free(s);
}

TEST(bits_do_not_depend_on_threads_or_snapshots) {
    stage *a = pour_into_drain(1, 10), *b = pour_into_drain(3, 10);
    run(a->world, 40);
    size_t size = 0;
    void *saved = snapshot_of(a->world, &size);
    run(a->world, 40);
    run(b->world, 80);
    CHECK(sn_world_hash(a->world) == sn_world_hash(b->world));
    CHECK_OK(sn_snapshot_load(b->world, saved, size));
    run(b->world, 40);
    CHECK(sn_world_hash(a->world) == sn_world_hash(b->world));
    free(saved);
    sn_world_destroy(a->world);
    sn_world_destroy(b->world);
    free(a);
    free(b);
}

/* As much as has room in all places of a nozzle, and no more. */
TEST(rates_are_those_of_the_places) {
    for (int i = 0; i < 2; i++) {
        stage *s = calloc(1, sizeof *s);
        s->world = make_world(0, 1);
        add_reserve(s, 20, true);
        sn_emitter_def def = nozzle(s);
        def.shape = i ? SN_EMITTER_RECTANGLE : SN_EMITTER_DISC;
        def.extent = (sn_vec3){def.radius, 1, def.radius};
        double most = (i ? 25 : 21) * SPACING * SPACING * (double)def.speed;
        def.rate = (sn_real)(1.01 * most);
        CHECK(sn_emitter_create(s->world, &def, &s->emitter) == SN_ERROR_VALUE);
        def.rate = (sn_real)(0.99 * most);
        CHECK_OK(sn_emitter_create(s->world, &def, &s->emitter));
        sn_world_destroy(s->world);
        free(s);
    }
}

TEST(what_cannot_be_is_refused) {
    stage *s = calloc(1, sizeof *s);
    s->world = make_world(0, 1);
    add_reserve(s, 20, true);
    sn_emitter_def def = nozzle(s);
    sn_emitter other;
    def.rate = 1;
    CHECK(sn_emitter_create(s->world, &def, &s->emitter) == SN_ERROR_VALUE);
    def = nozzle(s);
    def.speed = 0;
    CHECK(sn_emitter_create(s->world, &def, &s->emitter) == SN_ERROR_VALUE);
    CHECK(members(s) == 20);
    def = nozzle(s);
    REQUIRE_OK(sn_emitter_create(s->world, &def, &s->emitter));
    CHECK(sn_emitter_create(s->world, &def, &other) == SN_ERROR_VALUE);
    CHECK_OK(sn_emitter_get(s->world, s->emitter, &def));
    CHECK(def.node_count == 20 && def.nodes[3].slot == s->node[3].slot);
    /* Twice as fast from now on, but not by a rate that cannot be. */
    def.speed = 2;
    CHECK_OK(sn_emitter_set(s->world, s->emitter, &def));
    def.rate = 1;
    CHECK(sn_emitter_set(s->world, s->emitter, &def) == SN_ERROR_VALUE);
    /* Nodes that go, and the fluid, leave the rest as it is. */
    CHECK_OK(sn_node_destroy(s->world, s->node[3]));
    CHECK(measure(s).waiting == 19);
    CHECK_OK(sn_fluid_destroy(s->world, s->fluid));
    run(s->world, 10);
    CHECK(measure(s).emitted == 19);
    CHECK_OK(sn_emitter_destroy(s->world, s->emitter));
    CHECK(!sn_emitter_is_valid(s->world, s->emitter));
    run(s->world, 2);
    sn_world_destroy(s->world);
    free(s);
}

/* A sentence that names the number of places, and no hours of counting them. */
TEST(more_places_than_can_be_looked_at_are_refused) {
    static const sn_emitter_shape shape[] = {SN_EMITTER_DISC, SN_EMITTER_RECTANGLE, SN_EMITTER_BOX,
                                             SN_EMITTER_SPHERE};
    stage *s = calloc(1, sizeof *s);
    s->world = make_world(0, 1);
    add_reserve(s, 20, true);
    sn_emitter_def def = nozzle(s), wide = def;
    wide.radius = (sn_real)1e9;
    wide.extent = (sn_vec3){(sn_real)1e9, (sn_real)1e9, (sn_real)1e9};
    for (int i = 0; i < 4; i++) {
        wide.shape = shape[i];
        CHECK_FAILS(sn_emitter_create(s->world, &wide, &s->emitter), SN_ERROR_LIMIT);
        CHECK(strstr(sn_last_error(), i < 2 ? "1e+12 places" : "1e+18 places"));
    }
    CHECK(members(s) == 20);
    REQUIRE_OK(sn_emitter_create(s->world, &def, &s->emitter));
    CHECK_FAILS(sn_emitter_set(s->world, s->emitter, &wide), SN_ERROR_LIMIT);
    sn_world_destroy(s->world);
    free(s);
}

/* Layers that follow each other faster than the clock can tell do not come for ever: of the first
   one every particle is there, and of all others none has room. */
TEST(a_jet_as_fast_as_numbers_go_ends_the_step) {
    stage *s = calloc(1, sizeof *s);
    s->world = make_world(0, 1);
    add_reserve(s, 300, false);
    sn_emitter_def def = nozzle(s);
    def.speed = (sn_real)1e18;
    def.jitter = 0;
    REQUIRE_OK(sn_emitter_create(s->world, &def, &s->emitter));
    run(s->world, 1);
    CHECK(measure(s).emitted > 0);
    sn_world_destroy(s->world);
    free(s);
}

/* A ball that takes what is in it while it is on, and nothing else. */
TEST(drains_take_what_is_in_them) {
    stage *s = calloc(1, sizeof *s);
    s->world = make_world(0, 1);
    add_reserve(s, 5, true);
    sn_drain_def def = sn_drain_def_default(), got;
    double drained = -1;
    def.shape = SN_DRAIN_SPHERE;
    def.position = (sn_vec3){5, 5, 5};
    def.radius = (sn_real)(2.5 * SPACING);
    def.start = 1;
    REQUIRE_OK(sn_drain_create(s->world, &def, &s->drain));
    run(s->world, 3);
    CHECK(members(s) == 5);
    def.start = 0;
    CHECK_OK(sn_drain_set(s->world, s->drain, &def));
    CHECK_OK(sn_drain_get(s->world, s->drain, &got));
    CHECK(got.start == 0 && got.shape == SN_DRAIN_SPHERE);
    run(s->world, 3);
    CHECK_OK(sn_drain_measure(s->world, s->drain, &drained));
    CHECK(members(s) == 2 && drained == 3);
    CHECK(sn_node_is_valid(s->world, s->node[0]));
    CHECK(sn_drain_is_valid(s->world, s->drain));
    CHECK_OK(sn_drain_destroy(s->world, s->drain));
    CHECK(!sn_drain_is_valid(s->world, s->drain));
    sn_world_destroy(s->world);
    free(s);
}

/* A box that is turned by a right angle about z, so that its x is up: of two in every direction one
   is just within and one just beyond. */
TEST(boxes_take_what_is_in_them) {
    static const double extent[3] = {0.2, 0.1, 0.3}; /* of the world: the box's y, x and z */
    stage *s = calloc(1, sizeof *s);
    s->world = make_world(0, 1);
    add_reserve(s, 12, true);
    for (size_t i = 0; i < 12; i++) {
        double at[3] = {0, 0, 0}, sign = i % 2 ? 1 : -1;
        at[i / 4] = sign * (extent[i / 4] + (i % 4 < 2 ? -0.01 : 0.01));
        CHECK_OK(sn_node_set_position(s->world, s->node[i],
                                      (sn_vec3){(sn_real)at[0], (sn_real)at[1], (sn_real)at[2]}));
    }
    sn_drain_def def = sn_drain_def_default();
    double drained = -1;
    def.shape = SN_DRAIN_BOX;
    def.orientation = (sn_quat){0, 0, (sn_real)0.70710678118654752, (sn_real)0.70710678118654752};
    def.extent = (sn_vec3){(sn_real)0.1, (sn_real)0.2, (sn_real)0.3};
    REQUIRE_OK(sn_drain_create(s->world, &def, &s->drain));
    run(s->world, 1);
    CHECK_OK(sn_drain_measure(s->world, s->drain, &drained));
    CHECK(members(s) == 6 && drained == 6);
    sn_fluid_def left;
    CHECK_OK(sn_fluid_get(s->world, s->fluid, &left));
    for (size_t k = 0; k < left.node_count; k++)
        CHECK(left.nodes[k].slot == s->node[4 * (k / 2) + 2 + k % 2].slot);
    sn_world_destroy(s->world);
    free(s);
}

/* Those that wait are where the emitter is, as the cube that is just large enough for all of them,
   a hundredth of a spacing apart, and at rest without a weight; so are those that were drained. */
static void check_waiting(const stage *s, size_t from, size_t end, sn_vec3 at) {
    size_t side = 1;
    while (side * side * side < s->count) side++;
    for (size_t i = from; i < end; i++) {
        sn_node_def def;
        size_t place[3] = {i % side, i / side % side, i / side / side};
        CHECK_OK(sn_node_get(s->world, s->node[i], &def));
        check_case("node %zu", i);
        CHECK_NEAR(def.position.x, (double)at.x + 0.01 * SPACING * (double)place[0], 1e-6);
        CHECK_NEAR(def.position.y, (double)at.y + 0.01 * SPACING * (double)place[1], 1e-6);
        CHECK_NEAR(def.position.z, (double)at.z + 0.01 * SPACING * (double)place[2], 1e-6);
        CHECK(def.inverse_mass == 0 && def.radius == 0);
        CHECK(def.velocity.x == 0 && def.velocity.y == 0 && def.velocity.z == 0);
    }
}

/* Grains that are of no fluid fall into a drain, and are where they were before they came. */
TEST(grains_are_drained_as_well) {
    stage *s = calloc(1, sizeof *s);
    double drained = -1;
    s->world = make_world(9.81, 1);
    add_reserve(s, 70, false);
    sn_emitter_def def = nozzle(s);
    def.position = (sn_vec3){(sn_real)0.3, 1, (sn_real)-0.2};
    def.end = (sn_real)0.05;
    REQUIRE_OK(sn_emitter_create(s->world, &def, &s->emitter));
    check_waiting(s, 0, s->count, def.position);
    sn_drain_def drain = sn_drain_def_default();
    drain.shape = SN_DRAIN_HALF_SPACE;
    drain.position = (sn_vec3){0, (sn_real)0.5, 0};
    drain.start = (sn_real)0.3;
    REQUIRE_OK(sn_drain_create(s->world, &drain, &s->drain));
    run(s->world, 17);
    double given = measure(s).emitted;
    CHECK(given > 10 && measure(s).waiting == 70 - given);
    CHECK_OK(sn_drain_measure(s->world, s->drain, &drained));
    CHECK(drained == 0);
    run(s->world, 40);
    CHECK_OK(sn_drain_measure(s->world, s->drain, &drained));
    CHECK(drained == given && measure(s).emitted == given && measure(s).waiting == 70);
    check_waiting(s, 0, s->count, def.position);
    sn_world_destroy(s->world);
    free(s);
}

TESTS(RUN(a_closed_nozzle_takes_nothing_along), RUN(volume_comes_as_fast_as_it_should),
      RUN(no_two_appear_in_one_place), RUN(long_rows_are_filled_once), RUN(meshes_are_filled),
      RUN(meshes_that_cannot_be_are_refused), RUN(nothing_is_lost),
      RUN(drains_take_what_is_in_them), RUN(boxes_take_what_is_in_them),
      RUN(bits_do_not_depend_on_threads_or_snapshots), RUN(rates_are_those_of_the_places),
      RUN(what_cannot_be_is_refused), RUN(more_places_than_can_be_looked_at_are_refused),
      RUN(a_jet_as_fast_as_numbers_go_ends_the_step), RUN(grains_are_drained_as_well))
