/* Damping groups: lists of nodes that rigid_damping.c damps together. */
#ifndef SN_SYSTEMS_DAMPING_GROUP_DAMPING_GROUPS_H
#define SN_SYSTEMS_DAMPING_GROUP_DAMPING_GROUPS_H

#include "base/archive.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/damping_group.h>

typedef struct sn_damping_group_members {
    sn_node *node;
    size_t count, capacity;
    sn_damping_group_def def; /* without its list */
} sn_damping_group_members;

typedef struct sn_damping_groups {
    sn_slots slots;
    sn_damping_group_members *members;
    size_t capacity;
} sn_damping_groups;

/* Adds a group with a copy of the list and says where; false when there is no memory. */
bool sn_damping_groups_add(sn_damping_groups *damping_groups, sn_memory *memory,
                           const sn_damping_group_def *def, uint32_t *index);
void sn_damping_groups_remove(sn_damping_groups *damping_groups, sn_memory *memory, uint32_t index);
void sn_damping_groups_free(sn_damping_groups *damping_groups, sn_memory *memory);

/* Takes the nodes whose `alive` is this out of all groups. */
void sn_damping_groups_forget(sn_damping_groups *damping_groups, const uint8_t *alive,
                              uint8_t doomed);

static inline sn_damping_groups *sn_damping_groups_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_DAMPING_GROUP];
}

extern const sn_object sn_damping_group_object;

/* rigid_damping.c: the damping of the 2007 paper, which keeps rigid motion, of groups and of whole
   bodies. */
bool sn_rigid_damping_is_needed(const sn_world *world);
void sn_rigid_damping_apply(sn_step *step);

/* serialize_damping_groups.c: the part of a snapshot. */
void sn_world_serialize_damping_groups(sn_world *world, sn_archive *a);

#endif
