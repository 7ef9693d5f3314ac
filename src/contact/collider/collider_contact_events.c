/* Which nodes touched colliders in a step, and how deep they are after it. */
#include "collision/collider_pose.h"
#include "collision/shapes/shape_distance.h"
#include "contact/collider/collider_contact.h"
#include "contact/contact_events.h"
#include "contact/ellipsoid.h"
#include "math/quaternion.h"

/* ---- Contacts of the step ---- */

static size_t pairs(const sn_world *world, int kind) {
    return sn_contacts_of(world)->set[kind].count;
}

static size_t next(const sn_world *world, int kind, size_t from, size_t end) {
    (void)kind;
    const sn_node_search *search = sn_collider_contacts_of(world)->search;
    while (from < end && !search[from].touched) from++;
    return from;
}

static void key(const sn_world *world, int kind, size_t k, sn_contact *contact) {
    const sn_contact_pair *pair = &sn_contacts_of(world)->set[kind].pair[k];
    contact->nodes[0] = sn_contact_node(world, pair->a);
    contact->collider = sn_contact_collider(world, pair->b);
}

/* m: where a node is nearest to a surface with this normal. */
static sn_vec3 point_of(const sn_world *world, size_t node, sn_v4 normal) {
    const sn_nodes *n = &world->nodes;
    sn_v4 arm = -n->radius[node] * normal;
    if (sn_is_ellipsoid(world, node)) arm = sn_ellipsoid_arm(world, node, normal);
    sn_v4 point = (sn_v4_load(&n->x[node]) + sn_v4_load(&n->d[node])) + arm;
    return (sn_vec3){point[0], point[1], point[2]};
}

static void fill(const sn_world *world, int kind, size_t k, sn_contact *contact, sn_vec4 *stuck) {
    (void)stuck;
    const sn_contact_set *set = &sn_contacts_of(world)->set[kind];
    sn_real *row = sn_contact_rows(set, (uint32_t)k);
    sn_v4 normal = sn_row_vector(row, SN_ROW_NORMAL);
    contact->weights[0] = 1;
    contact->point = point_of(world, set->pair[k].a, normal);
    contact->normal = (sn_vec3){normal[0], normal[1], normal[2]};
    sn_contact_set_impulse(contact, sn_row_vector(row, SN_ROW_IMPULSE),
                           *sn_row(row, SN_ROW_NORMAL_IMPULSE));
}

static void touch(const sn_world *world, int kind, size_t k, sn_real weight[SN_CONTACT_MOST_NODES],
                  sn_v4 *motion) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[kind];
    const sn_node_contact contact = {set->pair[k].a, set->pair[k].b,
                                     sn_contact_rows(set, (uint32_t)k),
                                     &sn_collider_contacts_of(world)->search[k]};
    weight[0] = 1;
    *motion = sn_collider_contact_motion(world, &contact);
}

/* m: how deep a node is in a collider, where both are now. */
static double depth(const sn_world *world, const sn_contact *contact) {
    const sn_nodes *n = &world->nodes;
    size_t i = contact->nodes[0].slot - 1;
    const sn_collider_def *def = &sn_colliders_of(world)->state[contact->collider.slot - 1].def;
    sn_v4 q = {def->orientation.x, def->orientation.y, def->orientation.z, def->orientation.w};
    sn_v4 relative = (sn_v4_load(&n->x[i]) - sn_v4_of(def->position)) + sn_v4_load(&n->d[i]);
    sn_v4 normal;
    sn_shape_distance *distance = sn_shape_distance_of(def->shape);
    sn_real deep = n->radius[i] - distance(def, sn_quat_rotate_back(q, relative), &normal);
    return (double)(deep - sn_ellipsoid_lack(world, i, sn_quat_rotate(q, normal)));
}

const sn_contact_report sn_collider_contact_report = {
    .pairs = pairs,
    .next = next,
    .key = key,
    .fill = fill,
    .touch = touch,
    .depth = depth,
};
