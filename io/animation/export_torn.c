#include "io/animation/export_torn.h"

#include <sinew/support.h>

static const uint32_t NONE = UINT32_MAX;

/* Whether corners are those from before or copies of them, one after the other. */
static bool follow(const uint32_t *before, const uint32_t *after, size_t corners, size_t vertices,
                   uint32_t *origins) {
    for (size_t i = 0; i < corners; i++) {
        uint32_t now = after[i];
        if (now < vertices ? now != before[i] : origins[now] != NONE && origins[now] != before[i])
            return false;
        if (now >= vertices) origins[now] = before[i];
    }
    return true;
}

/* The hash of a triangle, whichever corner is first; that of its back is the negative one. */
static uint64_t signed_hash(uint32_t a, uint32_t b, uint32_t c) {
    while (b < a || c < a) {
        uint32_t first = a;
        a = b;
        b = c;
        c = first;
    }
    uint32_t low = b < c ? b : c, high = b < c ? c : b;
    uint64_t hash = sn_hash_word(sn_hash_word(sn_hash_word(1, a), low), high);
    return b < c ? hash : 0 - hash;
}

/* The sum over all triangles, seen with vertices before: fronts and backs cancel out. */
static uint64_t seen(const sn_io_elements *e, size_t vertices, const uint32_t *origins) {
    uint64_t sum = 0;
    for (size_t i = 0; i < e->triangle_count; i++) {
        uint32_t c[3];
        for (int k = 0; k < 3; k++) {
            c[k] = e->triangles[i][k];
            if (c[k] >= vertices) c[k] = origins[c[k]];
        }
        sum += signed_hash(c[0], c[1], c[2]);
    }
    return sum;
}

static const uint32_t *flat(const void *corners) {
    return corners;
}

bool sn_io_is_torn(const sn_io_elements *before, const sn_io_elements *after, uint32_t *origins) {
    size_t n = before->vertices;
    bool solid = after->tet_count > 0;
    if (after->vertices < n || before->tet_count != after->tet_count ||
        before->line_count != after->line_count ||
        (!solid && before->triangle_count != after->triangle_count))
        return false;
    for (size_t i = n; i < after->vertices; i++) origins[i] = NONE;
    if (!follow(flat(before->lines), flat(after->lines), 2 * after->line_count, n, origins) ||
        !follow(flat(before->tets), flat(after->tets), 4 * after->tet_count, n, origins))
        return false;
    if (!solid && !follow(flat(before->triangles), flat(after->triangles),
                          3 * after->triangle_count, n, origins))
        return false;
    for (size_t i = n; i < after->vertices; i++)
        if (origins[i] == NONE) return false;
    return !solid || seen(before, n, origins) == seen(after, n, origins);
}
