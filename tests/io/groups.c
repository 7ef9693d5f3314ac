/* Groups of vertices from a file through a scene into every export that can hold them. With --write
   FOLDER, the files of a scene are written there and stay, for programs of others. */
#include <sinew_io/animation.h>
#include <sinew_io/cache.h>
#include <sinew_io/export.h>
#include <sinew_io/mesh.h>
#include <sinew_io/smooth.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "files.h"
#include "scene_make.h"

static const char *scratch = "groups_scratch";

/* Two triangles, whose corners are a group each, and vertices that are no triangle. Elements of
   "default" are in no group. */
static const char sail_text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\n"
                                "g hem\nf 1 2 3\ng top hem.2\nf 2 4 3\ng knots\np 1 4\n"
                                "g default\nf 5 6 7\n";
static const char scene_text[] =
    "{\"version\": 1, \"bodies\": [{\"name\": \"sail\", \"mesh\": {\"shape\": \"file\", "
    "\"path\": \"groups.obj\"}, \"material\": \"cotton\", \"pins\": [\"hem\"]}, {\"name\": "
    "\"other\", \"mesh\": {\"shape\": \"grid\", \"columns\": 1, \"rows\": 1}, \"material\": "
    "\"cotton\", \"position\": [0, -5, 0]}]}";

static const struct {
    const char *name, *plain; /* as it is, and where only letters, digits and '_' are allowed */
    uint32_t vertices[3];
    size_t count;
} expected[] = {{"hem", "hem", {0, 1, 2}, 3},
                {"top", "top", {1, 2, 3}, 3},
                {"hem.2", "hem_2", {1, 2, 3}, 3},
                {"knots", "knots", {0, 3}, 2}};

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) abort();
}

static int order(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The groups of the sail, whose members may come in another order. */
static void check_groups(const sn_mesh_group *groups, size_t count, bool plain) {
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *name = plain ? expected[i].plain : expected[i].name;
        const sn_mesh_group *found = NULL;
        uint32_t sorted[3];
        for (size_t k = 0; k < count; k++)
            if (strcmp(groups[k].name, name) == 0) found = &groups[k];
        if (!CHECK(found && found->count == expected[i].count)) {
            printf("    no %s\n", name);
            continue;
        }
        memcpy(sorted, found->vertices, found->count * sizeof *sorted);
        qsort(sorted, found->count, sizeof *sorted, order);
        CHECK(memcmp(sorted, expected[i].vertices, found->count * sizeof *sorted) == 0);
    }
    for (size_t k = 0; k < count; k++) CHECK(strcmp(groups[k].name, "default") != 0);
}

static void check_file(const char *path, bool plain) {
    sn_mesh mesh = sn_mesh_default();
    check_case("%s", path);
    REQUIRE_OK(sn_io_mesh_read(path, NULL, &mesh));
    check_groups(mesh.groups, mesh.group_count, plain);
    sn_mesh_free(&mesh);
}

static void write_all(const char *folder) {
    static const char *const formats[] = {"glb", "ply", "vtu", "usda", "obj", "pc2", "cache"};
    write_text("groups.obj", sail_text);
    folder_clear(folder);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        sn_scene *scene = scene_make(scene_text);
        CHECK(scene_count_kinematic(scene) == 3);
        scene_write_frames(scene, formats[i], folder, "groups");
    }
}

/* Groups of a file select nodes of the scene, and are in what it writes. */
TEST(groups_go_through) {
    write_all(scratch);
    check_file("groups.obj", false);
    check_file("groups_scratch/groups.glb", false);
    check_file("groups_scratch/groups_0001.ply", false);
    check_file("groups_scratch/groups_0001.vtu", false);
    check_file("groups_scratch/groups_0001.obj", false);
    check_file("groups_scratch/groups_sail.obj", false);
    check_file("groups_scratch/groups.usda", true);
    check_case("moving usda");
    sn_io_animation *moving;
    REQUIRE_OK(sn_io_animation_open("groups_scratch/groups.usda", NULL, &moving));
    const sn_mesh *mesh = sn_io_animation_mesh(moving);
    check_groups(mesh->groups, mesh->group_count, true);
    sn_io_animation_close(moving);
    check_case("cache");
    sn_io_cache *cache;
    sn_io_frame frame;
    REQUIRE_OK(sn_io_cache_open("groups_scratch/groups.snc", &cache));
    for (size_t i = 0; i < 3; i++) {
        REQUIRE_OK(sn_io_cache_frame(cache, 2 - i, &frame));
        check_groups(frame.shapes[0].groups, frame.shapes[0].group_count, false);
        CHECK(frame.shapes[1].group_count == 0);
    }
    sn_io_cache_close(cache);
    folder_clear(scratch);
    remove("groups.obj");
}

/* A vertex in the middle of an edge is of the groups of both of its ends. */
TEST(smooth_shapes_have_them) {
    sn_io_frame frame, smooth;
    sn_io_smoother *smoother;
    write_text("groups.obj", sail_text);
    sn_scene *scene = scene_make(scene_text);
    REQUIRE_OK(sn_io_smoother_create(&smoother));
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    REQUIRE_OK(sn_io_smoother_frame(smoother, &frame, 2, NULL, &smooth));
    const sn_io_shape *shape = &smooth.shapes[0];
    if (CHECK(shape->group_count == 4)) {
        /* A triangle that is divided twice has 15 vertices; the knots are no edge. */
        CHECK(strcmp(shape->groups[0].name, "hem") == 0 && shape->groups[0].count == 15);
        CHECK(strcmp(shape->groups[3].name, "knots") == 0 && shape->groups[3].count == 2);
        for (size_t i = 0; i < shape->groups[0].count; i++) {
            sn_vec3 x = shape->positions[shape->groups[0].vertices[i]];
            CHECK((double)(x.x + x.y) < 1.001 && x.z == 0);
        }
    }
    sn_io_smoother_destroy(smoother);
    sn_scene_close(scene);
    remove("groups.obj");
}

enum { SIDE = 9 };

/* A square of 1 m in an OBJ file, whose vertices beyond the middle are "far". */
static void write_square(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file) abort();
    for (int i = 0; i < SIDE * SIDE; i++)
        fprintf(file, "v %g 0 %g\n", i % SIDE / 8.0, i / SIDE / 8.0);
    for (int i = 1; i < SIDE * (SIDE - 1); i++)
        if (i % SIDE > 0)
            fprintf(file, "f %d %d %d\nf %d %d %d\n", i, i + SIDE, i + 1, i + 1, i + SIDE,
                    i + SIDE + 1);
    for (int i = 0; i < SIDE * SIDE; i++)
        fprintf(file, "g %s\np %d\n",
                i % SIDE == 0          ? "left"
                : i % SIDE == SIDE - 1 ? "right far"
                : i % SIDE > SIDE / 2  ? "far"
                                       : "default",
                i + 1);
    if (fclose(file) != 0) abort();
}

/* Copies that a tear makes are of the groups of what they are copies of. */
TEST(torn_shapes_have_them) {
    static const char text[] =
        "{\"version\": 1, \"run\": {\"frames\": 40, \"fps\": 60}, \"settings\": {\"substeps\": 10},"
        " \"bodies\": [{\"name\": \"sheet\", \"mesh\": {\"shape\": \"file\", \"path\": "
        "\"square.obj\"}, \"material\": {\"kind\": \"cloth\", \"stretch_stiffness\": 50, "
        "\"tear_strain\": 0.2}, \"pins\": [\"left\", \"right\"]}], \"motions\": [{\"nodes\": "
        "\"sheet.right\", \"keys\": [{\"time\": 0, \"position\": [0, 0, 0]}, {\"time\": 0.5, "
        "\"position\": [0.6, 0, 0]}]}]}";
    enum { TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };
    static uint32_t whole[TRIANGLES][3];
    sn_io_frame frame;
    write_square("square.obj");
    sn_scene *scene = scene_make(text);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    if (CHECK(frame.shapes[0].triangle_count == TRIANGLES))
        memcpy(whole, frame.shapes[0].triangles, sizeof whole);
    scene_run_frames(scene, 35);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    const sn_io_shape *torn = &frame.shapes[0];
    uint8_t *is_far = calloc(torn->vertex_count, 1);
    size_t copies = 0;
    CHECK(torn->vertex_count > SIDE * SIDE && torn->group_count == 3);
    for (size_t g = 0; is_far && g < torn->group_count; g++)
        for (size_t k = 0; strcmp(torn->groups[g].name, "far") == 0 && k < torn->groups[g].count;
             k++)
            is_far[torn->groups[g].vertices[k]] = 1;
    for (size_t i = 0; is_far && i < TRIANGLES; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t now = torn->triangles[i][k];
            CHECK(is_far[now] == (whole[i][k] % SIDE > SIDE / 2));
            copies += is_far[now] && now >= SIDE * SIDE;
        }
    CHECK(copies > 0);
    free(is_far);
    sn_scene_close(scene);
    remove("square.obj");
}

/* A shape of two vertices, of which the first is of a group, and all of it of another. */
typedef struct pair {
    sn_vec3 x[2];
    uint32_t vertices[2];
    sn_mesh_group groups[2];
    sn_io_shape shape;
    sn_io_frame frame;
} pair;

static void make_pair(pair *p, char *first, char *all) {
    *p = (pair){.x = {{0, 0, 0}, {1, 0, 0}}, .vertices = {0, 1}};
    p->groups[0] = (sn_mesh_group){.name = first, .vertices = p->vertices, .count = 1};
    p->groups[1] = (sn_mesh_group){.name = all, .vertices = p->vertices, .count = 2};
    p->shape = (sn_io_shape){.name = "sail",
                             .vertex_count = 2,
                             .positions = p->x,
                             .group_count = 2,
                             .groups = p->groups};
    p->frame = (sn_io_frame){.shape_count = 1, .shapes = &p->shape};
}

static sn_io_export *open_export(const char *format) {
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *e;
    folder_clear(scratch);
    def.format = format;
    def.folder = scratch;
    def.name = "pair";
    REQUIRE_OK(sn_io_export_open(&def, &e));
    return e;
}

/* What belongs to a group in one frame and not in the next has samples in time, and the first of
   them is read. */
TEST(groups_that_change_have_samples) {
    char first[] = "end \"a\"", all[] = "all";
    static char text[8192];
    pair p;
    make_pair(&p, first, all);
    sn_io_export *e = open_export("usda");
    REQUIRE_OK(sn_io_export_frame(e, &p.frame));
    p.frame.number = 1;
    p.frame.time = 1;
    p.shape.topology = 1;
    p.vertices[0] = 1;
    REQUIRE_OK(sn_io_export_frame(e, &p.frame));
    REQUIRE_OK(sn_io_export_close(e));
    sn_io_export_free(e);
    FILE *file = fopen("groups_scratch/pair.usda", "rb");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[size] = 0;
    CHECK(strstr(text, "string group = \"end \\\"a\\\"\""));
    CHECK(strstr(text, "def GeomSubset \"end__a_\""));
    CHECK(strstr(text, "int[] indices.timeSamples = {\n                0: [0],\n"
                       "                1: [1],\n"));
    CHECK(!strstr(text, "\"all\""));
    folder_clear(scratch);
}

/* A group of a vertex that is not there, and one without a name. */
TEST(wrong_groups_are_refused) {
    char first[] = "hem", all[] = "all", none[] = "";
    pair p;
    make_pair(&p, first, all);
    p.vertices[1] = 2;
    sn_io_export *e = open_export("ply");
    CHECK_FAILS(sn_io_export_frame(e, &p.frame), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "group \"all\" has vertex 2, but the shape has 2"));
    p.groups[0].name = none;
    CHECK_FAILS(sn_io_export_frame(e, &p.frame), SN_ERROR_NULL);
    (void)sn_io_export_close(e);
    sn_io_export_free(e);
    folder_clear(scratch);
}

#define MESH                                                                                       \
    "#usda 1.0\n(\n    metersPerUnit = 1\n)\ndef Mesh \"sail\"\n{\n"                               \
    "int[] faceVertexCounts = [3, 4]\nint[] faceVertexIndices = [0, 1, 2, 1, 2, 3, 4]\n"           \
    "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0)]\n"
#define SUBSET "def GeomSubset \"hem\" { uniform token elementType = "

/* Groups that are of faces in a file have the points of those. */
TEST(faces_become_points) {
    static const char text[] =
        MESH SUBSET "\"face\"\nint[] indices = [1]\n}\ndef GeomSubset \"any\" { int[] indices = "
                    "[0] }\ndef GeomSubset \"edges\" { uniform token elementType = \"edge\"\n"
                    "int[] indices = [7, 8] }\ndef GeomSubset \"red\" { uniform token familyName = "
                    "\"materialBind\"\nint[] indices = [0] }\n}\n";
    static const uint32_t hem[] = {1, 2, 3, 4}, any[] = {0, 1, 2};
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_io_mesh_read_memory("sail.usda", text, sizeof text - 1, NULL, &mesh));
    CHECK(mesh.triangle_count == 3 && mesh.group_count == 3);
    const sn_mesh_group *a = sn_mesh_find_group(&mesh, "hem"),
                        *b = sn_mesh_find_group(&mesh, "any"),
                        *c = sn_mesh_find_group(&mesh, "sail");
    CHECK(a && a->count == 4 && memcmp(a->vertices, hem, sizeof hem) == 0);
    CHECK(b && b->count == 3 && memcmp(b->vertices, any, sizeof any) == 0);
    CHECK(c && c->count == 5);
    sn_mesh_free(&mesh);
}

TEST(wrong_subsets_are_refused) {
    static const struct {
        const char *text, *sentence;
    } cases[] = {{MESH SUBSET "\"point\"\n  int[] indices = [0, 5]\n} }",
                  "a.usda:11:9: the subset has point 5, and the mesh has 5"},
                 {MESH SUBSET "\"face\"\nint[] indices = [2]\n} }",
                  "a.usda:11:7: the subset has face 2, and the mesh has 2"},
                 {MESH SUBSET "\"face\"\nint[] indices = [-1]\n} }", "the subset has face -1"},
                 {MESH SUBSET "\"point\"\nint[] indices = [0.5]\n} }", "the subset has point 0.5"},
                 {MESH SUBSET "\"face\"\nint[] indices = [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]\n} }",
                  "a.usda:10:17: face 0 is in more than 16 groups"},
                 {MESH SUBSET "\"face\"\nint[] indices = [x]\n} }", "a.usda:11:18: found \"x]\""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sn_mesh mesh = sn_mesh_default();
        check_case("%zu", i);
        CHECK_FAILS(
            sn_io_mesh_read_memory("a.usda", cases[i].text, strlen(cases[i].text), NULL, &mesh),
            SN_ERROR_DATA);
        if (!CHECK(strstr(sn_last_error(), cases[i].sentence))) printf("    %s\n", sn_last_error());
        CHECK(mesh.vertex_count == 0);
    }
}

static const check_test tests[] = {
    RUN(groups_go_through),        RUN(groups_that_change_have_samples),
    RUN(smooth_shapes_have_them),  RUN(torn_shapes_have_them),
    RUN(wrong_groups_are_refused), RUN(faces_become_points),
    RUN(wrong_subsets_are_refused)};

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        write_all(argv[2]);
        return 0;
    }
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
