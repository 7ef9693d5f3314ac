/*
 * OFF: positions and polygons as text.
 *
 * The first word may say what else each vertex has (ST, C, N before OFF: texture, colour, normal)
 * or be missing. A vertex or a face is a line; what follows its coordinates or corners are colours
 * and their like, which are passed over but have to be numbers.
 */
#include "io/mesh/read.h"

#include <string.h>

/* The rest of the line: only numbers. */
static sn_result skip_numbers(sn_text *text) {
    while (!sn_text_at_line_end(text) && *text->at != '#') {
        double ignored;
        const char *at = text->at;
        if (!sn_text_scan_real(text, &ignored) || !sn_text_is_delimited(text))
            return sn_text_unexpected(text, at, "the end of the line, or a colour");
    }
    sn_text_next_line(text);
    return SN_OK;
}

/* The word with which the file begins, if it is there. */
static sn_result read_keyword(sn_text *text) {
    sn_text_skip_space(text);
    const char *word;
    size_t length = sn_text_word(text, &word), at = 0;
    if (length < 3 || memcmp(word + length - 3, "OFF", 3) != 0) {
        bool is_number = length > 0 && *word >= '0' && *word <= '9';
        return is_number ? SN_OK : sn_text_unexpected(text, word, "\"OFF\"");
    }
    size_t prefix = length - 3;
    if (prefix - at >= 2 && memcmp(word, "ST", 2) == 0) at += 2;
    if (at < prefix && word[at] == 'C') at++;
    if (at < prefix && word[at] == 'N') at++;
    if (at < prefix)
        return sn_text_fail(text, word,
                            "found \"%.*s\", but only OFF in three dimensions can be read, with "
                            "ST, C and N before it",
                            length < 16 ? (int)length : 16, word);
    text->at += length;
    sn_text_skip_blanks(text);
    if (sn_text_take(text, "BINARY"))
        return sn_text_fail(text, word, "binary OFF cannot be read, expected text");
    return SN_OK;
}

static sn_result read_counts(sn_text *text, uint64_t counts[2]) {
    static const char *const things[] = {"vertices", "faces"};
    for (int k = 0; k < 2; k++) {
        int64_t count;
        sn_text_skip_space(text);
        const char *at = text->at;
        SN_TRY(sn_text_integer_within(
            text, k == 0 ? "the number of vertices" : "the number of faces", 0, INT64_MAX, &count));
        /* "0 0 0" and "3 0 0 0", each with the end of its line. */
        SN_TRY(sn_text_check_room(text, at, (uint64_t)count, k == 0 ? 6 : 8, things[k]));
        counts[k] = (uint64_t)count;
    }
    /* That of the edges may be missing. */
    return skip_numbers(text);
}

static sn_result read_face(sn_text *text, sn_io_build *build, uint64_t face) {
    sn_text_skip_space(text);
    const char *begin = text->at;
    int64_t count, vertex;
    SN_TRY(sn_text_integer(text, "the number of corners of a face", &count));
    if (count < 3)
        return sn_text_fail(text, begin, "a face has %lld corners, expected at least 3",
                            (long long)count);
    SN_TRY(sn_text_check_room(text, begin, (uint64_t)count, 2, "corners"));
    build->corners.count = 0;
    for (int64_t k = 0; k < count; k++) {
        sn_text_skip_blanks(text);
        const char *at = text->at;
        SN_TRY(sn_text_integer(text, "the index of a vertex", &vertex));
        if (vertex < 0 || (uint64_t)vertex >= build->mesh.vertex_count)
            return sn_text_fail(
                text, at, "vertex %lld is used by face %llu, but the file has %zu vertices",
                (long long)vertex, (unsigned long long)face, build->mesh.vertex_count);
        SN_TRY(sn_io_build_corner(build, (uint32_t)vertex));
    }
    sn_result result = sn_io_build_polygon(build, build->corners.items, build->corners.count);
    if (result == SN_ERROR_LIMIT) return sn_text_within(text, begin, result);
    SN_TRY(result);
    return skip_numbers(text);
}

sn_result sn_read_off(const sn_source *source, sn_io_build *build) {
    sn_text text = sn_source_text(source);
    uint64_t counts[2];
    text.comment = '#';
    SN_TRY(read_keyword(&text));
    SN_TRY(read_counts(&text, counts));
    SN_TRY(sn_io_build_reserve(build, BUILD_VERTICES, (size_t)counts[0]));
    SN_TRY(sn_io_build_reserve(build, BUILD_TRIANGLES, (size_t)counts[1]));
    for (uint64_t i = 0; i < counts[0]; i++) {
        sn_vec3 x = {0, 0, 0};
        sn_text_skip_space(&text);
        SN_TRY(sn_text_point(&text, &x));
        SN_TRY(skip_numbers(&text));
        SN_TRY(sn_io_build_vertex(build, x));
    }
    for (uint64_t i = 0; i < counts[1]; i++) SN_TRY(read_face(&text, build, i));
    sn_text_skip_space(&text);
    if (text.at < text.end) return sn_text_unexpected(&text, text.at, "the end of the file");
    return SN_OK;
}
