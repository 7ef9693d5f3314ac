/*
 * Wind: gusts are as strong, long and lasting as they are said to be, users make their own, and
 * runs are the same for all threads and widths, from snapshots and recordings; who sleeps in it.
 */
/* Before the tests' own names, which are shorter than those of the library. */
#include "snapshot.h"
#include "systems/aerodynamics/apply_air.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/meshed_body.h"

#ifdef SN_DOUBLE
#define FILE_NAME "air_wind_f64.reco"
#else
#define FILE_NAME "air_wind.reco"
#endif

static sn_settings gusty(void) {
    sn_settings s = sn_settings_default();
    s.substeps = 4;
    s.air_density = (sn_real)1.2;
    s.wind = (sn_vec3){6, 0, 1};
    s.gust_strength = 2;
    s.gust_length = (sn_real)0.8;
    s.gust_period = 1;
    return s;
}

static sn_world *world_of(sn_settings settings, int threads, int width) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings = settings;
    def.threads = threads;
    def.simd_width = width;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* A flag of cells^2, held at one side. */
static void add_sheet(sn_world *world, uint32_t cells, sn_quat rotation, sn_node *nodes,
                      sn_build *build) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    sn_mesh mesh = grid_mesh(1, 1, cells, cells, SN_GRID_ALTERNATING);
    uint32_t *pins = malloc((cells + 1) * sizeof *pins);
    if (!CHECK(pins != NULL)) exit(1);
    for (uint32_t i = 0; i <= cells; i++) pins[i] = i * (cells + 1);
    cloth.bending_stiffness = (sn_real)1e-4;
    def.mesh = &mesh;
    def.rotation = rotation;
    def.pins = pins;
    def.pin_count = cells + 1;
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, nodes, build));
    free(pins);
    sn_mesh_free(&mesh);
}

/* Held by its side, or by its upper edge. */
static void add_flag(sn_world *world, uint32_t cells, sn_build *build) {
    add_sheet(world, cells, (sn_quat){(sn_real)sqrt(0.5), 0, 0, (sn_real)sqrt(0.5)}, NULL, build);
}

static void add_curtain(sn_world *world, uint32_t cells, sn_build *build) {
    add_sheet(world, cells, (sn_quat){0, 0, -(sn_real)sqrt(0.5), (sn_real)sqrt(0.5)}, NULL, build);
}

static void run(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

/* ---- Gusts ---- */

enum { SAMPLES = 2000 };

/* What a wind was shown in the first substep that it was called in. */
typedef struct sample {
    size_t calls, count;
    double time;
    double wind[SAMPLES + 8][3];
} sample;

static void look(void *user, const sn_force_field_input *input, sn_vec4 *wind) {
    sample *s = user;
    if (s->calls++ > 0) return;
    s->count = input->count;
    s->time = input->time;
    for (size_t i = 0; i < input->count && i < SAMPLES + 8; i++) {
        s->wind[i][0] = (double)wind[i].x;
        s->wind[i][1] = (double)wind[i].y;
        s->wind[i][2] = (double)wind[i].z;
    }
}

/* Kinematic nodes anywhere, the first three of them a sheet, so that there is wind. */
static sn_world *probe_world(sn_settings settings, const sn_vec3 *at, size_t count) {
    sn_world *world = world_of(settings, 1, 0);
    static const uint32_t triangle[] = {0, 1, 2};
    sn_sheet_def sheet = sn_sheet_def_default();
    sn_sheet made;
    sn_node nodes[3], node;
    for (size_t i = 0; i < count; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = at[i];
        def.inverse_mass = 0;
        REQUIRE_OK(sn_node_create(world, &def, &node));
        if (i < 3) nodes[i] = node;
    }
    sheet.nodes = nodes;
    sheet.node_count = 3;
    sheet.triangles = triangle;
    sheet.triangle_count = 1;
    REQUIRE_OK(sn_sheet_create(world, &sheet, &made));
    return world;
}

TEST(gusts_are_as_strong_as_they_should_be) {
    static sn_vec3 at[SAMPLES];
    static sample s;
    uint32_t state = 3;
    for (size_t i = 0; i < SAMPLES; i++) {
        sn_real *x = &at[i].x;
        for (int a = 0; a < 3; a++) {
            state = state * 1664525u + 1013904223u;
            x[a] = (sn_real)((double)(state >> 8) / (double)(1 << 24) * 40);
        }
    }
    sn_settings settings = gusty();
    sn_world *world = probe_world(settings, at, SAMPLES);
    memset(&s, 0, sizeof s);
    REQUIRE_OK(sn_world_set_wind(world, look, &s));
    run(world, 1);
    CHECK(s.calls == 4 && s.count == SAMPLES && s.time == 0);
    double mean[3] = {0}, square[3] = {0};
    const double wind[3] = {6, 0, 1};
    for (size_t i = 0; i < SAMPLES; i++)
        for (int a = 0; a < 3; a++) {
            double u = s.wind[i][a] - wind[a];
            mean[a] += u / SAMPLES;
            square[a] += u * u / SAMPLES;
        }
    CHECK_REL(sqrt(square[0] + square[1] + square[2]), 2, 0.03);
    for (int a = 0; a < 3; a++) {
        CHECK_NEAR(mean[a], 0, 0.1);
        CHECK_REL(square[a], 4.0 / 3, 0.25);
    }
    sn_world_destroy(world);
}

/* Eddies that hardly change go with the wind, also where that has changed on the way. */
TEST(wind_carries_its_gusts) {
    static const sn_vec3 at[] = {{1, 0, 0}, {2, 0, 0}, {1, 2, 0}, {3, 0, 1}};
    static sample s;
    sn_settings settings = gusty();
    settings.gust_period = 1e6;
    sn_world *world = probe_world(settings, at, 4);
    memset(&s, 0, sizeof s);
    REQUIRE_OK(sn_world_set_wind(world, look, &s));
    run(world, 1);
    double before[3] = {s.wind[0][0], s.wind[0][1], s.wind[0][2]};
    run(world, 9); /* 10 / 60 s at (6, 0, 1) m/s */
    settings.wind = (sn_vec3){6, 0, 5};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    run(world, 10); /* and 10 / 60 s at (6, 0, 5): (2, 0, 1) m in all, from node 0 to node 3 */
    s.calls = 0;
    run(world, 1);
    CHECK_NEAR(s.wind[3][0], before[0], 1e-3);
    CHECK_NEAR(s.wind[3][1], before[1], 1e-3);
    CHECK_NEAR(s.wind[3][2] - 4, before[2], 1e-3);
    CHECK(fabs(s.wind[0][0] - before[0]) + fabs(s.wind[0][1] - before[1]) > 0.1);
    sn_world_destroy(world);
}

static sn_turbulence gusts_at(const sn_settings *s, const double drift[3], double time) {
    return sn_turbulence_at((double)s->gust_strength, (double)s->gust_length,
                            (double)s->gust_period, drift, time);
}

/* Every wave has a frequency of four digits, so that all of them begin anew after 10^4 periods; and
   after a way of 10^4 lengths along an axis. However far that is, nothing of it is rounded away. */
TEST(gusts_come_again) {
    sn_settings settings = gusty();
    const double still[3] = {0, 0, 0}, far = 1e4 * (double)settings.gust_length;
    const double along[3] = {300 * far, -500 * far, 700 * far};
    double again = 600 * 1e4 * (double)settings.gust_period;
    sn_turbulence first = gusts_at(&settings, still, 0);
    sn_turbulence later = gusts_at(&settings, still, again);
    sn_turbulence carried = gusts_at(&settings, along, 0);
    for (int i = 0; i < 20; i++) {
        sn_v4 x = {(sn_real)(0.3 * i), (sn_real)(1 - 0.2 * i), (sn_real)(0.1 * i * i), 0};
        sn_v4 u = sn_turbulence_speed(&first, x), v = sn_turbulence_speed(&later, x);
        sn_v4 w = sn_turbulence_speed(&carried, x);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(v[k], u[k], 1e-3);
            CHECK_NEAR(w[k], u[k], 1e-3);
        }
    }
}

/* ---- Users ---- */

/* A vortex about the z axis. */
static void vortex(void *user, const sn_force_field_input *input, sn_vec4 *wind) {
    ++*(int *)user;
    for (size_t i = 0; i < input->count; i++) {
        wind[i].x -= 4 * input->position[i].y;
        wind[i].y += 4 * input->position[i].x;
    }
}

TEST(a_wind_of_the_user_is_recorded) {
    sn_world *world = world_of(gusty(), 1, 0), *again = world_of(gusty(), 2, 4), *calm;
    sn_build build;
    int calls = 0;
    sn_replay_report report;
    add_flag(world, 8, &build);
    REQUIRE_OK(sn_recording_start(world, FILE_NAME));
    run(world, 3);
    uint64_t before = sn_world_hash(world);
    REQUIRE_OK(sn_world_set_wind(world, vortex, &calls));
    run(world, 3);
    CHECK(calls == 12);
    REQUIRE_OK(sn_world_set_wind(world, NULL, NULL));
    run(world, 3);
    CHECK(calls == 12);
    REQUIRE_OK(sn_recording_stop(world));
    /* A wind that the replaying world has is left alone. */
    int never = 0;
    REQUIRE_OK(sn_world_set_wind(again, vortex, &never));
    CHECK_OK(sn_replay_file(again, FILE_NAME, &report));
    CHECK(report.steps == 9 && !report.differs && never == 0);
    CHECK(sn_world_hash(again) == sn_world_hash(world));
    CHECK(remove(FILE_NAME) == 0);
    /* And it did something. */
    calm = world_of(gusty(), 1, 0);
    add_flag(calm, 8, &build);
    run(calm, 3);
    CHECK(sn_world_hash(calm) == before);
    run(calm, 6);
    CHECK(sn_world_hash(calm) != sn_world_hash(world));
    sn_world_destroy(world);
    sn_world_destroy(again);
    sn_world_destroy(calm);
}

/* ---- The same run ---- */

TEST(threads_and_widths_do_not_matter) {
    static const int kinds[][2] = {{1, 1}, {1, 4}, {2, 8}, {3, 16}, {4, 0}};
    uint64_t hash[5];
    for (int k = 0; k < 5; k++) {
        sn_world *world = world_of(gusty(), kinds[k][0], kinds[k][1]);
        sn_build build;
        add_flag(world, 50, &build);
        run(world, 5);
        hash[k] = sn_world_hash(world);
        check_case("%d threads, %d lanes", kinds[k][0], kinds[k][1]);
        CHECK(hash[k] == hash[0]);
        sn_world_destroy(world);
    }
}

/* It is the program's, and blows on in what is loaded. */
TEST(a_wind_of_the_user_blows_on) {
    sn_world *world = world_of(gusty(), 1, 0);
    sn_build build;
    size_t size;
    int calls = 0;
    add_flag(world, 8, &build);
    REQUIRE_OK(sn_world_set_wind(world, vortex, &calls));
    run(world, 3);
    void *bytes = snapshot_of(world, &size);
    run(world, 3);
    const uint64_t expected = sn_world_hash(world);
    const int before = calls;
    CHECK_OK(sn_snapshot_load(world, bytes, size));
    run(world, 3);
    CHECK(calls == before + before / 2);
    CHECK(sn_world_hash(world) == expected);
    free(bytes);
    sn_world_destroy(world);
}

/* Wherever the wind blows. */
TEST(a_run_goes_on_from_its_snapshot) {
    static const sn_vec3 winds[] = {{6, 0, 1}, {6, 0, 0}, {0, -6, 0}, {0, 0, 6}};
    for (size_t i = 0; i < sizeof winds / sizeof *winds; i++) {
        sn_settings settings = gusty();
        settings.wind = winds[i];
        sn_world *world = world_of(settings, 1, 0), *other = world_of(sn_settings_default(), 2, 0);
        sn_build build;
        size_t size;
        check_case("wind %zu", i);
        add_flag(world, 8, &build);
        run(world, 7);
        uint8_t *bytes = snapshot_of(world, &size);
        CHECK_OK(sn_snapshot_load(other, bytes, size));
        run(world, 7);
        run(other, 7);
        CHECK(sn_world_hash(world) == sn_world_hash(other));
        REQUIRE_OK(sn_world_get_settings(other, &settings));
        CHECK(settings.wind.x == winds[i].x && settings.gust_length == (sn_real)0.8);
        free(bytes);
        sn_world_destroy(world);
        sn_world_destroy(other);
    }
}

TEST(a_recording_has_gusts) {
    sn_world *world = world_of(sn_settings_default(), 1, 0);
    sn_world *again = world_of(sn_settings_default(), 3, 8);
    sn_settings settings = gusty();
    sn_replay_report report;
    sn_build build;
    REQUIRE_OK(sn_recording_start(world, FILE_NAME));
    add_flag(world, 8, &build);
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    run(world, 5);
    settings.wind.x = -3;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    run(world, 5);
    REQUIRE_OK(sn_recording_stop(world));
    CHECK_OK(sn_replay_file(again, FILE_NAME, &report));
    CHECK(report.steps == 10 && !report.differs);
    CHECK(remove(FILE_NAME) == 0);
    sn_world_destroy(world);
    sn_world_destroy(again);
}

/* ---- Sleep ---- */

TEST(sheets_rest_in_still_air_only) {
    sn_settings settings = gusty();
    settings.gust_strength = 0;
    settings.wind = (sn_vec3){0, 0, 0};
    settings.sleep_time = (sn_real)0.3;
    settings.damping = 3;
    sn_world *world = world_of(settings, 1, 0);
    sn_build flag;
    sn_body_def def = sn_body_def_default();
    sn_body other;
    sn_node_def stone = sn_node_def_default();
    sn_node node;
    def.gravity = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_body_create(world, &def, &other));
    stone.body = other;
    stone.position = (sn_vec3){9, 9, 9};
    REQUIRE_OK(sn_node_create(world, &stone, &node));
    /* A flag may go on to turn about its pole (docs/cloth.md). */
    add_curtain(world, 6, &flag);
    run(world, 600);
    CHECK(sn_body_is_asleep(world, flag.body) && sn_body_is_asleep(world, other));
    settings.wind.x = (sn_real)1e-3;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    CHECK(!sn_body_is_asleep(world, flag.body));
    run(world, 120);
    CHECK(!sn_body_is_asleep(world, flag.body) && sn_body_is_asleep(world, other));
    settings.wind.x = 0;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    run(world, 120);
    CHECK(sn_body_is_asleep(world, flag.body));
    sn_world_destroy(world);
}

/* ---- What is refused ---- */

TEST(bad_air_is_refused) {
    sn_world *world = world_of(sn_settings_default(), 1, 0);
    static const double bad[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 12; i++) {
        sn_settings s = gusty();
        sn_real *number[] = {&s.air_density, &s.gust_strength, &s.gust_length, &s.gust_period};
        *number[i / 3] = (sn_real)bad[i % 3];
        CHECK_FAILS(sn_world_set_settings(world, &s), SN_ERROR_VALUE);
    }
    sn_settings s = gusty();
    s.wind.y = (sn_real)NAN;
    CHECK_FAILS(sn_world_set_settings(world, &s), SN_ERROR_VALUE);
    s = gusty();
    s.gust_length = 0;
    CHECK_FAILS(sn_world_set_settings(world, &s), SN_ERROR_VALUE);
    s = gusty();
    s.gust_period = 0;
    CHECK_FAILS(sn_world_set_settings(world, &s), SN_ERROR_VALUE);
    CHECK_FAILS(sn_world_set_wind(NULL, look, NULL), SN_ERROR_NULL);
    sn_world_destroy(world);
}

/* ---- Turning ---- */

/* From the pole to the middle of the free side of a flag with 8 by 8 cells, m. */
static sn_vec3 way_of_flag(const sn_world *world, const sn_node *nodes) {
    sn_vec3 sum = {0, 0, 0};
    for (int i = 0; i < 9; i++) {
        sn_node_def end, pole;
        REQUIRE_OK(sn_node_get(world, nodes[9 * i + 8], &end));
        REQUIRE_OK(sn_node_get(world, nodes[9 * i], &pole));
        sum.x += (end.position.x - pole.position.x) / 9;
        sum.z += (end.position.z - pole.position.z) / 9;
    }
    return sum;
}

/* A wind that turns about the pole by 0.6 rad/s takes a flag along, all around, whichever way: it
   points behind the wind by a little, on average, and is stretched. */
TEST(a_flag_follows_a_wind_that_turns) {
    for (int way = -1; way <= 1; way += 2) {
        sn_settings settings = sn_settings_default();
        sn_build build;
        settings.substeps = 8;
        settings.gravity = (sn_vec3){0, 0, 0};
        settings.air_density = (sn_real)1.2;
        settings.wind = (sn_vec3){6, 0, 0};
        sn_world *world = world_of(settings, 1, 0);
        sn_node nodes[81];
        add_sheet(world, 8, (sn_quat){(sn_real)sqrt(0.5), 0, 0, (sn_real)sqrt(0.5)}, nodes, &build);
        run(world, 60);
        double lag = 0, far = 0, worst = 0;
        int frames = 640;
        for (int i = 0; i < frames; i++) {
            double angle = way * 0.6 * i / 60;
            settings.wind = (sn_vec3){(sn_real)(6 * cos(angle)), 0, (sn_real)(6 * sin(angle))};
            REQUIRE_OK(sn_world_set_settings(world, &settings));
            run(world, 1);
            sn_vec3 at = way_of_flag(world, nodes);
            double along = (double)at.x * cos(angle) + (double)at.z * sin(angle);
            double across = (double)at.z * cos(angle) - (double)at.x * sin(angle);
            lag -= way * atan2(across, along) / frames;
            worst = fmax(worst, fabs(atan2(across, along)));
            far += along / frames;
        }
        check_case("way %d: behind by %.4f rad, off by %.3f at most, %.3f m along", way, lag, worst,
                   far);
        CHECK_NEAR(lag, 0.05, 0.02);
        CHECK(far > 0.9 && worst < 0.6);
        sn_world_destroy(world);
    }
}

TESTS(RUN(a_wind_of_the_user_blows_on), RUN(a_flag_follows_a_wind_that_turns),
      RUN(gusts_are_as_strong_as_they_should_be), RUN(wind_carries_its_gusts),
      RUN(gusts_come_again), RUN(a_wind_of_the_user_is_recorded),
      RUN(threads_and_widths_do_not_matter), RUN(a_run_goes_on_from_its_snapshot),
      RUN(a_recording_has_gusts), RUN(sheets_rest_in_still_air_only), RUN(bad_air_is_refused))
