/* Which nodes touched colliders that others carry, and how deep they are after the step. */
#include "collision/collider_pose.h"
#include "collision/shapes/shape_distance.h"
#include "contact/contact_events.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_rounds.h"

static size_t pairs(const sn_world *world, int kind) {
    return sn_contacts_of(world)->set[kind].count;
}

static sn_rigid_contact contact_at(const sn_world *world, int kind, size_t k) {
    return sn_rigid_contact_at(world, sn_contacts_of(world)->set[kind].pair[k].slot);
}

static const sn_rigid_search *search_of(const sn_world *world, int kind, size_t k) {
    const sn_contacts *contacts = sn_contacts_of(world);
    return &contacts->rigid.search[contacts->set[kind].pair[k].slot];
}

/* Points of a node in the same collider are one contact: those of the run from one pair on. Those
   of a manifold are told together. */
static bool is_same(const sn_world *world, int kind, size_t k, size_t other) {
    const sn_contact_pair *pair = sn_contacts_of(world)->set[kind].pair;
    if (pair[k].a == pair[other].a) return true;
    const sn_rigid_search *one = search_of(world, kind, k), *two = search_of(world, kind, other);
    return one->node[0] == two->node[0] && one->collider == two->collider;
}

/* What is told of the manifold that a pair is of, and the number of its point. */
static const sn_rigid_told *told_of(const sn_world *world, int kind, size_t k, uint32_t *number) {
    const sn_contact_pair *pair = &sn_contacts_of(world)->set[kind].pair[k];
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const uint32_t first = t->key[pair->a].slot;
    *number = (pair->slot - first) / SN_CONTACT_BLOCK;
    return &t->told[first];
}

static bool touched(const sn_world *world, int kind, size_t k) {
    uint32_t number;
    return told_of(world, kind, k, &number)->touched >> number & 1;
}

/* Whether it is the first of its run that touched. */
static bool leads(const sn_world *world, int kind, size_t k) {
    if (!touched(world, kind, k)) return false;
    for (size_t i = k; i > 0 && is_same(world, kind, i - 1, k); i--)
        if (touched(world, kind, i - 1)) return false;
    return true;
}

static size_t next(const sn_world *world, int kind, size_t from, size_t end) {
    while (from < end && !leads(world, kind, from)) from++;
    return from;
}

/* The order of records is that of keys: of nodes, then of colliders. */
static void key(const sn_world *world, int kind, size_t k, sn_contact *contact) {
    sn_rigid_contact c = contact_at(world, kind, k);
    contact->nodes[0] = sn_contact_node(world, c.search->node[0]);
    contact->collider = sn_contact_collider(world, c.search->collider);
}

/* Where it touches, its normal, and the impulses of all of the run; what bears most says where. */
static void fill(const sn_world *world, int kind, size_t k, sn_contact *contact, sn_vec4 *stuck) {
    (void)stuck;
    const sn_contact_set *set = &sn_contacts_of(world)->set[kind];
    const size_t begin = k;
    size_t most = k;
    sn_v4 impulse = {0}, normal = {0};
    sn_real along = 0, bears = 0;
    for (uint32_t number; k < set->count && is_same(world, kind, begin, k);) {
        const sn_rigid_told *own = told_of(world, kind, k, &number);
        const size_t first = k - number, unit = set->pair[k].a;
        if (own->touched && (k == begin || own->normal.w > bears)) {
            most = first + own->bears;
            bears = own->normal.w;
            normal = sn_v4_load(&own->normal);
        }
        impulse += sn_v4_load(&own->impulse);
        along += own->impulse.w;
        while (k < set->count && set->pair[k].a == unit) k++;
    }
    impulse[3] = 0;
    const sn_rigid_contact c = contact_at(world, kind, most);
    const uint32_t i = c.search->node[0];
    sn_v4 point = sn_v4_load(&world->nodes.x[i]) + sn_v4_load(&world->nodes.d[i]);
    if (c.search->point)
        point += sn_quat_rotate(sn_v4_load(&world->frames.q[world->nodes.frame[i] - 1]),
                                sn_v4_load(&c.search->at));
    point -= *sn_row(c.row, SN_ROW_LIMIT) * normal;
    contact->weights[0] = 1;
    contact->point = (sn_vec3){point[0], point[1], point[2]};
    contact->normal = (sn_vec3){normal[0], normal[1], normal[2]};
    sn_contact_set_impulse(contact, impulse, along);
}

static void touch(const sn_world *world, int kind, size_t k, sn_real weight[SN_CONTACT_MOST_NODES],
                  sn_v4 *motion) {
    sn_rigid_contact c = contact_at(world, kind, k);
    weight[0] = 1;
    weight[1] = c.search->node[0] == c.search->node[1] ? 0 : -1;
    *motion = sn_rigid_contact_motion(world, &c);
}

static void arms(const sn_world *world, int kind, size_t k, bool then, sn_v4 arm[2]) {
    const sn_rigid_contact c = contact_at(world, kind, k);
    const sn_v4 normal = sn_row_vector(c.row, SN_ROW_NORMAL);
    if (then)
        sn_rigid_contact_swept_arms(world, &c, normal, arm);
    else
        sn_rigid_contact_arms(world, &c, normal, false, arm);
}

/* m: how deep a point is in a collider, where both are now. */
static double point_depth(const sn_world *world, const sn_rigid_search *search) {
    const sn_nodes *n = &world->nodes;
    sn_v4 normal;
    if (search->manifold == SN_RIGID_APART) return 0;
    if (search->manifold) return (double)sn_rigid_manifold_depth(world, search, false, &normal);
    const uint32_t i = search->node[0];
    const sn_collider_def *def = &sn_colliders_of(world)->state[search->collider].def;
    sn_v4 q = {def->orientation.x, def->orientation.y, def->orientation.z, def->orientation.w};
    sn_v4 at =
        sn_quat_rotate(sn_v4_load(&world->frames.q[n->frame[i] - 1]), sn_v4_load(&search->at));
    sn_v4 relative = (sn_v4_load(&n->x[i]) - sn_v4_of(def->position)) + sn_v4_load(&n->d[i]);
    sn_v4 local = sn_quat_rotate_back(q, relative + at);
    return (double)(search->at.w - sn_shape_distance_to(def, search->part, local, &normal));
}

/* m: how deep a node is in a collider, whoever carries that, or the deepest point of what it
   carries. */
static double depth(const sn_world *world, const sn_contact *contact) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[SN_CONTACT_RIGID];
    double most = 0;
    bool points = false;
    const size_t node = contact->nodes[0].slot - 1;
    for (size_t k = set->count > 0 ? t->begin[node] : 0; k < set->count; k++) {
        const sn_rigid_search *search = &t->search[set->pair[k].slot];
        if (search->node[0] != node) break;
        if (!search->point || search->collider + 1 != contact->collider.slot) continue;
        points = true;
        double deep = point_depth(world, search);
        if (deep > most) most = deep;
    }
    return points ? most : sn_collider_contact_report.depth(world, contact);
}

static const sn_contact_report report = {
    .pairs = pairs,
    .next = next,
    .key = key,
    .fill = fill,
    .touch = touch,
    .arms = arms,
    .depth = depth,
};

const sn_contact_kind_def sn_rigid_contact_kind = {&sn_collider_contact_group, &report, NULL};
