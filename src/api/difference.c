/*
 * Finds the first number in which two archives differ and says what it means.
 *
 * Columns are compared by their names, bit for bit. What a number belongs to follows from the
 * section: there are as many objects as its key column has numbers, and each has as many numbers of
 * a column as fit. Where the key is not about all slots, its numbers say which objects they are.
 */
#include "api/difference.h"

#include "api/check.h"
#include "base/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *section, *prefix; /* of the columns that the row is about */
    const char *object;
    const char *key;
    bool named; /* whether the numbers of the key are those of the objects */
} keys[] = {
    {"nodes", "drive", "node", "drive", true},
    {"nodes", "", "node", "generation", false},
    {"frames", "", "frame", "generation", false},
    {"bodies", "", "body", "generation", false},
    {"clusters", "", "cluster", "generation", false},
    {"constr", "", "constraint", "generation", false},
    {"colour", "", "constraint", "owner", true},
    {"history", "s", "node", NULL, false},
    {"history", "change", "node", NULL, false},
    {"history", "turn", "frame", NULL, false},
    {"history", "", "body", "ready", false},
    {"field", "", "node", NULL, false},
};
enum { KEYS = sizeof keys / sizeof keys[0], TEXT = 64 };

void sn_differ(sn_difference *difference, const char *format, ...) {
    va_list arguments;
    difference->differs = true;
    va_start(arguments, format);
    vsnprintf(difference->sentence, sizeof difference->sentence, format, arguments);
    va_end(arguments);
}

/* ---- What a number belongs to ---- */

/* The characters of a column, as many as there is room for. */
static const char *text_of(const sn_archive_view *view, char text[TEXT]) {
    size_t length = view->count < TEXT - 1 ? view->count : TEXT - 1;
    memcpy(text, view->data, length);
    text[length] = 0;
    for (char *c = text; *c; c++)
        if (*c < ' ' || *c > '~') *c = '?';
    return text;
}

/* "nodes", "call node_set_position", "distance constraints". */
static void name_section(const sn_archive *a, char name[96]) {
    sn_archive_view text;
    bool call = strcmp(a->section, "call") == 0;
    const char *column = call ? "call" : "type";
    char word[TEXT] = "";
    if (sn_archive_view_find(a, column, &text) && text.kind == SN_ARCHIVE_U8) text_of(&text, word);
    if (call)
        snprintf(name, 96, "call %s", word);
    else if (word[0])
        snprintf(name, 96, "%s constraints", word);
    else
        snprintf(name, 96, "%s", strcmp(a->section, "constr") == 0 ? "constraints" : a->section);
}

static size_t find_key(const sn_archive *a, const char *column) {
    size_t k = 0;
    while (k < KEYS && (strcmp(keys[k].section, a->section) != 0 ||
                        strncmp(keys[k].prefix, column, strlen(keys[k].prefix)) != 0))
        k++;
    return k;
}

/* How many numbers of a column each object has, and its key where there is one; 0 where that is not
   known. */
static size_t numbers_each(const sn_archive *a, const sn_archive_view *column, size_t row,
                           sn_archive_view *key) {
    *key = (sn_archive_view){.count = 0};
    if (row == KEYS) return column->count <= 4 ? column->count : 1;
    if (!keys[row].key) return column->count % 3 == 0 ? 3 : 0;
    if (!sn_archive_view_find(a, keys[row].key, key) || key->count == 0) return 0;
    return column->count % key->count == 0 ? column->count / key->count : 0;
}

/* " of node 42, y", as far as it is known. */
static void name_number(const sn_archive *a, const sn_archive_view *column, size_t i,
                        char name[96]) {
    static const char *const axis[] = {"x", "y", "z", "w"};
    sn_archive_view key;
    size_t row = find_key(a, column->name), each = numbers_each(a, column, row, &key);
    char object[64] = "", number[32] = "";
    bool real = column->kind == SN_ARCHIVE_F32 || column->kind == SN_ARCHIVE_F64;
    if (row < KEYS && each > 0) {
        bool named = keys[row].named;
        unsigned long long which = named ? sn_archive_view_bits(&key, i / each) : i / each;
        snprintf(object, sizeof object, " of %s %llu", keys[row].object, which);
    }
    if (each > 1 && each <= 4 && real)
        snprintf(number, sizeof number, ", %s", axis[i % each]);
    else if (each != 1 || (row == KEYS && column->count > 1))
        snprintf(number, sizeof number, ", number %zu", each > 1 ? i % each : i);
    snprintf(name, 96, "%s%s", object, number);
}

/* ---- Columns ---- */

static void compare_numbers(const sn_archive *a, const sn_archive_view *x, const sn_archive_view *y,
                            sn_difference *difference) {
    char section[96], place[96], first[TEXT], second[TEXT];
    if (x->kind == y->kind && x->count == y->count &&
        memcmp(x->data, y->data, x->count * sn_archive_view_bytes(x)) == 0)
        return;
    name_section(a, section);
    if (x->kind != y->kind) {
        sn_differ(difference, "%s, %.60s: numbers of kind %d against %d", section, x->name, x->kind,
                  y->kind);
        return;
    }
    if (strcmp(x->name, "field") == 0 && x->kind == SN_ARCHIVE_U8) {
        sn_differ(difference, "%s: field %s against %s", section, text_of(x, first),
                  text_of(y, second));
        return;
    }
    size_t i = 0, common = x->count < y->count ? x->count : y->count;
    while (i < common && sn_archive_view_bits(x, i) == sn_archive_view_bits(y, i)) i++;
    if (i == common || x->count != y->count) {
        sn_differ(difference, "%s, %.60s: %zu numbers against %zu", section, x->name, x->count,
                  y->count);
        return;
    }
    name_number(a, x, i, place);
    sn_archive_view_text(x, i, first);
    sn_archive_view_text(y, i, second);
    const char *name = strncmp(x->name, "field ", 6) == 0 ? x->name + 6 : x->name;
    sn_differ(difference, "%s, %.60s%s: %s against %s", section, name, place, first, second);
}

void sn_compare_sections(sn_archive *a, sn_archive *b, sn_difference *difference) {
    sn_archive_view x, y;
    char first[96], second[96];
    name_section(a, first);
    name_section(b, second);
    if (strcmp(first, second) != 0) {
        sn_differ(difference, "%s against %s", first, second);
        return;
    }
    for (size_t at = 0; !difference->differs && sn_archive_view_next(a, &at, &x);) {
        if (!sn_archive_view_find(b, x.name, &y))
            sn_differ(difference, "%s: %.60s is in the first only", first, x.name);
        else
            compare_numbers(a, &x, &y, difference);
    }
    for (size_t at = 0; !difference->differs && sn_archive_view_next(b, &at, &y);)
        if (!sn_archive_view_find(a, y.name, &x))
            sn_differ(difference, "%s: %.60s is in the second only", first, y.name);
}

/* ---- Snapshots ---- */

sn_result sn_snapshot_compare(const void *a, size_t size_a, const void *b, size_t size_b,
                              sn_difference *difference) {
    SN_CHECK_POINTER(a);
    SN_CHECK_POINTER(b);
    SN_CHECK_POINTER(difference);
    *difference = (sn_difference){.differs = false};
    sn_archive x, y;
    sn_archive_read(&x, "first snapshot", SN_SNAPSHOT, a, size_a);
    sn_archive_read(&y, "second snapshot", SN_SNAPSHOT, b, size_b);
    while (x.result == SN_OK && y.result == SN_OK && !difference->differs) {
        if (sn_archive_is_next(&x, "end") && sn_archive_is_next(&y, "end")) {
            sn_archive_finish(&x);
            sn_archive_finish(&y);
            break;
        }
        sn_archive_section_any(&x);
        sn_archive_section_any(&y);
        sn_compare_sections(&x, &y, difference);
    }
    return x.result != SN_OK ? x.result : y.result;
}

sn_result sn_snapshot_compare_files(const char *path_a, const char *path_b,
                                    sn_difference *difference) {
    SN_CHECK_POINTER(path_a);
    SN_CHECK_POINTER(path_b);
    SN_CHECK_POINTER(difference);
    sn_memory memory = {sn_allocator_default(), 0};
    sn_file a = {0}, b = {0};
    sn_result result = sn_file_read(&a, &memory, "snapshot", path_a);
    if (result == SN_OK) result = sn_file_read(&b, &memory, "snapshot", path_b);
    if (result == SN_OK) {
        result = sn_snapshot_compare(a.data, a.size, b.data, b.size, difference);
        if (result != SN_OK) result = sn_fail_within(result, "\"%s\", \"%s\"", path_a, path_b);
    }
    sn_file_free(&a, &memory);
    sn_file_free(&b, &memory);
    return result;
}
