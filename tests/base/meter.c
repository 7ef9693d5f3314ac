#include "meter.h"

#include "check.h"
#include "snapshot.h"

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

/* ---- Steps in need ---- */

static sn_world *load(meter *m, const void *bytes, size_t size) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    meter_init(m);
    def.allocator = meter_allocator(m);
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(sn_snapshot_load(world, bytes, size));
    return world;
}

size_t meter_refuse_all(const sn_world *from, sn_real dt) {
    static meter m;
    size_t size = 0, block = 0;
    void *bytes = snapshot_of(from, &size);
    sn_world *world = load(&m, bytes, size);
    REQUIRE_OK(sn_world_step(world, dt));
    uint64_t expected = sn_world_hash(world);
    sn_world_destroy(world);
    for (bool refused = true; refused && block < METER_BLOCKS; block++) {
        world = load(&m, bytes, size);
        uint64_t before = sn_world_hash(world);
        m.once = true;
        m.fail_after = block;
        sn_result result = sn_world_step(world, dt);
        refused = m.failures > 0;
        m.fail_after = METER_NEVER;
        check_case("block %zu", block);
        if (result != SN_OK) {
            CHECK(refused && result == SN_ERROR_MEMORY && sn_world_hash(world) == before);
            REQUIRE_OK(sn_world_step(world, dt));
        }
        CHECK(sn_world_hash(world) == expected);
        sn_world_destroy(world);
        CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
    }
    free(bytes);
    return block - 1;
}
