/* Fields by their tables (sinew/field.h). */
#ifndef SN_STATE_FIELDS_H
#define SN_STATE_FIELDS_H

#include <sinew/constraint.h>

/*
 * From a list of fields, with `definition` the struct: the rows of its table, and the initialisers
 * of its default.
 */
#define SN_FIELD_ROW(kind, name, unit, least, most, standard, automatic, meaning)                  \
    {#name, unit, meaning,  SN_FIELD_##kind, offsetof(definition, name),                           \
     least, most, standard, automatic,       SN_STANDARDS_##kind},

#define SN_STANDARDS_REAL NULL
#define SN_STANDARDS_VEC3 NULL
#define SN_STANDARDS_VEC3_OF(x, y, z)                                                              \
    (const double[]) {                                                                             \
        x, y, z                                                                                    \
    }
#define SN_STANDARDS_QUAT                                                                          \
    (const double[]) {                                                                             \
        0, 0, 0, 1                                                                                 \
    }
#define SN_STANDARDS_ENDS NULL
#define SN_STANDARDS_BODY NULL
#define SN_STANDARDS_SIDE NULL
#define SN_STANDARDS_CHOICE NULL
#define SN_STANDARDS_ENUM(type) NULL
#define SN_STANDARDS_INT NULL
#define SN_STANDARDS_BOOL NULL
#define SN_STANDARDS_WORD NULL
#define SN_STANDARDS_COUNT NULL

#define SN_STANDARD_REAL(value) (sn_real)(value)
#define SN_STANDARD_SIDE(value) (sn_side)(value)
#define SN_STANDARD_CHOICE(value) value
#define SN_STANDARD_ENUM(type) (type)
#define SN_STANDARD_INT(value) value
#define SN_STANDARD_BOOL(value) (value) != 0
#define SN_STANDARD_WORD(value) value
#define SN_STANDARD_COUNT(value) value
#define SN_STANDARD_VEC3(value)                                                                    \
    { value, value, value }
#define SN_STANDARD_VEC3_OF(x, y, z) {(sn_real)(x), (sn_real)(y), (sn_real)(z)} SN_STANDARD_NOT
#define SN_STANDARD_QUAT(value)                                                                    \
    { 0, 0, 0, 1 }
#define SN_STANDARD_ENDS(value)                                                                    \
    {                                                                                              \
        {value, value, value}, {                                                                   \
            value, value, value                                                                    \
        }                                                                                          \
    }
#define SN_STANDARD_BODY(value)                                                                    \
    { value, value, value }
#define SN_STANDARD_NOT(value)
#define SN_STANDARD(kind, name, unit, least, most, standard, automatic, meaning)                   \
    .name = SN_STANDARD_##kind(standard),

/* How many numbers a field has; and whether they are reals. */
int sn_field_numbers(const sn_field_info *field);
bool sn_field_is_real(const sn_field_info *field);

/* Whether they are what the table allows. */
sn_result sn_field_check(const sn_type_info *info, const sn_field_info *field,
                         const sn_real *number);

#endif
