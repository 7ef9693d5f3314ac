/* Animation targets: nodes with targets that the host moves, and how far they may go from them. */
#ifndef SN_SYSTEMS_ANIMATION_TARGET_ANIMATION_TARGETS_H
#define SN_SYSTEMS_ANIMATION_TARGET_ANIMATION_TARGETS_H

#include "base/archive.h"
#include "state/object.h"
#include "state/step_context.h"
#include "state/world.h"

#include <sinew/animation_target.h>

/* The vertex of a node: where its target is when the next step begins and when it ends. */
typedef struct sn_animation_target_aim {
    sn_vec3 from, to;               /* m */
    sn_vec3 normal_from, normal_to; /* unit length, or 0 */
    sn_real max_distance;           /* m, or SN_AUTO */
    sn_real back_stop_distance;     /* m, or SN_AUTO */
    sn_real back_stop_radius;       /* m */
} sn_animation_target_aim;

typedef struct sn_animation_target_state {
    uint32_t *node;               /* slots */
    sn_animation_target_aim *aim; /* of each node */
    size_t count;
    size_t node_room, aim_room;  /* that was had */
    sn_animation_target_def def; /* without its arrays */
    bool moving;                 /* whether targets are on their way in the next step */
} sn_animation_target_state;

typedef struct sn_animation_targets {
    sn_slots slots;
    sn_animation_target_state *state;
    size_t capacity;
} sn_animation_targets;

/* Room for one more; and for the nodes of one. False when there is no memory. */
bool sn_animation_targets_reserve(sn_animation_targets *animation_targets, sn_memory *memory);
bool sn_animation_target_state_reserve(sn_animation_target_state *state, sn_memory *memory,
                                       size_t count);
void sn_animation_target_state_free(sn_animation_target_state *state, sn_memory *memory);
void sn_animation_targets_remove(sn_animation_targets *animation_targets, sn_memory *memory,
                                 uint32_t index);
void sn_animation_targets_free(sn_animation_targets *animation_targets, sn_memory *memory);

/* The first place of a node that is there before; `count` where each is there once. `seen` is a
   zeroed byte for every slot of a node. */
size_t sn_animation_target_twice(const uint32_t *node, size_t count, uint8_t *seen);

/* Takes the nodes whose `alive` is this out of all animation targets. */
void sn_animation_targets_forget(sn_animation_targets *animation_targets, sn_memory *memory,
                                 const uint8_t *alive, uint8_t doomed);

static inline sn_animation_targets *sn_animation_targets_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_ANIMATION_TARGET];
}

extern const sn_object sn_animation_target_object, sn_animation_target_vertex_object;

/* serialize_animation_targets.c: the part of a snapshot, which worlds without any have not. */
void sn_world_serialize_animation_targets(sn_world *world, sn_archive *a);

/* follow_targets.c: nodes stay near their targets; after the step these stand where they were
   sent. */
void sn_animation_targets_apply(sn_step *step);
void sn_animation_targets_end(sn_step *step);

#endif
