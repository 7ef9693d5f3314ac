#include "io/animation/creases.h"

#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>

/* An edge of a triangle, to be sorted beside that of the other one. */
typedef struct side {
    uint32_t low, high;
    uint32_t triangle;
} side;

static int compare_sides(const void *left, const void *right) {
    const side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void normal_of(const sn_vec3 *positions, const uint32_t t[3], double n[3]) {
    double e[2][3];
    for (int k = 0; k < 2; k++) {
        sn_vec3 a = positions[t[0]], b = positions[t[k + 1]];
        e[k][0] = (double)b.x - (double)a.x;
        e[k][1] = (double)b.y - (double)a.y;
        e[k][2] = (double)b.z - (double)a.z;
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
}

/* Whether the faces of two triangles turn by more than 40 degrees. */
static bool is_hard(const sn_vec3 *positions, const uint32_t one[3], const uint32_t two[3]) {
    const double cosine = 0.76604444311897804;
    double a[3], b[3], product = 0, square = 0, other = 0;
    normal_of(positions, one, a);
    normal_of(positions, two, b);
    for (int k = 0; k < 3; k++) {
        product += a[k] * b[k];
        square += a[k] * a[k];
        other += b[k] * b[k];
    }
    /* What has no area has no side. */
    return square > 0 && other > 0 && product < cosine * sqrt(square * other);
}

sn_result sn_io_creases_find(const sn_vec3 *positions, const uint32_t (*triangles)[3], size_t count,
                             sn_io_creases *creases) {
    size_t total = 3 * count;
    creases->count = 0;
    side *sides = malloc((total + 1) * sizeof *sides);
    creases->items = malloc((total + 1) * sizeof *creases->items);
    if (!sides || !creases->items) {
        free(sides);
        return sn_fail(SN_ERROR_MEMORY, "there is no memory for %zu edges", total);
    }
    for (size_t i = 0; i < total; i++) {
        const uint32_t *t = triangles[i / 3];
        uint32_t a = t[i % 3], b = t[(i + 1) % 3];
        sides[i] = (side){a < b ? a : b, a < b ? b : a, (uint32_t)(i / 3)};
    }
    qsort(sides, total, sizeof *sides, compare_sides);
    for (size_t i = 1; i < total; i++) {
        const side *a = &sides[i - 1], *b = &sides[i];
        if (a->low != b->low || a->high != b->high ||
            !is_hard(positions, triangles[a->triangle], triangles[b->triangle]))
            continue;
        creases->items[creases->count][0] = a->low;
        creases->items[creases->count++][1] = a->high;
    }
    free(sides);
    return SN_OK;
}
