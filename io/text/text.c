#include "io/text/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sn_text sn_text_of(const char *name, const char *data, size_t size) {
    bool marked = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0;
    return (sn_text){
        .name = name, .begin = data, .at = data + (marked ? 3 : 0), .end = data + size};
}

/* ---- Messages ---- */

/* Line and column of a place, from 1; columns are bytes. */
static void find_place(const sn_text *text, const char *at, size_t *line, size_t *column) {
    *line = 1;
    const char *start = text->begin;
    for (const char *c = text->begin; c < at; c++) {
        bool is_pair = *c == '\r' && c + 1 < text->end && c[1] == '\n';
        if (!sn_text_is_break(*c) || is_pair) continue;
        ++*line;
        start = c + 1;
    }
    *column = (size_t)(at - start) + 1;
}

sn_result sn_text_fail(const sn_text *text, const char *at, const char *format, ...) {
    char sentence[320];
    size_t line, column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    find_place(text, at, &line, &column);
    return sn_fail(SN_ERROR_DATA, "%s:%zu:%zu: %s", text->name, line, column, sentence);
}

sn_result sn_text_within(const sn_text *text, const char *at, sn_result result) {
    char sentence[320];
    snprintf(sentence, sizeof sentence, "%s", sn_last_error());
    (void)sn_text_fail(text, at, "%s", sentence);
    return result;
}

/* The word at a place in quotes, shortened, without what a terminal would not show. */
static void quote(const sn_text *text, const char *at, char *buffer, size_t size) {
    enum { LONGEST = 40 };
    size_t length = 0;
    buffer[length++] = '"';
    for (const char *c = at; c < text->end && !sn_text_is_break(*c) && !sn_text_is_blank(*c); c++) {
        if (length > LONGEST || length + 5 > size) {
            memcpy(buffer + length, "...", 3);
            length += 3;
            break;
        }
        buffer[length++] = *c > ' ' && *c < 127 ? *c : '?';
    }
    buffer[length++] = '"';
    buffer[length] = 0;
}

sn_result sn_text_unexpected(const sn_text *text, const char *at, const char *expected) {
    char found[64] = "the end of the file";
    if (at < text->end && sn_text_is_break(*at))
        snprintf(found, sizeof found, "the end of the line");
    else if (at < text->end)
        quote(text, at, found, sizeof found);
    return sn_text_fail(text, at, "found %s, expected %s", found, expected);
}

/* ---- Blanks, lines and words ---- */

void sn_text_next_line(sn_text *text) {
    const char *at = text->at, *end = text->end;
    while (at < end && !sn_text_is_break(*at)) at++;
    if (at + 1 < end && at[0] == '\r' && at[1] == '\n') at++;
    text->at = at < end ? at + 1 : end;
}

void sn_text_skip_space(sn_text *text) {
    while (text->at < text->end) {
        char c = *text->at;
        if (sn_text_is_blank(c) || sn_text_is_break(c))
            text->at++;
        else if (c == text->comment && c != 0)
            sn_text_next_line(text);
        else
            break;
    }
}

size_t sn_text_word(const sn_text *text, const char **word) {
    const char *at = text->at;
    while (at < text->end && !sn_text_is_blank(*at) && !sn_text_is_break(*at)) at++;
    *word = text->at;
    return (size_t)(at - text->at);
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool sn_text_is(const char *word, size_t length, const char *other) {
    size_t i = 0;
    while (i < length && other[i] && lower(word[i]) == lower(other[i])) i++;
    return i == length && !other[i];
}

bool sn_text_take(sn_text *text, const char *word) {
    const char *here;
    size_t length = sn_text_word(text, &here);
    if (!sn_text_is(here, length, word)) return false;
    text->at += length;
    return true;
}

size_t sn_text_rest(sn_text *text, const char **rest) {
    sn_text_skip_blanks(text);
    const char *end = text->at;
    for (const char *c = text->at; c < text->end && !sn_text_is_break(*c); c++)
        if (!sn_text_is_blank(*c)) end = c + 1;
    *rest = text->at;
    text->at = end;
    return (size_t)(end - *rest);
}

sn_result sn_text_end_line(sn_text *text, const char *expected) {
    if (!sn_text_at_line_end(text)) return sn_text_unexpected(text, text->at, expected);
    sn_text_next_line(text);
    return SN_OK;
}

/* ---- Numbers ---- */

/* As many as 64 bits hold. */
enum { DIGITS = 19 };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A decimal number as it is written: value = digits * 10^exponent. */
typedef struct decimal {
    uint64_t digits;          /* the first that matter, at most DIGITS */
    int64_t exponent;         /* of them */
    bool is_negative, is_cut; /* whether there are more digits */
    const char *first, *last; /* the digits with their point */
} decimal;

/* The exponent after "e"; what does not fit is clamped to where nothing but 0 or infinity is. */
static bool scan_exponent(const char **at, const char *end, int64_t *exponent) {
    const char *c = *at + 1;
    bool is_negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+')) c++;
    if (c >= end || !is_digit(*c)) return false;
    int64_t value = 0;
    for (; c < end && is_digit(*c); c++)
        if (value < 1000000000000) value = 10 * value + (*c - '0');
    *exponent += is_negative ? -value : value;
    *at = c;
    return true;
}

static bool scan_decimal(const char **at, const char *end, decimal *number) {
    const char *c = *at;
    int digits = 0;
    bool any = false;
    *number = (decimal){.is_negative = c < end && *c == '-'};
    if (c < end && (*c == '-' || *c == '+')) c++;
    number->first = c;
    for (int after_point = 0; after_point < 2; after_point++) {
        if (after_point && (c >= end || *c != '.')) break;
        c += after_point;
        for (; c < end && is_digit(*c); c++) {
            any = true;
            if (digits < DIGITS) {
                number->digits = 10 * number->digits + (uint64_t)(*c - '0');
                digits += number->digits > 0;
                number->exponent -= after_point;
            } else {
                number->is_cut = true;
                number->exponent += !after_point;
            }
        }
    }
    number->last = c;
    if (!any) return false;
    if (c < end && (*c == 'e' || *c == 'E') && !scan_exponent(&c, end, &number->exponent))
        return false;
    *at = c;
    return true;
}

/*
 * The nearest double by way of strtod. It gets whole digits and an exponent, no point, which is
 * what depends on the locale. More digits than a tie between two doubles can have do not matter
 * but for not being zero.
 */
static double round_slowly(const decimal *number) {
    enum { MOST_DIGITS = 800 };
    char buffer[MOST_DIGITS + 32];
    size_t length = 0;
    bool has_rest = false;
    for (const char *c = number->first; c < number->last; c++) {
        if (*c == '.' || (length == 0 && *c == '0')) continue;
        if (length < MOST_DIGITS)
            buffer[length++] = *c;
        else
            has_rest |= *c != '0';
    }
    if (length == 0) return 0;
    if (has_rest) buffer[length++] = '1';
    /* It is that of the first digits; those that follow them lower it. */
    int64_t exponent = number->exponent;
    if (length > DIGITS) exponent -= (int64_t)length - DIGITS;
    if (exponent > 100000) exponent = 100000;
    if (exponent < -100000) exponent = -100000;
    snprintf(buffer + length, 16, "e%d", (int)exponent);
    return strtod(buffer, NULL);
}

bool sn_text_scan_real(sn_text *text, double *value) {
    /* Powers of ten that are doubles. A product or quotient of two doubles that are exact is
       rounded once, so it is the nearest (Clinger 1990). */
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    decimal number;
    if (!scan_decimal(&text->at, text->end, &number)) return false;
    double magnitude;
    if (!number.is_cut && number.digits <= (uint64_t)1 << 53 && number.exponent >= -22 &&
        number.exponent <= 22) {
        magnitude = (double)number.digits;
        if (number.exponent < 0)
            magnitude /= powers[-number.exponent];
        else
            magnitude *= powers[number.exponent];
    } else {
        magnitude = round_slowly(&number);
    }
    *value = number.is_negative ? -magnitude : magnitude;
    return true;
}

bool sn_text_scan_integer(sn_text *text, int64_t *value) {
    const char *c = text->at;
    bool is_negative = c < text->end && *c == '-';
    if (c < text->end && (*c == '-' || *c == '+')) c++;
    if (c >= text->end || !is_digit(*c)) return false;
    uint64_t magnitude = 0;
    for (; c < text->end && is_digit(*c); c++) {
        if (magnitude > ((uint64_t)INT64_MAX - 9) / 10) return false;
        magnitude = 10 * magnitude + (uint64_t)(*c - '0');
    }
    *value = is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
    text->at = c;
    return true;
}

bool sn_text_is_delimited(const sn_text *text) {
    return text->at >= text->end || sn_text_is_blank(*text->at) || sn_text_is_break(*text->at) ||
           (text->comment != 0 && *text->at == text->comment);
}

sn_result sn_text_real(sn_text *text, const char *what, sn_real *value) {
    sn_text_skip_blanks(text);
    const char *at = text->at;
    double number;
    if (!sn_text_scan_real(text, &number) || !sn_text_is_delimited(text))
        return sn_text_unexpected(text, at, what);
    *value = (sn_real)number;
    if (!isfinite(*value))
        return sn_text_fail(text, at, "found %.*s, which is too large for %s",
                            text->at - at < 40 ? (int)(text->at - at) : 40, at, what);
    return SN_OK;
}

sn_result sn_text_integer(sn_text *text, const char *what, int64_t *value) {
    sn_text_skip_blanks(text);
    const char *at = text->at;
    if (!sn_text_scan_integer(text, value) || !sn_text_is_delimited(text))
        return sn_text_unexpected(text, at, what);
    return SN_OK;
}

sn_result sn_text_point(sn_text *text, sn_vec3 *point) {
    SN_TRY(sn_text_real(text, "a coordinate", &point->x));
    SN_TRY(sn_text_real(text, "a coordinate", &point->y));
    return sn_text_real(text, "a coordinate", &point->z);
}

sn_result sn_text_integer_within(sn_text *text, const char *what, int64_t least, int64_t most,
                                 int64_t *value) {
    sn_text_skip_blanks(text);
    const char *at = text->at;
    SN_TRY(sn_text_integer(text, what, value));
    if (*value >= least && *value <= most) return SN_OK;
    return sn_text_fail(text, at, "found %lld, expected %s from %lld to %lld", (long long)*value,
                        what, (long long)least, (long long)most);
}

sn_result sn_text_skip_words(sn_text *text, size_t count, const char *what) {
    for (; count > 0; count--) {
        const char *word;
        if (sn_text_at_line_end(text)) return sn_text_unexpected(text, text->at, what);
        text->at += sn_text_word(text, &word);
    }
    return SN_OK;
}

sn_result sn_text_check_room(const sn_text *text, const char *at, uint64_t count, uint64_t bytes,
                             const char *things) {
    /* The last line may have no end. */
    uint64_t room = (uint64_t)(text->end - text->at) + 1;
    if (count <= room / bytes) return SN_OK;
    return sn_text_fail(text, at, "%llu %s are promised, but the file has only %zu more bytes",
                        (unsigned long long)count, things, (size_t)(text->end - text->at));
}
