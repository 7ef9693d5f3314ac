#include "base/last_result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_error[512];
static _Thread_local sn_result last_result = SN_OK;

/* What a sentence quotes may be from a file that nobody trusts, and where it is printed a terminal
   would obey its control characters: those of ASCII, and of Latin-1 as UTF-8 has them. */
static void disarm(char *text) {
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < ' ' || *c == 0x7f) {
            *c = '?';
        } else if (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) {
            c[0] = c[1] = '?';
            c++;
        }
}

sn_result sn_fail(sn_result result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    disarm(last_error);
    last_result = result;
    return result;
}

sn_result sn_fail_within(sn_result result, const char *format, ...) {
    char inner[sizeof last_error], outer[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outer, sizeof outer, format, arguments);
    va_end(arguments);
    memcpy(inner, last_error, sizeof inner);
    snprintf(last_error, sizeof last_error, "%s: %.380s", outer, inner);
    disarm(last_error);
    last_result = result;
    return result;
}

sn_result sn_last_result(void) {
    return last_result;
}

const char *sn_last_error(void) {
    return last_error;
}

const char *sn_result_name(sn_result result) {
    switch (result) {
#define SN_RESULT_NAME(name, number, sentence)                                                     \
    case name:                                                                                     \
        return #name;
        SN_RESULTS(SN_RESULT_NAME)
#undef SN_RESULT_NAME
    }
    return "unknown result";
}

const char *sn_result_sentence(sn_result result) {
    switch (result) {
#define SN_RESULT_SENTENCE(name, number, sentence)                                                 \
    case name:                                                                                     \
        return sentence;
        SN_RESULTS(SN_RESULT_SENTENCE)
#undef SN_RESULT_SENTENCE
    }
    return "not a result of this library";
}
