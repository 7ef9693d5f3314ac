/*
 * Meshes on the way out and back: every format gives the same bits again, what it cannot hold is an
 * error, and neither a failed write nor missing memory leaves anything behind.
 */
#include "read_help.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sinew_io/file.h>

static const char folder[] = "write_scratch";

/* Numbers of all sizes, some of which need all digits. */
static sn_mesh make_mesh(size_t triangles, size_t tets, size_t lines, bool has_groups) {
    static const sn_vec3 positions[] = {
        {0, 0, 0},
        {(sn_real)1.1, 0, 0},
        {(sn_real)0.333333343, 1, 0},
        {(sn_real)1e-38, (sn_real)1.17549435e-38, 1},
        {(sn_real)3.40282347e+38, (sn_real)-1e-45, (sn_real)16777217},
        {(sn_real)-0.0, (sn_real)123456789, (sn_real)-9.99999975e-05},
        {5, 6, 7},
    };
    static const uint32_t t[][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {4, 5, 6}};
    static const uint32_t tet[][4] = {{0, 1, 2, 3}};
    static const uint32_t l[][2] = {{0, 6}, {6, 5}};
    static const uint32_t a[] = {6, 0, 3}, b[] = {1};
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, positions, 7));
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, t, triangles));
    REQUIRE_OK(sn_mesh_add_tets(&mesh, tet, tets));
    REQUIRE_OK(sn_mesh_add_lines(&mesh, l, lines));
    if (has_groups) {
        REQUIRE_OK(sn_mesh_add_group(&mesh, "a", a, 3));
        REQUIRE_OK(sn_mesh_add_group(&mesh, "b", b, 1));
    }
    return mesh;
}

static sn_mesh write_and_read(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    sn_mesh read = sn_mesh_default();
    REQUIRE_OK(sn_io_folder_make(folder));
    REQUIRE_OK(sn_io_mesh_write(path, def, mesh));
    REQUIRE_OK(sn_io_mesh_read(path, NULL, &read));
    return read;
}

TEST(every_format_gives_the_same_bits) {
    static const struct {
        const char *path;
        size_t triangles, tets, lines;
        bool is_text;
        int groups; /* 1: in their order; 2: as weights, which have none */
    } cases[] = {
        {"write_scratch/a.obj", 4, 0, 2, false, 1}, {"write_scratch/a.ply", 4, 1, 2, false, 2},
        {"write_scratch/t.ply", 4, 1, 2, true, 2},  {"write_scratch/a.off", 4, 0, 0, false, 0},
        {"write_scratch/a.glb", 4, 0, 2, false, 2}, {"write_scratch/l.glb", 0, 0, 2, false, 2},
        {"write_scratch/p.glb", 0, 0, 0, false, 2}, {"write_scratch/a.node", 0, 1, 0, false, 0},
        {"write_scratch/b.ele", 0, 1, 0, false, 0}, {"write_scratch/c.face", 4, 1, 0, false, 0},
        {"write_scratch/a.msh", 4, 1, 2, false, 1}, {"write_scratch/a.mesh", 4, 1, 2, false, 0},
        {"write_scratch/a.vtu", 4, 1, 2, false, 2}, {"write_scratch/p.vtu", 0, 0, 0, false, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_case("%s", cases[i].path);
        sn_mesh mesh = make_mesh(cases[i].triangles, cases[i].tets, cases[i].lines, true);
        sn_io_write_def def = sn_io_write_def_default();
        def.text = cases[i].is_text;
        sn_mesh read = write_and_read(cases[i].path, &def, &mesh);
        CHECK(is_same_shape(&mesh, &read));
        static const uint32_t a[] = {0, 3, 6}, b[] = {1};
        CHECK(read.group_count == (cases[i].groups ? 2 : 0));
        if (cases[i].groups == 1) CHECK(has_same_groups(&mesh, &read));
        if (cases[i].groups == 2) CHECK(group_is(&read, "a", a, 3) && group_is(&read, "b", b, 1));
        CHECK(sn_io_mesh_keeps_groups(cases[i].path, NULL) == (cases[i].groups > 0));
        sn_mesh_free(&mesh);
        sn_mesh_free(&read);
    }
}

/* STL has corners instead of vertices; the first use gives the order. */
TEST(stl_keeps_triangles) {
    sn_mesh mesh = make_mesh(4, 0, 0, false);
    sn_mesh read = write_and_read("write_scratch/a.stl", NULL, &mesh);
    CHECK(has_counts(&read, 7, 4, 0, 0, 0));
    for (size_t i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            sn_vec3 a = mesh.positions[mesh.triangles[i][k]];
            CHECK(is_at(&read, read.triangles[i][k], (double)a.x, (double)a.y, (double)a.z));
        }
    sn_mesh_free(&mesh);
    sn_mesh_free(&read);
}

TEST(empty_meshes_are_written) {
    static const char *const paths[] = {
        "write_scratch/e.obj", "write_scratch/e.ply",  "write_scratch/e.stl",
        "write_scratch/e.off", "write_scratch/e.glb",  "write_scratch/e.node",
        "write_scratch/e.msh", "write_scratch/e.mesh", "write_scratch/e.vtu"};
    sn_mesh mesh = sn_mesh_default();
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        check_case("%s", paths[i]);
        sn_mesh read = write_and_read(paths[i], NULL, &mesh);
        CHECK(has_counts(&read, 0, 0, 0, 0, 0));
        sn_mesh_free(&read);
    }
}

TEST(what_a_format_cannot_hold_is_said) {
    static const struct {
        const char *path;
        size_t triangles, tets, lines;
        const char *sentence;
    } cases[] = {
        {"write_scratch/x.stl", 1, 1, 0,
         "cannot write \"write_scratch/x.stl\": the mesh has 1 tet, and stl has none; their "
         "surface "
         "can be written instead"},
        {"write_scratch/x.off", 1, 0, 2,
         "cannot write \"write_scratch/x.off\": the mesh has 2 lines, and off has none"},
        {"write_scratch/x.glb", 0, 1, 0,
         "cannot write \"write_scratch/x.glb\": the mesh has 1 tet, and glb has none; their "
         "surface "
         "can be written instead"},
        {"write_scratch/x.node", 4, 1, 0,
         "cannot write \"write_scratch/x.node\": the mesh has 4 triangles, and .node and .ele have "
         "none; name the file .face to have all three"},
    };
    REQUIRE_OK(sn_io_folder_make(folder));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_case("%s", cases[i].path);
        sn_mesh mesh = make_mesh(cases[i].triangles, cases[i].tets, cases[i].lines, false);
        CHECK_FAILS(sn_io_mesh_write(cases[i].path, NULL, &mesh), SN_ERROR_VALUE);
        if (!CHECK(strcmp(sn_last_error(), cases[i].sentence) == 0))
            printf("    %s\n", sn_last_error());
        FILE *file = fopen(cases[i].path, "rb");
        CHECK(!file);
        if (file) fclose(file);
        sn_mesh_free(&mesh);
    }
}

TEST(names_that_a_format_cannot_hold_are_said) {
    static const uint32_t vertex[] = {0};
    static const struct {
        const char *path, *name;
        bool can;
    } cases[] = {
        {"write_scratch/n.obj", "two words", true}, {"write_scratch/n.obj", " a", false},
        {"write_scratch/n.obj", "a\nb", false},     {"write_scratch/n.obj", "a#b", true},
        {"write_scratch/n.msh", "two words", true}, {"write_scratch/n.msh", "a\"b", false}};
    REQUIRE_OK(sn_io_folder_make(folder));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_case("%s, %zu", cases[i].path, i);
        sn_mesh mesh = make_mesh(1, 0, 0, true), read = sn_mesh_default();
        REQUIRE_OK(sn_mesh_add_group(&mesh, cases[i].name, vertex, 1));
        sn_result result = sn_io_mesh_write(cases[i].path, NULL, &mesh);
        CHECK(result == (cases[i].can ? SN_OK : SN_ERROR_VALUE));
        if (result == SN_OK && CHECK_OK(sn_io_mesh_read(cases[i].path, NULL, &read)))
            CHECK(has_same_groups(&mesh, &read));
        sn_mesh_free(&mesh);
        sn_mesh_free(&read);
    }
}

/* The surface of a box of tets is closed: its volume by Gauss is that of the tets. */
TEST(the_surface_of_tets) {
    sn_mesh mesh = read_sample("box_41_text.msh");
    sn_io_write_def def = sn_io_write_def_default();
    def.surface = true;
    sn_mesh read = write_and_read("write_scratch/s.obj", &def, &mesh);
    /* All nodes of the box lie on it. */
    CHECK(has_counts(&read, 14, 24, 0, 0, 5));
    CHECK_NEAR(area_of(&read), 6, 1e-5);
    double volume = 0;
    for (size_t i = 0; i < read.triangle_count; i++) {
        sn_vec3 a = read.positions[read.triangles[i][0]], b = read.positions[read.triangles[i][1]],
                c = read.positions[read.triangles[i][2]];
        volume += (double)(a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
                           a.z * (b.x * c.y - b.y * c.x)) /
                  6;
    }
    CHECK_NEAR(volume, 1, 1e-5);
    sn_mesh_free(&mesh);
    sn_mesh_free(&read);
    /* Without tets it leaves the lines out. */
    mesh = make_mesh(4, 0, 2, false);
    read = write_and_read("write_scratch/s.off", &def, &mesh);
    CHECK(has_counts(&read, 7, 4, 0, 0, 0));
    sn_mesh_free(&mesh);
    sn_mesh_free(&read);
}

/* Vertices inside are left out of a surface, and the others are counted anew. */
TEST(a_surface_has_only_its_vertices) {
    static const sn_vec3 positions[] = {{0, 0, 0}, {9, 9, 9}, {4, 0, 0},
                                        {0, 4, 0}, {0, 0, 4}, {1, 1, 1}};
    static const uint32_t tets[][4] = {{0, 2, 3, 5}, {0, 3, 4, 5}, {0, 4, 2, 5}, {2, 4, 3, 5}};
    static const uint32_t group[] = {1, 5, 4};
    sn_mesh mesh = sn_mesh_default();
    sn_io_write_def def = sn_io_write_def_default();
    def.surface = true;
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, positions, 6));
    REQUIRE_OK(sn_mesh_add_tets(&mesh, tets, 4));
    REQUIRE_OK(sn_mesh_add_group(&mesh, "some", group, 3));
    sn_mesh read = write_and_read("write_scratch/inside.obj", &def, &mesh);
    CHECK(has_counts(&read, 4, 4, 0, 0, 1));
    CHECK(is_at(&read, 1, 4, 0, 0) && is_at(&read, 3, 0, 0, 4));
    static const uint32_t left[] = {3};
    CHECK(group_is(&read, "some", left, 1));
    sn_mesh_free(&mesh);
    sn_mesh_free(&read);
}

TEST(a_file_that_cannot_be_written) {
    static const char *const endings[] = {"obj", "ply", "stl",  "off", "glb",
                                          "ele", "msh", "mesh", "vtu"};
    sn_mesh mesh = make_mesh(0, 0, 0, false);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "write_scratch/no/such/folder.%s", endings[i]);
        check_case("%s", path);
        CHECK_FAILS(sn_io_mesh_write(path, NULL, &mesh), SN_ERROR_FILE);
    }
    sn_io_write_def def = sn_io_write_def_default();
    CHECK_FAILS(sn_io_mesh_write(NULL, NULL, &mesh), SN_ERROR_NULL);
    CHECK_FAILS(sn_io_mesh_write("a.obj", NULL, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_io_mesh_write("a.xyz", NULL, &mesh), SN_ERROR_NAME);
    CHECK(!sn_io_mesh_keeps_groups("a.xyz", NULL) && sn_io_mesh_keeps_groups("a.xyz", "obj"));
    def.size = 1;
    CHECK_FAILS(sn_io_mesh_write("a.obj", &def, &mesh), SN_ERROR_DEFINITION);
    sn_mesh_free(&mesh);
}

/* ---- Memory ---- */

/* An allocator that gives out so many blocks and counts what is held. */
typedef struct scarce {
    size_t held;
    int left;
} scarce;

static void *reallocate(void *user, void *pointer, size_t old_size, size_t new_size) {
    scarce *s = user;
    void *fresh = NULL;
    if (new_size > 0) {
        if (s->left == 0) return NULL;
        if (s->left > 0) s->left--;
        fresh = aligned_alloc(64, (new_size + 63) / 64 * 64);
        if (!fresh) return NULL;
        if (old_size > 0) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
    }
    free(pointer);
    s->held += new_size;
    s->held -= old_size;
    return fresh;
}

/* Fails at every allocation in turn, and then once at none. */
TEST(reading_without_memory_leaves_nothing) {
    static const char *const samples[] = {"surface.obj",
                                          "surface_text.ply",
                                          "surface_binary.ply",
                                          "triangles_text.stl",
                                          "triangles.off",
                                          "solid.ele",
                                          "box_22_text.msh",
                                          "box_41_binary.msh",
                                          "mixed.mesh",
                                          "mixed_text.vtu",
                                          "mixed_base64.vtu",
                                          "triangles_binary.stl",
                                          "../../corpus/meshes/scene_glb.bin"};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char path[512], *data;
        size_t size;
        snprintf(path, sizeof path, "%s/%s", SAMPLES, samples[i]);
        REQUIRE_OK(sn_io_file_read("the sample", path, &data, &size));
        bool is_glb = strstr(path, "glb") != NULL;
        int needed = 0;
        for (;; needed++) {
            scarce s = {0, needed};
            sn_mesh mesh = sn_mesh_default();
            sn_io_read_def def = sn_io_read_def_default();
            mesh.allocator = (sn_allocator){reallocate, &s};
            def.weld = 0;
            if (is_glb) def.format = "glb";
            check_case("%s, %d", samples[i], needed);
            /* The corpus has two bytes before the file. */
            sn_result result = is_glb
                                   ? sn_io_mesh_read_memory(path, data + 2, size - 2, &def, &mesh)
                                   : sn_io_mesh_read(path, &def, &mesh);
            if (result == SN_OK) {
                sn_mesh_free(&mesh);
                CHECK(s.held == 0);
                break;
            }
            CHECK(result == SN_ERROR_MEMORY && s.held == 0 && mesh.vertex_count == 0);
            if (needed > 200) break;
        }
        CHECK(needed >= 3 && needed <= 200);
        free(data);
    }
}

TESTS(RUN(every_format_gives_the_same_bits), RUN(stl_keeps_triangles),
      RUN(empty_meshes_are_written), RUN(what_a_format_cannot_hold_is_said),
      RUN(names_that_a_format_cannot_hold_are_said), RUN(the_surface_of_tets),
      RUN(a_surface_has_only_its_vertices), RUN(a_file_that_cannot_be_written),
      RUN(reading_without_memory_leaves_nothing))
