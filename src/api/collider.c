/* The public calls on colliders. */
#include "api/call.h"
#include "api/check.h"

#include <sinew/collider.h>

sn_collider_def sn_collider_def_default(void) {
    return (sn_collider_def){.size = sizeof(sn_collider_def),
                             .radius = SN_AUTO,
                             .extent = {(sn_real)0.5, (sn_real)0.5, (sn_real)0.5},
                             .orientation = {0, 0, 0, 1},
                             .static_friction = (sn_real)0.5,
                             .dynamic_friction = (sn_real)0.4,
                             .recovery_speed = 2,
                             .mask = UINT32_MAX};
}

/* Makes a quaternion unit; false where it has no direction. */
static bool make_unit(sn_quat *q) {
    double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    double square = x * x + y * y + z * z + w * w;
    if (!(square > 0) || !(square - square == 0)) return false;
    double length = __builtin_sqrt(square);
    *q = (sn_quat){(sn_real)(x / length), (sn_real)(y / length), (sn_real)(z / length),
                   (sn_real)(w / length)};
    return true;
}

static sn_result check_orientation(sn_quat *q) {
    if (make_unit(q)) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "collider: orientation is %g %g %g %g, expected a quaternion",
                   (double)q->x, (double)q->y, (double)q->z, (double)q->w);
}

static sn_result check_surface(const sn_collider_def *d) {
    double most = (double)SN_REAL_MAX;
    SN_TRY(sn_check_real("collider", "static_friction", d->static_friction, 0, most, false, ""));
    SN_TRY(sn_check_real("collider", "dynamic_friction", d->dynamic_friction, 0,
                         (double)d->static_friction, false, ""));
    SN_TRY(sn_check_real("collider", "restitution", d->restitution, 0, 1, false, ""));
    SN_TRY(sn_check_real("collider", "recovery_speed", d->recovery_speed, 0, most, true, "m/s"));
    if (d->recovery_speed == 0)
        return sn_fail(SN_ERROR_VALUE, "collider: recovery_speed is 0, expected above 0 m/s");
    return SN_OK;
}

/* Checks a definition, and replaces what is automatic in the copy that is kept. Recordings have
   what was given: made unit twice, a quaternion may differ in its last bit. */
static sn_result check_def(const sn_collider_def *def, sn_collider_def *kept) {
    SN_TRY(sn_check_size("collider", def->size, sizeof *def));
    *kept = *def;
    if ((unsigned)def->shape > SN_SHAPE_CYLINDER)
        return sn_fail(SN_ERROR_VALUE, "collider: shape is %d, expected 0 to %d", (int)def->shape,
                       SN_SHAPE_CYLINDER);
    if (kept->radius == SN_AUTO) kept->radius = def->shape == SN_SHAPE_BOX ? 0 : (sn_real)0.5;
    SN_TRY(sn_check_real("collider", "radius", kept->radius, 0, (double)SN_REAL_MAX, false, "m"));
    const sn_real extent[3] = {def->extent.x, def->extent.y, def->extent.z};
    for (int i = 0; i < 3; i++)
        SN_TRY(sn_check_real("collider", "extent", extent[i], 0, (double)SN_REAL_MAX, false, "m"));
    SN_TRY(sn_check_vec3("collider", "position", def->position, "m"));
    SN_TRY(sn_check_vec3("collider", "velocity", def->velocity, "m/s"));
    SN_TRY(sn_check_vec3("collider", "angular_velocity", def->angular_velocity, "rad/s"));
    SN_TRY(check_orientation(&kept->orientation));
    return check_surface(def);
}

static sn_result check_collider(const sn_world *world, sn_collider collider) {
    return sn_slots_check(&world->colliders.slots, SN_ID(collider), world->tag, "collider");
}

sn_result sn_collider_create(sn_world *world, const sn_collider_def *def, sn_collider *collider) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(collider);
    sn_collider_def kept;
    SN_TRY(check_def(def, &kept));
    sn_colliders *c = &world->colliders;
    if (!sn_colliders_reserve(c, &world->memory, 1)) return SN_ERROR_MEMORY;
    uint32_t index = sn_slots_take(&c->slots);
    c->state[index] = (sn_collider_state){.def = kept, .changed = 1};
    *collider = (sn_collider){index + 1, c->slots.generation[index], world->tag};
    SN_RECORD(world, COLLIDER_CREATE, .collider = *def);
    return SN_OK;
}

sn_result sn_collider_destroy(sn_world *world, sn_collider collider) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_collider(world, collider));
    sn_world_wake_touching(world, collider.slot - 1);
    sn_slots_give(&world->colliders.slots, collider.slot - 1);
    SN_RECORD(world, COLLIDER_DESTROY, .id = SN_ID(collider));
    return SN_OK;
}

bool sn_collider_is_valid(const sn_world *world, sn_collider collider) {
    return world && sn_slots_has(&world->colliders.slots, SN_ID(collider), world->tag);
}

sn_result sn_collider_get(const sn_world *world, sn_collider collider, sn_collider_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_collider(world, collider));
    *def = world->colliders.state[collider.slot - 1].def;
    return SN_OK;
}

sn_result sn_collider_set(sn_world *world, sn_collider collider, const sn_collider_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_collider(world, collider));
    sn_collider_def kept;
    SN_TRY(check_def(def, &kept));
    world->colliders.state[collider.slot - 1] = (sn_collider_state){.def = kept, .changed = 1};
    sn_world_wake_touching(world, collider.slot - 1);
    SN_RECORD(world, COLLIDER_SET, .id = SN_ID(collider), .collider = *def);
    return SN_OK;
}

sn_result sn_collider_set_target(sn_world *world, sn_collider collider, sn_vec3 position,
                                 sn_quat orientation) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_collider(world, collider));
    SN_TRY(sn_check_vec3("collider", "target", position, "m"));
    sn_quat unit = orientation;
    SN_TRY(check_orientation(&unit));
    sn_collider_state *state = &world->colliders.state[collider.slot - 1];
    state->has_target = 1;
    state->target = position;
    state->target_orientation = unit;
    SN_RECORD(world, COLLIDER_TARGET, .id = SN_ID(collider),
              .number = {position.x, position.y, position.z, orientation.x, orientation.y,
                         orientation.z, orientation.w});
    return SN_OK;
}

sn_result sn_world_collider_at(const sn_world *world, size_t slot, sn_collider *collider) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(collider);
    SN_TRY(sn_check_slot(&world->colliders.slots, slot, "collider"));
    *collider =
        (sn_collider){(uint32_t)slot + 1, world->colliders.slots.generation[slot], world->tag};
    return SN_OK;
}

sn_result sn_world_contacts(const sn_world *world, const sn_contact **contacts, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(contacts);
    SN_CHECK_POINTER(count);
    *contacts = world->colliders.contact;
    *count = world->colliders.contacts;
    return SN_OK;
}
