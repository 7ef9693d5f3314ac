/*
 * Taking the picture: objects are copied in the order of the leaves of their tree, so that a walk
 * reads them one after the other. While they are the same ones, only copies and boxes are made new,
 * and the tree stays, until its boxes have grown too large together.
 */
#include "collision/query/query.h"

#include "base/error.h"

#include <string.h>

const sn_query_class *sn_query_class_at(size_t index) {
    static const sn_query_class *const classes[] = {&sn_query_nodes, &sn_query_colliders,
                                                    &sn_query_surfaces};
    return classes[index];
}

static void free_part(sn_query_part *part, const sn_query_class *kind, sn_memory *memory) {
    sn_tree_free(&part->tree, memory);
    sn_free(memory, part->item, part->count, kind->element);
    *part = (sn_query_part){0};
}

void sn_query_free_parts(sn_query *query) {
    for (size_t i = 0; i < SN_QUERY_CLASSES; i++)
        free_part(&query->part[i], sn_query_class_at(i), &query->memory);
}

/* Also not where the floats of the tree end. */
static bool is_bounded(const sn_bounds *b) {
    const double most = 1e37;
    return b->low.x > -most && b->low.y > -most && b->low.z > -most && b->high.x < most &&
           b->high.y < most && b->high.z < most;
}

/* ---- From the beginning ---- */

/* Puts what has bounds first, in the order it had, and says how many. */
static size_t part_in_two(const sn_query_class *kind, const unsigned char *from, unsigned char *to,
                          sn_bounds *bounds, size_t count) {
    size_t bounded = 0, others = 0;
    for (size_t i = 0; i < count; i++) {
        sn_bounds b = kind->bounds(from + i * kind->element);
        if (is_bounded(&b)) bounds[bounded++] = b;
    }
    for (size_t i = 0, k = 0; i < count; i++) {
        sn_bounds b = kind->bounds(from + i * kind->element);
        size_t place = is_bounded(&b) ? k++ : bounded + others++;
        memcpy(to + place * kind->element, from + i * kind->element, kind->element);
    }
    return bounded;
}

/* The tree, and items in the order of its leaves. */
static sn_result plant(sn_query_part *part, const sn_query_class *kind, sn_memory *memory,
                       const unsigned char *items, const sn_bounds *bounds, size_t bounded) {
    SN_TRY(sn_tree_create(&part->tree, memory, bounds, bounded));
    for (size_t k = 0; k < part->count; k++) {
        size_t from = k < bounded ? part->tree.binary.order[k] : k;
        memcpy(part->item + k * kind->element, items + from * kind->element, kind->element);
    }
    return SN_OK;
}

static sn_result make(sn_query_part *part, const sn_query_class *kind, sn_memory *memory,
                      const sn_world *world) {
    size_t count = kind->count(world);
    *part = (sn_query_part){.count = count};
    unsigned char *named = sn_allocate(memory, count, kind->element);
    unsigned char *parted = sn_allocate(memory, count, kind->element);
    sn_bounds *bounds = sn_allocate(memory, count, sizeof *bounds);
    part->item = sn_allocate(memory, count, kind->element);
    sn_result result = SN_ERROR_MEMORY;
    if (named && parted && bounds && part->item) {
        kind->gather(world, named);
        for (size_t i = 0; i < count; i++) kind->update(world, named + i * kind->element);
        size_t bounded = part_in_two(kind, named, parted, bounds, count);
        result = plant(part, kind, memory, parted, bounds, bounded);
    }
    sn_free(memory, named, count, kind->element);
    sn_free(memory, parted, count, kind->element);
    sn_free(memory, bounds, count, sizeof *bounds);
    if (result != SN_OK) free_part(part, kind, memory);
    return result;
}

/* ---- From what there is ---- */

static bool is_same(const sn_query_part *part, const sn_query_class *kind, const sn_world *world) {
    if (!part->item || part->count != kind->count(world)) return false;
    for (size_t i = 0; i < part->count; i++)
        if (!kind->lives(world, part->item + i * kind->element)) return false;
    return true;
}

/* False when a new tree is needed, or would be much better. */
static bool follow(sn_query_part *part, const sn_query_class *kind, const sn_world *world) {
    sn_tree *tree = &part->tree;
    for (size_t k = 0; k < part->count; k++) {
        void *item = part->item + k * kind->element;
        kind->update(world, item);
        if (k < tree->binary.count) tree->bounds[tree->binary.order[k]] = kind->bounds(item);
    }
    return sn_tree_follow(tree) && (tree->binary.count == 0 || is_bounded(&tree->all));
}

/* ---- All of them ---- */

sn_result sn_query_take(sn_query *query, const sn_world *world) {
    sn_query_part fresh[SN_QUERY_CLASSES] = {0};
    bool same[SN_QUERY_CLASSES];
    sn_result result = SN_OK;
    for (size_t i = 0; i < SN_QUERY_CLASSES && result == SN_OK; i++) {
        const sn_query_class *kind = sn_query_class_at(i);
        same[i] = query->world == world->tag && is_same(&query->part[i], kind, world);
        if (!same[i]) result = make(&fresh[i], kind, &query->memory, world);
    }
    if (result != SN_OK) {
        for (size_t i = 0; i < SN_QUERY_CLASSES; i++)
            free_part(&fresh[i], sn_query_class_at(i), &query->memory);
        return result;
    }
    query->world = world->tag;
    for (size_t i = 0; i < SN_QUERY_CLASSES; i++) {
        const sn_query_class *kind = sn_query_class_at(i);
        sn_query_part *part = &query->part[i];
        if (same[i]) {
            /* Without memory for a better tree, this one is as right as it was. */
            if (follow(part, kind, world)) continue;
            if (make(&fresh[i], kind, &query->memory, world) != SN_OK) continue;
        }
        free_part(part, kind, &query->memory);
        *part = fresh[i];
    }
    return SN_OK;
}
