#include "io/text/usda.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words ---- */

bool sn_usda_is(usda_word word, const char *text) {
    return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':' || c == '.' || c == '[' || c == ']' || (unsigned char)c >= 0x80;
}

/* The word here, empty where there is none; passes over it. */
static usda_word take_word(sn_text *t) {
    sn_text_skip_space(t);
    usda_word word = {t->at, 0};
    while (t->at < t->end && is_name(*t->at)) t->at++;
    word.length = (size_t)(t->at - word.at);
    return word;
}

static bool take(sn_text *t, char c) {
    sn_text_skip_space(t);
    if (t->at >= t->end || *t->at != c) return false;
    t->at++;
    return true;
}

static sn_result expect(sn_text *t, char c, const char *where) {
    if (take(t, c)) return SN_OK;
    if (t->at >= t->end) return sn_text_fail(t, t->at, "the file ends, expected '%c' %s", c, where);
    return sn_text_fail(t, t->at, "found '%c', expected '%c' %s", *t->at, c, where);
}

/* Passes over what ends with a mark, such as a string; `at` is behind its beginning. */
static sn_result skip_to(sn_text *t, const char *mark, bool escapes) {
    const char *begin = t->at;
    size_t length = strlen(mark);
    for (; t->at + length <= t->end; t->at++) {
        if (escapes && *t->at == '\\') {
            t->at++;
            continue;
        }
        if (memcmp(t->at, mark, length) == 0) {
            t->at += length;
            return SN_OK;
        }
    }
    return sn_text_fail(t, begin, "the file ends before the %s that belongs here", mark);
}

/* What is quoted here, without its marks. */
static sn_result take_quoted(sn_text *t, usda_word *inside) {
    static const char *const marks[] = {"\"\"\"", "'''", "\"", "'", "@@@", "@", "<"};
    sn_text_skip_space(t);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        size_t length = strlen(marks[i]);
        if ((size_t)(t->end - t->at) < length || memcmp(t->at, marks[i], length) != 0) continue;
        t->at += length;
        inside->at = t->at;
        SN_TRY(skip_to(t, *marks[i] == '<' ? ">" : marks[i], i < 4));
        inside->length = (size_t)(t->at - inside->at) - length;
        return SN_OK;
    }
    return sn_text_fail(t, t->at, "expected a string");
}

static bool is_quote(const sn_text *t) {
    return t->at < t->end && strchr("\"'@<", *t->at) && *t->at;
}

/* Passes over a value of any kind. */
static sn_result skip_value(sn_text *t) {
    const char *begin = t->at;
    size_t depth = 0;
    do {
        usda_word inside;
        sn_text_skip_space(t);
        if (t->at >= t->end) return sn_text_fail(t, begin, "the file ends within a value");
        char c = *t->at;
        if (is_quote(t)) {
            SN_TRY(take_quoted(t, &inside));
        } else if (c == '[' || c == '(' || c == '{') {
            depth++;
            t->at++;
        } else if (c == ']' || c == ')' || c == '}') {
            if (depth == 0) return sn_text_fail(t, t->at, "found '%c', expected a value", c);
            depth--;
            t->at++;
        } else if (c == ',' || c == ';' || c == ':' || c == '=') {
            if (depth == 0) return sn_text_fail(t, t->at, "found '%c', expected a value", c);
            t->at++;
        } else {
            /* A number or a word, of one character at least. */
            do t->at++;
            while (t->at < t->end && *t->at && !strchr(" \t\v\f\r\n[](){}\"'@<,;:=#", *t->at));
        }
    } while (depth > 0);
    return SN_OK;
}

/* ---- Growing ---- */

static sn_result grow(void **items, size_t *capacity, size_t count, size_t size) {
    if (count < *capacity) return SN_OK;
    size_t larger = *capacity > 0 ? 2 * *capacity : 64;
    void *grown = realloc(*items, larger * size);
    if (!grown)
        return sn_fail(SN_ERROR_MEMORY, "usda: no memory for %zu times %zu bytes", larger, size);
    *items = grown;
    *capacity = larger;
    return SN_OK;
}
#define ADD(array, ...)                                                                            \
    do {                                                                                           \
        SN_TRY(grow((void **)&(array).items, &(array).capacity, (array).count,                     \
                    sizeof *(array).items));                                                       \
        (array).items[(array).count++] = __VA_ARGS__;                                              \
    } while (0)

/* ---- Values ---- */

/* A number here, or a word that stands for one. */
static sn_result take_number(sn_text *t, double *number) {
    const char *at = t->at;
    if (sn_text_scan_real(t, number)) {
        if (isfinite(*number)) return SN_OK;
    } else {
        usda_word word = take_word(t);
        *number = sn_usda_is(word, "true") ? 1 : 0;
        if (sn_usda_is(word, "true") || sn_usda_is(word, "false")) return SN_OK;
    }
    return sn_text_unexpected(t, at, "a finite number");
}

/* All numbers of a value; None has none of them. */
static sn_result read_value(usda_document *d, double time) {
    sn_text *t = &d->text;
    usda_value value = {time, d->numbers.count, 0};
    size_t depth = 0;
    sn_text_skip_space(t);
    const char *begin = t->at;
    if (t->at < t->end && *t->at == 'N') {
        usda_word word = take_word(t);
        if (!sn_usda_is(word, "None")) return sn_text_unexpected(t, begin, "numbers or None");
        ADD(d->values, value);
        return SN_OK;
    }
    do {
        double number;
        sn_text_skip_space(t);
        if (t->at >= t->end) return sn_text_fail(t, begin, "the file ends within a value");
        char c = *t->at;
        if (c == '[' || c == '(') {
            depth++;
            t->at++;
        } else if ((c == ']' || c == ')') && depth > 0) {
            depth--;
            t->at++;
        } else if (c == ',' && depth > 0) {
            t->at++;
        } else {
            SN_TRY(take_number(t, &number));
            ADD(d->numbers, number);
        }
    } while (depth > 0);
    value.count = d->numbers.count - value.first;
    ADD(d->values, value);
    return SN_OK;
}

static sn_result read_samples(usda_document *d) {
    sn_text *t = &d->text;
    size_t first = d->values.count;
    SN_TRY(expect(t, '{', "before samples in time"));
    while (!take(t, '}')) {
        double time;
        const char *at = t->at;
        SN_TRY(take_number(t, &time));
        if (d->values.count > first && !(time > d->values.items[d->values.count - 1].time))
            return sn_text_fail(t, at, "the sample at %g follows that at %g, expected a later one",
                                time, d->values.items[d->values.count - 1].time);
        SN_TRY(expect(t, ':', "after the time of a sample"));
        SN_TRY(read_value(d, time));
        if (take(t, ',')) continue;
        SN_TRY(expect(t, '}', "after samples in time"));
        break;
    }
    return SN_OK;
}

/* ---- What is said in parentheses ---- */

/* Words by which a file takes something from elsewhere. */
static bool is_composition(usda_word word) {
    return sn_usda_is(word, "references") || sn_usda_is(word, "payload") ||
           sn_usda_is(word, "subLayers") || sn_usda_is(word, "inherits") ||
           sn_usda_is(word, "specializes") || sn_usda_is(word, "variants");
}

/* A fact about the whole file. */
static sn_result read_fact(usda_document *d, usda_word key) {
    sn_text *t = &d->text;
    usda_word axis;
    double *number = sn_usda_is(key, "metersPerUnit")        ? &d->metres_per_unit
                     : sn_usda_is(key, "timeCodesPerSecond") ? &d->codes_per_second
                     : sn_usda_is(key, "framesPerSecond")    ? &d->frames_per_second
                                                             : NULL;
    double *code = sn_usda_is(key, "startTimeCode") ? &d->start
                   : sn_usda_is(key, "endTimeCode") ? &d->end
                                                    : NULL;
    sn_text_skip_space(t);
    const char *at = t->at;
    if (code) return take_number(t, code);
    if (number) {
        SN_TRY(take_number(t, number));
        if (!(*number > 0)) return sn_text_unexpected(t, at, "a number above 0");
        return SN_OK;
    }
    if (!sn_usda_is(key, "upAxis")) return skip_value(t);
    SN_TRY(take_quoted(t, &axis));
    if (axis.length != 1 || !strchr("XYZ", *axis.at))
        return sn_text_unexpected(t, at, "\"X\", \"Y\" or \"Z\"");
    d->up = *axis.at;
    return SN_OK;
}

/* Metadata of the file, a prim or an attribute; those of the file have facts. */
static sn_result read_metadata(usda_document *d, bool is_file) {
    sn_text *t = &d->text;
    if (!take(t, '(')) return SN_OK;
    while (!take(t, ')')) {
        usda_word word, inside;
        if (t->at >= t->end) return sn_text_fail(t, t->at, "the file ends, expected ')'");
        if (is_quote(t)) {
            SN_TRY(take_quoted(t, &inside));
            continue;
        }
        if (take(t, ';')) continue;
        const char *at = t->at;
        word = take_word(t);
        if (word.length == 0) return sn_text_unexpected(t, at, "a word or ')'");
        if (is_composition(word))
            return sn_text_fail(t, at,
                                "\"%.*s\" takes from elsewhere, which cannot be read; flatten the "
                                "file first",
                                (int)word.length, word.at);
        if (!take(t, '=')) continue; /* a list operation before its key, or a type */
        SN_TRY(is_file ? read_fact(d, word) : skip_value(t));
    }
    return SN_OK;
}

/* ---- Statements ---- */

static sn_result read_prim(usda_document *d, size_t *current, bool is_class) {
    sn_text *t = &d->text;
    usda_node node = {
        .parent = *current, .properties = SIZE_MAX, .quotes = SIZE_MAX, .is_class = is_class};
    if (*current != SIZE_MAX) node.is_class |= d->nodes.items[*current].is_class;
    sn_text_skip_space(t);
    if (!is_quote(t)) node.type = take_word(t);
    SN_TRY(take_quoted(t, &node.name));
    SN_TRY(read_metadata(d, false));
    SN_TRY(expect(t, '{', "after the name of a prim"));
    ADD(d->nodes, node);
    *current = d->nodes.count - 1;
    return SN_OK;
}

static bool begins_with(usda_word name, const char *text) {
    size_t length = strlen(text);
    return name.length > length && memcmp(name.at, text, length) == 0;
}

/* Attributes that are kept as numbers. */
static bool is_wanted(usda_word name) {
    static const char *const known[] = {"points",
                                        "faceVertexCounts",
                                        "faceVertexIndices",
                                        "curveVertexCounts",
                                        "indices",
                                        "primvars:st",
                                        "primvars:st:indices",
                                        "primvars:displayColor",
                                        "primvars:displayColor:indices",
                                        "inputs:diffuseColor",
                                        "inputs:opacity",
                                        "inputs:roughness",
                                        "inputs:scale"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (sn_usda_is(name, known[i])) return true;
    return begins_with(name, "xformOp:");
}

/* What is quoted behind a "=". */
static sn_result read_quote(usda_document *d, size_t current, usda_word name) {
    usda_node *node = &d->nodes.items[current];
    usda_quote quote = {.name = name, .next = node->quotes};
    SN_TRY(take_quoted(&d->text, &quote.value));
    if (sn_usda_is(name, "orientation"))
        node->is_left_handed = sn_usda_is(quote.value, "leftHanded");
    ADD(d->quotes, quote);
    node->quotes = d->quotes.count - 1;
    return SN_OK;
}

/* The value of an attribute, behind its "=". */
static sn_result read_property(usda_document *d, size_t current, usda_word name) {
    static const char timed[] = ".timeSamples";
    size_t ending = sizeof timed - 1;
    bool is_timed =
        name.length > ending && memcmp(name.at + name.length - ending, timed, ending) == 0;
    if (is_timed) name.length -= ending;
    usda_node *node = &d->nodes.items[current];
    sn_text_skip_space(&d->text);
    usda_word value = {d->text.at, 0};
    /* An input of a shader may be of any type. */
    if (is_quote(&d->text) && (!is_wanted(name) || begins_with(name, "inputs:")))
        return read_quote(d, current, name);
    if (!is_wanted(name)) {
        SN_TRY(skip_value(&d->text));
        value.length = (size_t)(d->text.at - value.at);
        if (sn_usda_is(name, "xformOpOrder") && !is_timed) node->operations = value;
        return SN_OK;
    }
    usda_property property = {name, is_timed, d->values.count, 0, node->properties};
    if (is_timed)
        SN_TRY(read_samples(d));
    else
        SN_TRY(read_value(d, 0));
    property.count = d->values.count - property.first;
    ADD(d->properties, property);
    d->nodes.items[current].properties = d->properties.count - 1;
    return SN_OK;
}

/* An attribute, a relationship, or a list operation on one. */
static sn_result read_statement(usda_document *d, size_t current, usda_word word) {
    static const char *const before[] = {"custom", "uniform", "varying", "config", "prepend",
                                         "append", "add",     "delete",  "reorder"};
    sn_text *t = &d->text;
    if (current == SIZE_MAX && !sn_usda_is(word, "reorder"))
        return sn_text_unexpected(t, word.at, "def, over or class");
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        if (sn_usda_is(word, before[i])) word = take_word(t), i = SIZE_MAX;
    if (word.length == 0) return sn_text_unexpected(t, t->at, "the type of an attribute");
    usda_word name = word;
    sn_text_skip_space(t);
    if (t->at < t->end && *t->at != '=') name = take_word(t);
    if (name.length == 0) return sn_text_unexpected(t, t->at, "the name of an attribute");
    if (sn_usda_is(word, "rel") && sn_usda_is(name, "skel:skeleton"))
        d->nodes.items[current].skeleton = name.at;
    if (take(t, '=')) {
        sn_text_skip_space(t);
        bool is_relation = sn_usda_is(word, "rel");
        if (current != SIZE_MAX && is_relation && is_quote(t))
            SN_TRY(read_quote(d, current, name));
        else
            SN_TRY(current != SIZE_MAX && !is_relation ? read_property(d, current, name)
                                                       : skip_value(t));
    }
    return read_metadata(d, false);
}

static sn_result read_statements(usda_document *d) {
    sn_text *t = &d->text;
    size_t current = SIZE_MAX;
    for (;;) {
        sn_text_skip_space(t);
        if (t->at >= t->end) break;
        if (current != SIZE_MAX && take(t, '}')) {
            current = d->nodes.items[current].parent;
            continue;
        }
        if (take(t, ';')) continue;
        const char *at = t->at;
        usda_word word = take_word(t);
        if (word.length == 0) return sn_text_unexpected(t, at, "a statement");
        bool is_class = sn_usda_is(word, "class");
        if (sn_usda_is(word, "variantSet"))
            return sn_text_fail(t, at,
                                "the prim has variants, which cannot be read; flatten the "
                                "file first");
        if (sn_usda_is(word, "def") || sn_usda_is(word, "over") || is_class)
            SN_TRY(read_prim(d, &current, is_class));
        else
            SN_TRY(read_statement(d, current, word));
    }
    if (current == SIZE_MAX) return SN_OK;
    usda_word name = d->nodes.items[current].name;
    return sn_text_fail(t, t->at, "the file ends within the prim \"%.*s\"",
                        name.length < 64 ? (int)name.length : 64, name.at);
}

/* ---- The document ---- */

sn_result sn_usda_parse(const char *name, const char *data, size_t size, usda_document *d) {
    static const char magic[] = "#usda 1.";
    *d = (usda_document){.text = {name, data, data, data + size, '#'},
                         .start = NAN,
                         .end = NAN,
                         .metres_per_unit = 0.01,
                         .up = 'Y'};
    if (size < sizeof magic - 1 || memcmp(data, magic, sizeof magic - 1) != 0)
        return sn_text_fail(&d->text, data, "the file does not begin with \"#usda 1.0\"%s",
                            size > 8 && memcmp(data, "PXR-USDC", 8) == 0
                                ? ": it is binary; usdcat writes it as text"
                                : "");
    SN_TRY(read_metadata(d, true));
    if (d->codes_per_second == 0)
        d->codes_per_second = d->frames_per_second > 0 ? d->frames_per_second : 24;
    return read_statements(d);
}

void sn_usda_free(usda_document *d) {
    free(d->nodes.items);
    free(d->properties.items);
    free(d->quotes.items);
    free(d->values.items);
    free(d->numbers.items);
    *d = (usda_document){0};
}

const usda_property *sn_usda_find(const usda_document *d, size_t node, const char *name,
                                  size_t length) {
    const usda_property *found = NULL;
    for (size_t i = d->nodes.items[node].properties; i != SIZE_MAX;
         i = d->properties.items[i].next) {
        const usda_property *p = &d->properties.items[i];
        if (p->name.length != length || memcmp(p->name.at, name, length) != 0) continue;
        if (!found || (p->is_timed && !found->is_timed)) found = p;
    }
    return found;
}

usda_word sn_usda_quote(const usda_document *d, size_t node, const char *name) {
    for (size_t i = d->nodes.items[node].quotes; i != SIZE_MAX; i = d->quotes.items[i].next)
        if (sn_usda_is(d->quotes.items[i].name, name)) return d->quotes.items[i].value;
    return (usda_word){"", 0};
}

/* Whether a path is that of a prim: the names of all above it, with a slash before each. */
static bool is_path(const usda_document *d, size_t node, usda_word path) {
    size_t end = path.length;
    for (; node != SIZE_MAX; node = d->nodes.items[node].parent) {
        usda_word name = d->nodes.items[node].name;
        if (end < name.length + 1) return false;
        end -= name.length + 1;
        if (path.at[end] != '/' || memcmp(path.at + end + 1, name.at, name.length) != 0)
            return false;
    }
    return end == 0;
}

size_t sn_usda_at(const usda_document *d, usda_word path) {
    /* Up to the property, if there is one. */
    const char *dot = path.length > 0 ? memchr(path.at, '.', path.length) : NULL;
    if (dot) path.length = (size_t)(dot - path.at);
    for (size_t i = 0; i < d->nodes.count; i++)
        if (is_path(d, i, path)) return i;
    return SIZE_MAX;
}
