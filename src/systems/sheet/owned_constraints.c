#include "systems/sheet/owned_constraints.h"
#include "systems/sheet/sheets.h"

/* The sheet + 1 of the first node of a constraint; 0 where it has none. */
static uint32_t sheet_of(const sn_world *world, uint32_t constraint) {
    const sn_store *store = sn_world_store_of(world, constraint);
    int32_t node = sn_member(sn_store_members(store, sn_world_place(world, constraint)), 0);
    if (node < 0 || (size_t)node >= sn_sheets_of(world)->node_capacity) return 0;
    return sn_sheets_of(world)->of_node[node];
}

bool sn_world_own_constraint(sn_world *world, uint32_t constraint) {
    const sn_constraints *all = &world->constraints;
    if (constraint >= all->slots.count || !all->slots.alive[constraint]) return false;
    uint32_t sheet = sheet_of(world, constraint);
    if (sheet == 0 || all->record[constraint].owned) return false;
    all->record[constraint].owned = true;
    sn_sheets_of(world)->state[sheet - 1].ties++;
    return true;
}

void sn_world_forget_owned_constraint(sn_world *world, uint32_t constraint) {
    world->constraints.record[constraint].owned = false;
    uint32_t sheet = sheet_of(world, constraint);
    if (sheet) sn_sheets_of(world)->state[sheet - 1].ties--;
}

void sn_world_disown_constraint(sn_world *world, uint32_t sheet) {
    const sn_constraints *all = &world->constraints;
    for (uint32_t i = 0; i < all->slots.count && sn_sheets_of(world)->state[sheet].ties > 0; i++)
        if (all->slots.alive[i] && all->record[i].owned && sheet_of(world, i) == sheet + 1)
            sn_world_remove_constraint(world, i);
}

/* Whether a constraint reads a node without moving it. */
static bool is_anchored(const sn_world *world, uint32_t constraint, uint32_t node) {
    const sn_store *store = sn_world_store_of(world, constraint);
    sn_members members = sn_store_members(store, sn_world_place(world, constraint));
    for (int n = members.moved; n < members.nodes; n++)
        if (sn_member(members, n) == (int32_t)node) return true;
    return false;
}

uint32_t sn_world_owned_constraints_at(const sn_world *world, uint32_t node) {
    const sn_constraints *all = &world->constraints;
    uint32_t count = 0;
    if (world->nodes.anchored[node] == 0 || node >= sn_sheets_of(world)->node_capacity) return 0;
    uint32_t sheet = sn_sheets_of(world)->of_node[node];
    if (sheet == 0 || sn_sheets_of(world)->state[sheet - 1].ties == 0) return 0;
    for (uint32_t i = 0; i < all->slots.count; i++)
        count += all->slots.alive[i] && all->record[i].owned && is_anchored(world, i, node);
    return count;
}

void sn_world_loosen(sn_world *world, uint32_t node) {
    uint32_t sheet =
        node < sn_sheets_of(world)->node_capacity ? sn_sheets_of(world)->of_node[node] : 0;
    if (sheet == 0 || sn_sheets_of(world)->state[sheet - 1].def.tethers == 0) return;
    if (world->nodes.anchored[node] > 0) sn_world_disown_constraint(world, sheet - 1);
    sn_sheets_of(world)->state[sheet - 1].loose = true;
}
