/*
 * STL: triangles without indices, as text or binary. Corners at the same place become one vertex
 * afterwards.
 *
 * A binary file has 80 bytes of anything, the number of triangles, and 50 bytes for each. Its first
 * bytes may well be "solid", with which text begins, so the length decides: text whose bytes 80 to
 * 83 give its own length would have to be 27 GB long.
 */
#include "io/mesh/read.h"
#include "io/mesh/read_scalar.h"

#include <math.h>
#include <string.h>

enum { HEAD = 84, FACET = 50 };

static sn_result add_facet(sn_io_build *build, const sn_vec3 corners[3]) {
    uint32_t first = (uint32_t)build->mesh.vertex_count;
    for (int k = 0; k < 3; k++) SN_TRY(sn_io_build_vertex(build, corners[k]));
    return sn_io_build_triangle(build, first, first + 1, first + 2);
}

/* ---- Binary ---- */

static sn_result read_binary(const sn_source *source, sn_io_build *build) {
    if (source->size < HEAD)
        return sn_source_fail(
            source, source->size,
            "the file ends, expected the 84 bytes with which a binary STL begins");
    uint32_t count = sn_scalar_u32(source->data + 80, false);
    size_t rest = source->size - HEAD;
    if (count > rest / FACET || count * (size_t)FACET != rest)
        return sn_source_fail(
            source, 80, "%u triangles of 50 bytes are promised, but %zu bytes follow", count, rest);
    SN_TRY(sn_io_build_reserve(build, BUILD_VERTICES, 3 * (size_t)count));
    SN_TRY(sn_io_build_reserve(build, BUILD_TRIANGLES, count));
    for (uint32_t i = 0; i < count; i++) {
        const char *facet = source->data + HEAD + i * (size_t)FACET;
        sn_vec3 corners[3];
        for (int k = 0; k < 3; k++) {
            /* The normal comes first. */
            const char *at = facet + 12 + 12 * k;
            float x[3] = {sn_scalar_f32(at, false), sn_scalar_f32(at + 4, false),
                          sn_scalar_f32(at + 8, false)};
            if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
                return sn_source_fail(source, (size_t)(at - source->data),
                                      "a corner of triangle %u is at %g %g %g, expected finite "
                                      "numbers",
                                      i, (double)x[0], (double)x[1], (double)x[2]);
            corners[k] = (sn_vec3){x[0], x[1], x[2]};
        }
        SN_TRY(add_facet(build, corners));
    }
    return SN_OK;
}

/* ---- Text ---- */

static sn_result take(sn_text *text, const char *word, const char *expected) {
    sn_text_skip_space(text);
    const char *at = text->at;
    return sn_text_take(text, word) ? SN_OK : sn_text_unexpected(text, at, expected);
}

/* After "facet". The normal follows from the corners; programs write anything there. */
static sn_result read_facet(sn_text *text, sn_vec3 corners[3]) {
    SN_TRY(take(text, "normal", "\"normal\""));
    SN_TRY(sn_text_skip_words(text, 3, "the three numbers of a normal"));
    SN_TRY(take(text, "outer", "\"outer loop\""));
    SN_TRY(take(text, "loop", "\"outer loop\""));
    for (int k = 0; k < 3; k++) {
        SN_TRY(take(text, "vertex", "\"vertex\", three times in a loop"));
        SN_TRY(sn_text_point(text, &corners[k]));
    }
    SN_TRY(take(text, "endloop", "\"endloop\" after three vertices"));
    return take(text, "endfacet", "\"endfacet\"");
}

/* After "solid": the rest of the line is its name. */
static sn_result read_name(sn_text *text, sn_io_build *build, uint32_t *group, bool *has_name) {
    sn_text_skip_blanks(text);
    const char *name = text->at, *end = name;
    for (; text->at < text->end && !sn_text_is_break(*text->at); text->at++)
        if (!sn_text_is_blank(*text->at)) end = text->at + 1;
    *has_name = end > name;
    return *has_name ? sn_io_build_group(build, name, (size_t)(end - name), group) : SN_OK;
}

static sn_result read_solid(sn_text *text, sn_io_build *build) {
    uint32_t group = 0;
    bool has_name;
    SN_TRY(read_name(text, build, &group, &has_name));
    for (;;) {
        sn_text_skip_space(text);
        const char *at = text->at;
        if (sn_text_take(text, "endsolid")) break;
        if (!sn_text_take(text, "facet"))
            return sn_text_unexpected(text, at, "\"facet\" or \"endsolid\"");
        sn_vec3 corners[3] = {{0, 0, 0}};
        SN_TRY(read_facet(text, corners));
        SN_TRY(add_facet(build, corners));
        uint32_t last = (uint32_t)build->mesh.vertex_count;
        const uint32_t members[3] = {last - 3, last - 2, last - 1};
        if (has_name) SN_TRY(sn_io_build_members(build, group, members, 3));
    }
    /* The name may be there once more. */
    sn_text_next_line(text);
    return SN_OK;
}

static sn_result read_text(const sn_source *source, sn_io_build *build) {
    sn_text text = sn_source_text(source);
    for (sn_text_skip_space(&text); text.at < text.end; sn_text_skip_space(&text)) {
        SN_TRY(take(&text, "solid", "\"solid\""));
        SN_TRY(read_solid(&text, build));
    }
    return SN_OK;
}

/* A binary file that is cut off may begin with "solid" too; it has zeros where text has none. */
static bool is_text(const sn_source *source) {
    if (source->size >= HEAD &&
        (source->size - HEAD) / FACET == sn_scalar_u32(source->data + 80, false) &&
        (source->size - HEAD) % FACET == 0)
        return false;
    sn_text text = sn_source_text(source);
    sn_text_skip_space(&text);
    const char *word;
    size_t length = sn_text_word(&text, &word);
    size_t start = source->size < 1024 ? source->size : 1024;
    return sn_text_is(word, length, "solid") && !memchr(source->data, 0, start);
}

sn_result sn_read_stl(const sn_source *source, sn_io_build *build) {
    build->is_welded = true;
    return is_text(source) ? read_text(source, build) : read_binary(source, build);
}
