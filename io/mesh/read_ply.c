/*
 * PLY: a header in text that says which elements follow and which properties each of them has, then
 * the elements in text or in binary of either order of bytes.
 *
 * One row after the other goes through `next_value`, which hides how numbers are written. Elements
 * of no interest are passed over the same way. Elements that come before the vertices are visited
 * again after them, since polygons need positions.
 */
#include "io/mesh/read_ply.h"

#include <math.h>
#include <stdarg.h>

/* ---- Values ---- */

/* Fails where fewer bytes are left than a value takes. */
static sn_result check_bytes(const ply_file *ply, const ply_element *element, size_t size) {
    const sn_text *text = &ply->text;
    if ((size_t)(text->end - text->at) >= size) return SN_OK;
    return sn_source_fail(ply->source, (size_t)(text->at - text->begin),
                          "the file ends within element \"%s\"", element->name);
}

static sn_result next_real(ply_file *ply, const ply_element *element, sn_scalar type,
                           double *value) {
    if (ply->is_text) {
        sn_real number;
        SN_TRY(sn_text_real(&ply->text, "a number", &number));
        *value = (double)number;
        return SN_OK;
    }
    size_t size = sn_scalar_size(type);
    SN_TRY(check_bytes(ply, element, size));
    *value = sn_scalar_real(ply->text.at, type, ply->is_big);
    ply->text.at += size;
    return SN_OK;
}

static sn_result next_integer(ply_file *ply, const ply_element *element, sn_scalar type,
                              int64_t *value) {
    if (ply->is_text) return sn_text_integer(&ply->text, "a whole number", value);
    size_t size = sn_scalar_size(type);
    SN_TRY(check_bytes(ply, element, size));
    *value = sn_scalar_integer(ply->text.at, type, ply->is_big);
    ply->text.at += size;
    return SN_OK;
}

/* A complaint about what is `size` bytes behind; in text, about the word that was read last. */
SN_PRINTF(3, 4)
static sn_result fail_back(const ply_file *ply, size_t size, const char *format, ...) {
    const sn_text *text = &ply->text;
    char sentence[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const char *at = text->at;
    if (!ply->is_text)
        return sn_source_fail(ply->source, (size_t)(at - text->begin) - size, "%s", sentence);
    while (at > text->begin && !sn_text_is_blank(at[-1]) && !sn_text_is_break(at[-1])) at--;
    return sn_text_fail(text, at, "%s", sentence);
}

static sn_result next_count(ply_file *ply, const ply_element *element, sn_scalar type,
                            size_t *count) {
    int64_t value;
    SN_TRY(next_integer(ply, element, type, &value));
    /* Each takes at least one byte. */
    size_t room = (size_t)(ply->text.end - ply->text.at);
    if (value < 0 || (uint64_t)value > room)
        return fail_back(ply, sn_scalar_size(type),
                         "a list has %lld items, but the file has only %zu more bytes",
                         (long long)value, room);
    *count = (size_t)value;
    return SN_OK;
}

static sn_result next_index(ply_file *ply, const ply_element *element, sn_scalar type,
                            uint32_t *vertex) {
    int64_t value;
    SN_TRY(next_integer(ply, element, type, &value));
    size_t count = ply->build->mesh.vertex_count;
    if (value < 0 || (uint64_t)value >= count)
        return fail_back(ply, sn_scalar_size(type),
                         "vertex %lld is used by %s %llu, but the file has %zu vertices",
                         (long long)value, element->name, (unsigned long long)ply->row, count);
    *vertex = (uint32_t)value;
    return SN_OK;
}

/* Passes over a property. */
static sn_result skip_property(ply_file *ply, const ply_element *element,
                               const ply_property *property) {
    size_t count = 1;
    if (property->is_list) SN_TRY(next_count(ply, element, property->count, &count));
    if (ply->is_text) return sn_text_skip_words(&ply->text, count, "a number");
    size_t size = sn_scalar_size(property->type);
    SN_TRY(check_bytes(ply, element, 1));
    if (count > (size_t)(ply->text.end - ply->text.at) / size)
        return check_bytes(ply, element, SIZE_MAX);
    ply->text.at += count * size;
    return SN_OK;
}

/* After the last property of a row. */
static sn_result end_row(ply_file *ply) {
    return ply->is_text ? sn_text_end_line(&ply->text, "the end of the element") : SN_OK;
}

/* Before the first: empty lines are no rows. */
static void begin_row(ply_file *ply) {
    while (ply->is_text && ply->text.at < ply->text.end && sn_text_at_line_end(&ply->text) &&
           ply->text.at < ply->text.end)
        sn_text_next_line(&ply->text);
}

/* ---- Elements ---- */

/* Whether a property of a vertex is asked for. */
static bool is_wanted(const ply_file *ply, ply_role role) {
    if (role == PLY_U || role == PLY_V) return ply->build->wants_uvs;
    if (role >= PLY_RED && role <= PLY_BLUE) return ply->build->wants_colours;
    return role >= PLY_X && role <= PLY_Z;
}

/* What a part of a colour counts as 1. */
static double full_of(sn_scalar type) {
    if (type == SCALAR_U8) return 255;
    return type == SCALAR_U16 ? 65535 : sn_scalar_is_real(type) ? 1 : 255;
}

/* Texture coordinates and colour of the last vertex, NaN where it has none. */
static sn_result add_looks(ply_file *ply, const double uv[2], const double colour[3]) {
    uint32_t vertex = (uint32_t)ply->build->mesh.vertex_count - 1;
    if (!isnan(uv[0]) && !isnan(uv[1]))
        SN_TRY(sn_io_build_set_uv(ply->build, vertex, uv[0], uv[1]));
    if (isnan(colour[0]) || isnan(colour[1]) || isnan(colour[2])) return SN_OK;
    return sn_io_build_set_colour(ply->build, vertex, colour);
}

/* A number of the next vertex that may be a weight. */
static sn_result read_weight(ply_file *ply, const ply_element *element, ply_property *property) {
    double value;
    uint32_t vertex = (uint32_t)ply->build->mesh.vertex_count;
    /* What is no number is no weight, and no reason to refuse the file. */
    const char *at = ply->text.at;
    if (property->is_other) return skip_property(ply, element, property);
    if (next_real(ply, element, property->type, &value) != SN_OK) {
        ply->text.at = at;
        property->is_other = true;
        return skip_property(ply, element, property);
    }
    property->is_other = !(value >= 0 && value <= 1);
    if (property->is_other || !(value > 0.5)) return SN_OK;
    SN_TRY(sn_io_build_list_reserve(ply->build, &property->members, 1, sizeof vertex));
    ((uint32_t *)property->members.items)[property->members.count++] = vertex;
    return SN_OK;
}

/* Those that are weights from the first to the last are groups. */
static sn_result add_groups(ply_file *ply) {
    for (ply_property *p = ply->properties; p < ply->properties + ply->property_count; p++) {
        uint32_t group;
        if (p->role != PLY_WEIGHT || p->is_other || p->members.count == 0) continue;
        SN_TRY(sn_io_build_group(ply->build, p->name, p->length, &group));
        SN_TRY(sn_io_build_members(ply->build, group, p->members.items, p->members.count));
    }
    return SN_OK;
}

static sn_result read_vertex(ply_file *ply, const ply_element *element) {
    double x[8] = {0, 0, 0, NAN, NAN, NAN, NAN, NAN};
    size_t start = (size_t)(ply->text.at - ply->text.begin);
    for (size_t i = 0; i < element->property_count; i++) {
        ply_property *property = &element->properties[i];
        if (property->role == PLY_WEIGHT) {
            SN_TRY(read_weight(ply, element, property));
            continue;
        }
        if (!is_wanted(ply, property->role)) {
            SN_TRY(skip_property(ply, element, property));
            continue;
        }
        double *value = &x[property->role - PLY_X];
        SN_TRY(next_real(ply, element, property->type, value));
        if (property->role >= PLY_RED) *value /= full_of(property->type);
    }
    sn_vec3 position = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
    if (!isfinite(position.x) || !isfinite(position.y) || !isfinite(position.z))
        return sn_source_fail(ply->source, start,
                              "vertex %zu is at %g %g %g, expected finite numbers",
                              ply->build->mesh.vertex_count, x[0], x[1], x[2]);
    SN_TRY(sn_io_build_vertex(ply->build, position));
    return add_looks(ply, x + 3, x + 5);
}

/* Strips of triangles, with -1 between them; every other triangle is turned round. */
static sn_result read_strips(ply_file *ply, const ply_element *element,
                             const ply_property *property) {
    size_t count = 0, length = 0;
    uint32_t last[2] = {0, 0}, vertex = 0;
    SN_TRY(next_count(ply, element, property->count, &count));
    for (size_t i = 0; i < count; i++) {
        int64_t value;
        const char *at = ply->text.at;
        SN_TRY(next_integer(ply, element, property->type, &value));
        if (value == -1) {
            length = 0;
            continue;
        }
        ply->text.at = at;
        SN_TRY(next_index(ply, element, property->type, &vertex));
        if (length >= 2 && length % 2 == 0)
            SN_TRY(sn_io_build_triangle(ply->build, last[0], last[1], vertex));
        else if (length >= 2)
            SN_TRY(sn_io_build_triangle(ply->build, last[1], last[0], vertex));
        last[0] = last[1];
        last[1] = vertex;
        length++;
    }
    return SN_OK;
}

/* A polygon, or a tet. */
static sn_result read_corners(ply_file *ply, const ply_element *element,
                              const ply_property *property) {
    sn_io_build *build = ply->build;
    size_t count = 0, start = (size_t)(ply->text.at - ply->text.begin);
    const char *begin = ply->text.at;
    SN_TRY(next_count(ply, element, property->count, &count));
    bool is_tet = element->kind == PLY_TETS;
    if (is_tet && count != 4)
        return fail_back(ply, sn_scalar_size(property->count), "a tet has %zu corners, expected 4",
                         count);
    if (count < 3)
        return fail_back(ply, sn_scalar_size(property->count),
                         "a face has %zu corners, expected at least 3", count);
    build->corners.count = 0;
    SN_TRY(sn_io_build_list_reserve(build, &build->corners, count, sizeof(uint32_t)));
    uint32_t *corners = build->corners.items;
    for (size_t i = 0; i < count; i++)
        SN_TRY(next_index(ply, element, property->type, &corners[i]));
    if (is_tet) return sn_io_build_tet(build, corners);
    sn_result result = sn_io_build_polygon(build, corners, count);
    if (result != SN_ERROR_LIMIT) return result;
    return ply->is_text ? sn_text_within(&ply->text, begin, result)
                        : sn_source_within(ply->source, start, result);
}

static sn_result read_row(ply_file *ply, const ply_element *element) {
    uint32_t ends[2] = {0, 0};
    for (size_t i = 0; i < element->property_count; i++) {
        const ply_property *property = &element->properties[i];
        if (property->role == PLY_CORNERS && element->kind == PLY_STRIPS)
            SN_TRY(read_strips(ply, element, property));
        else if (property->role == PLY_CORNERS)
            SN_TRY(read_corners(ply, element, property));
        else if (property->role == PLY_FROM || property->role == PLY_TO)
            SN_TRY(next_index(ply, element, property->type, &ends[property->role == PLY_TO]));
        else
            SN_TRY(skip_property(ply, element, property));
    }
    return element->kind == PLY_LINES ? sn_io_build_line(ply->build, ends[0], ends[1]) : SN_OK;
}

static sn_result skip_row(ply_file *ply, const ply_element *element) {
    for (size_t i = 0; i < element->property_count; i++)
        SN_TRY(skip_property(ply, element, &element->properties[i]));
    return SN_OK;
}

typedef sn_result row_reader(ply_file *ply, const ply_element *element);

static sn_result read_rows(ply_file *ply, const ply_element *element, row_reader *read) {
    if (element->property_count == 0) return SN_OK;
    for (uint64_t i = 0; i < element->count; i++) {
        ply->row = i;
        begin_row(ply);
        SN_TRY(read(ply, element));
        SN_TRY(end_row(ply));
    }
    return SN_OK;
}

/* Room for what the header promises, which has to be in the file. */
static sn_result check_element(ply_file *ply, const ply_element *element) {
    const sn_text *text = &ply->text;
    uint64_t row = 0;
    for (size_t i = 0; i < element->property_count; i++) {
        const ply_property *property = &element->properties[i];
        row +=
            ply->is_text ? 2 : sn_scalar_size(property->is_list ? property->count : property->type);
    }
    uint64_t room = (uint64_t)(text->end - text->at) + (ply->is_text ? 1 : 0);
    if (row > 0 && element->count > room / row)
        return sn_text_fail(text, element->place,
                            "%llu elements \"%s\" are promised, but the file has only %zu more "
                            "bytes for them",
                            (unsigned long long)element->count, element->name,
                            (size_t)(text->end - text->at));
    static const int kinds[] = {[PLY_VERTICES] = BUILD_VERTICES,
                                [PLY_FACES] = BUILD_TRIANGLES,
                                [PLY_TETS] = BUILD_TETS,
                                [PLY_LINES] = BUILD_LINES};
    if (row == 0 || element->kind == PLY_OTHER || element->kind == PLY_STRIPS) return SN_OK;
    return sn_io_build_reserve(ply->build, kinds[element->kind], (size_t)element->count);
}

static sn_result read_elements(ply_file *ply) {
    size_t vertices = 0;
    const char *after = NULL, *start = ply->text.at;
    while (ply->elements[vertices].kind != PLY_VERTICES) vertices++;
    /* Those before the vertices are passed over at first. */
    for (size_t i = 0; i <= vertices; i++) {
        const ply_element *element = &ply->elements[i];
        SN_TRY(check_element(ply, element));
        SN_TRY(read_rows(ply, element, i == vertices ? read_vertex : skip_row));
    }
    after = ply->text.at;
    ply->text.at = start;
    for (size_t i = 0; i < ply->element_count; i++) {
        const ply_element *element = &ply->elements[i];
        if (i == vertices) {
            ply->text.at = after;
            continue;
        }
        SN_TRY(check_element(ply, element));
        SN_TRY(read_rows(ply, element, element->kind == PLY_OTHER ? skip_row : read_row));
    }
    return SN_OK;
}

sn_result sn_read_ply(const sn_source *source, sn_io_build *build) {
    ply_file ply = {.source = source, .text = sn_source_text(source), .build = build};
    SN_TRY(sn_ply_header(&ply));
    sn_result result = read_elements(&ply);
    if (result == SN_OK) result = add_groups(&ply);
    for (size_t i = 0; i < ply.property_count; i++)
        sn_io_build_list_free(build, &ply.properties[i].members);
    return result;
}
