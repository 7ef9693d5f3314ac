/* Colours of vertices and of materials, from files through a scene into every export that can hold
   them. With --write FOLDER, the files of a scene are written there and stay, for programs of
   others. */
#include <sinew_io/animation.h>
#include <sinew_io/cache.h>
#include <sinew_io/export.h>
#include <sinew_io/file.h>
#include <sinew_io/mesh.h>
#include <sinew_io/smooth.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "files.h"
#include "gltf_make.h"
#include "scene_make.h"

static const char *const scratch = "colours_scratch";

static void write_file(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
}

static void write_text(const char *path, const char *text) {
    write_file(path, text, strlen(text));
}

/* Reads a file and expects these colours, or none where they are null. */
static void expect(const char *path, const double (*expected)[3], size_t count, double tolerance) {
    sn_mesh mesh = sn_mesh_default();
    sn_real(*uvs)[2];
    sn_vec3 *colours;
    check_case("%s", path);
    REQUIRE_OK(sn_io_mesh_read_colours(path, NULL, &mesh, &uvs, &colours));
    CHECK((colours != NULL) == (expected != NULL));
    if (expected) CHECK(mesh.vertex_count >= count);
    for (size_t i = 0; expected && colours && i < count && i < mesh.vertex_count; i++) {
        CHECK_NEAR(colours[i].x, expected[i][0], tolerance);
        CHECK_NEAR(colours[i].y, expected[i][1], tolerance);
        CHECK_NEAR(colours[i].z, expected[i][2], tolerance);
    }
    free(uvs);
    free(colours);
    sn_mesh_free(&mesh);
}

/* A file that is refused, with this in the sentence. */
static void refuse(const char *path, const char *sentence) {
    sn_mesh mesh = sn_mesh_default();
    sn_real(*uvs)[2];
    sn_vec3 *colours;
    check_case("%s", sentence);
    CHECK(sn_io_mesh_read_colours(path, NULL, &mesh, &uvs, &colours) == SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), sentence) != NULL);
    CHECK(!uvs && !colours && mesh.vertex_count == 0);
    /* Who does not ask for colours reads it all the same. */
    CHECK_OK(sn_io_mesh_read(path, NULL, &mesh));
    sn_mesh_free(&mesh);
}

/* ---- PLY ---- */

#define PLY_HEAD                                                                                   \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"                \
    "property float z\n"
#define PLY_FACE "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
#define PLY_BYTES "property uchar red\nproperty uchar green\nproperty uchar blue\n"
#define PLY_REALS "property float red\nproperty float green\nproperty float blue\n"

TEST(ply_has_bytes_or_numbers) {
    static const double bytes[3][3] = {{1, 0, 0}, {0, 128 / 255.0, 0}, {0, 0, 1}};
    static const double reals[3][3] = {{0.25, 0.5, 0.75}, {1, 0, 0}, {0, 0, 1}};
    write_text("colours.ply", PLY_HEAD PLY_BYTES PLY_FACE
               "0 0 0 255 0 0\n1 0 0 0 128 0\n0 1 0 0 0 255\n3 0 1 2\n");
    expect("colours.ply", bytes, 3, 1e-6);
    /* What is beyond 0 to 1 becomes the nearer end. */
    write_text("colours.ply", PLY_HEAD PLY_REALS PLY_FACE
               "0 0 0 0.25 0.5 0.75\n1 0 0 7 -1 0\n0 1 0 0 0 1\n3 0 1 2\n");
    expect("colours.ply", reals, 3, 1e-6);
    write_text("colours.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    expect("colours.ply", NULL, 0, 0);
    write_text("colours.ply",
               PLY_HEAD PLY_BYTES PLY_FACE "0 0 0 255 0 0\n1 0 0 0 x 0\n0 1 0 0 0 255\n3 0 1 2\n");
    refuse("colours.ply", "colours.ply:14:9:");
    remove("colours.ply");
}

/* ---- OBJ ---- */

TEST(obj_has_those_of_vertices_and_of_materials) {
    static const double expected[5][3] = {
        {1, 0.5, 0}, {0.2, 0.4, 0.6}, {0.2, 0.4, 0.6}, {0.3, 0.3, 0.3}, {1, 1, 1}};
    static const char text[] = "mtllib colours lib.mtl\nv 0 0 0 1 0.5 0\nv 1 0 0\nv 0 1 0\n"
                               "v 1 1 0 1\nv 2 2 0\nusemtl dark blue\nf 1 2 3\nusemtl grey\n"
                               "f 3 2 4\nusemtl none\nf 3 4 5\n";
    write_text("colours.obj", text);
    write_text("colours lib.mtl", "newmtl dark blue\nNs 10\n  Kd 0.2 0.4 0.6\nKd spectral a.rfl\n"
                                  "newmtl grey\nKd 0.3\nnewmtl none\nKa 1 1 1\n");
    expect("colours.obj", expected, 5, 1e-6);
    /* The broken number is in the library, and is found there. */
    write_text("colours lib.mtl", "newmtl dark blue\nKd 0.2 red 0.6\n");
    refuse("colours.obj", "colours lib.mtl:2:8:");
    write_text("colours lib.mtl", "Kd 1 1 1\n");
    refuse("colours.obj", "colours lib.mtl:1:4: a colour comes before the first material");
    remove("colours lib.mtl");
    /* A file of another kind whose name is a piece of it is left alone. */
    write_text("colours", "Kd 1 1 1\n");
    static const double own[2][3] = {{1, 0.5, 0}, {1, 1, 1}};
    expect("colours.obj", own, 2, 1e-6);
    remove("colours");
    remove("colours.obj");
}

/* Several libraries on a line; what is not in the folder is not read. */
TEST(obj_libraries) {
    static const double red[3][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    write_text("colours_a.mtl", "newmtl a\nKd 0 0 1\n");
    write_text("colours_b.mtl", "newmtl b\nKd 1 0 0\n");
    write_text("colours.obj", "mtllib colours_a.mtl colours_b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                              "usemtl b\nf 1 2 3\n");
    expect("colours.obj", red, 3, 0);
    folder_clear(scratch);
    write_text("colours_scratch/colours.obj",
               "mtllib ../colours_b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl b\nf 1 2 3\n");
    expect("colours_scratch/colours.obj", NULL, 0, 0);
    remove("colours_a.mtl");
    remove("colours_b.mtl");
    remove("colours.obj");
}

/* ---- GLB ---- */

/* A square of four vertices whose colours are an accessor, with two materials. */
static void write_square(const char *path, int kind, const char *primitives) {
    static gltf g;
    static const float x[12] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1};
    static const float reals[12] = {1, 0, 0, 0, 0.5f, 0, 0, 0, 1, 1, 1, 1};
    static const uint8_t bytes[16] = {255, 0, 0, 255, 0, 128, 0, 0, 0, 0, 255, 9, 255, 255, 255, 1};
    static const uint16_t shorts[12] = {65535, 0, 0, 0, 32768, 0, 0, 0, 65535, 65535, 65535, 65535};
    static const uint16_t triangles[6] = {0, 2, 1, 1, 2, 3};
    char json[1024];
    size_t size;
    gltf_begin(&g);
    gltf_reals(&g, "VEC3", 4, x);
    if (kind == 0) gltf_reals(&g, "VEC3", 4, reals);
    if (kind == 1) gltf_bytes(&g, "VEC4", 4, bytes);
    if (kind == 2) gltf_shorts(&g, "VEC3", 4, shorts);
    gltf_shorts(&g, "SCALAR", 3, triangles);
    gltf_shorts(&g, "SCALAR", 3, triangles + 3);
    gltf_shorts(&g, "SCALAR", 6, triangles);
    snprintf(json, sizeof json,
             "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"square\",\"mesh\":0}],"
             "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0.5,0.5,1]}},"
             "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0,0,1,1]}},{}],"
             "\"meshes\":[{\"primitives\":[%s]}]",
             primitives);
    unsigned char *file = gltf_end(&g, json, &size);
    write_file(path, file, size);
    free(file);
}

/* Light of 0.5 is 0.735357 in sRGB, of 0.25 0.537099, and of 128 / 255 0.736647. */
TEST(glb_has_colours_times_materials) {
    static const double plain[4][3] = {{1, 0, 0}, {0, 0.735357, 0}, {0, 0, 1}, {1, 1, 1}};
    static const double bytes[4][3] = {{1, 0, 0}, {0, 0.736647, 0}, {0, 0, 1}, {1, 1, 1}};
    static const double tinted[4][3] = {
        {1, 0, 0}, {0, 0.537099, 0}, {0, 0, 0.735357}, {1, 0.735357, 0.735357}};
    static const double base[4][3] = {
        {1, 0.735357, 0.735357}, {1, 0.735357, 0.735357}, {1, 0.735357, 0.735357}, {0, 0, 1}};
    for (int kind = 0; kind < 3; kind++) {
        write_square("colours.glb", kind,
                     "{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1},\"indices\":4}");
        expect("colours.glb", kind == 1 ? bytes : plain, 4, kind == 0 ? 2e-6 : 2e-5);
    }
    write_square("colours.glb", 0,
                 "{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1},\"indices\":4,\"material\":0}");
    expect("colours.glb", tinted, 4, 2e-6);
    /* Primitives that share vertices: each has the colour of the first that uses it. */
    write_square("colours.glb", 0,
                 "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"material\":0},"
                 "{\"attributes\":{\"POSITION\":0},\"indices\":3,\"material\":1}");
    expect("colours.glb", base, 4, 2e-6);
    write_square("colours.glb", 0,
                 "{\"attributes\":{\"POSITION\":0},\"indices\":4,\"material\":2}");
    expect("colours.glb", NULL, 0, 0);
    write_square("colours.glb", 0, "{\"attributes\":{\"POSITION\":0,\"COLOR_0\":2},\"indices\":4}");
    refuse("colours.glb", "its type is not VEC3");
    remove("colours.glb");
}

/* ---- Through a scene ---- */

static const double square[4][3] = {{1, 0, 0}, {0, 0.735357, 0}, {0, 0, 1}, {1, 1, 1}};

static const char scene_text[] =
    "{\"version\": 1, \"meshes\": {\"flag\": {\"shape\": \"file\", \"path\": \"colours.glb\"}},"
    "\"bodies\": [{\"name\": \"flag\", \"mesh\": \"flag\", \"material\": \"cotton\"}, {\"name\": "
    "\"plain\", \"mesh\": \"flag\", \"material\": \"cotton\", \"colour\": [0, 0, 1]}], "
    "\"colliders\": [{\"name\": \"stone\", \"shape\": \"mesh\", \"two_sided\": true, \"mesh\": "
    "\"flag\", \"position\": [0, -3, 0]}]}";

static void write_scene(const char *folder, const char *format) {
    sn_io_frame frame;
    sn_scene *scene = scene_make(scene_text);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    CHECK(frame.shapes[0].colours && !frame.shapes[1].colours && frame.shapes[2].colours);
    scene_write_frames(scene, format, folder, "colours");
}

static bool file_has(const char *name, const char *text) {
    char path[256], *data;
    size_t size;
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    REQUIRE_OK(sn_io_file_read("the file", path, &data, &size));
    bool found = false;
    for (size_t i = 0; !found && i + strlen(text) <= size; i++)
        found = memcmp(data + i, text, strlen(text)) == 0;
    free(data);
    return found;
}

static void check_colours(const sn_vec3 *colours, double tolerance) {
    for (size_t i = 0; CHECK(colours != NULL) && i < 4; i++) {
        CHECK_NEAR(colours[i].x, square[i][0], tolerance);
        CHECK_NEAR(colours[i].y, square[i][1], tolerance);
        CHECK_NEAR(colours[i].z, square[i][2], tolerance);
    }
}

TEST(colours_go_through) {
    static const char *const formats[] = {"glb", "obj", "ply", "usda", "vtu", "pc2", "cache"};
    double all[12][3];
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++) all[i][k] = i / 4 == 1 ? k == 2 : square[i % 4][k];
    write_square("colours.glb", 0, "{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1},\"indices\":4}");
    folder_clear(scratch);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        write_scene(scratch, formats[i]);
    expect("colours_scratch/colours.glb", (const double(*)[3])all, 12, 2e-6);
    expect("colours_scratch/colours_0002.obj", (const double(*)[3])all, 12, 2e-6);
    /* A byte is within half a step. */
    expect("colours_scratch/colours_0001.ply", (const double(*)[3])all, 12, 0.5 / 255 + 1e-6);
    expect("colours_scratch/colours_flag.obj", square, 4, 2e-6);
    check_case("usda");
    CHECK(file_has("colours.usda", "color3f[] primvars:displayColor = [(1, 0, 0), (0, 0."));
    CHECK(file_has("colours.usda", "color3f[] primvars:displayColor = [(0, 0, 1)]\n"));
    CHECK(file_has("colours.mtl", "newmtl plain\nKd 0 0 1\n") && !file_has("colours.mtl", "flag"));
    CHECK(file_has("colours_0000.vtu", "Name=\"colour\" NumberOfComponents=\"3\""));
    sn_io_cache *cache = NULL;
    sn_io_frame frame;
    REQUIRE_OK(sn_io_cache_open("colours_scratch/colours.snc", &cache));
    REQUIRE_OK(sn_io_cache_frame(cache, 2, &frame));
    check_case("cache");
    check_colours(frame.shapes[0].colours, 2e-6);
    CHECK(!frame.shapes[1].colours);
    check_colours(frame.shapes[2].colours, 2e-6);
    sn_io_cache_close(cache);
}

/* A usda as well, which is what was written before: one colour for each point, or for a mesh. */
static const char ink_text[] =
    "{\"version\": 1, \"meshes\": {\"block\": {\"shape\": \"lattice\", \"extent\": [0.08, 0.02, "
    "0.02], \"spacing\": 0.02}}, \"bodies\": [{\"name\": \"water\", \"mesh\": \"block\", "
    "\"material\": \"water\", \"colour\": [0, 1, 0]}, {\"name\": \"plain\", \"mesh\": \"block\", "
    "\"material\": \"water\", \"position\": [0, 1, 0]}], \"diffusions\": [{\"nodes\": \"water\", "
    "\"value\": 2, \"diffusivity\": 0, \"low\": 1, \"high\": 5, \"low_colour\": [1, 0, 0], "
    "\"high_colour\": [0, 0, 1]}], \"sources\": [{\"shape\": \"everywhere\", \"value\": 4, "
    "\"rate\": "
    "60}]}";

/* What nodes carry is a colour between two, another one in every frame, and so in caches; a body
   without it has none. A quarter of the way at first, and half of what is left in each step. */
TEST(what_nodes_carry_is_a_colour) {
    sn_io_cache *cache = NULL;
    sn_io_frame frame;
    sn_scene *scene = scene_make(ink_text);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    CHECK(frame.shapes[0].colours && !frame.shapes[1].colours);
    CHECK_NEAR(frame.shapes[0].colours[0].x, 0.75, 1e-6);
    scene_write_frames(scene, "cache", scratch, "ink");
    REQUIRE_OK(sn_io_cache_open("colours_scratch/ink.snc", &cache));
    for (int k = 0; k < 3; k++) {
        static const double expected[] = {0.25, 0.5, 0.625};
        check_case("frame %d", k);
        REQUIRE_OK(sn_io_cache_frame(cache, (uint32_t)k, &frame));
        const sn_vec3 *colours = frame.shapes[0].colours;
        for (int i = 0; CHECK(colours != NULL) && i < 4; i++) {
            CHECK_NEAR(colours[i].z, expected[k], 1e-5);
            CHECK_NEAR(colours[i].x, 1 - expected[k], 1e-5);
            CHECK_NEAR(colours[i].y, 0, 1e-6);
        }
        CHECK(!frame.shapes[1].colours);
    }
    sn_io_cache_close(cache);
}

TEST(animations_have_them) {
    sn_io_animation *animation = NULL;
    REQUIRE_OK(sn_io_animation_open("colours.glb", NULL, &animation));
    check_colours(sn_io_animation_colours(animation), 2e-6);
    sn_io_animation_close(animation);
    CHECK(sn_io_animation_colours(NULL) == NULL);
    REQUIRE_OK(sn_io_animation_open("colours_scratch/colours.usda", NULL, &animation));
    const sn_vec3 *colours = sn_io_animation_colours(animation);
    check_case("usda");
    CHECK(sn_io_animation_get_info(animation).vertex_count == 12);
    check_colours(colours, 2e-6);
    for (size_t i = 4; colours && i < 8; i++) CHECK(colours[i].x == 0 && colours[i].z == 1);
    if (colours) check_colours(colours + 8, 2e-6);
    CHECK(sn_io_animation_uvs(animation) != NULL);
    sn_io_animation_close(animation);
    folder_clear(scratch);
}

/* New vertices are between those that they are of. */
TEST(smooth_shapes_have_them) {
    sn_scene *scene = scene_make(scene_text);
    sn_io_smoother *smoother = NULL;
    sn_io_frame frame, smooth;
    REQUIRE_OK(sn_io_smoother_create(&smoother));
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    REQUIRE_OK(sn_io_smoother_frame(smoother, &frame, 2, NULL, &smooth));
    const sn_io_shape *s = &smooth.shapes[0];
    CHECK(s->vertex_count > 4 && s->colours && !smooth.shapes[1].colours);
    for (size_t i = 0; s->colours && i < s->vertex_count; i++)
        CHECK(s->colours[i].x >= 0 && s->colours[i].x <= 1 + (sn_real)1e-6);
    sn_io_smoother_destroy(smoother);
    sn_scene_close(scene);
    remove("colours.glb");
}

/* What vertices have beside their places is written by every format that can hold it, also of the
   surface of tets, and read back. */
TEST(meshes_are_written_with_uvs_and_colours) {
    static const sn_vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 5, 5}};
    static const sn_real places[][2] = {
        {0, 0}, {1, (sn_real)0.25}, {(sn_real)0.5, 1}, {-2, 3}, {9, 9}};
    static const sn_vec3 paint[] = {{1, 0, 0},
                                    {0, (sn_real)0.2, 1},
                                    {(sn_real)0.4, (sn_real)0.4, (sn_real)0.8},
                                    {1, 1, 1},
                                    {0, 0, 0}};
    static const uint32_t t[][3] = {{0, 2, 1}, {0, 1, 3}}, tet[][4] = {{0, 1, 2, 3}};
    static const char *const paths[] = {"colours.obj", "colours.ply", "colours.glb"};
    for (int i = 0; i < 8; i++) {
        const char *path = paths[i % 3];
        bool text = i == 7, solid = i >= 3 && i < 6;
        sn_io_write_def def = sn_io_write_def_default();
        sn_mesh mesh = sn_mesh_default(), read = sn_mesh_default();
        sn_real(*uvs)[2];
        sn_vec3 *colours;
        check_case("%s, %s", path, solid ? "surface" : text ? "text" : "triangles");
        REQUIRE_OK(sn_mesh_add_vertices(&mesh, x, 5));
        if (solid) REQUIRE_OK(sn_mesh_add_tets(&mesh, tet, 1));
        if (!solid) REQUIRE_OK(sn_mesh_add_triangles(&mesh, t, 2));
        def.uvs = places;
        def.colours = paint;
        def.surface = solid;
        def.text = text;
        REQUIRE_OK(sn_io_mesh_write(path, &def, &mesh));
        REQUIRE_OK(sn_io_mesh_read_colours(path, NULL, &read, &uvs, &colours));
        CHECK(read.vertex_count == (solid ? 4u : 5u) && uvs && colours);
        for (size_t k = 0; uvs && colours && k < 4; k++) {
            CHECK_NEAR(uvs[k][0], places[k][0], 1e-6);
            CHECK_NEAR(uvs[k][1], places[k][1], 1e-6);
            CHECK_NEAR(colours[k].x, paint[k].x, 1e-6);
            CHECK_NEAR(colours[k].y, paint[k].y, 1e-6);
            CHECK_NEAR(colours[k].z, paint[k].z, 1e-6);
        }
        free(uvs);
        free(colours);
        sn_mesh_free(&read);
        sn_mesh_free(&mesh);
        remove(path);
    }
    sn_mesh mesh = sn_mesh_default();
    sn_io_write_def def = sn_io_write_def_default();
    def.uvs = places;
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, x, 5));
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, t, 2));
    CHECK_OK(sn_io_mesh_write("colours.off", &def, &mesh));
    sn_mesh_free(&mesh);
    remove("colours.off");
}

static const check_test tests[] = {
    RUN(ply_has_bytes_or_numbers),
    RUN(obj_has_those_of_vertices_and_of_materials),
    RUN(obj_libraries),
    RUN(glb_has_colours_times_materials),
    RUN(colours_go_through),
    RUN(what_nodes_carry_is_a_colour),
    RUN(animations_have_them),
    RUN(smooth_shapes_have_them),
    RUN(meshes_are_written_with_uvs_and_colours),
};

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        static const char *const formats[] = {"glb", "obj", "ply"};
        write_square("colours.glb", 0,
                     "{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1},\"indices\":4}");
        folder_clear(argv[2]);
        for (size_t i = 0; i < 3; i++) write_scene(argv[2], formats[i]);
        return 0;
    }
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
