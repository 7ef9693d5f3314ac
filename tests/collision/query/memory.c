/*
 * Pictures and memory: everything comes from the allocator of the world and goes back to it, a
 * picture that follows the same objects asks for nothing, and where there is none it stays as it
 * was.
 */
#include <sinew/sinew.h>

#include "base/meter.h"
#include "check.h"
#include "hits.h"

enum { NODES = 200 };

static meter m;

static sn_world *new_world(void) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    meter_init(&m);
    def.allocator = meter_allocator(&m);
    REQUIRE_OK(sn_world_create(&def, &world));
    for (int i = 0; i < NODES; i++) {
        sn_node_def node = sn_node_def_default();
        sn_node made;
        node.position = (sn_vec3){(sn_real)(i % 7), (sn_real)(i % 11), (sn_real)(i % 13)};
        node.velocity = (sn_vec3){(sn_real)(i % 3), (sn_real)(i % 5), 0};
        node.radius = (sn_real)0.25;
        REQUIRE_OK(sn_node_create(world, &node, &made));
    }
    sn_collider_def shape = sn_collider_def_default();
    sn_collider made;
    shape.position.y = -3;
    REQUIRE_OK(sn_collider_create(world, &shape, &made));
    shape.shape = SN_SHAPE_BOX;
    REQUIRE_OK(sn_collider_create(world, &shape, &made));
    return world;
}

static sn_hit look(const sn_query *query) {
    sn_cast_def cast = sn_cast_def_default();
    sn_hit hit;
    cast.origin = (sn_vec3){3, 20, 3};
    cast.radius = (sn_real)0.5;
    CHECK_OK(sn_query_cast(query, &cast, NULL, &hit));
    return hit;
}

TEST(following_asks_for_nothing) {
    sn_world *world = new_world();
    sn_query *query = NULL;
    REQUIRE_OK(sn_query_create(world, &query));
    for (int i = 0; i < 10; i++) {
        CHECK_OK(sn_world_step(world, (sn_real)0.001));
        size_t calls = m.calls;
        CHECK_OK(sn_query_refresh(query, world));
        CHECK(look(query).kind == SN_HIT_NODE);
        CHECK(m.calls == calls);
    }
    sn_query_destroy(query);
    sn_world_destroy(world);
    CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
}

TEST(a_picture_may_outlive_its_world) {
    sn_world *world = new_world();
    sn_query *query = NULL;
    REQUIRE_OK(sn_query_create(world, &query));
    sn_hit before = look(query);
    sn_world_destroy(world);
    sn_hit after = look(query);
    CHECK(same_hits(&before, &after, 1));
    sn_query_destroy(query);
    CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
}

TEST(without_memory_nothing_changes) {
    sn_world *world = new_world();
    sn_query *query = NULL;
    size_t blocks = m.blocks, tries = 0;
    for (sn_result result = SN_ERROR_MEMORY; result != SN_OK; tries++) {
        check_case("create, %zu blocks", tries);
        m.fail_after = tries;
        result = sn_query_create(world, &query);
        m.fail_after = METER_NEVER;
        CHECK(result == SN_OK || (result == SN_ERROR_MEMORY && !query && m.blocks == blocks));
    }
    CHECK(tries > 5);
    sn_hit before = look(query);
    sn_node node;
    for (size_t i = 0; i < 100; i++) {
        REQUIRE_OK(sn_world_node_at(world, i, &node));
        CHECK_OK(sn_node_destroy(world, node));
    }
    CHECK_OK(sn_world_step(world, 1));
    blocks = m.blocks;
    tries = 0;
    for (sn_result result = SN_ERROR_MEMORY; result != SN_OK; tries++) {
        check_case("refresh, %zu blocks", tries);
        m.fail_after = tries;
        result = sn_query_refresh(query, world);
        m.fail_after = METER_NEVER;
        CHECK(result == SN_OK || result == SN_ERROR_MEMORY);
        CHECK(m.blocks == blocks);
        sn_hit now = look(query);
        CHECK(same_hits(&before, &now, 1) == (result != SN_OK));
    }
    CHECK(tries > 5);
    sn_query_destroy(query);
    sn_world_destroy(world);
    CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
}

TESTS(RUN(following_asks_for_nothing), RUN(a_picture_may_outlive_its_world),
      RUN(without_memory_nothing_changes))
