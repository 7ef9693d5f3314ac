/* Whether two hits are the same to the bit, whatever lies between their members. */
#ifndef SINEW_TESTS_COLLISION_QUERY_HITS_H
#define SINEW_TESTS_COLLISION_QUERY_HITS_H

#include <sinew/query.h>
#include <string.h>

#define SAME_MEMBER(name) (memcmp(&a[i].name, &b[i].name, sizeof a[i].name) == 0)

static inline bool same_hits(const sn_hit *a, const sn_hit *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!SAME_MEMBER(kind) || !SAME_MEMBER(collider) || !SAME_MEMBER(surface) ||
            !SAME_MEMBER(element) || !SAME_MEMBER(node_count) || !SAME_MEMBER(node) ||
            !SAME_MEMBER(weight) || !SAME_MEMBER(point) || !SAME_MEMBER(normal) ||
            !SAME_MEMBER(velocity) || !SAME_MEMBER(distance) || !SAME_MEMBER(fraction))
            return false;
    return true;
}

#endif
