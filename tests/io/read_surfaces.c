/* Surfaces from files: OBJ, PLY, STL, OFF and OpenUSD in all the forms that they come in. */
#include "read_help.h"

#include <stdio.h>
#include <string.h>

/* ---- OBJ ---- */

TEST(obj_has_polygons_lines_and_groups) {
    sn_mesh mesh =
        read_string("obj", "# a comment\r\n"
                           "mtllib none.mtl\n"
                           "o the box\n"
                           "v 0 0 0\nv 2 0 0 1.0\n\tv 2 2 0 0.5 0.5 0.5\nv 0 2 0 # last\n"
                           "vt 0 0\nvn 0 0 1\nusemtl red\ns off\n"
                           "g left both\n"
                           "f 1/1/1 2/1 3//1 4\n"
                           "g right both\n"
                           "f -4 -3 \\\n  -2\n"
                           "g\n"
                           "l 1 2/1 3\n"
                           "p 4\n");
    CHECK(has_counts(&mesh, 4, 3, 0, 2, 4));
    CHECK(has_triangle(&mesh, 0, 0, 1, 2) && has_triangle(&mesh, 1, 0, 2, 3));
    CHECK(has_triangle(&mesh, 2, 0, 1, 2));
    CHECK(is_at(&mesh, 1, 2, 0, 0) && is_at(&mesh, 2, 2, 2, 0) && is_at(&mesh, 3, 0, 2, 0));
    CHECK(mesh.lines[1][0] == 1 && mesh.lines[1][1] == 2);
    static const uint32_t all[] = {0, 1, 2, 3}, three[] = {0, 1, 2};
    CHECK(group_is(&mesh, "the box", all, 4) && group_is(&mesh, "left", all, 4));
    CHECK(group_is(&mesh, "both", all, 4) && group_is(&mesh, "right", three, 3));
    CHECK(strcmp(mesh.groups[0].name, "the box") == 0);
    sn_mesh_free(&mesh);
}

TEST(obj_may_use_vertices_that_come_later) {
    sn_mesh mesh = read_string("obj", "f 1 2 3\rv 0 0 0\rv 1 0 0\rv 0 1 0\rf -3 -2 -1");
    CHECK(has_counts(&mesh, 3, 2, 0, 0, 0));
    CHECK(has_triangle(&mesh, 0, 0, 1, 2) && has_triangle(&mesh, 1, 0, 1, 2));
    sn_mesh_free(&mesh);
}

TEST(obj_may_be_empty) {
    sn_mesh mesh = read_string("obj", "");
    CHECK(has_counts(&mesh, 0, 0, 0, 0, 0) && !mesh.positions && !mesh.triangles);
    sn_mesh_free(&mesh);
}

/* ---- Polygons ---- */

/* All triangles turn the same way as the polygon, and together have its area. */
static void check_polygon(const char *name, const char *text, size_t triangles, double area) {
    check_case("%s", name);
    sn_mesh mesh = read_string("obj", text);
    CHECK(mesh.triangle_count == triangles);
    CHECK_NEAR(area_of(&mesh), area, 1e-5);
    double signed_area = 0;
    for (size_t i = 0; i < mesh.triangle_count; i++) {
        sn_vec3 a = mesh.positions[mesh.triangles[i][0]], b = mesh.positions[mesh.triangles[i][1]],
                c = mesh.positions[mesh.triangles[i][2]];
        double twice = (double)((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
        signed_area += twice / 2;
        CHECK(twice != 0);
    }
    CHECK_NEAR(signed_area > 0 ? signed_area : -signed_area, area, 1e-5);
    sn_mesh_free(&mesh);
}

/* With the mark of UTF-8 that some editors begin files with. */
TEST(texts_may_have_a_mark) {
    static const struct {
        const char *format, *text;
    } files[] = {
        {"obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
        {"off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"},
        {"ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"},
        {"stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n"},
        {"medit", "MeshVersionFormatted 1\nDimension 3\nVertices\n3\n0 0 0 0\n1 0 0 0\n"
                  "0 1 0 0\nTriangles\n1\n1 2 3 0\nEnd\n"},
        {"msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
                "$EndNodes\n$Elements\n1\n1 2 2 0 0 1 2 3\n$EndElements\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char marked[512];
        int length = snprintf(marked, sizeof marked, "\xef\xbb\xbf%s", files[i].text);
        check_case("%s", files[i].format);
        sn_mesh mesh = read_bytes(files[i].format, marked, (size_t)length);
        CHECK(mesh.vertex_count == 3 && mesh.triangle_count == 1);
        sn_mesh_free(&mesh);
    }
}

TEST(polygons_become_triangles) {
    check_polygon("arrow", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 3 1 0\nf 1 2 3 4\n", 2, 4);
    check_polygon("arrow, other start", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 3 1 0\nf 2 3 4 1\n", 2, 4);
    check_polygon("clockwise", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 3 1 0\nf 4 3 2 1\n", 2, 4);
    check_polygon("corner on an edge", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 2 3 4 5 1\n",
                  3, 4);
    check_polygon("comb",
                  "v 0 0 0\nv 5 0 0\nv 5 3 0\nv 4 3 0\nv 4 1 0\nv 3 1 0\nv 3 3 0\nv 2 3 0\n"
                  "v 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nf 1 2 3 4 5 6 7 8 9 10 11 12\n",
                  10, 11);
    check_polygon("hole joined by an edge that is there twice",
                  "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 1 1 0\nv 2 1 0\nv 2 2 0\nv 1 2 0\n"
                  "f 1 2 3 4 1 5 8 7 6 5\n",
                  8, 8);
}

/* Along every axis, and where it is not quite flat. */
TEST(polygons_lie_in_any_plane) {
    static const char *const texts[] = {
        "v 0 0 0\nv 0 4 0\nv 0 4 4\nv 0 3 1\nf 1 2 3 4\n",
        "v 0 0 0\nv 0 0 4\nv 4 0 4\nv 1 0 3\nf 1 2 3 4\n",
        "v 0 0 0\nv 4 0 4\nv 4 4 4\nv 3 1 3.01\nf 1 2 3 4\n",
    };
    static const double areas[] = {4, 4, 4 * 1.41421356};
    for (int i = 0; i < 3; i++) {
        check_case("%d", i);
        sn_mesh mesh = read_string("obj", texts[i]);
        CHECK(mesh.triangle_count == 2);
        CHECK_REL(area_of(&mesh), areas[i], 0.01);
        sn_mesh_free(&mesh);
    }
}

/* A spiral: everything but its ends is an ear of nobody for long. */
TEST(a_long_concave_polygon_is_cut) {
    static char text[200000];
    size_t length = 0;
    enum { TURNS = 300 };
    for (int i = 0; i < TURNS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "v %d %d 0\nv %d %d 0\n",
                                   2 * i, i % 2 * 3, 2 * i + 1, i % 2 * 3 + 1);
    length += (size_t)snprintf(text + length, sizeof text - length, "v %d 50 0\nv 0 50 0\nf", 600);
    for (int i = 1; i <= 2 * TURNS + 2; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %d", i);
    sn_mesh mesh = read_string("obj", text);
    CHECK(mesh.triangle_count == 2 * TURNS);
    double shoelace = 0;
    size_t count = mesh.vertex_count;
    for (size_t i = 0; i < count; i++) {
        sn_vec3 a = mesh.positions[i], b = mesh.positions[(i + 1) % count];
        shoelace += ((double)a.x * (double)b.y - (double)b.x * (double)a.y) / 2;
    }
    CHECK_REL(area_of(&mesh), shoelace, 1e-6);
    sn_mesh_free(&mesh);
}

/* ---- PLY ---- */

/* The same two polygons and an edge, with things between that nobody asked for. */
static const char ply_header[] = "comment made by hand\nobj_info nothing\n"
                                 "element vertex 5\n"
                                 "property uchar red\nproperty double x\nproperty float y\n"
                                 "property list uchar short junk\nproperty short z\n"
                                 "element thing 2\nproperty list int double a\nproperty char b\n"
                                 "element face 2\n"
                                 "property int flags\nproperty list ushort uint vertex_index\n"
                                 "element edge 1\nproperty int vertex1\nproperty uchar vertex2\n"
                                 "end_header\n";
static const double ply_points[5][3] = {{0, 0, 0}, {4, 0.5, 1}, {4, 4, 2}, {3, 1, -3}, {0, 4, 7}};

static void check_ply(const sn_mesh *mesh) {
    CHECK(has_counts(mesh, 5, 3, 0, 1, 0));
    for (size_t i = 0; i < 5; i++)
        CHECK(is_at(mesh, i, ply_points[i][0], ply_points[i][1], ply_points[i][2]));
    CHECK(has_triangle(mesh, 2, 0, 2, 4));
    CHECK(mesh->lines[0][0] == 4 && mesh->lines[0][1] == 1);
}

TEST(ply_text) {
    char text[1024];
    snprintf(text, sizeof text,
             "ply\r\nformat ascii 1.0\r\n%s255 0 0 0 0\n255 4 0.5 2 8 9 1\n255 4 4 0 2\n"
             "0 3 1 1 5 -3\n1 0 4 0 7\n"
             "3 1 2 3 4\n0 -1\n"
             "9 4 0 1 2 3\n9 3 0 2 4\n\n"
             "4 1\n",
             ply_header);
    sn_mesh mesh = read_string("ply", text);
    check_ply(&mesh);
    sn_mesh_free(&mesh);
}

TEST(ply_binary_of_both_orders) {
    for (int big = 0; big < 2; big++) {
        check_case("%s", big ? "big" : "little");
        static bytes b;
        b.size = 0;
        b.is_big = big;
        put_text(&b, big ? "ply\nformat binary_big_endian 1.0\n"
                         : "ply\nformat binary_little_endian 1.0\n");
        put_text(&b, ply_header);
        for (int i = 0; i < 5; i++) {
            put_u8(&b, 255);
            put_f64(&b, ply_points[i][0]);
            put_f32(&b, (float)ply_points[i][1]);
            put_u8(&b, (unsigned)i);
            for (int k = 0; k < i; k++) put_u16(&b, 7);
            put_u16(&b, (uint16_t)(int)ply_points[i][2]);
        }
        put_u32(&b, 2), put_f64(&b, 1), put_f64(&b, 2), put_u8(&b, 0);
        put_u32(&b, 0), put_u8(&b, 0);
        put_u32(&b, 9), put_u16(&b, 4);
        for (uint32_t k = 0; k < 4; k++) put_u32(&b, k);
        put_u32(&b, 9), put_u16(&b, 3), put_u32(&b, 0), put_u32(&b, 2), put_u32(&b, 4);
        put_u32(&b, 4), put_u8(&b, 1);
        sn_mesh mesh = read_bytes("ply", b.data, b.size);
        check_ply(&mesh);
        sn_mesh_free(&mesh);
    }
}

TEST(ply_has_strips_tets_and_faces_before_vertices) {
    sn_mesh mesh = read_string("ply", "ply\nformat ascii 1.0\n"
                                      "element tristrips 1\nproperty list int int vertex_indices\n"
                                      "element tet 1\nproperty list uchar int vertex_indices\n"
                                      "element face 1\nproperty list uchar int vertex_indices\n"
                                      "element vertex 4\n"
                                      "property float x\nproperty float y\nproperty float z\n"
                                      "end_header\n"
                                      "8 0 1 2 3 -1 3 2 1\n4 0 2 1 3\n4 0 1 2 3\n"
                                      "0 0 0\n1 0 0\n0 1 0\n0 0 1\n");
    CHECK(has_counts(&mesh, 4, 5, 1, 0, 0));
    CHECK(has_triangle(&mesh, 0, 0, 1, 2) && has_triangle(&mesh, 1, 2, 1, 3));
    CHECK(has_triangle(&mesh, 2, 3, 2, 1));
    CHECK_NEAR(volume_of(&mesh), 1.0 / 6, 1e-6);
    sn_mesh_free(&mesh);
}

/* ---- STL ---- */

static const char stl_text[] =
    "solid first part\n"
    "facet normal nan nan nan\n outer loop\n"
    "  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n"
    " endloop\nendfacet\n"
    "FACET NORMAL 0 0 1\nOUTER LOOP\n"
    "VERTEX 1 0 0\nVERTEX 1 1 0\nVERTEX -0 1 0\nENDLOOP\nENDFACET\n"
    "endsolid first part\n"
    "solid second\n"
    "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 0 0 vertex 1 0 0"
    " endloop endfacet\nendsolid\n";

TEST(stl_text_is_welded) {
    sn_mesh mesh = read_string("stl", stl_text);
    /* The triangle of the second solid has no area; its corners stay. */
    CHECK(has_counts(&mesh, 4, 2, 0, 0, 2));
    CHECK(has_triangle(&mesh, 0, 0, 1, 2) && has_triangle(&mesh, 1, 1, 3, 2));
    static const uint32_t first[] = {0, 1, 2, 3}, second[] = {0, 1};
    CHECK(group_is(&mesh, "first part", first, 4) && group_is(&mesh, "second", second, 2));
    sn_mesh_free(&mesh);
}

static void put_stl(bytes *b, const char *head, uint32_t promised, uint32_t count) {
    b->size = 0;
    put_text(b, head);
    while (b->size < 80) put_u8(b, ' ');
    put_u32(b, promised);
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 12; k++) put_f32(b, (float)((k + (int)i) % 4));
        put_u16(b, 0);
    }
}

TEST(binary_stl_may_begin_like_text) {
    static bytes b;
    put_stl(&b, "solid or is it", 3, 3);
    sn_mesh mesh = read_bytes("stl", b.data, b.size);
    CHECK(mesh.triangle_count == 3 && mesh.vertex_count == 4);
    sn_mesh_free(&mesh);
}

TEST(welding_may_be_asked_for_anywhere) {
    sn_io_read_def def = sn_io_read_def_default();
    sn_mesh mesh = sn_mesh_default();
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1.001 0 0\nv 1 1 0\nv 0 1.001 0\n"
                               "v 0.0005 0 0\n"
                               "g a\nf 1 2 3\ng b\nf 4 5 6\nf 1 7 2\nl 1 7\nl 6 1\n";
    def.format = "obj";
    def.weld = (sn_real)0.01;
    CHECK_OK(sn_io_mesh_read_memory("test", text, sizeof text - 1, &def, &mesh));
    CHECK(has_counts(&mesh, 4, 2, 0, 1, 2));
    CHECK(has_triangle(&mesh, 0, 0, 1, 2) && has_triangle(&mesh, 1, 1, 3, 2));
    CHECK(mesh.lines[0][0] == 2 && mesh.lines[0][1] == 0);
    static const uint32_t b[] = {1, 3, 2, 0};
    CHECK(group_is(&mesh, "b", b, 4));
    sn_mesh_free(&mesh);
    def.weld = 0;
    CHECK_OK(sn_io_mesh_read_memory("test", text, sizeof text - 1, &def, &mesh));
    CHECK(has_counts(&mesh, 7, 3, 0, 2, 2));
    sn_mesh_free(&mesh);
}

/* Every pair within the distance is welded, and none that is farther, on a grid of many cells. */
TEST(welding_finds_neighbours_in_all_directions) {
    static char text[100000];
    size_t length = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 1000; i++) {
            int x = i % 10 - 5, y = i / 10 % 10 - 5, z = i / 100 - 5;
            double s = pass * 0.0057;
            length += (size_t)snprintf(text + length, sizeof text - length, "v %g %g %g\n",
                                       x * 0.02 + (i % 2 ? s : -s), y * 0.02 + (i % 3 ? s : -s),
                                       z * 0.02 + (i % 5 ? s : -s));
        }
    sn_io_read_def def = sn_io_read_def_default();
    sn_mesh mesh = sn_mesh_default();
    def.format = "obj";
    /* The copies are 0.0057 sqrt(3) = 0.00987 away, others at least 0.0086. */
    def.weld = (sn_real)0.0099;
    CHECK_OK(sn_io_mesh_read_memory("test", text, length, &def, &mesh));
    CHECK(mesh.vertex_count == 1000);
    sn_mesh_free(&mesh);
    def.weld = (sn_real)0.0085;
    CHECK_OK(sn_io_mesh_read_memory("test", text, length, &def, &mesh));
    CHECK(mesh.vertex_count == 2000);
    sn_mesh_free(&mesh);
}

/* ---- OFF ---- */

TEST(off_in_its_forms) {
    static const char *const texts[] = {
        "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n",
        "OFF 4 2\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3",
        "# before\n4 1 4 # no word\n0 0 0#a\n1 0 0 0.5#red\n\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n",
        "COFF\n4 1 0\n0 0 0 255 0 0 255\n1 0 0 0.5 0 0 1\n1 1 0 1 1 1 1\n0 1 0 0 0 0 0\n4 0 1 2 "
        "3\n",
        "NOFF\r\n4 1 0\r\n0 0 0 0 0 1\r\n1 0 0 0 0 1\r\n1 1 0 0 0 1\r\n0 1 0 0 0 1\r\n"
        "4 0 1 2 3 0.5 0.5 0.5 1\r\n",
        "STCNOFF\n4 1 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n4 0 1 2 3\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check_case("%zu", i);
        sn_mesh mesh = read_string("off", texts[i]);
        CHECK(has_counts(&mesh, 4, 2, 0, 0, 0));
        CHECK(has_triangle(&mesh, 0, 0, 1, 2) && has_triangle(&mesh, 1, 0, 2, 3));
        CHECK(is_at(&mesh, 2, 1, 1, 0));
        sn_mesh_free(&mesh);
    }
}

/* ---- Units and axes ---- */

TEST(units_and_axes) {
    static const char text[] = "v 1 2 3\nv 0 0 0\n";
    static const double expected[3][3] = {{1, 2, 3}, {1, 3, -2}, {-2, 1, 3}};
    for (int up = 0; up < 3; up++)
        for (int k = 0; k < 2; k++) {
            check_case("%d, %d", up, k);
            sn_io_read_def def = sn_io_read_def_default();
            sn_mesh mesh = sn_mesh_default();
            double scale = k ? 0.5 : 1;
            def.up = (sn_io_up)up;
            def.scale = scale;
            CHECK_OK(sn_io_mesh_read_memory("test.OBJ", text, sizeof text - 1, &def, &mesh));
            CHECK(is_at(&mesh, 0, scale * expected[up][0], scale * expected[up][1],
                        scale * expected[up][2]));
            sn_mesh_free(&mesh);
        }
}

/* ---- OpenUSD ---- */

TEST(usda_has_curves_and_meshes) {
    sn_mesh mesh = read_string(
        "usda", "#usda 1.0\n(\n    metersPerUnit = 0.01\n    upAxis = \"Z\"\n)\n"
                "def Xform \"root\"\n{\n"
                "    def BasisCurves \"hair\"\n    {\n"
                "        uniform token type = \"linear\"\n"
                "        int[] curveVertexCounts = [3, 2]\n"
                "        point3f[] points = [(0, 0, 0), (0, 0, 100), (0, 100, 100), (100, 0, 0), "
                "(100, 0, 200)]\n        float[] widths = [0.1, 0.1]\n    }\n"
                "    def Mesh \"skin\"\n    {\n        int[] faceVertexCounts = [3]\n"
                "        int[] faceVertexIndices = [0, 1, 2]\n"
                "        point3f[] points = [(0, 0, 0), (100, 0, 0), (0, 100, 0)]\n    }\n}\n");
    CHECK(has_counts(&mesh, 8, 1, 0, 3, 2));
    CHECK(is_at(&mesh, 1, 0, 1, 0) && is_at(&mesh, 2, 0, 1, -1) && is_at(&mesh, 4, 1, 2, 0));
    CHECK(mesh.lines[1][0] == 1 && mesh.lines[1][1] == 2);
    CHECK(mesh.lines[2][0] == 3 && mesh.lines[2][1] == 4);
    CHECK(has_triangle(&mesh, 0, 5, 6, 7) && is_at(&mesh, 7, 0, 0, -1));
    sn_mesh_free(&mesh);
    static const char *const wrong[] = {
        ("#usda 1.0\ndef BasisCurves \"a\"\n{\n    int[] curveVertexCounts = [3]\n"
         "    point3f[] points = [(0, 0, 0), (0, 0, 1)]\n}\n"),
        "#usda 1.0\ndef BasisCurves \"a\"\n{\n    int[] curveVertexCounts = [2]\n}\n",
        "#usda 1.0\ndef BasisCurves \"a\"\n{\n    point3f[] points = [(0, 0, 0)]\n}\n"};
    for (int i = 0; i < 3; i++) {
        mesh = sn_mesh_default();
        CHECK_FAILS(sn_io_mesh_read_memory("a.usda", wrong[i], strlen(wrong[i]), NULL, &mesh),
                    SN_ERROR_DATA);
        CHECK(strstr(sn_last_error(), "a.usda:2:") && mesh.vertex_count == 0);
    }
}

/* Numbers of vertices that are all from 0 to 1 are groups of those above a half; normals, what goes
   beyond, and what is no number are not. */
TEST(ply_weights_are_groups) {
    sn_mesh mesh = read_string(
        "ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
               "property float z\nproperty float nz\nproperty uchar hem\nproperty float heat\n"
               "property float sag\nproperty float lost\nelement face 1\n"
               "property list uchar int vertex_indices\nend_header\n"
               "0 0 0 1 1 20 0.5 1\n1 0 0 1 0 1 0.75 nan\n0 1 0 1 1 1 1 1\n3 0 1 2\n");
    static const uint32_t hem[] = {0, 2}, sag[] = {1, 2};
    CHECK(has_counts(&mesh, 3, 1, 0, 0, 2));
    CHECK(group_is(&mesh, "hem", hem, 2) && group_is(&mesh, "sag", sag, 2));
    sn_mesh_free(&mesh);
}

TESTS(RUN(texts_may_have_a_mark), RUN(ply_weights_are_groups), RUN(usda_has_curves_and_meshes),
      RUN(obj_has_polygons_lines_and_groups), RUN(obj_may_use_vertices_that_come_later),
      RUN(obj_may_be_empty), RUN(polygons_become_triangles), RUN(polygons_lie_in_any_plane),
      RUN(a_long_concave_polygon_is_cut), RUN(ply_text), RUN(ply_binary_of_both_orders),
      RUN(ply_has_strips_tets_and_faces_before_vertices), RUN(stl_text_is_welded),
      RUN(binary_stl_may_begin_like_text), RUN(welding_may_be_asked_for_anywhere),
      RUN(welding_finds_neighbours_in_all_directions), RUN(off_in_its_forms), RUN(units_and_axes))
