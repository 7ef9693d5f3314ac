/*
 * Oriented nodes that come and go: frames are given back and start afresh, views stay right, and
 * what is left moves as if nothing else had been there.
 */
#include <sinew/sinew.h>
#include <string.h>

#include "check.h"

enum { NODES = 24, SEGMENTS = 6 };

static sn_world *make_world(void) {
    sn_world *world = NULL;
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = 4;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static sn_node_def oriented(sn_real x) {
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){x, 0, 0};
    def.oriented = true;
    def.orientation = (sn_quat){0, 1, 0, 1};
    def.inverse_inertia = (sn_vec3){20, 20, 30};
    return def;
}

static sn_frame_view frames_of(const sn_world *world) {
    sn_frame_view view;
    REQUIRE_OK(sn_world_frames(world, &view));
    return view;
}

static size_t living_frames(const sn_world *world) {
    sn_frame_view view = frames_of(world);
    size_t count = 0;
    for (size_t i = 0; i < view.count; i++) {
        count += view.alive[i];
    }
    return count;
}

/* Every frame that is alive names a living node, and no two the same. */
static void check_view(const sn_world *world) {
    sn_frame_view frames = frames_of(world);
    sn_node_view nodes;
    REQUIRE_OK(sn_world_nodes(world, &nodes));
    for (size_t i = 0; i < frames.count; i++) {
        if (!frames.alive[i]) {
            continue;
        }
        if (CHECK(frames.node[i] < nodes.count)) {
            CHECK(nodes.alive[frames.node[i]]);
        }
        for (size_t j = 0; j < i; j++) {
            CHECK(!frames.alive[j] || frames.node[j] != frames.node[i]);
        }
    }
}

TEST(frames_are_given_back) {
    sn_world *world = make_world();
    sn_node node[NODES];
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < NODES; i++) {
            sn_node_def def = oriented((sn_real)i);
            def.oriented = i % 3 != 2;
            REQUIRE_OK(sn_node_create(world, &def, &node[i]));
        }
        check_case("round %d", round);
        CHECK(living_frames(world) == NODES / 3 * 2);
        check_view(world);
        for (int i = 0; i < NODES; i += 2) {
            REQUIRE_OK(sn_node_destroy(world, node[i]));
        }
        CHECK(living_frames(world) == NODES / 3);
        check_view(world);
        CHECK_OK(sn_world_step(world, (sn_real)0.01));
        for (int i = 1; i < NODES; i += 2) {
            REQUIRE_OK(sn_node_destroy(world, node[i]));
        }
        CHECK(living_frames(world) == 0);
    }
    /* Slots are used again rather than added. */
    CHECK(frames_of(world).count <= NODES);
    sn_world_destroy(world);
}

/* What was set on a node that is gone does not reach the next one with its frame. */
TEST(new_frames_start_afresh) {
    sn_world *world = make_world();
    sn_node gone, node;
    sn_node_def def = oriented(0), now = sn_node_def_default();
    def.angular_velocity = (sn_vec3){1, 2, 3};
    REQUIRE_OK(sn_node_create(world, &def, &gone));
    REQUIRE_OK(sn_node_add_torque(world, gone, (sn_vec3){5, 5, 5}));
    REQUIRE_OK(sn_node_set_inverse_inertia(world, gone, (sn_vec3){0, 0, 0}));
    REQUIRE_OK(sn_node_set_target_orientation(world, gone, (sn_quat){1, 0, 0, 0}));
    REQUIRE_OK(sn_node_destroy(world, gone));
    def = oriented(0);
    REQUIRE_OK(sn_node_create(world, &def, &node));
    REQUIRE_OK(sn_node_get(world, node, &now));
    sn_quat made = now.orientation;
    CHECK(now.angular_velocity.x == 0 && now.angular_velocity.y == 0);
    REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
    REQUIRE_OK(sn_node_get(world, node, &now));
    CHECK(memcmp(&now.orientation, &made, sizeof made) == 0);
    CHECK(now.angular_velocity.x == 0 && now.angular_velocity.y == 0 &&
          now.angular_velocity.z == 0);
    sn_world_destroy(world);
}

/* A particle in the place of an oriented node is a particle. */
TEST(particles_may_follow_frames) {
    sn_world *world = make_world();
    sn_node gone, node, other;
    sn_node_def def = oriented(0);
    REQUIRE_OK(sn_node_create(world, &def, &other));
    REQUIRE_OK(sn_node_create(world, &def, &gone));
    REQUIRE_OK(sn_node_destroy(world, gone));
    def = sn_node_def_default();
    REQUIRE_OK(sn_node_create(world, &def, &node));
    CHECK(node.slot == gone.slot);
    REQUIRE_OK(sn_node_get(world, node, &def));
    CHECK(!def.oriented);
    CHECK_FAILS(sn_node_set_orientation(world, node, (sn_quat){0, 0, 0, 1}), SN_ERROR_VALUE);
    CHECK_FAILS(sn_node_set_orientation(world, gone, (sn_quat){0, 0, 0, 1}), SN_ERROR_STALE);
    sn_bend_twist_def joint = sn_bend_twist_def_default();
    sn_constraint made;
    joint.node[0] = other;
    joint.node[1] = node;
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &joint, &made), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "oriented") != NULL);
    sn_world_destroy(world);
}

/* A rod in a body of its own. */
static sn_body add_rod(sn_world *world, sn_real height, sn_node node[SEGMENTS]) {
    sn_body body;
    sn_body_def body_def = sn_body_def_default();
    REQUIRE_OK(sn_body_create(world, &body_def, &body));
    for (int i = 0; i < SEGMENTS; i++) {
        sn_node_def def = oriented((sn_real)i / 4);
        def.position.y = height;
        def.inverse_mass = i == 0 ? 0 : 1;
        def.body = body;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    for (int i = 0; i + 1 < SEGMENTS; i++) {
        sn_constraint made;
        sn_stretch_shear_def shear = sn_stretch_shear_def_default();
        sn_bend_twist_def bend = sn_bend_twist_def_default();
        shear.node[0] = bend.node[0] = node[i];
        shear.node[1] = bend.node[1] = node[i + 1];
        bend.rest_length = (sn_real)0.25;
        bend.compliance = (sn_real)0.5;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_STRETCH_SHEAR, &shear, &made));
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &bend, &made));
    }
    return body;
}

/* Where the nodes of a rod are and how they are turned, to the bit. */
static bool are_equal(const sn_world *a, const sn_node *of_a, const sn_world *b,
                      const sn_node *of_b) {
    bool equal = true;
    for (int i = 0; i < SEGMENTS; i++) {
        sn_node_def x = sn_node_def_default(), y = sn_node_def_default();
        REQUIRE_OK(sn_node_get(a, of_a[i], &x));
        REQUIRE_OK(sn_node_get(b, of_b[i], &y));
        equal = equal && memcmp(&x.position, &y.position, sizeof x.position) == 0;
        equal = equal && memcmp(&x.orientation, &y.orientation, sizeof x.orientation) == 0;
    }
    return equal;
}

TEST(a_body_takes_its_frames_along) {
    sn_world *world = make_world(), *twin = make_world();
    sn_node first[SEGMENTS], second[SEGMENTS], alone[SEGMENTS];
    sn_body body = add_rod(world, 5, first);
    add_rod(world, 0, second);
    add_rod(twin, 0, alone);
    for (int step = 0; step < 20; step++) {
        check_case("step %d", step);
        REQUIRE_OK(sn_node_add_torque(world, second[4], (sn_vec3){1, 0, 0}));
        REQUIRE_OK(sn_node_add_torque(twin, alone[4], (sn_vec3){1, 0, 0}));
        if (step == 10) {
            CHECK_OK(sn_body_destroy(world, body));
            CHECK(living_frames(world) == SEGMENTS);
            CHECK(sn_world_constraint_count(world, SN_TYPE_COUNT) == 2 * (SEGMENTS - 1));
            CHECK(!sn_node_is_valid(world, first[2]));
            check_view(world);
        }
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        REQUIRE_OK(sn_world_step(twin, (sn_real)(1.0 / 60)));
        CHECK(are_equal(world, second, twin, alone));
    }
    sn_world_destroy(world);
    sn_world_destroy(twin);
}

/* The angle between two frames about x, or nearly; the second one is only read. */
static void formula(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) b->value[0][i] = b->q[0][0][i] - b->q[1][0][i];
}

/* A frame that a constraint reads must be one that nothing turns, and stay so. */
TEST(frames_that_are_read_stand_still) {
    sn_world *world = make_world();
    sn_user_type_def type_def = sn_user_type_def_default();
    sn_type type;
    type_def.name = "aim";
    type_def.frames = 2;
    type_def.fixed_nodes = 1;
    type_def.numerical = true;
    type_def.formula = formula;
    REQUIRE_OK(sn_world_add_type(world, &type_def, &type));
    sn_node_def free_def = oriented(0), held_def = oriented(1);
    sn_user_def def;
    sn_constraint made;
    REQUIRE_OK(sn_user_def_default(world, type, &def));
    held_def.inverse_mass = 0;
    REQUIRE_OK(sn_node_create(world, &free_def, &def.node[0]));
    REQUIRE_OK(sn_node_create(world, &held_def, &def.node[1]));
    CHECK_FAILS(sn_constraint_create(world, type, &def, &made), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "inverse inertia (20, 20, 30), expected 0") != NULL);
    CHECK_OK(sn_node_set_inverse_inertia(world, def.node[1], (sn_vec3){0, 0, 0}));
    REQUIRE_OK(sn_constraint_create(world, type, &def, &made));
    CHECK_FAILS(sn_node_set_inverse_inertia(world, def.node[1], (sn_vec3){0, 1, 0}),
                SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "expected 0 while 1 constraints are anchored") != NULL);
    CHECK_OK(sn_constraint_destroy(world, made));
    CHECK_OK(sn_node_set_inverse_inertia(world, def.node[1], (sn_vec3){0, 1, 0}));
    sn_world_destroy(world);
}

TEST(joints_without_length) {
    sn_world *world = make_world();
    sn_bend_twist_def def = sn_bend_twist_def_default();
    sn_constraint made;
    for (int k = 0; k < 2; k++) {
        sn_node_def node = oriented((sn_real)k);
        REQUIRE_OK(sn_node_create(world, &node, &def.node[k]));
    }
    def.rest_length = 0;
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &def, &made), SN_ERROR_DEGENERATE);
    CHECK(strstr(sn_last_error(), "rest_length is 0, expected above 0 m") != NULL);
    def.rest_length = 2;
    def.rest_darboux = (sn_vec3){0, (sn_real)1.5, 0};
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &def, &made), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "more than half a turn over rest_length 2 m") != NULL);
    def.rest_length = 1;
    CHECK_OK(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &def, &made));
    sn_world_destroy(world);
}

TESTS(RUN(frames_are_given_back), RUN(new_frames_start_afresh), RUN(particles_may_follow_frames),
      RUN(a_body_takes_its_frames_along), RUN(frames_that_are_read_stand_still),
      RUN(joints_without_length))
