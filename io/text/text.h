/*
 * Text of mesh files: words, numbers and lines, with the place of everything for messages.
 *
 * A number is rounded to the nearest double and then to sn_real, whatever the locale says. Lines
 * end with a line feed, a carriage return or both. Nothing here needs a zero after the text.
 */
#ifndef SN_IO_TEXT_TEXT_H
#define SN_IO_TEXT_TEXT_H

#include <sinew/support.h>

typedef struct sn_text {
    const char *name; /* of the file, for messages */
    const char *begin, *at, *end;
    char comment; /* what begins a comment that sn_text_skip_space passes over; 0 for none */
} sn_text;

/* A text from its beginning, or behind the mark of UTF-8 that some editors put there. */
sn_text sn_text_of(const char *name, const char *data, size_t size);

/* "<name>:<line>:<column>: <format>", SN_ERROR_DATA. */
sn_result sn_text_fail(const sn_text *text, const char *at, const char *format, ...)
    SN_PRINTF(3, 4);

/* Puts the place before the sentence of what failed there. */
sn_result sn_text_within(const sn_text *text, const char *at, sn_result result);

/* "<place>: found "<word>", expected <expected>". */
sn_result sn_text_unexpected(const sn_text *text, const char *at, const char *expected);

/* ---- Blanks, lines and words ---- */

static inline bool sn_text_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static inline bool sn_text_is_break(char c) {
    return c == '\n' || c == '\r';
}

/* Passes over blanks within the line. */
static inline void sn_text_skip_blanks(sn_text *text) {
    while (text->at < text->end && sn_text_is_blank(*text->at)) text->at++;
}

/* Whether nothing but blanks is left of the line; passes over them. */
static inline bool sn_text_at_line_end(sn_text *text) {
    sn_text_skip_blanks(text);
    return text->at >= text->end || sn_text_is_break(*text->at);
}

/* Passes over the rest of the line and its end. */
void sn_text_next_line(sn_text *text);

/* Passes over blanks, ends of lines and comments. */
void sn_text_skip_space(sn_text *text);

/* The word here, up to a blank or the end of the line; its length, 0 where there is none. */
size_t sn_text_word(const sn_text *text, const char **word);

/* Whether the word here is this one, in any case; passes over it if so. */
bool sn_text_take(sn_text *text, const char *word);

/* What is left of the line without the blanks around it, which it passes over. */
size_t sn_text_rest(sn_text *text, const char **rest);

/* Whether a word of this length is equal to another, in any case. */
bool sn_text_is(const char *word, size_t length, const char *other);

/* Fails unless the rest of the line is empty; passes over its end. */
sn_result sn_text_end_line(sn_text *text, const char *expected);

/* ---- Numbers ---- */

/* The number at text->at, without blanks before it; false where there is none. It may be infinite
   where it is too large for a double. */
bool sn_text_scan_real(sn_text *text, double *value);

/* The same for a whole number. */
bool sn_text_scan_integer(sn_text *text, int64_t *value);

/* Whether a word ends here: before a blank, the end of the line or of the text, or a comment. */
bool sn_text_is_delimited(const sn_text *text);

/* A number with a blank, the end of the line or of the text after it. Blanks before it are passed
   over. It is finite. `what` it is goes into the sentence, such as "a coordinate". */
sn_result sn_text_real(sn_text *text, const char *what, sn_real *value);
sn_result sn_text_integer(sn_text *text, const char *what, int64_t *value);

/* Three coordinates on a line. */
sn_result sn_text_point(sn_text *text, sn_vec3 *point);

/* A whole number within bounds. */
sn_result sn_text_integer_within(sn_text *text, const char *what, int64_t least, int64_t most,
                                 int64_t *value);

/* Passes over `count` words of any kind on the line. */
sn_result sn_text_skip_words(sn_text *text, size_t count, const char *what);

/*
 * Fails where a header promises more than the rest of the text can hold, before anything is
 * allocated: each of the `count` things takes at least `bytes` bytes. The number was at `at`.
 */
sn_result sn_text_check_room(const sn_text *text, const char *at, uint64_t count, uint64_t bytes,
                             const char *things);

#endif
