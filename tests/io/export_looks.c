/* Texture coordinates, colours and names from a file through a scene into every export that can
   hold them. With --write FOLDER, the files of a scene are written there and stay, for programs of
   others. */
#include <sinew_io/animation.h>
#include <sinew_io/cache.h>
#include <sinew_io/export.h>
#include <sinew_io/file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "files.h"
#include "gltf_make.h"
#include "scene_make.h"

static const char *scratch = "looks_scratch";

static void write_bytes(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
}

/* Nine vertices of a square of 1 m, with texture coordinates that are no places: u = x / 4, and v
   goes down from 1 as glTF counts. */
static void write_cloth(const char *path) {
    static gltf g;
    float x[27], uv[18];
    static const uint16_t triangles[24] = {0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5,
                                           3, 6, 4, 4, 6, 7, 4, 7, 5, 5, 7, 8};
    size_t size;
    for (int i = 0; i < 9; i++) {
        x[3 * i] = (float)(i % 3) / 2, x[3 * i + 1] = 0, x[3 * i + 2] = (float)(i / 3) / 2;
        uv[2 * i] = x[3 * i] / 4, uv[2 * i + 1] = 1 - x[3 * i + 2] / 8;
    }
    gltf_begin(&g);
    gltf_reals(&g, "VEC3", 9, x);
    gltf_reals(&g, "VEC2", 9, uv);
    gltf_shorts(&g, "SCALAR", 24, triangles);
    unsigned char *file =
        gltf_end(&g,
                 "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"cloth\",\"mesh\":0}],"
                 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},"
                 "\"indices\":2}]}]",
                 &size);
    write_bytes(path, file, size);
    free(file);
}

static const char scene_text[] =
    "{\"version\": 1, \"meshes\": {\"sail\": {\"shape\": \"file\", \"path\": \"looks.glb\"}},"
    "\"bodies\": [{\"name\": \"sail\", \"mesh\": \"sail\", \"material\": \"cotton\","
    "\"colour\": [1, 0.5, 0]}, {\"name\": \"plain\", \"mesh\": {\"shape\": \"grid\", \"columns\": "
    "2, \"rows\": 2}, \"material\": \"cotton\"}], \"colliders\": [{\"name\": \"stone\", "
    "\"shape\": \"mesh\", \"two_sided\": true, \"mesh\": \"sail\", \"position\": [0, -3, 0], "
    "\"colour\": [0, 0, 1]}]}";

static void write_scene(const char *folder, const char *format) {
    scene_write_frames(scene_make(scene_text), format, folder, "looks");
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

/* The nine coordinates at an offset. */
static void check_uvs(const sn_real (*uvs)[2], size_t first) {
    if (!CHECK(uvs != NULL)) return;
    for (size_t i = 0; i < 9; i++) {
        CHECK_NEAR(uvs[first + i][0], (double)(i % 3) / 8, 1e-6);
        CHECK_NEAR(uvs[first + i][1], (double)(i / 3) / 16, 1e-6);
    }
}

/* What the files have is read back. */
static void check_file(const char *name, size_t vertices) {
    char path[256];
    sn_mesh mesh = sn_mesh_default();
    sn_real(*uvs)[2];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    check_case("%s", name);
    REQUIRE_OK(sn_io_mesh_read_uvs(path, NULL, &mesh, &uvs));
    CHECK(mesh.vertex_count == vertices);
    check_uvs((const sn_real(*)[2])uvs, 0);
    /* The grid has places on its material, in metres; the collider is last. */
    if (vertices == 27 && CHECK(uvs != NULL)) {
        CHECK_NEAR(uvs[17][0] - uvs[9][0], 1, 1e-6);
        check_uvs((const sn_real(*)[2])uvs, 18);
    }
    free(uvs);
    sn_mesh_free(&mesh);
}

TEST(texture_coordinates_go_through) {
    static const char *const formats[] = {"glb", "obj", "ply", "usda", "vtu", "pc2", "cache"};
    write_cloth("looks.glb");
    folder_clear(scratch);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        write_scene(scratch, formats[i]);
    check_file("looks.glb", 27);
    check_file("looks_0002.obj", 27);
    check_file("looks_0001.ply", 27);
    check_file("looks_sail.obj", 9);
    check_case("usda");
    CHECK(file_has("looks.usda", "texCoord2f[] primvars:st = [(0, 0), (0.125, 0), (0.25, 0)"));
    CHECK(file_has("looks_0000.vtu", "Name=\"uv\" NumberOfComponents=\"2\""));
    sn_io_cache *cache = NULL;
    sn_io_frame frame;
    REQUIRE_OK(sn_io_cache_open("looks_scratch/looks.snc", &cache));
    REQUIRE_OK(sn_io_cache_frame(cache, 2, &frame));
    check_case("cache");
    check_uvs(frame.shapes[0].uvs, 0);
    sn_io_cache_close(cache);
    remove("looks.glb");
}

/* sRGB 0.5 is 0.21404 of the light; OBJ, PLY and VTU have what was chosen. */
TEST(colours_and_names_go_through) {
    check_case("glb");
    CHECK(file_has("looks.glb", "\"name\":\"sail\",\"doubleSided\":true,\"pbrMetallicRoughness\":{"
                                "\"baseColorFactor\":[1,0.2140411"));
    CHECK(file_has("looks.glb", "\"TEXCOORD_0\":2},\"material\":1"));
    CHECK(file_has("looks.glb", "\"material\":0"));
    CHECK(file_has("looks.glb", "\"material\":2"));
    check_case("usda");
    CHECK(file_has("looks.usda", "color3f[] primvars:displayColor = [(1, 0.2140411"));
    check_case("obj");
    CHECK(file_has("looks.mtl", "newmtl sail\nKd 1 0.5 0\nnewmtl stone\nKd 0 0 1\n"));
    CHECK(file_has("looks_0001.obj", "mtllib looks.mtl\no sail\nusemtl sail\n"));
    CHECK(!file_has("looks_0001.obj", "usemtl plain"));
    check_case("ply");
    CHECK(file_has("looks_0000.ply", "property uchar red"));
    check_case("vtu");
    CHECK(file_has("looks_0000.vtu", "Name=\"colour\" NumberOfComponents=\"3\""));
    folder_clear(scratch);
}

/* An obj has one pair per corner: a vertex keeps the first, and relative numbers count. */
TEST(obj_corners) {
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0.5 0.25\nvt 1\nvt 0 1 0\n"
                               "f 1/1 2/2 3/-1\nf 3/1/1 2//1 4\n";
    sn_mesh mesh = sn_mesh_default();
    sn_real(*uvs)[2];
    write_bytes("looks.obj", text, sizeof text - 1);
    REQUIRE_OK(sn_io_mesh_read_uvs("looks.obj", NULL, &mesh, &uvs));
    static const double expected[4][2] = {{0.5, 0.25}, {1, 0}, {0, 1}, {0, 0}};
    for (size_t i = 0; CHECK(uvs != NULL) && i < 4; i++)
        for (int k = 0; k < 2; k++) CHECK_NEAR(uvs[i][k], expected[i][k], 0);
    free(uvs);
    sn_mesh_free(&mesh);
    remove("looks.obj");
}

/* An image of a body is in the file, whatever its length, and nowhere where there are no places for
   it. */
TEST(textures_go_into_glb) {
    static const char png[] = "\x89PNG\r\n\x1a\nxyz";
    static const char text[] =
        "{\"version\": 1, \"bodies\": [{\"name\": \"plain\", \"mesh\": {\"shape\": \"grid\"}, "
        "\"material\": \"cotton\"}, {\"name\": \"print\", \"mesh\": {\"shape\": \"grid\"}, "
        "\"material\": \"cotton\", \"texture\": \"looks.png\", \"texture_size\": 0.5}, {\"name\": "
        "\"rope\", \"mesh\": {\"shape\": \"rope\"}, \"material\": {\"kind\": \"rope\"}, "
        "\"texture\": \"looks.png\"}, {\"name\": \"whole\", \"mesh\": {\"shape\": \"grid\"}, "
        "\"material\": \"cotton\", \"colour\": [1, 0, 0], \"texture\": \"looks.png\"}]}";
    write_bytes("looks.png", png, sizeof png - 1);
    folder_clear(scratch);
    scene_write_frames(scene_make(text), "glb", scratch, "looks");
    CHECK(file_has("looks.glb",
                   "\"name\":\"print\",\"doubleSided\":true,\"pbrMetallicRoughness\":{"
                   "\"baseColorTexture\":{\"index\":0,\"extensions\":{"
                   "\"KHR_texture_transform\":{\"offset\":[0,-2],\"scale\":[2,2]}}},"));
    CHECK(
        file_has("looks.glb", "\"baseColorFactor\":[1,0,0,1],\"baseColorTexture\":{\"index\":1},"));
    CHECK(file_has("looks.glb", "\"textures\":[{\"source\":0},{\"source\":1}],\n"
                                "\"extensionsUsed\":[\"KHR_texture_transform\"]"));
    CHECK(file_has("looks.glb", "\"byteLength\":11}") && file_has("looks.glb", png));
    /* It is read again, with everything behind the first image where it should be. */
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_io_mesh_read("looks_scratch/looks.glb", NULL, &mesh));
    CHECK_NEAR(mesh.positions[mesh.vertex_count - 1].x, 0.5, 1e-6);
    sn_mesh_free(&mesh);
    remove("looks.png");
}

/* One orange pixel. */
static const uint8_t png[] = {137, 80,  78,  71,  13,  10, 26, 10, 0,   0,   0,  13,  73, 72,
                              68,  82,  0,   0,   0,   1,  0,  0,  0,   1,   8,  2,   0,  0,
                              0,   144, 119, 83,  222, 0,  0,  0,  12,  73,  68, 65,  84, 120,
                              156, 99,  248, 239, 192, 0,  0,  3,  129, 1,   64, 167, 97, 170,
                              169, 0,   0,   0,   0,   73, 69, 78, 68,  174, 66, 96,  130};
/* One grey pixel. */
static const uint8_t jpeg[] = {
    255, 216, 255, 224, 0,   16,  74,  70,  73, 70,  0,   1,  1,  0,  0,  1,   0,   1,   0,  0,
    255, 219, 0,   67,  0,   16,  11,  12,  14, 12,  10,  16, 14, 13, 14, 18,  17,  16,  19, 24,
    40,  26,  24,  22,  22,  24,  49,  35,  37, 29,  40,  58, 51, 61, 60, 57,  51,  56,  55, 64,
    72,  92,  78,  64,  68,  87,  69,  55,  56, 80,  109, 81, 87, 95, 98, 103, 104, 103, 62, 77,
    113, 121, 112, 100, 120, 92,  101, 103, 99, 255, 192, 0,  11, 8,  0,  1,   0,   1,   1,  1,
    17,  0,   255, 196, 0,   20,  0,   1,   0,  0,   0,   0,  0,  0,  0,  0,   0,   0,   0,  0,
    0,   0,   0,   2,   255, 196, 0,   20,  16, 1,   0,   0,  0,  0,  0,  0,   0,   0,   0,  0,
    0,   0,   0,   0,   0,   0,   255, 218, 0,  8,   1,   1,  0,  0,  63, 0,   79,  255, 217};

/* The square of write_cloth with a material, and an image in it. */
static void write_linen(const char *path, const uint8_t *image, size_t bytes, const char *type) {
    static gltf g;
    static const float x[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1}, uv[6] = {0, 1, 1, 1, 0, 0};
    static const uint16_t triangle[3] = {0, 2, 1};
    size_t size;
    gltf_begin(&g);
    gltf_reals(&g, "VEC3", 3, x);
    gltf_reals(&g, "VEC2", 3, uv);
    gltf_shorts(&g, "SCALAR", 3, triangle);
    size_t view = gltf_bytes(&g, "SCALAR", bytes, image); /* of the same number */
    char json[1024];
    snprintf(
        json, sizeof json,
        "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"sail\",\"mesh\":0}],"
        "\"images\":[{\"bufferView\":%zu,\"mimeType\":\"image/%s\"}],\"textures\":[{"
        "\"source\":0}],\"materials\":[{\"name\":\"fine linen\",\"alphaMode\":\"BLEND\","
        "\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0.25,0.5,0.75],\"baseColorTexture\":{"
        "\"index\":0},\"roughnessFactor\":0.375}}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},\"indices\":2,\"material\":0}]}]",
        view, type);
    unsigned char *file = gltf_end(&g, json, &size);
    write_bytes(path, file, size);
    free(file);
}

#define LINEN                                                                                      \
    "{\"version\": 1, \"bodies\": [{\"name\": \"sail\", \"mesh\": {\"shape\": \"file\", "          \
    "\"path\": \"%s\"}, \"material\": \"cotton\"}, {\"name\": \"dyed\", \"mesh\": {\"shape\": "    \
    "\"file\", \"path\": \"%s\"}, \"position\": [0, 2, 0], \"material\": \"cotton\", \"colour\": " \
    "[0, 0, 1]}]}"

/* What a body looks like whose file has the material. */
static void check_linen(const char *path) {
    char text[512];
    sn_io_frame frame;
    check_case("%s", path);
    snprintf(text, sizeof text, LINEN, path, path);
    sn_scene *scene = scene_make(text);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    const sn_io_look *look = frame.shapes[0].look, *dyed = frame.shapes[1].look;
    if (CHECK(look && dyed && look->material)) {
        CHECK(strcmp(look->material, "fine linen") == 0);
        CHECK_NEAR(look->colour.x, 1, 1e-5);
        CHECK_NEAR(look->colour.y, 0.5370987, 1e-5); /* 0.25 of the light, in sRGB */
        CHECK_NEAR(look->opacity, 0.75, 1e-6);
        CHECK_NEAR(look->roughness, 0.375, 1e-6);
        CHECK(look->texture_byte_count == 69 && look->texture_size == 1);
        CHECK(frame.shapes[0].uvs && !frame.shapes[0].colours);
        /* What the scene says goes before. */
        CHECK(dyed->colour.z == 1 && dyed->colour.x == 0 && !dyed->texture_bytes);
    }
    sn_scene_close(scene);
}

static void write_linen_scene(const char *folder) {
    char text[512];
    snprintf(text, sizeof text, LINEN, "linen.glb", "linen.glb");
    scene_write_frames(scene_make(text), "glb", folder, "cloth");
    scene_write_frames(scene_make(text), "usda", folder, "cloth");
}

/* From a file into a scene, and from what that writes into another. */
TEST(materials_go_through) {
    write_linen("linen.glb", png, sizeof png, "png");
    folder_clear(scratch);
    check_linen("linen.glb");
    write_linen_scene(scratch);
    check_case("glb");
    CHECK(file_has("cloth.glb", "\"name\":\"fine linen\",\"doubleSided\":true,"));
    CHECK(file_has("cloth.glb", "\"roughnessFactor\":0.375},\"alphaMode\":\"BLEND\"}"));
    check_case("usda");
    CHECK(file_has("cloth.usda", "rel material:binding = </cloth/Materials/fine_linen>"));
    CHECK(file_has("cloth.usda", "asset inputs:file = @./cloth_fine_linen.png@"));
    CHECK(file_has("cloth.usda", "float4 inputs:scale = (1, 0."));
    CHECK(file_has("cloth_fine_linen.png", "PNG"));
    /* One that has it alone is read again. */
    scene_write_frames(
        scene_make("{\"version\": 1, \"bodies\": [{\"name\": \"sail\", \"mesh\": {\"shape\": "
                   "\"file\", \"path\": \"linen.glb\"}, \"material\": \"cotton\"}]}"),
        "glb", scratch, "alone");
    check_linen("looks_scratch/alone.glb");
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_io_mesh_read("looks_scratch/cloth.usda", NULL, &mesh));
    CHECK(mesh.triangle_count == 2);
    sn_mesh_free(&mesh);
    folder_clear(scratch);
    remove("linen.glb");
}

/* As they are, under their own name. */
TEST(jpeg_images_go_through) {
    write_linen("linen.glb", jpeg, sizeof jpeg, "jpeg");
    folder_clear(scratch);
    write_linen_scene(scratch);
    CHECK(file_has("cloth.glb", "\"mimeType\":\"image/jpeg\""));
    CHECK(file_has("cloth.usda", "asset inputs:file = @./cloth_fine_linen.jpeg@"));
    CHECK(file_has("cloth_fine_linen.jpeg", "JFIF"));
    folder_clear(scratch);
    remove("linen.glb");
}

/* As a number, or that of the material. */
TEST(cloth_is_shown_as_thick_as_it_is) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"bodies\": [{\"name\": \"a\", \"mesh\": {\"shape\": \"grid\"}, "
        "\"material\": {\"kind\": \"cloth\", \"thickness\": 0.004}, \"shown_thickness\": "
        "\"auto\"}, "
        "{\"name\": \"b\", \"mesh\": {\"shape\": \"grid\"}, \"material\": \"cotton\", "
        "\"shown_thickness\": 0.02}, {\"name\": \"c\", \"mesh\": {\"shape\": \"block\"}, "
        "\"material\": \"rubber\", \"colour\": [1, 0, 0], \"shown_thickness\": \"auto\"}]}");
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    CHECK(frame.shapes[0].look && frame.shapes[0].look->thickness == (sn_real)0.004);
    CHECK(frame.shapes[1].look && frame.shapes[1].look->thickness == (sn_real)0.02);
    CHECK(frame.shapes[2].look && frame.shapes[2].look->thickness == 0);
    sn_scene_close(scene);
}

static const check_test tests[] = {RUN(texture_coordinates_go_through),
                                   RUN(colours_and_names_go_through),
                                   RUN(obj_corners),
                                   RUN(textures_go_into_glb),
                                   RUN(materials_go_through),
                                   RUN(jpeg_images_go_through),
                                   RUN(cloth_is_shown_as_thick_as_it_is)};

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        static const char *const formats[] = {"glb", "obj", "ply", "usda"};
        write_cloth("looks.glb");
        folder_clear(argv[2]);
        for (size_t i = 0; i < 4; i++) write_scene(argv[2], formats[i]);
        write_linen("linen.glb", png, sizeof png, "png");
        write_linen_scene(argv[2]);
        return 0;
    }
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
