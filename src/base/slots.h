/*
 * Slots with generations: what stands behind public ids.
 *
 * A slot is taken, given back and taken again with a higher generation, so that an old id is
 * recognised as stale. A slot whose generations are used up is never taken again.
 */
#ifndef SN_BASE_SLOTS_H
#define SN_BASE_SLOTS_H

#include "base/memory.h"

typedef struct sn_slots {
    uint16_t *generation; /* of the present or the last owner; 0 before the first */
    uint8_t *alive;
    uint32_t *spare; /* slots given back, last first */
    size_t count;    /* slots ever taken */
    size_t spares;
    size_t live;
    size_t capacity;
} sn_slots;

/* What an id looks like inside: every public id has these three members. */
typedef struct sn_id {
    uint32_t slot; /* index + 1 */
    uint16_t generation;
    uint16_t world;
} sn_id;

#define SN_ID(id) ((sn_id){(id).slot, (id).generation, (id).world})

/* How many slots there would be with `extra` more owners. */
size_t sn_slots_needed(const sn_slots *slots, size_t extra);

/* Makes room, so that sn_slots_take cannot fail; false when there is no memory. */
bool sn_slots_reserve(sn_slots *slots, sn_memory *memory, size_t capacity);
uint32_t sn_slots_take(sn_slots *slots);
void sn_slots_give(sn_slots *slots, uint32_t index);
/* The one that was taken last was never taken. */
void sn_slots_put_back(sn_slots *slots, uint32_t index);
void sn_slots_free(sn_slots *slots, sn_memory *memory);

/* Whether an id names a living object. */
bool sn_slots_has(const sn_slots *slots, sn_id id, uint16_t world);

/* Says what is wrong with an id; `what` is the kind of object, for the sentence. */
sn_result sn_slots_check(const sn_slots *slots, sn_id id, uint16_t world, const char *what);

#endif
