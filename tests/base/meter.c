#include "meter.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

void meter_init(meter *m) {
    memset(m, 0, sizeof *m);
    m->fail_after = METER_NEVER;
}

static meter_block *find(meter *m, const void *at) {
    for (size_t i = 0; i < m->blocks; i++) {
        if (m->block[i].at == at) {
            return &m->block[i];
        }
    }
    return NULL;
}

static void *give(meter *m, size_t size) {
    if (m->fail_after == 0 || m->blocks == METER_BLOCKS) {
        m->failures++;
        if (m->once) m->fail_after = METER_NEVER;
        return NULL;
    }
    if (m->fail_after != METER_NEVER) {
        m->fail_after--;
    }
    /* aligned_alloc takes multiples of the alignment only. */
    void *at = aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (at) {
        memset(at, 0xa5, size);
        m->block[m->blocks++] = (meter_block){at, size};
        m->bytes += size;
    }
    return at;
}

static void take(meter *m, meter_block *block) {
    memset(block->at, 0x5a, block->size);
    free(block->at);
    m->bytes -= block->size;
    *block = m->block[--m->blocks];
}

static void *reallocate(void *user, void *pointer, size_t old_size, size_t new_size) {
    meter *m = user;
    m->calls++;
    meter_block *old = pointer ? find(m, pointer) : NULL;
    bool known = pointer ? old && old->size == old_size : old_size == 0;
    if (!known || (!pointer && new_size == 0)) {
        m->mistakes++;
        return NULL;
    }
    void *at = NULL;
    if (new_size > 0) {
        at = give(m, new_size);
        if (!at) {
            return NULL;
        }
    }
    if (pointer) {
        if (at) {
            memcpy(at, pointer, old_size < new_size ? old_size : new_size);
        }
        take(m, find(m, pointer));
    }
    return at;
}

sn_allocator meter_allocator(meter *m) {
    return (sn_allocator){reallocate, m};
}
