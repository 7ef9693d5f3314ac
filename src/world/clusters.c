#include "world/clusters.h"

#include <string.h>

bool sn_clusters_add(sn_clusters *clusters, sn_memory *memory, const sn_cluster_def *def,
                     uint32_t *index) {
    size_t needed = sn_slots_needed(&clusters->slots, 1), capacity = def->node_count;
    if (!sn_slots_reserve(&clusters->slots, memory, needed) ||
        !sn_reserve(memory, (void **)&clusters->members, &clusters->capacity, needed,
                    sizeof *clusters->members))
        return false;
    sn_node *node = sn_allocate(memory, capacity, sizeof *node);
    if (!node) return false;
    memcpy(node, def->nodes, capacity * sizeof *node);
    *index = sn_slots_take(&clusters->slots);
    clusters->members[*index] = (sn_cluster_members){node, capacity, capacity, def->damping};
    return true;
}

static void free_list(sn_cluster_members *members, sn_memory *memory) {
    sn_free(memory, members->node, members->capacity, sizeof *members->node);
    *members = (sn_cluster_members){0};
}

void sn_clusters_remove(sn_clusters *clusters, sn_memory *memory, uint32_t index) {
    free_list(&clusters->members[index], memory);
    sn_slots_give(&clusters->slots, index);
}

void sn_clusters_free(sn_clusters *clusters, sn_memory *memory) {
    for (size_t i = 0; i < clusters->slots.count && i < clusters->capacity; i++)
        free_list(&clusters->members[i], memory);
    sn_free(memory, clusters->members, clusters->capacity, sizeof *clusters->members);
    sn_slots_free(&clusters->slots, memory);
}

void sn_clusters_forget(sn_clusters *clusters, const uint8_t *alive, uint8_t doomed) {
    for (size_t i = 0; i < clusters->slots.count; i++) {
        sn_cluster_members *members = &clusters->members[i];
        size_t kept = 0;
        for (size_t k = 0; k < members->count; k++)
            if (alive[members->node[k].slot - 1] != doomed)
                members->node[kept++] = members->node[k];
        members->count = kept;
    }
}
