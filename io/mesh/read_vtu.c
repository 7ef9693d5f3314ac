/*
 * VTU, the unstructured grids of VTK: pieces with points and cells, whose arrays are text, base64
 * or raw bytes behind the XML. Arrays that are compressed cannot be read.
 *
 * The tags are gone through once to find the arrays of every piece. What is appended comes last,
 * and is not XML any more.
 */
#include "io/mesh/read_vtu.h"

#include "io/mesh/read_xml.h"

#include <math.h>
#include <string.h>

/* The arrays of a piece that make its shape. */
enum { POINTS, CONNECTIVITY, OFFSETS, TYPES, ARRAYS };
static const char *const array_names[ARRAYS] = {"Points", "connectivity", "offsets", "types"};

typedef struct vtu_piece {
    const char *place;
    uint64_t points, cells;
    vtu_array arrays[ARRAYS];
} vtu_piece;

/* ---- Tags ---- */

static sn_result read_root(vtu_file *vtu, const sn_xml_tag *tag) {
    if (!sn_xml_is(tag, "VTKFile")) return sn_text_unexpected(&vtu->text, tag->name, "<VTKFile>");
    if (!sn_xml_attribute_is(tag, "type", "UnstructuredGrid"))
        return sn_text_fail(&vtu->text, tag->name,
                            "the file is no UnstructuredGrid, expected type=\"UnstructuredGrid\"");
    vtu->is_big = sn_xml_attribute_is(tag, "byte_order", "BigEndian");
    vtu->has_long_heads = sn_xml_attribute_is(tag, "header_type", "UInt64");
    size_t length = 0;
    const char *compressor = sn_xml_attribute(tag, "compressor", &length);
    vtu->is_compressed = compressor && length > 0;
    if (length >= sizeof vtu->compressor) length = sizeof vtu->compressor - 1;
    if (vtu->is_compressed) memcpy(vtu->compressor, compressor, length);
    return SN_OK;
}

static sn_result find_type(const vtu_file *vtu, const sn_xml_tag *tag, sn_scalar *type) {
    static const char *const names[] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                        "UInt32", "Int64", "UInt64", "Float32", "Float64"};
    for (int i = 0; i < 10; i++) {
        *type = (sn_scalar)i;
        if (sn_xml_attribute_is(tag, "type", names[i])) return SN_OK;
    }
    return sn_text_fail(&vtu->text, tag->name, "the array has no type such as Float32 or Int64");
}

/* An array that the shape needs. */
static sn_result read_array(vtu_file *vtu, const sn_xml_tag *tag, vtu_array *array) {
    *array = (vtu_array){.place = tag->name};
    SN_TRY(find_type(vtu, tag, &array->type));
    array->is_appended = sn_xml_attribute_is(tag, "format", "appended");
    if (array->is_appended) return sn_xml_number(&vtu->text, tag, "offset", &array->offset);
    bool is_binary = sn_xml_attribute_is(tag, "format", "binary");
    if (!is_binary && !sn_xml_attribute_is(tag, "format", "ascii"))
        return sn_text_fail(&vtu->text, tag->name,
                            "the array has no format, expected ascii, binary or appended");
    array->format = is_binary ? VTU_BASE64 : VTU_TEXT;
    array->begin = array->end = vtu->text.at;
    if (tag->is_empty) return SN_OK;
    const char *close = memchr(array->begin, '<', (size_t)(vtu->text.end - array->begin));
    if (!close) return sn_text_fail(&vtu->text, tag->name, "the array has no end");
    array->end = close;
    return SN_OK;
}

/* Which of the arrays of the shape a tag is; ARRAYS where it is none. */
static int which_array(const sn_xml_tag *tag, bool in_points, bool in_cells) {
    if (in_points) return POINTS;
    for (int k = CONNECTIVITY; in_cells && k < ARRAYS; k++)
        if (sn_xml_attribute_is(tag, "Name", array_names[k])) return k;
    return ARRAYS;
}

static sn_result read_piece(vtu_file *vtu, const sn_xml_tag *tag, sn_io_build_list *pieces) {
    vtu_piece piece = {.place = tag->name};
    SN_TRY(sn_xml_number(&vtu->text, tag, "NumberOfPoints", &piece.points));
    SN_TRY(sn_xml_number(&vtu->text, tag, "NumberOfCells", &piece.cells));
    SN_TRY(sn_io_build_list_reserve(vtu->build, pieces, 1, sizeof piece));
    ((vtu_piece *)pieces->items)[pieces->count++] = piece;
    return SN_OK;
}

/* What is appended: everything behind the first underscore. */
static sn_result read_appended(vtu_file *vtu, const sn_xml_tag *tag, bool *is_raw) {
    *is_raw = sn_xml_attribute_is(tag, "encoding", "raw");
    if (!*is_raw && !sn_xml_attribute_is(tag, "encoding", "base64"))
        return sn_text_fail(&vtu->text, tag->name,
                            "<AppendedData> has no encoding, expected raw or base64");
    const char *mark = memchr(vtu->text.at, '_', (size_t)(vtu->text.end - vtu->text.at));
    if (!mark)
        return sn_text_fail(&vtu->text, tag->name,
                            "<AppendedData> has no underscore before its bytes");
    vtu->appended = mark + 1;
    return SN_OK;
}

/* An array of the points of the last piece, one number each. */
static sn_result add_weights(vtu_file *vtu, const sn_xml_tag *tag, size_t pieces) {
    vtu_weights w = {.piece = pieces - 1};
    size_t length;
    const char *width = sn_xml_attribute(tag, "NumberOfComponents", &length);
    if (pieces == 0 || (width && length > 0 && !(length == 1 && *width == '1'))) return SN_OK;
    w.name = sn_xml_attribute(tag, "Name", &w.length);
    if (!w.name || w.length == 0) return SN_OK;
    /* Texts and the like are none. */
    if (read_array(vtu, tag, &w.array) != SN_OK) return SN_OK;
    SN_TRY(sn_io_build_list_reserve(vtu->build, &vtu->weights, 1, sizeof w));
    ((vtu_weights *)vtu->weights.items)[vtu->weights.count++] = w;
    return SN_OK;
}

static sn_result find_arrays(vtu_file *vtu, sn_io_build_list *pieces, bool *is_raw) {
    sn_text *text = &vtu->text;
    sn_xml_tag tag;
    bool found, in_points = false, in_cells = false, in_data = false;
    SN_TRY(sn_xml_next(text, &tag, &found));
    if (!found) return sn_text_fail(text, text->begin, "the file has no tag <VTKFile>");
    SN_TRY(read_root(vtu, &tag));
    for (;;) {
        SN_TRY(sn_xml_next(text, &tag, &found));
        if (!found) return SN_OK;
        if (sn_xml_is(&tag, "AppendedData") && !tag.is_closing)
            return read_appended(vtu, &tag, is_raw);
        if (sn_xml_is(&tag, "Points")) in_points = !tag.is_closing && !tag.is_empty;
        if (sn_xml_is(&tag, "PointData")) in_data = !tag.is_closing && !tag.is_empty;
        if (sn_xml_is(&tag, "Cells")) in_cells = !tag.is_closing && !tag.is_empty;
        if (sn_xml_is(&tag, "Piece") && !tag.is_closing) SN_TRY(read_piece(vtu, &tag, pieces));
        if (!sn_xml_is(&tag, "DataArray") || tag.is_closing) continue;
        if (in_data) SN_TRY(add_weights(vtu, &tag, pieces->count));
        int which = which_array(&tag, in_points, in_cells);
        if (which == ARRAYS) continue;
        if (pieces->count == 0)
            return sn_text_fail(text, tag.name, "an array comes before the first <Piece>");
        vtu_piece *piece = &((vtu_piece *)pieces->items)[pieces->count - 1];
        if (piece->arrays[which].place)
            return sn_text_fail(text, tag.name, "the piece has the array %s twice",
                                array_names[which]);
        SN_TRY(read_array(vtu, &tag, &piece->arrays[which]));
    }
}

/* ---- Pieces ---- */

static sn_result need_array(const vtu_file *vtu, const vtu_piece *piece, int which) {
    if (piece->arrays[which].place) return SN_OK;
    return sn_text_fail(&vtu->text, piece->place, "the piece has no array %s", array_names[which]);
}

static sn_result read_points(vtu_file *vtu, const vtu_piece *piece, sn_io_build_list *list) {
    if (piece->points == 0) return SN_OK;
    SN_TRY(need_array(vtu, piece, POINTS));
    if (piece->points > UINT64_MAX / 3)
        return sn_text_fail(&vtu->text, piece->place, "the piece has too many points");
    SN_TRY(sn_vtu_reals(vtu, &piece->arrays[POINTS], 3 * piece->points, "coordinates", list));
    const double *x = list->items;
    SN_TRY(sn_io_build_reserve(vtu->build, BUILD_VERTICES, (size_t)piece->points));
    for (uint64_t i = 0; i < piece->points; i++, x += 3) {
        sn_vec3 position = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
        if (!isfinite(position.x) || !isfinite(position.y) || !isfinite(position.z))
            return sn_text_fail(&vtu->text, piece->arrays[POINTS].place,
                                "point %llu is at %g %g %g, expected finite numbers",
                                (unsigned long long)i, x[0], x[1], x[2]);
        SN_TRY(sn_io_build_vertex(vtu->build, position));
    }
    return SN_OK;
}

/* The cells of VTK that a mesh can hold, with the corners they have; 0 for any number of them. */
enum {
    CELL_VERTEX = 1,
    CELL_VERTICES = 2,
    CELL_LINE = 3,
    CELL_LINES = 4,
    CELL_TRIANGLE = 5,
    CELL_STRIP = 6,
    CELL_POLYGON = 7,
    CELL_PIXEL = 8,
    CELL_QUADRILATERAL = 9,
    CELL_TET = 10
};

static sn_result add_lines(sn_io_build *build, const uint32_t *corners, size_t count) {
    for (size_t i = 1; i < count; i++) SN_TRY(sn_io_build_line(build, corners[i - 1], corners[i]));
    return SN_OK;
}

/* Every other triangle of a strip is turned round. */
static sn_result add_strip(sn_io_build *build, const uint32_t *corners, size_t count) {
    for (size_t i = 2; i < count; i++) {
        size_t odd = i % 2;
        SN_TRY(sn_io_build_triangle(build, corners[i - 2 + odd], corners[i - 1 - odd], corners[i]));
    }
    return SN_OK;
}

static sn_result add_cell(sn_io_build *build, int64_t type, uint32_t *corners, size_t count) {
    if (type == CELL_VERTEX || type == CELL_VERTICES) return SN_OK;
    if (type == CELL_LINE || type == CELL_LINES) return add_lines(build, corners, count);
    if (type == CELL_STRIP) return add_strip(build, corners, count);
    if (type == CELL_TET) return sn_io_build_tet(build, corners);
    if (type == CELL_PIXEL) {
        uint32_t corner = corners[2];
        corners[2] = corners[3];
        corners[3] = corner;
    }
    return sn_io_build_polygon(build, corners, count);
}

/* Whether a cell can be held and has the corners that its type asks for. */
static sn_result check_cell(const vtu_file *vtu, const vtu_piece *piece, uint64_t cell,
                            int64_t type, int64_t count) {
    static const struct {
        int64_t least, most;
    } corners[] = {[CELL_VERTEX] = {1, 1},
                   [CELL_VERTICES] = {1, INT64_MAX},
                   [CELL_LINE] = {2, 2},
                   [CELL_LINES] = {2, INT64_MAX},
                   [CELL_TRIANGLE] = {3, 3},
                   [CELL_STRIP] = {3, INT64_MAX},
                   [CELL_POLYGON] = {3, INT64_MAX},
                   [CELL_PIXEL] = {4, 4},
                   [CELL_QUADRILATERAL] = {4, 4},
                   [CELL_TET] = {4, 4}};
    if (type < 1 || type > CELL_TET)
        return sn_text_fail(&vtu->text, piece->arrays[TYPES].place,
                            "cell %llu is %s (type %lld of VTK), which a mesh cannot hold",
                            (unsigned long long)cell,
                            type == 11 || type == 12 ? "a hexahedron"
                            : type == 13             ? "a prism"
                            : type == 14             ? "a pyramid"
                                                     : "of another kind",
                            (long long)type);
    if (count < corners[type].least || count > corners[type].most)
        return sn_text_fail(&vtu->text, piece->arrays[OFFSETS].place,
                            "cell %llu of type %lld has %lld corners", (unsigned long long)cell,
                            (long long)type, (long long)count);
    return SN_OK;
}

typedef struct vtu_cells {
    sn_io_build_list connectivity, offsets, types; /* int64_t */
} vtu_cells;

static sn_result read_cell_arrays(vtu_file *vtu, const vtu_piece *piece, vtu_cells *cells) {
    for (int k = CONNECTIVITY; k < ARRAYS; k++) SN_TRY(need_array(vtu, piece, k));
    SN_TRY(sn_vtu_integers(vtu, &piece->arrays[OFFSETS], piece->cells, "offsets", &cells->offsets));
    SN_TRY(sn_vtu_integers(vtu, &piece->arrays[TYPES], piece->cells, "types", &cells->types));
    const int64_t *offsets = cells->offsets.items;
    int64_t last = 0;
    for (uint64_t i = 0; i < piece->cells; i++) {
        if (offsets[i] < last)
            return sn_text_fail(&vtu->text, piece->arrays[OFFSETS].place,
                                "offset %llu is %lld, expected at least %lld",
                                (unsigned long long)i, (long long)offsets[i], (long long)last);
        last = offsets[i];
    }
    return sn_vtu_integers(vtu, &piece->arrays[CONNECTIVITY], (uint64_t)last, "corners",
                           &cells->connectivity);
}

static sn_result read_cells(vtu_file *vtu, const vtu_piece *piece, uint32_t first,
                            vtu_cells *cells) {
    sn_io_build *build = vtu->build;
    if (piece->cells == 0) return SN_OK;
    SN_TRY(read_cell_arrays(vtu, piece, cells));
    const int64_t *offsets = cells->offsets.items, *types = cells->types.items,
                  *connectivity = cells->connectivity.items;
    for (uint64_t i = 0; i < piece->cells; i++) {
        int64_t begin = i == 0 ? 0 : offsets[i - 1];
        SN_TRY(check_cell(vtu, piece, i, types[i], offsets[i] - begin));
        build->corners.count = 0;
        for (int64_t k = begin; k < offsets[i]; k++) {
            if (connectivity[k] < 0 || (uint64_t)connectivity[k] >= piece->points)
                return sn_text_fail(&vtu->text, piece->arrays[CONNECTIVITY].place,
                                    "cell %llu uses point %lld, but the piece has %llu points",
                                    (unsigned long long)i, (long long)connectivity[k],
                                    (unsigned long long)piece->points);
            SN_TRY(sn_io_build_corner(build, first + (uint32_t)connectivity[k]));
        }
        sn_result result = add_cell(build, types[i], build->corners.items, build->corners.count);
        if (result == SN_ERROR_LIMIT)
            return sn_text_within(&vtu->text, piece->arrays[CONNECTIVITY].place, result);
        SN_TRY(result);
    }
    return SN_OK;
}

/* Groups of the points of a piece. A mesh is whole without them, so an array that cannot be read is
   passed over. */
static sn_result read_weights(vtu_file *vtu, size_t index, const vtu_piece *piece, uint32_t first,
                              bool is_raw, sn_io_build_list *list) {
    vtu_weights *items = vtu->weights.items;
    for (size_t i = 0; i < vtu->weights.count; i++) {
        vtu_weights *w = &items[i];
        if (w->piece != index || piece->points == 0) continue;
        if (w->array.is_appended) w->array.format = is_raw ? VTU_RAW : VTU_BASE64;
        sn_result result = sn_vtu_reals(vtu, &w->array, piece->points, "weights", list);
        if (result == SN_ERROR_MEMORY) return result;
        if (result == SN_OK)
            SN_TRY(sn_io_build_weights(vtu->build, w->name, w->length, first, list->items,
                                       (size_t)piece->points));
    }
    return SN_OK;
}

static sn_result read_pieces(vtu_file *vtu, sn_io_build_list *pieces, sn_io_build_list *reals,
                             vtu_cells *cells) {
    bool is_raw = false;
    SN_TRY(find_arrays(vtu, pieces, &is_raw));
    for (size_t i = 0; i < pieces->count; i++) {
        vtu_piece *piece = &((vtu_piece *)pieces->items)[i];
        for (int k = 0; k < ARRAYS; k++)
            if (piece->arrays[k].is_appended)
                piece->arrays[k].format = is_raw ? VTU_RAW : VTU_BASE64;
        uint32_t first = (uint32_t)vtu->build->mesh.vertex_count;
        SN_TRY(read_points(vtu, piece, reals));
        SN_TRY(read_cells(vtu, piece, first, cells));
        SN_TRY(read_weights(vtu, i, piece, first, is_raw, reals));
    }
    return SN_OK;
}

sn_result sn_read_vtu(const sn_source *source, sn_io_build *build) {
    vtu_file vtu = {.source = source, .text = sn_source_text(source), .build = build};
    sn_io_build_list pieces = {0}, reals = {0};
    vtu_cells cells = {0};
    sn_result result = read_pieces(&vtu, &pieces, &reals, &cells);
    sn_io_build_list_free(build, &pieces);
    sn_io_build_list_free(build, &vtu.weights);
    sn_io_build_list_free(build, &reals);
    sn_io_build_list_free(build, &cells.connectivity);
    sn_io_build_list_free(build, &cells.offsets);
    sn_io_build_list_free(build, &cells.types);
    return result;
}
