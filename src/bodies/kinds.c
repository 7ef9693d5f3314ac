/* The list of kinds. */
#include "bodies/kind.h"

#include <string.h>

#define SN_LIST_KIND(lower, upper) extern const sn_body_kind sn_kind_##lower;
#include <sinew/kinds/list.h>
#undef SN_LIST_KIND

static const sn_body_kind *const list[] = {
#define SN_LIST_KIND(lower, upper) &sn_kind_##lower,
#include <sinew/kinds/list.h>
#undef SN_LIST_KIND
};

const sn_body_kind *sn_body_kind_at(sn_kind kind) {
    return (unsigned)kind < SN_KIND_COUNT ? list[kind] : NULL;
}

const sn_kind_info *sn_kind_get_info(sn_kind kind) {
    return (unsigned)kind < SN_KIND_COUNT ? &list[kind]->info : NULL;
}

sn_result sn_kind_by_name(const char *name, sn_kind *kind) {
    if (!name || !kind)
        return sn_fail(SN_ERROR_NULL, "%s: %s is null", __func__, name ? "kind" : "name");
    for (int i = 0; i < SN_KIND_COUNT; i++)
        if (strcmp(list[i]->info.name, name) == 0) {
            *kind = (sn_kind)i;
            return SN_OK;
        }
    return sn_fail(SN_ERROR_NAME, "no kind of body is called \"%s\"", name);
}

sn_result sn_kind_default(sn_kind kind, void *material) {
    if (!material) return sn_fail(SN_ERROR_NULL, "%s: material is null", __func__);
    if ((unsigned)kind >= SN_KIND_COUNT)
        return sn_fail(SN_ERROR_VALUE, "%s: kind is %d, expected 0 to %d", __func__, (int)kind,
                       SN_KIND_COUNT - 1);
    memcpy(material, list[kind]->standard, list[kind]->info.material_size);
    return SN_OK;
}
