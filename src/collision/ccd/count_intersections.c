/*
 * All edges of surfaces that pass through triangles: a tree over the triangles is asked with the
 * box of every edge.
 */
#include "collision/ccd/time_of_impact.h"

#include "geometry/bvh.h"
#include "geometry/topology/edge_elements.h"

typedef struct count {
    const sn_vec3 *positions;
    const uint32_t (*triangles)[3];
    const sn_bounds *boxes;
    sn_crossing *list;
    size_t room, found, first; /* `first` is where the crossings of this edge begin */
    uint32_t a, b;
    sn_point p, q;
    sn_bounds box;
} count;

/* Keeps the crossings of an edge in the order of their triangles, the first ones if there is not
   room for all. */
static void keep(count *c, uint32_t triangle) {
    sn_crossing next = {c->a, c->b, triangle};
    for (size_t i = c->first; i < c->found && i < c->room; i++) {
        if (c->list[i].triangle < next.triangle) continue;
        sn_crossing later = c->list[i];
        c->list[i] = next;
        next = later;
    }
    if (c->found < c->room) c->list[c->found] = next;
    c->found++;
}

static bool are_apart(const sn_bounds *a, const sn_bounds *b) {
    return a->low.x > b->high.x || b->low.x > a->high.x || a->low.y > b->high.y ||
           b->low.y > a->high.y || a->low.z > b->high.z || b->low.z > a->high.z;
}

static bool visit(void *user, uint32_t triangle) {
    count *c = user;
    if (are_apart(&c->boxes[triangle], &c->box)) return true;
    const uint32_t *v = c->triangles[triangle];
    sn_point corner[3];
    for (int k = 0; k < 3; k++) {
        if (v[k] == c->a || v[k] == c->b) return true;
        corner[k] = sn_point_of(c->positions[v[k]]);
    }
    if (sn_ccd_segment(c->p, c->q, corner)) keep(c, triangle);
    return true;
}

static void count_edges(count *c, const sn_pairs *edges, const sn_bvh *tree) {
    for (size_t i = 0; i < edges->count; i++) {
        c->a = edges->pair[i].a;
        c->b = edges->pair[i].b;
        c->first = c->found;
        c->p = sn_point_of(c->positions[c->a]);
        c->q = sn_point_of(c->positions[c->b]);
        c->box = sn_bounds_empty();
        sn_bounds_add(&c->box, c->p);
        sn_bounds_add(&c->box, c->q);
        sn_bvh_overlap(tree, c->box, visit, c);
    }
}

sn_result sn_ccd_count(sn_memory *memory, const sn_vec3 *positions, size_t vertices,
                       const uint32_t (*triangles)[3], size_t triangle_count, sn_crossing *list,
                       size_t room, size_t *found) {
    sn_pairs edges = {0};
    sn_bvh tree = {0};
    *found = 0;
    if (triangle_count == 0) return SN_OK;
    sn_bounds *boxes = sn_allocate(memory, triangle_count, sizeof *boxes);
    if (!boxes) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < triangle_count; i++) {
        boxes[i] = sn_bounds_empty();
        for (int k = 0; k < 3; k++)
            sn_bounds_add(&boxes[i], sn_point_of(positions[triangles[i][k]]));
    }
    sn_result result = sn_pairs_create(&edges, memory, triangles[0], triangle_count, 3, vertices);
    if (result == SN_OK) result = sn_bvh_create(&tree, memory, boxes, triangle_count);
    if (result == SN_OK) {
        count c = {.positions = positions, .triangles = triangles, .boxes = boxes};
        c.list = list;
        c.room = list ? room : 0;
        count_edges(&c, &edges, &tree);
        *found = c.found;
    }
    sn_bvh_free(&tree, memory);
    sn_pairs_free(&edges, memory);
    sn_free(memory, boxes, triangle_count, sizeof *boxes);
    return result;
}
