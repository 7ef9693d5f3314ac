#include "state/fields.h"

#include "base/error.h"
#include "base/range.h"

int sn_field_numbers(const sn_field_info *field) {
    switch (field->kind) {
    case SN_FIELD_VEC3:
        return 3;
    case SN_FIELD_QUAT:
        return 4;
    case SN_FIELD_ENDS:
        return 6;
    case SN_FIELD_BODY:
        return 0;
    default:
        return 1;
    }
}

bool sn_field_is_real(const sn_field_info *field) {
    return field->kind == SN_FIELD_REAL || field->kind == SN_FIELD_VEC3 ||
           field->kind == SN_FIELD_QUAT || field->kind == SN_FIELD_ENDS;
}

sn_result sn_field_check(const sn_type_info *info, const sn_field_info *field,
                         const sn_real *number) {
    bool chosen = field->kind == SN_FIELD_CHOICE;
    for (int i = 0; i < sn_field_numbers(field); i++)
        SN_TRY(sn_check_real(info->name, field->name, number[i], field->least, field->most,
                             field->automatic, chosen ? "" : field->unit));
    if (chosen && number[0] != (sn_real)(int)number[0])
        return sn_fail(SN_ERROR_VALUE, "%s: %s is %g, expected a whole number", info->name,
                       field->name, (double)number[0]);
    if (field->kind != SN_FIELD_SIDE) return SN_OK;
    if (number[0] != (sn_real)(int)number[0])
        return sn_fail(SN_ERROR_VALUE, "%s: side is %g, expected 0, 1 or 2", info->name,
                       (double)number[0]);
    if (info->rows > 1 && number[0] != (sn_real)SN_SIDE_BOTH)
        return sn_fail(SN_ERROR_VALUE, "%s: side is %d, expected 0 for a type with %d rows",
                       info->name, (int)number[0], info->rows);
    return SN_OK;
}
