/*
 * Contacts of the last step whose nodes a call has placed elsewhere.
 *
 * On which side of each other two things belong, and what friction has still to take back, are
 * directions of the world. Where a program places nodes (sn_node_set_position), as of a pile that
 * is turned as a whole, they would be wrong. So the first such call after a step keeps two
 * directions of every pair that turn with it, and the next step turns what it recalls as these have
 * turned. A pair without such directions, as of two balls, is recalled where its distance is as it
 * was, and begins anew otherwise.
 */
#include "contact/surface/surface_pair.h"

#include <string.h>

/* A length of a contact, relative, that counts as the same: more than rounding makes of it. */
#define SAME SN_R(1e-3)

static sn_v4 unit(sn_v4 a) {
    sn_real length = sn_v4_length(a);
    return a * (length > 0 ? 1 / length : 0);
}

/* Along an edge, and across the surface or both edges; or what is between them, and nothing. */
static void look(const sn_world *world, const sn_contact *contact, sn_v4 own[2]) {
    int kind = (int)contact->kind, nodes = sn_contact_nodes(kind);
    uint32_t node[SN_CONTACT_MOST_NODES] = {0};
    sn_real weight[SN_CONTACT_MOST_NODES];
    sn_v4 x[SN_CONTACT_MOST_NODES] = {{0}};
    for (int i = 0; i < nodes; i++) {
        node[i] = contact->nodes[i].slot - 1;
        x[i] = sn_v4_load(&world->nodes.x[node[i]]);
    }
    bool edges = kind == SN_CONTACT_EDGE_EDGE;
    if (edges || kind == SN_CONTACT_POINT_TRIANGLE) {
        sn_v4 a = edges ? x[1] - x[0] : x[2] - x[1], b = x[3] - (edges ? x[2] : x[1]);
        sn_v4 across = sn_v4_cross(unit(a), unit(b));
        own[0] = unit(a);
        own[1] = unit(across);
        if (sn_v4_length(across) > SN_R(0.05)) return;
    }
    own[0] = sn_surface_pair_between_any(&world->nodes, kind, node, weight);
    own[0][3] = 0;
    own[1] = (sn_v4){0};
}

bool sn_surface_contact_place(sn_world *world) {
    sn_contact_list *list = &world->contacts;
    size_t count = sn_contact_list_begin(list, SN_SURFACE_CONTACT_KINDS);
    if (list->placed || count == 0) return true;
    if (!sn_reserve(&world->memory, (void **)&list->own, &list->own_capacity, count,
                    sizeof *list->own))
        return false;
    for (size_t i = 0; i < count; i++) {
        sn_v4 own[2];
        look(world, &list->contact[i], own);
        for (int k = 0; k < 2; k++) sn_v4_store(&list->own[i].direction[k], own[k]);
    }
    list->placed = true;
    return true;
}

/* By how much a turn has taken directions from one to the other. */
static sn_v4 turned(sn_v4 a, const sn_v4 from[2], const sn_v4 to[2]) {
    return sn_v4_dot(a, from[0]) * to[0] + sn_v4_dot(a, from[1]) * to[1] +
           sn_v4_dot(a, sn_v4_cross(from[0], from[1])) * sn_v4_cross(to[0], to[1]);
}

bool sn_surface_contact_recall_placed(const sn_world *world, size_t at, sn_v4 *side, sn_v4 *stuck) {
    const sn_contact_list *list = &world->contacts;
    if (!list->placed) return true;
    sn_v4 now[2], was[2];
    look(world, &list->contact[at], now);
    for (int k = 0; k < 2; k++) was[k] = sn_v4_load(&list->own[at].direction[k]);
    if (memcmp(now, was, sizeof was) == 0) return true;
    bool turns = sn_v4_length(now[1]) > 0 && sn_v4_length(was[1]) > 0;
    if (!turns) {
        sn_v4 moved = now[0] - was[0];
        return sn_v4_length(now[1] - was[1]) == 0 &&
               sn_v4_length(moved) <= SAME * sn_v4_length(was[0]);
    }
    *side = turned(*side, was, now);
    *stuck = turned(*stuck, was, now);
    return true;
}
