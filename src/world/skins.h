/*
 * Skins: the elements with which bodies meet, and who met in the last step.
 *
 * Elements are kept as slots of nodes. The step works on those of all skins together, in the order
 * of their nodes (src/contact/meet_elements.c).
 */
#ifndef SN_WORLD_SKINS_H
#define SN_WORLD_SKINS_H

#include "base/slots.h"

#include <sinew/skin.h>

typedef struct sn_skin_state {
    sn_skin_def def;    /* its arrays are null, its counts those of the lists here */
    uint32_t *node;     /* slots */
    uint32_t *triangle; /* three slots of nodes each */
    uint32_t *edge;     /* two slots each: edges of triangles, then segments */
    size_t inner;       /* edges that belong to triangles */
    size_t edges;       /* all of them */
    size_t room[3];     /* that was had for node, triangle and edge */
} sn_skin_state;

typedef struct sn_skins {
    sn_slots slots;
    sn_skin_state *state;
    size_t capacity;
    /* Of every node: its skin + 1 or 0, and where it was when that was made (m). */
    uint32_t *of_node;
    sn_vec4 *rest;
    size_t node_capacity;
    bool changed; /* elements came or went since the step last looked */
    /* Of the last step, which the next compares its own with. */
    sn_meeting *meeting;
    size_t meetings, meeting_capacity;
} sn_skins;

/* Room for one more skin with these numbers of elements, and for nodes up to `slots`; false when
   there is no memory. */
bool sn_skins_reserve(sn_skins *skins, sn_memory *memory, size_t slots);
bool sn_skin_state_reserve(sn_skin_state *state, sn_memory *memory, size_t nodes, size_t triangles,
                           size_t edges);
void sn_skin_state_free(sn_skin_state *state, sn_memory *memory);
void sn_skins_remove(sn_skins *skins, sn_memory *memory, uint32_t index);
void sn_skins_free(sn_skins *skins, sn_memory *memory);

/* Takes the nodes whose `alive` is this, and the elements that need them, out of all skins. */
void sn_skins_forget(sn_skins *skins, sn_memory *memory, const uint8_t *alive, uint8_t doomed);

#endif
