/* Which elements of collision surfaces touched in a step, and what the next one must know of it. */
#include "collision/collider_pose.h"
#include "contact/surface/surface_pair.h"

#include <math.h>

enum { PAIRS_ALONE = 1024 };

/* ---- Contacts of the step ---- */

static size_t pairs(const sn_world *world, int kind) {
    return sn_surface_contacts_of(world) ? sn_surface_contacts_of(world)->set[kind].count : 0;
}

static bool crossed(const sn_world *world, int kind, size_t k) {
    const sn_contact_set *set = &sn_surface_contacts_of(world)->set[kind];
    return *sn_contact_at(set, set->pair[k].slot, SN_ROW_CROSSED) > 0;
}

static size_t next(const sn_world *world, int kind, size_t from, size_t end) {
    const sn_contact_set *set = &sn_surface_contacts_of(world)->set[kind];
    for (; from < end; from++) {
        uint32_t slot = set->pair[from].slot;
        if (*sn_contact_at(set, slot, SN_ROW_NORMAL_IMPULSE) > 0 ||
            *sn_contact_at(set, slot, SN_ROW_CROSSED) > 0)
            break;
    }
    return from;
}

static void key(const sn_world *world, int kind, size_t k, sn_contact *contact) {
    const sn_contact_pair *pair = &sn_surface_contacts_of(world)->set[kind].pair[k];
    uint32_t node[SN_CONTACT_MOST_NODES];
    sn_surface_pair_node_list(sn_surface_contacts_of(world), kind, pair->a, pair->b, node);
    for (int i = 0; i < sn_contact_nodes(kind); i++)
        contact->nodes[i] = sn_contact_node(world, node[i]);
}

static sn_v4 vector_at(const sn_contact_set *set, uint32_t slot, int row) {
    return sn_row_vector(sn_contact_rows(set, slot), row);
}

/* m: what friction has still to take back of a pair that touched to the end of the step, with its
   motion in the last substep. */
static sn_v4 stuck_of(const sn_world *world, int kind, uint32_t slot, const sn_contact *contact) {
    const sn_contact_set *set = &sn_surface_contacts_of(world)->set[kind];
    const sn_previous_positions *was = &sn_surface_contacts_of(world)->was;
    const sn_nodes *n = &world->nodes;
    sn_v4 stuck = vector_at(set, slot, SN_ROW_OFFSET);
    for (int i = 0; i < sn_contact_nodes(kind); i++) {
        uint32_t at = contact->nodes[i].slot - 1;
        sn_v4 moved = (sn_v4_load(&n->x[at]) - sn_v4_load(&was->x[was->now][at])) +
                      (sn_v4_load(&n->p[at]) - sn_v4_load(&was->p[was->now][at]));
        stuck += (i < sn_contact_first[kind] ? contact->weights[i] : -contact->weights[i]) * moved;
    }
    stuck[3] = 0;
    bool holds = *sn_contact_at(set, slot, SN_ROW_PUSH) > 0 && sn_v4_is_finite(stuck);
    return holds ? stuck : (sn_v4){0, 0, 0, 0};
}

static void fill(const sn_world *world, int kind, size_t k, sn_contact *contact, sn_vec4 *stuck) {
    const sn_contact_set *set = &sn_surface_contacts_of(world)->set[kind];
    const sn_nodes *n = &world->nodes;
    uint32_t node[SN_CONTACT_MOST_NODES] = {0}, slot = set->pair[k].slot;
    sn_real weight[SN_CONTACT_MOST_NODES];
    for (int i = 0; i < sn_contact_nodes(kind); i++) node[i] = contact->nodes[i].slot - 1;
    (void)sn_surface_pair_between_any(n, kind, node, weight);
    sn_v4 point = {0};
    for (int i = 0; i < sn_contact_nodes(kind); i++) {
        contact->weights[i] = i < sn_contact_first[kind] ? weight[i] : -weight[i];
        point += SN_R(0.5) * contact->weights[i] * sn_v4_load(&n->x[node[i]]);
    }
    if (kind == SN_CONTACT_POINT_POINT && sn_world_is_periodic(world)) {
        sn_v4 way = sn_v4_load(&n->x[node[0]]) - sn_v4_load(&n->x[node[1]]);
        point = sn_v4_load(&n->x[node[0]]) -
                SN_R(0.5) * sn_surface_pair_shortest(world, SN_CONTACT_POINT_POINT, way);
    }
    sn_v4 normal = vector_at(set, slot, SN_ROW_NORMAL);
    contact->point = (sn_vec3){point[0], point[1], point[2]};
    contact->normal = (sn_vec3){normal[0], normal[1], normal[2]};
    sn_contact_set_impulse(contact, vector_at(set, slot, SN_ROW_IMPULSE),
                           *sn_contact_at(set, slot, SN_ROW_NORMAL_IMPULSE));
    sn_v4_store(stuck, stuck_of(world, kind, slot, contact));
}

static void touch(const sn_world *world, int kind, size_t k, sn_real weight[SN_CONTACT_MOST_NODES],
                  sn_v4 *motion) {
    const sn_contact_pair *pair = &sn_surface_contacts_of(world)->set[kind].pair[k];
    uint32_t node[SN_CONTACT_MOST_NODES];
    sn_surface_pair_node_list(sn_surface_contacts_of(world), kind, pair->a, pair->b, node);
    (void)sn_surface_pair_between_any(&world->nodes, kind, node, weight);
    *motion = (sn_v4){0};
}

/* m, by where the nodes are now; 0 where a node has lost its collision surface. How close two may
   come is what the loops keep them apart by (surface_pair.h); on the wrong side of each other they
   are deeper than that, by how far they are apart there. */
static double depth(const sn_world *world, const sn_contact *contact) {
    int kind = (int)contact->kind;
    uint32_t node[SN_CONTACT_MOST_NODES] = {0};
    sn_real weight[SN_CONTACT_MOST_NODES];
    for (int i = 0; i < sn_contact_nodes(kind); i++) {
        node[i] = contact->nodes[i].slot - 1;
        if (sn_collision_surfaces_of(world)->of_node[node[i]] == 0) return 0;
    }
    sn_v4 apart = sn_surface_pair_between_any(&world->nodes, kind, node, weight);
    apart = sn_surface_pair_shortest(world, kind, apart);
    sn_real limit =
        sn_surface_pair_limit_any(world, kind, node, sn_surface_pair_radii(world, kind, node));
    double distance = sqrt((double)sn_v4_dot(apart, apart));
    bool wrong = sn_v4_dot(apart, sn_v4_of(contact->normal)) < 0;
    return (double)limit + (wrong ? distance : -distance);
}

const sn_contact_report sn_surface_contact_report = {
    .pairs = pairs,
    .next = next,
    .key = key,
    .fill = fill,
    .touch = touch,
    .crossed = crossed,
    .depth = depth,
};

/* ---- The end of a step ---- */

/* Whether the next step may go on with the pairs of this one, if it is as long: nothing has become
   kinematic, no seam has opened, and nobody went another way. */
static void keep_reach(sn_world *world) {
    const sn_surface_contacts *m = sn_surface_contacts_of(world);
    sn_reach *reach = &sn_collision_surfaces_of(world)->reach;
    reach->found -= m->dt;
    reach->kept = m->whole && world->sleep.count == 0 && sn_untangle_of(world)->crossings == 0 &&
                  !m->has_tangles && world->output.breaks == 0 && world->output.freezes == 0 &&
                  reach->found + reach->horizon + 0.5 * m->h > m->dt;
}

void sn_surface_contact_end(sn_world *world) {
    const sn_surface_contacts *m = sn_surface_contacts_of(world);
    if (!m || !sn_surface_contact_is_needed(world)) {
        sn_collision_surfaces_of(world)->reach.kept = false;
        return;
    }
    keep_reach(world);
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++)
        world->output.stats.candidates += m->set[kind].count;
    world->output.stats.detections = m->finds;
    world->output.stats.crossings = sn_untangle_of(world)->crossings;
}

/* ---- The beginning of the next ---- */

/* What sticks goes on to do so: as if it had been pushed in a substep before this one. */
static void recall_stuck(const sn_contact_set *set, uint32_t slot, sn_v4 stuck) {
    for (int i = 0; i < 3; i++) *sn_contact_at(set, slot, SN_ROW_OFFSET + i) = stuck[i];
    *sn_contact_at(set, slot, SN_ROW_PUSH) = 1;
}

/* A contact of the last step goes on. Pairs that ended it on the wrong side of each other still
   belong on the other. */
static void recall_pair(const sn_world *world, const sn_contact_set *set, uint32_t slot,
                        size_t old) {
    const sn_contact_list *list = &world->contacts;
    sn_v4 side = sn_v4_of(list->contact[old].normal), stuck = sn_v4_load(&list->stuck[old]);
    if (!sn_surface_contact_recall_placed(world, old, &side, &stuck)) return;
    recall_stuck(set, slot, stuck);
    if (!(sn_v4_dot(side, vector_at(set, slot, SN_ROW_NORMAL)) < 0)) return;
    for (int i = 0; i < 3; i++) *sn_contact_at(set, slot, SN_ROW_NORMAL + i) = side[i];
    *sn_contact_at(set, slot, SN_ROW_CROSSED) = 1;
}

typedef struct recalling {
    const sn_world *world;
    int kind;
    size_t last; /* where the contacts of the kind end */
} recalling;

static void recall_range(void *context, size_t begin, size_t end) {
    const recalling *r = context;
    const sn_contact_list *list = &r->world->contacts;
    const sn_contact_set *set = &sn_surface_contacts_of(r->world)->set[r->kind];
    size_t old = 0;
    for (size_t k = begin; k < end; k++) {
        sn_contact wanted = {.kind = (sn_contact_kind)r->kind};
        key(r->world, r->kind, k, &wanted);
        if (k == begin) old = sn_contact_list_seek(list, &wanted);
        while (old < r->last && sn_contact_compare(&list->contact[old], &wanted) < 0) old++;
        if (old >= r->last) return;
        const sn_contact *known = &list->contact[old];
        if (sn_contact_is_same(known, &wanted) && known->phase != SN_CONTACT_END)
            recall_pair(r->world, set, set->pair[k].slot, old);
    }
}

void sn_surface_contact_recall(sn_world *world, sn_surface_contacts *surface_contacts) {
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        recalling r = {world, kind, sn_contact_list_begin(&world->contacts, kind + 1)};
        if (r.last == sn_contact_list_begin(&world->contacts, kind)) continue;
        sn_team_run(world->bindings.team, surface_contacts->set[kind].count, PAIRS_ALONE,
                    recall_range, &r);
    }
}
