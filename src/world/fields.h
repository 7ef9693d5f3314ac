/* The fields of constraints, by the tables of their types. */
#ifndef SN_WORLD_FIELDS_H
#define SN_WORLD_FIELDS_H

#include <sinew/constraint.h>

/* How many numbers a field has. */
int sn_field_numbers(const sn_field_info *field);

/* Whether they are what the table allows. */
sn_result sn_field_check(const sn_type_info *info, const sn_field_info *field,
                         const sn_real *number);

#endif
