#include "api/types.h"

#include "api/check.h"

#include <string.h>

#define SN_LIST_TYPE(lower, upper) extern const sn_constraint_type sn_type_##lower;
#include <sinew/constraints/list.h>
#undef SN_LIST_TYPE

static const sn_constraint_type *const list[] = {
#define SN_LIST_TYPE(lower, upper) &sn_type_##lower,
#include <sinew/constraints/list.h>
#undef SN_LIST_TYPE
};

sn_type_list sn_types(void) {
    return (sn_type_list){list, sizeof list / sizeof *list};
}

const sn_type_info *sn_type_get_info(sn_type type) {
    return (unsigned)type < SN_TYPE_COUNT ? &list[type]->info : NULL;
}

sn_result sn_type_by_name(const char *name, sn_type *type) {
    SN_CHECK_POINTER(name);
    SN_CHECK_POINTER(type);
    for (int i = 0; i < SN_TYPE_COUNT; i++)
        if (strcmp(list[i]->info.name, name) == 0) {
            *type = (sn_type)i;
            return SN_OK;
        }
    return sn_fail(SN_ERROR_NAME, "no constraint type is called \"%s\"", name);
}

sn_result sn_type_default(sn_type type, void *def) {
    SN_CHECK_POINTER(def);
    if ((unsigned)type >= SN_TYPE_COUNT)
        return sn_fail(SN_ERROR_VALUE, "%s: type is %d, expected 0 to %d", __func__, (int)type,
                       SN_TYPE_COUNT - 1);
    memcpy(def, list[type]->standard, list[type]->info.def_size);
    return SN_OK;
}
