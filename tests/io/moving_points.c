/* Point caches, OpenUSD with samples in time, and points that follow a moving mesh. */
#include <sinew_io/animation.h>
#include <sinew_io/export.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void check_at(sn_io_animation *a, double time, size_t vertex, double x, double y, double z) {
    sn_vec3 positions[64];
    if (!CHECK_OK(sn_io_animation_sample(a, time, positions))) return;
    check_case("vertex %zu at %g s", vertex, time);
    CHECK_NEAR(positions[vertex].x, x, 1e-6);
    CHECK_NEAR(positions[vertex].y, y, 1e-6);
    CHECK_NEAR(positions[vertex].z, z, 1e-6);
}

static void check_refused(const char *name, const void *data, size_t size,
                          const sn_io_animation_def *def, const char *part) {
    sn_io_animation *animation = NULL;
    check_case("%s", part);
    CHECK_FAILS(sn_io_animation_open_memory(name, data, size, def, &animation), SN_ERROR_DATA);
    if (!CHECK(!animation && strstr(sn_last_error(), part) && strstr(sn_last_error(), name)))
        printf("found: %s\n", sn_last_error());
}

/* ---- Point caches ---- */

/* Numbers that are exact as floats: sample i, point k. */
static sn_vec3 place_of(int i, size_t k) {
    return (sn_vec3){(sn_real)i / 4 + (sn_real)k, (sn_real)(i * i) / 8,
                     (sn_real)k / 2 - (sn_real)i};
}

/* Writes four frames of a triangle with an exporter. */
static void write_frames(const char *format) {
    static const uint32_t triangle[1][3] = {{0, 1, 2}};
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *e = NULL;
    sn_vec3 x[3];
    def.format = format;
    def.name = "moving_points";
    def.fps = 10;
    REQUIRE_OK(sn_io_export_open(&def, &e));
    for (int i = 0; i < 4; i++) {
        for (size_t k = 0; k < 3; k++) x[k] = place_of(i, k);
        sn_io_shape shape = {.name = "patch",
                             .vertex_count = 3,
                             .positions = x,
                             .triangle_count = 1,
                             .triangles = triangle};
        sn_io_frame frame = {.number = i, .time = i / 10.0, .shape_count = 1, .shapes = &shape};
        REQUIRE_OK(sn_io_export_frame(e, &frame));
    }
    REQUIRE_OK(sn_io_export_close(e));
    sn_io_export_free(e);
}

/* What was written comes back, bit for bit, at the times of its frames. */
static void check_round_trip(const char *format, const char *path, const sn_mesh *mesh) {
    sn_io_animation_def def = sn_io_animation_def_default();
    sn_io_animation *a = NULL;
    write_frames(format);
    def.mesh = mesh;
    def.fps = 10;
    check_case("%s", format);
    REQUIRE_OK(sn_io_animation_open(path, &def, &a));
    CHECK(sn_io_animation_get_info(a).vertex_count == 3);
    CHECK_NEAR(sn_io_animation_get_info(a).end, 0.3, 1e-7);
    CHECK(sn_io_animation_mesh(a)->triangle_count == 1);
    for (int i = 0; i < 4; i++) {
        sn_vec3 x[3];
        CHECK_OK(sn_io_animation_sample(a, i / 10.0, x));
        for (size_t k = 0; k < 3; k++) {
            sn_vec3 expected = place_of(i, k);
            CHECK_NEAR(x[k].x, expected.x, 1e-6);
            CHECK_NEAR(x[k].y, expected.y, 1e-6);
            CHECK_NEAR(x[k].z, expected.z, 1e-6);
        }
    }
    sn_vec3 from = place_of(1, 2), to = place_of(2, 2);
    check_at(a, 0.125, 2, 0.75 * (double)from.x + 0.25 * (double)to.x,
             0.75 * (double)from.y + 0.25 * (double)to.y,
             0.75 * (double)from.z + 0.25 * (double)to.z);
    sn_io_animation_close(a);
}

TEST(exported_caches_come_back) {
    sn_mesh mesh = sn_mesh_default();
    static const uint32_t triangle[1][3] = {{0, 1, 2}};
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, NULL, 3));
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, triangle, 1));
    check_round_trip("pc2", "moving_points_patch.pc2", &mesh);
    check_round_trip("mdd", "moving_points_patch.mdd", &mesh);
    check_round_trip("usda", "moving_points.usda", NULL);
    check_round_trip("glb", "moving_points.glb", NULL);
    sn_mesh_free(&mesh);
    static const char *const files[] = {"moving_points_patch.pc2", "moving_points_patch.obj",
                                        "moving_points_patch.mdd", "moving_points.usda",
                                        "moving_points.glb"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) remove(files[i]);
}

typedef struct bytes {
    unsigned char data[256];
    size_t size;
    bool is_big;
} bytes;

static void put_u32(bytes *b, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        b->data[b->size++] = (unsigned char)(value >> 8 * (b->is_big ? 3 - i : i));
}

static void put_f32(bytes *b, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(b, bits);
}

/* One point in two samples, from frame 30 on, every second one. */
static bytes make_pc2(uint32_t version, uint32_t points, uint32_t samples, float last) {
    bytes b = {.size = 12};
    memcpy(b.data, "POINTCACHE2", 12);
    put_u32(&b, version);
    put_u32(&b, points);
    put_f32(&b, 30);
    put_f32(&b, 2);
    put_u32(&b, samples);
    for (int i = 0; i < 5; i++) put_f32(&b, (float)i);
    put_f32(&b, last);
    return b;
}

static bytes make_mdd(uint32_t samples, uint32_t points, float second) {
    bytes b = {.is_big = true};
    put_u32(&b, samples);
    put_u32(&b, points);
    put_f32(&b, 0.5f);
    put_f32(&b, second);
    for (int i = 0; i < 6; i++) put_f32(&b, (float)i);
    return b;
}

TEST(heads_of_caches) {
    sn_io_animation *a = NULL;
    bytes b = make_pc2(1, 1, 2, 5);
    REQUIRE_OK(sn_io_animation_open_memory("a.pc2", b.data, b.size, NULL, &a));
    CHECK_NEAR(sn_io_animation_get_info(a).begin, 0.5, 1e-12);
    CHECK_NEAR(sn_io_animation_get_info(a).end, 32.0 / 60, 1e-12);
    check_at(a, 31.0 / 60, 0, 1.5, 2.5, 3.5);
    sn_io_animation_close(a);
    b = make_mdd(2, 1, 1.5f);
    REQUIRE_OK(sn_io_animation_open_memory("a.mdd", b.data, b.size, NULL, &a));
    CHECK(sn_io_animation_get_info(a).begin == 0.5 && sn_io_animation_get_info(a).end == 1.5);
    check_at(a, 0.75, 0, 0.75, 1.75, 2.75);
    sn_io_animation_close(a);
}

TEST(caches_that_are_wrong) {
    bytes b = make_pc2(2, 1, 2, 5);
    check_refused("a.pc2", b.data, b.size, NULL, "byte 12: found version 2");
    b = make_pc2(1, 0xffffffff, 2, 5);
    check_refused("a.pc2", b.data, b.size, NULL, "2 samples of -1 points");
    b = make_pc2(1, 0x7fffffff, 0x7fffffff, 5);
    check_refused("a.pc2", b.data, b.size, NULL, "are promised, and 24 bytes follow");
    b = make_pc2(1, 1, 2, INFINITY);
    check_refused("a.pc2", b.data, b.size, NULL, "byte 52: point 0 of sample 1 is at inf");
    b = make_pc2(1, 1, 2, 5);
    check_refused("a.pc2", b.data, b.size - 1, NULL, "are promised");
    check_refused("a.pc2", b.data, 12, NULL, "does not begin with \"POINTCACHE2\"");
    sn_mesh mesh = sn_mesh_default();
    sn_io_animation_def def = sn_io_animation_def_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, NULL, 3));
    def.mesh = &mesh;
    check_refused("a.pc2", b.data, b.size, &def, "it has 1 points, and the mesh 3 vertices");
    sn_mesh_free(&mesh);
    b = make_mdd(2, 1, 0.5f);
    check_refused("a.mdd", b.data, b.size, NULL, "the time of sample 1 is 0.5 s");
    b = make_mdd(0, 1, 1);
    check_refused("a.mdd", b.data, b.size, NULL, "0 samples of 1 points");
    b = make_mdd(2, 1, 1);
    check_refused("a.mdd", b.data, 7, NULL, "expected a head of 8");
}

/* ---- OpenUSD ---- */

static sn_io_animation *open_usda(const char *text) {
    sn_io_animation *a = NULL;
    REQUIRE_OK(sn_io_animation_open_memory("a.usda", text, strlen(text), NULL, &a));
    return a;
}

#define HEAD                                                                                       \
    "#usda 1.0\n(\n  doc = \"a \\\"test\\\"\"\n  metersPerUnit = 1\n  timeCodesPerSecond = "       \
    "10\n)\n"
#define QUAD "  int[] faceVertexCounts = [4]\n  int[] faceVertexIndices = [0, 1, 2, 3]\n"

TEST(usda_points_between_keys) {
    sn_io_animation *a =
        open_usda(HEAD "# a comment\ndef Xform \"Root\" ( kind = \"group\" )\n{\n"
                       "def Mesh \"Sheet\"\n{\n" QUAD "  point3f[] points = [(9, 9, 9)]\n"
                       "  point3f[] points.timeSamples = {\n"
                       "    10: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)],\n"
                       "    20: [(0, 0, 2), (1, 0, 0), (1, 1, 0), (0, 1, 0)],\n"
                       "    40.5: [(4, 0, 2), (1, 0, 0), (1, 1, 0), (0, 1, 0)]\n  }\n"
                       "  token visibility = \"inherited\"\n"
                       "  rel material:binding = </Looks/Red>\n"
                       "  texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (\n"
                       "    interpolation = \"vertex\"\n  )\n}\n}\n");
    const sn_mesh *mesh = sn_io_animation_mesh(a);
    CHECK(mesh->vertex_count == 4 && mesh->triangle_count == 2);
    CHECK(sn_mesh_find_group(mesh, "Sheet"));
    CHECK_NEAR(sn_io_animation_get_info(a).begin, 1, 1e-12);
    CHECK_NEAR(sn_io_animation_get_info(a).end, 4.05, 1e-12);
    check_at(a, 1.25, 0, 0, 0, 0.5);
    check_at(a, 2, 0, 0, 0, 2);
    check_at(a, 2 + 2.05 / 4, 0, 1, 0, 2);
    check_at(a, 2.5, 2, 1, 1, 0);
    sn_io_animation_close(a);
}

/* Transforms in the order of xformOpOrder, the first outermost; with a pivot and an inverse. */
TEST(usda_transforms) {
    sn_io_animation *a = open_usda(
        HEAD "def Xform \"Root\"\n{\n"
             "  double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (10, 0, 0) }\n"
             "  float xformOp:rotateZ:spin.timeSamples = { 0: 0, 10: 90 }\n"
             "  double3 xformOp:translate:pivot = (1, 0, 0)\n"
             "  uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:translate:pivot\","
             " \"xformOp:rotateZ:spin\", \"!invert!xformOp:translate:pivot\"]\n"
             "  def Mesh \"A\" {\n" QUAD
             "    point3f[] points = [(2, 0, 0), (3, 0, 0), (3, 1, 0), (2, 1, 0)]\n"
             "    float3 xformOp:scale = (1, 1, 2)\n"
             "    uniform token[] xformOpOrder = [\"xformOp:scale\"]\n  }\n"
             "  def Mesh \"B\" {\n" QUAD "    uniform token orientation = \"leftHanded\"\n"
             "    point3f[] points = [(2, 0, 0), (3, 0, 0), (3, 1, 0), (2, 1, 0)]\n"
             "    matrix4d xformOp:transform = ( (0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), "
             "(5, 6, 7, 1) )\n"
             "    uniform token[] xformOpOrder = [\"!resetXformStack!\", \"xformOp:transform\"]\n"
             "  }\n}\n");
    const sn_mesh *mesh = sn_io_animation_mesh(a);
    CHECK(mesh->vertex_count == 8 && mesh->triangle_count == 4);
    check_at(a, 0, 0, 2, 0, 0);
    /* About (1, 0, 0) by a quarter, then 10 along x. */
    check_at(a, 1, 0, 11, 1, 0);
    check_at(a, 1, 2, 10, 2, 0);
    check_at(a, 0.5, 0, 6 + sqrt(0.5), sqrt(0.5), 0);
    /* Its own transform alone: vectors stand before the matrix. */
    check_at(a, 1, 4, 5, 8, 7);
    check_at(a, 1, 7, 4, 8, 7);
    /* Seen from the other side. */
    CHECK(mesh->triangles[0][0] == 0 && mesh->triangles[0][1] == 1);
    CHECK(mesh->triangles[2][0] == 7);
    sn_io_animation_close(a);
}

/* Orders of three angles, and a quaternion. x first, then y: x goes to -z by y. */
TEST(usda_rotations) {
    static const struct {
        const char *operation, *type, *value;
        double x[3]; /* where (1, 2, 3) goes */
    } turns[] = {{"rotateX", "float", "90", {1, -3, 2}},
                 {"rotateY", "float", "-270", {3, 2, -1}},
                 {"rotateXYZ", "float3", "(90, 90, 0)", {2, -3, -1}},
                 {"rotateYXZ", "float3", "(90, 90, 0)", {3, 1, 2}},
                 {"rotateZXY", "float3", "(0, 90, 90)", {3, 1, 2}},
                 {"orient", "quatf", "(0.70710678, 0.70710678, 0, 0)", {1, -3, 2}}};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 HEAD "def Mesh \"A\" {\n" QUAD
                      "  point3f[] points = [(1, 2, 3), (0, 0, 0), (1, 0, 0), (0, 1, 0)]\n"
                      "  %s xformOp:%s = %s\n"
                      "  uniform token[] xformOpOrder = [\"xformOp:%s\"]\n}\n",
                 turns[i].type, turns[i].operation, turns[i].value, turns[i].operation);
        sn_io_animation *a = open_usda(text);
        sn_vec3 x[4];
        CHECK_OK(sn_io_animation_sample(a, 0, x));
        check_case("%s %s", turns[i].operation, turns[i].value);
        CHECK_NEAR(x[0].x, turns[i].x[0], 1e-6);
        CHECK_NEAR(x[0].y, turns[i].x[1], 1e-6);
        CHECK_NEAR(x[0].z, turns[i].x[2], 1e-6);
        sn_io_animation_close(a);
    }
}

/* A unit of centimetres and z up, which is what a file means that says nothing of its unit. */
TEST(usda_units) {
    sn_io_animation *a = open_usda("#usda 1.0\n(\n upAxis = \"Z\"\n framesPerSecond = 25\n"
                                   " startTimeCode = 0\n endTimeCode = 50\n)\n"
                                   "def Mesh \"A\" {\n" QUAD
                                   " point3f[] points.timeSamples = { 0: [(100, 200, 300), "
                                   "(0, 0, 0), (1, 0, 0), (0, 1, 0)], 25: [(0, 0, 0), (0, 0, 0), "
                                   "(1, 0, 0), (0, 1, 0)] }\n}");
    check_at(a, 0, 0, 1, 3, -2);
    check_at(a, 0.5, 0, 0.5, 1.5, -1);
    /* It stands until the file ends. */
    CHECK(sn_io_animation_get_info(a).begin == 0 && sn_io_animation_get_info(a).end == 2);
    sn_io_animation_close(a);
}

TEST(usda_that_is_wrong) {
    static const struct {
        const char *text, *part;
    } files[] = {
        {"#usda", "does not begin with \"#usda 1.0\""},
        {"PXR-USDC and so on", "it is binary; usdcat writes it as text"},
        {HEAD "def Mesh \"A\" { " QUAD " }", "the mesh has no points"},
        {HEAD "def Xform \"A\" { }", "the file has no mesh"},
        {HEAD "def Mesh \"A\" {", "the file ends within the prim \"A\""},
        {HEAD "def Mesh \"A\" { point3f[] points = [(0, 0", "the file ends within a value"},
        {HEAD "def Mesh \"A\" { point3f[] points = [(0, 0, x)] }", "expected a finite number"},
        {HEAD "def Mesh \"A\" { point3f[] points.timeSamples = { 2: [], 1: [] } }",
         "the sample at 1 follows that at 2"},
        {HEAD "def Mesh \"A\" { " QUAD
              "point3f[] points.timeSamples = { 1: [(0,0,0)], 2: [(0,0,0),(1,1,1)] } }",
         "has 6 numbers at 2, expected 3"},
        {HEAD "def Mesh \"A\" { " QUAD "point3f[] points = [(0,0,0)] }", "uses point 1 of 1"},
        {HEAD "def Mesh \"A\" { int[] faceVertexCounts = [5]\nint[] faceVertexIndices = [0,0]\n"
              "point3f[] points = [(0,0,0)] }",
         "has 5 corners, and 2 indices are left"},
        {HEAD "def Mesh \"A\" ( references = @b.usda@ ) { }", "takes from elsewhere"},
        {HEAD "def Mesh \"A\" ( prepend payload = @b.usda@ ) { }", "takes from elsewhere"},
        {HEAD "def Mesh \"A\" { variantSet \"v\" = { } }", "has variants"},
        {HEAD "def Mesh \"A\" { rel skel:skeleton = </S>\n" QUAD "point3f[] points = [(0,0,0)] }",
         "moved by a skeleton"},
        {HEAD "def Mesh \"A\" { uniform token[] xformOpOrder = [\"xformOp:translate\"] }",
         "is in xformOpOrder, and has no value"},
        {HEAD "def Mesh \"A\" { double3 xformOp:shear = (1,1,1)\n"
              "uniform token[] xformOpOrder = [\"xformOp:shear\"] }",
         "is no operation of a transform"},
        {HEAD "def Mesh \"A\" { int[] faceVertexCounts.timeSamples = { 1: [3], 2: [4] }\n"
              "int[] faceVertexIndices = [0,0,0]\npoint3f[] points = [(0,0,0)] }",
         "are others at 2, expected the same at all times"},
        {HEAD "def Mesh \"A", "the file ends before the \""},
        {HEAD "hello", "expected def, over or class"},
        {"#usda 1.0\n( upAxis = \"W\" )", "expected \"X\", \"Y\" or \"Z\""}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        check_refused("a.usda", files[i].text, strlen(files[i].text), NULL, files[i].part);
}

/* ---- Followers ---- */

TEST(followers_keep_their_place_on_a_triangle) {
    sn_mesh mesh = sn_mesh_default();
    static const uint32_t triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};
    const sn_vec3 before[6] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {9, 9, 9}, {10, 9, 9}, {9, 10, 9}};
    /* Turned by a quarter about z and moved; the other triangle is twice as large. */
    const sn_vec3 after[6] = {{1, 0, 5}, {1, 2, 5}, {-1, 0, 5}, {0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
    const sn_vec3 points[3] = {{(sn_real)0.5, (sn_real)0.5, 1}, {3, -1, -1}, {9, 9, 8}};
    sn_io_follower followers[3];
    sn_vec3 x[3], n[3];
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, before, 6));
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, triangles, 2));
    CHECK_OK(sn_io_follow(&mesh, before, points, 3, followers));
    sn_io_follow_to(followers, 3, before, x, NULL);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(x[i].x, points[i].x, 1e-6);
        CHECK_NEAR(x[i].y, points[i].y, 1e-6);
        CHECK_NEAR(x[i].z, points[i].z, 1e-6);
    }
    sn_io_follow_to(followers, 3, after, x, n);
    CHECK_NEAR(x[0].x, 0.5, 1e-6);
    CHECK_NEAR(x[0].y, 0.5, 1e-6);
    CHECK_NEAR(x[0].z, 6, 1e-6);
    /* Beside the triangle and behind it, from its corner. */
    CHECK_NEAR(x[1].x, 2, 1e-6);
    CHECK_NEAR(x[1].y, 3, 1e-6);
    CHECK_NEAR(x[1].z, 4, 1e-6);
    /* Heights do not grow with the triangle. */
    CHECK_NEAR(x[2].z, -1, 1e-6);
    CHECK_NEAR(n[0].z, 1, 1e-6);
    mesh.triangle_count = 0;
    CHECK_FAILS(sn_io_follow(&mesh, before, points, 1, followers), SN_ERROR_VALUE);
    mesh.triangle_count = 2;
    sn_mesh_free(&mesh);
}

TEST(definitions_are_checked) {
    sn_io_animation *a = NULL;
    sn_io_animation_def def = sn_io_animation_def_default();
    CHECK_FAILS(sn_io_animation_open("a.obj", NULL, &a), SN_ERROR_NAME);
    CHECK_FAILS(sn_io_animation_open("no such file.pc2", NULL, &a), SN_ERROR_FILE);
    def.format = "fbx";
    CHECK_FAILS(sn_io_animation_open("a.pc2", &def, &a), SN_ERROR_NAME);
    def = sn_io_animation_def_default();
    def.scale = 0;
    CHECK_FAILS(sn_io_animation_open("a.pc2", &def, &a), SN_ERROR_VALUE);
    def = sn_io_animation_def_default();
    def.fps = -1;
    CHECK_FAILS(sn_io_animation_open("a.pc2", &def, &a), SN_ERROR_VALUE);
    def = sn_io_animation_def_default();
    def.size--;
    CHECK_FAILS(sn_io_animation_open("a.pc2", &def, &a), SN_ERROR_DEFINITION);
    CHECK_FAILS(sn_io_animation_open(NULL, NULL, &a), SN_ERROR_NULL);
    CHECK(sn_io_animation_is_format("A.GLB", NULL) && !sn_io_animation_is_format("a.obj", NULL));
    CHECK(sn_io_animation_is_format("a", "mdd"));
}

TESTS(RUN(exported_caches_come_back), RUN(heads_of_caches), RUN(caches_that_are_wrong),
      RUN(usda_points_between_keys), RUN(usda_transforms), RUN(usda_rotations), RUN(usda_units),
      RUN(usda_that_is_wrong), RUN(followers_keep_their_place_on_a_triangle),
      RUN(definitions_are_checked))
