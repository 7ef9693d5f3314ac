/* Which triangles touched a collider in a step, and how deep they are after it. */
#include "collision/collider_pose.h"
#include "collision/narrow_phase/deepest_point.h"
#include "contact/triangle/triangle_contact.h"

/* ---- The order of contacts: by the slots of nodes and collider ---- */

static int compare(const sn_triangle_contact *a, const sn_triangle_contact *b) {
    for (int k = 0; k < 3; k++)
        if (a->nodes[k].slot != b->nodes[k].slot)
            return a->nodes[k].slot < b->nodes[k].slot ? -1 : 1;
    if (a->collider.slot != b->collider.slot) return a->collider.slot < b->collider.slot ? -1 : 1;
    return 0;
}

static bool is_same(const sn_triangle_contact *a, const sn_triangle_contact *b) {
    for (int k = 0; k < 3; k++)
        if (a->nodes[k].generation != b->nodes[k].generation) return false;
    return compare(a, b) == 0 && a->collider.generation == b->collider.generation;
}

/* Lets the first of a heap sink to its place. */
static void sink(sn_triangle_contact *heap, size_t from, size_t count) {
    for (size_t child = 2 * from + 1; child < count; child = 2 * from + 1) {
        if (child + 1 < count && compare(&heap[child], &heap[child + 1]) < 0) child++;
        if (compare(&heap[from], &heap[child]) >= 0) return;
        sn_triangle_contact kept = heap[from];
        heap[from] = heap[child];
        heap[child] = kept;
        from = child;
    }
}

static void sort(sn_triangle_contact *contact, size_t count) {
    for (size_t i = count / 2; i-- > 0;) sink(contact, i, count);
    for (size_t i = count; i-- > 1;) {
        sn_triangle_contact kept = contact[0];
        contact[0] = contact[i];
        contact[i] = kept;
        sink(contact, 0, i);
    }
}

/* ---- The end of a step ---- */

/* An impulse that is beyond all numbers is none. */
static sn_triangle_contact contact_of(const sn_world *world, const sn_triangle_pair *face) {
    const sn_nodes *n = &world->nodes;
    sn_triangle_contact contact = {.collider = {face->collider + 1,
                                                world->colliders.slots.generation[face->collider],
                                                world->tag},
                                   .normal = {face->normal.x, face->normal.y, face->normal.z}};
    sn_v4 point = {0};
    for (int k = 0; k < 3; k++) {
        uint32_t i = face->node[k];
        contact.nodes[k] = (sn_node){i + 1, n->slots.generation[i], world->tag};
        contact.weights[k] = face->weight[k];
        point += face->weight[k] * (sn_v4_load(&n->x[i]) + sn_v4_load(&n->d[i]));
    }
    point -= face->radius * sn_v4_load(&face->normal);
    contact.point = (sn_vec3){point[0], point[1], point[2]};
    if (sn_v4_is_finite(sn_v4_load(&face->impulse)) && face->pressure - face->pressure == 0) {
        contact.impulse = (sn_vec3){face->impulse.x, face->impulse.y, face->impulse.z};
        contact.pressure = face->pressure;
    }
    return contact;
}

static bool is_there(const sn_world *world, const sn_triangle_contact *c) {
    for (int k = 0; k < 3; k++)
        if (!sn_slots_has(&world->nodes.slots, SN_ID(c->nodes[k]), world->tag)) return false;
    return sn_slots_has(&world->colliders.slots, SN_ID(c->collider), world->tag);
}

/* Whether nothing of the triangle is awake, so that the contact stays as it is. */
static bool is_asleep(const sn_world *world, const sn_triangle_contact *c) {
    bool asleep = false;
    for (int k = 0; k < 3; k++) {
        uint32_t i = c->nodes[k].slot - 1;
        if (sn_world_contact_w(world)[i] > 0) return false;
        asleep |= sn_sleep_has(&world->sleep, world->nodes.body[i]);
    }
    return asleep;
}

/* A contact of the step before that is no more, of what is still there. */
static size_t add_end(const sn_world *world, const sn_triangle_contact *old,
                      sn_triangle_contact *to, size_t count) {
    if (old->phase == SN_CONTACT_END || !is_there(world, old)) return count;
    to[count] = *old;
    to[count].phase = SN_CONTACT_STAY;
    if (is_asleep(world, old)) return count + 1;
    to[count].phase = SN_CONTACT_END;
    to[count].impulse = (sn_vec3){0, 0, 0};
    to[count].pressure = 0;
    return count + 1;
}

/* Both lists are in order, so that one pass over them tells what began, stayed and ended. What is
   new lies at the end of the room of the list that is made. */
static size_t merge(sn_world *world) {
    const sn_triangle_contacts *f = &world->faces;
    const sn_triangle_contact *old = f->contact, *last = old + f->contacts;
    sn_triangle_contact *touched = f->fresh + f->contacts;
    size_t count = 0, collider_contacts = 0;
    for (size_t i = 0; i < f->count; i++)
        if (f->face[i].touched) touched[collider_contacts++] = contact_of(world, &f->face[i]);
    sort(touched, collider_contacts);
    for (size_t i = 0; i < collider_contacts; i++) {
        sn_triangle_contact contact = touched[i];
        while (old < last && compare(old, &contact) < 0)
            count = add_end(world, old++, f->fresh, count);
        bool stays = old < last && is_same(old, &contact) && old->phase != SN_CONTACT_END;
        if (old < last && compare(old, &contact) == 0) old++;
        contact.phase = stays ? SN_CONTACT_STAY : SN_CONTACT_BEGIN;
        f->fresh[count++] = contact;
    }
    while (old < last) count = add_end(world, old++, f->fresh, count);
    return count;
}

void sn_triangle_contact_end(sn_world *world) {
    sn_triangle_contacts *f = &world->faces;
    if (!sn_triangle_contact_is_needed(world)) {
        f->contacts = 0;
        return;
    }
    size_t count = merge(world), capacity = f->contact_capacity;
    sn_triangle_contact *kept = f->contact;
    f->contact = f->fresh;
    f->contact_capacity = f->fresh_capacity;
    f->fresh = kept;
    f->fresh_capacity = capacity;
    f->contacts = count;
    for (size_t i = 0; i < count; i++)
        world->stats.contacts += f->contact[i].phase != SN_CONTACT_END;
}

/* ---- Between steps ---- */

/* m: how deep a triangle is in a collider, where both are now. */
static double depth_of(const sn_world *world, const sn_triangle_contact *c) {
    const sn_nodes *n = &world->nodes;
    const sn_collider_def *def = &world->colliders.state[c->collider.slot - 1].def;
    sn_v4 q = {def->orientation.x, def->orientation.y, def->orientation.z, def->orientation.w};
    sn_v4 corner[3];
    sn_real radius = 0;
    sn_deepest d;
    for (int k = 0; k < 3; k++) {
        uint32_t i = c->nodes[k].slot - 1;
        sn_v4 relative = (sn_v4_load(&n->x[i]) - sn_v4_of(def->position)) + sn_v4_load(&n->d[i]);
        corner[k] = sn_quat_rotate_back(q, relative);
        radius = n->radius[i] > radius ? n->radius[i] : radius;
        d.weight[k] = c->weights[k];
    }
    sn_deepest_shape shape = sn_deepest_shape_of(def, 0, SN_BVH_NONE);
    sn_deepest_point(&shape, corner, SN_INFINITY, &d);
    return (double)(radius - d.distance);
}

size_t sn_triangle_contact_depths(const sn_world *world, double *deepest) {
    const double slight = 1e-4;
    size_t deep = 0;
    for (size_t i = 0; i < world->faces.contacts; i++) {
        const sn_triangle_contact *c = &world->faces.contact[i];
        if (c->phase == SN_CONTACT_END || !is_there(world, c)) continue;
        double depth = depth_of(world, c);
        if (depth > *deepest) *deepest = depth;
        deep += depth > slight;
    }
    return deep;
}
