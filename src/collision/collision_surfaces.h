/*
 * Collision surfaces: the elements with which bodies collide.
 *
 * Elements are kept as slots of nodes. The step works on those of all collision surfaces together,
 * in the order of their nodes (src/contact/surface/surface_elements.c).
 */
#ifndef SN_COLLISION_COLLISION_SURFACES_H
#define SN_COLLISION_COLLISION_SURFACES_H

#include "base/slots.h"

#include <sinew/collision_surface.h>

typedef struct sn_collision_surface_state {
    sn_collision_surface_def def; /* its arrays are null, its counts those of the lists here */
    uint32_t *node;               /* slots */
    uint32_t *triangle;           /* three slots of nodes each */
    uint32_t *edge;               /* two slots each: edges of triangles, then segments */
    size_t inner;                 /* edges that belong to triangles */
    size_t edges;                 /* all of them */
    size_t room[3];               /* that was had for node, triangle and edge */
} sn_collision_surface_state;

/*
 * For what pairs of elements were found last. While nothing but motion has happened since, the next
 * step goes on with these pairs; snapshots have this instead of the pairs, which are found again
 * from it.
 */
typedef struct sn_reach {
    /* Of every node: where it was then (m), the velocity with which it was expected to go on (m/s),
       and by how much it may be elsewhere (m). */
    sn_vec4 *from, *speed;
    sn_real *slack;
    size_t capacity;
    sn_vec4 mean;   /* m/s, the motion that did not count */
    double found;   /* s of the present step that had passed then; below 0 in the steps after it */
    double horizon; /* s, for how long they hold */
    bool kept;      /* between steps: whether the next one may go on with them */
} sn_reach;

typedef struct sn_collision_surfaces {
    sn_slots slots;
    sn_collision_surface_state *state;
    size_t capacity;
    /* Of every node: its collision surface + 1 or 0, which follows from their lists, and where it
       was when that was made (m). */
    uint32_t *of_node;
    sn_vec4 *rest;
    size_t node_capacity;
    bool changed; /* scratch: elements came or went since the step last looked */
    sn_reach reach;
} sn_collision_surfaces;

/* Whether one of them has a property. */
bool sn_collision_surfaces_any(const sn_collision_surfaces *surfaces,
                               bool (*has)(const sn_collision_surface_def *def));

/* Room for one more collision surface with these numbers of elements, and for nodes up to `slots`;
   false when there is no memory. */
bool sn_collision_surface_reserve(sn_collision_surfaces *surfaces, sn_memory *memory, size_t slots);
bool sn_collision_surface_state_reserve(sn_collision_surface_state *state, sn_memory *memory,
                                        size_t nodes, size_t triangles, size_t edges);
void sn_collision_surface_state_free(sn_collision_surface_state *state, sn_memory *memory);
bool sn_reach_reserve(sn_reach *reach, sn_memory *memory, size_t nodes);
/* Elements, or what they are to each other, have changed. */
void sn_collision_surface_change(sn_collision_surfaces *surfaces);
void sn_collision_surface_remove(sn_collision_surfaces *surfaces, sn_memory *memory,
                                 uint32_t index);
void sn_collision_surface_free(sn_collision_surfaces *surfaces, sn_memory *memory);

/* Takes the nodes whose `alive` is this, and the elements that need them, out of all collision
   surfaces. */
void sn_collision_surface_forget(sn_collision_surfaces *surfaces, sn_memory *memory,
                                 const uint8_t *alive, uint8_t doomed);

/* Takes the segment between two nodes, which stay, out of their collision surface. */
void sn_collision_surface_part(sn_collision_surfaces *surfaces, uint32_t a, uint32_t b);

#endif
