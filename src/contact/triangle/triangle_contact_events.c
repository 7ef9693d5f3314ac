/* Which triangles touched a collider in a step, and how deep they are after it. */
#include "collision/collider_pose.h"
#include "collision/narrow_phase/deepest_point.h"
#include "contact/contact_events.h"
#include "contact/triangle/triangle_contact.h"

/* ---- The end of a step: those that touched, in the order of their keys ---- */

enum { KIND = SN_CONTACT_TRIANGLE_COLLIDER };

/* A pair by its nodes and its collider. */
typedef struct sorting {
    const sn_contact_pair *pair;
    const uint32_t *node; /* of triangles */
} sorting;

static int compare(const sorting *s, uint32_t i, uint32_t k) {
    const sn_contact_pair *a = &s->pair[i], *b = &s->pair[k];
    const uint32_t *one = s->node + 3 * (size_t)a->a, *two = s->node + 3 * (size_t)b->a;
    for (int n = 0; n < 3; n++)
        if (one[n] != two[n]) return one[n] < two[n] ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

/* Lets the first of a heap sink to its place. */
static void sink(const sorting *s, uint32_t *heap, size_t from, size_t count) {
    for (size_t child = 2 * from + 1; child < count; child = 2 * from + 1) {
        if (child + 1 < count && compare(s, heap[child], heap[child + 1]) < 0) child++;
        if (compare(s, heap[from], heap[child]) >= 0) return;
        uint32_t kept = heap[from];
        heap[from] = heap[child];
        heap[child] = kept;
        from = child;
    }
}

static void sort(const sorting *s, uint32_t *heap, size_t count) {
    for (size_t i = count / 2; i-- > 0;) sink(s, heap, i, count);
    for (size_t i = count; i-- > 1;) {
        uint32_t kept = heap[0];
        heap[0] = heap[i];
        heap[i] = kept;
        sink(s, heap, 0, i);
    }
}

void sn_triangle_contact_end(sn_world *world) {
    sn_triangle_contacts *t = sn_triangle_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    t->listed = 0;
    for (size_t i = 0; i < set->count; i++)
        if (t->search[set->pair[i].slot].touched) t->order[t->listed++] = (uint32_t)i;
    sort(&(sorting){set->pair, t->node}, t->order, t->listed);
}

/* ---- Contacts of the step ---- */

static sn_triangle_contact contact_at(const sn_world *world, size_t k) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    return sn_triangle_contact_at(world, set->pair[sn_triangle_contacts_of(world)->order[k]].slot);
}

static size_t pairs(const sn_world *world, int kind) {
    (void)kind;
    return sn_triangle_contacts_of(world)->listed;
}

static size_t next(const sn_world *world, int kind, size_t from, size_t end) {
    (void)world, (void)kind, (void)end;
    return from;
}

static void key(const sn_world *world, int kind, size_t k, sn_contact *contact) {
    (void)kind;
    sn_triangle_contact c = contact_at(world, k);
    for (int i = 0; i < 3; i++) contact->nodes[i] = sn_contact_node(world, c.node[i]);
    contact->collider = sn_contact_collider(world, c.search->collider);
}

static void fill(const sn_world *world, int kind, size_t k, sn_contact *contact, sn_vec4 *stuck) {
    (void)kind, (void)stuck;
    sn_triangle_contact c = contact_at(world, k);
    const sn_nodes *n = &world->nodes;
    sn_v4 point = {0}, normal = sn_row_vector(c.row, SN_ROW_NORMAL);
    for (int i = 0; i < 3; i++) {
        uint32_t at = c.node[i];
        contact->weights[i] = c.search->weight[i];
        point += c.search->weight[i] * (sn_v4_load(&n->x[at]) + sn_v4_load(&n->d[at]));
    }
    point -= *sn_row(c.row, SN_ROW_LIMIT) * normal;
    contact->point = (sn_vec3){point[0], point[1], point[2]};
    contact->normal = (sn_vec3){normal[0], normal[1], normal[2]};
    sn_contact_set_impulse(contact, sn_row_vector(c.row, SN_ROW_IMPULSE),
                           *sn_row(c.row, SN_ROW_NORMAL_IMPULSE));
}

static void touch(const sn_world *world, int kind, size_t k, sn_real weight[SN_CONTACT_MOST_NODES],
                  sn_v4 *motion) {
    sn_triangle_contact c =
        sn_triangle_contact_at(world, sn_contacts_of(world)->set[kind].pair[k].slot);
    for (int i = 0; i < 3; i++) weight[i] = c.search->weight[i];
    *motion = sn_triangle_contact_motion(world, &c);
}

static uint32_t carrier(const sn_world *world, int kind, size_t k, bool then, sn_v4 *arm) {
    sn_triangle_contact c =
        sn_triangle_contact_at(world, sn_contacts_of(world)->set[kind].pair[k].slot);
    const sn_rigid_side side =
        sn_triangle_contact_carrier(world, &c, sn_row_vector(c.row, SN_ROW_NORMAL));
    *arm = then ? side.from : side.arm;
    return c.carrier;
}

/* m: how deep a triangle is in a collider, where both are now. */
static double depth(const sn_world *world, const sn_contact *c) {
    const sn_nodes *n = &world->nodes;
    const sn_collider_def *def = &sn_colliders_of(world)->state[c->collider.slot - 1].def;
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
    sn_deepest_shape shape =
        sn_deepest_shape_of(def, 0, SN_BVH_NONE, c->nodes[1].slot == c->nodes[2].slot);
    sn_deepest_point(&shape, corner, SN_INFINITY, &d);
    return (double)(radius - d.distance);
}

const sn_contact_report sn_triangle_contact_report = {
    .pairs = pairs,
    .next = next,
    .key = key,
    .fill = fill,
    .touch = touch,
    .carrier = carrier,
    .depth = depth,
};
