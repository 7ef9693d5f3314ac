/*
 * Zones: nodes that are tied together by pairs that would pass, as a forest in which the root of a
 * zone is its lowest node. So zones do not depend on the order in which they were joined. Kinematic
 * nodes are in none: they tie nothing together.
 */
#include "contact/guard.h"

uint32_t sn_guard_root(const sn_guard *guard, uint32_t node) {
    while (guard->zone[node] != node) node = guard->zone[node];
    return node;
}

static uint32_t root_of(sn_guard *guard, uint32_t node) {
    if (guard->zone[node] == SN_GUARD_NONE) guard->zone[node] = node;
    uint32_t root = sn_guard_root(guard, node);
    /* Shortens the way for the next one who asks. */
    while (guard->zone[node] != root) {
        uint32_t next = guard->zone[node];
        guard->zone[node] = root;
        node = next;
    }
    return root;
}

void sn_guard_join(sn_guard *guard, const uint32_t node[4], const sn_real *w) {
    uint32_t lowest = SN_GUARD_NONE;
    for (int i = 0; i < 4; i++) {
        if (!(w[node[i]] > 0)) continue;
        uint32_t root = root_of(guard, node[i]);
        if (lowest == SN_GUARD_NONE) lowest = root;
        uint32_t low = root < lowest ? root : lowest, high = root < lowest ? lowest : root;
        guard->zone[high] = low;
        lowest = low;
    }
}

uint32_t sn_guard_zone_of(const sn_guard *guard, const uint32_t node[4]) {
    for (int i = 0; i < 4; i++)
        if (guard->zone[node[i]] != SN_GUARD_NONE) return sn_guard_root(guard, node[i]);
    return SN_GUARD_NONE;
}
