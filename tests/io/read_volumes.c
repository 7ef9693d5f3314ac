/*
 * Volumes from files: TetGen, Gmsh, Medit and VTU in all the forms that they come in. The samples
 * were written by other programs: mixed_*, solid.* and surfaces by meshio, box_* by Gmsh.
 */
#include "read_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sinew_io/file.h>

static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1.25, 1}};

static void check_cube(const sn_mesh *mesh) {
    for (size_t i = 0; i < 8; i++) CHECK(is_at(mesh, i, cube[i][0], cube[i][1], cube[i][2]));
}

TEST(samples_of_meshio) {
    static const struct {
        const char *name;
        size_t triangles, tets, lines;
    } samples[] = {
        {"mixed_22_text.msh", 6, 5, 2},  {"mixed_22_binary.msh", 6, 5, 2},
        {"mixed_text.vtu", 6, 5, 2},     {"mixed_base64.vtu", 6, 5, 2},
        {"mixed.mesh", 6, 5, 2},         {"solid.node", 0, 5, 0},
        {"solid.ele", 0, 5, 0},          {"surface_text.ply", 6, 0, 0},
        {"surface_binary.ply", 6, 0, 0}, {"surface.obj", 6, 0, 0},
        {"triangles.off", 2, 0, 0},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        check_case("%s", samples[i].name);
        sn_mesh mesh = read_sample(samples[i].name);
        if (CHECK(has_counts(&mesh, 8, samples[i].triangles, samples[i].tets, samples[i].lines, 0)))
            check_cube(&mesh);
        if (mesh.tet_count > 0) CHECK_NEAR(volume_of(&mesh), 1 + 0.25 / 3, 1e-6);
        if (mesh.line_count > 0) CHECK(mesh.lines[1][0] == 1 && mesh.lines[1][1] == 2);
        sn_mesh_free(&mesh);
    }
}

TEST(samples_of_stl) {
    static const char *const names[] = {"triangles_text.stl", "triangles_binary.stl"};
    for (int i = 0; i < 2; i++) {
        check_case("%s", names[i]);
        sn_mesh mesh = read_sample(names[i]);
        CHECK(has_counts(&mesh, 4, 2, 0, 0, 0));
        CHECK_NEAR(area_of(&mesh), 1, 1e-6);
        sn_mesh_free(&mesh);
    }
}

TEST(a_compressed_grid_is_refused) {
    sn_mesh mesh = sn_mesh_default();
    CHECK_FAILS(sn_io_mesh_read(SAMPLES "/mixed_zlib.vtu", NULL, &mesh), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "compressed by vtkZLibDataCompressor"));
}

/* All four give the same mesh, with physical names as groups. */
TEST(samples_of_gmsh) {
    static const char *const names[] = {"box_22_text.msh", "box_22_binary.msh", "box_41_text.msh",
                                        "box_41_binary.msh"};
    sn_mesh first = read_sample(names[0]);
    CHECK(has_counts(&first, 14, 8, 24, 1, 5));
    CHECK_NEAR(volume_of(&first), 1, 1e-5);
    CHECK_NEAR(area_of(&first), 2, 1e-5);
    static const uint32_t corner[] = {0}, edge[] = {0, 1};
    CHECK(group_is(&first, "corner", corner, 1) && group_is(&first, "edge", edge, 2));
    const sn_mesh_group *top = sn_mesh_find_group(&first, "top");
    const sn_mesh_group *inside = sn_mesh_find_group(&first, "inside");
    CHECK(top && top->count == 5 && inside && inside->count == 14);
    for (size_t i = 0; top && i < top->count; i++)
        CHECK_NEAR(first.positions[top->vertices[i]].z, 1, 0);
    for (int i = 1; i < 4; i++) {
        check_case("%s", names[i]);
        sn_mesh mesh = read_sample(names[i]);
        /* Binary has doubles where text has 16 digits. */
        CHECK(has_counts(&mesh, 14, 8, 24, 1, 5));
        CHECK(has_same_groups(&first, &mesh));
        CHECK(memcmp(mesh.tets, first.tets, 24 * sizeof *mesh.tets) == 0);
        for (size_t k = 0; k < mesh.vertex_count; k++) {
            CHECK_NEAR(mesh.positions[k].x, first.positions[k].x, 1e-7);
            CHECK_NEAR(mesh.positions[k].y, first.positions[k].y, 1e-7);
            CHECK_NEAR(mesh.positions[k].z, first.positions[k].z, 1e-7);
        }
        sn_mesh_free(&mesh);
    }
    sn_mesh_free(&first);
}

/* Tags of nodes may be any numbers in any order. */
TEST(gmsh_nodes_have_any_tags) {
    sn_mesh mesh = read_string(
        "msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
               "$Comments\nanything $Here\n$EndComments\n"
               "$PhysicalNames\n1\n2 5 \"a \\ b\"\n$EndPhysicalNames\n"
               "$Nodes\n4\n900 0 0 0\n7 1 0 0\n8 1 1 0\n1000000000000 0 1 0\n$EndNodes\n"
               "$Elements\n3\n1 3 3 5 1 0 900 7 8 1000000000000\n2 15 0 7\n3 1 2 5 1 7 8\n"
               "$EndElements\n$NodeData\n1\n$EndNodeData\n");
    CHECK(has_counts(&mesh, 4, 2, 0, 1, 1));
    CHECK(has_triangle(&mesh, 0, 0, 1, 2) && has_triangle(&mesh, 1, 0, 2, 3));
    static const uint32_t all[] = {0, 1, 2, 3};
    CHECK(group_is(&mesh, "a \\ b", all, 4));
    sn_mesh_free(&mesh);
}

/* The other order of bytes, which Gmsh tells by a number 1. */
TEST(gmsh_binary_of_the_other_order) {
    static bytes b;
    b.size = 0;
    b.is_big = true;
    put_text(&b, "$MeshFormat\n2.2 1 8\n");
    put_u32(&b, 1);
    put_text(&b, "\n$EndMeshFormat\n$Nodes\n3\n");
    for (uint32_t i = 0; i < 3; i++) {
        put_u32(&b, i + 1);
        put_f64(&b, i == 1), put_f64(&b, i == 2), put_f64(&b, 0.25);
    }
    put_text(&b, "\n$EndNodes\n$Elements\n1\n");
    put_u32(&b, 2), put_u32(&b, 1), put_u32(&b, 2);
    put_u32(&b, 1), put_u32(&b, 0), put_u32(&b, 0);
    put_u32(&b, 1), put_u32(&b, 2), put_u32(&b, 3);
    put_text(&b, "\n$EndElements\n");
    sn_mesh mesh = read_bytes("msh", b.data, b.size);
    CHECK(has_counts(&mesh, 3, 1, 0, 0, 0) && is_at(&mesh, 2, 0, 1, 0.25));
    sn_mesh_free(&mesh);
}

/* ---- TetGen ---- */

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0);
    if (file) fclose(file);
}

TEST(tetgen_counts_from_0_or_1) {
    static const char folder[] = "read_scratch";
    REQUIRE_OK(sn_io_folder_make(folder));
    for (int base = 0; base < 2; base++) {
        char nodes[400], tets[100], faces[100];
        snprintf(nodes, sizeof nodes,
                 "# made by hand\n4 3 2 1 # one line\n%d 0 0 0 1.5 2 1\n  %d 1 0 0 1.5 2 1\n\n"
                 "%d 0 1 0 1.5 2 0 # an end\n%d 0 0 1 1.5 2 0\n",
                 base, base + 1, base + 2, base + 3);
        snprintf(tets, sizeof tets, "1 4 1\n%d %d %d %d %d -7.5\n", base, base, base + 2, base + 1,
                 base + 3);
        snprintf(faces, sizeof faces, "1 1\n%d %d %d %d -1\n", base, base, base + 1, base + 2);
        write_text("read_scratch/part.1.node", nodes);
        write_text("read_scratch/part.1.ele", tets);
        write_text("read_scratch/part.1.face", faces);
        static const char *const paths[] = {"read_scratch/part.1.node", "read_scratch/part.1.ele",
                                            "read_scratch/part.1.face"};
        for (int k = 0; k < 3; k++) {
            check_case("from %d, %s", base, paths[k]);
            sn_mesh mesh = sn_mesh_default();
            CHECK_OK(sn_io_mesh_read(paths[k], NULL, &mesh));
            CHECK(has_counts(&mesh, 4, k == 2, 1, 0, 0));
            /* The corners were in the other order. */
            CHECK_NEAR(volume_of(&mesh), 1.0 / 6, 1e-6);
            sn_mesh_free(&mesh);
        }
    }
}

TEST(tetgen_without_its_other_file) {
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_io_folder_make("read_scratch"));
    write_text("read_scratch/alone.node", "1 2 0 0\n1 5 6\n");
    CHECK_OK(sn_io_mesh_read("read_scratch/alone.node", NULL, &mesh));
    CHECK(has_counts(&mesh, 1, 0, 0, 0, 0) && is_at(&mesh, 0, 5, 6, 0));
    sn_mesh_free(&mesh);
    write_text("read_scratch/other.ele", "0 4 0\n");
    CHECK_FAILS(sn_io_mesh_read("read_scratch/other.ele", NULL, &mesh), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "read_scratch/other.node"));
    /* Meshes of Triangle. */
    write_text("read_scratch/flat.node", "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n");
    write_text("read_scratch/flat.ele", "1 3 0\n1 1 2 3\n");
    CHECK_OK(sn_io_mesh_read("read_scratch/flat.ele", NULL, &mesh));
    CHECK(has_counts(&mesh, 3, 1, 0, 0, 0));
    sn_mesh_free(&mesh);
}

/* ---- Medit ---- */

TEST(medit_in_its_forms) {
    sn_mesh mesh =
        read_string("medit", "MeshVersionFormatted\n2\n# a comment\nDimension 3 Vertices 4\n"
                             "0 0 0 1 1 0 0 1\n1 1 0 1\n0 1 0 1\n"
                             "Corners 2\n1 2\nRidges\n1\n1\nNormals 1\n-0.5 .5 +1e3\n"
                             "Hexahedra 0\n"
                             "Quadrilaterals 1 1 2 3 4 0\nEdges\n1\n1 3 9\nEnd ignored");
    CHECK(has_counts(&mesh, 4, 2, 0, 1, 0));
    CHECK(has_triangle(&mesh, 1, 0, 2, 3));
    sn_mesh_free(&mesh);
    mesh = read_string("medit", "MeshVersionFormatted 1 Dimension 2 Vertices 3 0 0 0 1 0 0 0 1 0 "
                                "Triangles 1 1 2 3 0");
    CHECK(has_counts(&mesh, 3, 1, 0, 0, 0) && is_at(&mesh, 2, 0, 1, 0));
    sn_mesh_free(&mesh);
}

/* ---- VTU ---- */

/* All kinds of cells that a mesh can hold, in two pieces. */
TEST(vtu_has_many_cells) {
    sn_mesh mesh = read_string(
        "vtu",
        "<?xml version='1.0'?><!-- <Piece> -->\n"
        "<VTKFile type=\"UnstructuredGrid\" compressor=\"none that matters\"><UnstructuredGrid>\n"
        "<Piece NumberOfPoints='1' NumberOfCells='0'><Points>"
        "<DataArray type='Float64' NumberOfComponents='3' format='ascii'>9 9 9</DataArray>"
        "</Points></Piece>\n"
        "<Piece NumberOfCells='8' NumberOfPoints='5'>\n"
        "<PointData><DataArray type='Float32' Name='offsets' format='ascii'>x</DataArray>"
        "</PointData>\n"
        "<Points><DataArray type='Float32' format='ascii'> 0 0 0 1 0 0\n0 1 0 1 1 0 0.5 0.5 1"
        "</DataArray></Points>\n"
        "<Cells>\n"
        "<DataArray type='Int32' Name='types' format='ascii'>1 2 3 4 6 7 8 10</DataArray>\n"
        "<DataArray type='Int32' Name='connectivity' format='ascii'>\n"
        "0 1 2 0 1 0 1 3 0 1 2 3 0 1 3 2 0 1 2 3 0 1 2 4</DataArray>\n"
        "<DataArray type='Int32' Name='offsets' format='ascii'>1 3 5 8 12 16 20 24</DataArray>\n"
        "</Cells></Piece></UnstructuredGrid></VTKFile>\n");
    CHECK(has_counts(&mesh, 6, 6, 1, 3, 0));
    CHECK(is_at(&mesh, 0, 9, 9, 9) && is_at(&mesh, 5, 0.5, 0.5, 1));
    /* The strip, the polygon, the pixel. */
    CHECK(has_triangle(&mesh, 0, 1, 2, 3) && has_triangle(&mesh, 1, 3, 2, 4));
    CHECK(has_triangle(&mesh, 3, 1, 4, 3) && has_triangle(&mesh, 5, 1, 4, 3));
    CHECK(mesh.lines[2][0] == 2 && mesh.lines[2][1] == 4);
    sn_mesh_free(&mesh);
}

/* Appended, with numbers of bytes of 4 and of 8 bytes, in both orders. */
TEST(vtu_appended_raw) {
    for (int k = 0; k < 4; k++) {
        bool is_long = k % 2;
        static bytes b;
        check_case("%s heads, %s", is_long ? "long" : "short", k / 2 ? "big" : "little");
        b.size = 0;
        b.is_big = k / 2;
        int head = is_long ? 8 : 4;
        char text[1200];
        snprintf(text, sizeof text,
                 "<VTKFile type=\"UnstructuredGrid\" byte_order=\"%s\"%s><UnstructuredGrid>"
                 "<Piece NumberOfPoints=\"3\" NumberOfCells=\"1\"><Cells>"
                 "<DataArray type=\"UInt16\" Name=\"connectivity\" format=\"appended\" "
                 "offset=\"%d\"/>"
                 "<DataArray type=\"Int64\" Name=\"offsets\" format=\"appended\" offset=\"%d\"/>"
                 "<DataArray type=\"UInt8\" Name=\"types\" format=\"appended\" offset=\"%d\"/>"
                 "</Cells><Points><DataArray type=\"Float64\" format=\"appended\" offset=\"0\"/>"
                 "</Points></Piece></UnstructuredGrid><AppendedData encoding=\"raw\">\n _",
                 k / 2 ? "BigEndian" : "LittleEndian", is_long ? " header_type=\"UInt64\"" : "",
                 head + 72, 2 * head + 78, 3 * head + 86);
        put_text(&b, text);
        static const unsigned lengths[] = {72, 6, 8, 1};
        for (int array = 0; array < 4; array++) {
            if (is_long)
                put_u64(&b, lengths[array]);
            else
                put_u32(&b, lengths[array]);
            for (int i = 0; array == 0 && i < 9; i++) put_f64(&b, i == 3 || i == 7);
            for (unsigned i = 0; array == 1 && i < 3; i++) put_u16(&b, i);
            if (array == 2) put_u64(&b, 3);
            if (array == 3) put_u8(&b, 5);
        }
        put_text(&b, "</AppendedData></VTKFile>");
        sn_mesh mesh = read_bytes("vtu", b.data, b.size);
        CHECK(has_counts(&mesh, 3, 1, 0, 0, 0));
        CHECK(is_at(&mesh, 1, 1, 0, 0) && is_at(&mesh, 2, 0, 1, 0));
        sn_mesh_free(&mesh);
    }
}

/* The number of bytes and the data may be encoded together or apart. */
TEST(vtu_base64_together_and_apart) {
    static const char *const points[] = {
        /* 12 as UInt32, then 1 2 3 as Float32. */
        "DAAAAAAAgD8AAABAAABAQA==",
        "DAAAAA==AACAPwAAAEAAAEBA",
        " DAAA\n AA== AACA PwAAAEAA AEBA\n",
    };
    for (int i = 0; i < 3; i++) {
        check_case("%d", i);
        char text[600];
        snprintf(text, sizeof text,
                 "<VTKFile type='UnstructuredGrid'><UnstructuredGrid>"
                 "<Piece NumberOfPoints='1' NumberOfCells='0'><Points>"
                 "<DataArray type='Float32' format='binary'>%s</DataArray></Points></Piece>"
                 "</UnstructuredGrid></VTKFile>",
                 points[i]);
        sn_mesh mesh = read_string("vtu", text);
        CHECK(has_counts(&mesh, 1, 0, 0, 0, 0) && is_at(&mesh, 0, 1, 2, 3));
        sn_mesh_free(&mesh);
    }
}

TESTS(RUN(samples_of_meshio), RUN(samples_of_stl), RUN(a_compressed_grid_is_refused),
      RUN(samples_of_gmsh), RUN(gmsh_nodes_have_any_tags), RUN(gmsh_binary_of_the_other_order),
      RUN(tetgen_counts_from_0_or_1), RUN(tetgen_without_its_other_file), RUN(medit_in_its_forms),
      RUN(vtu_has_many_cells), RUN(vtu_appended_raw), RUN(vtu_base64_together_and_apart))
