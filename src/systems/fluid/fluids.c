#include "systems/fluid/fluids.h"

#include <string.h>

bool sn_fluids_add(sn_fluids *fluids, sn_memory *memory, const sn_fluid_def *def, uint32_t *index) {
    size_t needed = sn_slots_needed(&fluids->slots, 1), capacity = def->node_count;
    if (!sn_slots_reserve(&fluids->slots, memory, needed) ||
        !sn_reserve(memory, (void **)&fluids->members, &fluids->capacity, needed,
                    sizeof *fluids->members))
        return false;
    sn_node *node = sn_allocate(memory, capacity, sizeof *node);
    if (!node) return false;
    memcpy(node, def->nodes, capacity * sizeof *node);
    *index = sn_slots_take(&fluids->slots);
    sn_fluid_members *members = &fluids->members[*index];
    *members =
        (sn_fluid_members){.node = node, .count = capacity, .capacity = capacity, .def = *def};
    sn_object_forget_arrays(&sn_fluid_object, &members->def);
    return true;
}

static void free_list(sn_fluid_members *members, sn_memory *memory) {
    sn_free(memory, members->node, members->capacity, sizeof *members->node);
    sn_free(memory, members->spare, members->spare_capacity, sizeof *members->spare);
    *members = (sn_fluid_members){0};
}

void sn_fluids_remove(sn_fluids *fluids, sn_memory *memory, uint32_t index) {
    free_list(&fluids->members[index], memory);
    sn_slots_give(&fluids->slots, index);
}

void sn_fluids_free(sn_fluids *fluids, sn_memory *memory) {
    for (size_t i = 0; i < fluids->slots.count && i < fluids->capacity; i++)
        free_list(&fluids->members[i], memory);
    sn_free(memory, fluids->members, fluids->capacity, sizeof *fluids->members);
    sn_slots_free(&fluids->slots, memory);
    sn_fluid_places_free(&fluids->places, memory);
    sn_free(memory, fluids->push, fluids->push_capacity, sizeof *fluids->push);
}

/* How many of a list are left without those. */
static size_t keep(sn_node *node, size_t count, const uint8_t *alive, uint8_t doomed) {
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (alive[node[k].slot - 1] != doomed) node[kept++] = node[k];
    return kept;
}

void sn_fluids_forget(sn_fluids *fluids, const uint8_t *alive, uint8_t doomed) {
    for (size_t i = 0; i < fluids->slots.count; i++) {
        sn_fluid_members *members = &fluids->members[i];
        members->count = keep(members->node, members->count, alive, doomed);
        members->spares = keep(members->spare, members->spares, alive, doomed);
    }
}
