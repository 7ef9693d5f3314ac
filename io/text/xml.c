#include "io/text/xml.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64, MOST_ATTRIBUTES = 256, MOST_ELEMENTS = 1 << 17 };

/* While a document is read. */
typedef struct reading {
    xml_document *d;
    sn_text *t;
    uint32_t open[MOST_DEPTH]; /* elements that are not closed yet */
    uint32_t last[MOST_DEPTH]; /* their last children, or SN_XML_NONE */
    size_t depth;
    bool has_root;
} reading;

static sn_result no_memory(void) {
    return sn_fail(SN_ERROR_MEMORY, "xml: no memory");
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(sn_text *t) {
    while (t->at < t->end && is_space(*t->at)) t->at++;
}

static bool is_name(char c, bool first) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
                  (unsigned char)c >= 0x80;
    return letter || (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
}

static bool begins(const sn_text *t, const char *with) {
    size_t length = strlen(with);
    return (size_t)(t->end - t->at) >= length && memcmp(t->at, with, length) == 0;
}

/* Passes over something that begins here, up to and with its end. */
static sn_result skip_to(sn_text *t, const char *end, const char *what) {
    const char *begin = t->at;
    for (; t->at < t->end; t->at++)
        if (begins(t, end)) {
            t->at += strlen(end);
            return SN_OK;
        }
    return sn_text_fail(t, begin, "%s has no end, expected \"%s\"", what, end);
}

/* ---- Letters ---- */

/* What is decoded is never longer than what is written, so there is room for it. */
static void put(xml_document *d, char c) {
    d->letters[d->letter_count++] = c;
}

static void put_character(xml_document *d, uint32_t c) {
    if (c < 0x80) {
        put(d, (char)c);
    } else if (c < 0x800) {
        put(d, (char)(0xc0 | c >> 6));
        put(d, (char)(0x80 | (c & 0x3f)));
    } else if (c < 0x10000) {
        put(d, (char)(0xe0 | c >> 12));
        put(d, (char)(0x80 | (c >> 6 & 0x3f)));
        put(d, (char)(0x80 | (c & 0x3f)));
    } else {
        put(d, (char)(0xf0 | c >> 18));
        put(d, (char)(0x80 | (c >> 12 & 0x3f)));
        put(d, (char)(0x80 | (c >> 6 & 0x3f)));
        put(d, (char)(0x80 | (c & 0x3f)));
    }
}

/* The digits of a character reference; 0 where it names no character. */
static uint32_t character_of(const char *at, const char *end) {
    bool hex = at < end && *at == 'x';
    uint32_t value = 0;
    at += hex;
    if (at == end) return 0;
    for (; at < end; at++) {
        uint32_t digit = *at >= '0' && *at <= '9'          ? (uint32_t)(*at - '0')
                         : hex && *at >= 'a' && *at <= 'f' ? (uint32_t)(*at - 'a' + 10)
                         : hex && *at >= 'A' && *at <= 'F' ? (uint32_t)(*at - 'A' + 10)
                                                           : 99;
        if (digit == 99) return 0;
        value = value * (hex ? 16 : 10) + digit;
        if (value > 0x10ffff) return 0;
    }
    return value >= 0xd800 && value < 0xe000 ? 0 : value;
}

/* &name; or &#number; */
static sn_result read_reference(reading *r) {
    static const struct {
        const char *name;
        char c;
    } known[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    enum { LONGEST = 12 };
    const char *begin = r->t->at + 1, *end = begin;
    while (end < r->t->end && end - begin < LONGEST && *end != ';') end++;
    if (end < r->t->end && *end == ';') {
        size_t length = (size_t)(end - begin);
        const char *at = r->t->at;
        r->t->at = end + 1;
        if (length > 1 && *begin == '#') {
            uint32_t c = character_of(begin + 1, end);
            if (c == 0) return sn_text_fail(r->t, at, "the reference names no character");
            put_character(r->d, c);
            return SN_OK;
        }
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (strlen(known[i].name) == length && memcmp(known[i].name, begin, length) == 0) {
                put(r->d, known[i].c);
                return SN_OK;
            }
        return sn_text_fail(r->t, at, "the entity \"%.*s\" is unknown", (int)length, begin);
    }
    return sn_text_fail(r->t, r->t->at, "\"&\" begins no reference, expected \"&amp;\"");
}

/* A name, as text with a zero at its end. */
static sn_result read_name(reading *r, const char *what, const char **name) {
    sn_text *t = r->t;
    const char *begin = t->at;
    *name = r->d->letters + r->d->letter_count;
    while (t->at < t->end && is_name(*t->at, t->at == begin)) put(r->d, *t->at++);
    if (t->at == begin) return sn_text_unexpected(t, begin, what);
    put(r->d, 0);
    return SN_OK;
}

static sn_result read_value(reading *r, xml_attribute *a) {
    sn_text *t = r->t;
    char quote = t->at < t->end ? *t->at : 0;
    if (quote != '"' && quote != '\'') return sn_text_unexpected(t, t->at, "a value in quotes");
    a->at = ++t->at;
    a->value = r->d->letters + r->d->letter_count;
    while (t->at < t->end && *t->at != quote) {
        if (*t->at == '<') return sn_text_fail(t, t->at, "\"<\" in a value, expected \"&lt;\"");
        if (*t->at == 0) return sn_text_fail(t, t->at, "a zero in a value");
        if (*t->at == '&')
            SN_TRY(read_reference(r));
        else
            put(r->d, is_space(*t->at) ? ' ' : *t->at), t->at++;
    }
    if (t->at >= t->end) return sn_text_fail(t, a->at - 1, "the value has no end");
    t->at++;
    put(r->d, 0);
    return SN_OK;
}

/* ---- Elements ---- */

/* Room for one more. */
static bool grow(void **items, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) return true;
    uint32_t larger = *capacity ? 2 * *capacity : 32;
    void *grown = realloc(*items, larger * size);
    if (!grown) return false;
    *items = grown;
    *capacity = larger;
    return true;
}

static sn_result read_attribute(reading *r, uint32_t element) {
    xml_document *d = r->d;
    xml_attribute a = {0};
    const char *at = r->t->at;
    SN_TRY(read_name(r, "an attribute, \">\" or \"/>\"", &a.name));
    skip_space(r->t);
    if (r->t->at >= r->t->end || *r->t->at != '=')
        return sn_text_unexpected(r->t, r->t->at, "\"=\" after the attribute");
    r->t->at++;
    skip_space(r->t);
    SN_TRY(read_value(r, &a));
    if (sn_xml_find(d, &d->elements[element], a.name))
        return sn_text_fail(r->t, at, "the attribute \"%.64s\" is there twice", a.name);
    if (d->elements[element].attributes == MOST_ATTRIBUTES)
        return sn_text_fail(r->t, at, "the element has more than %d attributes", MOST_ATTRIBUTES);
    if (!grow((void **)&d->attributes, d->attribute_count, &d->attribute_capacity,
              sizeof *d->attributes))
        return no_memory();
    d->attributes[d->attribute_count++] = a;
    d->elements[element].attributes++;
    return SN_OK;
}

/* Puts a new element behind its brothers. */
static void hang(reading *r, uint32_t element) {
    if (r->depth == 0) {
        r->has_root = true;
        return;
    }
    uint32_t *last = &r->last[r->depth - 1];
    if (*last == SN_XML_NONE)
        r->d->elements[r->open[r->depth - 1]].child = element;
    else
        r->d->elements[*last].next = element;
    *last = element;
}

static sn_result read_opening(reading *r) {
    xml_document *d = r->d;
    sn_text *t = r->t;
    xml_element e = {
        .at = t->at, .child = SN_XML_NONE, .next = SN_XML_NONE, .attribute = d->attribute_count};
    if (r->depth == 0 && r->has_root)
        return sn_text_fail(t, t->at, "a second element, expected one that has all others in it");
    if (r->depth == MOST_DEPTH)
        return sn_text_fail(t, t->at, "elements are more than %d deep", MOST_DEPTH);
    if (d->count == MOST_ELEMENTS)
        return sn_text_fail(t, t->at, "there are more than %d elements", MOST_ELEMENTS);
    t->at++;
    SN_TRY(read_name(r, "the name of an element", &e.name));
    if (!grow((void **)&d->elements, d->count, &d->capacity, sizeof *d->elements))
        return no_memory();
    uint32_t index = d->count++;
    d->elements[index] = e;
    hang(r, index);
    for (;;) {
        const char *before = t->at;
        skip_space(t);
        if (begins(t, "/>")) {
            t->at += 2;
            return SN_OK;
        }
        if (begins(t, ">")) {
            t->at++;
            r->open[r->depth] = index;
            r->last[r->depth++] = SN_XML_NONE;
            return SN_OK;
        }
        if (t->at >= t->end) return sn_text_fail(t, e.at, "the tag has no end");
        if (t->at == before) return sn_text_unexpected(t, t->at, "a blank, \">\" or \"/>\"");
        SN_TRY(read_attribute(r, index));
    }
}

static sn_result read_closing(reading *r) {
    sn_text *t = r->t;
    const char *at = t->at, *name;
    t->at += 2;
    size_t kept = r->d->letter_count;
    SN_TRY(read_name(r, "the name of an element", &name));
    skip_space(t);
    if (!begins(t, ">")) return sn_text_unexpected(t, t->at, "\">\"");
    t->at++;
    if (r->depth == 0) return sn_text_fail(t, at, "</%.64s> closes nothing", name);
    const char *open = r->d->elements[r->open[--r->depth]].name;
    if (strcmp(open, name) != 0) return sn_text_fail(t, at, "</%.64s> closes <%.64s>", name, open);
    r->d->letter_count = kept;
    return SN_OK;
}

static sn_result read_markup(reading *r) {
    sn_text *t = r->t;
    if (begins(t, "<!--")) return skip_to(t, "-->", "a comment");
    if (begins(t, "<?")) return skip_to(t, "?>", "an instruction");
    if (begins(t, "<![CDATA[") && r->depth > 0) return skip_to(t, "]]>", "a CDATA section");
    if (begins(t, "<!"))
        return sn_text_fail(t, t->at, "a document type or a declaration, which is not read");
    return begins(t, "</") ? read_closing(r) : read_opening(r);
}

static sn_result read_document(reading *r) {
    sn_text *t = r->t;
    if (begins(t, "\xef\xbb\xbf")) t->at += 3;
    while (t->at < t->end) {
        if (*t->at == '<')
            SN_TRY(read_markup(r));
        else if (r->depth == 0 && !is_space(*t->at))
            return sn_text_unexpected(t, t->at, "an element");
        else
            t->at++;
    }
    if (r->depth > 0) {
        const xml_element *e = &r->d->elements[r->open[r->depth - 1]];
        return sn_text_fail(t, e->at, "<%.64s> is not closed", e->name);
    }
    return r->has_root ? SN_OK : sn_text_fail(t, t->end, "there is no element");
}

sn_result sn_xml_parse(const char *name, const char *data, size_t size, xml_document *d) {
    *d = (xml_document){.text = {.name = name, .begin = data, .at = data, .end = data + size}};
    /* Every name and value is shorter than its markup by a letter at least, where its zero goes. */
    d->letters = malloc(size + 1);
    if (!d->letters) return no_memory();
    sn_text text = d->text;
    reading r = {.d = d, .t = &text};
    sn_result result = read_document(&r);
    if (result != SN_OK) sn_xml_free(d);
    return result;
}

void sn_xml_free(xml_document *d) {
    free(d->elements);
    free(d->attributes);
    free(d->letters);
    *d = (xml_document){0};
}

/* ---- Looking ---- */

static const xml_element *find_from(const xml_document *d, uint32_t at, const char *name) {
    for (; at != SN_XML_NONE; at = d->elements[at].next)
        if (!name || strcmp(d->elements[at].name, name) == 0) return &d->elements[at];
    return NULL;
}

const xml_element *sn_xml_child(const xml_document *d, const xml_element *of, const char *name) {
    return find_from(d, of->child, name);
}

const xml_element *sn_xml_next_child(const xml_document *d, const xml_element *after,
                                     const char *name) {
    return find_from(d, after->next, name);
}

const xml_attribute *sn_xml_find(const xml_document *d, const xml_element *of, const char *name) {
    for (uint32_t i = 0; i < of->attributes; i++)
        if (strcmp(d->attributes[of->attribute + i].name, name) == 0)
            return &d->attributes[of->attribute + i];
    return NULL;
}
