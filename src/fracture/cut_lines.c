#include "fracture/cut_lines.h"
#include "systems/sheet/sheets.h"
#include "systems/tet_mesh/tet_meshes.h"

static bool has_node(sn_members members, uint32_t node) {
    for (int n = 0; n < members.nodes; n++)
        if (sn_member(members, n) == (int32_t)node) return true;
    return false;
}

static bool has_line(sn_members members, const sn_node *ends, size_t lines) {
    for (size_t i = 0; i < lines; i++)
        if (has_node(members, ends[2 * i].slot - 1) && has_node(members, ends[2 * i + 1].slot - 1))
            return true;
    return false;
}

void sn_cut_lines(sn_world *world, const sn_node *ends, size_t lines) {
    const sn_constraints *all = &world->constraints;
    for (uint32_t i = all->oldest, next; i > 0; i = next) {
        const sn_store *store = sn_world_store_of(world, i - 1);
        next = all->record[i - 1].newer;
        if (store->type->info.list == SN_LIST_NONE &&
            has_line(sn_store_members(store, sn_world_place(world, i - 1)), ends, lines))
            sn_world_remove_constraint(world, i - 1);
    }
    for (size_t i = 0; i < lines; i++)
        sn_world_part_line(world, (int32_t)ends[2 * i].slot - 1, (int32_t)ends[2 * i + 1].slot - 1);
}

bool sn_cut_is_meshed(const sn_world *world, uint32_t node) {
    return sn_sheets_at(sn_sheets_of(world), node) != 0 ||
           sn_tet_meshes_at(sn_tet_meshes_of(world), node) != 0;
}
