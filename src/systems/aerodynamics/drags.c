#include "systems/aerodynamics/drags.h"

bool sn_drags_reserve(sn_drags *drags, sn_memory *memory) {
    size_t needed = sn_slots_needed(&drags->slots, 1);
    return sn_slots_reserve(&drags->slots, memory, needed) &&
           sn_reserve(memory, (void **)&drags->state, &drags->capacity, needed,
                      sizeof *drags->state);
}

bool sn_drag_state_reserve(sn_drag_state *s, sn_memory *memory, size_t nodes) {
    return sn_reserve(memory, (void **)&s->node, &s->capacity, nodes, sizeof *s->node);
}

static void free_state(sn_drag_state *s, sn_memory *memory) {
    sn_free(memory, s->node, s->capacity, sizeof *s->node);
    *s = (sn_drag_state){0};
}

void sn_drags_remove(sn_drags *drags, sn_memory *memory, uint32_t index) {
    free_state(&drags->state[index], memory);
    sn_slots_give(&drags->slots, index);
    drags->changes++;
}

void sn_drags_free(sn_drags *drags, sn_memory *memory) {
    /* Where memory ran out while they were read, there are slots without a state. */
    for (size_t i = 0; i < drags->slots.count && i < drags->capacity; i++)
        free_state(&drags->state[i], memory);
    sn_slots_free(&drags->slots, memory);
    sn_free(memory, drags->state, drags->capacity, sizeof *drags->state);
    sn_free(memory, drags->element, drags->element_capacity, sizeof *drags->element);
    sn_free(memory, drags->force, drags->force_capacity, sizeof *drags->force);
    sn_free(memory, drags->member, drags->member_capacity, sizeof *drags->member);
    sn_free(memory, drags->of, drags->of_capacity, sizeof *drags->of);
    *drags = (sn_drags){0};
}

/* ---- Elements that go ---- */

/* Which of them: those with a node that goes, or those between two nodes. */
typedef struct leaving {
    const uint8_t *alive;
    uint8_t doomed;
    uint32_t a, b;
} leaving;

static bool leaves(const leaving *l, const uint32_t *node, uint32_t corners) {
    uint32_t first = node[0], last = node[corners - 1];
    if (l->alive) return l->alive[first] == l->doomed || l->alive[last] == l->doomed;
    return corners == 2 && ((first == l->a && last == l->b) || (first == l->b && last == l->a));
}

static void sift(sn_drags *drags, sn_memory *memory, const leaving *l) {
    for (uint32_t i = 0; i < drags->slots.count; i++) {
        sn_drag_state *s = &drags->state[i];
        size_t kept = 0;
        if (!drags->slots.alive[i]) continue;
        for (size_t k = 0; k < s->count; k++) {
            const uint32_t *node = &s->node[s->corners * k];
            if (leaves(l, node, s->corners)) continue;
            for (uint32_t c = 0; c < s->corners; c++) s->node[s->corners * kept + c] = node[c];
            kept++;
        }
        drags->changes += kept != s->count;
        s->count = kept;
        if (kept == 0) sn_drags_remove(drags, memory, i);
    }
}

void sn_drags_forget(sn_drags *drags, sn_memory *memory, const uint8_t *alive, uint8_t doomed) {
    sift(drags, memory, &(leaving){.alive = alive, .doomed = doomed});
}

void sn_drags_part(sn_drags *drags, sn_memory *memory, uint32_t a, uint32_t b) {
    sift(drags, memory, &(leaving){.a = a, .b = b});
}
