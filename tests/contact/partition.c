/*
 * Pairs that are solved at the same time have no node in common that they can move: not in the
 * lanes of a block, and not in two groups of a layer, which threads may take. Every pair is in one
 * block, in the group where its nodes say; and where there are many pairs, most are within slabs.
 */
#include "check.h"
#include "contact/surface/surface_pair.h"

#include <scenes.h>
#include <stdlib.h>
#include <string.h>

typedef struct looking {
    const sn_world *world;
    const sn_surface_contact_set *set;
    int kind;
    uint32_t *by; /* of every node, who has it: of this block, or of this layer */
} looking;

/* A lane has nodes, or works on the one that is none. */
static bool is_used(const looking *l, size_t slot) {
    return *sn_surface_pair_node_at(l->set, l->kind, (uint32_t)slot, 0) >= 0;
}

/* Takes the nodes of a lane that can move for somebody; false where another has one of them. */
static bool take(const looking *l, size_t slot, uint32_t who, bool shared) {
    bool is_free = true;
    for (int n = 0; n < sn_contact_nodes(l->kind); n++) {
        int32_t at =
            *sn_surface_pair_node_at(l->set, l->kind, (uint32_t)slot, n) / (int32_t)SN_NODE_BYTES;
        if (!(l->world->nodes.w[at] > 0)) continue;
        if (l->by[at] != 0 && (!shared || l->by[at] != who)) is_free = false;
        l->by[at] = who;
    }
    return is_free;
}

static void clear(const looking *l) {
    memset(l->by, 0, l->world->nodes.slots.count * sizeof *l->by);
}

static void check_blocks(const looking *l) {
    size_t used = 0;
    for (size_t b = 0; b < l->set->blocks; b++) {
        clear(l);
        for (size_t slot = b * SN_SURFACE_CONTACT_BLOCK; slot < (b + 1) * SN_SURFACE_CONTACT_BLOCK;
             slot++) {
            if (!is_used(l, slot)) continue;
            CHECK(take(l, slot, 1, false));
            used++;
        }
    }
    CHECK(used == l->set->count);
}

/* Returns how many pairs a layer has. */
static size_t check_layer(const looking *l, int layer) {
    size_t groups = sn_surface_contact_groups(l->set),
           begin = sn_surface_contact_layer(l->set, layer), pairs = 0;
    clear(l);
    for (size_t round = 0; round < l->set->rounds; round++)
        for (size_t g = begin; g < sn_surface_contact_layer(l->set, layer + 1); g++) {
            const size_t *first = l->set->first + round * (groups + 1) + g;
            CHECK(first[0] <= first[1] && first[1] <= l->set->blocks);
            for (size_t slot = first[0] * SN_SURFACE_CONTACT_BLOCK;
                 slot < first[1] * SN_SURFACE_CONTACT_BLOCK; slot++) {
                if (!is_used(l, slot)) continue;
                CHECK(take(l, slot, (uint32_t)(g + 1), true));
                pairs++;
            }
        }
    return pairs;
}

/* Pairs say where they are. */
static void check_slots(const looking *l) {
    for (size_t k = 0; k < l->set->count; k++) {
        const sn_surface_pair *pair = &l->set->pair[k];
        uint32_t node[SN_CONTACT_MOST_NODES];
        sn_surface_pair_node_list(l->world->scratch.surface_contacts, l->kind, pair->a, pair->b,
                                  node);
        if (!CHECK(pair->slot < l->set->blocks * SN_SURFACE_CONTACT_BLOCK)) return;
        for (int n = 0; n < sn_contact_nodes(l->kind); n++)
            CHECK(*sn_surface_pair_node_at(l->set, l->kind, pair->slot, n) ==
                  (int32_t)(node[n] * SN_NODE_BYTES));
    }
}

static void check_sets(const sn_world *world, size_t least) {
    looking l = {.world = world};
    size_t all = 0, within = 0;
    l.by = malloc(world->nodes.slots.count * sizeof *l.by);
    if (!CHECK(l.by != NULL)) return;
    for (l.kind = 0; l.kind < SN_SURFACE_CONTACT_KINDS; l.kind++) {
        l.set = &world->scratch.surface_contacts->set[l.kind];
        size_t pairs = 0;
        if (l.set->count == 0) continue;
        CHECK(l.set->slabs >= least);
        check_slots(&l);
        check_blocks(&l);
        for (int layer = 0; layer < SN_SURFACE_CONTACT_LAYERS; layer++) {
            size_t here = check_layer(&l, layer);
            if (layer == 0) within += here;
            pairs += here;
        }
        CHECK(pairs == l.set->count);
        all += pairs;
    }
    CHECK(2 * within > all);
    free(l.by);
}

TEST(a_heap_of_balls) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(scene_balls(world, 20));
    for (int i = 0; i < 12; i++) {
        REQUIRE_OK(sn_world_step(world, SCENE_DT));
        if (i % 4 == 3) check_sets(world, 2);
    }
    sn_world_destroy(world);
}

/* Some of its pairs are found in the middle of steps, as rounds of their own. */
TEST(a_cloth_that_crumples) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    size_t rounds = 0;
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(scene_s6(world, SCENE_SELF_SURFACE, NULL));
    for (int i = 1; i <= 40; i++) {
        REQUIRE_OK(sn_world_step(world, SCENE_DT));
        if (i < 20 || i % 5 != 0) continue;
        check_sets(world, 1);
        rounds += world->scratch.surface_contacts->set[SN_CONTACT_EDGE_EDGE].rounds;
    }
    CHECK(rounds > 5);
    sn_world_destroy(world);
}

TESTS(RUN(a_heap_of_balls), RUN(a_cloth_that_crumples))
