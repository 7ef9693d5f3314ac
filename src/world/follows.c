#include "world/follows.h"

bool sn_follows_reserve(sn_follows *follows, sn_memory *memory) {
    size_t needed = sn_slots_needed(&follows->slots, 1);
    return sn_slots_reserve(&follows->slots, memory, needed) &&
           sn_reserve(memory, (void **)&follows->state, &follows->capacity, needed,
                      sizeof *follows->state);
}

bool sn_follow_state_reserve(sn_follow_state *s, sn_memory *memory, size_t count) {
    return sn_reserve(memory, (void **)&s->node, &s->node_room, count, sizeof *s->node) &&
           sn_reserve(memory, (void **)&s->aim, &s->aim_room, count, sizeof *s->aim);
}

void sn_follow_state_free(sn_follow_state *s, sn_memory *memory) {
    sn_free(memory, s->node, s->node_room, sizeof *s->node);
    sn_free(memory, s->aim, s->aim_room, sizeof *s->aim);
    *s = (sn_follow_state){0};
}

void sn_follows_remove(sn_follows *follows, sn_memory *memory, uint32_t index) {
    sn_follow_state_free(&follows->state[index], memory);
    sn_slots_give(&follows->slots, index);
}

void sn_follows_free(sn_follows *follows, sn_memory *memory) {
    /* Where memory ran out while they were read, there are slots without a state. */
    for (size_t i = 0; i < follows->slots.count && i < follows->capacity; i++)
        sn_follow_state_free(&follows->state[i], memory);
    sn_slots_free(&follows->slots, memory);
    sn_free(memory, follows->state, follows->capacity, sizeof *follows->state);
    *follows = (sn_follows){0};
}

size_t sn_follow_twice(const uint32_t *node, size_t count, uint8_t *seen) {
    for (size_t i = 0; i < count; i++)
        if (seen[node[i]]++) return i;
    return count;
}

void sn_follows_forget(sn_follows *follows, sn_memory *memory, const uint8_t *alive,
                       uint8_t doomed) {
    for (uint32_t i = 0; i < follows->slots.count; i++) {
        sn_follow_state *s = &follows->state[i];
        size_t kept = 0;
        if (!follows->slots.alive[i]) continue;
        for (size_t k = 0; k < s->count; k++) {
            if (alive[s->node[k]] == doomed) continue;
            s->node[kept] = s->node[k];
            s->aim[kept++] = s->aim[k];
        }
        s->count = kept;
        if (kept == 0) sn_follows_remove(follows, memory, i);
    }
}
