/* Which triangles touched a collider in a step, and how deep they are after it. */
#include "collision/collider_pose.h"
#include "collision/narrow_phase/deepest_point.h"
#include "contact/contact_events.h"
#include "contact/triangle/triangle_contact.h"

/* ---- The end of a step: those that touched, in the order of their keys ---- */

static int compare(const sn_triangle_pair *a, const sn_triangle_pair *b) {
    for (int k = 0; k < 3; k++)
        if (a->node[k] != b->node[k]) return a->node[k] < b->node[k] ? -1 : 1;
    return a->collider < b->collider ? -1 : a->collider > b->collider;
}

/* Lets the first of a heap sink to its place. */
static void sink(const sn_triangle_pair *pair, uint32_t *heap, size_t from, size_t count) {
    for (size_t child = 2 * from + 1; child < count; child = 2 * from + 1) {
        if (child + 1 < count && compare(&pair[heap[child]], &pair[heap[child + 1]]) < 0) child++;
        if (compare(&pair[heap[from]], &pair[heap[child]]) >= 0) return;
        uint32_t kept = heap[from];
        heap[from] = heap[child];
        heap[child] = kept;
        from = child;
    }
}

static void sort(const sn_triangle_pair *pair, uint32_t *heap, size_t count) {
    for (size_t i = count / 2; i-- > 0;) sink(pair, heap, i, count);
    for (size_t i = count; i-- > 1;) {
        uint32_t kept = heap[0];
        heap[0] = heap[i];
        heap[i] = kept;
        sink(pair, heap, 0, i);
    }
}

void sn_triangle_contact_end(sn_world *world) {
    sn_triangle_contacts *f = &world->scratch.faces;
    f->listed = 0;
    for (size_t i = 0; i < f->count; i++)
        if (f->face[i].touched) f->order[f->listed++] = (uint32_t)i;
    sort(f->face, f->order, f->listed);
}

/* ---- The source of contacts ---- */

static const sn_triangle_pair *pair_at(const sn_world *world, size_t k) {
    return &world->scratch.faces.face[world->scratch.faces.order[k]];
}

static size_t pairs(const sn_world *world, int kind) {
    (void)kind;
    return world->scratch.faces.listed;
}

static size_t next(const sn_world *world, int kind, size_t from, size_t end) {
    (void)world, (void)kind, (void)end;
    return from;
}

static void key(const sn_world *world, int kind, size_t k, sn_contact *contact) {
    (void)kind;
    const sn_triangle_pair *pair = pair_at(world, k);
    for (int i = 0; i < 3; i++) contact->nodes[i] = sn_contact_node(world, pair->node[i]);
    contact->collider = sn_contact_collider(world, pair->collider);
}

static void fill(const sn_world *world, int kind, size_t k, sn_contact *contact, sn_vec4 *stuck) {
    (void)kind, (void)stuck;
    const sn_triangle_pair *pair = pair_at(world, k);
    const sn_nodes *n = &world->nodes;
    sn_v4 point = {0};
    for (int i = 0; i < 3; i++) {
        uint32_t at = pair->node[i];
        contact->weights[i] = pair->weight[i];
        point += pair->weight[i] * (sn_v4_load(&n->x[at]) + sn_v4_load(&n->d[at]));
    }
    point -= pair->radius * sn_v4_load(&pair->normal);
    contact->point = (sn_vec3){point[0], point[1], point[2]};
    contact->normal = (sn_vec3){pair->normal.x, pair->normal.y, pair->normal.z};
    sn_contact_set_impulse(contact, sn_v4_load(&pair->impulse), pair->pressure);
}

/* m: how deep a triangle is in a collider, where both are now. */
static double depth(const sn_world *world, const sn_contact *c) {
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

const sn_contact_source sn_triangle_contact_source = {.is_needed = sn_triangle_contact_is_needed,
                                                      .pairs = pairs,
                                                      .next = next,
                                                      .key = key,
                                                      .fill = fill,
                                                      .depth = depth};
