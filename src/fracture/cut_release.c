/*
 * Tethers of parts that were torn off. A tether stands for the sheet between its ends: where there
 * is no way between them through triangles any more, nothing holds the node there.
 */
#include "base/union_find.h"
#include "fracture/cut_vertex.h"
#include "systems/sheet/sheets.h"

/* The vertex of a node of this sheet; UINT32_MAX for others. */
static uint32_t vertex_of(const sn_world *world, uint32_t sheet, int32_t node) {
    if (node < 0 || sn_sheets_at(sn_sheets_of(world), (uint32_t)node) != sheet + 1)
        return UINT32_MAX;
    return sn_sheets_of(world)->place[node];
}

static bool is_loose(const sn_world *world, uint32_t sheet, const sn_store *store, sn_place place,
                     uint32_t *parent) {
    sn_members members = sn_store_members(store, place);
    if (sn_store_parameters(store, place)[SN_PARAMETER_SIDE] != (sn_real)SN_SIDE_AT_MOST)
        return false;
    uint32_t a = vertex_of(world, sheet, sn_member(members, 0));
    uint32_t b = vertex_of(world, sheet, sn_member(members, 1));
    return a != UINT32_MAX && b != UINT32_MAX && sn_sets_root(parent, a) != sn_sets_root(parent, b);
}

static void release_store(sn_world *world, uint32_t sheet, sn_store *store, uint32_t *parent) {
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        /* From the end, because the last one takes the place of one that is removed. */
        for (size_t i = store->colour[c].count; i-- > 0;)
            if (is_loose(world, sheet, store, (sn_place){c, (uint32_t)i}, parent))
                sn_world_remove_constraint(world, store->colour[c].owner[i]);
}

bool sn_cut_release(sn_world *world, uint32_t sheet) {
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet];
    size_t vertices = s->def.node_count;
    uint32_t *parent = sn_allocate(&world->memory, vertices + 1, sizeof *parent);
    if (!parent) return false;
    for (uint32_t i = 0; i < vertices; i++) parent[i] = i;
    for (size_t t = 0; t < s->def.triangle_count; t++) {
        sn_sets_join(parent, s->triangle[3 * t], s->triangle[3 * t + 1]);
        sn_sets_join(parent, s->triangle[3 * t], s->triangle[3 * t + 2]);
    }
    for (size_t i = 0; i < world->store_count; i++) {
        sn_store *store = &world->store[i];
        if (store->type->info.nodes == 2 && store->type->info.list == SN_LIST_NONE)
            release_store(world, sheet, store, parent);
    }
    sn_free(&world->memory, parent, vertices + 1, sizeof *parent);
    return true;
}
