/*
 * Hairs: strands as one list of nodes, and what is made of it for a step.
 *
 * Lists are what snapshots keep, with the rotation that the hairstyle has had last, from which the
 * next one is found. Scratch is had in the plan of a step (hairs_plan.c).
 */
#ifndef SN_SYSTEMS_HAIR_HAIRS_H
#define SN_SYSTEMS_HAIR_HAIRS_H

#include "base/archive.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/hair.h>

/* What a step needs of one node; made anew where something has changed. */
typedef struct sn_hair_link {
    sn_vec4 rest; /* m, from the node before it at rest, as long as its length, which is w */
    sn_vec4 push; /* m, by which following has moved it in the substep */
} sn_hair_link;

/* A node in the grid, in the order of cells. */
typedef struct sn_hair_point {
    sn_vec4 at; /* 1, in cells from the first corner; w: m of strand that it stands for */
    sn_vec4 v;  /* m/s */
} sn_hair_point;

/* A strand in the order of levels of detail. */
typedef struct sn_hair_rank {
    uint32_t place;  /* in the order */
    uint32_t leader; /* the strand before it there whose root is nearest */
    uint32_t with;   /* the strand that it goes with; its own number: it moves by itself */
} sn_hair_rank;

typedef struct sn_hair_state {
    sn_hair_def def; /* its lists are null, its counts not used */
    sn_node *node;
    sn_real *length; /* m */
    sn_vec3 *rest;   /* m */
    size_t nodes, room;
    double rotation[4]; /* from rest to now */

    /* Scratch. */
    sn_hair_link *link;
    uint32_t *strand; /* where strands begin, and where the last one ends */
    size_t strands;
    size_t link_room;
    sn_hair_point *point;
    uint32_t *cell;     /* of each node */
    uint32_t *start;    /* where the points of a cell begin */
    sn_vec4 *at;        /* m/s, the mean velocity at a corner of cells; w: m of strand there */
    size_t cells;       /* room for so many corners */
    size_t points;      /* so many nodes are in it */
    sn_hair_rank *rank; /* of strands, and of nodes whether they go with others; null: none do */
    uint8_t *goes;
    size_t active; /* strands that move by themselves; 0: not known */
    bool changed;  /* links are not those of the lists */
} sn_hair_state;

typedef struct sn_hairs {
    sn_slots slots;
    sn_hair_state *state;
    size_t capacity;
} sn_hairs;

static inline sn_hairs *sn_hairs_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_HAIR];
}

extern const sn_object sn_hair_object;

/* Room for one more hair, and for the lists of one; false when there is no memory. */
bool sn_hairs_reserve(sn_hairs *all, sn_memory *memory);
bool sn_hair_state_reserve(sn_hair_state *h, sn_memory *memory, size_t nodes);
void sn_hair_state_free(sn_hair_state *h, sn_memory *memory);
void sn_hair_state_drop(sn_hair_state *h, sn_memory *memory);
void sn_hairs_remove(sn_hairs *all, sn_memory *memory, uint32_t index);

/* Whether a hair is there and awake. Hairs join their bodies, so one node speaks for all. */
bool sn_hair_is_active(const sn_world *world, size_t i);

/* hairs_plan.c: links and strands, and room for the grid. */
bool sn_hairs_prepare(sn_step *step);

/* follow_leader.c: lengths, the hairstyle, and the reaction of what followed. */
bool sn_hairs_are_led(const sn_world *world);
void sn_hairs_follow(sn_step *step);
void sn_hairs_react(sn_step *step);

/* hair_levels.c: strands that go with others. */
static inline bool sn_hair_is_coarse(const sn_hair_state *h) {
    return h->def.level < 1 && h->strands > 1;
}
static inline bool sn_hair_goes(const sn_hair_state *h, size_t k) {
    return sn_hair_is_coarse(h) && h->goes[k];
}
bool sn_hair_levels_prepare(sn_hair_state *h, sn_memory *memory);
/* Of node k of a strand that goes with another, the node there. */
size_t sn_hair_beside(const sn_hair_state *h, uint32_t strand, size_t k);
void sn_hair_levels_go(sn_step *step, sn_hair_state *h);

/* hair_grid.c: friction and repulsion. */
bool sn_hairs_interact(const sn_world *world);
void sn_hairs_mix(sn_step *step);

/* serialize_hairs.c: the part of a snapshot. */
void sn_world_serialize_hairs(sn_world *world, sn_archive *a);

#endif
