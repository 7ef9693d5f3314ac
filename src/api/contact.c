/* The public calls on laws of contact and on the forces of contacts. */
#include "api/call.h"
#include "api/check.h"

#include <sinew/contact.h>

/* ---- Pairs of materials ---- */

sn_contact_pair_def sn_contact_pair_def_default(void) {
    return (sn_contact_pair_def){.size = sizeof(sn_contact_pair_def),
                                 .static_friction = (sn_real)0.5,
                                 .dynamic_friction = (sn_real)0.4,
                                 .collide = true};
}

static sn_result check_materials(sn_material a, sn_material b) {
    SN_TRY(sn_check_material("contact pair", a));
    return sn_check_material("contact pair", b);
}

sn_result sn_world_set_contact_pair(sn_world *world, sn_material material_a, sn_material material_b,
                                    const sn_contact_pair_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_materials(material_a, material_b));
    SN_TRY(sn_check_size("contact pair", def->size, sizeof *def));
    SN_TRY(sn_check_friction("contact pair", def->static_friction, def->dynamic_friction,
                             def->restitution));
    SN_TRY(sn_check_real("contact pair", "rolling_resistance", def->rolling_resistance, 0,
                         (double)SN_REAL_MAX, false, ""));
    if (!sn_laws_set(&world->laws, &world->memory, material_a, material_b, def))
        return SN_ERROR_MEMORY;
    SN_RECORD(world, SET_PAIR, .word = material_a << 16 | material_b, .pair = *def);
    return SN_OK;
}

sn_result sn_world_get_contact_pair(const sn_world *world, sn_material material_a,
                                    sn_material material_b, sn_contact_pair_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_materials(material_a, material_b));
    const sn_contact_pair_def *pair = sn_laws_find(&world->laws, material_a, material_b);
    if (!pair)
        return sn_fail(SN_ERROR_ID, "contact pair: nothing was said of materials %u and %u",
                       material_a, material_b);
    *def = *pair;
    return SN_OK;
}

sn_result sn_world_reset_contact_pair(sn_world *world, sn_material material_a,
                                      sn_material material_b) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_materials(material_a, material_b));
    sn_laws_reset(&world->laws, material_a, material_b);
    SN_RECORD(world, RESET_PAIR, .word = material_a << 16 | material_b);
    return SN_OK;
}

/* ---- Who ignores whom ---- */

static sn_result set_collision(sn_world *world, sn_party a, sn_party b, bool collide) {
    uint64_t key;
    sn_ignored *list = sn_laws_list(&world->laws, a, b, &key);
    if (collide)
        sn_ignored_remove(list, key);
    else if (!sn_ignored_add(list, &world->memory, key))
        return SN_ERROR_MEMORY;
    return SN_OK;
}

static bool get_collision(const sn_world *world, sn_party a, sn_party b) {
    uint64_t key;
    sn_laws *laws = (sn_laws *)(uintptr_t)&world->laws;
    const sn_ignored *list = sn_laws_list(laws, a, b, &key);
    return !sn_ignored_has(list, key);
}

sn_result sn_body_set_collision(sn_world *world, sn_body body, sn_body other, bool collide) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_body(world, body));
    SN_TRY(sn_check_body(world, other));
    SN_TRY(set_collision(world, (sn_party){.body = body.slot}, (sn_party){.body = other.slot},
                         collide));
    SN_RECORD(world, COLLISION, .id = SN_ID(body), .other = SN_ID(other), .word = collide);
    return SN_OK;
}

sn_result sn_body_set_collider_collision(sn_world *world, sn_body body, sn_collider collider,
                                         bool collide) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_body(world, body));
    SN_TRY(sn_check_collider(world, collider));
    SN_TRY(set_collision(world, (sn_party){.body = body.slot},
                         (sn_party){.collider = collider.slot}, collide));
    SN_RECORD(world, COLLIDER_COLLISION, .id = SN_ID(body), .other = SN_ID(collider),
              .word = collide);
    return SN_OK;
}

sn_result sn_body_get_collision(const sn_world *world, sn_body body, sn_body other, bool *collide) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(collide);
    SN_TRY(sn_check_body(world, body));
    SN_TRY(sn_check_body(world, other));
    *collide = get_collision(world, (sn_party){.body = body.slot}, (sn_party){.body = other.slot});
    return SN_OK;
}

sn_result sn_body_get_collider_collision(const sn_world *world, sn_body body, sn_collider collider,
                                         bool *collide) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(collide);
    SN_TRY(sn_check_body(world, body));
    SN_TRY(sn_check_collider(world, collider));
    *collide =
        get_collision(world, (sn_party){.body = body.slot}, (sn_party){.collider = collider.slot});
    return SN_OK;
}

/* ---- Forces ---- */

/* The impulses on the nodes of a body or by a collider, by the time of the step; in the order of
   the contacts. What has been removed since does not count. */
static sn_vec3 force_of(const sn_world *world, uint32_t body, uint32_t collider, double sign) {
    const sn_colliders *c = &world->colliders;
    double sum[3] = {0, 0, 0};
    for (size_t i = 0; i < c->contacts; i++) {
        const sn_contact *contact = &c->contact[i];
        if (!sn_slots_has(&world->nodes.slots, SN_ID(contact->node), world->tag) ||
            !sn_slots_has(&c->slots, SN_ID(contact->collider), world->tag))
            continue;
        if (body && world->nodes.body[contact->node.slot - 1] != body) continue;
        if (collider && contact->collider.slot != collider) continue;
        sum[0] += (double)contact->impulse.x;
        sum[1] += (double)contact->impulse.y;
        sum[2] += (double)contact->impulse.z;
    }
    double rate = c->contact_time > 0 ? sign / c->contact_time : 0;
    /* As of impulses, what is beyond all numbers is none. */
    double most = (double)SN_REAL_MAX;
    for (int i = 0; i < 3; i++) {
        sum[i] *= rate;
        if (!(sum[i] >= -most && sum[i] <= most)) return (sn_vec3){0, 0, 0};
    }
    return (sn_vec3){(sn_real)sum[0], (sn_real)sum[1], (sn_real)sum[2]};
}

sn_result sn_body_contact_force(const sn_world *world, sn_body body, sn_vec3 *force) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(force);
    SN_TRY(sn_check_body(world, body));
    *force = force_of(world, body.slot, 0, 1);
    return SN_OK;
}

sn_result sn_collider_contact_force(const sn_world *world, sn_collider collider, sn_vec3 *force) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(force);
    SN_TRY(sn_check_collider(world, collider));
    *force = force_of(world, 0, collider.slot, -1);
    return SN_OK;
}
