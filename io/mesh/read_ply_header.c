/* The header of PLY. */
#include "io/mesh/read_ply.h"

#include <string.h>

static sn_result read_format(ply_file *ply) {
    sn_text *text = &ply->text;
    sn_text_skip_blanks(text);
    const char *at = text->at;
    ply->is_text = sn_text_take(text, "ascii");
    if (!ply->is_text) {
        ply->is_big = sn_text_take(text, "binary_big_endian");
        if (!ply->is_big && !sn_text_take(text, "binary_little_endian"))
            return sn_text_unexpected(
                text, at, "ascii, binary_little_endian or binary_big_endian as the format");
    }
    sn_text_skip_blanks(text);
    at = text->at;
    if (!sn_text_take(text, "1.0")) return sn_text_unexpected(text, at, "version 1.0");
    return SN_OK;
}

static ply_kind kind_of(const char *name) {
    static const struct {
        const char *name;
        ply_kind kind;
    } kinds[] = {
        {"vertex", PLY_VERTICES}, {"face", PLY_FACES}, {"tristrips", PLY_STRIPS},
        {"edge", PLY_LINES},      {"tet", PLY_TETS},   {"tetrahedra", PLY_TETS},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(name, kinds[i].name) == 0) return kinds[i].kind;
    return PLY_OTHER;
}

static sn_result read_element(ply_file *ply) {
    sn_text *text = &ply->text;
    sn_text_skip_blanks(text);
    const char *word;
    size_t length = sn_text_word(text, &word);
    if (length == 0) return sn_text_unexpected(text, word, "the name of an element");
    if (ply->element_count == PLY_ELEMENTS_MOST)
        return sn_text_fail(text, word, "there are more than %d elements", PLY_ELEMENTS_MOST);
    ply_element *element = &ply->elements[ply->element_count];
    *element = (ply_element){.place = word, .properties = ply->properties + ply->property_count};
    if (length >= PLY_NAME_MOST) length = PLY_NAME_MOST - 1;
    memcpy(element->name, word, length);
    element->kind = kind_of(element->name);
    for (size_t i = 0; element->kind != PLY_OTHER && i < ply->element_count; i++)
        if (ply->elements[i].kind == element->kind)
            return sn_text_fail(text, word, "element \"%s\" is there already", element->name);
    (void)sn_text_skip_words(text, 1, "");
    int64_t count;
    SN_TRY(sn_text_integer_within(text, "a number of elements", 0, INT64_MAX, &count));
    element->count = (uint64_t)count;
    ply->element_count++;
    return SN_OK;
}

static sn_result read_type(sn_text *text, sn_scalar *type) {
    static const struct {
        const char *name;
        sn_scalar type;
    } types[] = {
        {"char", SCALAR_I8},     {"int8", SCALAR_I8},    {"uchar", SCALAR_U8},
        {"uint8", SCALAR_U8},    {"short", SCALAR_I16},  {"int16", SCALAR_I16},
        {"ushort", SCALAR_U16},  {"uint16", SCALAR_U16}, {"int", SCALAR_I32},
        {"int32", SCALAR_I32},   {"uint", SCALAR_U32},   {"uint32", SCALAR_U32},
        {"int64", SCALAR_I64},   {"uint64", SCALAR_U64}, {"float", SCALAR_F32},
        {"float32", SCALAR_F32}, {"double", SCALAR_F64}, {"float64", SCALAR_F64},
    };
    sn_text_skip_blanks(text);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        *type = types[i].type;
        if (sn_text_take(text, types[i].name)) return SN_OK;
    }
    return sn_text_unexpected(text, text->at, "a type such as float, int or uchar");
}

static ply_role role_of(ply_kind kind, bool is_list, const char *name, size_t length) {
    static const struct {
        ply_kind kind;
        bool is_list;
        const char *name;
        ply_role role;
    } roles[] = {
        {PLY_VERTICES, false, "x", PLY_X},
        {PLY_VERTICES, false, "y", PLY_Y},
        {PLY_VERTICES, false, "z", PLY_Z},
        {PLY_VERTICES, false, "s", PLY_U},
        {PLY_VERTICES, false, "t", PLY_V},
        {PLY_VERTICES, false, "u", PLY_U},
        {PLY_VERTICES, false, "v", PLY_V},
        {PLY_VERTICES, false, "texture_u", PLY_U},
        {PLY_VERTICES, false, "texture_v", PLY_V},
        {PLY_VERTICES, false, "red", PLY_RED},
        {PLY_VERTICES, false, "green", PLY_GREEN},
        {PLY_VERTICES, false, "blue", PLY_BLUE},
        {PLY_VERTICES, false, "diffuse_red", PLY_RED},
        {PLY_VERTICES, false, "diffuse_green", PLY_GREEN},
        {PLY_VERTICES, false, "diffuse_blue", PLY_BLUE},
        {PLY_FACES, true, "vertex_indices", PLY_CORNERS},
        {PLY_FACES, true, "vertex_index", PLY_CORNERS},
        {PLY_STRIPS, true, "vertex_indices", PLY_CORNERS},
        {PLY_STRIPS, true, "vertex_index", PLY_CORNERS},
        {PLY_TETS, true, "vertex_indices", PLY_CORNERS},
        {PLY_TETS, true, "vertex_index", PLY_CORNERS},
        {PLY_LINES, false, "vertex1", PLY_FROM},
        {PLY_LINES, false, "vertex2", PLY_TO},
    };
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (roles[i].kind == kind && roles[i].is_list == is_list &&
            strlen(roles[i].name) == length && memcmp(roles[i].name, name, length) == 0)
            return roles[i].role;
    return PLY_NONE;
}

/* What vertices may have that is no group: normals and how clear they are. */
static bool is_known(const char *name, size_t length) {
    static const char *const names[] = {"nx", "ny", "nz", "alpha"};
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        known = known || (strlen(names[i]) == length && memcmp(names[i], name, length) == 0);
    return known;
}

static sn_result read_property(ply_file *ply) {
    sn_text *text = &ply->text;
    sn_text_skip_blanks(text);
    const char *at = text->at;
    if (ply->element_count == 0)
        return sn_text_fail(text, at, "a property comes before the first element");
    if (ply->property_count == PLY_PROPERTIES_MOST)
        return sn_text_fail(text, at, "there are more than %d properties", PLY_PROPERTIES_MOST);
    ply_element *element = &ply->elements[ply->element_count - 1];
    ply_property property = {.is_list = sn_text_take(text, "list")};
    if (property.is_list) {
        sn_text_skip_blanks(text);
        at = text->at;
        SN_TRY(read_type(text, &property.count));
        if (sn_scalar_is_real(property.count))
            return sn_text_unexpected(text, at, "a type of whole numbers for the length of a list");
    }
    sn_text_skip_blanks(text);
    at = text->at;
    SN_TRY(read_type(text, &property.type));
    sn_text_skip_blanks(text);
    const char *name;
    size_t length = sn_text_word(text, &name);
    if (length == 0) return sn_text_unexpected(text, name, "the name of a property");
    text->at += length;
    property.role = role_of(element->kind, property.is_list, name, length);
    property.name = name;
    property.length = length;
    if (element->kind == PLY_VERTICES && property.role == PLY_NONE && !property.is_list &&
        !is_known(name, length))
        property.role = PLY_WEIGHT;
    if (property.role >= PLY_CORNERS && sn_scalar_is_real(property.type))
        return sn_text_unexpected(text, at, "a type of whole numbers for indices");
    /* Of several texture coordinates or colours the first count. */
    bool is_look = property.role >= PLY_U && property.role <= PLY_BLUE;
    for (size_t i = 0; is_look && i < element->property_count; i++)
        if (element->properties[i].role == property.role) property.role = PLY_NONE;
    bool is_unique = property.role != PLY_NONE && property.role != PLY_WEIGHT;
    for (size_t i = 0; is_unique && i < element->property_count; i++)
        if (element->properties[i].role == property.role)
            return sn_text_fail(text, name, "property \"%.*s\" is there already", (int)length,
                                name);
    ply->properties[ply->property_count++] = property;
    element->property_count++;
    return SN_OK;
}

static bool has_role(const ply_element *element, ply_role role) {
    for (size_t i = 0; i < element->property_count; i++)
        if (element->properties[i].role == role) return true;
    return false;
}

/* Whether elements have what they need. */
static sn_result check_header(const ply_file *ply) {
    static const struct {
        ply_kind kind;
        ply_role role;
        const char *name;
    } needed[] = {
        {PLY_VERTICES, PLY_X, "x"},
        {PLY_VERTICES, PLY_Y, "y"},
        {PLY_VERTICES, PLY_Z, "z"},
        {PLY_FACES, PLY_CORNERS, "list vertex_indices"},
        {PLY_STRIPS, PLY_CORNERS, "list vertex_indices"},
        {PLY_TETS, PLY_CORNERS, "list vertex_indices"},
        {PLY_LINES, PLY_FROM, "vertex1"},
        {PLY_LINES, PLY_TO, "vertex2"},
    };
    bool has_vertices = false;
    for (size_t i = 0; i < ply->element_count; i++) {
        const ply_element *element = &ply->elements[i];
        has_vertices |= element->kind == PLY_VERTICES;
        for (size_t k = 0; k < sizeof needed / sizeof needed[0]; k++)
            if (needed[k].kind == element->kind && !has_role(element, needed[k].role))
                return sn_text_fail(&ply->text, element->place, "element \"%s\" has no property %s",
                                    element->name, needed[k].name);
    }
    if (!has_vertices)
        return sn_text_fail(&ply->text, ply->text.begin, "the header has no element vertex");
    return SN_OK;
}

sn_result sn_ply_header(ply_file *ply) {
    sn_text *text = &ply->text;
    bool has_format = false;
    if (!sn_text_take(text, "ply"))
        return sn_text_fail(text, text->at, "the file does not begin with \"ply\"");
    SN_TRY(sn_text_end_line(text, "the end of the line"));
    for (;;) {
        sn_text_skip_blanks(text);
        const char *at = text->at;
        if (sn_text_take(text, "end_header")) break;
        if (sn_text_take(text, "comment") || sn_text_take(text, "obj_info")) {
            sn_text_next_line(text);
            continue;
        }
        if (sn_text_take(text, "format")) {
            SN_TRY(read_format(ply));
            has_format = true;
        } else if (sn_text_take(text, "element")) {
            SN_TRY(read_element(ply));
        } else if (sn_text_take(text, "property")) {
            SN_TRY(read_property(ply));
        } else {
            return sn_text_unexpected(text, at, "format, comment, element, property or end_header");
        }
        SN_TRY(sn_text_end_line(text, "the end of the line"));
    }
    /* Whatever follows the end of this line is data, blanks included. */
    SN_TRY(sn_text_end_line(text, "the end of the header"));
    if (!has_format) return sn_text_fail(text, text->begin, "the header has no line \"format\"");
    return check_header(ply);
}
