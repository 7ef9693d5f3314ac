#include "io/mesh/read_xml.h"

#include <stdio.h>
#include <string.h>

/* The first place of some bytes; null where they are not. */
static const char *find(const char *at, const char *end, const char *bytes) {
    size_t length = strlen(bytes);
    while ((size_t)(end - at) >= length) {
        at = memchr(at, bytes[0], (size_t)(end - at) - length + 1);
        if (!at) return NULL;
        if (memcmp(at, bytes, length) == 0) return at;
        at++;
    }
    return NULL;
}

/* The end of a tag, which may be quoted inside. */
static const char *find_end(const char *at, const char *end) {
    char quote = 0;
    for (; at < end; at++) {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == '>')
            return at;
    }
    return NULL;
}

static bool is_name_end(char c) {
    return sn_text_is_blank(c) || sn_text_is_break(c) || c == '/' || c == '>' || c == '=';
}

sn_result sn_xml_next(sn_text *text, sn_xml_tag *tag, bool *found) {
    *found = false;
    while (text->at < text->end) {
        const char *open = memchr(text->at, '<', (size_t)(text->end - text->at));
        if (!open) break;
        bool is_comment = text->end - open >= 4 && memcmp(open, "<!--", 4) == 0;
        const char *end =
            is_comment ? find(open + 4, text->end, "-->") : find_end(open + 1, text->end);
        if (!end)
            return sn_text_fail(text, open, "%s has no end", is_comment ? "a comment" : "a tag");
        text->at = end + (is_comment ? 3 : 1);
        if (is_comment || open[1] == '?' || open[1] == '!') continue;
        *tag = (sn_xml_tag){.is_closing = open[1] == '/', .is_empty = end[-1] == '/', .end = end};
        tag->name = open + 1 + tag->is_closing;
        while (tag->name + tag->length < end && !is_name_end(tag->name[tag->length])) tag->length++;
        tag->attributes = tag->name + tag->length;
        *found = true;
        return SN_OK;
    }
    text->at = text->end;
    return SN_OK;
}

bool sn_xml_is(const sn_xml_tag *tag, const char *name) {
    return strlen(name) == tag->length && memcmp(name, tag->name, tag->length) == 0;
}

const char *sn_xml_attribute(const sn_xml_tag *tag, const char *name, size_t *length) {
    const char *at = tag->attributes;
    for (;;) {
        while (at < tag->end && (is_name_end(*at))) at++;
        const char *word = at;
        while (at < tag->end && !is_name_end(*at)) at++;
        size_t word_length = (size_t)(at - word);
        while (at < tag->end && (sn_text_is_blank(*at) || sn_text_is_break(*at))) at++;
        if (at >= tag->end || *at != '=') return NULL;
        at++;
        while (at < tag->end && (sn_text_is_blank(*at) || sn_text_is_break(*at))) at++;
        if (at >= tag->end || (*at != '"' && *at != '\'')) return NULL;
        const char *value = at + 1;
        at = memchr(value, *at, (size_t)(tag->end - value));
        if (!at) return NULL;
        *length = (size_t)(at - value);
        if (word_length == strlen(name) && memcmp(word, name, word_length) == 0) return value;
        at++;
    }
}

bool sn_xml_attribute_is(const sn_xml_tag *tag, const char *name, const char *value) {
    size_t length = 0;
    const char *found = sn_xml_attribute(tag, name, &length);
    return found && length == strlen(value) && memcmp(found, value, length) == 0;
}

sn_result sn_xml_number(const sn_text *text, const sn_xml_tag *tag, const char *name,
                        uint64_t *value) {
    size_t length = 0;
    const char *found = sn_xml_attribute(tag, name, &length);
    if (!found)
        return sn_text_fail(text, tag->name, "<%.*s> has no attribute %s",
                            tag->length < 32 ? (int)tag->length : 32, tag->name, name);
    sn_text part = *text;
    int64_t number;
    part.at = found;
    part.end = found + length;
    SN_TRY(sn_text_integer_within(&part, name, 0, INT64_MAX, &number));
    *value = (uint64_t)number;
    return SN_OK;
}
