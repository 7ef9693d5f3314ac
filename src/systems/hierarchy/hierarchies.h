/*
 * Hierarchies: the mesh that levels are made from, and the levels of the present step.
 *
 * The mesh is what snapshots keep. Levels follow from it, from the masses and from who is
 * kinematic; they are made anew in the plan of a step when one of these has changed
 * (hierarchy_levels.c). Every level has its nodes in arrays of its own, so that the loops of
 * distances work on it as on the world.
 */
#ifndef SN_SYSTEMS_HIERARCHY_HIERARCHIES_H
#define SN_SYSTEMS_HIERARCHY_HIERARCHIES_H

#include "base/archive.h"
#include "geometry/topology/coarsen.h"
#include "state/object.h"
#include "state/split.h"
#include "state/step_context.h"
#include "state/store.h"
#include "state/world.h"

#include <sinew/hierarchy.h>

typedef struct sn_level {
    size_t count;
    uint32_t *node;      /* slots in the world */
    sn_parents *parents; /* in this level, of the nodes of the next finer one */
    size_t finer;        /* how many these are */
    sn_vec4 *x, *d;      /* as in sn_nodes; of levels that are solved */
    sn_vec4 *u;          /* m, by how much d differs from that of the world */
    size_t room;         /* of these, beside SN_NODE_FRONT before index 0 */
    bool solved;         /* whether it has distances */
    sn_store store;      /* the distances */
} sn_level;

typedef struct sn_hierarchy_state {
    sn_hierarchy_def def; /* its lists are null, its counts not used */
    sn_node *node;        /* in the order of slots */
    size_t nodes, node_room;
    sn_graph graph; /* of the numbers of nodes here */
    sn_vec3 *rest;  /* m, where the nodes are at rest; null where nobody knows */
    size_t rest_room;
    sn_real *w; /* 1/kg, that the levels were made with */
    size_t w_room;
    sn_level *level; /* from the finest to the coarsest */
    size_t levels, level_room;
    bool changed; /* the levels are not those of the mesh */
} sn_hierarchy_state;

typedef struct sn_hierarchies {
    sn_slots slots;
    sn_hierarchy_state *state;
    size_t capacity;
    bool changed; /* some levels are not up to date, and none are to be used */
} sn_hierarchies;

/* Room for one more; false when there is no memory. */
bool sn_hierarchies_reserve(sn_hierarchies *all, sn_memory *memory);
void sn_hierarchy_state_free(sn_hierarchy_state *h, sn_memory *memory);
void sn_hierarchies_remove(sn_hierarchies *all, sn_memory *memory, uint32_t index);
void sn_hierarchies_free(sn_hierarchies *all, sn_memory *memory);

/* The number of a node in a hierarchy; SIZE_MAX where it is not in it. */
size_t sn_hierarchy_find(const sn_hierarchy_state *h, uint32_t slot);

/* The first edge of a graph that does not come before this one, and whether it is this one. */
size_t sn_graph_find_edge(const sn_graph *graph, uint32_t a, uint32_t b);
bool sn_graph_has_edge(const sn_graph *graph, size_t at, uint32_t a, uint32_t b);

/* Takes the nodes whose `alive` is this out of all hierarchies, and what needs them. */
void sn_hierarchies_forget(sn_hierarchies *all, sn_memory *memory, const uint8_t *alive,
                           uint8_t doomed);
/* Takes the edges between two nodes (indices) out of all hierarchies. */
void sn_hierarchies_cut(sn_hierarchies *all, uint32_t a, uint32_t b);

/* hierarchy_levels.c: makes levels anew where they are not up to date; false when there is no
   memory. */
bool sn_hierarchies_plan(sn_hierarchies *all, sn_memory *memory, const sn_real *w,
                         bool masses_changed, const sn_constraint_type *distance);
void sn_levels_free(sn_hierarchy_state *h, sn_memory *memory);

static inline sn_hierarchies *sn_hierarchies_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_HIERARCHY];
}

extern const sn_object sn_hierarchy_object;

/* serialize_hierarchies.c: the part of a snapshot. */
void sn_world_serialize_hierarchies(sn_world *world, sn_archive *a);

/* split_hierarchies.c: what the system is told of cuts. */
bool sn_hierarchies_reserve_split(sn_world *world, const sn_split *split);
void sn_hierarchies_split(sn_world *world, const sn_split *split);
bool sn_hierarchies_divide(sn_world *world, const sn_division *division);
void sn_hierarchies_move_rest(sn_world *world, const sn_rest_move *move);

/* project_hierarchy.c: makes levels that are not up to date, false when there is no memory; and
   solves them, before the sweep of an iteration. */
bool sn_hierarchies_prepare(sn_step *step);
void sn_hierarchies_project(sn_step *step);

#endif
