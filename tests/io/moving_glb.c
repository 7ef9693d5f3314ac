/* Animations of GLB files: skins, morph targets, nodes, and the three interpolations. */
#include <sinew_io/animation.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gltf_make.h"

static sn_io_animation *open_file(gltf *g, const char *json, const sn_io_animation_def *def) {
    sn_io_animation_def own = def ? *def : sn_io_animation_def_default();
    sn_io_animation *animation = NULL;
    size_t size;
    unsigned char *file = gltf_end(g, json, &size);
    own.format = "glb";
    REQUIRE_OK(sn_io_animation_open_memory("test.glb", file, size, &own, &animation));
    free(file);
    return animation;
}

/* Whether opening fails with a sentence that has this in it. */
static void check_refused(gltf *g, const char *json, const char *clip, const char *part) {
    sn_io_animation_def def = sn_io_animation_def_default();
    sn_io_animation *animation = NULL;
    size_t size;
    unsigned char *file = gltf_end(g, json, &size);
    def.clip = clip;
    check_case("%s", part);
    CHECK_FAILS(sn_io_animation_open_memory("test.glb", file, size, &def, &animation),
                SN_ERROR_DATA);
    CHECK(!animation && strstr(sn_last_error(), part) && strstr(sn_last_error(), "test.glb"));
    if (!strstr(sn_last_error(), part)) printf("found: %s\n", sn_last_error());
    free(file);
}

static void check_at(sn_io_animation *a, double time, size_t vertex, double x, double y, double z) {
    static sn_vec3 positions[256];
    if (!CHECK_OK(sn_io_animation_sample(a, time, positions))) return;
    check_case("vertex %zu at %g s", vertex, time);
    CHECK_NEAR(positions[vertex].x, x, 1e-6);
    CHECK_NEAR(positions[vertex].y, y, 1e-6);
    CHECK_NEAR(positions[vertex].z, z, 1e-6);
}

/* ---- A bar of two bones ---- */

/* Joints 1 (at the origin) and 2 (its child, at x = 1); vertices at x = 0, 1 and 2, of which the
   second hangs on both by half. The second bone turns by 90 degrees about z within a second. */
static void put_bar(gltf *g, size_t indices[6]) {
    static const float x[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};
    static const uint16_t triangles[] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
    static const uint8_t joints[] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0,
                                     0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
    /* Halves that are no halves of 255: their sum is what counts. */
    static const uint8_t weights[] = {255, 0, 0, 0, 100, 100, 0, 0, 255, 0, 0, 0,
                                      255, 0, 0, 0, 100, 100, 0, 0, 255, 0, 0, 0};
    static const float inverse[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,
                                    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1};
    static const float times[] = {0, 1};
    static const float turns[] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    gltf_begin(g);
    indices[0] = gltf_reals(g, "VEC3", 6, x);
    indices[1] = gltf_shorts(g, "SCALAR", 12, triangles);
    indices[2] = gltf_bytes(g, "VEC4", 6, joints);
    indices[3] = gltf_bytes(g, "VEC4", 6, weights);
    indices[4] = gltf_reals(g, "MAT4", 2, inverse);
    indices[5] = gltf_reals(g, "SCALAR", 2, times);
    gltf_reals(g, "VEC4", 2, turns);
}

#define BAR(interpolation)                                                                         \
    "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"name\":\"bar\",\"mesh\":0,\"skin\":0,"           \
    "\"translation\":[7,7,7]},{\"children\":[2]},{\"translation\":[1,0,0]}],"                      \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,"                 \
    "\"WEIGHTS_0\":3},\"indices\":1}]}],"                                                          \
    "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":4}],"                                    \
    "\"animations\":[{\"name\":\"bend\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,"      \
    "\"path\":\"rotation\"}}],\"samplers\":[{\"input\":5,\"output\":6,"                            \
    "\"interpolation\":\"" interpolation "\"}]}]"

TEST(bar_of_two_bones_bends) {
    static gltf g;
    size_t at[6];
    put_bar(&g, at);
    sn_io_animation *a = open_file(&g, BAR("LINEAR"), NULL);
    sn_io_animation_info info = sn_io_animation_get_info(a);
    CHECK(info.begin == 0 && info.end == 1 && info.vertex_count == 6);
    CHECK(sn_io_animation_mesh(a)->triangle_count == 4);
    CHECK(sn_mesh_find_group(sn_io_animation_mesh(a), "bar"));
    /* The node of the mesh moves nothing: its skin does. */
    check_at(a, 0, 2, 2, 0, 0);
    check_at(a, 0, 3, 0, 1, 0);
    /* By a quarter of a turn the end points up, and what is above the bone to the left. */
    check_at(a, 1, 2, 1, 1, 0);
    check_at(a, 1, 5, 0, 1, 0);
    /* Half of each bone: (1, 1) stays for one and becomes (0, 0) for the other. */
    check_at(a, 1, 4, 0.5, 0.5, 0);
    check_at(a, 1, 1, 1, 0, 0);
    check_at(a, 1, 0, 0, 0, 0);
    /* Along the arc, at equal speed: a third of the time is 30 degrees. */
    check_at(a, 1.0 / 3, 2, 1 + cos(acos(-1) / 6), 0.5, 0);
    check_at(a, 0.1, 2, 1 + cos(acos(-1) / 20), sin(acos(-1) / 20), 0);
    /* Before and after, as there. */
    check_at(a, -5, 2, 2, 0, 0);
    check_at(a, 5, 2, 1, 1, 0);
    sn_io_animation_close(a);
}

TEST(steps_stay_until_the_next_key) {
    static gltf g;
    size_t at[6];
    put_bar(&g, at);
    sn_io_animation *a = open_file(&g, BAR("STEP"), NULL);
    check_at(a, 0.999, 2, 2, 0, 0);
    check_at(a, 1, 2, 1, 1, 0);
    sn_io_animation_close(a);
}

/* ---- Morph targets ---- */

#define MORPH                                                                                      \
    "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"scale\":[2,2,2]}],"                     \
    "\"meshes\":[{\"weights\":[0,0.25],\"primitives\":[{\"attributes\":{\"POSITION\":0},"          \
    "\"targets\":[{\"POSITION\":1},{\"POSITION\":2}]}]}]"

static void put_morph(gltf *g) {
    static const float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float up[] = {0, 0, 1, 0, 0, 1, 0, 0, 1}, aside[] = {4, 0, 0, 0, 0, 0, 0, 0, 0};
    gltf_begin(g);
    gltf_reals(g, "VEC3", 3, x);
    gltf_reals(g, "VEC3", 3, up);
    gltf_reals(g, "VEC3", 3, aside);
}

TEST(morph_at_half_weight) {
    static gltf g;
    static const float times[] = {1, 2, 4}, weights[] = {0, 0, 1, 0, 0, 1};
    put_morph(&g);
    gltf_reals(&g, "SCALAR", 3, times);
    gltf_reals(&g, "SCALAR", 6, weights);
    sn_io_animation *a =
        open_file(&g,
                  MORPH ",\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
                        "\"path\":\"weights\"}}],\"samplers\":[{\"input\":3,\"output\":4}]}]",
                  NULL);
    sn_io_animation_info info = sn_io_animation_get_info(a);
    CHECK(info.begin == 1 && info.end == 4);
    check_at(a, 1, 1, 2, 0, 0);
    check_at(a, 1.5, 1, 2, 0, 1);
    check_at(a, 2, 0, 0, 0, 2);
    check_at(a, 3, 0, 4, 0, 1);
    check_at(a, 4, 0, 8, 0, 0);
    sn_io_animation_close(a);
}

/* Without an animation, the weights of the mesh are those at all times. */
TEST(morph_that_stands) {
    static gltf g;
    put_morph(&g);
    sn_io_animation *a = open_file(&g, MORPH, NULL);
    CHECK(sn_io_animation_get_info(a).end == sn_io_animation_get_info(a).begin);
    check_at(a, 0, 0, 2, 0, 0);
    check_at(a, 9, 1, 2, 0, 0);
    sn_io_animation_close(a);
}

/* ---- Splines and nodes ---- */

/* Keys at 0, 0.5 and 2 s with tangents, against Hermite's formula (glTF 2.0, appendix C.5). */
TEST(cubic_spline) {
    static gltf g;
    static const float x[] = {0, 0, 0}, times[] = {0, 0.5f, 2};
    static const float keys[] = {0, 0, 0,  1, 2,  3, 2, -1, 0.5f, 1,  1, 1, 4, -2, 0,
                                 3, 0, -1, 0, -4, 2, 0, 0,  5,    -6, 0, 0, 0, 0,  0};
    gltf_begin(&g);
    gltf_reals(&g, "VEC3", 1, x);
    gltf_reals(&g, "SCALAR", 3, times);
    gltf_reals(&g, "VEC3", 9, keys);
    sn_io_animation *a =
        open_file(&g,
                  "\"scenes\":[{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0},{\"children\":[0]}],"
                  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],"
                  "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,"
                  "\"path\":\"translation\"}}],\"samplers\":[{\"input\":1,\"output\":2,"
                  "\"interpolation\":\"CUBICSPLINE\"}]}]",
                  NULL);
    for (int i = 0; i <= 40; i++) {
        double time = i / 20.0, expected[3];
        size_t key = time < 0.5 ? 0 : 1;
        double from = (double)times[key], span = (double)times[key + 1] - from;
        double t = (time - from) / span;
        for (size_t k = 0; k < 3; k++) {
            const float *v0 = keys + 9 * key, *v1 = v0 + 9;
            expected[k] = (2 * t * t * t - 3 * t * t + 1) * (double)v0[3 + k] +
                          span * (t * t * t - 2 * t * t + t) * (double)v0[6 + k] +
                          (-2 * t * t * t + 3 * t * t) * (double)v1[3 + k] +
                          span * (t * t * t - t * t) * (double)v1[k];
        }
        check_at(a, time, 0, expected[0], expected[1], expected[2]);
    }
    sn_io_animation_close(a);
}

/* Units and axes, and vertices that were cut open for textures. */
TEST(units_axes_and_seams) {
    static gltf g;
    static const float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0};
    sn_io_animation_def def = sn_io_animation_def_default();
    gltf_begin(&g);
    gltf_reals(&g, "VEC3", 6, x);
    def.scale = 0.01;
    def.up = SN_IO_UP_Z;
    def.weld = 0;
    sn_io_animation *a =
        open_file(&g,
                  "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"translation\":[0,0,5]}],"
                  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]",
                  &def);
    const sn_mesh *mesh = sn_io_animation_mesh(a);
    CHECK(mesh->vertex_count == 4 && mesh->triangle_count == 2);
    CHECK(mesh->triangles[1][0] == 2 && mesh->triangles[1][1] == 1 && mesh->triangles[1][2] == 3);
    check_at(a, 0, 3, 0.01, 0.05, -0.01);
    sn_io_animation_close(a);
}

/* ---- Playing ---- */

TEST(playback) {
    static gltf g;
    size_t at[6];
    put_bar(&g, at);
    sn_io_animation *a = open_file(&g, BAR("LINEAR"), NULL);
    sn_io_playback p = sn_io_playback_default();
    CHECK_NEAR(sn_io_animation_time(a, NULL, 0.25), 0.25, 0);
    CHECK_NEAR(sn_io_animation_time(a, &p, 3), 1, 0);
    CHECK_NEAR(sn_io_animation_time(a, &p, -3), 0, 0);
    p.start = 2, p.speed = 0.5;
    CHECK_NEAR(sn_io_animation_time(a, &p, 3), 0.5, 1e-12);
    p.repeat = true;
    CHECK_NEAR(sn_io_animation_time(a, &p, 4.5), 0.25, 1e-12);
    /* The end is shown before it begins again. */
    CHECK_NEAR(sn_io_animation_time(a, &p, 4), 1, 1e-12);
    CHECK_NEAR(sn_io_animation_time(a, &p, 6), 1, 1e-8);
    p.speed = 0;
    CHECK_NEAR(sn_io_animation_time(a, &p, 100), 0, 0);
    sn_io_animation_close(a);
}

/* ---- What is wrong ---- */

TEST(what_is_wrong_is_said) {
    static gltf g;
    size_t at[6];
    put_bar(&g, at);
    check_refused(&g, BAR("LINEAR"), "walk", "it has no animation \"walk\", only \"bend\"");
    check_refused(&g, BAR("SMOOTH"), NULL, "expected STEP, LINEAR or CUBICSPLINE");
    check_refused(&g, BAR("CUBICSPLINE"), NULL, "it has 2 values, expected 6 for 2 times");
    static const struct {
        const char *nodes, *skins, *part;
    } files[] = {{"{\"mesh\":0,\"skin\":0},{\"children\":[2]},{\"children\":[1]}",
                  "\"joints\":[1,2]", "it is its own ancestor"},
                 {"{\"mesh\":0,\"skin\":0},{\"children\":[2]},{}", "\"joints\":[1,9]",
                  "skins[0].joints[1]: it is no node; there are 3"},
                 {"{\"mesh\":0,\"skin\":0},{\"children\":[2]},{}", "\"joints\":[1]",
                  "vertex 1 has joint 1, and the skin has 1"},
                 {"{\"mesh\":0,\"skin\":0},{\"children\":[2]},{}", "\"joints\":[]",
                  "it has no array joints"},
                 {"{\"mesh\":0,\"skin\":0},{\"children\":[2]},{}",
                  "\"joints\":[1,2,2],\"inverseBindMatrices\":4", "2 matrices are for 3 joints"},
                 {"{\"mesh\":0,\"skin\":0},{\"children\":[2]},{\"children\":[2]}",
                  "\"joints\":[1,2]", "node 2 has two parents"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char json[2000];
        put_bar(&g, at);
        snprintf(json, sizeof json,
                 "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[%s],"
                 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,"
                 "\"WEIGHTS_0\":3},\"indices\":1}]}],\"skins\":[{%s}]",
                 files[i].nodes, files[i].skins);
        check_refused(&g, json, NULL, files[i].part);
    }
}

/* A file that is cut anywhere is refused, and nothing else happens. */
TEST(cut_files_are_refused) {
    static gltf g;
    size_t at[6], size;
    put_bar(&g, at);
    unsigned char *file = gltf_end(&g, BAR("LINEAR"), &size);
    for (size_t n = 0; n < size; n += 7) {
        sn_io_animation *a = NULL;
        unsigned char *part = malloc(n + 1);
        if (!part) break;
        memcpy(part, file, n);
        CHECK_FAILS(sn_io_animation_open_memory("cut.glb", part, n, NULL, &a), SN_ERROR_DATA);
        free(part);
    }
    free(file);
}

TESTS(RUN(bar_of_two_bones_bends), RUN(steps_stay_until_the_next_key), RUN(morph_at_half_weight),
      RUN(morph_that_stands), RUN(cubic_spline), RUN(units_axes_and_seams), RUN(playback),
      RUN(what_is_wrong_is_said), RUN(cut_files_are_refused))
