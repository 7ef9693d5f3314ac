#include "collision/colliders.h"

#include "base/range.h"

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

/* ---- Definitions ---- */

static sn_result check(const void *def) {
    const sn_collider_def *d = def;
    return sn_check_dynamic_friction("collider", d->static_friction, d->dynamic_friction);
}

static const sn_object_column columns[] = {
    {"radius", {"radius"}, 0, 0, NULL},
    {"extent", {"extent"}, 0, 0, NULL},
    {"position", {"position"}, 0, 0, NULL},
    {"orientation", {"orientation"}, 0, 0, NULL},
    {"velocity", {"velocity"}, 0, 0, NULL},
    {"angular_velocity", {"angular_velocity"}, 0, 0, NULL},
    {"static_friction", {"static_friction"}, 0, 0, NULL},
    {"dynamic_friction", {"dynamic_friction"}, 0, 0, NULL},
    {"restitution", {"restitution"}, 0, 0, NULL},
    {"recovery_speed", {"recovery_speed"}, 0, 0, NULL},
    {"mask", {"mask"}, 0, 0, NULL},
    {"material", {"material"}, 0, 1, NULL},
    {"shape", {"shape"}, 0, 0, NULL},
};
#define GEOMETRY .geometry = {.spacing = SN_AUTO},

SN_DEFINE_OBJECT_AS(collider, sn_collider_def, sn_collider_def_default, SN_COLLIDER_FIELDS,
                    GEOMETRY, "collider", "a shape that nodes do not enter, with friction",
                    .columns = columns, .column_count = sizeof columns / sizeof *columns,
                    .check = check)
