/*
 * An allocator that knows every block it gave out: it counts, checks sizes, fills new memory with a
 * pattern, and fails when it is told to.
 */
#ifndef SINEW_TESTS_BASE_METER_H
#define SINEW_TESTS_BASE_METER_H

#include <sinew/sinew.h>

#define METER_BLOCKS 4096
#define METER_NEVER SIZE_MAX

typedef struct meter_block {
    void *at;
    size_t size;
} meter_block;

typedef struct meter {
    meter_block block[METER_BLOCKS];
    size_t blocks; /* alive */
    size_t bytes;  /* alive */
    size_t calls;
    size_t mistakes;   /* calls that break the contract of sn_allocator */
    size_t fail_after; /* how many more blocks it gives out; METER_NEVER: any number */
    bool once;         /* whether it refuses a single block then, and gives out the next again */
    size_t failures;
} meter;

void meter_init(meter *m);
sn_allocator meter_allocator(meter *m);

/* Refuses every block that the next step of a world asks for, in its turn and each time in another
   world: the step says so and changes nothing, so that the next one is the step that it is with
   memory, or it is that step. Returns how many blocks there were. */
size_t meter_refuse_all(const sn_world *from, sn_real dt);

#endif
