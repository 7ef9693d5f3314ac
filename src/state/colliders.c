#include "state/colliders.h"

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

void sn_collider_contacts_free(sn_collider_contacts *t, sn_memory *memory) {
    sn_free(memory, t->pose, t->pose_capacity, sizeof *t->pose);
    sn_free(memory, t->begin, t->begin_capacity, sizeof *t->begin);
    sn_free(memory, t->reach, t->reach_capacity, sizeof *t->reach);
    sn_free(memory, t->few, t->few_capacity, sizeof *t->few);
    sn_free(memory, t->touch, t->capacity, sizeof *t->touch);
    sn_free(memory, t->old_begin, t->old_begin_capacity, sizeof *t->old_begin);
    sn_free(memory, t->old_touch, t->old_capacity, sizeof *t->old_touch);
    sn_free(memory, t->boxes, t->box_capacity, sizeof *t->boxes);
    sn_free(memory, t->crowd, t->crowd_capacity, sizeof *t->crowd);
    sn_free(memory, t->everywhere, t->everywhere_capacity, sizeof *t->everywhere);
    sn_bvh_free(&t->tree, memory);
    *t = (sn_collider_contacts){0};
}
