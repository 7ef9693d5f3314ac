/*
 * What is wrong with a file is said: the place, what was found and what was expected. A file that
 * fails leaves the mesh as it was.
 */
#include "read_help.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct broken {
    const char *format, *text, *sentence;
} broken;

/* Reads, and compares the sentence. */
static void check_broken(const char *format, const void *data, size_t size, const char *sentence,
                         sn_result expected) {
    sn_io_read_def def = sn_io_read_def_default();
    sn_mesh mesh = sn_mesh_default();
    def.format = format;
    CHECK_FAILS(sn_io_mesh_read_memory("m", data, size, &def, &mesh), expected);
    if (!CHECK(strcmp(sn_last_error(), sentence) == 0))
        printf("    said      %s\n    expected  %s\n", sn_last_error(), sentence);
    CHECK(mesh.vertex_count == 0 && !mesh.positions && !mesh.triangles && !mesh.groups);
}

static void check_all(const broken *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        check_case("%s, %zu", cases[i].format, i);
        check_broken(cases[i].format, cases[i].text, strlen(cases[i].text), cases[i].sentence,
                     SN_ERROR_DATA);
    }
}

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

TEST(broken_obj) {
    static const broken cases[] = {
        {"obj", "v 0 0\n", "m:1:6: found the end of the line, expected a coordinate"},
        {"obj", "v", "m:1:2: found the end of the file, expected a coordinate"},
        {"obj", "# one\n\nv 0 1,5 0\n", "m:3:5: found \"1,5\", expected a coordinate"},
        {"obj", "v 0 nan 0\n", "m:1:5: found \"nan\", expected a coordinate"},
        {"obj", "v 0 1e39 0\n", "m:1:5: found 1e39, which is too large for a coordinate"},
        {"obj", "v 1 2 3 4 5 6 7 8\n", "m:1:17: found \"8\", expected the end of the vertex"},
        {"obj", "v 1 2 3 red\n", "m:1:9: found \"red\", expected a weight or a colour"},
        {"obj", TRIANGLE "f 1 2 4\n",
         "m:4:7: vertex 4 is used by face 1, but the file has 3 vertices"},
        {"obj", TRIANGLE "f 1 2 3\nf 1 2 4\n",
         "m:5:7: vertex 4 is used by face 2, but the file has 3 vertices"},
        {"obj", TRIANGLE "l 1 4\n",
         "m:4:5: vertex 4 is used by line 1, but the file has 3 vertices"},
        {"obj", TRIANGLE "f 1 2 0\n", "m:4:7: vertex 0 is used by face 1, expected 1 or more"},
        {"obj", TRIANGLE "f 1 2 -4\n",
         "m:4:7: vertex -4 is used by face 1, but 3 vertices come before it"},
        {"obj", TRIANGLE "f 1 2\n", "m:4:2: a face has 2 corners, expected at least 3"},
        {"obj", TRIANGLE "l 1\n", "m:4:2: a line has 1 corner, expected at least 2"},
        {"obj", TRIANGLE "f 1/x 2 3\n",
         "m:4:3: found \"1/x\", expected the index of a vertex, as in 5, 5/1 or 5/1/1"},
        {"obj", TRIANGLE "f 1/1/1/1 2 3\n",
         "m:4:3: found \"1/1/1/1\", expected the index of a vertex, as in 5, 5/1 or 5/1/1"},
        {"obj", TRIANGLE "f 1 2 99999999999999999999\n",
         "m:4:7: found \"99999999999999999999\", expected the index of a vertex, as in 5, 5/1 or "
         "5/1/1"},
        {"obj", TRIANGLE "curv 0 1 1 2 3\n",
         "m:4:1: found \"curv\", but curves and surfaces of free form cannot be read"},
        {"obj", TRIANGLE "facet 1 2 3\n",
         "m:4:1: found \"facet\", expected a statement of OBJ such as v, f, l or g"},
        {"obj", "g a b c d e f g h i j k l m n o p\n",
         "m:1:33: there are more than 15 groups on the line"},
    };
    check_all(cases, sizeof cases / sizeof cases[0]);
}

#define PLY "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define LIST "property list uchar int vertex_indices\n"

TEST(broken_ply) {
    static const broken cases[] = {
        {"ply", "", "m:1:1: the file does not begin with \"ply\""},
        {"ply", "ply\nend_header\n", "m:1:1: the header has no line \"format\""},
        {"ply", "ply\nformat ascii 2.0\n", "m:2:14: found \"2.0\", expected version 1.0"},
        {"ply", "ply\nformat utf8 1.0\n",
         "m:2:8: found \"utf8\", expected ascii, binary_little_endian or binary_big_endian as the "
         "format"},
        {"ply", PLY "end_header\n", "m:1:1: the header has no element vertex"},
        {"ply", PLY "element vertex 1\nproperty float x\nproperty float z\nend_header\n0 0\n",
         "m:3:9: element \"vertex\" has no property y"},
        {"ply", PLY "element vertex 1\n" XYZ "element face 1\nproperty float a\nend_header\n",
         "m:7:9: element \"face\" has no property list vertex_indices"},
        {"ply", PLY "element vertex 4000000000\n" XYZ "end_header\n0 0 0\n",
         "m:3:9: 4000000000 elements \"vertex\" are promised, but the file has only 6 more bytes "
         "for them"},
        {"ply", PLY "element vertex -1\n" XYZ "end_header\n",
         "m:3:16: found -1, expected a number of elements from 0 to 9223372036854775807"},
        {"ply", PLY "element vertex 1\nproperty half x\n",
         "m:4:10: found \"half\", expected a type such as float, int or uchar"},
        {"ply", PLY "element face 1\nproperty list float int vertex_indices\n",
         "m:4:15: found \"float\", expected a type of whole numbers for the length of a list"},
        {"ply", PLY "element face 1\nproperty list int float vertex_indices\n",
         "m:4:19: found \"float\", expected a type of whole numbers for indices"},
        {"ply", PLY "element vertex 2\n" XYZ "end_header\n0.5 0 0\n1 1\n",
         "m:9:4: found the end of the line, expected a number"},
        {"ply", PLY "element vertex 1\n" XYZ "end_header\n0 0 0 0\n",
         "m:8:7: found \"0\", expected the end of the element"},
        {"ply", PLY "element vertex 1\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n3 0 0 1\n",
         "m:11:7: vertex 1 is used by face 0, but the file has 1 vertices"},
        {"ply", PLY "element vertex 1\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n2 0 0\n",
         "m:11:1: a face has 2 corners, expected at least 3"},
        {"ply", PLY "element vertex 1\n" XYZ "element face 1\n" LIST "end_header\n0 0 0\n99 0 0\n",
         "m:11:1: a list has 99 items, but the file has only 5 more bytes"},
        {"ply", PLY "property float x\n", "m:3:10: a property comes before the first element"},
        {"ply", PLY "elements vertex 3\n",
         "m:3:1: found \"elements\", expected format, comment, element, property or end_header"},
    };
    check_all(cases, sizeof cases / sizeof cases[0]);
}

TEST(broken_stl) {
    static const broken cases[] = {
        {"stl", "",
         "m: byte 0: the file ends, expected the 84 bytes with which a binary STL begins"},
        {"stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n",
         "m:4:11: found the end of the line, expected a coordinate"},
        {"stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n",
         "m:5:1: found \"endloop\", expected \"vertex\", three times in a loop"},
        {"stl",
         "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
         "vertex 1 1 0\nendloop\n",
         "m:7:1: found \"vertex\", expected \"endloop\" after three vertices"},
        {"stl", "solid x\n",
         "m:2:1: found the end of the file, expected \"facet\" or \"endsolid\""},
        {"stl", "solid x\nendsolid x\njunk", "m:3:1: found \"junk\", expected \"solid\""},
    };
    check_all(cases, sizeof cases / sizeof cases[0]);
    static bytes b;
    b.size = 0;
    put_text(&b, "solid, but binary and cut off");
    while (b.size < 80) put_u8(&b, 0);
    put_u32(&b, 4000000000u);
    for (int i = 0; i < 50; i++) put_u8(&b, 0);
    check_case("more than there is");
    check_broken("stl", b.data, b.size,
                 "m: byte 80: 4000000000 triangles of 50 bytes are promised, but 50 bytes follow",
                 SN_ERROR_DATA);
    check_case("not finite");
    memset(b.data + 80, 0, 4);
    b.data[80] = 1;
    b.data[84 + 24 + 2] = 0xc0, b.data[84 + 24 + 3] = 0x7f;
    check_broken("stl", b.data, b.size,
                 "m: byte 108: a corner of triangle 0 is at nan 0 0, expected finite numbers",
                 SN_ERROR_DATA);
}

TEST(broken_off) {
    static const broken cases[] = {
        {"off", "", "m:1:1: found the end of the file, expected \"OFF\""},
        {"off", "4OFF\n1 0 0\n0 0 0 1\n",
         "m:1:1: found \"4OFF\", but only OFF in three dimensions can be read, with ST, C and N "
         "before it"},
        {"off", "OFF BINARY\n", "m:1:1: binary OFF cannot be read, expected text"},
        {"off", "OFF\n4000000000 1 0\n0 0 0\n",
         "m:2:1: 4000000000 vertices are promised, but the file has only 11 more bytes"},
        {"off", "OFF\n2 0 0\n0 0 0\n1 1 one\n", "m:4:5: found \"one\", expected a coordinate"},
        {"off", "OFF\n1 1 0\n0 0 0\n3 0 0 1\n",
         "m:4:7: vertex 1 is used by face 0, but the file has 1 vertices"},
        {"off", "OFF\n1 1 0\n0 0 0\n2 0 0    \n",
         "m:4:1: a face has 2 corners, expected at least 3"},
        {"off", "OFF\n1 1 0\n0 0 0\n3 0 0\n    ",
         "m:4:6: found the end of the line, expected the index of a vertex"},
        {"off", "OFF\n1 0 0\n0 0 0\nmore\n", "m:4:1: found \"more\", expected the end of the file"},
        {"off", "OFF\n1 0 0\n0 0 0 blue\n",
         "m:3:7: found \"blue\", expected the end of the line, or a colour"},
    };
    check_all(cases, sizeof cases / sizeof cases[0]);
}

#define MSH2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define MSH4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES2 "$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n"

TEST(broken_msh) {
    static const broken cases[] = {
        {"msh", "", "m:1:1: found the end of the file, expected \"$MeshFormat\""},
        {"msh", "$MeshFormat\n4 0 8\n",
         "m:2:1: found \"4\", expected version 2.2 or 4.1 of the format"},
        {"msh", "$MeshFormat\n4.1 0 4\n", "m:2:7: numbers of 4 bytes cannot be read, expected 8"},
        {"msh", MSH2, "m:4:1: found the end of the file, expected a section $Nodes"},
        {"msh", MSH2 "$Nodes\n4000000000\n1 0 0 0\n",
         "m:5:11: 4000000000 nodes are promised, but the file has only 9 more bytes"},
        {"msh", MSH2 "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", "m:5:1: node 1 is there twice"},
        {"msh", MSH2 NODES2 "$Elements\n1\n1 1 2 0 1 1 3\n$EndElements\n",
         "m:11:13: node 3 is used, but it is not among the 2 nodes"},
        {"msh", MSH2 NODES2 "$Elements\n1\n1 5 2 0 1 1 2 1 2 1 2 1 2\n$EndElements\n",
         "m:11:3: the file has hexahedra, which a mesh cannot hold"},
        {"msh", MSH2 NODES2 "$Elements\n1\n1 11 2 0 1 1 2 1 2 1 2 1 2 1 2\n$EndElements\n",
         "m:11:3: the file has elements of type 11, which are not of first order and cannot be "
         "read"},
        {"msh", MSH2 NODES2 "$Elements\n1\n1 1 9 0 1\n$EndElements\n",
         "m:12:1: found \"$EndElements\", expected a tag"},
        {"msh", MSH2 "$Elements\n0\n$EndElements\n",
         "m:5:1: section $Elements comes before $Nodes"},
        {"msh", MSH2 NODES2 "$Unknown\n1 2 3\n", "m:9:1: section \"$Unknown\" does not end"},
        {"msh", MSH2 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n",
         "m:7:1: found \"2\", expected \"$EndNodes\""},
        {"msh", MSH4 "$Nodes\n1 2 1 2\n2 1 0 1\n1\n0 0 0\n$EndNodes\n",
         "m:5:8: 2 nodes are promised, but the blocks have 1"},
        {"msh", MSH2 "$PhysicalNames\n1\n2 1 name\n$EndPhysicalNames\n",
         "m:6:5: found \"name\", expected a name in quotes"},
    };
    check_all(cases, sizeof cases / sizeof cases[0]);
}

#define MEDIT "MeshVersionFormatted 1\nDimension 3\n"

TEST(broken_tets) {
    static const broken cases[] = {
        {"medit", "", "m:1:1: found the end of the file, expected \"MeshVersionFormatted\""},
        {"medit", MEDIT "Vertices\n4000000000\n0 0 0 0\n",
         "m:4:1: 4000000000 vertices are promised, but the file has only 9 more bytes"},
        {"medit", MEDIT "Vertices 1\n0 0 0 0\nHexahedra 1\n1 1 1 1 1 1 1 1 0\n",
         "m:5:1: the file has 1 Hexahedra, which a mesh cannot hold"},
        {"medit", MEDIT "Vertices 1\n0 0 0 0\nBezier 1\n1\n",
         "m:5:1: found \"Bezier\", expected a section such as Vertices, Triangles or End"},
        {"medit", MEDIT "Triangles 0\n", "m:3:10: elements come before the vertices"},
        {"medit", MEDIT "Vertices 1\n0 0 0 0\nEdges 1\n1 2 0\n",
         "m:6:3: vertex 2 is used by element 1 of its kind, but the file has vertices 1 to 1"},
        {"tetgen", "1 4 0 0\n1 0 0 0\n", "m:1:3: found 4, expected the dimension from 2 to 3"},
        {"tetgen", "2 3 0 0\n1 0 0 0\n3 0 0 0\n", "m:3:1: found vertex 3, expected vertex 2"},
        {"tetgen", "4000000000 3 0 0\n1 0 0 0\n",
         "m:1:1: 4000000000 vertices are promised, but the file has only 8 more bytes"},
        {"tetgen", "1 3 1 0\n1 0 0 0  \n",
         "m:2:10: found the end of the line, expected an attribute or a boundary marker"},
        {"tetgen", "1 3 0 0\n1 0 0 0 5\n", "m:2:9: found \"5\", expected the end of the line"},
    };
    check_all(cases, sizeof cases / sizeof cases[0]);
}

#define GRID "<VTKFile type='UnstructuredGrid'><UnstructuredGrid>\n"
#define ONE_POINT                                                                                  \
    "<Piece NumberOfPoints='1' NumberOfCells='1'>\n"                                               \
    "<Points><DataArray type='Float32' format='ascii'>0 0 0</DataArray></Points>\n"
#define CELLS(connectivity, offset, type)                                                          \
    "<Cells><DataArray type='Int32' Name='connectivity' format='ascii'>" connectivity              \
    "</DataArray>\n<DataArray type='Int32' Name='offsets' format='ascii'>" offset                  \
    "</DataArray>\n<DataArray type='Int32' Name='types' format='ascii'>" type                      \
    "</DataArray></Cells>"

TEST(broken_vtu) {
    static const broken cases[] = {
        {"vtu", "nothing", "m:1:1: the file has no tag <VTKFile>"},
        {"vtu", "<VTKFile type='PolyData'>",
         "m:1:2: the file is no UnstructuredGrid, expected type=\"UnstructuredGrid\""},
        {"vtu", "<VTKFile type='UnstructuredGrid'", "m:1:1: a tag has no end"},
        {"vtu", GRID "<Piece NumberOfPoints='1'>", "m:2:2: <Piece> has no attribute NumberOfCells"},
        {"vtu",
         GRID "<Piece NumberOfPoints='4000000000' NumberOfCells='0'>"
              "<Points><DataArray type='Float32' format='ascii'>0 0 0</DataArray>",
         "m:2:63: 12000000000 coordinates are promised, but the array has fewer"},
        {"vtu",
         GRID "<Piece NumberOfPoints='1' NumberOfCells='0'>"
              "<Points><DataArray type='Float32' format='ascii'>0 x 0</DataArray>",
         "m:2:96: found \"x\", expected coordinates"},
        {"vtu", GRID ONE_POINT "</Piece>", "m:2:2: the piece has no array connectivity"},
        {"vtu", GRID ONE_POINT CELLS("0 0 1", "3", "5"),
         "m:4:9: cell 0 uses point 1, but the piece has 1 points"},
        {"vtu", GRID ONE_POINT CELLS("0 0 0", "3", "10"), "m:5:2: cell 0 of type 10 has 3 corners"},
        {"vtu", GRID ONE_POINT CELLS("0 0 0 0 0 0 0 0", "8", "12"),
         "m:6:2: cell 0 is a hexahedron (type 12 of VTK), which a mesh cannot hold"},
        {"vtu", GRID ONE_POINT CELLS("0 0 0", "-3", "5"),
         "m:5:2: offset 0 is -3, expected at least 0"},
        {"vtu", GRID ONE_POINT CELLS("0 0 0", "300", "7"),
         "m:4:9: 300 corners are promised, but the array has fewer"},
        {"vtu",
         GRID "<Piece NumberOfPoints='1' NumberOfCells='0'><Points>"
              "<DataArray type='Float32' format='appended' offset='0'/>",
         "m:2:54: the array is appended, but the file has no <AppendedData>"},
        {"vtu",
         GRID "<Piece NumberOfPoints='1' NumberOfCells='0'><Points>"
              "<DataArray type='Float32' format='binary'>////////</DataArray>",
         "m:2:54: 4294967295 bytes are promised, but the array has at most 6"},
        {"vtu",
         GRID "<Piece NumberOfPoints='1' NumberOfCells='0'><Points>"
              "<DataArray type='Float32' format='appended' offset='9'/></Points></Piece>"
              "<AppendedData encoding='raw'>_1234",
         "m:2:54: the array is at offset 9, but only 4 bytes are appended"},
    };
    check_all(cases, sizeof cases / sizeof cases[0]);
}

TEST(broken_glb) {
    static const struct {
        uint32_t words[5];
        const char *sentence;
    } cases[] = {
        {{0x12345678, 2, 20, 0, 0}, "m: byte 0: the file does not begin with \"glTF\""},
        {{0x46546c67, 1, 20, 0, 0}, "m: byte 4: found version 1 of the format, expected 2"},
        {{0x46546c67, 2, 21, 0, 0}, "m: byte 8: 21 bytes are promised, but the file has 20"},
        {{0x46546c67, 2, 20, 0, 7}, "m: byte 12: the first chunk is not JSON"},
        {{0x46546c67, 2, 20, 4000000000u, 7},
         "m: byte 12: the chunk has 4000000000 bytes, but only 0 follow"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static bytes b;
        b.size = 0;
        check_case("%zu", i);
        for (int k = 0; k < 5; k++) put_u32(&b, cases[i].words[k]);
        check_broken("glb", b.data, b.size, cases[i].sentence, SN_ERROR_DATA);
    }
}

/* Cutting takes the square of the corners, so there is a limit for those that are not convex. */
TEST(a_concave_polygon_has_a_limit) {
    enum { CORNERS = 6000 };
    static char text[40 * CORNERS];
    size_t length = 0;
    for (int i = 0; i < CORNERS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "v %d %d 0\n", i,
                                   i % 2 ? 1 : -(i * i % 1000));
    length += (size_t)snprintf(text + length, sizeof text - length, "f");
    for (int i = 1; i <= CORNERS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %d", i);
    check_broken("obj", text, length,
                 "m:6001:2: a concave polygon has 6000 corners, expected at most 4096",
                 SN_ERROR_LIMIT);
}

TEST(wrong_calls) {
    sn_mesh mesh = sn_mesh_default();
    sn_io_read_def def = sn_io_read_def_default();
    static const char text[] = "v 0 0 0\n";
    size_t size = sizeof text - 1;
    CHECK_FAILS(sn_io_mesh_read(NULL, NULL, &mesh), SN_ERROR_NULL);
    CHECK_FAILS(sn_io_mesh_read("a.obj", NULL, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_io_mesh_read_memory(NULL, text, size, NULL, &mesh), SN_ERROR_NULL);
    CHECK_FAILS(sn_io_mesh_read_memory("a.obj", NULL, size, NULL, &mesh), SN_ERROR_NULL);
    CHECK_FAILS(sn_io_mesh_read("a.xyz", NULL, &mesh), SN_ERROR_NAME);
    CHECK(strstr(sn_last_error(), "\"a.xyz\" has the extension \"xyz\""));
    CHECK_FAILS(sn_io_mesh_read("folder.obj/a", NULL, &mesh), SN_ERROR_NAME);
    CHECK_FAILS(sn_io_mesh_read("there is none.obj", NULL, &mesh), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "cannot read the mesh \"there is none.obj\""));
    def.format = "OBJ";
    CHECK_FAILS(sn_io_mesh_read("a.obj", &def, &mesh), SN_ERROR_NAME);
    def = sn_io_read_def_default();
    def.size = 0;
    CHECK_FAILS(sn_io_mesh_read_memory("a.obj", text, size, &def, &mesh), SN_ERROR_DEFINITION);
    static const double bad[] = {0, -1, HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        def = sn_io_read_def_default();
        def.scale = bad[i];
        CHECK_FAILS(sn_io_mesh_read_memory("a.obj", text, size, &def, &mesh), SN_ERROR_VALUE);
        def = sn_io_read_def_default();
        def.weld = i == 0 ? -2 : (sn_real)bad[i];
        CHECK_FAILS(sn_io_mesh_read_memory("a.obj", text, size, &def, &mesh), SN_ERROR_VALUE);
    }
    def = sn_io_read_def_default();
    def.up = (sn_io_up)3;
    CHECK_FAILS(sn_io_mesh_read_memory("a.obj", text, size, &def, &mesh), SN_ERROR_VALUE);
    def = sn_io_read_def_default();
    def.scale = 1e30;
    CHECK_FAILS(sn_io_mesh_read_memory("a.obj", "v 1e30 0 0", 10, &def, &mesh), SN_ERROR_VALUE);
    CHECK_OK(sn_io_mesh_read_memory("a.obj", text, size, NULL, &mesh));
    CHECK_FAILS(sn_io_mesh_read_memory("a.obj", text, size, NULL, &mesh), SN_ERROR_VALUE);
    CHECK(mesh.vertex_count == 1);
    sn_mesh_free(&mesh);
}

TESTS(RUN(broken_obj), RUN(broken_ply), RUN(broken_stl), RUN(broken_off), RUN(broken_msh),
      RUN(broken_tets), RUN(broken_vtu), RUN(broken_glb), RUN(a_concave_polygon_has_a_limit),
      RUN(wrong_calls))
