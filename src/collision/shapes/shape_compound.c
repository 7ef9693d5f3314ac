/* Compounds: the nearest of the parts, found with a tree over their boxes. */
#include "collision/shapes/shape_distance.h"
#include "math/quaternion.h"

#include <math.h>

/* Entries of a stack that no walk outgrows, as in bvh.c. */
enum { DEPTH = 63 * 4 + 32 + 1 };

typedef struct best {
    double distance;
    uint32_t part;
    sn_v4 normal;
} best;

/* Takes a part over if it is nearer, or as near and earlier. */
static void try_part(const sn_collider_def *s, uint32_t i, sn_v4 point, double within, best *b) {
    const sn_collider_def *part = &s->form->pieces[i];
    sn_v4 q = {part->orientation.x, part->orientation.y, part->orientation.z, part->orientation.w};
    sn_v4 local = sn_quat_rotate_back(q, point - sn_v4_of(part->position)), normal;
    sn_near near = {.within = within, .item = SN_BVH_NONE};
    double distance = part->form
                          ? (double)sn_shape_near_of(part->shape)(part, local, &near, &normal)
                          : (double)sn_shape_distance_of(part->shape)(part, local, &normal);
    if (!(distance < b->distance || (distance == b->distance && i < b->part))) return;
    *b = (best){distance, i, sn_quat_rotate(q, normal)};
}

static double box_distance(const sn_bounds *box, sn_point x) {
    return sqrt(sn_bounds_square(box, x));
}

sn_real sn_shape_part_distance(const sn_collider_def *s, uint32_t part, sn_v4 point,
                               sn_v4 *normal) {
    best b = {INFINITY, SN_BVH_NONE, {0, 1, 0, 0}};
    try_part(s, part - 1, point, INFINITY, &b);
    *normal = b.normal;
    return (sn_real)b.distance;
}

typedef struct entry {
    uint32_t node;
    double distance;
} entry;

sn_real sn_near_parts(const sn_collider_def *s, sn_v4 point, sn_near *near, sn_v4 *normal) {
    const sn_bvh *tree = &s->form->tree;
    sn_point x = {(double)point[0], (double)point[1], (double)point[2]};
    best b = {near->within, SN_BVH_NONE, {0, 1, 0, 0}};
    entry stack[DEPTH];
    int depth = 0;
    stack[depth++] = (entry){0, box_distance(&tree->nodes[0].bounds, x)};
    while (depth > 0) {
        entry e = stack[--depth];
        if (e.distance > b.distance && e.distance > 0) continue;
        const sn_bvh_node *node = &tree->nodes[e.node];
        for (uint32_t k = 0; k < node->count; k++)
            try_part(s, tree->order[node->first + k], point, near->within, &b);
        if (node->count > 0) continue;
        entry first = {e.node + 1, box_distance(&node[1].bounds, x)};
        entry second = {node->first, box_distance(&tree->nodes[node->first].bounds, x)};
        bool in_order = first.distance <= second.distance;
        stack[depth++] = in_order ? second : first;
        stack[depth++] = in_order ? first : second;
    }
    near->item = SN_BVH_NONE;
    near->displacement = (sn_v4){0};
    *normal = b.normal;
    return (sn_real)b.distance;
}
