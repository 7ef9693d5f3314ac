/*
 * What is worn over each other. Of two collision surfaces in different layers it is known which is
 * outside, and where that is: in front of the triangles of the inner one, and behind those of the
 * outer one. So a pair that is on the wrong side of each other when pairs are found is put on the
 * right one, and comes there as what passed in a step does (crossed_pairs.c), with the recovery
 * speed; no history is asked.
 *
 *   point and triangle   the normal of the triangle tells, where they face each other
 *   two edges            the mean normal of the faces beside the inner edge
 *
 * Both must agree on where the front is: in a fold a surface looks the other way.
 *
 * On the wrong side, edges, what does not face each other, and what is further away than layers
 * that touch have no contact: it would hold them there, or push to and fro where surfaces pass
 * through each other. Points, and untangling, take them along.
 */
#include "collision/collider_pose.h"
#include "contact/surface/surface_pair.h"

enum { PAIRS_ALONE = 256 };

/* Of their limit: what is further away is not the next layer. */
static const sn_real FURTHEST = 2;
/* Cosine of the fronts of both. */
static const sn_real LEAST_AGREEMENT = SN_R(0.3);

static bool has_layer(const sn_collision_surface_def *def) {
    return def->layer > 0;
}

bool sn_layered_pairs_are_needed(const sn_world *world) {
    return sn_collision_surfaces_any(sn_collision_surfaces_of(world), has_layer);
}

typedef struct orienting {
    sn_world *world;
    int kind;
} orienting;

static sn_v4 unit(sn_v4 a) {
    sn_real length = sn_v4_length(a);
    return a * (length > 0 ? 1 / length : 0);
}

/* From one node to another when the substep began. */
static sn_v4 way(const sn_nodes *n, uint32_t from, uint32_t to) {
    sn_v4 far = sn_v4_load(&n->x[to]) - sn_v4_load(&n->x[from]);
    far += sn_v4_load(&n->p[to]) - sn_v4_load(&n->p[from]);
    far[3] = 0;
    return far;
}

/* Twice the area, as a vector to the front. */
static sn_v4 front_of(const sn_nodes *n, const uint32_t t[3]) {
    return sn_v4_cross(way(n, t[0], t[1]), way(n, t[0], t[2]));
}

/* The front of the faces around a node, or of those of them that have another node as well; zero
   where there are none. */
static sn_v4 front_around(const sn_world *world, uint32_t node, uint32_t other) {
    const sn_surface_contacts *m = sn_surface_contacts_of(world);
    const sn_surface_contact_around *of = &m->triangles_of;
    sn_v4 sum = {0};
    for (uint32_t i = of->begin[node]; i < of->begin[node + 1]; i++) {
        const uint32_t *t = &m->list[SN_SURFACE_CONTACT_TRIANGLE].node[3 * (size_t)of->item[i]];
        if (t[0] == other || t[1] == other || t[2] == other) sum += front_of(&world->nodes, t);
    }
    return unit(sum);
}

/* In folds a surface looks the other way: who is outside tells nothing there. */
static bool agree(sn_v4 a, sn_v4 b) {
    return sn_v4_dot(a, b) > LEAST_AGREEMENT;
}

int sn_layered_pairs_order(const sn_world *world, const uint32_t edge[2],
                           const uint32_t triangle[3]) {
    int layers = sn_surface_pair_layers(world, edge[0], triangle[0]);
    if (layers == 0) return 0;
    sn_v4 front = front_around(world, edge[0], edge[1]);
    return agree(front, unit(front_of(&world->nodes, triangle))) ? layers : 0;
}

/* The direction from the second to the first on the right side; zero where nothing tells. */
static sn_v4 right_side(const sn_world *world, int kind, const uint32_t *node) {
    int layers = sn_surface_pair_layers(world, node[0], node[sn_contact_first[kind]]);
    sn_real sign = layers > 0 ? 1 : -1;
    bool points = kind == SN_CONTACT_POINT_TRIANGLE;
    sn_v4 first = front_around(world, node[0], node[points ? 0 : 1]);
    sn_v4 second =
        points ? unit(front_of(&world->nodes, node + 1)) : front_around(world, node[2], node[3]);
    if (!agree(first, second)) return (sn_v4){0};
    return sign * (points || layers > 0 ? second : first);
}

static void set_side(const sn_contact_set *set, uint32_t slot, sn_v4 normal, sn_real crossed) {
    for (int i = 0; i < 3; i++) *sn_contact_at(set, slot, SN_ROW_NORMAL + i) = normal[i];
    *sn_contact_at(set, slot, SN_ROW_CROSSED) = crossed;
}

static void orient(const sn_world *world, const sn_contact_set *set, int kind, uint32_t slot,
                   const uint32_t *node) {
    sn_real weight[SN_CONTACT_MOST_NODES];
    sn_v4 right = right_side(world, kind, node);
    sn_v4 r = sn_surface_pair_between_any(&world->nodes, kind, node, weight);
    sn_v4 now = sn_row_vector(sn_contact_rows(set, slot), SN_ROW_NORMAL);
    sn_real far = FURTHEST * *sn_contact_at(set, slot, SN_ROW_LIMIT);
    r[3] = 0;
    if (!(sn_v4_dot(right, right) > 0)) return;
    bool faces = kind == SN_CONTACT_POINT_TRIANGLE && sn_v4_dot(r, r) < far * far;
    for (int n = 0; n < SN_CONTACT_MOST_NODES; n++) faces = faces && weight[n] != 0;
    if (!(sn_v4_dot(r, right) < 0)) {
        /* They may have been held on the other side. */
        if (sn_v4_dot(now, right) < 0) set_side(set, slot, unit(r), SN_CONTACT_UNKNOWN);
    } else if (faces) {
        set_side(set, slot, right, 1);
    } else {
        *sn_contact_at(set, slot, SN_ROW_LIMIT) = 0;
        set_side(set, slot, (sn_v4){0}, 0);
    }
}

static void orient_range(void *context, size_t begin, size_t end) {
    const orienting *o = context;
    const sn_surface_contacts *m = sn_surface_contacts_of(o->world);
    const sn_contact_set *set = &m->set[o->kind];
    for (size_t k = begin; k < end; k++) {
        uint32_t node[SN_CONTACT_MOST_NODES], slot = set->pair[k].slot;
        sn_surface_pair_node_list(m, o->kind, set->pair[k].a, set->pair[k].b, node);
        if (sn_surface_pair_layers(o->world, node[0], node[sn_contact_first[o->kind]]) != 0)
            orient(o->world, set, o->kind, slot, node);
    }
}

void sn_layered_pairs_orient(sn_world *world) {
    if (!sn_layered_pairs_are_needed(world)) return;
    for (int kind = SN_CONTACT_POINT_TRIANGLE; kind <= SN_CONTACT_EDGE_EDGE; kind++) {
        orienting o = {world, kind};
        sn_team_run(world->bindings.team, sn_surface_contacts_of(world)->set[kind].count,
                    PAIRS_ALONE, orient_range, &o);
    }
}
