/*
 * What makes contacts with colliders quick changes no bit.
 *
 * Where the frame of a collider is that of the world, vectors are not turned into it. That must
 * give what turning gives: with zeros of either sign, tiny and huge numbers, and beyond all
 * numbers. And lanes must give what nodes one by one give: how many are left over for that depends
 * on the width.
 */
#include "collision/collider_pose.h"

#include "check.h"

#include <math.h>
#include <string.h>

static const sn_real number[] = {(sn_real)0.0,  (sn_real)-0.0,     (sn_real)1.0,
                                 (sn_real)-0.3, (sn_real)1e-41,    (sn_real)-1e-30,
                                 (sn_real)1e5,  (sn_real)-1e19,    (sn_real)3e38,
                                 (sn_real)7e-4, (sn_real)INFINITY, (sn_real)-INFINITY};
enum { NUMBERS = sizeof number / sizeof number[0] };

/* The same bits, or both no number. */
static bool is_same(sn_v4 a, sn_v4 b) {
    for (int k = 0; k < 4; k++) {
        sn_real one = a[k], other = b[k];
        if (one != one && other != other) continue;
        if (memcmp(&one, &other, sizeof one) != 0) return false;
    }
    return true;
}

TEST(straight_is_what_turning_gives) {
    sn_collider_pose at = {.q = {0, 0, 0, 1}, .before = {0, 0, 0, 1}, .straight = true};
    sn_v4 q = {0, 0, 0, 1};
    size_t wrong = 0;
    for (int i = 0; i < NUMBERS * NUMBERS * NUMBERS; i++) {
        sn_v4 a = {number[i % NUMBERS], number[i / NUMBERS % NUMBERS],
                   number[i / NUMBERS / NUMBERS], i % 2 ? 0 : (sn_real)-0.0};
        wrong += !is_same(sn_collider_pose_into(&at, &at.q, a), sn_quat_rotate_back(q, a));
        wrong += !is_same(sn_collider_pose_out(&at, &at.q, a), sn_quat_rotate(q, a));
    }
    CHECK(wrong == 0);
}

/* ---- Lanes ---- */

static double chance(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1 << 24);
}

/* Shapes of every kind, straight and turned, some on their way and some turning. */
static void add_shapes(sn_world *world, uint32_t *seed) {
    static const sn_shape shapes[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_BOX,
                                      SN_SHAPE_CYLINDER};
    sn_collider collider;
    sn_collider_def def = sn_collider_def_default();
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    def.position.x = -1;
    def.orientation = (sn_quat){0, 0, (sn_real)-0.3, (sn_real)0.954};
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    for (int i = 0; i < 24; i++) {
        def = sn_collider_def_default();
        def.shape = shapes[i % 4];
        def.radius = def.shape == SN_SHAPE_BOX ? (sn_real)0.01 : (sn_real)0.12;
        def.extent = (sn_vec3){(sn_real)0.2, (sn_real)0.1, (sn_real)0.15};
        def.position = (sn_vec3){(sn_real)(2 * chance(seed) - 1), (sn_real)chance(seed),
                                 (sn_real)(2 * chance(seed) - 1)};
        if (i % 3 > 0) def.orientation = (sn_quat){(sn_real)0.6, 0, (sn_real)0.8, 0};
        if (i % 5 == 1) def.velocity.y = (sn_real)0.5;
        if (i % 5 == 2) def.angular_velocity.z = 3;
        if (i % 7 == 3) def.restitution = (sn_real)0.5;
        REQUIRE_OK(sn_collider_create(world, &def, &collider));
    }
}

/* Nodes in a lattice, some fast enough to pass through what they meet, some inside of it. */
static void add_nodes(sn_world *world, uint32_t *seed) {
    sn_node node;
    for (int i = 0; i < 1500; i++) {
        sn_node_def def = sn_node_def_default();
        def.radius = i % 11 == 0 ? 0 : (sn_real)0.01;
        def.inverse_mass = i % 97 == 0 ? 0 : (sn_real)(1 + chance(seed));
        def.position = (sn_vec3){(sn_real)(-1 + 0.05 * (i % 40)), (sn_real)(0.1 + chance(seed)),
                                 (sn_real)(-1 + 0.05 * (i / 40))};
        def.velocity.y = i % 13 == 0 ? -100 : (sn_real)(-2 * chance(seed));
        REQUIRE_OK(sn_node_create(world, &def, &node));
    }
}

static uint64_t hash_of(int width, int iterations, sn_friction friction, size_t *contacts) {
    uint32_t seed = 7;
    sn_stats stats;
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.simd_width = width;
    def.settings.substeps = 5;
    def.settings.iterations = iterations;
    def.settings.friction = friction;
    REQUIRE_OK(sn_world_create(&def, &world));
    add_shapes(world, &seed);
    add_nodes(world, &seed);
    for (int i = 0; i < 30; i++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        REQUIRE_OK(sn_world_stats(world, &stats));
        *contacts += stats.contacts;
    }
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

TEST(lanes_give_what_one_by_one_gives) {
    static const int widths[] = {4, 8, 16};
    for (int k = 0; k < 3; k++) {
        size_t contacts = 0;
        sn_friction friction = k == 2 ? SN_FRICTION_VELOCITY : SN_FRICTION_POSITION;
        uint64_t hash = hash_of(1, 1 + k, friction, &contacts);
        /* There is something to be solved. */
        CHECK(contacts > 5000);
        for (int i = 0; i < 3; i++) {
            check_case("width %d, %d iterations", widths[i], 1 + k);
            CHECK(hash_of(widths[i], 1 + k, friction, &contacts) == hash);
        }
    }
}

TESTS(RUN(straight_is_what_turning_gives), RUN(lanes_give_what_one_by_one_gives))
