#include "api/systems.h"

#include "api/call.h"
#include "state/system.h"

#include <string.h>

#define SN_DECLARE_SYSTEM(NAME, name)                                                              \
    extern const sn_system sn_##name##_system;                                                     \
    extern const sn_call_table sn_##name##_calls;
SN_SYSTEMS(SN_DECLARE_SYSTEM)
#undef SN_DECLARE_SYSTEM

static const sn_system *const list[] = {
#define SN_LIST_SYSTEM(NAME, name) &sn_##name##_system,
    SN_SYSTEMS(SN_LIST_SYSTEM)
#undef SN_LIST_SYSTEM
};

/* The calls of each, which are beside the public functions. */
static const sn_call_table *const calls[] = {
#define SN_LIST_CALLS(NAME, name) &sn_##name##_calls,
    SN_SYSTEMS(SN_LIST_CALLS)
#undef SN_LIST_CALLS
};

sn_system_list sn_systems(void) {
    return (sn_system_list){list, sizeof list / sizeof *list};
}

const sn_call_table *sn_system_calls(const sn_system *system) {
    for (size_t i = 0; i < SN_SYSTEM_COUNT; i++)
        if (list[i] == system) return calls[i];
    return system->calls;
}

/* ---- Objects ---- */

const sn_object_info *sn_world_object_info(const sn_world *world, size_t index) {
    sn_system_list systems = world ? world->bindings.systems : sn_systems();
    if (index < SN_WORLD_OBJECTS) return &sn_world_objects[index]->info;
    index -= SN_WORLD_OBJECTS;
    for (size_t i = 0; i < systems.count; i++) {
        const sn_system *system = systems.system[i];
        if (index < system->object_count) return &system->objects[index]->info;
        index -= system->object_count;
    }
    return NULL;
}

const sn_object_info *sn_object_by_name(const char *name) {
    const sn_object_info *info;
    for (size_t i = 0; (info = sn_world_object_info(NULL, i)); i++)
        if (name && strcmp(info->name, name) == 0) return info;
    return NULL;
}
