/*
 * A recursive descent parser. Items of the containers that are open lie on one growing stack; when
 * a container closes, its items move to where they stay, in blocks that are freed together.
 */
#include "io/text/json.h"

#include "io/text/text.h"

#include <sinew/support.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64, BLOCK_SIZE = 65536 };

struct json_block {
    struct json_block *next;
    size_t used, size; /* bytes */
    max_align_t data[];
};

typedef struct parser {
    const char *name, *at, *end, *line_begin;
    uint32_t line;
    json_document *document;
    json_node *stack;
    size_t count, capacity; /* of the stack */
    sn_result result;
} parser;

/* ---- Memory and complaints ---- */

static void *take(parser *p, size_t size) {
    json_document *d = p->document;
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!d->blocks || d->blocks->size - d->blocks->used < size) {
        size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        struct json_block *block = malloc(sizeof *block + room);
        if (!block) {
            p->result = sn_fail(SN_ERROR_MEMORY, "%s: there is no memory to read it", p->name);
            return NULL;
        }
        *block = (struct json_block){.next = d->blocks, .size = room};
        d->blocks = block;
    }
    void *taken = (char *)d->blocks->data + d->blocks->used;
    d->blocks->used += size;
    return taken;
}

static uint32_t column_of(const parser *p, const char *at) {
    return (uint32_t)(at - p->line_begin) + 1;
}

/* Every complaint names the place; returns false so that failing is one line. */
static bool complain(parser *p, const char *at, const char *sentence) {
    if (p->result == SN_OK)
        p->result =
            sn_fail(SN_ERROR_DATA, "%s:%u:%u: %s", p->name, p->line, column_of(p, at), sentence);
    return false;
}

/* What is there instead of what was expected. */
static bool complain_found(parser *p, const char *expected) {
    char sentence[128];
    unsigned char c = p->at < p->end ? (unsigned char)*p->at : 0;
    if (p->at >= p->end)
        snprintf(sentence, sizeof sentence, "the file ends here, expected %s", expected);
    else if (c > ' ' && c < 127)
        snprintf(sentence, sizeof sentence, "found '%c', expected %s", c, expected);
    else
        snprintf(sentence, sizeof sentence, "found byte 0x%02x, expected %s", c, expected);
    return complain(p, p->at, sentence);
}

/* ---- Tokens ---- */

static void skip_space(parser *p) {
    for (; p->at < p->end; p->at++) {
        if (*p->at == '\n') {
            p->line++;
            p->line_begin = p->at + 1;
        } else if (*p->at != ' ' && *p->at != '\t' && *p->at != '\r') {
            return;
        }
    }
}

static bool is_digit(const parser *p) {
    return p->at < p->end && *p->at >= '0' && *p->at <= '9';
}

static bool skip_digits(parser *p) {
    if (!is_digit(p)) return complain_found(p, "a digit");
    while (is_digit(p)) p->at++;
    return true;
}

static bool parse_number(parser *p, json_node *node) {
    const char *begin = p->at;
    if (*p->at == '-') p->at++;
    if (p->at < p->end && *p->at == '0') {
        p->at++;
        if (is_digit(p))
            return complain(p, begin, "a number begins with 0, expected no zero there");
    } else if (!skip_digits(p)) {
        return false;
    }
    if (p->at < p->end && *p->at == '.') {
        p->at++;
        if (!skip_digits(p)) return false;
    }
    if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        p->at++;
        if (p->at < p->end && (*p->at == '+' || *p->at == '-')) p->at++;
        if (!skip_digits(p)) return false;
    }
    sn_text text = {.begin = begin, .at = begin, .end = p->at};
    node->kind = JSON_NUMBER;
    if (!sn_text_scan_real(&text, &node->number) || !isfinite(node->number))
        return complain(p, begin, "the number is too large");
    return true;
}

static bool parse_hex(parser *p, uint32_t *value) {
    *value = 0;
    for (int i = 0; i < 4; i++, p->at++) {
        static const char digits[] = "0123456789abcdef";
        char c = p->at < p->end ? *p->at : 0;
        const char *digit = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
        if (!digit) return complain_found(p, "a hexadecimal digit");
        *value = *value << 4 | (uint32_t)(digit - digits);
    }
    return true;
}

static char *put_utf8(char *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint32_t lead[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(lead[more] | code >> (6 * more));
    while (more-- > 0) *to++ = (char)(0x80 | (code >> (6 * more) & 0x3f));
    return to;
}

/* After the backslash. A pair of surrogates is one character; one alone is none. */
static bool parse_escape(parser *p, char **to) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char c = p->at < p->end ? *p->at : 0;
    const char *found = c ? strchr(names, c) : NULL;
    if (found) {
        *(*to)++ = values[found - names];
        p->at++;
        return true;
    }
    if (c != 'u') return complain_found(p, "one of \" \\ / b f n r t u after a backslash");
    const char *begin = p->at - 1;
    uint32_t code, low;
    p->at++;
    if (!parse_hex(p, &code)) return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (p->end - p->at < 2 || p->at[0] != '\\' || p->at[1] != 'u')
            return complain(p, begin, "a character code is half of a pair, expected both halves");
        p->at += 2;
        if (!parse_hex(p, &low)) return false;
        if (low < 0xdc00 || low > 0xdfff)
            return complain(p, begin, "a character code is half of a pair, expected both halves");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code <= 0xdfff) {
        return complain(p, begin, "a character code is half of a pair, expected both halves");
    }
    if (code == 0) return complain(p, begin, "a string has the character 0, expected none");
    *to = put_utf8(*to, code);
    return true;
}

/* The length of the UTF-8 sequence here; 0 where there is none. */
static size_t utf8_length(const char *at, const char *end) {
    const unsigned char *s = (const unsigned char *)at;
    if (s[0] < 0x80) return 1;
    size_t length = s[0] >= 0xc2 && s[0] < 0xe0   ? 2
                    : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                    : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                  : 0;
    if (length == 0 || (size_t)(end - at) < length) return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xed && s[1] >= 0xa0, beyond = s[0] == 0xf4 && s[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

static bool parse_string(parser *p, const char **text, size_t *length) {
    const char *begin = p->at, *close = p->at + 1;
    while (close < p->end && *close != '"') close += *close == '\\' && p->end - close > 1 ? 2 : 1;
    if (close >= p->end) return complain(p, begin, "the string is not closed, expected \"");
    /* Decoded text is never longer than what is written. */
    char *to = take(p, (size_t)(close - begin) + 1), *start = to;
    if (!to) return false;
    for (p->at++; *p->at != '"';) {
        if (*p->at == '\\') {
            p->at++;
            if (!parse_escape(p, &to)) return false;
            continue;
        }
        if ((unsigned char)*p->at < 0x20)
            return complain(p, p->at,
                            "a string has a control character (a line that ends inside "
                            "it?), expected \\n or its like");
        size_t bytes = utf8_length(p->at, p->end);
        if (bytes == 0) return complain(p, p->at, "the text is not UTF-8");
        memcpy(to, p->at, bytes);
        to += bytes;
        p->at += bytes;
    }
    p->at++;
    *to = 0;
    *text = start;
    *length = (size_t)(to - start);
    return true;
}

static bool parse_word(parser *p, json_node *node) {
    static const struct {
        const char *word;
        json_kind kind;
        bool boolean;
    } words[] = {
        {"true", JSON_BOOL, true}, {"false", JSON_BOOL, false}, {"null", JSON_NULL, false}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if ((size_t)(p->end - p->at) >= length && memcmp(p->at, words[i].word, length) == 0) {
            node->kind = words[i].kind;
            node->boolean = words[i].boolean;
            p->at += length;
            return true;
        }
    }
    return complain_found(p, "a value");
}

/* ---- Containers ---- */

static json_node *push(parser *p) {
    if (p->count == p->capacity) {
        size_t capacity = p->capacity ? 2 * p->capacity : 256;
        json_node *larger = realloc(p->stack, capacity * sizeof *larger);
        if (!larger) {
            p->result = sn_fail(SN_ERROR_MEMORY, "%s: there is no memory to read it", p->name);
            return NULL;
        }
        p->stack = larger;
        p->capacity = capacity;
    }
    p->stack[p->count] = (json_node){0};
    return &p->stack[p->count++];
}

static void adopt(json_node *node) {
    if (node->kind != JSON_ARRAY && node->kind != JSON_OBJECT) return;
    for (size_t i = 0; i < node->count; i++) node->items[i].parent = node;
}

static int compare_keys(const void *a, const void *b) {
    const json_node *const *left = a, *const *right = b;
    int order = strcmp((*left)->key, (*right)->key);
    return order ? order : ((*left)->index > (*right)->index) - ((*left)->index < (*right)->index);
}

static bool check_keys(parser *p, const json_node *items, size_t count) {
    if (count < 2) return true;
    const json_node **sorted = malloc(count * sizeof *sorted);
    if (!sorted) {
        p->result = sn_fail(SN_ERROR_MEMORY, "%s: there is no memory to read it", p->name);
        return false;
    }
    for (size_t i = 0; i < count; i++) sorted[i] = &items[i];
    qsort(sorted, count, sizeof *sorted, compare_keys);
    for (size_t i = 1; i < count && p->result == SN_OK; i++)
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0)
            p->result = sn_fail(SN_ERROR_DATA,
                                "%s:%u:%u: the key \"%.64s\" is there twice, first in line %u",
                                p->name, sorted[i]->key_line, sorted[i]->key_column, sorted[i]->key,
                                sorted[i - 1]->key_line);
    free(sorted);
    return p->result == SN_OK;
}

/* Moves the items above `first` from the stack to their place. */
static bool close_container(parser *p, size_t first, json_node *node) {
    size_t count = p->count - first;
    node->count = count;
    node->items = count > 0 ? take(p, count * sizeof *node->items) : NULL;
    if (count > 0 && !node->items) return false;
    for (size_t i = 0; i < count; i++) {
        node->items[i] = p->stack[first + i];
        node->items[i].index = (uint32_t)i;
        adopt(&node->items[i]);
    }
    p->count = first;
    return node->kind != JSON_OBJECT || check_keys(p, node->items, count);
}

static bool parse_value(parser *p, json_node *node, int depth);

static bool parse_key(parser *p, json_node *item) {
    size_t length;
    item->key_line = p->line;
    item->key_column = column_of(p, p->at);
    if (p->at >= p->end || *p->at != '"') return complain_found(p, "a key in quotes");
    if (!parse_string(p, &item->key, &length)) return false;
    skip_space(p);
    if (p->at >= p->end || *p->at != ':') return complain_found(p, "':' after the key");
    p->at++;
    skip_space(p);
    return true;
}

static bool parse_items(parser *p, json_node *node, char close, int depth) {
    const char *next = close == ']' ? "',' or ']'" : "',' or '}'";
    size_t first = p->count;
    p->at++;
    skip_space(p);
    if (p->at < p->end && *p->at == close) {
        p->at++;
        return close_container(p, first, node);
    }
    for (;;) {
        /* The stack may move while the item is parsed. */
        json_node item = {0};
        if (node->kind == JSON_OBJECT && !parse_key(p, &item)) return false;
        if (!parse_value(p, &item, depth + 1)) return false;
        json_node *place = push(p);
        if (!place) return false;
        *place = item;
        skip_space(p);
        if (p->at >= p->end || (*p->at != ',' && *p->at != close)) return complain_found(p, next);
        if (*p->at++ == close) return close_container(p, first, node);
        skip_space(p);
    }
}

static bool parse_value(parser *p, json_node *node, int depth) {
    node->line = p->line;
    node->column = column_of(p, p->at);
    if (p->at >= p->end) return complain_found(p, "a value");
    if (depth > MOST_DEPTH) return complain(p, p->at, "values are nested deeper than 64");
    char c = *p->at;
    if (c == '{' || c == '[') {
        node->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
        return parse_items(p, node, c == '{' ? '}' : ']', depth);
    }
    if (c == '"') {
        node->kind = JSON_STRING;
        return parse_string(p, &node->text, &node->count);
    }
    if (c == '-' || (c >= '0' && c <= '9')) return parse_number(p, node);
    return parse_word(p, node);
}

/* With its mark, or by the zero beside the first character, which is in ASCII. */
static bool is_wide(const parser *p) {
    if (p->end - p->at < 2) return false;
    const unsigned char first = (unsigned char)p->at[0], second = (unsigned char)p->at[1];
    return (first == 0xff && second == 0xfe) || (first == 0xfe && second == 0xff) ||
           (first == 0) != (second == 0);
}

static bool parse_document(parser *p) {
    size_t length = strlen(p->name) + 1;
    p->document->root = take(p, sizeof *p->document->root);
    p->document->name = take(p, length);
    if (!p->document->root || !p->document->name) return false;
    memcpy(p->document->name, p->name, length);
    *p->document->root = (json_node){0};
    if (is_wide(p)) return complain(p, p->at, "the text is UTF-16, expected UTF-8");
    skip_space(p);
    if (!parse_value(p, p->document->root, 0)) return false;
    adopt(p->document->root);
    skip_space(p);
    return p->at == p->end || complain_found(p, "the end of the file");
}

sn_result sn_json_parse(const char *name, const char *data, size_t size, json_document *document) {
    *document = (json_document){0};
    sn_text text = sn_text_of(name, data, size);
    parser p = {.name = name,
                .at = text.at,
                .end = text.end,
                .line_begin = text.at,
                .line = 1,
                .document = document};
    bool parsed = parse_document(&p);
    free(p.stack);
    if (parsed) return SN_OK;
    sn_json_free(document);
    return p.result;
}

void sn_json_free(json_document *document) {
    while (document->blocks) {
        struct json_block *next = document->blocks->next;
        free(document->blocks);
        document->blocks = next;
    }
    *document = (json_document){0};
}

/* ---- Looking ---- */

json_node *sn_json_member(const json_node *node, const char *key) {
    if (!node || node->kind != JSON_OBJECT) return NULL;
    for (size_t i = 0; i < node->count; i++)
        if (strcmp(node->items[i].key, key) == 0) return &node->items[i];
    return NULL;
}

const char *sn_json_kind_name(json_kind kind) {
    static const char *const names[] = {"null",     "true or false", "a number",
                                        "a string", "an array",      "an object"};
    return names[kind];
}

/* Writes the path of the parents first; returns how much of the buffer is used. */
static size_t write_path(const json_node *node, char *buffer, size_t size) {
    if (!node->parent) return 0;
    size_t used = write_path(node->parent, buffer, size);
    if (used >= size) return used;
    int length = node->key
                     ? snprintf(buffer + used, size - used, "%s%.64s", used ? "." : "", node->key)
                     : snprintf(buffer + used, size - used, "[%u]", node->index);
    return used + (size_t)length;
}

char *sn_json_path(const json_node *node, char *buffer, size_t size) {
    if (node->parent)
        write_path(node, buffer, size);
    else
        snprintf(buffer, size, "the scene");
    return buffer;
}
