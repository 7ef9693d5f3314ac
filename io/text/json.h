/*
 * JSON as a tree that remembers where everything was written, so that a complaint about any value
 * can name line, column and path.
 *
 * Strict JSON (RFC 8259) in UTF-8. Keys of an object must differ. Nesting is limited, numbers must
 * be finite. A document is read as a whole; its nodes and strings live until it is freed.
 */
#ifndef SN_IO_TEXT_JSON_H
#define SN_IO_TEXT_JSON_H

#include <sinew/base.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json_node json_node;
struct json_node {
    json_kind kind;
    uint32_t line, column; /* where the value begins, from 1; columns are bytes */
    uint32_t key_line, key_column;
    uint32_t index; /* in the parent */
    union {
        bool boolean;
        double number;
        const char *text; /* of a string, decoded, ends with a zero */
        json_node *items; /* of an array or object, in the order of the file */
    };
    size_t count;      /* bytes of the text, items of an array, members of an object */
    const char *key;   /* in an object, the name of this member; else null */
    json_node *parent; /* null for the root */
};

typedef struct json_document {
    json_node *root;
    char *name; /* of the file, for messages */
    struct json_block *blocks;
} json_document;

/* Parses `size` bytes; `name` is for messages: "<name>:<line>:<column>: ...". SN_ERROR_DATA or
   SN_ERROR_MEMORY, with nothing to be freed, when it fails. */
sn_result sn_json_parse(const char *name, const char *data, size_t size, json_document *document);
void sn_json_free(json_document *document);

/* The member of an object with this name; null when there is none or `node` is no object. */
json_node *sn_json_member(const json_node *node, const char *key);

/* The name of a kind for messages, with its article: "a number", "an array". */
const char *sn_json_kind_name(json_kind kind);

/* Where a node is, as "bodies[2].material"; "the scene" names the root. Returns `buffer`. */
char *sn_json_path(const json_node *node, char *buffer, size_t size);

#endif
