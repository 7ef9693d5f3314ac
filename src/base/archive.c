#include "base/archive.h"

#include "base/error.h"
#include "base/hash.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 8, SECTION_HEAD = NAME + 16, FILE_HEAD = 16 };

static const uint8_t magic[8] = {0x89, 'S', 'I', 'N', 'E', 'W', '\r', '\n'};

static size_t bytes_of(int kind) {
    static const size_t bytes[] = {0, 1, 2, 4, 8, 4, 8};
    return kind >= SN_ARCHIVE_U8 && kind <= SN_ARCHIVE_F64 ? bytes[kind] : 0;
}

/* ---- Bytes ---- */

static sn_result too_small(const sn_archive *a) {
    return sn_fail(SN_ERROR_LIMIT, "%s: the buffer has %zu bytes, expected more", a->what,
                   a->capacity);
}

static void put(sn_archive *a, const void *data, size_t size) {
    if (a->result == SN_OK && a->to && size > a->capacity - a->size) a->result = too_small(a);
    if (a->result != SN_OK) return;
    if (a->to) memcpy(a->to + a->size, data, size);
    a->size += size;
}

static void put_number(sn_archive *a, uint64_t number, size_t bytes) {
    uint8_t out[8];
    for (size_t i = 0; i < bytes; i++) out[i] = (uint8_t)(number >> (8 * i));
    put(a, out, bytes);
}

static uint64_t get_number(const uint8_t *from, size_t bytes) {
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++) number |= (uint64_t)from[i] << (8 * i);
    return number;
}

static uint64_t hash_bytes(const uint8_t *data, size_t size) {
    uint64_t hash = size;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) hash = sn_hash_word(hash, get_number(data + i, 8));
    return sn_hash_word(hash, get_number(data + i, size - i));
}

sn_result sn_archive_fail(sn_archive *a, const char *format, ...) {
    char sentence[256], place[64] = "";
    if (a->result != SN_OK) return a->result;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (a->section[0]) snprintf(place, sizeof place, "section \"%s\", ", a->section);
    a->result = sn_fail(SN_ERROR_DATA, "%s: %sat byte %zu: %s", a->what, place, a->begin, sentence);
    return a->result;
}

/* ---- Beginning and end ---- */

void sn_archive_write(sn_archive *a, const char *what, uint32_t kind, uint8_t *to,
                      size_t capacity) {
    *a = (sn_archive){.what = what, .to = to, .capacity = capacity};
    put(a, magic, sizeof magic);
    put_number(a, SN_ARCHIVE_VERSION, 4);
    put_number(a, kind, 4);
}

void sn_archive_append(sn_archive *a, const char *what, uint8_t *to, size_t capacity) {
    *a = (sn_archive){.what = what, .to = to, .capacity = capacity};
}

/* Kinds are four letters. */
static const char *letters_of(uint32_t kind, char letters[5]) {
    for (int i = 0; i < 4; i++) {
        char letter = (char)(kind >> 8 * i & 0x7f);
        letters[i] = letter < ' ' || letter > '~' ? '?' : letter;
    }
    return letters;
}

void sn_archive_read(sn_archive *a, const char *what, uint32_t kind, const uint8_t *from,
                     size_t size) {
    *a = (sn_archive){.what = what, .reading = true, .from = from, .size = size};
    if (size < FILE_HEAD || memcmp(from, magic, sizeof magic) != 0) {
        sn_archive_fail(a, "this is no %s: the first bytes are others", what);
        return;
    }
    uint64_t version = get_number(from + 8, 4), found = get_number(from + 12, 4);
    if (version < 1 || version > SN_ARCHIVE_VERSION)
        sn_archive_fail(a, "the version is %u, expected 1 to %d", (unsigned)version,
                        SN_ARCHIVE_VERSION);
    else if (found != kind)
        sn_archive_fail(a, "this is a file of the kind %s, expected %s, a %s",
                        letters_of((uint32_t)found, (char[5]){0}), letters_of(kind, (char[5]){0}),
                        what);
    a->begin = a->end = FILE_HEAD;
}

void sn_archive_visit(sn_archive *a, sn_visit_array *visit, void *context) {
    *a = (sn_archive){.what = "state", .visit = visit, .context = context};
}

sn_result sn_archive_finish(sn_archive *a) {
    sn_archive_section(a, "end");
    sn_archive_section_end(a);
    if (a->reading && a->result == SN_OK && a->end != a->size)
        sn_archive_fail(a, "%zu bytes follow the end", a->size - a->end);
    return a->result;
}

/* ---- Sections ---- */

static void make_printable(char *text) {
    for (; *text; text++)
        if (*text < ' ' || *text > '~') *text = '?';
}

/* Whether eight bytes are this name, padded with 0. */
static bool is_section(const uint8_t *bytes, const char *name) {
    uint8_t padded[NAME] = {0};
    assert(strlen(name) <= NAME);
    memcpy(padded, name, strlen(name));
    return memcmp(bytes, padded, NAME) == 0;
}

bool sn_archive_is_next(const sn_archive *a, const char *name) {
    if (a->result != SN_OK || a->size - a->end < SECTION_HEAD) return false;
    return is_section(a->from + a->end, name);
}

bool sn_archive_is_cut(const sn_archive *a) {
    if (a->result != SN_OK) return false;
    size_t left = a->size - a->end;
    return left < SECTION_HEAD || get_number(a->from + a->end + NAME, 8) > left - SECTION_HEAD;
}

/* Opens the section of this name, or with null any. */
static void open_section(sn_archive *a, const char *name) {
    char found[NAME + 1] = {0};
    a->begin = a->end;
    a->section[0] = 0;
    if (a->size - a->begin < SECTION_HEAD) {
        sn_archive_fail(a, "the data ends, expected section \"%s\"", name ? name : "end");
        return;
    }
    memcpy(found, a->from + a->begin, NAME);
    make_printable(found);
    if (name && !is_section(a->from + a->begin, name)) {
        sn_archive_fail(a, "found section \"%s\", expected \"%s\"", found, name);
        return;
    }
    uint64_t length = get_number(a->from + a->begin + NAME, 8);
    uint64_t hash = get_number(a->from + a->begin + NAME + 8, 8);
    snprintf(a->section, sizeof a->section, "%s", found);
    if (length > a->size - a->begin - SECTION_HEAD) {
        sn_archive_fail(a, "the section should have %llu bytes, but the data ends",
                        (unsigned long long)length);
        return;
    }
    a->begin += SECTION_HEAD;
    a->end = a->begin + (size_t)length;
    if (hash_bytes(a->from + a->begin, (size_t)length) != hash)
        sn_archive_fail(a, "the %zu bytes of the section are damaged", (size_t)length);
}

void sn_archive_section(sn_archive *a, const char *name) {
    if (a->result != SN_OK) return;
    if (a->reading) {
        open_section(a, name);
        return;
    }
    uint8_t padded[NAME] = {0};
    assert(strlen(name) <= NAME);
    snprintf(a->section, sizeof a->section, "%s", name);
    memcpy(padded, name, strlen(name));
    put(a, padded, NAME);
    put_number(a, 0, 8);
    put_number(a, 0, 8);
    a->begin = a->size;
}

void sn_archive_section_any(sn_archive *a) {
    if (a->result == SN_OK) open_section(a, NULL);
}

void sn_archive_section_end(sn_archive *a) {
    if (a->result != SN_OK || a->reading || !a->to) return;
    size_t length = a->size - a->begin, end = a->size;
    uint64_t hash = hash_bytes(a->to + a->begin, length);
    a->size = a->begin - 16;
    put_number(a, length, 8);
    put_number(a, hash, 8);
    a->size = end;
}

/* ---- Arrays ---- */

void sn_archive_show(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                     size_t stride, size_t width, size_t count) {
    if (a->visit && a->result == SN_OK)
        a->visit(a->context, &(sn_array){a->section, name, kind, width, stride, count, data});
}

bool sn_archive_takes(const sn_archive *a, const char *name, bool said) {
    return a->reading ? sn_archive_has(a, name) : said || a->visit;
}

/* ---- Columns ---- */

/* A column as it lies in a section. */
typedef struct column {
    int kind;
    size_t count;
    const uint8_t *data;
    size_t next; /* where the column after it begins */
} column;

/* Reads the head of the column at a place; false, without a failure, where it does not fit. */
static bool column_at(const sn_archive *a, size_t at, const char **name, size_t *length,
                      column *c) {
    if (a->end - at < 1) return false;
    *length = a->from[at];
    if (a->end - at < 1 + *length + 9) return false;
    *name = (const char *)a->from + at + 1;
    const uint8_t *head = a->from + at + 1 + *length;
    uint64_t count = get_number(head + 1, 8);
    size_t left = a->end - at - 1 - *length - 9, bytes = bytes_of(head[0]);
    if (bytes == 0 || count > left / bytes) return false;
    *c = (column){head[0], (size_t)count, head + 9, at + 1 + *length + 9 + (size_t)count * bytes};
    return true;
}

static bool find(const sn_archive *a, const char *wanted, column *c) {
    const char *name;
    size_t length;
    for (size_t at = a->begin; at < a->end; at = c->next) {
        if (!column_at(a, at, &name, &length, c)) return false;
        if (length == strlen(wanted) && memcmp(name, wanted, length) == 0) return true;
    }
    return false;
}

bool sn_archive_has(const sn_archive *a, const char *name) {
    column c;
    return a->result == SN_OK && (!a->reading || find(a, name, &c));
}

size_t sn_archive_count(const sn_archive *a, const char *name) {
    column c;
    return a->result == SN_OK && a->reading && find(a, name, &c) ? c.count : 0;
}

static bool is_real(int kind) {
    return kind == SN_ARCHIVE_F32 || kind == SN_ARCHIVE_F64;
}

/* The column to be read, which must have this kind and count. */
static bool expect(sn_archive *a, const char *name, sn_archive_kind kind, size_t count, column *c) {
    if (a->result != SN_OK) return false;
    if (!find(a, name, c)) {
        sn_archive_fail(a, "there is no column \"%s\"", name);
        return false;
    }
    if (c->kind != (int)kind && !(is_real(c->kind) && is_real((int)kind)))
        sn_archive_fail(a, "column \"%s\" has numbers of kind %d, expected %d", name, c->kind,
                        (int)kind);
    else if (c->count != count)
        sn_archive_fail(a, "column \"%s\" has %zu numbers, expected %zu", name, c->count, count);
    return a->result == SN_OK;
}

static double get_real(const column *c, size_t i) {
    size_t bytes = bytes_of(c->kind);
    uint64_t number = get_number(c->data + i * bytes, bytes);
    double wide;
    float narrow;
    uint32_t half = (uint32_t)number;
    memcpy(&wide, &number, sizeof wide);
    memcpy(&narrow, &half, sizeof narrow);
    return c->kind == SN_ARCHIVE_F32 ? (double)narrow : wide;
}

static double most_of(int kind) {
    return kind == SN_ARCHIVE_F32 ? (double)FLT_MAX : DBL_MAX;
}

/* A finite number of the column in the precision that is asked for. The largest numbers of either
   precision mean the same, which is "automatic" or "no bound". */
static double checked_real(sn_archive *a, const char *name, const column *c, size_t i,
                           sn_archive_kind kind) {
    double value = get_real(c, i), most = most_of((int)kind);
    if (fabs(value) == most_of(c->kind)) value = value < 0 ? -most : most;
    if (!(fabs(value) <= most) && !a->any_real)
        sn_archive_fail(a, "number %zu of column \"%s\" is %g, expected a finite number", i, name,
                        value);
    return value;
}

static void put_head(sn_archive *a, const char *name, sn_archive_kind kind, size_t count) {
    size_t length = strlen(name);
    put_number(a, length, 1);
    put(a, name, length);
    put_number(a, (uint64_t)kind, 1);
    put_number(a, count, 8);
}

/* Numbers between the archive and memory: bytes are turned round on big-endian machines. */
static void copy_numbers(uint8_t *to, const uint8_t *from, size_t count, size_t bytes) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    if (first == 1) {
        memcpy(to, from, count * bytes);
        return;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < bytes; b++) to[i * bytes + b] = from[i * bytes + bytes - 1 - b];
}

/* Where numbers are in memory: `width` together, and the next ones a stride later. */
typedef struct layout {
    unsigned char *data;
    size_t stride, width, count;
} layout;

static void read_numbers(sn_archive *a, const char *name, sn_archive_kind kind, layout to) {
    size_t bytes = bytes_of((int)kind);
    column c;
    if (!expect(a, name, kind, to.count * to.width, &c)) return;
    for (size_t i = 0; i < to.count && a->result == SN_OK; i++) {
        unsigned char *at = to.data + i * to.stride;
        if (!is_real((int)kind)) copy_numbers(at, c.data + i * to.width * bytes, to.width, bytes);
        for (size_t k = 0; is_real((int)kind) && k < to.width; k++) {
            double wide = checked_real(a, name, &c, i * to.width + k, kind);
            float narrow = (float)wide;
            memcpy(at + k * bytes, kind == SN_ARCHIVE_F32 ? (void *)&narrow : (void *)&wide, bytes);
        }
    }
}

static void write_numbers(sn_archive *a, const char *name, sn_archive_kind kind, layout from) {
    size_t bytes = bytes_of((int)kind), size = from.count * from.width * bytes;
    put_head(a, name, kind, from.count * from.width);
    if (a->result == SN_OK && a->to && size > a->capacity - a->size) a->result = too_small(a);
    if (a->result != SN_OK) return;
    for (size_t i = 0; i < from.count && a->to; i++)
        copy_numbers(a->to + a->size + i * from.width * bytes, from.data + i * from.stride,
                     from.width, bytes);
    a->size += size;
}

void sn_archive_member(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                       size_t stride, int components, size_t count) {
    layout where = {data, stride, (size_t)components, count};
    if (a->result != SN_OK) return;
    if (a->visit)
        sn_archive_show(a, name, kind, data, stride, where.width, count);
    else if (a->reading)
        read_numbers(a, name, kind, where);
    else
        write_numbers(a, name, kind, where);
}

void sn_archive_column(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                       size_t count) {
    sn_archive_member(a, name, kind, data, bytes_of((int)kind), 1, count);
}

void sn_archive_vectors(sn_archive *a, const char *name, sn_vec4 *data, size_t count,
                        int components) {
    sn_archive_member(a, name, SN_ARCHIVE_REAL, data, sizeof *data, components, count);
}

sn_archive_cursor sn_archive_open(sn_archive *a, const char *name, sn_archive_kind kind,
                                  size_t count) {
    sn_archive_cursor cursor = {.name = name, .kind = kind, .count = count};
    column c = {0};
    if (a->result != SN_OK) return cursor;
    if (a->visit)
        sn_archive_show(a, name, kind, NULL, 0, 1, count);
    else if (!a->reading)
        put_head(a, name, kind, count);
    else if (expect(a, name, kind, count, &c)) {
        cursor.data = c.data;
        cursor.stored = c.kind;
    }
    return cursor;
}

void sn_archive_next(sn_archive *a, sn_archive_cursor *cursor, void *number) {
    size_t bytes = bytes_of((int)cursor->kind);
    uint8_t turned[8];
    if (a->result != SN_OK || a->visit) return;
    if (!a->reading) {
        copy_numbers(turned, number, 1, bytes);
        put(a, turned, bytes);
    } else if (is_real((int)cursor->kind)) {
        column c = {cursor->stored, cursor->count, cursor->data, 0};
        double wide = checked_real(a, cursor->name, &c, cursor->next, cursor->kind);
        float narrow = (float)wide;
        bool half = cursor->kind == SN_ARCHIVE_F32;
        memcpy(number, half ? (void *)&narrow : (void *)&wide, bytes);
    } else {
        copy_numbers(number, cursor->data + cursor->next * bytes, 1, bytes);
    }
    cursor->next++;
}

void sn_archive_run(sn_archive *a, sn_archive_cursor *cursor, void *data, size_t stride,
                    size_t width, size_t count) {
    size_t bytes = bytes_of((int)cursor->kind);
    sn_archive_show(a, cursor->name, cursor->kind, data, stride, width, count);
    for (size_t i = 0; !a->visit && i < count && a->result == SN_OK; i++)
        for (size_t k = 0; k < width; k++)
            sn_archive_next(a, cursor, (unsigned char *)data + i * stride + k * bytes);
}

void sn_archive_filled(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                       size_t stride, size_t width, size_t have, size_t count) {
    sn_archive_cursor cursor = sn_archive_open(a, name, kind, width * count);
    uint64_t zero = 0;
    if (have > count) have = count;
    sn_archive_run(a, &cursor, data, stride, width, have);
    for (size_t i = have * width; i < count * width; i++) sn_archive_next(a, &cursor, &zero);
}

/* One of a column of choices: between its bytes in memory and those in the archive. */
static uint32_t pass_choice(sn_archive *a, sn_archive_cursor *cursor, const void *from,
                            size_t bytes) {
    uint8_t narrow = 0;
    uint32_t wide = 0;
    memcpy(bytes == 1 ? (void *)&narrow : (void *)&wide, from, bytes);
    wide += narrow;
    narrow = (uint8_t)wide;
    bool small = cursor->kind == SN_ARCHIVE_U8;
    sn_archive_next(a, cursor, small ? (void *)&narrow : (void *)&wide);
    return small ? narrow : wide;
}

void sn_archive_choices(sn_archive *a, const char *name, sn_archive_kind kind, void *data,
                        size_t bytes, size_t stride, size_t count, uint32_t end) {
    if (a->visit) {
        sn_archive_show(a, name, bytes == 1 ? SN_ARCHIVE_U8 : SN_ARCHIVE_U32, data, stride, 1,
                        count);
        return;
    }
    sn_archive_cursor cursor = sn_archive_open(a, name, kind, count);
    for (size_t i = 0; i < count && a->result == SN_OK; i++) {
        unsigned char *at = (unsigned char *)data + i * stride;
        uint32_t wide = pass_choice(a, &cursor, at, bytes);
        uint8_t narrow = (uint8_t)wide;
        if (a->result == SN_OK && wide >= end)
            sn_archive_fail(a, "%s %zu is %u, expected below %u", name, i, wide, end);
        if (a->reading && a->result == SN_OK)
            memcpy(at, bytes == 1 ? (void *)&narrow : (void *)&wide, bytes);
    }
}

/* ---- Single numbers ---- */

void sn_archive_real(sn_archive *a, const char *name, sn_real *number) {
    sn_archive_column(a, name, SN_ARCHIVE_REAL, number, 1);
}

void sn_archive_double(sn_archive *a, const char *name, double *number) {
    sn_archive_column(a, name, SN_ARCHIVE_F64, number, 1);
}

void sn_archive_int(sn_archive *a, const char *name, int *number, int least, int most) {
    uint32_t bits = (uint32_t)*number;
    if (a->visit) {
        sn_archive_show(a, name, SN_ARCHIVE_U32, number, sizeof *number, 1, 1);
        return;
    }
    sn_archive_column(a, name, SN_ARCHIVE_U32, &bits, 1);
    if (a->result != SN_OK) return;
    int64_t value = bits <= INT32_MAX ? (int64_t)bits : (int64_t)bits - ((int64_t)UINT32_MAX + 1);
    if (value < least || value > most)
        sn_archive_fail(a, "\"%s\" is %lld, expected %d to %d", name, (long long)value, least,
                        most);
    else
        *number = (int)value;
}

void sn_archive_flag(sn_archive *a, const char *name, bool *flag) {
    int number = *flag;
    if (a->visit) {
        sn_archive_show(a, name, SN_ARCHIVE_U8, flag, sizeof *flag, 1, 1);
        return;
    }
    sn_archive_int(a, name, &number, 0, 1);
    *flag = number == 1;
}

/* ---- Texts ---- */

void sn_archive_text(sn_archive *a, const char *name, char *text, size_t size) {
    size_t length = a->reading ? sn_archive_count(a, name) : strlen(text);
    if (length >= size) sn_archive_fail(a, "\"%s\" has %zu characters", name, length);
    sn_archive_column(a, name, SN_ARCHIVE_U8, text, length);
    if (!a->reading) return;
    text[a->result == SN_OK ? length : 0] = 0;
    make_printable(text);
}

/* ---- Whatever there is ---- */

static sn_archive_view view_of(const char *name, size_t length, const column *c) {
    sn_archive_view view = {.kind = c->kind, .count = c->count, .data = c->data};
    memcpy(view.name, name, length);
    make_printable(view.name);
    return view;
}

bool sn_archive_view_next(sn_archive *a, size_t *at, sn_archive_view *view) {
    const char *name;
    size_t length;
    column c;
    size_t from = *at > 0 ? *at : a->begin;
    if (a->result != SN_OK || from >= a->end) return false;
    if (!column_at(a, from, &name, &length, &c)) {
        sn_archive_fail(a, "the column at byte %zu does not fit into the section", from);
        return false;
    }
    *at = c.next;
    *view = view_of(name, length, &c);
    return true;
}

bool sn_archive_view_find(const sn_archive *a, const char *name, sn_archive_view *view) {
    column c = {0};
    if (a->result != SN_OK || !find(a, name, &c)) return false;
    *view = view_of(name, strlen(name), &c);
    return true;
}

size_t sn_archive_view_bytes(const sn_archive_view *view) {
    return bytes_of(view->kind);
}

uint64_t sn_archive_view_bits(const sn_archive_view *view, size_t i) {
    size_t bytes = bytes_of(view->kind);
    return get_number(view->data + i * bytes, bytes);
}

void sn_archive_view_text(const sn_archive_view *view, size_t i, char text[32]) {
    column c = {view->kind, view->count, view->data, 0};
    if (is_real(view->kind))
        snprintf(text, 32, "%.*g", view->kind == SN_ARCHIVE_F32 ? 9 : 17, get_real(&c, i));
    else
        snprintf(text, 32, "%llu", (unsigned long long)sn_archive_view_bits(view, i));
}
