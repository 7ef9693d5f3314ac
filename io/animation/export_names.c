#include "io/animation/export_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not those of ctype.h, which depend on the locale. */
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char small(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

char *sn_io_plain_name(const char *text) {
    size_t length = strlen(text), at = 0;
    char *name = malloc(length + 2);
    if (!name) return NULL;
    if (length == 0 || is_digit(text[0])) name[at++] = '_';
    for (size_t i = 0; i < length; i++)
        name[at++] = (char)(is_letter(text[i]) || is_digit(text[i]) ? text[i] : '_');
    name[at] = 0;
    return name;
}

/* As file systems see them that do not tell large letters from small ones. */
static bool is_same(const char *a, const char *b) {
    while (*a && small(*a) == small(*b)) {
        a++;
        b++;
    }
    return small(*a) == small(*b);
}

static bool is_taken(const char *name, const char *const *taken, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (taken[i] && is_same(name, taken[i])) return true;
    return false;
}

char *sn_io_unique_name(const char *text, const char *const *taken, size_t count) {
    char *name = sn_io_plain_name(text);
    if (!name || !is_taken(name, taken, count)) return name;
    size_t length = strlen(name), size = length + 24;
    char *longer = realloc(name, size);
    if (!longer) {
        free(name);
        return NULL;
    }
    /* One of count + 1 names is free. */
    for (size_t i = 2; i <= count + 2; i++) {
        snprintf(longer + length, size - length, "_%zu", i);
        if (!is_taken(longer, taken, count)) break;
    }
    return longer;
}
