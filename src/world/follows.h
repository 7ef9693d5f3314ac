/* Followers: nodes with targets that the host moves, and how far they may go from them. */
#ifndef SN_WORLD_FOLLOWS_H
#define SN_WORLD_FOLLOWS_H

#include "base/slots.h"

#include <sinew/follow.h>

/* The vertex of a node: where its target is when the next step begins and when it ends. */
typedef struct sn_follow_aim {
    sn_vec3 from, to;               /* m */
    sn_vec3 normal_from, normal_to; /* unit length, or 0 */
    sn_real max_distance;           /* m, or SN_AUTO */
    sn_real back_stop_distance;     /* m, or SN_AUTO */
    sn_real back_stop_radius;       /* m */
} sn_follow_aim;

typedef struct sn_follow_state {
    uint32_t *node;     /* slots */
    sn_follow_aim *aim; /* of each node */
    size_t count;
    size_t node_room, aim_room; /* that was had */
    sn_real compliance;         /* m/N, or SN_AUTO */
    bool moving;                /* whether targets are on their way in the next step */
} sn_follow_state;

typedef struct sn_follows {
    sn_slots slots;
    sn_follow_state *state;
    size_t capacity;
} sn_follows;

/* Room for one more; and for the nodes of one. False when there is no memory. */
bool sn_follows_reserve(sn_follows *follows, sn_memory *memory);
bool sn_follow_state_reserve(sn_follow_state *state, sn_memory *memory, size_t count);
void sn_follow_state_free(sn_follow_state *state, sn_memory *memory);
void sn_follows_remove(sn_follows *follows, sn_memory *memory, uint32_t index);
void sn_follows_free(sn_follows *follows, sn_memory *memory);

/* The first place of a node that is there before; `count` where each is there once. `seen` is a
   zeroed byte for every slot of a node. */
size_t sn_follow_twice(const uint32_t *node, size_t count, uint8_t *seen);

/* Takes the nodes whose `alive` is this out of all followers. */
void sn_follows_forget(sn_follows *follows, sn_memory *memory, const uint8_t *alive,
                       uint8_t doomed);

#endif
