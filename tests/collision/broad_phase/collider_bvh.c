/* Many colliders: which are near is found with a tree, and it makes no difference. */
#include "collision/shapes/shape_worlds.h"

#include "collision/collider_pose.h"
#include "contact/contacts.h"

enum { NODES = 400, COLLIDERS = 300 };

static uint32_t state;
static double number(double low, double high) {
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * ((state >> 8) / 16777216.0);
}

/* Moving balls, boxes and compounds on a floor, some of them gone again, and a rain of nodes. */
static void build(sn_world *world, int colliders) {
    state = 7;
    sn_collider collider;
    sn_collider_part parts[2] = {sn_collider_part_default(), sn_collider_part_default()};
    parts[0].radius = parts[1].radius = (sn_real)0.1;
    parts[1].position.x = (sn_real)0.2;
    sn_collider_def def = sn_collider_def_default();
    def.parts = parts;
    def.part_count = 2;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    for (int i = 0; i < colliders; i++) {
        static const sn_shape shapes[] = {SN_SHAPE_BOX, SN_SHAPE_SPHERE, SN_SHAPE_COMPOUND};
        def.shape = shapes[i % 3];
        def.radius = (sn_real)0.05;
        def.extent = (sn_vec3){(sn_real)0.2, (sn_real)0.05, (sn_real)0.1};
        def.position =
            (sn_vec3){(sn_real)number(-2, 2), (sn_real)number(0, 1), (sn_real)number(-2, 2)};
        def.velocity = (sn_vec3){(sn_real)number(-1, 1), 0, (sn_real)number(-5, 5)};
        def.angular_velocity = (sn_vec3){0, 0, (sn_real)number(-5, 5)};
        REQUIRE_OK(sn_collider_create(world, &def, &collider));
        if (i % 50 == 7) REQUIRE_OK(sn_collider_destroy(world, collider));
    }
    for (int i = 0; i < NODES; i++) {
        sn_node node = add_ball(world, number(-2, 2), number(1, 2), number(-2, 2), 0.01);
        sn_vec3 v = {(sn_real)number(-3, 3), (sn_real)number(-30, 0), (sn_real)number(-3, 3)};
        REQUIRE_OK(sn_node_set_velocity(world, node, v));
    }
}

/* The pairs of a node by looking at every collider. */
static size_t count_pairs(const sn_world *world, size_t i, double step) {
    const sn_collider_contacts *t = sn_collider_contacts_of(world);
    const sn_nodes *n = &world->nodes;
    size_t at = t->begin[i];
    for (size_t c = 0; c < sn_colliders_of(world)->slots.count; c++) {
        sn_v4 normal, local;
        if (!sn_colliders_of(world)->slots.alive[c]) continue;
        double far = (double)sn_collider_pose_distance(world, c, sn_v4_load(&n->x[i]),
                                                       sn_v4_load(&n->d[i]), &normal, &local);
        double reach = (double)t->reach[i] + (double)n->radius[i];
        if (far > reach + sn_collider_pose_displacement(world, c, step, step)) continue;
        CHECK(at < t->begin[i + 1] &&
              sn_contacts_of(world)->set[SN_CONTACT_NODE_COLLIDER].pair[at].b == c);
        at++;
    }
    return at - t->begin[i];
}

TEST(the_tree_finds_what_looking_at_all_finds) {
    sn_world *world = make_world(10, 9.81);
    build(world, COLLIDERS);
    size_t all = 0;
    for (int frame = 0; frame < 40; frame++) {
        CHECK_OK(sn_world_step(world, (sn_real)dt));
        CHECK(sn_collider_contact_plan(world, dt, dt));
        for (size_t i = 0; i < NODES; i++) {
            size_t count = count_pairs(world, i, dt);
            const size_t *begin = sn_collider_contacts_of(world)->begin;
            CHECK(count == begin[i + 1] - begin[i]);
            all += count;
        }
    }
    /* There is something to be found. */
    CHECK(all > 10000);
    CHECK(sn_collision_of(world)->bvh.tree.node_count > 0);
    sn_world_destroy(world);
}

static uint64_t hash_after(int threads) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    REQUIRE_OK(sn_world_create(&def, &world));
    build(world, COLLIDERS);
    for (int i = 0; i < 30; i++) CHECK_OK(sn_world_step(world, (sn_real)dt));
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

TEST(threads_make_no_difference) {
    CHECK(hash_after(1) == hash_after(4));
}

TESTS(RUN(the_tree_finds_what_looking_at_all_finds), RUN(threads_make_no_difference))
