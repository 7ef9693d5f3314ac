/*
 * Medit .mesh: words, each followed by a number of rows, as text. Indices count from 1, and every
 * row ends with a reference, which is passed over. Where rows begin and end does not depend on
 * lines.
 */
#include "io/mesh/read.h"

typedef struct medit_file {
    sn_text text;
    sn_io_build *build;
    int64_t dimension; /* 0 before it is known */
    bool has_vertices;
} medit_file;

static sn_result next_integer(sn_text *text, const char *what, int64_t *value) {
    sn_text_skip_space(text);
    return sn_text_integer(text, what, value);
}

/* The number of rows that follow, each of so many numbers. */
static sn_result read_count(medit_file *medit, uint64_t numbers, const char *things,
                            int64_t *count) {
    sn_text *text = &medit->text;
    sn_text_skip_space(text);
    const char *at = text->at;
    SN_TRY(sn_text_integer_within(text, "how many follow", 0, INT64_MAX, count));
    return sn_text_check_room(text, at, (uint64_t)*count, 2 * numbers, things);
}

static sn_result read_vertices(medit_file *medit) {
    sn_text *text = &medit->text;
    int64_t count, reference;
    if (medit->dimension == 0)
        return sn_text_fail(text, text->at, "Vertices come before Dimension");
    if (medit->has_vertices) return sn_text_fail(text, text->at, "Vertices are there twice");
    SN_TRY(read_count(medit, (uint64_t)medit->dimension + 1, "vertices", &count));
    SN_TRY(sn_io_build_reserve(medit->build, BUILD_VERTICES, (size_t)count));
    for (int64_t i = 0; i < count; i++) {
        sn_vec3 x = {0, 0, 0};
        sn_real *const coordinates[] = {&x.x, &x.y, &x.z};
        for (int64_t k = 0; k < 3 && k < medit->dimension; k++) {
            sn_text_skip_space(text);
            SN_TRY(sn_text_real(text, "a coordinate", coordinates[k]));
        }
        SN_TRY(next_integer(text, "the reference of a vertex", &reference));
        SN_TRY(sn_io_build_vertex(medit->build, x));
    }
    medit->has_vertices = true;
    return SN_OK;
}

static sn_result add_element(sn_io_build *build, const uint32_t *corners, size_t width,
                             bool is_tet) {
    if (is_tet) return sn_io_build_tet(build, corners);
    if (width == 2) return sn_io_build_line(build, corners[0], corners[1]);
    return sn_io_build_polygon(build, corners, width);
}

static sn_result read_elements(medit_file *medit, size_t width, bool is_tet) {
    sn_text *text = &medit->text;
    size_t vertices = medit->build->mesh.vertex_count;
    int64_t count, index, reference;
    if (!medit->has_vertices)
        return sn_text_fail(text, text->at, "elements come before the vertices");
    SN_TRY(read_count(medit, width + 1, "elements", &count));
    for (int64_t i = 0; i < count; i++) {
        uint32_t corners[4] = {0, 0, 0, 0};
        for (size_t k = 0; k < width; k++) {
            sn_text_skip_space(text);
            const char *at = text->at;
            SN_TRY(sn_text_integer(text, "the index of a vertex", &index));
            if (index < 1 || (uint64_t)index > vertices)
                return sn_text_fail(
                    text, at,
                    "vertex %lld is used by element %lld of its kind, but the file has "
                    "vertices 1 to %zu",
                    (long long)index, (long long)i + 1, vertices);
            corners[k] = (uint32_t)(index - 1);
        }
        SN_TRY(next_integer(text, "the reference of an element", &reference));
        SN_TRY(add_element(medit->build, corners, width, is_tet));
    }
    return SN_OK;
}

/* Rows of numbers that say nothing about the shape, up to the next word. */
static void skip_numbers(sn_text *text) {
    for (sn_text_skip_space(text); text->at < text->end; sn_text_skip_space(text)) {
        char c = *text->at;
        if (!(c >= '0' && c <= '9') && c != '-' && c != '+' && c != '.') return;
        const char *word;
        text->at += sn_text_word(text, &word);
    }
}

/* Words for what a mesh cannot hold; none of them is an error. */
static sn_result refuse(medit_file *medit, const char *at, const char *word) {
    int64_t count;
    SN_TRY(read_count(medit, 1, "elements", &count));
    if (count == 0) return SN_OK;
    return sn_text_fail(&medit->text, at, "the file has %lld %s, which a mesh cannot hold",
                        (long long)count, word);
}

static sn_result read_dimension(medit_file *medit) {
    sn_text_skip_space(&medit->text);
    return sn_text_integer_within(&medit->text, "a dimension", 2, 3, &medit->dimension);
}

static sn_result read_section(medit_file *medit) {
    static const char *const refused[] = {
        "Hexahedra",        "Hexaedra",     "Prisms",      "Pyramids",  "TrianglesP2",
        "EdgesP2",          "TetrahedraP2", "TrianglesP3", "EdgesP3",   "TetrahedraP3",
        "QuadrilateralsQ2", "HexahedraQ2",  "PrismsP2",    "PyramidsP2"};
    static const char *const skipped[] = {"Corners",
                                          "Ridges",
                                          "RequiredVertices",
                                          "RequiredEdges",
                                          "RequiredTriangles",
                                          "Normals",
                                          "Tangents",
                                          "NormalAtVertices",
                                          "TangentAtVertices",
                                          "TangentAtEdges",
                                          "NormalAtTriangleVertices",
                                          "NormalAtQuadrilateralVertices",
                                          "AngleOfCornerBound",
                                          "BoundingBox",
                                          "RequiredQuadrilaterals",
                                          "RequiredTetrahedra",
                                          "ParallelVertices",
                                          "VertexOnGeometricVertex",
                                          "VertexOnGeometricEdge",
                                          "EdgeOnGeometricEdge",
                                          "SubDomainFromMesh",
                                          "SubDomainFromGeom"};
    sn_text *text = &medit->text;
    const char *at = text->at;
    if (sn_text_take(text, "Dimension")) return read_dimension(medit);
    if (sn_text_take(text, "Vertices")) return read_vertices(medit);
    if (sn_text_take(text, "Edges")) return read_elements(medit, 2, false);
    if (sn_text_take(text, "Triangles")) return read_elements(medit, 3, false);
    if (sn_text_take(text, "Quadrilaterals")) return read_elements(medit, 4, false);
    if (sn_text_take(text, "Tetrahedra")) return read_elements(medit, 4, true);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (sn_text_take(text, refused[i])) return refuse(medit, at, refused[i]);
    for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++) {
        if (!sn_text_take(text, skipped[i])) continue;
        skip_numbers(text);
        return SN_OK;
    }
    return sn_text_unexpected(text, at, "a section such as Vertices, Triangles or End");
}

sn_result sn_read_medit(const sn_source *source, sn_io_build *build) {
    medit_file medit = {.text = sn_source_text(source), .build = build};
    sn_text *text = &medit.text;
    int64_t version;
    text->comment = '#';
    sn_text_skip_space(text);
    const char *at = text->at;
    if (!sn_text_take(text, "MeshVersionFormatted"))
        return sn_text_unexpected(text, at, "\"MeshVersionFormatted\"");
    SN_TRY(next_integer(text, "the version of the format", &version));
    for (sn_text_skip_space(text); text->at < text->end; sn_text_skip_space(text)) {
        if (sn_text_take(text, "End")) return SN_OK;
        SN_TRY(read_section(&medit));
    }
    if (!medit.has_vertices) return sn_text_unexpected(text, text->at, "Vertices");
    return SN_OK;
}
