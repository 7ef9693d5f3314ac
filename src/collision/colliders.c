#include "collision/colliders.h"

bool sn_colliders_reserve(sn_colliders *colliders, sn_memory *memory, size_t extra) {
    size_t needed = sn_slots_needed(&colliders->slots, extra);
    return sn_slots_reserve(&colliders->slots, memory, needed) &&
           sn_reserve(memory, (void **)&colliders->state, &colliders->capacity, needed,
                      sizeof *colliders->state);
}

void sn_colliders_free(sn_colliders *colliders, sn_memory *memory) {
    for (size_t i = 0; i < colliders->slots.count && colliders->state; i++)
        sn_collider_geometry_free(memory, colliders->state[i].def.form);
    sn_slots_free(&colliders->slots, memory);
    sn_free(memory, colliders->state, colliders->capacity, sizeof *colliders->state);
    *colliders = (sn_colliders){0};
}
