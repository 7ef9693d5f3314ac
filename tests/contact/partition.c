/*
 * Pairs that are solved at the same time have no node in common that they can move: not in the
 * lanes of a block, and not in two groups of a layer, which threads may take. Every pair is in one
 * block, in the group where its nodes say; and where there are many pairs, most are within slabs.
 */
#include "check.h"
#include "contact/rigid/rigid_rounds.h"
#include "contact/surface/surface_pair.h"

#include <math.h>
#include <scenes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct looking {
    const sn_world *world;
    const sn_contact_set *set;
    sn_contact_features features;
    int kind;
    uint32_t *by; /* of every node, who has it: of this block, or of this layer */
} looking;

/* A lane has nodes, or works on the one that is none. */
static bool is_used(const looking *l, size_t slot) {
    return *sn_contact_node_at(l->set, l->kind, (uint32_t)slot, 0) >= 0;
}

/* Takes the nodes of a lane that can move for somebody; false where another has one of them. */
static bool take(const looking *l, size_t slot, uint32_t who, bool shared) {
    bool is_free = true;
    for (int n = 0; n < sn_contact_nodes(l->kind); n++) {
        int32_t at =
            *sn_contact_node_at(l->set, l->kind, (uint32_t)slot, n) / (int32_t)SN_NODE_BYTES;
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
        for (size_t slot = b * SN_CONTACT_BLOCK; slot < (b + 1) * SN_CONTACT_BLOCK; slot++) {
            if (!is_used(l, slot)) continue;
            CHECK(take(l, slot, 1, false));
            used++;
        }
    }
    CHECK(used == l->set->count);
}

/* Returns how many pairs a layer has. */
static size_t check_layer(const looking *l, int layer) {
    size_t groups = sn_contact_groups(l->set), begin = sn_contact_layer(l->set, layer), pairs = 0;
    clear(l);
    for (size_t round = 0; round < l->set->rounds; round++)
        for (size_t g = begin; g < sn_contact_layer(l->set, layer + 1); g++) {
            const size_t *first = l->set->first + round * (groups + 1) + g;
            CHECK(first[0] <= first[1] && first[1] <= l->set->blocks);
            for (size_t slot = first[0] * SN_CONTACT_BLOCK; slot < first[1] * SN_CONTACT_BLOCK;
                 slot++) {
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
        const sn_contact_pair *pair = &l->set->pair[k];
        uint32_t node[SN_CONTACT_MOST_NODES];
        sn_contact_nodes_of(l->features, l->kind, pair->a, pair->b, node);
        if (!CHECK(pair->slot < l->set->blocks * SN_CONTACT_BLOCK)) return;
        for (int n = 0; n < sn_contact_nodes(l->kind); n++)
            CHECK(*sn_contact_node_at(l->set, l->kind, pair->slot, n) ==
                  (int32_t)(node[n] * SN_NODE_BYTES));
    }
}

/* Returns how many pairs are within slabs. */
static size_t check_set(const looking *l, size_t least) {
    size_t pairs = 0, within = 0;
    if (l->set->count == 0) return 0;
    CHECK(l->set->slabs >= least);
    check_slots(l);
    check_blocks(l);
    for (int layer = 0; layer < SN_CONTACT_LAYERS; layer++) {
        size_t here = check_layer(l, layer);
        if (layer == 0) within = here;
        pairs += here;
    }
    CHECK(pairs == l->set->count);
    return within;
}

static void check_sets(const sn_world *world, size_t least) {
    looking l = {.world = world};
    size_t all = 0, within = 0;
    l.by = malloc(world->nodes.slots.count * sizeof *l.by);
    if (!CHECK(l.by != NULL)) return;
    for (l.kind = 0; l.kind < SN_SURFACE_CONTACT_KINDS; l.kind++) {
        l.set = &sn_contacts_of(world)->set[l.kind];
        l.features = sn_surface_contact_features(sn_surface_contacts_of(world), l.kind);
        within += check_set(&l, least);
        all += l.set->count;
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
        rounds += sn_surface_contacts_of(world)->set[SN_CONTACT_EDGE_EDGE].rounds;
    }
    CHECK(rounds > 5);
    sn_world_destroy(world);
}

/* Boxes that stand in rows: no slab of theirs has much more to do than the others. */
TEST(a_pyramid_is_shared_evenly) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    size_t pairs = 0, most = 0;
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(scene_s4_pyramid(world, 18));
    REQUIRE_OK(sn_world_step(world, SCENE_DT));
    looking l = {.world = world,
                 .set = &sn_contacts_of(world)->set[SN_CONTACT_RIGID],
                 .kind = SN_CONTACT_RIGID};
    l.by = malloc(world->nodes.slots.count * sizeof *l.by);
    if (!CHECK(l.by != NULL)) return;
    const size_t slabs = l.set->slabs, within = check_layer(&l, 0);
    CHECK(slabs >= 8);
    for (int layer = 1; layer < SN_CONTACT_LAYERS; layer++) pairs += check_layer(&l, layer);
    CHECK(pairs + within == l.set->count);
    CHECK(3 * within > 2 * l.set->count);
    for (size_t g = 0; g < slabs; g++) {
        size_t own = 0;
        for (size_t slot = l.set->first[g] * SN_CONTACT_BLOCK;
             slot < l.set->first[g + 1] * SN_CONTACT_BLOCK; slot++)
            own += is_used(&l, slot);
        if (own > most) most = own;
    }
    printf("%zu slabs, the largest has %.3f of the mean\n", slabs,
           (double)(most * slabs) / (double)within);
    CHECK(100 * most * slabs < 110 * within);
    free(l.by);
    sn_world_destroy(world);
}

/* Every point of a body has a lane, and no lane moves a body of another. Returns how many lanes are
   taken, of how many. */
static size_t count_lanes(const looking *l, size_t *all) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(l->world);
    size_t taken = 0, points = 0;
    for (size_t g = 0; g < sn_contact_groups(l->set); g++) {
        CHECK(t->active[g] <= SN_RIGID_ROOM * (l->set->first[g + 1] - l->set->first[g]));
        const sn_rigid_block *b = t->block + SN_RIGID_ROOM * l->set->first[g];
        for (const sn_rigid_block *last = b + t->active[g]; b < last; b += b->chain) {
            clear(l);
            for (uint32_t i = 0; i < b->points; i++) {
                for (uint32_t k = 0; k < b->chain; k++) points += b[k].slot[i] != SN_RIGID_NOBODY;
                for (int k = 0; k < 2; k++)
                    if (b->w[k][i] > 0) CHECK(l->by[b->node[k][i]]++ == 0);
            }
            taken += b->points;
            *all += b->points > 0 ? SN_CONTACT_BLOCK : 0;
        }
    }
    for (size_t k = 0; k < l->set->count; k++)
        points -= t->search[l->set->pair[k].slot].manifold != SN_RIGID_APART;
    CHECK(points == 0);
    return taken;
}

TEST(lanes_of_bodies_are_taken) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(scene_s4_pyramid(world, 18));
    looking l = {.world = world, .set = &sn_contacts_of(world)->set[SN_CONTACT_RIGID]};
    l.by = malloc((18 * 19 * 37 / 6 + 1) * sizeof *l.by);
    if (!CHECK(l.by != NULL)) return;
    for (int i = 0; i < 10; i++) {
        size_t all = 0;
        REQUIRE_OK(sn_world_step(world, SCENE_DT));
        const size_t taken = count_lanes(&l, &all);
        if (i % 9 == 0) printf("%zu of %zu lanes are taken\n", taken, all);
        CHECK(100 * taken > 92 * all);
    }
    free(l.by);
    sn_world_destroy(world);
}

/* ---- What has more neighbours than there are colours ---- */

/* s, of the processor: that pairs of what is round get their slots again. */
static double pack_again(sn_world *world) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    sn_contact_set *set = &sn_contacts_of(world)->set[SN_CONTACT_RIGID];
    sn_contact_part part = {.set = set,
                            .features = {t->node, t->node + set->count},
                            .kind = SN_CONTACT_RIGID,
                            .chain = SN_RIGID_MANIFOLD};
    sn_contact_space space = {.x = world->nodes.x,
                              .nodes = world->nodes.slots.count,
                              .size = t->reach,
                              .work = 1,
                              .bodies = true};
    for (size_t k = 0; k < set->count; k++) set->pair[k].slot = 0;
    const clock_t start = clock();
    CHECK(sn_contact_partition_place(world, &t->partition, &part, &space));
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Beads on a plate that is free; returns how many pairs there are. */
static size_t find_beads(int beads, double *seconds) {
    sn_world_def def = sn_world_def_default();
    sn_collider_def shape = sn_collider_def_default();
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_world *world;
    sn_node node;
    sn_collider made;
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, &world));
    shape.shape = SN_SHAPE_BOX;
    shape.radius = 0;
    shape.extent = (sn_vec3){20, (sn_real)0.1, 20};
    REQUIRE_OK(sn_rigid_create(world, &rigid, &shape, &node, &made));
    shape.shape = SN_SHAPE_SPHERE;
    shape.radius = (sn_real)0.05;
    for (int k = 0; k < beads; k++) {
        shape.position = (sn_vec3){(sn_real)(0.2 * (k % 150) - 15), (sn_real)0.15,
                                   (sn_real)(0.2 * (k / 150) - 15)};
        REQUIRE_OK(sn_rigid_create(world, &rigid, &shape, &node, &made));
    }
    REQUIRE_OK(sn_world_step(world, SCENE_DT));
    looking l = {.world = world,
                 .set = &sn_contacts_of(world)->set[SN_CONTACT_RIGID],
                 .kind = SN_CONTACT_RIGID};
    l.by = malloc(world->nodes.slots.count * sizeof *l.by);
    if (!CHECK(l.by != NULL)) return 0;
    check_blocks(&l);
    const size_t pairs = l.set->count;
    double best = INFINITY;
    for (int run = 0; run < 5; run++) best = fmin(best, pack_again(world));
    CHECK(sn_rigid_contact_find_here(world));
    *seconds = best;
    free(l.by);
    sn_world_destroy(world);
    return pairs;
}

/* Sixteen times as many get theirs in about as many times the time, not in its square. */
TEST(a_plate_with_many_beads_is_packed_in_one_pass) {
    double few, many;
    const size_t first = find_beads(1250, &few), second = find_beads(20000, &many);
    printf("%zu pairs: %.2g s, %zu: %.2g s\n", first, few, second, many);
    CHECK(first >= 1250 && second >= 20000);
    CHECK(many < 40 * few + 1e-3);
}

/* ---- Triangles on colliders ---- */

enum { SIDE = 24 };

/* A sheet of coarse squares over thin capsules, which lie between its nodes. */
static sn_world *make_bed(int threads) {
    static sn_node node[SIDE * SIDE];
    static uint32_t triangle[2 * SIDE * SIDE][3];
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    uint32_t triangles = 0;
    def.threads = threads;
    REQUIRE_OK(sn_world_create(&def, &world));
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        sn_node_def at = sn_node_def_default();
        at.position = (sn_vec3){(sn_real)0.1 * (sn_real)(i % SIDE), (sn_real)0.03,
                                (sn_real)0.1 * (sn_real)(i / SIDE)};
        at.radius = (sn_real)0.005;
        REQUIRE_OK(sn_node_create(world, &at, &node[i]));
        if (i % SIDE == SIDE - 1 || i / SIDE == SIDE - 1) continue;
        memcpy(triangle[triangles++], (uint32_t[3]){i, i + SIDE, i + 1}, sizeof triangle[0]);
        memcpy(triangle[triangles++], (uint32_t[3]){i + 1, i + SIDE, i + SIDE + 1},
               sizeof triangle[0]);
    }
    sn_collision_surface_def surface = sn_collision_surface_def_default();
    surface.nodes = node;
    surface.node_count = SIDE * SIDE;
    surface.triangles = &triangle[0][0];
    surface.triangle_count = triangles;
    surface.triangle_contact = true;
    sn_collision_surface made;
    REQUIRE_OK(sn_collision_surface_create(world, &surface, &made));
    for (int k = 0; k < SIDE; k++) {
        sn_collider_def bar = sn_collider_def_default();
        sn_collider collider;
        bar.shape = SN_SHAPE_CAPSULE;
        bar.radius = (sn_real)0.02;
        bar.extent = (sn_vec3){0, 2, 0};
        bar.orientation = (sn_quat){(sn_real)0.70710678, 0, 0, (sn_real)0.70710678};
        bar.position =
            (sn_vec3){(sn_real)0.1 * (sn_real)k + (sn_real)0.04, 0, (sn_real)(0.05 * SIDE)};
        REQUIRE_OK(sn_collider_create(world, &bar, &collider));
    }
    return world;
}

TEST(a_sheet_on_a_bed_of_bars) {
    uint64_t hash[2];
    for (int run = 0; run < 2; run++) {
        sn_world *world = make_bed(run == 0 ? 1 : 4);
        size_t touched = 0;
        for (int i = 0; i < 4; i++) {
            REQUIRE_OK(sn_world_step(world, SCENE_DT));
            const sn_triangle_contacts *t = sn_triangle_contacts_of(world);
            looking l = {.world = world,
                         .set = &sn_contacts_of(world)->set[SN_CONTACT_TRIANGLE_COLLIDER],
                         .features = {t->node, t->node},
                         .kind = SN_CONTACT_TRIANGLE_COLLIDER};
            l.by = malloc(world->nodes.slots.count * sizeof *l.by);
            if (!CHECK(l.by != NULL)) return;
            CHECK(2 * check_set(&l, 2) > l.set->count);
            touched += t->listed;
            free(l.by);
        }
        CHECK(touched > SIDE * SIDE / 2);
        hash[run] = sn_world_hash(world);
        sn_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

TESTS(RUN(a_sheet_on_a_bed_of_bars), RUN(a_heap_of_balls), RUN(a_cloth_that_crumples),
      RUN(a_pyramid_is_shared_evenly), RUN(lanes_of_bodies_are_taken),
      RUN(a_plate_with_many_beads_is_packed_in_one_pass))
