/* Pairs of materials and who ignores whom: what they do, and that they outlive snapshots,
   recordings and the objects that they are about. */
#include <string.h>

#include "check.h"
#include "setups.h"

#include "collision/contact_material.h"
#include "fuzz/repair.h"

#include <math.h>
#include <stdio.h>

static sn_contact_pair_def pair_of(double still, double slides, double restitution) {
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    pair.static_friction = (sn_real)still;
    pair.dynamic_friction = (sn_real)slides;
    pair.restitution = (sn_real)restitution;
    return pair;
}

static sn_node add_node(sn_world *world, sn_vec3 position, sn_material material, sn_body *body) {
    sn_node node;
    sn_node_def def = sn_node_def_default();
    sn_body_def group = sn_body_def_default();
    group.material = material;
    REQUIRE_OK(sn_body_create(world, &group, body));
    def.position = position;
    def.radius = (sn_real)0.1;
    def.body = *body;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

static double height_of(sn_world *world, sn_node node) {
    return (double)setup_look(world, node).position.y;
}

/* ---- Pairs ---- */

/* An incline through the origin: a plane, or the top of a box that a node carries. */
static void add_incline(sn_world *world, double angle, bool carried) {
    sn_collider incline = setup_incline(world, angle, 0.2, 0.2);
    if (!carried) return;
    sn_collider_def def;
    sn_node_def carrier = sn_node_def_default();
    sn_node node;
    REQUIRE_OK(sn_collider_get(world, incline, &def));
    REQUIRE_OK(sn_collider_destroy(world, incline));
    def.shape = SN_SHAPE_BOX;
    def.radius = 0;
    def.extent = (sn_vec3){5, 1, 5};
    def.position = (sn_vec3){(sn_real)-sin(angle), (sn_real)-cos(angle), 0};
    REQUIRE_OK(sn_collider_create(world, &def, &incline));
    carrier.oriented = true;
    carrier.inverse_mass = 0;
    carrier.inverse_inertia = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_node_create(world, &carrier, &node));
    REQUIRE_OK(sn_collider_set_carrier(world, incline, node));
}

static void slide_by_materials(bool carried) {
    double angle = 0.4;
    sn_world *world = setup_world(20);
    sn_contact_pair_def ice = pair_of(0.05, 0.05, 0), rubber = pair_of(1, 1, 0);
    sn_body body;
    add_incline(world, angle, carried);
    REQUIRE_OK(sn_world_set_contact_pair(world, 0, 1, &ice));
    REQUIRE_OK(sn_world_set_contact_pair(world, 2, 0, &rubber));
    sn_node node[3];
    for (sn_material i = 0; i < 3; i++) {
        sn_vec3 at = {(sn_real)(0.1 * sin(angle)), (sn_real)(0.1 * cos(angle)), (sn_real)i};
        node[i] = add_node(world, at, i, &body);
    }
    setup_run(world, 1);
    const double mu[] = {0.2, 0.05, 1};
    for (int i = 0; i < 3; i++) {
        sn_vec3 v = setup_look(world, node[i]).velocity;
        double speed = (double)v.x * cos(angle) - (double)v.y * sin(angle);
        double expected = SETUP_G * (sin(angle) - mu[i] * cos(angle));
        check_case("mu %g%s", mu[i], carried ? ", on a body" : "");
        CHECK_NEAR(speed, expected > 0 ? expected : 0, 0.01);
    }
    sn_world_destroy(world);
}

TEST(a_pair_says_what_two_materials_do) {
    slide_by_materials(false);
    slide_by_materials(true);
}

TEST(pairs_are_kept_in_any_order) {
    sn_world *world = setup_world(1);
    sn_contact_pair_def pair, got;
    for (sn_material a = 0; a < 256; a += 15)
        for (sn_material b = 255; b >= 30; b -= 25) {
            pair = pair_of(a + b, 0, (double)(a * b) / 65536);
            CHECK_OK(sn_world_set_contact_pair(world, a, b, &pair));
        }
    for (sn_material a = 0; a < 256; a += 15)
        for (sn_material b = 255; b >= 30; b -= 25) {
            CHECK_OK(sn_world_get_contact_pair(world, b, a, &got));
            CHECK((double)got.static_friction == a + b);
            CHECK((double)got.restitution == (double)(a * b) / 65536);
        }
    CHECK_FAILS(sn_world_get_contact_pair(world, 1, 2, &got), SN_ERROR_ID);
    CHECK_OK(sn_world_reset_contact_pair(world, 255, 15));
    CHECK_FAILS(sn_world_get_contact_pair(world, 15, 255, &got), SN_ERROR_ID);
    CHECK_OK(sn_world_reset_contact_pair(world, 255, 15));
    CHECK_OK(sn_world_get_contact_pair(world, 255, 30, &got));
    CHECK((double)got.static_friction == 285);
    sn_world_destroy(world);
}

TEST(a_pair_may_let_pass_or_bounce) {
    sn_world *world = setup_world(20);
    sn_contact_pair_def pass = pair_of(0, 0, 0), bounce = pair_of(0, 0, 0.5);
    sn_body body;
    pass.collide = false;
    setup_incline(world, 0, 0.5, 0.5);
    REQUIRE_OK(sn_world_set_contact_pair(world, 0, 1, &pass));
    REQUIRE_OK(sn_world_set_contact_pair(world, 0, 2, &bounce));
    sn_node through = add_node(world, (sn_vec3){0, 1, 0}, 1, &body);
    sn_node off = add_node(world, (sn_vec3){1, 1, 0}, 2, &body);
    sn_node stays = add_node(world, (sn_vec3){2, 1, 0}, 3, &body);
    double highest = 0;
    for (int i = 0; i < 60; i++) {
        CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
        if (i > 30 && height_of(world, off) > highest) highest = height_of(world, off);
    }
    CHECK(height_of(world, through) < -3);
    CHECK_NEAR(height_of(world, stays), 0.1, 1e-4);
    CHECK_REL(highest - 0.1, 0.25 * 0.9, 0.03);
    sn_world_destroy(world);
}

TEST(what_makes_no_sense_is_refused) {
    sn_world *world = setup_world(1);
    sn_contact_pair_def good = sn_contact_pair_def_default(), bad;
    sn_body body;
    sn_body_def group = sn_body_def_default();
    sn_collider collider;
    sn_collider_def wall = sn_collider_def_default();
    CHECK_FAILS(sn_world_set_contact_pair(world, 256, 0, &good), SN_ERROR_VALUE);
    CHECK_FAILS(sn_world_set_contact_pair(world, 0, 4000000000u, &good), SN_ERROR_VALUE);
    bad = pair_of(0.1, 0.2, 0);
    CHECK_FAILS(sn_world_set_contact_pair(world, 0, 0, &bad), SN_ERROR_VALUE);
    bad = pair_of(0.1, 0.1, 1.5);
    CHECK_FAILS(sn_world_set_contact_pair(world, 0, 0, &bad), SN_ERROR_VALUE);
    bad = pair_of(NAN, 0, 0);
    CHECK_FAILS(sn_world_set_contact_pair(world, 0, 0, &bad), SN_ERROR_VALUE);
    bad = good;
    bad.rolling_resistance = -1;
    CHECK_FAILS(sn_world_set_contact_pair(world, 0, 0, &bad), SN_ERROR_VALUE);
    CHECK_FAILS(sn_world_get_contact_pair(world, 0, 0, &bad), SN_ERROR_ID);
    group.material = 256;
    CHECK_FAILS(sn_body_create(world, &group, &body), SN_ERROR_VALUE);
    wall.material = 300;
    CHECK_FAILS(sn_collider_create(world, &wall, &collider), SN_ERROR_VALUE);
    sn_settings settings = sn_settings_default();
    settings.friction = (sn_friction)2;
    CHECK_FAILS(sn_world_set_settings(world, &settings), SN_ERROR_VALUE);
    sn_world_destroy(world);
}

static sn_collision_surface add_surface(sn_world *world, sn_node node, double still, double slides,
                                        double bounce) {
    sn_collision_surface surface;
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.nodes = &node;
    def.node_count = 1;
    def.static_friction = (sn_real)still;
    def.dynamic_friction = (sn_real)slides;
    def.restitution = (sn_real)bounce;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
    return surface;
}

TEST(surfaces_follow_a_mean_where_nothing_was_said) {
    sn_world *world = setup_world(1);
    sn_body a, b;
    sn_node first = add_node(world, (sn_vec3){0, 0, 0}, 7, &a);
    sn_node second = add_node(world, (sn_vec3){1, 0, 0}, 7, &b);
    sn_collision_surface one_surface = add_surface(world, first, 0.9, 0.4, 0.3);
    sn_collision_surface other_surface = add_surface(world, second, 0.4, 0.1, 0.1);
    sn_party one = {.body = a.slot, .surface = one_surface.slot};
    sn_party other = {.body = b.slot, .surface = other_surface.slot};
    sn_contact_material law = sn_world_contact_material(world, one, other);
    CHECK_NEAR((double)law.static_friction, 0.6, 1e-6);
    CHECK_NEAR((double)law.dynamic_friction, 0.2, 1e-6);
    CHECK_NEAR((double)law.restitution, 0.3, 1e-6);
    sn_contact_pair_def pair = pair_of(2, 1, 0);
    pair.rolling_resistance = 3;
    REQUIRE_OK(sn_world_set_contact_pair(world, 7, 7, &pair));
    law = sn_world_contact_material(world, other, one);
    CHECK((double)law.static_friction == 2 && (double)law.rolling_resistance == 3);
    CHECK(sn_world_may_collide(world, one, other));
    REQUIRE_OK(sn_body_set_collision(world, b, a, false));
    CHECK(!sn_world_may_collide(world, one, other) && !sn_world_may_collide(world, other, one));
    CHECK(sn_world_may_collide(world, one, one));
    sn_world_destroy(world);
}

/* Two balls that fly at each other: they bounce off, or pass. */
static double meet(bool ignore, bool collide, double restitution) {
    sn_world *world = setup_world(10);
    sn_settings settings = sn_settings_default();
    settings.gravity = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_contact_pair_def pair = pair_of(0, 0, restitution);
    pair.collide = collide;
    REQUIRE_OK(sn_world_set_contact_pair(world, 3, 5, &pair));
    sn_body a, b;
    sn_node first = add_node(world, (sn_vec3){-1, 0, 0}, 3, &a);
    sn_node second = add_node(world, (sn_vec3){1, 0, 0}, 5, &b);
    add_surface(world, first, 0.5, 0.4, 0);
    add_surface(world, second, 0.5, 0.4, 0);
    REQUIRE_OK(sn_node_set_velocity(world, first, (sn_vec3){2, 0, 0}));
    REQUIRE_OK(sn_node_set_velocity(world, second, (sn_vec3){-2, 0, 0}));
    if (ignore) REQUIRE_OK(sn_body_set_collision(world, a, b, false));
    setup_run(world, 1);
    double speed = (double)setup_look(world, first).velocity.x;
    sn_world_destroy(world);
    return speed;
}

TEST(pairs_and_ignoring_hold_between_bodies_too) {
    CHECK_NEAR(meet(false, true, 1), -2, 0.01);
    CHECK_NEAR(meet(false, true, 0.5), -1, 0.01);
    CHECK_NEAR(meet(false, false, 1), 2, 1e-5);
    CHECK_NEAR(meet(true, true, 1), 2, 1e-5);
}

/* Balls of several bodies in one collision surface, each against one of a body that has the others:
   every pair goes by its own two materials, on either side. */
TEST(a_surface_may_have_several_materials) {
    enum { PAIRS = 4 };
    for (int turn = 0; turn < 2; turn++) {
        sn_world *world = setup_world(10);
        sn_settings settings = sn_settings_default();
        sn_contact_pair_def whole = pair_of(0, 0, 1), half = pair_of(0, 0, 0.5);
        sn_node node[2][PAIRS];
        sn_body body, shared;
        settings.gravity = (sn_vec3){0, 0, 0};
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        REQUIRE_OK(sn_world_set_contact_pair(world, 3, 5, &whole));
        REQUIRE_OK(sn_world_set_contact_pair(world, 4, 5, &half));
        (void)add_node(world, (sn_vec3){50, 0, 0}, 5, &shared);
        for (int side = 0; side < 2; side++) {
            sn_collision_surface_def def = sn_collision_surface_def_default();
            sn_collision_surface made;
            for (int i = 0; i < PAIRS; i++) {
                sn_vec3 at = {side == turn ? -1 : 1, 0, (sn_real)i};
                sn_material material = i % 2 ? 4 : 3;
                sn_node_def ball = sn_node_def_default();
                ball.position = at;
                ball.radius = (sn_real)0.1;
                ball.body = shared;
                if (side == 0)
                    node[side][i] = add_node(world, at, material, &body);
                else
                    REQUIRE_OK(sn_node_create(world, &ball, &node[side][i]));
                sn_vec3 v = {side == turn ? 2 : -2, 0, 0};
                REQUIRE_OK(sn_node_set_velocity(world, node[side][i], v));
            }
            def.nodes = node[side];
            def.node_count = PAIRS;
            REQUIRE_OK(sn_collision_surface_create(world, &def, &made));
        }
        setup_run(world, 1);
        for (int i = 0; i < PAIRS; i++) {
            double speed = fabs((double)setup_look(world, node[0][i]).velocity.x);
            check_case("turn %d, pair %d", turn, i);
            CHECK_NEAR(speed, i % 2 ? 1 : 2, 0.01);
        }
        sn_world_destroy(world);
    }
}

/* ---- Who ignores whom ---- */

TEST(a_body_ignores_a_collider_until_it_is_told_not_to) {
    sn_world *world = setup_world(20);
    sn_collider floor = setup_incline(world, 0, 0.5, 0.5);
    sn_body falls, rests;
    bool collide;
    sn_node through = add_node(world, (sn_vec3){0, 1, 0}, 0, &falls);
    sn_node stays = add_node(world, (sn_vec3){1, 1, 0}, 0, &rests);
    REQUIRE_OK(sn_body_set_collider_collision(world, falls, floor, false));
    CHECK_OK(sn_body_get_collider_collision(world, falls, floor, &collide));
    CHECK(!collide);
    CHECK_OK(sn_body_get_collider_collision(world, rests, floor, &collide));
    CHECK(collide);
    setup_run(world, 1);
    CHECK(height_of(world, through) < -3);
    CHECK_NEAR(height_of(world, stays), 0.1, 1e-4);
    REQUIRE_OK(sn_body_set_collider_collision(world, falls, floor, true));
    REQUIRE_OK(sn_node_set_position(world, through, (sn_vec3){0, (sn_real)0.1, 0}));
    REQUIRE_OK(sn_node_set_velocity(world, through, (sn_vec3){0, 0, 0}));
    setup_run(world, 1);
    CHECK_NEAR(height_of(world, through), 0.1, 1e-4);
    sn_world_destroy(world);
}

/* New objects in the slots of old ones are met. */
TEST(what_is_removed_is_forgotten) {
    sn_world *world = setup_world(20);
    sn_collider floor = setup_incline(world, 0, 0.5, 0.5);
    sn_body body, other;
    bool collide;
    add_node(world, (sn_vec3){0, 1, 0}, 0, &body);
    add_node(world, (sn_vec3){1, 1, 0}, 0, &other);
    REQUIRE_OK(sn_body_set_collider_collision(world, body, floor, false));
    REQUIRE_OK(sn_body_set_collision(world, body, other, false));
    REQUIRE_OK(sn_body_set_collision(world, other, other, false));
    REQUIRE_OK(sn_body_destroy(world, body));
    add_node(world, (sn_vec3){0, 1, 0}, 0, &body);
    CHECK_OK(sn_body_get_collider_collision(world, body, floor, &collide));
    CHECK(collide);
    CHECK_OK(sn_body_get_collision(world, other, body, &collide));
    CHECK(collide);
    CHECK_OK(sn_body_get_collision(world, other, other, &collide));
    CHECK(!collide);
    REQUIRE_OK(sn_body_set_collider_collision(world, body, floor, false));
    REQUIRE_OK(sn_collider_destroy(world, floor));
    floor = setup_incline(world, 0, 0.5, 0.5);
    CHECK_OK(sn_body_get_collider_collision(world, body, floor, &collide));
    CHECK(collide);
    sn_world_destroy(world);
}

/* ---- Snapshots and recordings ---- */

enum { ROOM = 1 << 18 };
static unsigned char bytes[ROOM], again[ROOM];

static size_t save(sn_world *world, unsigned char *to) {
    size_t size = 0;
    REQUIRE_OK(sn_snapshot_save(world, to, ROOM, &size));
    return size;
}

/* Things with laws, which go on for a second. */
static void build_materials(sn_world *world) {
    sn_contact_pair_def pair = pair_of(0.7, 0.6, 0.4);
    sn_collider floor = setup_incline(world, 0.2, 0.5, 0.5), wall;
    sn_collider_def def = sn_collider_def_default();
    sn_body body, ghost;
    def.shape = SN_SHAPE_SPHERE;
    def.material = 9;
    REQUIRE_OK(sn_collider_create(world, &def, &wall));
    pair.rolling_resistance = (sn_real)0.02;
    REQUIRE_OK(sn_world_set_contact_pair(world, 9, 1, &pair));
    REQUIRE_OK(sn_world_set_contact_pair(world, 0, 200, &pair));
    REQUIRE_OK(sn_world_reset_contact_pair(world, 3, 4));
    add_node(world, (sn_vec3){(sn_real)0.1, 1, 0}, 1, &body);
    add_node(world, (sn_vec3){(sn_real)0.2, 1, 0}, 200, &ghost);
    setup_ball(world, (sn_vec3){1, (sn_real)0.5, 0}, 2, 0.1, 200);
    REQUIRE_OK(sn_body_set_collision(world, body, ghost, false));
    REQUIRE_OK(sn_body_set_collider_collision(world, ghost, wall, false));
    REQUIRE_OK(sn_body_set_collider_collision(world, body, floor, false));
    REQUIRE_OK(sn_body_set_collider_collision(world, body, floor, true));
}

TEST(a_snapshot_has_the_materials) {
    sn_world *world = setup_world(10), *other = setup_world(10);
    sn_settings settings = sn_settings_default();
    settings.friction = SN_FRICTION_VELOCITY;
    build_materials(world);
    for (int i = 0; i < 60; i++) {
        if (i == 30) REQUIRE_OK(sn_world_set_settings(world, &settings));
        size_t size = save(world, bytes);
        CHECK_OK(sn_snapshot_load(other, bytes, size));
        CHECK(save(other, again) == size);
        size_t same = 0;
        while (same < size && bytes[same] == again[same]) same++;
        CHECK(same == size);
        CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
        CHECK_OK(sn_world_step(other, (sn_real)SETUP_DT));
        CHECK(sn_world_hash(world) == sn_world_hash(other));
    }
    sn_world_destroy(world);
    sn_world_destroy(other);
}

TEST(a_world_without_materials_has_the_bytes_it_had) {
    sn_world *world = setup_world(10);
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    sn_body body;
    add_node(world, (sn_vec3){0, 1, 0}, 0, &body);
    size_t size = save(world, bytes);
    REQUIRE_OK(sn_world_set_contact_pair(world, 1, 2, &pair));
    CHECK(save(world, again) > size);
    REQUIRE_OK(sn_world_reset_contact_pair(world, 2, 1));
    CHECK(save(world, again) == size);
    REQUIRE_OK(sn_body_set_collision(world, body, body, false));
    CHECK(save(world, again) > size);
    REQUIRE_OK(sn_body_set_collision(world, body, body, true));
    CHECK(save(world, again) == size);
    sn_world_destroy(world);
}

/* Every byte is one that is checked or that does no harm, with hashes that are right. */
TEST(a_damaged_snapshot_is_refused_or_harmless) {
    sn_world *world = setup_world(2), *other = setup_world(2);
    build_materials(world);
    size_t size = save(world, bytes), refused = 0;
    for (size_t i = 16; i < size; i++)
        for (int bit = 0; bit < 8; bit += 3) {
            memcpy(again, bytes, size);
            again[i] ^= (unsigned char)(1 << bit);
            repair(again, size, "SNAP");
            if (sn_snapshot_load(other, again, size) == SN_OK)
                CHECK_OK(sn_world_step(other, (sn_real)SETUP_DT));
            else
                refused++;
        }
    CHECK(refused > size / 2);
    sn_world_destroy(world);
    sn_world_destroy(other);
}

TEST(a_recording_repeats_the_materials) {
    sn_world *world = setup_world(10), *other = setup_world(10);
    sn_replay_report report;
    const char *file = sizeof(sn_real) == 4 ? "laws_f32.rec" : "laws_f64.rec";
    REQUIRE_OK(sn_recording_start(world, file));
    build_materials(world);
    setup_run(world, 1);
    CHECK_OK(sn_recording_stop(world));
    CHECK_OK(sn_replay_file(other, file, &report));
    CHECK(!report.differs && report.steps == 60);
    CHECK(sn_world_hash(world) == sn_world_hash(other));
    size_t size = save(world, bytes), more = save(other, again), same = 0;
    while (same < size && bytes[same] == again[same]) same++;
    CHECK(size == more && same == size);
    sn_world_destroy(world);
    sn_world_destroy(other);
    remove(file);
}

TESTS(RUN(a_pair_says_what_two_materials_do), RUN(pairs_are_kept_in_any_order),
      RUN(a_pair_may_let_pass_or_bounce), RUN(what_makes_no_sense_is_refused),
      RUN(surfaces_follow_a_mean_where_nothing_was_said),
      RUN(pairs_and_ignoring_hold_between_bodies_too), RUN(a_surface_may_have_several_materials),
      RUN(a_body_ignores_a_collider_until_it_is_told_not_to), RUN(what_is_removed_is_forgotten),
      RUN(a_snapshot_has_the_materials), RUN(a_world_without_materials_has_the_bytes_it_had),
      RUN(a_damaged_snapshot_is_refused_or_harmless), RUN(a_recording_repeats_the_materials))
