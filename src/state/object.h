/*
 * World objects by their lists of fields (sinew/field.h).
 *
 * An object gives a descriptor, sn_<name>_object, where its system is. Default, checks, and columns
 * in snapshots and recordings follow from its list; what a list cannot say is a function.
 */
#ifndef SN_STATE_OBJECT_H
#define SN_STATE_OBJECT_H

#include "base/archive.h"
#include "base/error.h"
#include "state/fields.h"

/* A column of files. Without any, an object has one per field, with its name: reals as such, all
   else in 32 bits. Names, kinds and order of those that are in files already are frozen. */
typedef struct sn_object_column {
    const char *name;
    const char *field[4]; /* which it consists of; or an array */
    sn_archive_kind kind; /* 0: as without a table */
    int sparse; /* above 0: those of one number are absent together where all have the defaults, as
                   in files from before there were any */
    const char *with; /* a flag; where it is off, the default is written */
} sn_object_column;

typedef struct sn_object {
    sn_object_info info;
    const void *standard; /* a definition with all defaults */
    const sn_object_column *columns;
    size_t column_count;
    /* What ranges do not say, of a definition whose fields are within them. */
    sn_result (*check)(const void *def);
    const struct sn_object *record; /* what arrays of records consist of */
} sn_object;

/* The rows of the two tables, and the initialisers of a default. */
/* A page that loads the library tells what settings mean, and nothing else. */
#if defined(SN_FEW_TEXTS) && !defined(SN_ALL_TEXTS)
#define SN_TOLD(meaning) ""
#else
#define SN_TOLD(meaning) meaning
#endif
#define SN_OBJECT_ROW(kind, name, unit, least, most, standard, automatic, meaning)                 \
    SN_FIELD_ROW(kind, name, unit, least, most, standard, automatic, SN_TOLD(meaning))
#define SN_ARRAY_ROW(kind, name, count, unit, optional, meaning)                                   \
    {#name,                                                                                        \
     unit,                                                                                         \
     SN_TOLD(meaning),                                                                             \
     SN_ELEMENTS_##kind,                                                                           \
     offsetof(definition, name),                                                                   \
     offsetof(definition, count),                                                                  \
     optional},
#define SN_NO_ARRAY(kind, name, count, unit, optional, meaning)
#define SN_NO_FIELD(kind, name, unit, least, most, standard, automatic, meaning)

/*
 * Everything about an object that follows from its name and its list: the default definition and
 * its function, the tables, the descriptor. What else there is to say comes last, as initialisers;
 * one of them at least, if only `.check = NULL`.
 */
#define SN_DEFINE_OBJECT(object, FIELDS, words, text, ...)                                         \
    SN_DEFINE_OBJECT_AS(object, sn_##object##_def, sn_##object##_def_default, FIELDS, , words,     \
                        text, __VA_ARGS__)
/* The same of a definition that has other names, or members that no list has: `rest` are
   initialisers of these, each with a comma. */
#define SN_DEFINE_OBJECT_AS(object, type, make, FIELDS, rest, words, text, ...)                    \
    typedef type definition;                                                                       \
    static const definition standard = {.size = sizeof(definition),                                \
                                        FIELDS(SN_STANDARD, SN_NO_ARRAY) rest};                    \
    definition make(void) {                                                                        \
        return standard;                                                                           \
    }                                                                                              \
    static const sn_field_info fields[] = {FIELDS(SN_OBJECT_ROW, SN_NO_ARRAY)};                    \
    static const sn_array_info arrays[] = {FIELDS(SN_NO_FIELD, SN_ARRAY_ROW){0}};                  \
    const sn_object sn_##object##_object = {.info = {#object, words, SN_TOLD(text),                \
                                                     sizeof(definition),                           \
                                                     sizeof fields / sizeof *fields, fields,       \
                                                     sizeof arrays / sizeof *arrays - 1, arrays},  \
                                            .standard = &standard,                                 \
                                            __VA_ARGS__};

/* What is in every world, whatever its systems (bodies.c, settings.c, node_def.c). */
extern const sn_object sn_body_object, sn_settings_object, sn_node_object;
extern const sn_object *const sn_world_objects[];
enum { SN_WORLD_OBJECTS = 3 };

/* ---- Checks ---- */

/* The size of a definition and its fields, but for counts; then what only the object knows. */
sn_result sn_object_check(const sn_object *object, const void *def);
/* One field that is given by itself; null for the title of the object. */
sn_result sn_object_check_field(const sn_object *object, const char *title, const char *name,
                                sn_real value);
/* Its counts and arrays: that they are there, indices are below the number of nodes and different
   in an element, reals finite. Nodes are not looked at. */
sn_result sn_object_check_arrays(const sn_object *object, const void *def);

/* ---- Arrays ---- */

/* How many elements an array of a definition has. */
size_t sn_array_length(const sn_array_info *array, const void *def);
/* Its pointer. */
const void *sn_array_get(const sn_array_info *array, const void *def);
void sn_array_set(const sn_array_info *array, void *def, const void *elements);
/* Forgets the arrays of a definition that is kept, and their counts. */
void sn_object_forget_arrays(const sn_object *object, void *def);

/* ---- Files ---- */

/* The fields of definitions, the first at `def` and the next `stride` bytes later, but for counts
   and arrays, in the section that is open. What is read begins as the default and is checked;
   sentences number the definitions from `first`, SIZE_MAX for none. */
void sn_object_serialize(const sn_object *object, sn_archive *a, void *def, size_t stride,
                         size_t count, size_t first);
/* Fails the archive where a definition that was read is not what the object asks of it; as above,
   SIZE_MAX for no number. */
void sn_object_check_read(const sn_object *object, sn_archive *a, const void *def, size_t i);
/* The name that an array has there; ids of nodes have two columns, "slot" and "generation". */
const char *sn_object_array_column(const sn_object *object, const sn_array_info *array);

#endif
