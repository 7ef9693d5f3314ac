/*
 * What scene files may say, as tables. From one table come the reading of an object with all its
 * checks, its part of the JSON schema, and its part of docs/scene-format.md.
 */
#ifndef SN_IO_SCENE_SCENE_FIELDS_H
#define SN_IO_SCENE_SCENE_FIELDS_H

#include "io/text/json.h"

#include <sinew/sinew.h>

#include <stdarg.h>

/* What an int is that is automatic. */
enum { SCENE_INT_AUTO = 0 };

/* What a value is, and where it goes: to the C type named here, at the offset of the field. */
typedef enum scene_kind {
    SCENE_REAL,     /* sn_real; a number or an expression */
    SCENE_INT,      /* int; a whole number, SCENE_INT_AUTO where it is automatic */
    SCENE_BOOL,     /* bool */
    SCENE_CHOICE,   /* int, of the names in `unit`, with | between them */
    SCENE_TEXT,     /* const char * */
    SCENE_VEC3,     /* sn_vec3; an array of three numbers */
    SCENE_COUNTS,   /* uint32_t[3]; an array of three whole numbers */
    SCENE_ROTATION, /* sn_quat; a quaternion, or an axis and an angle */
    /* All below are left to the caller, as json_node *, null where absent. */
    SCENE_OBJECT,    /* an object as in `of` */
    SCENE_LIST,      /* an array of them */
    SCENE_MAP,       /* an object whose members are such objects, by their names */
    SCENE_INDICES,   /* an array of whole numbers */
    SCENE_TRIANGLES, /* an array of arrays of three of them */
    SCENE_POINTS,    /* an array of arrays of three numbers */
    SCENE_ROWS,      /* an array of arrays of numbers */
    SCENE_NODES,     /* some nodes, see scene_select.h */
    SCENE_PINS,      /* some vertices of a body */
    SCENE_TEXTS,     /* an array of strings */
    SCENE_NAME_OR,   /* the name of an object as in `of`, or such an object itself */
    SCENE_PARAMETER  /* a number, a string, or an object as in `of` */
} scene_kind;

typedef struct scene_object scene_object;

typedef struct scene_field {
    const char *name;
    scene_kind kind;
    const char *unit; /* of a number; the names of a choice */
    double least, most;
    const char *standard; /* the default, for the documentation; null where it must be given */
    const char *meaning;
    size_t offset;          /* in the struct that is filled */
    const scene_object *of; /* of objects, lists and maps */
    bool automatic;         /* whether "auto" is allowed, which becomes SN_AUTO */
    bool plain;             /* of a map: members may be numbers or strings as well */
    bool changes;           /* of a number: it may be a curve, or an expression of the time t */
} scene_field;

struct scene_object {
    const char *name; /* in the schema and the documentation */
    const char *meaning;
    const scene_field *fields;
    size_t count;
    /* Objects of several kinds: the value of this key says which of the variants it is. */
    const char *variant_key;
    const scene_object *variants;
    size_t variant_count;
};

/* ---- Reading ---- */

typedef struct scene_parameter {
    const char *name;
    double number;
    const char *text; /* null for a number */
    bool broken;      /* something is wrong with it, which was said; what uses it says nothing */
} scene_parameter;

/* A file that was read; included ones come before those that include them. */
typedef struct scene_file {
    json_document document;
    char *path, *folder;
    const struct scene_file *outer; /* which includes it; null for the scene itself */
} scene_file;

/* How many mistakes are named at most, and the bytes of a sentence. */
enum { SCENE_COMPLAINTS = 100, SCENE_SENTENCE = 512 };

/* Told of everything that is wrong. */
typedef void scene_complaint(void *user, const char *sentence);

typedef struct scene_reader {
    scene_file *files;
    size_t file_count;
    const scene_file *open; /* whose includes are being read; null afterwards */
    scene_parameter *parameters;
    size_t parameter_count;
    scene_complaint *complaint; /* null: only the first counts */
    void *user;
    size_t complaints;               /* different ones */
    size_t repeated;                 /* all of them, those said before included */
    uint64_t said[SCENE_COMPLAINTS]; /* hashes of them, as each is said once */
    char first[SCENE_SENTENCE];      /* which becomes sn_last_error() */
    double time;                     /* s, what t is now, and when curves are asked */
    bool changing;                   /* whether what is read now may depend on it */
    bool timed;                      /* whether what was read last does */
} scene_reader;

/* What is said of a node, with its place: "file:line:column: path: sentence". */
void sn_scene_locate(const scene_reader *r, const json_node *node, char sentence[SCENE_SENTENCE],
                     const char *format, va_list arguments) __attribute__((format(printf, 4, 0)));

/* Says what is wrong with a node: "file:line:column: path: sentence". Returns SN_ERROR_DATA. What
   was said already is not said again, so that parts can be checked as often as is convenient. */
sn_result sn_scene_complain(scene_reader *r, const json_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, where a call of the library said why. */
sn_result sn_scene_complain_within(scene_reader *r, const json_node *node);

/* A complaint that is a sentence already, such as that of the JSON parser. */
sn_result sn_scene_say(scene_reader *r, const char *sentence);

/* The folder of the file that the node is in. */
const char *sn_scene_folder_of(const scene_reader *r, const json_node *node);

/* Reads an object into a struct that has its defaults; keys that are not given leave it alone. With
   a null target it only checks, going into everything below. */
sn_result sn_scene_read(scene_reader *r, const json_node *node, const scene_object *object,
                        void *target);

/* One member of an object, by its field: into a struct, or, where that is null, to check it. Leaves
   in `timed` of the reader whether its value depends on the time. */
sn_result sn_scene_read_member(scene_reader *r, const json_node *item, const scene_field *f,
                               void *target);

/* The field of this name; null where there is none. */
const scene_field *sn_scene_field_of(const scene_object *object, const char *name);

/* A value by keys, as it is at the time of the reader: `numbers` of them (scene_curves.c). */
sn_result sn_scene_read_curve(scene_reader *r, const json_node *node, const scene_field *f,
                              size_t numbers, double *value);

/* "is -1 m, expected at least 0 m" and its like, where a number is out of its range. */
sn_result sn_scene_check_range(scene_reader *r, const json_node *node, const scene_field *f,
                               double value);

/* The variant of an object; null after a complaint. */
const scene_object *sn_scene_variant(scene_reader *r, const json_node *node,
                                     const scene_object *object);

/* Complains of keys of an object that mean nothing beside its others (scene_meaning.c). */
sn_result sn_scene_check_meaning(scene_reader *r, const json_node *node, const scene_object *object,
                                 const scene_object *variant);

/* The same of what an action changes: beside what was said before, the latest first. */
sn_result sn_scene_check_change(scene_reader *r, const json_node *const *nodes, size_t count,
                                const scene_object *object, const scene_object *variant);

/* One number, or an expression. */
sn_result sn_scene_read_number(scene_reader *r, const json_node *node, double *value);

/* The same, where an expression may also name the x, y and z of a place. */
sn_result sn_scene_read_number_at(scene_reader *r, const json_node *node, const sn_vec3 *at,
                                  double *value);

/* A string, or the value of a parameter that is one: "=fabric". */
sn_result sn_scene_read_text(scene_reader *r, const json_node *node, const char **text);

/* The value of a parameter that is a string; null where there is none of this name. */
const char *sn_scene_text_parameter(const scene_reader *r, const char *name);

/* The value of a parameter that is a number; false where there is none of this name. */
bool sn_scene_number_parameter(const scene_reader *r, const char *name, double *value);

/* A whole number from `least` to `most`. */
sn_result sn_scene_read_index(scene_reader *r, const json_node *node, double least, double most,
                              size_t *value);

#endif
