/*
 * A seam wants two nodes in one place, an attachment wants one on a triangle: contacts would push
 * them apart again by their radii. Elements with such nodes therefore do not touch, as if they
 * shared a node. Where several panels come together the seams are followed by union-find, with the
 * lowest slot as the root, so that their order does not matter.
 *
 * Nodes of a solid that was cut lie where their copies lie, and so do the faces of the cut: which
 * side of each other they are on cannot be told. They count as one node here as well, unless they
 * were set back from each other (fracture/cut_walls.c).
 */
#include "contact/surface/contact_exclusion.h"

#include "base/union_find.h"
#include "collision/collision_state.h"
#include "state/system.h"

static void add(sn_contact_exclusion *exclusion, sn_members members) {
    uint32_t node[4] = {0};
    for (int n = 0; n < members.nodes; n++) node[n] = (uint32_t)sn_member(members, n);
    if (members.nodes == 2) {
        sn_sets_join(exclusion->root, node[0], node[1]);
        return;
    }
    uint32_t *hold = exclusion->hold[node[0]];
    if (hold[0] != node[0]) return;
    for (int k = 0; k < 3; k++) hold[k] = node[k + 1 < members.nodes ? k + 1 : 1];
}

/* Whether two nodes have one place at rest. */
static bool are_one(const sn_collision_surfaces *surfaces, uint32_t a, uint32_t b) {
    if (a >= surfaces->node_capacity || b >= surfaces->node_capacity) return true;
    const sn_vec4 *x = &surfaces->rest[a], *y = &surfaces->rest[b];
    return x->x == y->x && x->y == y->y && x->z == y->z;
}

static void count_copy(void *context, uint32_t node, uint32_t origin) {
    *(size_t *)context += node != origin;
}

/* What nodes are joined with, and where they are at rest. */
typedef struct copies {
    sn_contact_exclusion *exclusion;
    const sn_collision_surfaces *surfaces;
} copies;

static void add_copy(void *context, uint32_t node, uint32_t origin) {
    const copies *c = context;
    if (are_one(c->surfaces, node, origin)) sn_sets_join(c->exclusion->root, node, origin);
}

static void exclude_copies(const sn_world *world, sn_visit_nodes *visit, void *context) {
    for (size_t i = 0; i < world->bindings.systems.count; i++)
        if (world->bindings.systems.system[i]->exclude)
            world->bindings.systems.system[i]->exclude(world, visit, context);
}

bool sn_contact_exclusion_find(const sn_world *world, sn_memory *memory,
                               sn_contact_exclusion *exclusion) {
    size_t nodes = world->nodes.slots.count, held = 0;
    for (size_t s = 0; s < world->store_count; s++)
        if (world->store[s].type->joins) held += world->store[s].count;
    exclude_copies(world, count_copy, &held);
    exclusion->any = held > 0;
    if (!exclusion->any) return true;
    if (!sn_reserve(memory, (void **)&exclusion->root, &exclusion->root_capacity, nodes,
                    sizeof *exclusion->root) ||
        !sn_reserve(memory, (void **)&exclusion->hold, &exclusion->hold_capacity, nodes,
                    sizeof *exclusion->hold))
        return false;
    for (uint32_t i = 0; i < nodes; i++)
        exclusion->root[i] = exclusion->hold[i][0] = exclusion->hold[i][1] = exclusion->hold[i][2] =
            i;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        for (uint8_t c = 0; store->type->joins && c < SN_COLOURS; c++)
            for (uint32_t i = 0; i < store->colour[c].count; i++)
                if (!sn_store_is_off(store, (sn_place){c, i}))
                    add(exclusion, sn_store_members(store, (sn_place){c, i}));
    }
    exclude_copies(world, add_copy, &(copies){exclusion, sn_collision_surfaces_of(world)});
    for (uint32_t i = 0; i < nodes; i++) exclusion->root[i] = sn_sets_root(exclusion->root, i);
    return true;
}

void sn_contact_exclusion_free(sn_contact_exclusion *exclusion, sn_memory *memory) {
    sn_free(memory, exclusion->root, exclusion->root_capacity, sizeof *exclusion->root);
    sn_free(memory, exclusion->hold, exclusion->hold_capacity, sizeof *exclusion->hold);
    *exclusion = (sn_contact_exclusion){0};
}
