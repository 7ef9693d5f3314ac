#include "systems/animation_target/animation_targets.h"

bool sn_animation_targets_reserve(sn_animation_targets *animation_targets, sn_memory *memory) {
    size_t needed = sn_slots_needed(&animation_targets->slots, 1);
    return sn_slots_reserve(&animation_targets->slots, memory, needed) &&
           sn_reserve(memory, (void **)&animation_targets->state, &animation_targets->capacity,
                      needed, sizeof *animation_targets->state);
}

bool sn_animation_target_state_reserve(sn_animation_target_state *s, sn_memory *memory,
                                       size_t count) {
    return sn_reserve(memory, (void **)&s->node, &s->node_room, count, sizeof *s->node) &&
           sn_reserve(memory, (void **)&s->aim, &s->aim_room, count, sizeof *s->aim);
}

void sn_animation_target_state_free(sn_animation_target_state *s, sn_memory *memory) {
    sn_free(memory, s->node, s->node_room, sizeof *s->node);
    sn_free(memory, s->aim, s->aim_room, sizeof *s->aim);
    *s = (sn_animation_target_state){0};
}

void sn_animation_targets_remove(sn_animation_targets *animation_targets, sn_memory *memory,
                                 uint32_t index) {
    sn_animation_target_state_free(&animation_targets->state[index], memory);
    sn_slots_give(&animation_targets->slots, index);
}

void sn_animation_targets_free(sn_animation_targets *animation_targets, sn_memory *memory) {
    /* Where memory ran out while they were read, there are slots without a state. */
    for (size_t i = 0; i < animation_targets->slots.count && i < animation_targets->capacity; i++)
        sn_animation_target_state_free(&animation_targets->state[i], memory);
    sn_slots_free(&animation_targets->slots, memory);
    sn_free(memory, animation_targets->state, animation_targets->capacity,
            sizeof *animation_targets->state);
    *animation_targets = (sn_animation_targets){0};
}

size_t sn_animation_target_twice(const uint32_t *node, size_t count, uint8_t *seen) {
    for (size_t i = 0; i < count; i++)
        if (seen[node[i]]++) return i;
    return count;
}

void sn_animation_targets_forget(sn_animation_targets *animation_targets, sn_memory *memory,
                                 const uint8_t *alive, uint8_t doomed) {
    for (uint32_t i = 0; i < animation_targets->slots.count; i++) {
        sn_animation_target_state *s = &animation_targets->state[i];
        size_t kept = 0;
        if (!animation_targets->slots.alive[i]) continue;
        for (size_t k = 0; k < s->count; k++) {
            if (alive[s->node[k]] == doomed) continue;
            s->node[kept] = s->node[k];
            s->aim[kept++] = s->aim[k];
        }
        s->count = kept;
        if (kept == 0) sn_animation_targets_remove(animation_targets, memory, i);
    }
}
