#include "api/draft.h"

#include "api/check.h"
#include <stdlib.h>
#include <string.h>

/* ---- Fields ---- */

/* Fields of a definition, checked, as the first parameters. */
static sn_result read_fields(const sn_type_info *info, const void *def, sn_real *parameter) {
    for (size_t i = 0; i < info->field_count; i++) {
        sn_field_read(&info->fields[i], def, parameter);
        SN_TRY(sn_field_check(info, &info->fields[i], parameter));
        parameter += sn_field_numbers(&info->fields[i]);
    }
    return SN_OK;
}

/* ---- Nodes, of types with a fixed number of them ---- */

static sn_result check_fixed(const sn_world *world, const sn_type_info *info, int n, int32_t node) {
    if (world->nodes.w[node] > 0)
        return sn_fail(SN_ERROR_VALUE,
                       "%s: node %d has the inverse mass %g, expected a kinematic node there",
                       info->name, n, (double)world->nodes.w[node]);
    if (n >= info->frames) return SN_OK;
    sn_vec4 w = world->frames.w[sn_frame_index(world, node)];
    if (w.x > 0 || w.y > 0 || w.z > 0)
        return sn_fail(SN_ERROR_VALUE,
                       "%s: node %d has the inverse inertia (%g, %g, %g), expected 0 there",
                       info->name, n, (double)w.x, (double)w.y, (double)w.z);
    return SN_OK;
}

static sn_result check_members(const sn_world *world, const sn_type_info *info, const sn_node *id) {
    int moved = info->nodes - info->fixed_nodes;
    for (int n = 0; n < info->nodes; n++) {
        if (n >= moved && id[n].slot == 0) continue;
        SN_TRY(sn_check_node(world, id[n]));
        int32_t node = sn_node_index(id[n]);
        for (int k = 0; k < n; k++)
            if (id[k].slot == id[n].slot)
                return sn_fail(SN_ERROR_DEGENERATE,
                               "%s: nodes %d and %d are the same node %d, expected different ones",
                               info->name, k, n, node);
        if (n < info->frames && sn_frame_index(world, node) < 0)
            return sn_fail(SN_ERROR_VALUE, "%s: node %d is a particle, expected an oriented node",
                           info->name, n);
        if (n >= moved) SN_TRY(check_fixed(world, info, n, node));
    }
    return SN_OK;
}

/* ---- Nodes and triangles, of types with a list ---- */

static int compare_keys(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static sn_result check_list_head(const sn_type_info *info, const sn_list_head *list) {
    bool surface = info->list == SN_LIST_SURFACE;
    if (!list->nodes) return sn_fail(SN_ERROR_NULL, "%s: nodes is null", info->name);
    if (list->node_count < (size_t)info->nodes)
        return sn_fail(SN_ERROR_VALUE, "%s: node_count is %zu, expected at least %d", info->name,
                       list->node_count, info->nodes);
    if (surface && !list->triangles)
        return sn_fail(SN_ERROR_NULL, "%s: triangles is null", info->name);
    if (surface && list->triangle_count < 4)
        return sn_fail(SN_ERROR_VALUE, "%s: triangle_count is %zu, expected at least 4", info->name,
                       list->triangle_count);
    if (surface && list->triangle_count > INT32_MAX)
        return sn_fail(SN_ERROR_LIMIT, "%s: triangle_count is %zu, expected at most %d", info->name,
                       list->triangle_count, INT32_MAX);
    if (!surface && list->triangle_count > 0)
        return sn_fail(SN_ERROR_VALUE, "%s: triangle_count is %zu, expected 0: this type has none",
                       info->name, list->triangle_count);
    return SN_OK;
}

/* Every node exists, and none is there twice. */
static sn_result check_list_nodes(const sn_world *world, const sn_type_info *info,
                                  const sn_list_head *list, uint64_t *key) {
    for (size_t n = 0; n < list->node_count; n++) {
        sn_result result = sn_check_node(world, list->nodes[n]);
        if (result != SN_OK) return sn_fail_within(result, "%s: node %zu", info->name, n);
        key[n] = (uint64_t)list->nodes[n].slot << 32 | n;
    }
    qsort(key, list->node_count, sizeof *key, compare_keys);
    for (size_t n = 1; n < list->node_count; n++)
        if (key[n] >> 32 == key[n - 1] >> 32)
            return sn_fail(SN_ERROR_DEGENERATE,
                           "%s: nodes %u and %u are the same node %u, expected different ones",
                           info->name, (unsigned)(key[n - 1] & UINT32_MAX),
                           (unsigned)(key[n] & UINT32_MAX), (unsigned)(key[n] >> 32) - 1);
    return SN_OK;
}

/* Whether the sorted keys hold this one; once where they hold no key twice. */
static bool has_key(const uint64_t *key, size_t count, uint64_t wanted) {
    return bsearch(&wanted, key, count, sizeof *key, compare_keys) != NULL;
}

/* Every edge belongs to two triangles, in opposite directions. */
static sn_result check_closed(const sn_type_info *info, const sn_list_head *list, uint64_t *key) {
    size_t edges = 3 * list->triangle_count;
    for (size_t e = 0; e < edges; e++) {
        size_t next = e % 3 == 2 ? e - 2 : e + 1;
        uint32_t from = list->triangles[e], to = list->triangles[next];
        if (from >= list->node_count)
            return sn_fail(SN_ERROR_VALUE, "%s: triangle %zu uses node %u, but there are %zu nodes",
                           info->name, e / 3, (unsigned)from, list->node_count);
        if (from == to)
            return sn_fail(SN_ERROR_DEGENERATE, "%s: triangle %zu uses node %u twice", info->name,
                           e / 3, (unsigned)from);
        key[e] = (uint64_t)from << 32 | to;
    }
    qsort(key, edges, sizeof *key, compare_keys);
    for (size_t e = 0; e < edges; e++) {
        unsigned from = (unsigned)(key[e] >> 32), to = (unsigned)(key[e] & UINT32_MAX);
        /* Before the reverse is looked for: where a triangle is turned over, that is missing
           too. */
        if (e + 1 < edges && key[e] == key[e + 1])
            return sn_fail(SN_ERROR_DEGENERATE,
                           "%s: the edge from node %u to node %u belongs to two triangles in the "
                           "same direction, expected a surface with one outside",
                           info->name, from, to);
        if (!has_key(key, edges, (uint64_t)to << 32 | from))
            return sn_fail(SN_ERROR_DEGENERATE,
                           "%s: the edge from node %u to node %u belongs to one triangle only, "
                           "expected a closed surface",
                           info->name, from, to);
    }
    return SN_OK;
}

static sn_result check_list(sn_world *world, const sn_type_info *info, const sn_list_head *list) {
    SN_TRY(check_list_head(info, list));
    if (list->node_count > world->nodes.slots.count)
        return sn_fail(SN_ERROR_VALUE, "%s: node_count is %zu, but the world has %zu nodes",
                       info->name, list->node_count, world->nodes.slots.live);
    size_t keys = 3 * list->triangle_count;
    if (keys < list->node_count) keys = list->node_count;
    uint64_t *key = sn_allocate(&world->memory, keys, sizeof *key);
    if (!key) return SN_ERROR_MEMORY;
    sn_result result = check_list_nodes(world, info, list, key);
    if (result == SN_OK && info->list == SN_LIST_SURFACE) result = check_closed(info, list, key);
    sn_free(&world->memory, key, keys, sizeof *key);
    return result;
}

static sn_result read_list(sn_world *world, const sn_type_info *info, const void *def,
                           sn_draft *draft) {
    sn_list_head head_of_list;
    memcpy(&head_of_list, def, sizeof head_of_list);
    SN_TRY(check_list(world, info, &head_of_list));
    sn_list *list = sn_list_create(&world->memory, info->list, head_of_list.node_count,
                                   head_of_list.triangle_count);
    if (!list) return SN_ERROR_MEMORY;
    for (size_t n = 0; n < list->count; n++)
        list->offset[n] = sn_node_index(head_of_list.nodes[n]) * SN_NODE_BYTES;
    for (size_t i = 0; i < 3 * list->triangles; i++) list->triangle[i] = head_of_list.triangles[i];
    draft->list = list;
    return SN_OK;
}

/* ---- Everything about one definition ---- */

sn_result sn_draft_read(sn_world *world, const sn_constraint_type *type, const void *def,
                        sn_draft *draft) {
    const sn_type_info *info = &type->info;
    size_t size;
    draft->list = NULL;
    draft->off = false;
    memcpy(&size, def, sizeof size);
    SN_TRY(sn_check_size(info->name, size, info->def_size));
    if (info->list == SN_LIST_NONE) {
        SN_TRY(check_members(world, info, sn_def_nodes(def)));
        sn_draft_read_members(world, type, def, draft);
        SN_TRY(read_fields(info, def, draft->parameter));
        return sn_draft_prepare(world, type, draft);
    }
    SN_TRY(read_fields(info, def, draft->parameter));
    SN_TRY(read_list(world, info, def, draft));
    sn_result result = sn_draft_prepare(world, type, draft);
    if (result == SN_OK) return SN_OK;
    sn_list_free(&world->memory, draft->list);
    draft->list = NULL;
    return result;
}
