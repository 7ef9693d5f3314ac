/* The public calls on contact materials, on the forces of contacts and on periods. */
#include "api/call.h"
#include "api/check.h"
#include "collision/period.h"
#include "systems/fluid/fluids.h"

#include <sinew/contact.h>

/* ---- Recordings ---- */

/* Both materials are in one word. */
#define MATERIALS call->word >> 16, call->word &UINT16_MAX
#define BODY SN_ID_AS(sn_body, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(SET_PAIR, "world_set_contact_pair", SN_PART_WORD | SN_PART_DEF, 0,                        \
         &sn_contact_pair_object, sn_world_set_contact_pair(world, MATERIALS, call->def))          \
    CALL(RESET_PAIR, "world_reset_contact_pair", SN_PART_WORD, 0, NULL,                            \
         sn_world_reset_contact_pair(world, MATERIALS))                                            \
    CALL(SET_COLLISION, "body_set_collision", SN_PART_ID | SN_PART_OTHER | SN_PART_WORD, 0, NULL,  \
         sn_body_set_collision(world, BODY, SN_ID_AS(sn_body, call->other), call->word != 0))      \
    CALL(SET_COLLIDER_COLLISION, "body_set_collider_collision",                                    \
         SN_PART_ID | SN_PART_OTHER | SN_PART_WORD, 0, NULL,                                       \
         sn_body_set_collider_collision(world, BODY, SN_ID_AS(sn_collider, call->other),           \
                                        call->word != 0))                                          \
    CALL(SET_PERIOD, "world_set_period", SN_PART_DEF, 0, &sn_period_object,                        \
         sn_world_set_period(world, call->def))
SN_DEFINE_CALLS(contact, CALLS, .next = NULL)

/* ---- Pairs of materials ---- */

static sn_result check_materials(sn_material a, sn_material b) {
    SN_TRY(sn_check_material("contact pair", a));
    return sn_check_material("contact pair", b);
}

sn_result sn_world_set_contact_pair(sn_world *world, sn_material material_a, sn_material material_b,
                                    const sn_contact_pair_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_materials(material_a, material_b));
    SN_TRY(sn_object_check(&sn_contact_pair_object, def));
    if (!sn_contact_materials_set(sn_contact_materials_of(world), &world->memory, material_a,
                                  material_b, def))
        return SN_ERROR_MEMORY;
    sn_world_wake_all(world);
    SN_RECORD(world, SET_PAIR, .word = material_a << 16 | material_b, .def = def);
    return SN_OK;
}

sn_result sn_world_get_contact_pair(const sn_world *world, sn_material material_a,
                                    sn_material material_b, sn_contact_pair_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_materials(material_a, material_b));
    const sn_contact_pair_def *pair =
        sn_contact_materials_find(sn_contact_materials_of(world), material_a, material_b);
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
    sn_contact_materials_reset(sn_contact_materials_of(world), material_a, material_b);
    sn_world_wake_all(world);
    SN_RECORD(world, RESET_PAIR, .word = material_a << 16 | material_b);
    return SN_OK;
}

/* ---- Periods ---- */

sn_result sn_world_set_period(sn_world *world, const sn_period_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_object_check(&sn_period_object, def));
    sn_collision_of(world)->period = *def;
    sn_world_wake_all(world);
    SN_RECORD(world, SET_PERIOD, .def = def);
    return SN_OK;
}

sn_result sn_world_get_period(const sn_world *world, sn_period_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    const sn_period_def *set = &sn_collision_of(world)->period;
    *def = sn_period_def_default();
    if (sn_world_is_periodic(world)) *def = *set;
    return SN_OK;
}

/* ---- Who ignores whom ---- */

static sn_result set_collision(sn_world *world, sn_party a, sn_party b, bool collide) {
    uint64_t key;
    sn_ignored *list = sn_contact_materials_list(sn_contact_materials_of(world), a, b, &key);
    if (collide)
        sn_ignored_remove(list, key);
    else if (!sn_ignored_add(list, &world->memory, key))
        return SN_ERROR_MEMORY;
    return SN_OK;
}

static bool get_collision(const sn_world *world, sn_party a, sn_party b) {
    uint64_t key;
    sn_contact_materials *contact_materials =
        (sn_contact_materials *)(uintptr_t)sn_contact_materials_of(world);
    const sn_ignored *list = sn_contact_materials_list(contact_materials, a, b, &key);
    return !sn_ignored_has(list, key);
}

sn_result sn_body_set_collision(sn_world *world, sn_body body, sn_body other, bool collide) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_body(world, body));
    SN_TRY(sn_check_body(world, other));
    SN_TRY(set_collision(world, (sn_party){.body = body.slot}, (sn_party){.body = other.slot},
                         collide));
    sn_world_wake_all(world);
    SN_RECORD(world, SET_COLLISION, .id = SN_ID(body), .other = SN_ID(other), .word = collide);
    return SN_OK;
}

sn_result sn_body_set_collider_collision(sn_world *world, sn_body body, sn_collider collider,
                                         bool collide) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_body(world, body));
    SN_TRY(sn_check_collider(world, collider));
    SN_TRY(set_collision(world, (sn_party){.body = body.slot},
                         (sn_party){.collider = collider.slot}, collide));
    sn_world_wake_all(world);
    SN_RECORD(world, SET_COLLIDER_COLLISION, .id = SN_ID(body), .other = SN_ID(collider),
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

/* ---- Contacts ---- */

sn_result sn_world_contacts(const sn_world *world, const sn_contact **contacts, size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(contacts);
    SN_CHECK_POINTER(count);
    *contacts = world->contacts.contact;
    *count = world->contacts.count;
    return SN_OK;
}

/* ---- Forces ---- */

static void add(double sum[3], double part, sn_vec3 impulse) {
    sum[0] += part * (double)impulse.x;
    sum[1] += part * (double)impulse.y;
    sum[2] += part * (double)impulse.z;
}

/* N, by the time of the step. As of impulses, what is beyond all numbers is none. */
static sn_vec3 force_of(const sn_world *world, const double sum[3]) {
    double most = (double)SN_REAL_MAX, force[3];
    double rate = world->contact_time > 0 ? 1 / world->contact_time : 0;
    for (int i = 0; i < 3; i++) {
        force[i] = sum[i] * rate;
        if (!(force[i] >= -most && force[i] <= most)) return (sn_vec3){0, 0, 0};
    }
    return (sn_vec3){(sn_real)force[0], (sn_real)force[1], (sn_real)force[2]};
}

static bool is_of_body(const sn_world *world, sn_node node, uint32_t body) {
    return sn_slots_has(&world->nodes.slots, SN_ID(node), world->tag) &&
           world->nodes.body[node.slot - 1] == body;
}

/* The part of the impulse of a contact that the nodes of a body have. */
static double share_of(const sn_world *world, const sn_contact *contact, uint32_t body) {
    int kind = (int)contact->kind;
    double share = 0;
    uint32_t carrier = 0;
    if ((kind == SN_CONTACT_RIGID || kind == SN_CONTACT_TRIANGLE_COLLIDER) &&
        sn_collider_is_valid(world, contact->collider))
        carrier = sn_colliders_of(world)->state[contact->collider.slot - 1].carrier;
    if (carrier && world->nodes.body[carrier - 1] == body) share = -1;
    for (int i = 0; i < sn_contact_listed(kind); i++)
        if (is_of_body(world, contact->nodes[i], body))
            share += (i < sn_contact_first[kind] ? 1 : -1) * (double)contact->weights[i];
    return share;
}

sn_result sn_body_contact_force(const sn_world *world, sn_body body, sn_vec3 *force) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(force);
    SN_TRY(sn_check_body(world, body));
    double sum[3] = {0, 0, 0};
    for (size_t i = 0; i < world->contacts.count; i++) {
        const sn_contact *contact = &world->contacts.contact[i];
        add(sum, share_of(world, contact, body.slot), contact->impulse);
    }
    *force = force_of(world, sum);
    return SN_OK;
}

sn_result sn_collider_contact_force(const sn_world *world, sn_collider collider, sn_vec3 *force) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(force);
    SN_TRY(sn_check_collider(world, collider));
    double sum[3] = {0, 0, 0};
    for (size_t i = 0; i < world->contacts.count; i++) {
        const sn_contact *contact = &world->contacts.contact[i];
        bool same = contact->collider.slot == collider.slot &&
                    contact->collider.generation == collider.generation;
        if (same) add(sum, -1, contact->impulse);
    }
    sn_fluid_wall_impulse(world, collider.slot - 1, sum);
    *force = force_of(world, sum);
    return SN_OK;
}
