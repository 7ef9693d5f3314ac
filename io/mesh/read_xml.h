/*
 * As much XML as mesh files have: tags with attributes, one after the other. Text between tags is
 * what lies between them; comments and declarations are passed over.
 */
#ifndef SN_IO_MESH_READ_XML_H
#define SN_IO_MESH_READ_XML_H

#include "io/text/text.h"

typedef struct sn_xml_tag {
    const char *name; /* begins at its place in the text */
    size_t length;    /* of the name */
    const char *attributes, *end;
    bool is_closing, is_empty; /* </name>, <name/> */
} sn_xml_tag;

/* The next tag; text->at is then behind it. `found` is false at the end of the text. */
sn_result sn_xml_next(sn_text *text, sn_xml_tag *tag, bool *found);

/* Whether the tag has this name. */
bool sn_xml_is(const sn_xml_tag *tag, const char *name);

/* The value of an attribute as it is written; null where there is none. */
const char *sn_xml_attribute(const sn_xml_tag *tag, const char *name, size_t *length);

/* Whether an attribute has this value. */
bool sn_xml_attribute_is(const sn_xml_tag *tag, const char *name, const char *value);

/* A number of at least 0. One that is missing is an error. */
sn_result sn_xml_number(const sn_text *text, const sn_xml_tag *tag, const char *name,
                        uint64_t *value);

#endif
