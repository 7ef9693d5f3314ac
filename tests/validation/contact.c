/* Contacts of nodes with colliders: friction on an incline, bouncing, and fast nodes (V44, V46,
   V49). */
#include "check.h"
#include "ways.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>

static const double g = 9.81, dt = 1.0 / 60;

static sn_world *make_world(int substeps) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = substeps;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static sn_node add_ball(sn_world *world, sn_vec3 position, double mass, double radius) {
    sn_node node;
    sn_node_def def = sn_node_def_default();
    def.position = position;
    def.inverse_mass = (sn_real)(1 / mass);
    def.radius = (sn_real)radius;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

static sn_node_def look(sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

/* A plane that is turned about the z axis: it falls towards +x. */
static void add_incline(sn_world *world, double angle, double still, double slides) {
    sn_collider collider;
    sn_collider_def def = sn_collider_def_default();
    def.orientation = (sn_quat){0, 0, (sn_real)-sin(angle / 2), (sn_real)cos(angle / 2)};
    def.static_friction = (sn_real)still;
    def.dynamic_friction = (sn_real)slides;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
}

static double slide_along(double angle, double mu, double mass, double seconds, double *speed) {
    sn_world *world = make_world(20);
    add_incline(world, angle, mu, mu);
    double r = 0.1;
    sn_node ball = add_ball(
        world, (sn_vec3){(sn_real)(r * sin(angle)), (sn_real)(r * cos(angle)), 0}, mass, r);
    sn_vec3 from = look(world, ball).position;
    for (int i = 0; i < (int)(seconds / dt + 0.5); i++) CHECK_OK(sn_world_step(world, (sn_real)dt));
    sn_node_def end = look(world, ball);
    double x = (double)end.position.x - (double)from.x, y = (double)end.position.y - (double)from.y;
    *speed = (double)end.velocity.x * cos(angle) - (double)end.velocity.y * sin(angle);
    sn_world_destroy(world);
    return x * cos(angle) - y * sin(angle);
}

TEST(a_steep_incline_lets_a_ball_slide_as_coulomb_says) {
    const double mus[] = {0.1, 0.3, 0.5, 0.8, 1.0};
    const double expected[] = {0.8593, 0.8926, 0.9559, 1.0949, 1.2091};
    for (int i = 0; i < 5; i++) {
        double angle = atan(mus[i]) + 5 * 3.14159265358979 / 180, speed;
        slide_along(angle, mus[i], 1, 1, &speed);
        CHECK_NEAR(speed / 1, expected[i], 0.01 * expected[i]);
        CHECK_NEAR(expected[i], g * (sin(angle) - mus[i] * cos(angle)), 1e-3);
    }
}

TEST(a_gentle_incline_holds_it_without_creeping) {
    const double masses[] = {0.001, 1, 1000};
    for (int i = 0; i < 3; i++) {
        double speed, gone = slide_along(0.95 * atan(0.5), 0.5, masses[i], 10, &speed);
        CHECK(fabs(gone) < 1e-4);
    }
}

TEST(mass_does_not_matter) {
    double first, other, angle = atan(0.5) + 0.0873;
    slide_along(angle, 0.5, 0.001, 1, &first);
    slide_along(angle, 0.5, 1000, 1, &other);
    CHECK_NEAR(first, other, 1e-4);
}

/* The height of the next peak after a fall from H. */
static double peak_after(sn_world *world, sn_node ball) {
    double highest = -1, last = 1e9;
    bool rising = false;
    for (int i = 0; i < 600; i++) {
        CHECK_OK(sn_world_step(world, (sn_real)(1.0 / 240)));
        double y = (double)look(world, ball).position.y;
        if (y > last) rising = true;
        if (rising && y > highest) highest = y;
        if (rising && y < last) break;
        last = y;
    }
    return highest;
}

TEST(a_ball_bounces_to_the_square_of_its_restitution) {
    sn_world *world = make_world(10);
    sn_collider floor;
    sn_collider_def def = sn_collider_def_default();
    def.restitution = (sn_real)0.5;
    REQUIRE_OK(sn_collider_create(world, &def, &floor));
    sn_node ball = add_ball(world, (sn_vec3){0, 1, 0}, 1, 0);
    CHECK_NEAR(peak_after(world, ball), 0.25, 0.0025);
    CHECK_NEAR(peak_after(world, ball), 0.0625, 0.000625 * 2);
    sn_world_destroy(world);
}

static void shoot(sn_shape shape, double speed) {
    check_case("shape %d at %g m/s", (int)shape, speed);
    sn_world *world = make_world(1);
    sn_settings settings = sn_settings_default();
    settings.gravity = (sn_vec3){0, 0, 0};
    settings.substeps = 1;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_collider collider;
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.static_friction = def.dynamic_friction = 0;
    def.extent = (sn_vec3){(sn_real)0.05, (sn_real)0.5, (sn_real)0.5};
    def.radius = shape == SN_SHAPE_BOX ? 0 : (sn_real)0.05;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    sn_node ball = add_ball(world, (sn_vec3){-1, 0, (sn_real)0.001}, 1, 0.01);
    REQUIRE_OK(sn_node_set_velocity(world, ball, (sn_vec3){(sn_real)speed, 0, 0}));
    for (int i = 0; i < 10; i++) {
        CHECK_OK(sn_world_step(world, (sn_real)dt));
        CHECK((double)look(world, ball).position.x < 0.1 ||
              fabs((double)look(world, ball).position.z) > 0.05);
    }
    sn_world_destroy(world);
}

TEST(nothing_passes_through_a_thin_shape) {
    const double speeds[] = {1, 10, 60, 200, 1000};
    for (int i = 0; i < 5; i++) {
        shoot(SN_SHAPE_BOX, speeds[i]);
        shoot(SN_SHAPE_SPHERE, speeds[i]);
        shoot(SN_SHAPE_CAPSULE, speeds[i]);
        shoot(SN_SHAPE_CYLINDER, speeds[i]);
    }
}

TEST(contacts_begin_stay_and_end_and_carry_the_weight) {
    sn_world *world = make_world(20);
    sn_collider floor;
    sn_collider_def def = sn_collider_def_default();
    REQUIRE_OK(sn_collider_create(world, &def, &floor));
    sn_node ball = add_ball(world, (sn_vec3){0, (sn_real)0.1, 0}, 2, 0.1);
    const sn_contact *contacts;
    size_t count;
    for (int i = 0; i < 60; i++) {
        CHECK_OK(sn_world_step(world, (sn_real)dt));
        CHECK_OK(sn_world_contacts(world, &contacts, &count));
        CHECK(count == 1 && contacts[0].phase == (i == 0 ? SN_CONTACT_BEGIN : SN_CONTACT_STAY));
    }
    CHECK(contacts[0].point.x == 0 && contacts[0].point.z == 0);
    CHECK_NEAR((double)contacts[0].point.y, 0, 1e-7);
    CHECK_NEAR((double)contacts[0].normal_impulse, 2 * g * dt, 2e-3 * 2 * g * dt);
    CHECK_OK(sn_node_set_position(world, ball, (sn_vec3){0, 5, 0}));
    CHECK_OK(sn_world_step(world, (sn_real)dt));
    CHECK_OK(sn_world_contacts(world, &contacts, &count));
    CHECK(count == 1 && contacts[0].phase == SN_CONTACT_END);
    CHECK_OK(sn_world_step(world, (sn_real)dt));
    CHECK_OK(sn_world_contacts(world, &contacts, &count));
    CHECK(count == 0);
    sn_world_destroy(world);
}

/* On a ball, away from the origin, and again from a snapshot. */
TEST(contacts_say_where_they_are) {
    sn_world *world = make_world(20), *copy = make_world(20);
    sn_collider round;
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_SPHERE;
    def.position = (sn_vec3){3, 2, 1};
    def.static_friction = 2;
    REQUIRE_OK(sn_collider_create(world, &def, &round));
    sn_vec3 n = {(sn_real)0.36, (sn_real)0.8, (sn_real)0.48}; /* unit length */
    sn_real far = (sn_real)0.6;
    add_ball(world, (sn_vec3){3 + far * n.x, 2 + far * n.y, 1 + far * n.z}, 1, 0.1);
    for (int i = 0; i < 10; i++) CHECK_OK(sn_world_step(world, (sn_real)dt));
    const sn_contact *contact, *again;
    size_t count, size;
    CHECK_OK(sn_world_contacts(world, &contact, &count));
    if (!CHECK(count == 1)) return;
    CHECK_NEAR((double)contact->point.x, 3 + 0.5 * 0.36, 1e-4);
    CHECK_NEAR((double)contact->point.y, 2 + 0.5 * 0.8, 1e-4);
    CHECK_NEAR((double)contact->point.z, 1 + 0.5 * 0.48, 1e-4);
    static unsigned char bytes[1 << 16];
    REQUIRE_OK(sn_snapshot_save(world, bytes, sizeof bytes, &size));
    REQUIRE_OK(sn_snapshot_load(copy, bytes, size));
    CHECK_OK(sn_world_contacts(copy, &again, &count));
    if (!CHECK(count == 1)) return;
    CHECK(again->point.x == contact->point.x && again->point.y == contact->point.y &&
          again->point.z == contact->point.z);
    sn_world_destroy(world);
    sn_world_destroy(copy);
}

TEST(a_moving_collider_takes_along_what_lies_on_it) {
    sn_world *world = make_world(20);
    sn_collider belt;
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_BOX;
    def.extent = (sn_vec3){5, (sn_real)0.5, 5};
    def.position = (sn_vec3){0, (sn_real)-0.5, 0};
    def.velocity = (sn_vec3){1, 0, 0};
    REQUIRE_OK(sn_collider_create(world, &def, &belt));
    sn_node ball = add_ball(world, (sn_vec3){0, (sn_real)0.1, 0}, 1, 0.1);
    for (int i = 0; i < 120; i++) CHECK_OK(sn_world_step(world, (sn_real)dt));
    CHECK_NEAR((double)look(world, ball).velocity.x, 1, 1e-3);
    sn_world_destroy(world);
}

TEST(deep_overlap_comes_out_slowly) {
    sn_world *world = make_world(20);
    sn_collider box;
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_BOX;
    REQUIRE_OK(sn_collider_create(world, &def, &box));
    sn_node ball = add_ball(world, (sn_vec3){(sn_real)0.01, (sn_real)0.2, 0}, 1, 0.1);
    double fastest = 0;
    for (int i = 0; i < 60; i++) {
        CHECK_OK(sn_world_step(world, (sn_real)dt));
        sn_vec3 v = look(world, ball).velocity;
        fastest = fmax(fastest, sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z)));
    }
    CHECK(fastest < 2.2);
    CHECK_NEAR((double)look(world, ball).position.y, 0.6, 2e-3);
    sn_world_destroy(world);
}

/* ---- The same bits, and goes on from anywhere ---- */

/* A net of balls that falls on all kinds of shapes, some of which move. */
static void build_heap(sn_world *world) {
    enum { SIDE = 12 };
    static const sn_shape shapes[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_BOX,
                                      SN_SHAPE_CYLINDER};
    sn_node node[SIDE * SIDE];
    sn_constraint link;
    sn_collider collider;
    sn_collider_def def = sn_collider_def_default();
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    for (int i = 0; i < 4; i++) {
        def.shape = shapes[i];
        def.radius = (sn_real)0.2;
        def.extent = (sn_vec3){(sn_real)0.2, (sn_real)0.3, (sn_real)0.2};
        def.position =
            (sn_vec3){(sn_real)(0.5 * (i % 2) + 0.2), (sn_real)0.4, (sn_real)(0.5 * (i / 2) + 0.2)};
        def.angular_velocity = (sn_vec3){0, (sn_real)i, (sn_real)0.5};
        def.restitution = (sn_real)(0.2 * i);
        REQUIRE_OK(sn_collider_create(world, &def, &collider));
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        node[i] = add_ball(world,
                           (sn_vec3){(sn_real)(0.08 * (i % SIDE)), 1, (sn_real)(0.08 * (i / SIDE))},
                           0.05, 0.02);
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int k = 0; k < 2; k++) {
            int next = k == 0 ? i + 1 : i + SIDE;
            if ((k == 0 && i % SIDE == SIDE - 1) || next >= SIDE * SIDE) continue;
            sn_distance_def edge = sn_distance_def_default();
            edge.node[0] = node[i];
            edge.node[1] = node[next];
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &edge, &link));
        }
}

TEST(threads_and_lanes_make_no_difference) {
    check_ways(build_heap, 60);
}

TEST(a_snapshot_goes_on_with_its_contacts) {
    sn_world *world, *other;
    static unsigned char bytes[1 << 20], again[1 << 20];
    size_t size, more;
    REQUIRE_OK(sn_world_create(NULL, &world));
    REQUIRE_OK(sn_world_create(NULL, &other));
    build_heap(world);
    for (int i = 0; i < 60; i++) {
        CHECK_OK(sn_snapshot_save(world, bytes, sizeof bytes, &size));
        CHECK_OK(sn_snapshot_load(other, bytes, size));
        CHECK_OK(sn_snapshot_save(other, again, sizeof again, &more));
        CHECK(more == size);
        CHECK_OK(sn_world_step(world, (sn_real)dt));
        CHECK_OK(sn_world_step(other, (sn_real)dt));
        CHECK(sn_world_hash(world) == sn_world_hash(other));
        const sn_contact *a, *b;
        size_t count, found;
        CHECK_OK(sn_world_contacts(world, &a, &count));
        CHECK_OK(sn_world_contacts(other, &b, &found));
        CHECK(count == found);
        for (size_t k = 0; k < count && k < found; k++) CHECK(a[k].phase == b[k].phase);
    }
    sn_world_destroy(world);
    sn_world_destroy(other);
}

TEST(a_recording_repeats_what_was_done_to_colliders) {
    sn_world *world, *other;
    sn_collider collider;
    sn_replay_report report;
    /* Both precisions are tested in one folder, perhaps at once. */
    const char *file = sizeof(sn_real) == 4 ? "contact_f32.rec" : "contact_f64.rec";
    sn_collider_def def = sn_collider_def_default();
    REQUIRE_OK(sn_world_create(NULL, &world));
    REQUIRE_OK(sn_world_create(NULL, &other));
    REQUIRE_OK(sn_recording_start(world, file));
    build_heap(world);
    CHECK_OK(sn_world_collider_at(world, 1, &collider));
    for (int i = 0; i < 30; i++) {
        if (i == 5)
            CHECK_OK(
                sn_collider_set_target(world, collider, (sn_vec3){0, 1, 0}, (sn_quat){0, 1, 0, 1}));
        if (i == 10) {
            CHECK_OK(sn_collider_get(world, collider, &def));
            CHECK_NEAR((double)def.position.y, 1, 1e-6);
            def.radius = (sn_real)0.4;
            CHECK_OK(sn_collider_set(world, collider, &def));
        }
        if (i == 20) {
            CHECK(sn_collider_is_valid(world, collider));
            CHECK_OK(sn_collider_destroy(world, collider));
            CHECK(!sn_collider_is_valid(world, collider));
        }
        CHECK_OK(sn_world_step(world, (sn_real)dt));
    }
    CHECK_OK(sn_recording_stop(world));
    CHECK_OK(sn_replay_file(other, file, &report));
    CHECK(!report.differs && report.steps == 30);
    CHECK(sn_world_hash(world) == sn_world_hash(other));
    sn_world_destroy(world);
    sn_world_destroy(other);
    remove(file);
}

TESTS(RUN(a_steep_incline_lets_a_ball_slide_as_coulomb_says),
      RUN(a_gentle_incline_holds_it_without_creeping), RUN(mass_does_not_matter),
      RUN(a_ball_bounces_to_the_square_of_its_restitution),
      RUN(nothing_passes_through_a_thin_shape),
      RUN(contacts_begin_stay_and_end_and_carry_the_weight), RUN(contacts_say_where_they_are),
      RUN(a_moving_collider_takes_along_what_lies_on_it), RUN(deep_overlap_comes_out_slowly),
      RUN(threads_and_lanes_make_no_difference), RUN(a_snapshot_goes_on_with_its_contacts),
      RUN(a_recording_repeats_what_was_done_to_colliders))
