/* Clusters: lists of nodes that step/damping.c damps together. */
#ifndef SN_STATE_DAMPING_GROUPS_H
#define SN_STATE_DAMPING_GROUPS_H

#include "base/slots.h"

#include <sinew/damping_group.h>

typedef struct sn_damping_group_members {
    sn_node *node;
    size_t count, capacity;
    sn_real damping; /* 1/s */
} sn_damping_group_members;

typedef struct sn_damping_groups {
    sn_slots slots;
    sn_damping_group_members *members;
    size_t capacity;
} sn_damping_groups;

/* Adds a cluster with a copy of the list and says where; false when there is no memory. */
bool sn_damping_groups_add(sn_damping_groups *damping_groups, sn_memory *memory,
                           const sn_damping_group_def *def, uint32_t *index);
void sn_damping_groups_remove(sn_damping_groups *damping_groups, sn_memory *memory, uint32_t index);
void sn_damping_groups_free(sn_damping_groups *damping_groups, sn_memory *memory);

/* Takes the nodes whose `alive` is this out of all clusters. */
void sn_damping_groups_forget(sn_damping_groups *damping_groups, const uint8_t *alive,
                              uint8_t doomed);

#endif
