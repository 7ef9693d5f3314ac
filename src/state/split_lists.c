#include "state/split.h"

#include <sinew/support.h>

sn_result sn_split_check(const sn_split_list *list, sn_may_split *may, const void *context) {
    for (size_t k = 0; k < list->count; k++)
        if (may(context, list->nodes[k].slot - 1))
            return sn_fail(SN_ERROR_VALUE,
                           "cut: node %u is in %s %zu, expected nodes that are in none",
                           list->nodes[k].slot - 1, list->what, list->object);
    return SN_OK;
}

bool sn_split_touches(const sn_node *nodes, size_t count, uint32_t node) {
    for (size_t k = 0; k < count; k++)
        if (nodes[k].slot - 1 == node) return true;
    return false;
}
