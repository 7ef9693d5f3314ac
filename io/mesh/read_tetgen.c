/*
 * TetGen: vertices in .node, tets in .ele, triangles in .face, as text. Whichever is named, the
 * others lie beside it under the same name. Two-dimensional meshes of Triangle have the same form,
 * with three corners in .ele.
 *
 * The number of the first vertex, 0 or 1, is the base of all indices. Attributes and markers are
 * passed over.
 */
#include "io/mesh/mesh_format.h"

#include <sinew_io/file.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The row that begins at the next line with something on it. */
static void begin_row(sn_text *text) {
    sn_text_skip_space(text);
}

/* After the last number of a row: a comment may follow. */
static sn_result end_row(sn_text *text) {
    if (!sn_text_at_line_end(text) && *text->at != text->comment)
        return sn_text_unexpected(text, text->at, "the end of the line");
    sn_text_next_line(text);
    return SN_OK;
}

/* How many things follow, and where that was said. */
static sn_result read_count(sn_text *text, const char *what, const char **at, int64_t *count) {
    begin_row(text);
    *at = text->at;
    return sn_text_integer_within(text, what, 0, INT64_MAX, count);
}

/* A number that may be missing at the end of a line, and is 0 then. */
static sn_result read_optional(sn_text *text, const char *what, int64_t most, int64_t *value) {
    *value = 0;
    if (sn_text_at_line_end(text) || *text->at == text->comment) return SN_OK;
    return sn_text_integer_within(text, what, 0, most, value);
}

/* ---- Vertices ---- */

static sn_result read_nodes(const sn_source *source, sn_io_build *build, int64_t *base) {
    sn_text text = sn_source_text(source);
    const char *at;
    int64_t count, dimension, attributes, markers, number;
    text.comment = '#';
    SN_TRY(read_count(&text, "the number of vertices", &at, &count));
    SN_TRY(sn_text_integer_within(&text, "the dimension", 2, 3, &dimension));
    SN_TRY(read_optional(&text, "the number of attributes", 1000, &attributes));
    SN_TRY(read_optional(&text, "the number of boundary markers", 1, &markers));
    SN_TRY(end_row(&text));
    /* Each number takes two bytes with the blank after it. */
    SN_TRY(sn_text_check_room(&text, at, (uint64_t)count,
                              2 * (uint64_t)(1 + dimension + attributes + markers), "vertices"));
    SN_TRY(sn_io_build_reserve(build, BUILD_VERTICES, (size_t)count));
    *base = 0;
    for (int64_t i = 0; i < count; i++) {
        sn_vec3 x = {0, 0, 0};
        begin_row(&text);
        at = text.at;
        SN_TRY(sn_text_integer(&text, "the number of a vertex", &number));
        if (i == 0 && (number == 0 || number == 1)) *base = number;
        if (number != *base + i)
            return sn_text_fail(&text, at, "found vertex %lld, expected vertex %lld",
                                (long long)number, (long long)(*base + i));
        SN_TRY(sn_text_real(&text, "a coordinate", &x.x));
        SN_TRY(sn_text_real(&text, "a coordinate", &x.y));
        if (dimension == 3) SN_TRY(sn_text_real(&text, "a coordinate", &x.z));
        SN_TRY(sn_text_skip_words(&text, (size_t)(attributes + markers),
                                  "an attribute or a boundary marker"));
        SN_TRY(end_row(&text));
        SN_TRY(sn_io_build_vertex(build, x));
    }
    return SN_OK;
}

/* ---- Elements ---- */

static sn_result read_corners(sn_text *text, const sn_io_build *build, int64_t base, size_t count,
                              int64_t number, uint32_t *corners) {
    for (size_t k = 0; k < count; k++) {
        int64_t index;
        sn_text_skip_blanks(text);
        const char *at = text->at;
        SN_TRY(sn_text_integer(text, "the number of a vertex", &index));
        int64_t vertex = index - base;
        if (vertex < 0 || (uint64_t)vertex >= build->mesh.vertex_count)
            return sn_text_fail(text, at,
                                "vertex %lld is used by element %lld, but there are %zu vertices, "
                                "from %lld",
                                (long long)index, (long long)number, build->mesh.vertex_count,
                                (long long)base);
        corners[k] = (uint32_t)vertex;
    }
    return SN_OK;
}

/* Rows of a number, corners and whatever else there is. */
static sn_result read_rows(sn_text *text, sn_io_build *build, int64_t base, int64_t count,
                           size_t width, size_t others) {
    for (int64_t i = 0; i < count; i++) {
        uint32_t corners[4] = {0, 0, 0, 0};
        int64_t number;
        begin_row(text);
        SN_TRY(sn_text_integer(text, "the number of an element", &number));
        SN_TRY(read_corners(text, build, base, width, number, corners));
        SN_TRY(sn_text_skip_words(text, others, "an attribute or a boundary marker"));
        SN_TRY(end_row(text));
        if (width == 4)
            SN_TRY(sn_io_build_tet(build, corners));
        else
            SN_TRY(sn_io_build_triangle(build, corners[0], corners[1], corners[2]));
    }
    return SN_OK;
}

static sn_result read_elements(const sn_source *source, sn_io_build *build, int64_t *base) {
    sn_text text = sn_source_text(source);
    const char *at;
    int64_t count, width, attributes;
    text.comment = '#';
    SN_TRY(read_count(&text, "the number of tets", &at, &count));
    sn_text_skip_blanks(&text);
    const char *place = text.at;
    SN_TRY(sn_text_integer(&text, "the number of corners", &width));
    if (width == 6 || width == 10)
        return sn_text_fail(&text, place,
                            "the elements have %lld corners: elements of second order cannot be "
                            "read, expected 4 or 3",
                            (long long)width);
    if (width != 3 && width != 4)
        return sn_text_fail(&text, place, "the elements have %lld corners, expected 4 or 3",
                            (long long)width);
    SN_TRY(read_optional(&text, "the number of attributes", 1000, &attributes));
    SN_TRY(end_row(&text));
    SN_TRY(sn_text_check_room(&text, at, (uint64_t)count, 2 * (uint64_t)(1 + width + attributes),
                              "elements"));
    SN_TRY(sn_io_build_reserve(build, width == 4 ? BUILD_TETS : BUILD_TRIANGLES, (size_t)count));
    return read_rows(&text, build, *base, count, (size_t)width, (size_t)attributes);
}

static sn_result read_faces(const sn_source *source, sn_io_build *build, int64_t *base) {
    sn_text text = sn_source_text(source);
    const char *at;
    int64_t count, markers;
    text.comment = '#';
    SN_TRY(read_count(&text, "the number of faces", &at, &count));
    SN_TRY(read_optional(&text, "the number of boundary markers", 1, &markers));
    SN_TRY(end_row(&text));
    SN_TRY(sn_text_check_room(&text, at, (uint64_t)count, 2 * (uint64_t)(4 + markers), "faces"));
    SN_TRY(sn_io_build_reserve(build, BUILD_TRIANGLES, (size_t)count));
    return read_rows(&text, build, *base, count, 3, (size_t)markers);
}

/* ---- Files beside each other ---- */

/* The reader of one file. That of the vertices sets the base, the others take it. */
typedef sn_result part_reader(const sn_source *source, sn_io_build *build, int64_t *base);

static bool is_there(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The path with another extension, to be freed with as many bytes as beside_size says. */
static size_t beside_size(const char *path) {
    return strlen(path) + 6;
}

static char *beside(sn_io_build *build, const char *path, const char *extension) {
    char *other = sn_io_allocate(&build->allocator, beside_size(path), 1);
    if (!other) return NULL;
    const char *old = sn_path_extension(path);
    size_t stem = *old ? (size_t)(old - path) - 1 : strlen(path);
    memcpy(other, path, stem);
    other[stem] = '.';
    memcpy(other + stem + 1, extension, strlen(extension) + 1);
    return other;
}

/* Reads the file with this extension, where it is there or has to be. */
static sn_result read_part(const sn_source *source, sn_io_build *build, const char *extension,
                           bool is_needed, part_reader *read, int64_t *base) {
    char *path = beside(build, source->path, extension), *data;
    if (!path) return SN_ERROR_MEMORY;
    size_t size;
    sn_result result = SN_OK;
    if (is_needed || is_there(path)) {
        result = sn_io_file_read("a part of the mesh", path, &data, &size);
        if (result == SN_OK) {
            const sn_source part = {.name = path, .path = path, .data = data, .size = size};
            result = read(&part, build, base);
            free(data);
        }
    }
    sn_io_free(&build->allocator, path, beside_size(source->path), 1);
    return result;
}

sn_result sn_read_tetgen(const sn_source *source, sn_io_build *build) {
    const char *extension = sn_path_extension(source->path ? source->path : source->name);
    bool is_ele = sn_text_is(extension, strlen(extension), "ele");
    bool is_face = sn_text_is(extension, strlen(extension), "face");
    int64_t base = 0;
    if (!is_ele && !is_face) {
        SN_TRY(read_nodes(source, build, &base));
        if (!source->path) return SN_OK;
        return read_part(source, build, "ele", false, read_elements, &base);
    }
    if (!source->path)
        return sn_fail(SN_ERROR_DATA,
                       "%s: the vertices are in a file .node, which is not in memory",
                       source->name);
    SN_TRY(read_part(source, build, "node", true, read_nodes, &base));
    if (is_ele) return read_elements(source, build, &base);
    SN_TRY(read_part(source, build, "ele", false, read_elements, &base));
    return read_faces(source, build, &base);
}
