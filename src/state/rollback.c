#include "state/rollback.h"

#include "base/archive.h"
#include "base/error.h"
#include "state/serialize.h"
#include "state/system.h"

static sn_result write(sn_world *world, void *buffer, size_t capacity, size_t *size) {
    sn_archive a;
    sn_archive_write(&a, "world", SN_SNAPSHOT, buffer, capacity);
    sn_world_serialize(world, &a);
    sn_result result = sn_archive_finish(&a);
    *size = a.size;
    return result;
}

static sn_result read(sn_world *fresh, const sn_world *like, const void *data, size_t size) {
    sn_archive a;
    SN_TRY(sn_world_begin_contents(fresh, like));
    sn_archive_read(&a, "world", SN_SNAPSHOT, data, size);
    sn_world_serialize(fresh, &a);
    return sn_archive_finish(&a);
}

sn_result sn_rollback_save(sn_world *world, sn_world *before) {
    size_t size, written;
    SN_TRY(write(world, NULL, 0, &size));
    void *buffer = sn_allocate(&world->memory, size, 1);
    if (!buffer) return SN_ERROR_MEMORY;
    sn_result result = write(world, buffer, size, &written);
    if (result == SN_OK) {
        result = read(before, world, buffer, size);
        if (result != SN_OK) sn_world_free_contents(before);
        world->memory = before->memory;
    }
    sn_free(&world->memory, buffer, size, 1);
    return result;
}

void sn_rollback_discard(sn_world *world, sn_world *before) {
    before->memory = world->memory;
    sn_world_free_contents(before);
    world->memory = before->memory;
}

void sn_rollback_restore(sn_world *world, sn_world *before) {
    sn_world changed = *world;
    *world = *before;
    /* Of the last step, which snapshots say nothing of. */
    world->output = changed.output;
    changed.output = before->output;
    sn_system_list systems = world->bindings.systems;
    for (size_t i = 0; i < systems.count; i++)
        if (systems.system[i]->output) {
            void *fresh = world->system_state[i];
            world->system_state[i] = changed.system_state[i];
            changed.system_state[i] = fresh;
        }
    world->memory = changed.memory;
    sn_rollback_discard(world, &changed);
}
