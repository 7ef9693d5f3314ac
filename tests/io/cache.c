/*
 * Caches: what is written is read again, in any order; a file that ends anywhere gives the frames
 * before that; damage is found and named; differences are too.
 */
#define _POSIX_C_SOURCE 200809L

#include <sinew_io/cache.h>
#include <sinew_io/export.h>
#include <sinew_io/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "animation.h"
#include "check.h"

static const char folder[] = "cache_scratch";
static const char path[] = "cache_scratch/a.snc";

/* ---- Making ---- */

/* A frame may be changed before it is written. */
typedef void change(animation *a, int number);

static void write_cache(const char *name, int frames, bool changing, change *apply, bool close) {
    static animation a;
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *e = NULL;
    def.folder = folder;
    def.name = name;
    def.fps = ANIMATION_FPS;
    REQUIRE_OK(sn_io_folder_make(folder));
    REQUIRE_OK(sn_io_export_open(&def, &e));
    for (int i = 0; i < frames; i++) {
        animation_frame(&a, i, changing);
        if (apply) apply(&a, i);
        REQUIRE_OK(sn_io_export_frame(e, &a.frame));
    }
    if (close) REQUIRE_OK(sn_io_export_close(e));
    sn_io_export_free(e);
}

static uint8_t *read_all(const char *from, size_t *size) {
    char *data = NULL;
    REQUIRE_OK(sn_io_file_read("the cache", from, &data, size));
    return (uint8_t *)data;
}

static void write_all(const char *to, const uint8_t *data, size_t size) {
    FILE *file = fopen(to, "wb");
    CHECK(file && fwrite(data, 1, size, file) == size);
    if (file) fclose(file);
}

/* Changes a byte of a file, which is much quicker than to write it anew. */
static void put_byte(const char *to, size_t at, int byte) {
    FILE *file = fopen(to, "r+b");
    CHECK(file && fseek(file, (long)at, SEEK_SET) == 0 && fputc(byte, file) == byte);
    if (file) fclose(file);
}

/* ---- Comparing with what was written ---- */

static bool same(const void *a, const void *b, size_t size) {
    return (!a && !b) || size == 0 || (a && b && memcmp(a, b, size) == 0);
}

static bool same_shape(const sn_io_shape *a, const sn_io_shape *b) {
    size_t n = a->vertex_count;
    return strcmp(a->name, b->name) == 0 && n == b->vertex_count && a->topology == b->topology &&
           a->triangle_count == b->triangle_count && a->line_count == b->line_count &&
           a->tet_count == b->tet_count &&
           same(a->positions, b->positions, n * sizeof *a->positions) &&
           same(a->velocities, b->velocities, n * sizeof *a->velocities) &&
           same(a->strain, b->strain, n * sizeof *a->strain) &&
           same(a->radii, b->radii, n * sizeof *a->radii) &&
           same(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles) &&
           same(a->lines, b->lines, a->line_count * sizeof *a->lines) &&
           same(a->tets, b->tets, a->tet_count * sizeof *a->tets);
}

static bool same_frame(const sn_io_frame *a, const sn_io_frame *b) {
    bool is_same = a->number == b->number && a->time == b->time && a->shape_count == b->shape_count;
    for (size_t i = 0; is_same && i < a->shape_count; i++)
        is_same = same_shape(&a->shapes[i], &b->shapes[i]);
    return is_same;
}

/* Whether the frames that can be read are the first of the animation. */
static bool holds(sn_io_cache *cache, bool changing) {
    static animation a;
    sn_io_frame frame;
    size_t count = sn_io_cache_get_info(cache).frame_count;
    bool right = true;
    for (size_t i = 0; i < count; i++)
        right = right && sn_io_cache_frame(cache, i, &frame) == SN_OK &&
                same_frame(&frame, animation_frame(&a, (int)i, changing));
    return right;
}

/* ---- Tests ---- */

TEST(frames_come_back) {
    for (int changing = 0; changing < 2; changing++) {
        sn_io_cache *cache = NULL;
        check_case("changing %d", changing);
        write_cache("a", ANIMATION_FRAMES, changing, NULL, true);
        REQUIRE_OK(sn_io_cache_open(path, &cache));
        sn_io_cache_info info = sn_io_cache_get_info(cache);
        CHECK(info.frame_count == ANIMATION_FRAMES && info.complete && info.lost == 0);
        CHECK(info.fps == ANIMATION_FPS);
        CHECK(holds(cache, changing));
        sn_io_cache_close(cache);
    }
}

TEST(frames_are_read_in_any_order) {
    static const size_t order[] = {5, 0, 3, 3, 2, 4, 1, 0, 5};
    static animation a;
    sn_io_cache *cache = NULL;
    sn_io_frame frame;
    write_cache("a", ANIMATION_FRAMES, true, NULL, true);
    REQUIRE_OK(sn_io_cache_open(path, &cache));
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        CHECK_OK(sn_io_cache_frame(cache, order[i], &frame));
        CHECK(same_frame(&frame, animation_frame(&a, (int)order[i], true)));
    }
    CHECK_FAILS(sn_io_cache_frame(cache, ANIMATION_FRAMES, &frame), SN_ERROR_VALUE);
    CHECK(frame.shape_count == 0);
    CHECK_FAILS(sn_io_cache_frame(cache, 0, NULL), SN_ERROR_NULL);
    sn_io_cache_close(cache);
}

/* Cameras and looks, hard edges and places on the material. */
static void stage(animation *a, int number) {
    static const sn_io_camera_key keys[] = {{1, {1, 0, 0}, {0, 1, 0}, (sn_real)0.5},
                                            {3, {5, 0, 0}, {0, 2, 0}, (sn_real)0.75}};
    static const sn_io_camera cameras[] = {
        {"main", {1, 2, 3}, {4, 5, 6}, {0, 1, 0}, (sn_real)0.5, 0, NULL},
        {"side", {(sn_real)-1.5, 0, 0}, {0, 0, 0}, {0, 0, 1}, (sn_real)0.7, 2, keys}};
    static const sn_io_light lights[] = {{{0, -1, 0}, {1, (sn_real)0.5, 0}, 2},
                                         {{1, -1, 0}, {0, 0, 1}, (sn_real)0.25}};
    static sn_io_staging staging;
    static sn_io_look look;
    static sn_real uvs[ANIMATION_VERTICES][2];
    static const uint32_t creases[2][2] = {{0, 1}, {1, 2}};
    staging = sn_io_staging_default();
    staging.camera_count = 2;
    staging.cameras = cameras;
    staging.picture_at = (sn_real)0.25;
    staging.light_count = 2;
    staging.lights = lights;
    staging.sky_light = (sn_real)0.5;
    staging.ground = SN_IO_GROUND_CHECKER;
    staging.ground_colour = (sn_vec3){(sn_real)0.25, 0, 1};
    staging.background = SN_IO_BACKGROUND_PLAIN;
    staging.background_colour.z = (sn_real)0.125;
    look = sn_io_look_default();
    look.back = (sn_vec3){1, (sn_real)0.5, 0};
    look.weave = SN_IO_WEAVE_TWILL;
    look.thread = (sn_real)0.004;
    look.pattern = SN_IO_PATTERN_CHECKS;
    look.pattern_colour.y = (sn_real)0.25;
    look.pattern_width = (sn_real)0.07;
    look.opacity = (sn_real)0.75;
    look.sheen = (sn_real)0.9;
    look.roughness = (sn_real)0.1;
    for (size_t i = 0; i < ANIMATION_VERTICES; i++) uvs[i][1] = uvs[i][0] = (sn_real)i;
    (void)number;
    a->frame.staging = &staging;
    a->shapes[0].look = &look;
    a->shapes[0].uvs = (const sn_real(*)[2])uvs;
    a->shapes[0].creased = a->shapes[1].creased = true;
    a->shapes[1].crease_count = 2;
    a->shapes[1].creases = creases;
}

/* A camera passes its keys, keeps still outside of them, and does not jump between. */
TEST(cameras_move_through_their_keys) {
    const sn_io_camera_key keys[] = {{0, {0, 0, 1}, {0, 0, 0}, (sn_real)0.4},
                                     {1, {1, 0, 1}, {0, 0, 0}, (sn_real)0.6},
                                     {3, {3, 2, 1}, {0, 4, 0}, (sn_real)0.6}};
    sn_io_camera camera = {"main", {9, 9, 9}, {8, 8, 8}, {0, 1, 0}, (sn_real)0.5, 3, keys};
    for (int i = 0; i < 3; i++) {
        sn_io_camera at = sn_io_camera_at(&camera, (double)keys[i].time);
        CHECK_NEAR(at.eye.x, keys[i].eye.x, 1e-6);
        CHECK_NEAR(at.target.y, keys[i].target.y, 1e-6);
        CHECK_NEAR(at.field_of_view, keys[i].field_of_view, 1e-6);
        CHECK(at.key_count == 0);
    }
    CHECK(sn_io_camera_at(&camera, -5).eye.x == 0 && sn_io_camera_at(&camera, 50).eye.y == 2);
    /* Straight and even where the keys are: x is the time. */
    double before = 0;
    for (int i = 1; i <= 300; i++) {
        sn_io_camera at = sn_io_camera_at(&camera, 0.01 * i);
        CHECK_NEAR(at.eye.x, 0.01 * i, 1e-5);
        /* No corner at the key: the speed changes by little. */
        CHECK((double)at.eye.y - before < 0.02 && (double)at.eye.y - before > -0.02);
        before = (double)at.eye.y;
    }
    camera.key_count = 0;
    CHECK(sn_io_camera_at(&camera, 1).eye.x == 9);
}

TEST(cameras_and_looks_come_back) {
    sn_io_cache *cache;
    sn_io_frame frame;
    write_cache("a", 2, false, stage, true);
    REQUIRE_OK(sn_io_cache_open(path, &cache));
    REQUIRE_OK(sn_io_cache_frame(cache, 1, &frame));
    CHECK(frame.staging && frame.staging->camera_count == 2);
    CHECK(strcmp(frame.staging->cameras[1].name, "side") == 0);
    CHECK(frame.staging->cameras[1].eye.x == (sn_real)-1.5);
    CHECK(frame.staging->cameras[0].field_of_view == (sn_real)0.5);
    CHECK(frame.staging->picture_at == (sn_real)0.25);
    const sn_io_camera *moving = &frame.staging->cameras[1];
    CHECK(frame.staging->cameras[0].key_count == 0 && !frame.staging->cameras[0].keys);
    if (!CHECK(moving->key_count == 2 && moving->keys)) return;
    CHECK(moving->keys[1].time == 3 && moving->keys[1].eye.x == 5);
    CHECK(moving->keys[1].target.y == 2 && moving->keys[0].field_of_view == (sn_real)0.5);
    if (!CHECK(frame.staging->light_count == 2)) return;
    CHECK(frame.staging->lights[1].direction.x == 1 && frame.staging->lights[0].strength == 2);
    CHECK(frame.staging->lights[0].colour.y == (sn_real)0.5);
    CHECK(frame.staging->sky_light == (sn_real)0.5);
    CHECK(frame.staging->ground == SN_IO_GROUND_CHECKER && frame.staging->ground_colour.z == 1);
    CHECK(frame.staging->ground_height == SN_AUTO);
    CHECK(frame.staging->background == SN_IO_BACKGROUND_PLAIN &&
          frame.staging->background_colour.z == (sn_real)0.125);
    const sn_io_shape *s = frame.shapes;
    CHECK(s[0].look && s[0].look->colour.x == SN_AUTO && s[0].look->back.y == (sn_real)0.5);
    const sn_io_look *look = s[0].look;
    CHECK(look->weave == SN_IO_WEAVE_TWILL && look->thread == (sn_real)0.004);
    CHECK(look->pattern == SN_IO_PATTERN_CHECKS && look->pattern_colour.y == (sn_real)0.25 &&
          look->pattern_width == (sn_real)0.07);
    CHECK(look->opacity == (sn_real)0.75 && look->sheen == (sn_real)0.9 &&
          look->roughness == (sn_real)0.1);
    CHECK(!s[1].look);
    CHECK(s[0].uvs && !s[1].uvs && s[0].uvs[2][1] == 2);
    CHECK(s[0].creased && s[0].crease_count == 0 && s[1].creased && s[1].crease_count == 2);
    CHECK(s[1].creases[1][1] == 2 && !s[2].creased);
    sn_io_cache_close(cache);
}

static void stage_textures(animation *a, int number) {
    static const uint8_t bytes[2][3] = {{1, 2, 3}, {4, 5, 6}};
    static sn_io_look looks[2];
    (void)number;
    for (int i = 0; i < 2; i++) {
        looks[i] = sn_io_look_default();
        looks[i].texture_byte_count = (size_t)(3 - i);
        looks[i].texture_bytes = bytes[i];
        looks[i].texture_size = (sn_real)(0.5 + i);
        looks[i].thickness = (sn_real)0.003;
        looks[i].liquid = i == 0;
        looks[i].smoke = i == 1;
        a->shapes[2 * i].look = &looks[i];
    }
}

TEST(textures_and_thickness_come_back) {
    sn_io_cache *cache;
    sn_io_frame frame;
    write_cache("a", 2, false, stage_textures, true);
    REQUIRE_OK(sn_io_cache_open(path, &cache));
    REQUIRE_OK(sn_io_cache_frame(cache, 1, &frame));
    const sn_io_look *one = frame.shapes[0].look, *two = frame.shapes[2].look;
    if (!CHECK(one && !frame.shapes[1].look && two)) return;
    CHECK(one->liquid && !one->smoke && !two->liquid && two->smoke);
    CHECK(one->thickness == (sn_real)0.003 && one->texture_size == (sn_real)0.5);
    CHECK(one->texture_byte_count == 3 && memcmp(one->texture_bytes, "\1\2\3", 3) == 0);
    CHECK(two->texture_byte_count == 2 && memcmp(two->texture_bytes, "\4\5", 2) == 0);
    CHECK(two->texture_size == (sn_real)1.5 && two->roughness == sn_io_look_default().roughness);
    sn_io_cache_close(cache);
}

TEST(a_cache_can_be_read_while_it_is_written) {
    static animation a;
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *e = NULL;
    def.folder = folder;
    def.name = "a";
    REQUIRE_OK(sn_io_folder_make(folder));
    REQUIRE_OK(sn_io_export_open(&def, &e));
    for (int i = 0; i < 3; i++) {
        sn_io_cache *cache = NULL;
        REQUIRE_OK(sn_io_export_frame(e, animation_frame(&a, i, true)));
        REQUIRE_OK(sn_io_cache_open(path, &cache));
        sn_io_cache_info info = sn_io_cache_get_info(cache);
        CHECK(info.frame_count == (size_t)i + 1 && !info.complete && info.lost == 0);
        CHECK(holds(cache, true));
        sn_io_cache_close(cache);
    }
    /* What was given up stays as well. */
    sn_io_export_free(e);
    sn_io_cache *cache = NULL;
    REQUIRE_OK(sn_io_cache_open(path, &cache));
    CHECK(sn_io_cache_get_info(cache).frame_count == 3);
    sn_io_cache_close(cache);
}

TEST(a_cache_that_ends_anywhere_has_the_frames_before) {
    size_t size, last = 4;
    write_cache("a", 4, true, NULL, true);
    uint8_t *data = read_all(path, &size);
    write_all("cache_scratch/cut.snc", data, size);
    for (size_t cut = size; cut-- > 0;) {
        sn_io_cache *cache = NULL;
        check_case("cut at %zu of %zu", cut, size);
        CHECK(truncate("cache_scratch/cut.snc", (off_t)cut) == 0);
        sn_result result = sn_io_cache_open("cache_scratch/cut.snc", &cache);
        if (result != SN_OK) {
            /* Nothing but the head is needed. */
            CHECK(result == SN_ERROR_DATA && last == 0 && cut < 64);
            continue;
        }
        sn_io_cache_info info = sn_io_cache_get_info(cache);
        CHECK(!info.complete && info.frame_count <= last && info.frame_count + 1 >= last);
        CHECK(holds(cache, true));
        last = info.frame_count;
        sn_io_cache_close(cache);
    }
    CHECK(last == 0);
    free(data);
}

/* Where a damaged byte is in what way, no frame is other than it was. */
static void read_damaged(const char *from, size_t *refused, size_t *shorter, size_t *missing) {
    static animation a;
    sn_io_cache *cache = NULL;
    sn_result result = sn_io_cache_open(from, &cache);
    if (result != SN_OK) {
        CHECK(result == SN_ERROR_DATA);
        *refused += 1;
        return;
    }
    sn_io_cache_info info = sn_io_cache_get_info(cache);
    *shorter += info.frame_count < 4 || !info.complete;
    for (size_t i = 0; i < info.frame_count; i++) {
        sn_io_frame frame;
        result = sn_io_cache_frame(cache, i, &frame);
        if (result == SN_OK)
            CHECK(same_frame(&frame, animation_frame(&a, (int)i, true)));
        else
            *missing += 1;
        CHECK(result == SN_OK || (result == SN_ERROR_DATA && frame.shape_count == 0));
        CHECK(result == SN_OK || strstr(sn_last_error(), "from byte"));
    }
    sn_io_cache_close(cache);
}

TEST(a_damaged_byte_is_found) {
    size_t size;
    write_cache("a", 4, true, NULL, true);
    uint8_t *data = read_all(path, &size);
    write_all("cache_scratch/flip.snc", data, size);
    for (size_t at = 0; at < size; at++) {
        size_t refused = 0, shorter = 0, missing = 0;
        check_case("byte %zu of %zu", at, size);
        put_byte("cache_scratch/flip.snc", at, data[at] ^ (1 << (at % 8)));
        read_damaged("cache_scratch/flip.snc", &refused, &shorter, &missing);
        CHECK(refused + shorter + missing > 0);
        put_byte("cache_scratch/flip.snc", at, data[at]);
    }
    free(data);
}

/* The place of the n-th section of that name, which must be there. */
static size_t find_section(const uint8_t *data, size_t size, const char *name, int n) {
    for (size_t at = 16; at + 24 <= size;) {
        if (strncmp((const char *)data + at, name, 8) == 0 && n-- == 0) return at;
        uint64_t length = 0;
        for (int i = 0; i < 8; i++) length |= (uint64_t)data[at + 8 + (size_t)i] << (8 * i);
        at += 24 + (size_t)length;
    }
    CHECK(n < 0);
    return 0;
}

TEST(the_place_of_damage_is_named) {
    size_t size;
    char place[64];
    sn_io_cache *cache = NULL;
    sn_io_frame frame;
    write_cache("a", 4, false, NULL, true);
    uint8_t *data = read_all(path, &size);
    size_t second = find_section(data, size, "frame", 1);
    /* In the values of a frame: the others can be read. */
    data[second + 100] ^= 1;
    write_all("cache_scratch/bad.snc", data, size);
    REQUIRE_OK(sn_io_cache_open("cache_scratch/bad.snc", &cache));
    CHECK_OK(sn_io_cache_frame(cache, 0, &frame));
    CHECK_FAILS(sn_io_cache_frame(cache, 1, &frame), SN_ERROR_DATA);
    snprintf(place, sizeof place, "from byte %zu on", second);
    CHECK(strstr(sn_last_error(), place) && strstr(sn_last_error(), "bad.snc"));
    CHECK_OK(sn_io_cache_frame(cache, 2, &frame));
    sn_io_cache_close(cache);
    data[second + 100] ^= 1;
    /* In its length, however it is changed: what follows would be lost, and is not silently. */
    for (size_t byte = 8; byte < 16; byte++) {
        data[second + byte] ^= 0x10;
        write_all("cache_scratch/bad.snc", data, size);
        CHECK_FAILS(sn_io_cache_open("cache_scratch/bad.snc", &cache), SN_ERROR_DATA);
        CHECK(strstr(sn_last_error(), "damaged at byte"));
        data[second + byte] ^= 0x10;
    }
    free(data);
}

TEST(what_is_no_cache_is_refused) {
    sn_io_cache *cache = NULL;
    REQUIRE_OK(sn_io_folder_make(folder));
    CHECK_FAILS(sn_io_cache_open("cache_scratch/missing.snc", &cache), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "missing.snc"));
    write_all("cache_scratch/other.snc", (const uint8_t *)"solid teapot\nfacet normal 0 0 1\n", 32);
    CHECK_FAILS(sn_io_cache_open("cache_scratch/other.snc", &cache), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "this is no cache"));
    CHECK_FAILS(sn_io_cache_open(NULL, &cache), SN_ERROR_NULL);
    sn_io_cache_close(NULL);
}

TEST(caches_of_earlier_releases_can_be_read) {
    for (int changing = 0; changing < 2; changing++) {
        sn_io_cache *cache = NULL;
        check_case("changing %d", changing);
        REQUIRE_OK(
            sn_io_cache_open(changing ? "caches/v1_changing.snc" : "caches/v1_steady.snc", &cache));
        CHECK(sn_io_cache_get_info(cache).frame_count == ANIMATION_FRAMES);
        CHECK(holds(cache, changing));
        sn_io_cache_close(cache);
    }
}

static void nudge(animation *a, int number) {
    if (number == 2) a->arrays[1].positions[4].y += (sn_real)0.25;
}

static void rewire(animation *a, int number) {
    if (number < 1) return;
    a->arrays[0].triangles[3][1] = 0;
    a->shapes[0].topology++;
}

static void calm(animation *a, int number) {
    if (number == 3) a->shapes[2].velocities = NULL;
}

TEST(differences_are_named) {
    sn_difference d;
    write_cache("a", 4, false, NULL, true);
    write_cache("b", 4, false, NULL, true);
    CHECK_OK(sn_io_cache_compare(path, "cache_scratch/b.snc", &d));
    CHECK(!d.differs && d.sentence[0] == 0);
    write_cache("b", 4, false, nudge, true);
    CHECK_OK(sn_io_cache_compare(path, "cache_scratch/b.snc", &d));
    CHECK(d.differs && strstr(d.sentence, "frame 2, shape \"jelly cube\", vertex 4: y of the "
                                          "position is"));
    write_cache("b", 4, false, calm, true);
    CHECK_OK(sn_io_cache_compare(path, "cache_scratch/b.snc", &d));
    CHECK(strcmp(d.sentence, "frame 3, shape \"rope\": the first has the velocity") == 0);
    write_cache("b", 4, false, rewire, true);
    CHECK_OK(sn_io_cache_compare(path, "cache_scratch/b.snc", &d));
    CHECK(strcmp(d.sentence, "frame 1, shape \"flag\": triangle 3 has other vertices") == 0);
    write_cache("b", 4, true, NULL, true);
    CHECK_OK(sn_io_cache_compare(path, "cache_scratch/b.snc", &d));
    CHECK(strcmp(d.sentence, "frame 0: it has 5 against 4 shapes") == 0);
    write_cache("b", 3, false, NULL, true);
    CHECK_OK(sn_io_cache_compare(path, "cache_scratch/b.snc", &d));
    CHECK(strcmp(d.sentence, "there are 4 against 3 frames") == 0);
    CHECK_FAILS(sn_io_cache_compare(path, "cache_scratch/missing.snc", &d), SN_ERROR_FILE);
}

TESTS(RUN(frames_come_back), RUN(frames_are_read_in_any_order),
      RUN(cameras_move_through_their_keys), RUN(cameras_and_looks_come_back),
      RUN(textures_and_thickness_come_back), RUN(a_cache_can_be_read_while_it_is_written),
      RUN(a_cache_that_ends_anywhere_has_the_frames_before), RUN(a_damaged_byte_is_found),
      RUN(the_place_of_damage_is_named), RUN(what_is_no_cache_is_refused),
      RUN(caches_of_earlier_releases_can_be_read), RUN(differences_are_named))
