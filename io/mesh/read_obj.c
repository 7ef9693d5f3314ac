/*
 * Wavefront OBJ.
 *
 * Two passes, since faces may come before their vertices: the first takes the positions, the second
 * all the rest. A line that ends with a backslash goes on in the next one, unless it is a comment.
 */
#include "io/mesh/read_mtl.h"

#include <string.h>

typedef struct obj_file {
    sn_text text;
    const sn_source *source;
    sn_io_build *build;
    size_t defined;                            /* vertices before this line */
    size_t placed;                             /* texture coordinates before it */
    sn_io_build_list places;                   /* all of those, sn_io_build_uv */
    uint32_t groups[BUILD_GROUPS_MOST], count; /* where elements belong; the first is the object */
    bool has_object;
    mtl_library library;         /* materials so far */
    bool is_painted;             /* whether the material has a colour */
    double paint[3];             /* that one */
    uint32_t look;               /* of the material that is used */
    size_t faces, lines, points; /* so far, with the one that is read */
} obj_file;

typedef sn_result obj_statement(obj_file *obj);

/* ---- Lines ---- */

/* Whether a backslash makes the next line a part of this one; passes over both. */
static bool is_continued(sn_text *text) {
    const char *at = text->at;
    if (at >= text->end || *at != '\\') return false;
    at++;
    if (at + 1 < text->end && at[0] == '\r' && at[1] == '\n') at++;
    if (at >= text->end || !sn_text_is_break(*at)) return false;
    text->at = at + 1;
    return true;
}

/* Whether nothing is left of the statement; passes over blanks. */
static bool at_end(obj_file *obj) {
    do sn_text_skip_blanks(&obj->text);
    while (is_continued(&obj->text));
    const char *at = obj->text.at;
    return at >= obj->text.end || sn_text_is_break(*at) || *at == '#';
}

static void skip_statement(sn_text *text) {
    bool is_comment = text->at < text->end && *text->at == '#';
    for (;;) {
        const char *at = text->at, *end = text->end;
        while (at < end && !sn_text_is_break(*at)) at++;
        bool is_continued_here = !is_comment && at > text->at && at[-1] == '\\';
        text->at = at;
        sn_text_next_line(text);
        if (!is_continued_here || text->at >= end) return;
    }
}

/* ---- Elements ---- */

static sn_result read_position(obj_file *obj) {
    sn_vec3 x = {0, 0, 0};
    sn_real extra[4];
    sn_real *const coordinates[] = {&x.x, &x.y, &x.z};
    for (int k = 0; k < 3; k++) {
        (void)at_end(obj);
        SN_TRY(sn_text_real(&obj->text, "a coordinate", coordinates[k]));
    }
    /* A weight or a colour, or both. */
    int extras = 0;
    for (; extras < 4 && !at_end(obj); extras++)
        SN_TRY(sn_text_real(&obj->text, "a weight or a colour", &extra[extras]));
    if (!at_end(obj)) return sn_text_unexpected(&obj->text, obj->text.at, "the end of the vertex");
    SN_TRY(sn_io_build_vertex(obj->build, x));
    if (extras < 3 || !obj->build->wants_colours) return SN_OK;
    obj->build->has_vertex_colours = true;
    const sn_real *last = extra + extras - 3;
    const double colour[3] = {(double)last[0], (double)last[1], (double)last[2]};
    return sn_io_build_set_colour(obj->build, (uint32_t)obj->build->mesh.vertex_count - 1, colour);
}

/* Texture coordinates, of which the second may be missing. */
static sn_result read_place(obj_file *obj) {
    sn_real uv[2] = {0, 0};
    for (int k = 0; k < 2 && !at_end(obj); k++)
        SN_TRY(sn_text_real(&obj->text, "a texture coordinate", &uv[k]));
    SN_TRY(sn_io_build_list_reserve(obj->build, &obj->places, 1, sizeof(sn_io_build_uv)));
    ((sn_io_build_uv *)obj->places.items)[obj->places.count++] =
        (sn_io_build_uv){{(double)uv[0], (double)uv[1]}, true};
    return SN_OK;
}

/* Gives a vertex the texture coordinates of an index; one that is none is passed over. */
static sn_result use_place(obj_file *obj, uint32_t vertex, int64_t index) {
    int64_t place = index > 0 ? index - 1 : (int64_t)obj->placed + index;
    if (index == 0 || place < 0 || (uint64_t)place >= obj->places.count) return SN_OK;
    const sn_io_build_uv *uv = &((const sn_io_build_uv *)obj->places.items)[place];
    return sn_io_build_set_uv(obj->build, vertex, uv->x[0], uv->x[1]);
}

/* What follows the index of a vertex: "/vt", "/vt/vn" or "//vn"; they must be numbers. *place is
   the first of them, 0 where there is none. */
static bool read_references(sn_text *text, int64_t *place) {
    *place = 0;
    int64_t normal;
    for (int k = 0; k < 2 && text->at < text->end && *text->at == '/'; k++) {
        text->at++;
        bool is_empty = text->at >= text->end || sn_text_is_blank(*text->at) ||
                        sn_text_is_break(*text->at) || (k == 0 && *text->at == '/');
        if (!is_empty && !sn_text_scan_integer(text, k == 0 ? place : &normal)) return false;
    }
    return text->at >= text->end || sn_text_is_blank(*text->at) || sn_text_is_break(*text->at);
}

/* The corners of an element, the how manieth of its kind it is, into build->corners. */
static sn_result read_corners(obj_file *obj, size_t least, const char *what, size_t number) {
    sn_io_build *build = obj->build;
    sn_text *text = &obj->text;
    const char *begin = text->at;
    build->corners.count = 0;
    while (!at_end(obj)) {
        const char *at = text->at;
        int64_t index, place;
        if (!sn_text_scan_integer(text, &index) || !read_references(text, &place))
            return sn_text_unexpected(text, at, "the index of a vertex, as in 5, 5/1 or 5/1/1");
        /* From 1, or from the last one backwards. */
        int64_t vertex = index > 0 ? index - 1 : (int64_t)obj->defined + index;
        if (index == 0)
            return sn_text_fail(text, at, "vertex 0 is used by %s %zu, expected 1 or more", what,
                                number);
        if (vertex < 0)
            return sn_text_fail(text, at,
                                "vertex %lld is used by %s %zu, but %zu vertices come before it",
                                (long long)index, what, number, obj->defined);
        if ((uint64_t)vertex >= build->mesh.vertex_count)
            return sn_text_fail(text, at,
                                "vertex %lld is used by %s %zu, but the file has %zu vertices",
                                (long long)index, what, number, build->mesh.vertex_count);
        SN_TRY(sn_io_build_corner(build, (uint32_t)vertex));
        SN_TRY(use_place(obj, (uint32_t)vertex, place));
        if (obj->is_painted) SN_TRY(sn_io_build_set_colour(build, (uint32_t)vertex, obj->paint));
    }
    size_t count = build->corners.count;
    if (count < least)
        return sn_text_fail(text, begin, "a %s has %zu %s, expected at least %zu", what, count,
                            count == 1 ? "corner" : "corners", least);
    for (uint32_t i = obj->has_object ? 0 : 1; i < obj->count; i++)
        SN_TRY(sn_io_build_members(build, obj->groups[i], build->corners.items, count));
    return SN_OK;
}

static sn_result read_face(obj_file *obj) {
    const char *at = obj->text.at;
    SN_TRY(read_corners(obj, 3, "face", ++obj->faces));
    sn_io_build *build = obj->build;
    sn_result result = sn_io_build_polygon(build, build->corners.items, build->corners.count);
    return result == SN_ERROR_LIMIT ? sn_text_within(&obj->text, at, result) : result;
}

static sn_result read_line(obj_file *obj) {
    SN_TRY(read_corners(obj, 2, "line", ++obj->lines));
    const uint32_t *ends = obj->build->corners.items;
    for (size_t i = 1; i < obj->build->corners.count; i++)
        SN_TRY(sn_io_build_line(obj->build, ends[i - 1], ends[i]));
    return SN_OK;
}

/* Points are vertices, which are there anyway; they may be in groups. */
static sn_result read_point(obj_file *obj) {
    return read_corners(obj, 1, "list of points", ++obj->points);
}

/* ---- Groups ---- */

/* An object; the rest of the line is its name. */
static sn_result read_object(obj_file *obj) {
    const char *name;
    size_t length = sn_text_rest(&obj->text, &name);
    obj->has_object = length > 0;
    return obj->has_object ? sn_io_build_group(obj->build, name, length, &obj->groups[0]) : SN_OK;
}

static sn_result read_groups(obj_file *obj) {
    sn_text *text = &obj->text;
    obj->count = 1;
    while (!at_end(obj)) {
        const char *name;
        size_t length = sn_text_word(text, &name);
        if (obj->count == BUILD_GROUPS_MOST)
            return sn_text_fail(text, name, "there are more than %d groups on the line",
                                BUILD_GROUPS_MOST - 1);
        text->at += length;
        /* The group of what is in none. */
        if (sn_text_is(name, length, "default")) continue;
        SN_TRY(sn_io_build_group(obj->build, name, length, &obj->groups[obj->count++]));
    }
    return SN_OK;
}

/* ---- Materials ---- */

/* A library whose name may have blanks, or a list of them; a piece of a name is none. */
static sn_result read_mtl(obj_file *obj) {
    const char *name;
    bool found;
    if (!obj->build->wants_colours) return SN_OK;
    sn_text list = obj->text;
    size_t length = sn_text_rest(&list, &name);
    SN_TRY(sn_mtl_read(&obj->library, obj->build, obj->source, name, length, &found));
    for (bool other; !found && !at_end(obj);) {
        length = sn_text_word(&obj->text, &name);
        obj->text.at += length;
        if (length <= 4 || !sn_text_is(name + length - 4, 4, ".mtl")) continue;
        SN_TRY(sn_mtl_read(&obj->library, obj->build, obj->source, name, length, &other));
    }
    return SN_OK;
}

/* The look of a material of this name, which is made when it is first used. */
static sn_result find_look(obj_file *obj, const mtl_material *m, const char *name, size_t length) {
    uint64_t key = sn_io_build_key(name, length);
    if (sn_io_build_find_look(obj->build, key, &obj->look)) return SN_OK;
    sn_io_look look = sn_io_look_default();
    if (m && m->is_coloured)
        look.colour =
            (sn_vec3){(sn_real)m->colour[0], (sn_real)m->colour[1], (sn_real)m->colour[2]};
    if (m) look.opacity = (sn_real)m->opacity;
    if (m && m->image_length > 0) {
        const char *image = (const char *)obj->library.names.items + m->image;
        SN_TRY(sn_io_build_read_image(obj->build, obj->source, image, m->image_length, &look));
        look.texture_size = (sn_real)m->image_size;
    }
    return sn_io_build_add_look(obj->build, key, &look, name, length, &obj->look);
}

static sn_result use_mtl(obj_file *obj) {
    const char *name;
    size_t length = sn_text_rest(&obj->text, &name);
    const mtl_material *m = sn_mtl_find(&obj->library, name, length);
    obj->is_painted = m && m->is_coloured;
    if (obj->is_painted) memcpy(obj->paint, m->colour, sizeof obj->paint);
    if (!obj->build->wants_materials) return SN_OK;
    SN_TRY(sn_io_build_give_look(obj->build, obj->look));
    return find_look(obj, m, name, length);
}

/* ---- Statements ---- */

/* The how manieth it is counts; it was read before. */
static sn_result count_place(obj_file *obj) {
    obj->placed++;
    return SN_OK;
}

/* Says nothing about the shape. */
static sn_result skip(obj_file *obj) {
    (void)obj;
    return SN_OK;
}

static const struct {
    const char *word;
    obj_statement *read; /* null: geometry that a mesh cannot hold */
} statements[] = {
    {"f", read_face},    {"fo", read_face},  {"l", read_line},    {"p", read_point},
    {"g", read_groups},  {"o", read_object}, {"vn", skip},        {"vt", count_place},
    {"vp", skip},        {"s", skip},        {"usemtl", use_mtl}, {"mtllib", read_mtl},
    {"usemap", skip},    {"maplib", skip},   {"mg", skip},        {"lod", skip},
    {"bevel", skip},     {"c_interp", skip}, {"d_interp", skip},  {"shadow_obj", skip},
    {"trace_obj", skip}, {"ctech", skip},    {"stech", skip},     {"curv", NULL},
    {"curv2", NULL},     {"surf", NULL},     {"cstype", NULL},    {"deg", NULL},
    {"bmat", NULL},      {"step", NULL},     {"parm", NULL},      {"trim", NULL},
    {"hole", NULL},      {"scrv", NULL},     {"sp", NULL},        {"end", NULL},
    {"con", NULL},       {"bsp", NULL},      {"bzp", NULL},       {"cdc", NULL},
    {"cdp", NULL},       {"res", NULL},
};

static sn_result read_statement(obj_file *obj) {
    sn_text *text = &obj->text;
    const char *word;
    size_t length = sn_text_word(text, &word);
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        const char *known = statements[i].word;
        if (strlen(known) != length || memcmp(word, known, length) != 0) continue;
        if (!statements[i].read)
            return sn_text_fail(text, word,
                                "found \"%s\", but curves and surfaces of free form cannot be read",
                                known);
        text->at += length;
        return statements[i].read(obj);
    }
    return sn_text_unexpected(text, word, "a statement of OBJ such as v, f, l or g");
}

/* Whether this line is a position; passes over the word. */
static bool take_v(sn_text *text) {
    const char *after = text->at + 1;
    if (*text->at != 'v') return false;
    if (after < text->end && !sn_text_is_blank(*after) && !sn_text_is_break(*after)) return false;
    text->at++;
    return true;
}

static sn_result read_positions(obj_file *obj) {
    while (obj->text.at < obj->text.end) {
        bool is_empty = at_end(obj);
        if (!is_empty && take_v(&obj->text))
            SN_TRY(read_position(obj));
        else if (!is_empty && obj->build->wants_uvs && sn_text_take(&obj->text, "vt"))
            SN_TRY(read_place(obj));
        skip_statement(&obj->text);
    }
    return SN_OK;
}

static sn_result read_elements(obj_file *obj) {
    while (obj->text.at < obj->text.end) {
        if (!at_end(obj)) {
            if (take_v(&obj->text))
                obj->defined++;
            else
                SN_TRY(read_statement(obj));
        }
        skip_statement(&obj->text);
    }
    return SN_OK;
}

sn_result sn_read_obj(const sn_source *source, sn_io_build *build) {
    obj_file obj = {.text = sn_source_text(source),
                    .source = source,
                    .build = build,
                    .count = 1,
                    .look = BUILD_PLAIN};
    sn_result result = read_positions(&obj);
    obj.text = sn_source_text(source);
    if (result == SN_OK) result = read_elements(&obj);
    if (result == SN_OK && build->wants_materials) result = sn_io_build_give_look(build, obj.look);
    sn_io_build_list_free(build, &obj.places);
    sn_mtl_free(&obj.library, build);
    return result;
}
