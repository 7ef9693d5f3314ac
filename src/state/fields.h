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
     least, most, standard, automatic},

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
#define SN_STANDARD(kind, name, unit, least, most, standard, automatic, meaning)                   \
    .name = SN_STANDARD_##kind(standard),

/* How many numbers a field has. */
int sn_field_numbers(const sn_field_info *field);

/* Whether they are what the table allows. */
sn_result sn_field_check(const sn_type_info *info, const sn_field_info *field,
                         const sn_real *number);

#endif
