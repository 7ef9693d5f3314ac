#include "systems/damping_group/damping_groups.h"

#include <string.h>

bool sn_damping_groups_add(sn_damping_groups *damping_groups, sn_memory *memory,
                           const sn_damping_group_def *def, uint32_t *index) {
    size_t needed = sn_slots_needed(&damping_groups->slots, 1), capacity = def->node_count;
    if (!sn_slots_reserve(&damping_groups->slots, memory, needed) ||
        !sn_reserve(memory, (void **)&damping_groups->members, &damping_groups->capacity, needed,
                    sizeof *damping_groups->members))
        return false;
    sn_node *node = sn_allocate(memory, capacity, sizeof *node);
    if (!node) return false;
    memcpy(node, def->nodes, capacity * sizeof *node);
    *index = sn_slots_take(&damping_groups->slots);
    sn_damping_group_members *members = &damping_groups->members[*index];
    *members = (sn_damping_group_members){node, capacity, capacity, *def};
    sn_object_forget_arrays(&sn_damping_group_object, &members->def);
    return true;
}

static void free_list(sn_damping_group_members *members, sn_memory *memory) {
    sn_free(memory, members->node, members->capacity, sizeof *members->node);
    *members = (sn_damping_group_members){0};
}

void sn_damping_groups_remove(sn_damping_groups *damping_groups, sn_memory *memory,
                              uint32_t index) {
    free_list(&damping_groups->members[index], memory);
    sn_slots_give(&damping_groups->slots, index);
}

void sn_damping_groups_free(sn_damping_groups *damping_groups, sn_memory *memory) {
    for (size_t i = 0; i < damping_groups->slots.count && i < damping_groups->capacity; i++)
        free_list(&damping_groups->members[i], memory);
    sn_free(memory, damping_groups->members, damping_groups->capacity,
            sizeof *damping_groups->members);
    sn_slots_free(&damping_groups->slots, memory);
}

void sn_damping_groups_forget(sn_damping_groups *damping_groups, const uint8_t *alive,
                              uint8_t doomed) {
    for (size_t i = 0; i < damping_groups->slots.count; i++) {
        sn_damping_group_members *members = &damping_groups->members[i];
        size_t kept = 0;
        for (size_t k = 0; k < members->count; k++)
            if (alive[members->node[k].slot - 1] != doomed)
                members->node[kept++] = members->node[k];
        members->count = kept;
    }
}
