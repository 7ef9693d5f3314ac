/*
 * OpenUSD as text (.usda): prims, their numeric attributes and samples in time, with the place of
 * everything for messages. Of the language that is what meshes, transforms and materials need: what
 * a file takes from other files, variants and skeletons are refused, values of other kinds passed
 * over.
 */
#ifndef SN_IO_TEXT_USDA_H
#define SN_IO_TEXT_USDA_H

#include "io/text/text.h"

/* A piece of the text. */
typedef struct usda_word {
    const char *at;
    size_t length;
} usda_word;

/* A value: numbers of the document, however they are nested. */
typedef struct usda_value {
    double time; /* in time codes; 0 for one without a time */
    size_t first, count;
} usda_value;

/* An attribute has a value, or one per time. */
typedef struct usda_property {
    usda_word name; /* without ".timeSamples" */
    bool is_timed;
    size_t first, count; /* among the values */
    size_t next;         /* the next of the prim; SIZE_MAX: none */
} usda_property;

/* A value in quotes: a token, a file, or the path of what a relationship or a connection leads
   to. */
typedef struct usda_quote {
    usda_word name, value;
    size_t next; /* as of properties */
} usda_quote;

typedef struct usda_node {
    usda_word name, type; /* either may be empty */
    size_t parent;        /* SIZE_MAX: none */
    size_t properties;    /* the first of them, newest first; SIZE_MAX: none */
    size_t quotes;        /* likewise */
    usda_word operations; /* the value of xformOpOrder; empty without one */
    bool is_class, is_left_handed;
    const char *skeleton; /* where one is named; null: nowhere */
} usda_node;

/* A growing array. */
#define USDA_ARRAY(type)                                                                           \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    }

typedef struct usda_document {
    sn_text text;
    USDA_ARRAY(usda_node) nodes; /* parents before their children */
    USDA_ARRAY(usda_property) properties;
    USDA_ARRAY(usda_quote) quotes;
    USDA_ARRAY(usda_value) values;
    USDA_ARRAY(double) numbers;
    double codes_per_second, frames_per_second; /* 1/s; the latter 0 where it is not said */
    double start, end; /* time codes of the first and the last frame; NaN where it is not said */
    double metres_per_unit; /* m */
    char up;                /* 'X', 'Y' or 'Z' */
} usda_document;

/* Reads a text, which must stay while the document is used. To be freed, whatever came of it. */
sn_result sn_usda_parse(const char *name, const char *data, size_t size, usda_document *document);
void sn_usda_free(usda_document *document);

/* The attribute of a prim; one with samples in time before one without. Null: it has none. */
const usda_property *sn_usda_find(const usda_document *document, size_t node, const char *name,
                                  size_t length);

/* What is quoted as the value of an attribute or a relationship of a prim; empty where nothing
   is. */
usda_word sn_usda_quote(const usda_document *document, size_t node, const char *name);

/* The prim that an absolute path leads to, or that has the property which it leads to; SIZE_MAX
   where there is none. */
size_t sn_usda_at(const usda_document *document, usda_word path);

/* Whether a word is this one. */
bool sn_usda_is(usda_word word, const char *text);

#endif
