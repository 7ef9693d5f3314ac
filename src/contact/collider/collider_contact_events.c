/* The end of a step: where the colliders are, and what touched. */
#include "collision/collider_pose.h"
#include "collision/shapes/shape_distance.h"
#include "contact/collider/collider_contact.h"
#include "contact/ellipsoid.h"
#include "math/quaternion.h"

/* m: where a node is nearest to a surface with this normal. */
static sn_vec3 point_of(const sn_world *world, size_t node, sn_v4 normal) {
    const sn_nodes *n = &world->nodes;
    sn_v4 arm = -n->radius[node] * normal;
    if (sn_is_ellipsoid(world, node)) arm = sn_ellipsoid_arm(world, node, normal);
    sn_v4 point = (sn_v4_load(&n->x[node]) + sn_v4_load(&n->d[node])) + arm;
    return (sn_vec3){point[0], point[1], point[2]};
}

/* An impulse that is beyond all numbers is none. */
static sn_contact contact_of(const sn_world *world, size_t node, const sn_collider_pair *touch) {
    const sn_slots *nodes = &world->nodes.slots, *colliders = &world->colliders.slots;
    sn_contact contact = {
        .node = {(uint32_t)node + 1, nodes->generation[node], world->tag},
        .collider = {touch->collider + 1, colliders->generation[touch->collider], world->tag},
        .point = point_of(world, node, sn_v4_load(&touch->normal)),
        .normal = {touch->normal.x, touch->normal.y, touch->normal.z}};
    bool counts =
        sn_v4_is_finite(sn_v4_load(&touch->impulse)) && touch->pressure - touch->pressure == 0;
    if (counts) {
        contact.impulse = (sn_vec3){touch->impulse.x, touch->impulse.y, touch->impulse.z};
        contact.pressure = touch->pressure;
    }
    return contact;
}

/* The order of contacts. */
static int compare(const sn_contact *a, const sn_contact *b) {
    if (a->node.slot != b->node.slot) return a->node.slot < b->node.slot ? -1 : 1;
    if (a->collider.slot != b->collider.slot) return a->collider.slot < b->collider.slot ? -1 : 1;
    return 0;
}

static bool is_same(const sn_contact *a, const sn_contact *b) {
    return compare(a, b) == 0 && a->node.generation == b->node.generation &&
           a->collider.generation == b->collider.generation;
}

/* A contact of the step before that is no more, of what is still there. That of a sleeper stays as
   it is. */
static size_t add_end(const sn_world *world, const sn_contact *old, size_t count) {
    bool there = sn_slots_has(&world->nodes.slots, SN_ID(old->node), world->tag) &&
                 sn_slots_has(&world->colliders.slots, SN_ID(old->collider), world->tag);
    if (old->phase == SN_CONTACT_END || !there) return count;
    sn_contact *end = &world->collider_contacts.contact[count];
    if (sn_sleep_has(&world->sleep, world->nodes.body[old->node.slot - 1])) {
        *end = *old;
        end->phase = SN_CONTACT_STAY;
        return count + 1;
    }
    *end = (sn_contact){.node = old->node,
                        .collider = old->collider,
                        .phase = SN_CONTACT_END,
                        .point = old->point,
                        .normal = old->normal};
    return count + 1;
}

/* Both lists are in order, so that one pass over them tells what began, stayed and ended. */
static size_t merge_contacts(sn_world *world) {
    const sn_collider_contacts *t = &world->collider_contacts;
    const sn_contact *old = world->colliders.contact, *last = old;
    if (world->colliders.contacts > 0) last += world->colliders.contacts;
    size_t count = 0;
    for (size_t i = 0; t->count > 0 && i < world->nodes.slots.count; i++)
        for (size_t k = t->begin[i]; k < t->begin[i + 1]; k++) {
            if (!t->touch[k].touched) continue;
            sn_contact contact = contact_of(world, i, &t->touch[k]);
            while (old < last && compare(old, &contact) < 0) count = add_end(world, old++, count);
            bool stays = old < last && is_same(old, &contact) && old->phase != SN_CONTACT_END;
            if (old < last && compare(old, &contact) == 0) old++;
            contact.phase = stays ? SN_CONTACT_STAY : SN_CONTACT_BEGIN;
            t->contact[count++] = contact;
        }
    while (old < last) count = add_end(world, old++, count);
    return count;
}

void sn_collider_contact_end(sn_world *world, double dt) {
    sn_colliders *c = &world->colliders;
    sn_collider_contacts *t = &world->collider_contacts;
    if (!sn_collider_contact_is_needed(world)) {
        c->contacts = 0;
        return;
    }
    size_t count = merge_contacts(world);
    sn_contact *kept = c->contact;
    c->contact = t->contact;
    t->contact = kept;
    size_t capacity = c->contact_capacity;
    c->contact_capacity = t->contact_capacity;
    t->contact_capacity = capacity;
    c->contacts = count;
    for (size_t i = 0; i < count; i++)
        world->stats.contacts += c->contact[i].phase != SN_CONTACT_END;
    for (size_t i = 0; i < c->slots.count; i++)
        if (c->slots.alive[i]) sn_collider_pose_end(world, i, dt);
}

/* ---- Between steps ---- */

/* m: how deep a node is in a collider, where both are now. */
static sn_real depth_of(const sn_world *world, const sn_contact *contact) {
    const sn_nodes *n = &world->nodes;
    size_t i = contact->node.slot - 1;
    const sn_collider_def *def = &world->colliders.state[contact->collider.slot - 1].def;
    sn_v4 q = {def->orientation.x, def->orientation.y, def->orientation.z, def->orientation.w};
    sn_v4 relative = (sn_v4_load(&n->x[i]) - sn_v4_of(def->position)) + sn_v4_load(&n->d[i]);
    sn_v4 normal;
    sn_shape_distance *distance = sn_shape_distance_of(def->shape);
    sn_real deep = n->radius[i] - distance(def, sn_quat_rotate_back(q, relative), &normal);
    return deep - sn_ellipsoid_lack(world, i, sn_quat_rotate(q, normal));
}

size_t sn_collider_contact_depths(const sn_world *world, double *deepest) {
    const double slight = 1e-4;
    size_t deep = 0;
    *deepest = 0;
    for (size_t k = 0; k < world->colliders.contacts; k++) {
        const sn_contact *contact = &world->colliders.contact[k];
        if (contact->phase == SN_CONTACT_END ||
            !sn_slots_has(&world->nodes.slots, SN_ID(contact->node), world->tag) ||
            !sn_slots_has(&world->colliders.slots, SN_ID(contact->collider), world->tag))
            continue;
        double depth = (double)depth_of(world, contact);
        if (depth > *deepest) *deepest = depth;
        deep += depth > slight;
    }
    return deep;
}
