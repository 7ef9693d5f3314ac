/*
 * XML as a tree of elements with attributes, each with its place in the text for messages.
 *
 * What descriptions of machines need of XML 1.0 in UTF-8: elements, attributes, comments, CDATA and
 * processing instructions, which are passed over as text between elements is; character references
 * and the five entities that there always are. A document type is refused, and with it everything
 * that could name other files or grow without end. Nesting, the number of attributes and that of
 * elements have bounds, and memory stays in proportion to the size of the text.
 */
#ifndef SN_IO_TEXT_XML_H
#define SN_IO_TEXT_XML_H

#include "io/text/text.h"

#define SN_XML_NONE UINT32_MAX

typedef struct xml_attribute {
    const char *name, *value; /* with a zero at the end; the value is decoded */
    const char *at;           /* where the value begins in the text */
} xml_attribute;

typedef struct xml_element {
    const char *name;
    const char *at;                 /* where its tag begins in the text */
    uint32_t child, next;           /* the first one within, the one after it; or SN_XML_NONE */
    uint32_t attribute, attributes; /* the first one, and how many */
} xml_element;

typedef struct xml_document {
    sn_text text;          /* which the caller keeps */
    xml_element *elements; /* the root first, then in the order of their tags */
    uint32_t count, capacity;
    xml_attribute *attributes;
    uint32_t attribute_count, attribute_capacity;
    char *letters; /* of names and values */
    size_t letter_count;
} xml_document;

/* Reads a document, whose text stays the caller's and is needed for messages. On failure there is
   nothing to be freed: SN_ERROR_DATA with "<name>:<line>:<column>: ...", or SN_ERROR_MEMORY. */
sn_result sn_xml_parse(const char *name, const char *data, size_t size, xml_document *document);
void sn_xml_free(xml_document *document);

/* The first element of this name within another, or after one of its children; null where there is
   none. A null name stands for any. */
const xml_element *sn_xml_child(const xml_document *document, const xml_element *of,
                                const char *name);
const xml_element *sn_xml_next_child(const xml_document *document, const xml_element *after,
                                     const char *name);

/* The attribute of this name; null where there is none. */
const xml_attribute *sn_xml_find(const xml_document *document, const xml_element *of,
                                 const char *name);

#endif
