/* Crowds: lists of agents with their goals, and who is near whom in a step. */
#ifndef SN_SYSTEMS_CROWD_CROWDS_H
#define SN_SYSTEMS_CROWD_CROWDS_H

#include "base/archive.h"
#include "collision/broad_phase/broad_phase.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/crowd.h>

typedef struct sn_crowd_state {
    sn_crowd_def def; /* its lists are null, its counts not used */
    sn_node *node;
    sn_vec3 *goal; /* m */
    size_t nodes, room;
} sn_crowd_state;

/* An agent in a step. */
typedef struct sn_agent {
    uint32_t node;
    uint32_t crowd;
    uint32_t number; /* in the list of its crowd */
    int axis;        /* across its plane */
} sn_agent;

/* The agents of all crowds, in the order of crowds and lists, and the neighbours of each: others
   that may come within reach in this step, in that order as well. */
typedef struct sn_agents {
    sn_agent *agent;
    sn_vec4 *low, *high; /* m, boxes for the search */
    sn_vec4 *by;         /* m, what an agent is moved by */
    size_t *first;       /* of the neighbours; one more says where they end */
    uint32_t *near;
    size_t count, room, near_room;
    sn_broad broad;
} sn_agents;

typedef struct sn_crowds {
    sn_slots slots;
    sn_crowd_state *state;
    size_t capacity;
    sn_agents agents; /* scratch */
} sn_crowds;

static inline sn_crowds *sn_crowds_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_CROWD];
}

extern const sn_object sn_crowd_object;

/* Room for one more crowd, and for the lists of one; false when there is no memory. */
bool sn_crowds_reserve(sn_crowds *all, sn_memory *memory);
bool sn_crowd_state_reserve(sn_crowd_state *c, sn_memory *memory, size_t nodes);
void sn_crowd_state_free(sn_crowd_state *c, sn_memory *memory);
void sn_crowds_remove(sn_crowds *all, sn_memory *memory, uint32_t index);

/* crowd_neighbours.c: who may meet in this step. */
bool sn_crowds_find(sn_step *step);
void sn_agents_free(sn_agents *agents, sn_memory *memory);

/* walk_crowds.c: goals, going aside from afar, and sides of planes. */
void sn_crowds_steer(sn_step *step);
void sn_crowds_avoid(sn_step *step);
void sn_crowds_separate(sn_step *step);

/* serialize_crowds.c: the part of a snapshot. */
void sn_world_serialize_crowds(sn_world *world, sn_archive *a);

#endif
