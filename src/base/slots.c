#include "base/slots.h"

#include "base/error.h"

#define COLUMNS(slots)                                                                             \
    {                                                                                              \
        {(void **)&(slots)->generation, sizeof *(slots)->generation},                              \
            {(void **)&(slots)->alive, sizeof *(slots)->alive},                                    \
            {(void **)&(slots)->spare, sizeof *(slots)->spare},                                    \
    }
enum { COLUMN_COUNT = 3 };

size_t sn_slots_needed(const sn_slots *slots, size_t extra) {
    return slots->count + (extra > slots->spares ? extra - slots->spares : 0);
}

bool sn_slots_reserve(sn_slots *slots, sn_memory *memory, size_t capacity) {
    if (capacity <= slots->capacity) return true;
    sn_column columns[] = COLUMNS(slots);
    size_t grown = sn_columns_grow(memory, columns, COLUMN_COUNT, 0, slots->capacity, capacity);
    if (grown > 0) slots->capacity = grown;
    return grown > 0;
}

uint32_t sn_slots_take(sn_slots *slots) {
    uint32_t index = slots->spares > 0 ? slots->spare[--slots->spares] : (uint32_t)slots->count++;
    slots->generation[index]++;
    slots->alive[index] = 1;
    slots->live++;
    return index;
}

void sn_slots_give(sn_slots *slots, uint32_t index) {
    slots->alive[index] = 0;
    slots->live--;
    if (slots->generation[index] < UINT16_MAX) slots->spare[slots->spares++] = index;
}

void sn_slots_put_back(sn_slots *slots, uint32_t index) {
    slots->alive[index] = 0;
    slots->live--;
    if (--slots->generation[index] == 0)
        slots->count--;
    else
        slots->spare[slots->spares++] = index;
}

void sn_slots_free(sn_slots *slots, sn_memory *memory) {
    sn_column columns[] = COLUMNS(slots);
    sn_columns_free(memory, columns, COLUMN_COUNT, 0, slots->capacity);
    *slots = (sn_slots){0};
}

bool sn_slots_has(const sn_slots *slots, sn_id id, uint16_t world) {
    return id.slot > 0 && id.world == world && id.slot <= slots->count &&
           slots->alive[id.slot - 1] && slots->generation[id.slot - 1] == id.generation;
}

sn_result sn_slots_check(const sn_slots *slots, sn_id id, uint16_t world, const char *what) {
    if (id.slot == 0) return sn_fail(SN_ERROR_ID, "%s: the id is null", what);
    if (id.world != world)
        return sn_fail(SN_ERROR_FOREIGN, "%s %u: the id belongs to another world", what,
                       id.slot - 1);
    if (id.slot > slots->count || id.generation == 0 ||
        id.generation > slots->generation[id.slot - 1])
        return sn_fail(SN_ERROR_ID, "%s %u: the id was never given out, this world has %zu slots",
                       what, id.slot - 1, slots->count);
    if (id.generation != slots->generation[id.slot - 1] || !slots->alive[id.slot - 1])
        return sn_fail(SN_ERROR_STALE, "%s %u: the id is stale, its object was destroyed", what,
                       id.slot - 1);
    return SN_OK;
}
