/*
 * Gmsh .msh of versions 2.2 and 4.1, text and binary: sections between $Name and $EndName.
 *
 * Physical groups with a name become groups. In version 2.2 an element says its physical group, in
 * version 4.1 the entity does that the element lies on.
 */
#include "io/mesh/read_msh.h"

#include "io/mesh/read_scalar.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ---- */

sn_result sn_msh_fail(const msh_file *msh, const char *at, const char *format, ...) {
    char sentence[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (msh->is_binary)
        return sn_source_fail(msh->source, (size_t)(at - msh->text.begin), "%s", sentence);
    return sn_text_fail(&msh->text, at, "%s", sentence);
}

const char *sn_msh_here(msh_file *msh) {
    if (!msh->is_binary) sn_text_skip_space(&msh->text);
    return msh->text.at;
}

/* The next bytes of a binary section. */
static sn_result take_bytes(msh_file *msh, size_t size, const char *what, const char **bytes) {
    *bytes = msh->text.at;
    if ((size_t)(msh->text.end - msh->text.at) < size)
        return sn_msh_fail(msh, msh->text.at, "the file ends, expected %s", what);
    msh->text.at += size;
    return SN_OK;
}

sn_result sn_msh_int(msh_file *msh, const char *what, int64_t *value) {
    const char *bytes;
    if (!msh->is_binary) {
        sn_text_skip_space(&msh->text);
        return sn_text_integer(&msh->text, what, value);
    }
    SN_TRY(take_bytes(msh, 4, what, &bytes));
    *value = sn_scalar_integer(bytes, SCALAR_I32, msh->is_big);
    return SN_OK;
}

sn_result sn_msh_size(msh_file *msh, const char *what, uint64_t *value) {
    const char *bytes;
    if (msh->is_binary && msh->is_4) {
        SN_TRY(take_bytes(msh, 8, what, &bytes));
        *value = sn_scalar_bits(bytes, 8, msh->is_big);
        return SN_OK;
    }
    int64_t number;
    sn_text_skip_space(&msh->text);
    SN_TRY(sn_text_integer_within(&msh->text, what, 0, INT64_MAX, &number));
    *value = (uint64_t)number;
    return SN_OK;
}

sn_result sn_msh_real(msh_file *msh, const char *what, double *value) {
    const char *bytes;
    if (!msh->is_binary) {
        sn_real number;
        sn_text_skip_space(&msh->text);
        SN_TRY(sn_text_real(&msh->text, what, &number));
        *value = (double)number;
        return SN_OK;
    }
    SN_TRY(take_bytes(msh, 8, what, &bytes));
    *value = sn_scalar_f64(bytes, msh->is_big);
    return SN_OK;
}

sn_result sn_msh_check_room(msh_file *msh, uint64_t count, uint64_t in_text, uint64_t in_binary,
                            const char *things) {
    size_t room = (size_t)(msh->text.end - msh->text.at);
    uint64_t each = msh->is_binary ? in_binary : in_text;
    if (count <= ((uint64_t)room + 1) / each) return SN_OK;
    return sn_msh_fail(msh, msh->text.at,
                       "%llu %s are promised, but the file has only %zu more bytes",
                       (unsigned long long)count, things, room);
}

/* ---- Sections ---- */

static sn_result read_format(msh_file *msh) {
    sn_text *text = &msh->text;
    sn_text_skip_space(text);
    const char *at = text->at, *bytes;
    int64_t is_binary, size;
    msh->is_4 = sn_text_take(text, "4.1");
    if (!msh->is_4 && !sn_text_take(text, "2.2") && !sn_text_take(text, "2.1") &&
        !sn_text_take(text, "2"))
        return sn_text_unexpected(text, at, "version 2.2 or 4.1 of the format");
    SN_TRY(sn_text_integer_within(text, "0 for text or 1 for binary", 0, 1, &is_binary));
    sn_text_skip_blanks(text);
    at = text->at;
    SN_TRY(sn_text_integer(text, "the size of a number", &size));
    if (size != 8)
        return sn_text_fail(text, at, "numbers of %lld bytes cannot be read, expected 8",
                            (long long)size);
    SN_TRY(sn_text_end_line(text, "the end of the line"));
    msh->is_binary = is_binary == 1;
    if (!msh->is_binary) return SN_OK;
    SN_TRY(take_bytes(msh, 4, "the number 1", &bytes));
    msh->is_big = sn_scalar_u32(bytes, true) == 1;
    if (!msh->is_big && sn_scalar_u32(bytes, false) != 1)
        return sn_msh_fail(msh, bytes, "found %u, expected 1, which tells the order of bytes",
                           sn_scalar_u32(bytes, false));
    return SN_OK;
}

/* Always text. */
static sn_result read_names(msh_file *msh) {
    sn_text *text = &msh->text;
    int64_t count;
    sn_text_skip_space(text);
    const char *at = text->at;
    SN_TRY(sn_text_integer_within(text, "the number of names", 0, INT64_MAX, &count));
    SN_TRY(sn_text_check_room(text, at, (uint64_t)count, 8, "names"));
    SN_TRY(sn_io_build_list_reserve(msh->build, &msh->names, (size_t)count, sizeof(msh_name)));
    for (int64_t i = 0; i < count; i++) {
        msh_name name;
        sn_text_skip_space(text);
        SN_TRY(sn_text_integer(text, "the dimension of a physical group", &name.dimension));
        SN_TRY(sn_text_integer(text, "the tag of a physical group", &name.tag));
        sn_text_skip_blanks(text);
        const char *begin = text->at + 1, *end = begin;
        if (text->at >= text->end || *text->at != '"')
            return sn_text_unexpected(text, text->at, "a name in quotes");
        while (end < text->end && *end != '"' && !sn_text_is_break(*end)) end++;
        if (end >= text->end || *end != '"')
            return sn_text_fail(text, text->at, "the name has no quote at its end");
        SN_TRY(sn_io_build_group(msh->build, begin, (size_t)(end - begin), &name.group));
        text->at = end + 1;
        ((msh_name *)msh->names.items)[msh->names.count++] = name;
    }
    return SN_OK;
}

/* The physical groups of an entity. */
static sn_result read_physicals(msh_file *msh, msh_entity *entity) {
    uint64_t count;
    const char *at = sn_msh_here(msh);
    SN_TRY(sn_msh_size(msh, "the number of physical groups", &count));
    if (count > BUILD_GROUPS_MOST)
        return sn_msh_fail(msh, at, "an entity has %llu physical groups, expected at most %d",
                           (unsigned long long)count, BUILD_GROUPS_MOST);
    entity->first = msh->physicals.count;
    entity->count = (size_t)count;
    SN_TRY(sn_io_build_list_reserve(msh->build, &msh->physicals, (size_t)count, sizeof(int64_t)));
    for (uint64_t k = 0; k < count; k++) {
        int64_t tag;
        SN_TRY(sn_msh_int(msh, "a physical group", &tag));
        /* The sign is a direction. */
        ((int64_t *)msh->physicals.items)[msh->physicals.count++] = tag < 0 ? -tag : tag;
    }
    return SN_OK;
}

static sn_result read_entity(msh_file *msh, int dimension) {
    msh_entity entity = {.dimension = dimension};
    double ignored;
    int64_t tag;
    uint64_t bounds;
    SN_TRY(sn_msh_int(msh, "the tag of an entity", &entity.tag));
    for (int k = 0; k < (dimension == 0 ? 3 : 6); k++)
        SN_TRY(sn_msh_real(msh, "a coordinate", &ignored));
    SN_TRY(read_physicals(msh, &entity));
    if (dimension > 0) {
        SN_TRY(sn_msh_size(msh, "the number of bounding entities", &bounds));
        SN_TRY(sn_msh_check_room(msh, bounds, 2, 4, "bounding entities"));
        for (uint64_t k = 0; k < bounds; k++) SN_TRY(sn_msh_int(msh, "an entity", &tag));
    }
    SN_TRY(sn_io_build_list_reserve(msh->build, &msh->entities, 1, sizeof entity));
    ((msh_entity *)msh->entities.items)[msh->entities.count++] = entity;
    return SN_OK;
}

static int compare_entities(const void *left, const void *right) {
    const msh_entity *a = left, *b = right;
    if (a->dimension != b->dimension) return a->dimension < b->dimension ? -1 : 1;
    if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static sn_result read_entities(msh_file *msh) {
    uint64_t counts[4];
    for (int k = 0; k < 4; k++) {
        SN_TRY(sn_msh_size(msh, "a number of entities", &counts[k]));
        SN_TRY(sn_msh_check_room(msh, counts[k], 10, 36, "entities"));
    }
    for (int k = 0; k < 4; k++)
        for (uint64_t i = 0; i < counts[k]; i++) SN_TRY(read_entity(msh, k));
    if (msh->entities.count > 0)
        qsort(msh->entities.items, msh->entities.count, sizeof(msh_entity), compare_entities);
    return SN_OK;
}

/* Passes over what is neither shape nor groups. */
static sn_result skip_section(msh_file *msh, const char *name, size_t length) {
    sn_text *text = &msh->text;
    for (const char *c = text->at; (size_t)(text->end - c) >= length + 4; c++) {
        c = memchr(c, '$', (size_t)(text->end - c));
        if (!c || (size_t)(text->end - c) < length + 4) break;
        if (memcmp(c, "$End", 4) != 0 || memcmp(c + 4, name + 1, length - 1) != 0) continue;
        text->at = c;
        return SN_OK;
    }
    return sn_text_fail(text, name, "section \"%.*s\" does not end", length < 40 ? (int)length : 40,
                        name);
}

static sn_result read_section(msh_file *msh, const char *name, size_t length) {
    if (sn_text_is(name, length, "$PhysicalNames")) return read_names(msh);
    if (sn_text_is(name, length, "$Entities")) return read_entities(msh);
    if (sn_text_is(name, length, "$Nodes")) return sn_msh_nodes(msh);
    if (sn_text_is(name, length, "$Elements")) return sn_msh_elements(msh);
    return skip_section(msh, name, length);
}

/* One section with its end; a line follows the name, then the contents. */
static sn_result read_next(msh_file *msh, bool is_first) {
    sn_text *text = &msh->text;
    const char *name, *end;
    size_t length = sn_text_word(text, &name), end_length;
    bool is_format = sn_text_is(name, length, "$MeshFormat");
    if (is_first != is_format)
        return sn_text_unexpected(text, name, is_first ? "\"$MeshFormat\"" : "another section");
    if (*name != '$' || length < 2)
        return sn_text_unexpected(text, name, "a section such as $Nodes");
    text->at += length;
    sn_text_next_line(text);
    SN_TRY(is_format ? read_format(msh) : read_section(msh, name, length));
    sn_text_skip_space(text);
    end_length = sn_text_word(text, &end);
    if (end_length != length + 3 || memcmp(end, "$End", 4) != 0 ||
        memcmp(end + 4, name + 1, length - 1) != 0) {
        char expected[64];
        snprintf(expected, sizeof expected, "\"$End%.*s\"", length < 40 ? (int)length - 1 : 40,
                 name + 1);
        return sn_text_unexpected(text, end, expected);
    }
    text->at += end_length;
    return SN_OK;
}

sn_result sn_read_msh(const sn_source *source, sn_io_build *build) {
    msh_file msh = {.source = source, .text = sn_source_text(source), .build = build};
    sn_result result = SN_OK;
    bool is_first = true;
    for (sn_text_skip_space(&msh.text); result == SN_OK && (is_first || msh.text.at < msh.text.end);
         sn_text_skip_space(&msh.text)) {
        result = read_next(&msh, is_first);
        is_first = false;
    }
    if (result == SN_OK && !msh.has_nodes)
        result = sn_text_unexpected(&msh.text, msh.text.end, "a section $Nodes");
    sn_io_build_list_free(build, &msh.names);
    sn_io_build_list_free(build, &msh.entities);
    sn_io_build_list_free(build, &msh.physicals);
    sn_io_build_list_free(build, &msh.nodes);
    return result;
}
