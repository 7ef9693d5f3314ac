/* Which nodes touched colliders that others carry, and how deep they are after the step. */
#include "collision/collider_pose.h"
#include "contact/contact_events.h"
#include "contact/rigid/rigid_contact.h"

static size_t pairs(const sn_world *world, int kind) {
    return sn_contacts_of(world)->set[kind].count;
}

static sn_rigid_contact contact_at(const sn_world *world, int kind, size_t k) {
    return sn_rigid_contact_at(world, sn_contacts_of(world)->set[kind].pair[k].slot);
}

static size_t next(const sn_world *world, int kind, size_t from, size_t end) {
    while (from < end && !contact_at(world, kind, from).search->ball.touched) from++;
    return from;
}

/* A node has a collider once, and a collider is carried by one node: the order of records is that
   of keys, since that of nodes and colliders is. */
static void key(const sn_world *world, int kind, size_t k, sn_contact *contact) {
    sn_rigid_contact c = contact_at(world, kind, k);
    contact->nodes[0] = sn_contact_node(world, c.search->node[0]);
    contact->collider = sn_contact_collider(world, c.search->collider);
}

static void fill(const sn_world *world, int kind, size_t k, sn_contact *contact, sn_vec4 *stuck) {
    (void)stuck;
    sn_rigid_contact c = contact_at(world, kind, k);
    const uint32_t i = c.search->node[0];
    sn_v4 normal = sn_row_vector(c.row, SN_ROW_NORMAL);
    sn_v4 point = sn_v4_load(&world->nodes.x[i]) + sn_v4_load(&world->nodes.d[i]);
    point -= world->nodes.radius[i] * normal;
    contact->weights[0] = 1;
    contact->point = (sn_vec3){point[0], point[1], point[2]};
    contact->normal = (sn_vec3){normal[0], normal[1], normal[2]};
    sn_contact_set_impulse(contact, sn_row_vector(c.row, SN_ROW_IMPULSE),
                           *sn_row(c.row, SN_ROW_NORMAL_IMPULSE));
}

static void touch(const sn_world *world, int kind, size_t k, sn_real weight[SN_CONTACT_MOST_NODES],
                  sn_v4 *motion) {
    sn_rigid_contact c = contact_at(world, kind, k);
    weight[0] = 1;
    weight[1] = -1;
    *motion = sn_rigid_contact_motion(world, &c);
}

/* m: how deep a node is in a collider, whoever carries that. */
static double depth(const sn_world *world, const sn_contact *contact) {
    return sn_collider_contact_report.depth(world, contact);
}

static const sn_contact_report report = {
    .pairs = pairs,
    .next = next,
    .key = key,
    .fill = fill,
    .touch = touch,
    .depth = depth,
};

const sn_contact_kind_def sn_rigid_contact_kind = {&sn_collider_contact_group, &report, NULL};
