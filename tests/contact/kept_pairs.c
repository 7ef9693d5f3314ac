/*
 * Pairs of bodies that stay from step to step: what rests goes on with them, a world that was read
 * from a snapshot has the same ones, and what could change them lets them be found anew.
 */
#include "check.h"
#include "contact/contacts.h"
#include "rigid_worlds.h"
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

enum { BOXES = 6, SETTLE = 40 };

static sn_node add(sn_world *world, sn_shape shape, sn_vec3 at, sn_quat turn, double half) {
    sn_collider_def collider = sn_collider_def_default();
    sn_rigid_def def = sn_rigid_def_default();
    sn_collider made;
    sn_node node;
    def.density = 1000;
    collider.shape = shape;
    collider.extent = vector(half, half, half);
    collider.radius = shape == SN_SHAPE_BOX ? 0 : (sn_real)half;
    collider.position = at;
    collider.orientation = turn;
    REQUIRE_OK(sn_rigid_create(world, &def, &collider, &node, &made));
    return node;
}

/* A stack, and beside it one of every shape, on a floor and on blocks that stand. */
static sn_world *make_heap(int threads, sn_node *nodes) {
    static const sn_shape shape[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_CYLINDER,
                                     SN_SHAPE_BOX};
    const sn_quat up = {0, 0, 0, 1}, aside = {(sn_real)0.7071068, 0, 0, (sn_real)0.7071068};
    sn_world *world = make_world(threads, 9.81, 4);
    sn_collider_def ground = sn_collider_def_default(), block = sn_collider_def_default();
    sn_collider made;
    REQUIRE_OK(sn_collider_create(world, &ground, &made));
    for (int i = 0; i < BOXES; i++)
        nodes[i] = add(world, SN_SHAPE_BOX, vector(0, 0.5 + i, 0), up, 0.5);
    for (int i = 0; i < 4; i++) {
        const double x = 3.0 * (i + 1);
        block.shape = SN_SHAPE_BOX;
        block.extent = vector(1, 0.25, 1);
        block.position = vector(x, 0.25, 3);
        REQUIRE_OK(sn_collider_create(world, &block, &made));
        (void)add(world, shape[i], vector(x, 0.5, -3), i % 2 ? aside : up, 0.5);
        (void)add(world, shape[i], vector(x, 1, 3), i % 2 ? up : aside, 0.5);
        (void)add(world, SN_SHAPE_BOX, vector(x, 0.5, 0), up, 0.5);
        (void)add(world, shape[i], vector(x + 0.1, 1.5, 0), up, 0.5);
    }
    return world;
}

static void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(world, FRAME));
}

static bool stays(const sn_world *world) {
    return sn_rigid_contacts_of(world)->source != SN_RIGID_FRESH;
}

/* How many of so many steps go on with the pairs of the one before. */
static int count_stays(sn_world *world, int frames) {
    int count = 0;
    for (int i = 0; i < frames; i++) {
        run(world, 1);
        count += stays(world);
    }
    return count;
}

TEST(what_rests_goes_on_with_its_pairs) {
    sn_node nodes[BOXES];
    sn_world *world = make_heap(1, nodes);
    run(world, SETTLE);
    const uint32_t slot = sn_contacts_of(world)->set[SN_CONTACT_RIGID].pair[0].slot;
    CHECK(count_stays(world, 30) >= 25);
    CHECK(sn_contacts_of(world)->set[SN_CONTACT_RIGID].pair[0].slot == slot);
    sn_world_destroy(world);
}

TEST(snapshots_have_the_same_pairs) {
    sn_node nodes[BOXES];
    sn_world *world = make_heap(1, nodes);
    bool any = false;
    for (int part = 0; part < 12; part++) {
        run(world, 5);
        sn_world *other = make_world(1, 0, 1);
        size_t size;
        void *data = snapshot_of(world, &size);
        REQUIRE_OK(sn_snapshot_load(other, data, size));
        free(data);
        for (int i = 0; i < 4; i++) {
            run(world, 1);
            run(other, 1);
            CHECK(sn_world_hash(other) == sn_world_hash(world));
            CHECK(stays(other) == stays(world));
            any = any || sn_rigid_contacts_of(other)->source == SN_RIGID_AGAIN;
        }
        sn_world_destroy(other);
    }
    CHECK(any);
    sn_world_destroy(world);
}

TEST(threads_do_not_matter) {
    sn_node nodes[BOXES];
    sn_world *one = make_heap(1, nodes), *three = make_heap(3, nodes);
    run(one, 2 * SETTLE);
    run(three, 2 * SETTLE);
    CHECK(sn_world_hash(one) == sn_world_hash(three));
    sn_world_destroy(one);
    sn_world_destroy(three);
}

/* Whether the same is told of all contacts of two worlds. */
static bool tells_the_same(const sn_world *a, const sn_world *b) {
    const sn_contact *one, *other;
    size_t count, others;
    REQUIRE_OK(sn_world_contacts(a, &one, &count));
    REQUIRE_OK(sn_world_contacts(b, &other, &others));
    bool same = count == others && count > 0;
    for (size_t i = 0; same && i < count; i++)
        same = one[i].phase == other[i].phase && one[i].normal.y == other[i].normal.y &&
               one[i].impulse.x == other[i].impulse.x && one[i].impulse.y == other[i].impulse.y &&
               one[i].point.x == other[i].point.x &&
               one[i].normal_impulse == other[i].normal_impulse;
    return same;
}

/* An audit asks what happened in every substep: points are laid out again in each. */
TEST(what_stays_laid_out_makes_no_difference) {
    sn_node nodes[BOXES];
    sn_world *asked = make_heap(1, nodes), *left = make_heap(1, nodes);
    REQUIRE_OK(sn_world_audit_start(asked));
    for (int i = 0; i < 2 * SETTLE; i++) {
        run(asked, 1);
        run(left, 1);
        CHECK(sn_world_hash(asked) == sn_world_hash(left));
        CHECK(tells_the_same(asked, left));
        CHECK(!sn_rigid_contacts_of(asked)->laid[0]);
    }
    CHECK(sn_rigid_contacts_of(left)->laid[0]);
    sn_world_destroy(asked);
    sn_world_destroy(left);
}

/* What could change pairs, between two steps. */
static void change(sn_world *world, const sn_node *nodes, int which) {
    sn_collider_def block = sn_collider_def_default();
    sn_node_def ball = sn_node_def_default();
    sn_collider made;
    sn_node node;
    sn_settings settings;
    switch (which) {
    case 0:
        REQUIRE_OK(sn_node_set_position(world, nodes[BOXES - 1], vector(2, 7, 0)));
        break;
    case 1:
        REQUIRE_OK(sn_node_set_inverse_mass(world, nodes[2], 0));
        break;
    case 2:
        block.shape = SN_SHAPE_BOX;
        block.position = vector(-1.01, 0.5, 0);
        REQUIRE_OK(sn_collider_create(world, &block, &made));
        break;
    case 3:
        ball.position = vector(0, 6.2, 0);
        ball.radius = (sn_real)0.1;
        REQUIRE_OK(sn_nodes_create(world, &ball, 1, &node));
        break;
    case 4:
        REQUIRE_OK(sn_nodes_destroy(world, &nodes[BOXES - 1], 1));
        break;
    case 5:
        REQUIRE_OK(sn_node_set_velocity(world, nodes[BOXES - 1], vector(4, 0, 0)));
        break;
    default:
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.friction = SN_FRICTION_VELOCITY;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
    }
}

TEST(what_changes_is_found_anew) {
    for (int which = 0; which < 7; which++) {
        sn_node nodes[BOXES];
        sn_world *world = make_heap(1, nodes);
        run(world, SETTLE);
        CHECK(stays(world));
        size_t size;
        void *data = snapshot_of(world, &size);
        uint64_t hash[2];
        for (int k = 0; k < 2; k++) {
            if (k > 0) REQUIRE_OK(sn_snapshot_load(world, data, size));
            change(world, nodes, which);
            run(world, 1);
            CHECK(!stays(world));
            run(world, 10);
            hash[k] = sn_world_hash(world);
        }
        CHECK(hash[0] == hash[1]);
        free(data);
        sn_world_destroy(world);
    }
}

/* A stack that lies is struck: pairs that were found for what lies do not do for it. */
TEST(what_comes_fast_strikes) {
    sn_node nodes[BOXES];
    sn_world *world = make_heap(1, nodes);
    sn_node hit = add(world, SN_SHAPE_SPHERE, vector(-30, 5.5, 0), (sn_quat){0, 0, 0, 1}, 0.5);
    run(world, SETTLE);
    REQUIRE_OK(sn_node_set_position(world, hit, vector(-30, 5.5, 0)));
    REQUIRE_OK(sn_node_set_velocity(world, hit, vector(60, 0, 0)));
    run(world, 60);
    sn_node_def top;
    REQUIRE_OK(sn_node_get(world, nodes[BOXES - 1], &top));
    CHECK((double)top.position.x > 0.5);
    sn_world_destroy(world);
}

/* Colliders that touch nobody change no bit, however many they are: pairs that are looked for in
   the middle of a step are not those of a leaf of a tree. */
TEST(what_touches_nobody_changes_nothing) {
    enum { BRICKS = 48 };
    sn_node_def first[BRICKS] = {0}, now;
    for (int extra = 0; extra < 5; extra++) {
        check_case("%d more", extra);
        const sn_quat up = {0, 0, 0, 1};
        sn_world *world = make_world(1, 9.81, 20);
        sn_collider_def ground = sn_collider_def_default(), other = ground;
        sn_node node[BRICKS];
        sn_collider made;
        REQUIRE_OK(sn_collider_create(world, &ground, &made));
        for (int i = 0; i < BRICKS; i++)
            node[i] = add(world, SN_SHAPE_BOX,
                          vector(0.2 * (i % 6 - 2.5 + 0.5 * (i / 6 % 2)), 0.1 + 0.2 * (i / 6), 0),
                          up, 0.098);
        sn_node ball = add(world, SN_SHAPE_SPHERE, vector(0.05, 0.6, 1.5), up, 0.2);
        REQUIRE_OK(sn_node_set_velocity(world, ball, vector(0, 0, -20)));
        other.shape = SN_SHAPE_BOX;
        other.extent = vector(0.1, 0.1, 0.1);
        other.mask = 0;
        for (int k = 0; k < extra; k++) {
            other.position = vector(k % 2 ? 50 : 0.1, 0.5, 0);
            REQUIRE_OK(sn_collider_create(world, &other, &made));
        }
        run(world, 30);
        for (int i = 0; i < BRICKS; i++) {
            REQUIRE_OK(sn_node_get(world, node[i], extra ? &now : &first[i]));
            if (extra == 0) continue;
            CHECK(memcmp(&now.position, &first[i].position, sizeof now.position) == 0);
            CHECK(memcmp(&now.velocity, &first[i].velocity, sizeof now.velocity) == 0);
        }
        sn_world_destroy(world);
    }
}

TESTS(RUN(what_touches_nobody_changes_nothing), RUN(what_rests_goes_on_with_its_pairs),
      RUN(snapshots_have_the_same_pairs), RUN(threads_do_not_matter),
      RUN(what_stays_laid_out_makes_no_difference), RUN(what_changes_is_found_anew),
      RUN(what_comes_fast_strikes))
