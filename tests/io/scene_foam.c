/* What is seen of grains and liquids. Foam: where it comes, how it moves, when it goes, and what it
   leaves alone. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "scene_make.h"

#include "io/scene/scene_foam.h"

#define TANK                                                                                       \
    "\"colliders\": [{\"name\": \"floor\", \"shape\": \"plane\"}, {\"name\": \"left\", "           \
    "\"shape\": \"plane\", \"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"=-pi / 2\"}}, "        \
    "{\"name\": \"right\", \"shape\": \"plane\", \"position\": [\"=width\", 0, 0], "               \
    "\"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"=pi / 2\"}}, {\"name\": \"back\", "          \
    "\"shape\": \"plane\", \"position\": [0, 0, -0.08], \"rotation\": {\"axis\": [1, 0, 0], "      \
    "\"angle\": \"=pi / 2\"}}, {\"name\": \"front\", \"shape\": \"plane\", \"position\": [0, 0, "  \
    "0.08], \"rotation\": {\"axis\": [1, 0, 0], \"angle\": \"=-pi / 2\"}}]"

/* 512 particles that fill a tank of their width, or run against the wall of one that is wider. */
static sn_scene *make_water(const char *foam, const char *width, const char *speed, int threads) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "{\"version\": 1, \"parameters\": {\"width\": %s, \"speed\": %s}, \"settings\": "
        "{\"substeps\": 4}, \"bodies\": [{\"name\": \"water\", \"mesh\": {\"shape\": "
        "\"lattice\", \"extent\": [0.16, 0.16, 0.16], \"spacing\": 0.02}, \"material\": "
        "\"water\", \"position\": [0.08, 0.08, 0], \"velocity\": [\"=speed\", 0, 0]%s%s}], " TANK
        "}",
        width, speed, *foam ? ", \"foam\": " : "", foam);
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene;
    def.path = "foam.json";
    def.text = text;
    def.length = strlen(text);
    def.threads = threads;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    return scene;
}

static sn_scene *make_splash(const char *foam) {
    return make_water(foam, "0.24", "2.5", 1);
}

/* Its shape is the last. */
static const sn_io_shape *see(sn_scene *scene) {
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    return &frame.shapes[frame.shape_count - 1];
}

TEST(a_splash_has_foam_and_what_rests_has_none) {
    sn_scene *splash = make_splash("{}"),
             *none = make_splash("{\"air_rate\": 0, \"crest_rate\": 0}"),
             *still = make_water("{}", "0.16", "0", 1);
    size_t most = 0;
    for (int i = 0; i < 30; i++) {
        scene_run_frames(splash, 1);
        scene_run_frames(none, 1);
        scene_run_frames(still, 1);
        const sn_io_shape *s = see(splash);
        CHECK(strcmp(s->name, "water.foam") == 0 && s->triangle_count == 0 && s->line_count == 0);
        CHECK(see(none)->vertex_count == 0 && see(still)->vertex_count == 0);
        CHECK(scene_column_value(splash, "water foam [1]") == (double)s->vertex_count);
        if (s->vertex_count > most) most = s->vertex_count;
        /* The tank holds all of it, but for rounding. */
        for (size_t k = 0; k < s->vertex_count; k++) {
            sn_vec3 x = s->positions[k];
            CHECK(x.x > (sn_real)-1e-6 && x.x < (sn_real)(0.24 + 1e-6) && x.y > (sn_real)-1e-6);
            CHECK(fabs((double)x.z) < 0.08 + 1e-6 && isfinite(s->velocities[k].x));
            CHECK_NEAR((double)s->radii[k], 0.12 * 0.02, 1e-6);
        }
    }
    printf("most at once: %zu\n", most);
    CHECK(most > 500);
    sn_scene_close(splash);
    sn_scene_close(none);
    sn_scene_close(still);
}

TEST(foam_acts_on_nothing_and_does_not_depend_on_threads) {
    sn_scene *with = make_splash("{}"), *without = make_splash(""),
             *threads = make_water("{}", "0.24", "2.5", 3);
    scene_run_frames(with, 15);
    scene_run_frames(without, 15);
    scene_run_frames(threads, 15);
    CHECK(sn_world_hash(sn_scene_world(with)) == sn_world_hash(sn_scene_world(without)));
    const sn_io_shape *a = see(with), *b = see(threads);
    if (!CHECK(a->vertex_count > 0 && a->vertex_count == b->vertex_count)) return;
    CHECK(a->topology == b->topology);
    CHECK(memcmp(a->positions, b->positions, a->vertex_count * sizeof *a->positions) == 0);
    CHECK(memcmp(a->velocities, b->velocities, a->vertex_count * sizeof *a->velocities) == 0);
    sn_scene_close(with);
    sn_scene_close(without);
    sn_scene_close(threads);
}

/* Two particles that come nearer trap air: as many are born as the equation says, to one. */
TEST(as_many_come_as_the_potentials_say) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0], \"substeps\": 1}, \"bodies\": "
        "[{\"name\": \"water\", \"mesh\": {\"shape\": \"points\", \"positions\": [[0, 0, 0], "
        "[0.06, 0, 0]]}, \"material\": {\"kind\": \"fluid\", \"spacing\": 0.02}, \"foam\": "
        "{\"air_rate\": 60000, \"air_low\": 0.1, \"air_high\": 2, \"crest_rate\": 0, "
        "\"speed_low\": 0.1, \"speed_high\": 2}}]}");
    sn_world *world = sn_scene_world(scene);
    const scene_body *body = &scene->bodies.items[0];
    sn_node_def left, right;
    REQUIRE_OK(sn_node_set_velocity(world, body->nodes[0], (sn_vec3){(sn_real)1.5, 0, 0}));
    scene_run_frames(scene, 1);
    REQUIRE_OK(sn_node_get(world, body->nodes[0], &left));
    REQUIRE_OK(sn_node_get(world, body->nodes[1], &right));
    double apart = (double)right.position.x - (double)left.position.x;
    double v = (double)left.velocity.x, u = (double)right.velocity.x;
    if (!CHECK(apart > 0.02 && apart < 0.04)) return;
    double air = (2 * (v - u) * (1 - apart / 0.04) - 0.1) / 1.9;
    double energy = (v * v - 0.01) / (4 - 0.01), slower = (u * u - 0.01) / (4 - 0.01);
    CHECK(air > 0 && air < 1 && energy > 0 && energy < 1);
    double expected = 1000 * air * (energy + (slower > 0 ? slower : 0));
    size_t count = see(scene)->vertex_count;
    printf("%zu came, %g expected\n", count, expected);
    CHECK(expected > 50 && fabs((double)count - expected) <= 2);
    sn_scene_close(scene);
}

/* A slab that rises has crests along its edges, where the surface bends, and none where it is flat;
   one that sinks has them on its other side. As many are there as there may be. */
TEST(crests_are_where_the_surface_bends) {
    for (int way = -1; way <= 1; way += 2) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0], \"substeps\": 1}, "
                 "\"bodies\": [{\"name\": \"water\", \"mesh\": {\"shape\": \"lattice\", "
                 "\"extent\": [0.24, 0.12, 0.24], \"spacing\": 0.02}, \"material\": \"water\", "
                 "\"velocity\": [0, %d, 0], \"foam\": {\"air_rate\": 0, \"crest_rate\": 600, "
                 "\"crest_low\": 0.1, \"crest_high\": 0.5, \"most\": 3000}}]}",
                 3 * way);
        sn_scene *scene = scene_make(text);
        scene_run_frames(scene, 1);
        const sn_io_shape *s = see(scene);
        printf("%zu on crests\n", s->vertex_count);
        CHECK(s->vertex_count > 100 && s->vertex_count < 3000);
        for (size_t i = 0; i < s->vertex_count; i++) {
            sn_vec3 x = s->positions[i];
            CHECK(fabs((double)x.x) > 0.03 || fabs((double)x.z) > 0.03);
            CHECK(way * (double)x.y > 0.05);
        }
        scene_run_frames(scene, 14);
        CHECK(see(scene)->vertex_count == 3000);
        sn_scene_close(scene);
    }
}

/* Nobody goes in half a lifetime, and nobody is left after a whole one. */
TEST(lifetimes_end) {
    sn_scene *scene = make_splash("{\"lifetime\": 0.5}");
    scene_foam *f = scene->bodies.items[0].foam;
    if (!CHECK(f != NULL)) return;
    while (f->count < 20) scene_run_frames(scene, 1);
    f->part.air_rate = f->part.crest_rate = 0;
    size_t count = f->count;
    scene_run_frames(scene, 5);
    CHECK(f->count == count);
    scene_run_frames(scene, 15);
    CHECK(f->count > 0 && f->count < count);
    scene_run_frames(scene, 12);
    CHECK(f->count == 0);
    sn_scene_close(scene);
}

/* In a pool at rest: what is above falls as a stone, what is deep comes up with the velocity at
   which buoyancy and drag are in balance, and what is at the surface stays there. */
TEST(spray_falls_bubbles_rise_and_foam_floats) {
    sn_scene *scene = make_water("{\"lifetime\": 100}", "0.16", "0", 1);
    scene_foam *f = scene->bodies.items[0].foam;
    if (!CHECK(f != NULL)) return;
    scene_run_frames(scene, 60);
    f->count = 3;
    f->positions[0] = (sn_vec3){(sn_real)0.08, 1, 0};
    f->positions[1] = (sn_vec3){(sn_real)0.08, (sn_real)0.05, 0};
    f->positions[2] = (sn_vec3){(sn_real)0.08, (sn_real)0.16, 0};
    for (int i = 0; i < 3; i++) f->left[i] = 100;
    scene_run_frames(scene, 6);
    const sn_io_shape *s = see(scene);
    if (!CHECK(s->vertex_count == 3)) return;
    CHECK_NEAR((double)s->positions[0].y, 1 - 9.81 * 21 / 3600, 1e-5);
    CHECK_NEAR((double)s->velocities[0].y, -9.81 / 10, 1e-5);
    CHECK_NEAR((double)s->velocities[1].y, 2 * 9.81 / 60 / 0.8, 0.1 * 2 * 9.81 / 60 / 0.8);
    scene_run_frames(scene, 54);
    s = see(scene);
    if (!CHECK(s->vertex_count == 3)) return;
    for (int i = 0; i < 3; i++) {
        printf("%d ends at %g\n", i, (double)s->positions[i].y);
        CHECK_NEAR((double)s->positions[i].y, 0.16, 0.03);
    }
    sn_scene_close(scene);
}

/* A snapshot has no foam; after a lifetime a run that goes on from one has the same bits. */
TEST(a_resumed_run_has_the_same_foam_after_a_lifetime) {
    const char *foam = "{\"lifetime\": 0.1}";
    sn_scene *whole = make_splash(foam), *resumed = make_splash(foam);
    scene_run_frames(whole, 8);
    if (!CHECK(see(whole)->vertex_count > 0)) return;
    REQUIRE_OK(sn_snapshot_save_file(sn_scene_world(whole), "foam.snap"));
    REQUIRE_OK(sn_scene_resume(resumed, "foam.snap"));
    CHECK(see(resumed)->vertex_count == 0);
    scene_run_frames(whole, 7);
    scene_run_frames(resumed, 7);
    const sn_io_shape *a = see(whole), *b = see(resumed);
    if (!CHECK(a->vertex_count > 0 && a->vertex_count == b->vertex_count)) return;
    CHECK(memcmp(a->positions, b->positions, a->vertex_count * sizeof *a->positions) == 0);
    CHECK(memcmp(a->velocities, b->velocities, a->vertex_count * sizeof *a->velocities) == 0);
    sn_scene_close(whole);
    sn_scene_close(resumed);
    remove("foam.snap");
}

TEST(foam_is_written_in_every_format) {
    static const char *const formats[] = {"cache", "usda", "pc2", "mdd",
                                          "vtu",   "glb",  "obj", "ply"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        /* Faster than all limits, and at the wall from the beginning. */
        sn_scene *scene = make_water("{\"air_low\": 0.1, \"air_high\": 0.2}", "0.16", "3", 1);
        scene_write_frames(scene, formats[i], ".", "scene_foam");
    }
}

TEST(a_scene_is_told_what_has_no_foam) {
    sn_scene *scene = NULL;
    static const char rope[] =
        "{\"version\": 1, \"bodies\": [{\"name\": \"a\", \"mesh\": {\"shape\": \"rope\"}, "
        "\"material\": {\"kind\": \"rope\"}, \"foam\": {}}]}";
    CHECK(scene_try(rope, NULL, &scene) != SN_OK);
    CHECK(strstr(sn_last_error(), "of liquids") != NULL);
    static const char water[] =
        "{\"version\": 1, \"parameters\": {\"low\": 2, \"most\": 10}, \"bodies\": [{\"name\": "
        "\"a\", \"mesh\": {\"shape\": \"lattice\", \"spacing\": 0.25}, \"material\": \"water\", "
        "\"foam\": "
        "{\"air_low\": \"=low\", \"most\": \"=most\"}}]}";
    CHECK(scene_try(water, (const char *const[]){"low=8", NULL}, &scene) != SN_OK);
    CHECK(strstr(sn_last_error(), "air_low is 8 and air_high 8") != NULL);
    CHECK(scene_try(water, (const char *const[]){"most=-1", NULL}, &scene) != SN_OK);
    CHECK(strstr(sn_last_error(), "most") != NULL);
    REQUIRE_OK(scene_try(water, (const char *const[]){"most=0", NULL}, &scene));
    CHECK(see(scene)->name[1] == 0); /* the body itself */
    sn_scene_close(scene);
}

/* Grains are balls, whatever their mesh has between them. */
TEST(grains_show_no_elements) {
    sn_scene *s = scene_make("{\"version\": 1, \"bodies\": [{\"name\": \"grains\","
                             "\"mesh\": {\"shape\": \"block\", \"cells\": [2, 2, 2]},"
                             "\"material\": {\"kind\": \"particles\", \"radius\": 0.1}}]}");
    sn_io_frame frame;
    CHECK_OK(sn_scene_frame(s, &frame));
    const sn_io_shape *grains = &frame.shapes[0];
    CHECK(grains->vertex_count == 27 && grains->triangle_count == 0 && grains->tet_count == 0);
    CHECK(!grains->strain);
    CHECK_NEAR(grains->radii[13], 0.1, 1e-7);
    sn_scene_close(s);
}

TESTS(RUN(grains_show_no_elements), RUN(a_splash_has_foam_and_what_rests_has_none),
      RUN(foam_acts_on_nothing_and_does_not_depend_on_threads),
      RUN(as_many_come_as_the_potentials_say), RUN(crests_are_where_the_surface_bends),
      RUN(lifetimes_end), RUN(spray_falls_bubbles_rise_and_foam_floats),
      RUN(a_resumed_run_has_the_same_foam_after_a_lifetime), RUN(foam_is_written_in_every_format),
      RUN(a_scene_is_told_what_has_no_foam))
