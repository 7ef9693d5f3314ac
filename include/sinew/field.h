/*
 * Definitions as lists of fields.
 *
 * What a definition consists of is listed once, in its public header: constraints in
 * sinew/constraints/, materials in sinew/kinds/, and the objects of a world (sheets, hierarchies,
 * damping groups, ...) where they are declared. From the list come the struct, its defaults, its
 * checks, its columns in snapshots and recordings, its words in scene files with their schema, and
 * this information about it.
 */
#ifndef SINEW_FIELD_H
#define SINEW_FIELD_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Fields ---- */

/* What a field holds. */
typedef enum sn_field_kind {
    SN_FIELD_REAL = 0,   /* one number */
    SN_FIELD_VEC3 = 1,   /* unit and range are those of each component */
    SN_FIELD_SIDE = 2,   /* an sn_side */
    SN_FIELD_CHOICE = 3, /* an int or enum; the unit has the names of its values, with | between */
    SN_FIELD_INT = 4,    /* an int */
    SN_FIELD_BOOL = 5,   /* a bool */
    SN_FIELD_WORD = 6,   /* a uint32_t */
    SN_FIELD_COUNT = 7,  /* a size_t: how many elements arrays have */
    SN_FIELD_QUAT = 8,   /* an sn_quat, made unit; range that of each component */
    SN_FIELD_ENDS = 9,   /* an sn_ends; unit and range are those of each component */
    SN_FIELD_BODY = 10   /* an sn_body; no number */
} sn_field_kind;

/* The least of fields that must be above 0, and are said to be: next to it, in both precisions. */
#define SN_ABOVE_ZERO 1e-37

/* One field of a definition, as listed in its header. */
typedef struct sn_field_info {
    const char *name;
    const char *unit;
    const char *meaning;
    sn_field_kind kind;
    size_t offset;                /* in the definition struct, in bytes */
    double least, most, standard; /* range and default, in the unit; least may be SN_ABOVE_ZERO */
    bool automatic;               /* whether SN_AUTO is allowed as well */
    const double *standards;      /* defaults of components that differ, in the unit; or null */
} sn_field_info;

/* The two ends of a segment (m). */
typedef sn_vec3 sn_ends[2];

/*
 * How a line FIELD(kind, name, unit, least, most, default, automatic, meaning) becomes a member of
 * a definition. Of an enum the kind is ENUM(its type); of a vector whose components have different
 * defaults it is VEC3_OF(x, y, z), and the default of the line does not count.
 */
#define SN_MEMBER(kind, name, unit, least, most, standard, automatic, meaning)                     \
    SN_MEMBER_##kind name;
#define SN_MEMBER_REAL sn_real
#define SN_MEMBER_VEC3 sn_vec3
#define SN_MEMBER_VEC3_OF(x, y, z) sn_vec3
#define SN_MEMBER_QUAT sn_quat
#define SN_MEMBER_ENDS sn_ends
#define SN_MEMBER_BODY sn_body
#define SN_MEMBER_SIDE sn_side
#define SN_MEMBER_CHOICE int
#define SN_MEMBER_ENUM(type) type
#define SN_MEMBER_INT int
#define SN_MEMBER_BOOL bool
#define SN_MEMBER_WORD uint32_t
#define SN_MEMBER_COUNT size_t
#define SN_FIELD_ENUM(type) SN_FIELD_CHOICE
#define SN_FIELD_VEC3_OF(x, y, z) SN_FIELD_VEC3

/* The names of a list such as SN_SOLVERS, as the unit of a choice; all have a bar before them. */
#define SN_BAR_AND_NAME(lower, upper) "|" #lower
#define SN_NAMES_OF(LIST) (&LIST(SN_BAR_AND_NAME)[1])

/* ---- Arrays ---- */

/* What the elements of an array are. */
typedef enum sn_element_kind {
    SN_ELEMENT_NODE = 0,   /* an sn_node */
    SN_ELEMENT_INDEX = 1,  /* `width` indices into the nodes of the definition, all different */
    SN_ELEMENT_REAL = 2,   /* `width` reals */
    SN_ELEMENT_FIRST = 3,  /* where a list begins in the next array; one more says where it ends */
    SN_ELEMENT_MEMBER = 4, /* an index into the nodes, of these lists one after the other */
    SN_ELEMENT_NUMBER = 5, /* an index into the nodes, or UINT32_MAX for none */
    SN_ELEMENT_RECORD = 6  /* a struct of `width` reals */
} sn_element_kind;

/* The most elements that an array can have. */
#define SN_COUNT_MAX 1073741823

/* An array of a definition: a pointer, which is read when the object is made and not kept. */
typedef struct sn_array_info {
    const char *name;
    const char *unit;
    const char *meaning;
    sn_element_kind kind;
    size_t width;  /* numbers per element */
    size_t offset; /* of the pointer in the definition struct, in bytes */
    size_t count;  /* of the field that says how many elements there are, likewise */
    bool optional; /* whether it may be null */
} sn_array_info;

/* A symmetric matrix: xx, yy, zz, yz, zx, xy. */
typedef sn_real sn_symmetric[6];

/* How a line ARRAY(kind, name, count, unit, optional, meaning) becomes a member; `count` is the
   field that says how many. */
#define SN_ARRAY_MEMBER(kind, name, count, unit, optional, meaning) SN_ARRAY_##kind name;
#define SN_ARRAY_NODES const sn_node *
#define SN_ARRAY_EDGES const uint32_t *
#define SN_ARRAY_TRIANGLES const uint32_t *
#define SN_ARRAY_TETS const uint32_t *
#define SN_ARRAY_FIRSTS const uint32_t *
#define SN_ARRAY_MEMBERS const uint32_t *
#define SN_ARRAY_NUMBERS const uint32_t *
#define SN_ARRAY_REALS const sn_real *
#define SN_ARRAY_VEC3S const sn_vec3 *
#define SN_ARRAY_QUATS const sn_quat *
#define SN_ARRAY_SYMMETRICS const sn_symmetric *
/* The kind and the width of their elements. */
#define SN_ELEMENTS_NODES SN_ELEMENT_NODE, 1
#define SN_ELEMENTS_EDGES SN_ELEMENT_INDEX, 2
#define SN_ELEMENTS_TRIANGLES SN_ELEMENT_INDEX, 3
#define SN_ELEMENTS_TETS SN_ELEMENT_INDEX, 4
#define SN_ELEMENTS_FIRSTS SN_ELEMENT_FIRST, 1
#define SN_ELEMENTS_MEMBERS SN_ELEMENT_MEMBER, 1
#define SN_ELEMENTS_NUMBERS SN_ELEMENT_NUMBER, 1
#define SN_ELEMENTS_REALS SN_ELEMENT_REAL, 1
#define SN_ELEMENTS_VEC3S SN_ELEMENT_REAL, 3
#define SN_ELEMENTS_QUATS SN_ELEMENT_REAL, 4
#define SN_ELEMENTS_SYMMETRICS SN_ELEMENT_REAL, 6

/* ---- Objects ---- */

/* The members of a definition; its `size` is set by the default function. */
#define SN_MEMBERS(FIELDS)                                                                         \
    size_t size;                                                                                   \
    FIELDS(SN_MEMBER, SN_ARRAY_MEMBER)

/* Declares sn_<object>_def and sn_<object>_def_default from a list FIELDS(FIELD, ARRAY). */
#define SN_DECLARE_OBJECT(object, FIELDS)                                                          \
    typedef struct sn_##object##_def {                                                             \
        SN_MEMBERS(FIELDS)                                                                         \
    } sn_##object##_def;                                                                           \
    SN_API sn_##object##_def sn_##object##_def_default(void);

/* What the definition of an object is, for programs that work with any. */
typedef struct sn_object_info {
    const char *name;    /* such as "damping_group" */
    const char *title;   /* the same in sentences: "damping group" */
    const char *meaning; /* one sentence */
    size_t def_size;     /* bytes of the definition struct */
    size_t field_count;  /* length of `fields` */
    const sn_field_info *fields;
    size_t array_count; /* length of `arrays` */
    const sn_array_info *arrays;
} sn_object_info;

/* The objects that a world knows, by numbers from 0, with a null world those that every world does;
   null beyond the last. The order is no promise. */
SN_API const sn_object_info *sn_world_object_info(const sn_world *world, size_t index);

/* The object of this name, which every world knows; null where there is none. */
SN_API const sn_object_info *sn_object_by_name(const char *name);

#ifdef __cplusplus
}
#endif

#endif
