/*
 * In which order the constraints of a cloth are made, which is the order in which they are solved.
 *
 * Colours are given in the order of creation, and how well one sweep does depends on them: along a
 * row of a grid, edges of two colours that alternate leave less than those of many that do not. The
 * order of vertices in a file means nothing, so it decides nothing here: edges come by direction,
 * those across before those along the axes of the mesh, and within a direction by place. What is
 * solved first in a sweep is left with most: of a grid that should be the diagonals.
 *
 * Then they are sorted by the colours which that gives, and within a colour, where order means
 * nothing either, by their vertices, so that memory is read in the order in which it lies. The
 * world gives the same colours again.
 */
#include "bodies/body_cloth.h"

#include "geometry/mesh_access.h"

#include <stdlib.h>

enum { COLOURS = 63 };

typedef struct ranked {
    int class;     /* first by this, */
    double place;  /* then by this, m, */
    uint32_t a, b; /* then by these */
    uint32_t item; /* what it is */
} ranked;

/* Whether an element of a vector is that of an axis: within 30 degrees of it. */
static bool is_along(double part, double length) {
    return part * part > 0.75 * length * length;
}

/* 0 for what runs across, else 1 + the axis that an edge runs along, up comes last. */
static int class_of(sn_point e) {
    double length = sn_point_length(e);
    if (is_along(e.x, length)) return 1;
    if (is_along(e.z, length)) return 2;
    return is_along(e.y, length) ? 3 : 0;
}

/* A line on which no two vertices of a usual mesh are at the same place. */
static double place_of(sn_point x) {
    return x.z + 0.0137 * x.x + 0.618 * x.y;
}

static int compare(const void *one, const void *other) {
    const ranked *p = one, *q = other;
    if (p->class != q->class) return p->class < q->class ? -1 : 1;
    if (p->place != q->place) return p->place < q->place ? -1 : 1;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

/* The lowest colour that neither end has yet. */
static int claim(uint64_t *used, uint32_t a, uint32_t b) {
    uint64_t busy = used[a] | used[b];
    int colour = ~busy ? __builtin_ctzll(~busy) : COLOURS;
    if (colour >= COLOURS) return COLOURS;
    used[a] |= (uint64_t)1 << colour;
    used[b] |= (uint64_t)1 << colour;
    return colour;
}

static void rank_edges(const sn_builder *b, const sn_pairs *edges, ranked *list) {
    for (uint32_t i = 0; i < edges->count; i++) {
        const sn_pair *e = &edges->pair[i];
        sn_point p = sn_mesh_point(b->mesh, e->a), q = sn_mesh_point(b->mesh, e->b);
        list[i] = (ranked){class_of(sn_point_sub(q, p)), place_of(p) + place_of(q), e->a, e->b, i};
    }
    qsort(list, edges->count, sizeof *list, compare);
}

sn_result sn_cloth_order(sn_builder *b, sn_pairs *edges) {
    size_t count = edges->count, vertices = b->mesh->vertex_count;
    ranked *list = sn_allocate(b->memory, count, sizeof *list);
    sn_pair *sorted = sn_allocate(b->memory, count, sizeof *sorted);
    uint64_t *used = sn_allocate(b->memory, vertices, sizeof *used);
    if (list && sorted && used) {
        rank_edges(b, edges, list);
        for (size_t i = 0; i < count; i++) {
            list[i].class = claim(used, list[i].a, list[i].b);
            list[i].place = 0;
        }
        qsort(list, count, sizeof *list, compare);
        for (size_t i = 0; i < count; i++) sorted[i] = edges->pair[list[i].item];
        for (size_t i = 0; i < count; i++) edges->pair[i] = sorted[i];
    }
    sn_result result = list && sorted && used ? SN_OK : SN_ERROR_MEMORY;
    if (list) sn_free(b->memory, list, count, sizeof *list);
    if (sorted) sn_free(b->memory, sorted, count, sizeof *sorted);
    if (used) sn_free(b->memory, used, vertices, sizeof *used);
    return result;
}
