/*
 * Colliders that nodes carry: what touches them pushes them, with the momentum and the angular
 * momentum that it loses itself; a cloth carries a body; threads, snapshots and recordings.
 */
#include "base/meter.h"
#include "rigid_worlds.h"
#include "snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static sn_node_def carrier_def(sn_vec3 at, double mass, sn_vec3 inertia) {
    sn_node_def def = sn_node_def_default();
    def.position = at;
    def.inverse_mass = (sn_real)(1 / mass);
    def.oriented = true;
    def.inverse_inertia =
        vector(1 / (double)inertia.x, 1 / (double)inertia.y, 1 / (double)inertia.z);
    return def;
}

static sn_node add_node(sn_world *world, const sn_node_def *def) {
    sn_node node;
    REQUIRE_OK(sn_node_create(world, def, &node));
    return node;
}

static sn_collider carry(sn_world *world, sn_node node, const sn_collider_def *def) {
    sn_collider collider;
    REQUIRE_OK(sn_collider_create(world, def, &collider));
    REQUIRE_OK(sn_collider_set_carrier(world, collider, node));
    return collider;
}

/* A cube with an edge of 2 m about the origin, as vertices and triangles. */
static const sn_vec3 corners[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const uint32_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                      {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                      {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/* Every shape that has an end, about 2 m large. */
static sn_collider_def shape_def(sn_shape shape) {
    static sn_collider_part part;
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.extent = vector(1, 1, 1);
    if (shape == SN_SHAPE_SPHERE || shape == SN_SHAPE_CAPSULE || shape == SN_SHAPE_CYLINDER)
        def.radius = 1;
    if (shape == SN_SHAPE_CAPSULE) {
        def.radius = (sn_real)0.9;
        def.extent.y = (sn_real)0.1;
    }
    def.geometry.vertices = corners;
    def.geometry.vertex_count = 8;
    if (shape == SN_SHAPE_MESH || shape == SN_SHAPE_SDF) {
        def.geometry.triangles = sides;
        def.geometry.triangle_count = 12;
    }
    part = sn_collider_part_default();
    part.shape = SN_SHAPE_BOX;
    part.extent = vector(1, 1, 1);
    if (shape == SN_SHAPE_COMPOUND) {
        def.geometry = (sn_geometry){.spacing = SN_AUTO};
        def.parts = &part;
        def.part_count = 1;
    }
    if (shape < SN_SHAPE_MESH) def.geometry = (sn_geometry){.spacing = SN_AUTO};
    return def;
}

static const sn_shape all_shapes[] = {SN_SHAPE_SPHERE,   SN_SHAPE_CAPSULE, SN_SHAPE_BOX,
                                      SN_SHAPE_CYLINDER, SN_SHAPE_MESH,    SN_SHAPE_HULL,
                                      SN_SHAPE_SDF,      SN_SHAPE_COMPOUND};
enum { SHAPES = sizeof all_shapes / sizeof *all_shapes };

/* ---- Free collisions ---- */

static double apart(const double a[3], const double b[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static double length(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* A ball hits a body beside its middle and from the side; the body turns. */
static void collide_freely(sn_shape shape, double restitution, sn_friction friction, bool rolls) {
    sn_world *world = make_world(1, 0, 50);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.friction = friction;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_node_def body = carrier_def(vector(0.2, 0, -0.1), 2, vector(0.7, 1.1, 1.5));
    body.angular_velocity = vector(0.3, -0.2, 0.5);
    body.velocity = vector(0.1, 0.2, 0.05);
    sn_node carrier = add_node(world, &body);
    sn_collider_def def = shape_def(shape);
    def.restitution = (sn_real)restitution;
    def.static_friction = def.dynamic_friction = (sn_real)0.4;
    carry(world, carrier, &def);
    sn_body_def rolling = sn_body_def_default();
    rolling.rolls = rolls;
    sn_node_def ball = sn_node_def_default();
    REQUIRE_OK(sn_body_create(world, &rolling, &ball.body));
    ball.position = vector(0.35, 1.3, 0.2);
    ball.velocity = vector(0.6, -2, -0.4);
    ball.radius = (sn_real)0.1;
    ball.oriented = rolls;
    ball.inverse_inertia = vector(250, 250, 250);
    sn_node small = add_node(world, &ball);
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(world, &before));
    for (int i = 0; i < 30; i++) REQUIRE_OK(sn_world_step(world, FRAME));
    REQUIRE_OK(sn_world_measure(world, &after));
    REQUIRE_OK(sn_node_get(world, small, &ball));
    printf("shape %d e %g friction %d: P off by %.2e, L by %.2e, energy %g of %g\n", (int)shape,
           restitution, (int)friction, apart(after.momentum, before.momentum),
           apart(after.angular_momentum, before.angular_momentum), after.kinetic_energy,
           before.kinetic_energy);
    CHECK((double)ball.velocity.y > -1.6);
    CHECK(apart(after.momentum, before.momentum) < KEPT * length(before.momentum));
    CHECK(apart(after.angular_momentum, before.angular_momentum) <
          KEPT * length(before.angular_momentum));
    CHECK(after.kinetic_energy < before.kinetic_energy * (1 + KEPT));
    sn_world_destroy(world);
}

TEST(free_collisions_keep_momentum) {
    for (int i = 0; i < SHAPES; i++) {
        collide_freely(all_shapes[i], 0, SN_FRICTION_POSITION, false);
        collide_freely(all_shapes[i], 0.6, SN_FRICTION_POSITION, false);
        collide_freely(all_shapes[i], 0.6, SN_FRICTION_VELOCITY, false);
        collide_freely(all_shapes[i], 0.6, SN_FRICTION_POSITION, true);
    }
}

/* Without friction the impulse is (1 + e) v / (1/m + 1/M + (r x n)^2 / I). */
TEST(impulses_follow_from_masses_and_levers) {
    const double arm[] = {0, 0.5, 0.9}, bounce[] = {0, 0.5, 1};
    for (int i = 0; i < 9; i++) {
        double x = arm[i % 3], e = bounce[i / 3], inertia = 0.8, heavy = 2, speed = 3;
        sn_world *world = make_world(1, 0, 1);
        sn_node_def body = carrier_def(vector(0, 0, 0), heavy, vector(inertia, inertia, inertia));
        sn_node carrier = add_node(world, &body);
        sn_collider_def def = shape_def(SN_SHAPE_BOX);
        def.restitution = (sn_real)e;
        def.static_friction = def.dynamic_friction = 0;
        carry(world, carrier, &def);
        sn_node_def ball = sn_node_def_default();
        ball.position = vector(x, 1.2, 0);
        ball.velocity = vector(0, -speed, 0);
        sn_node small = add_node(world, &ball);
        size_t count = 0;
        for (int k = 0; k < 800 && count == 0; k++) {
            const sn_contact *contacts;
            REQUIRE_OK(sn_world_step(world, FRAME / 100));
            REQUIRE_OK(sn_world_contacts(world, &contacts, &count));
        }
        CHECK(count == 1);
        double impulse = (1 + e) * speed / (1 + 1 / heavy + x * x / inertia);
        REQUIRE_OK(sn_node_get(world, small, &ball));
        REQUIRE_OK(sn_node_get(world, carrier, &body));
        CHECK_NEAR((double)ball.velocity.y, -speed + impulse, 0.01 * speed);
        CHECK_NEAR((double)body.velocity.y, -impulse / heavy, 0.01 * speed);
        CHECK_NEAR((double)body.angular_velocity.z, -x * impulse / inertia, 0.01 * speed);
        sn_world_destroy(world);
    }
}

/* ---- A cloth that carries a box ---- */

typedef struct tray {
    sn_world *world;
    sn_node node;
    sn_collider collider;
    sn_build cloth;
} tray;

static tray make_tray(int threads) {
    tray t = {.world = make_world(threads, 9.81, 20)};
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(t.world, &settings));
    settings.damping = 1;
    REQUIRE_OK(sn_world_set_settings(t.world, &settings));
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    grid.width = grid.depth = 2;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    uint32_t pins[80];
    size_t pinned = 0;
    for (uint32_t i = 0; i < 21 * 21; i++)
        if (i % 21 == 0 || i % 21 == 20 || i / 21 == 0 || i / 21 == 20) pins[pinned++] = i;
    sn_build_def def = sn_build_def_default();
    def.mesh = &mesh;
    def.pins = pins;
    def.pin_count = pinned;
    def.collide = SN_COLLIDE_ALL;
    sn_cloth_material material = sn_cloth_material_default();
    REQUIRE_OK(sn_build_body(t.world, SN_KIND_CLOTH, &material, &def, NULL, &t.cloth));
    sn_mesh_free(&mesh);
    /* A box of 2 kg. */
    sn_body_def body = sn_body_def_default();
    sn_node_def node = carrier_def(vector(0.1, 0.3, 0.05), 2, vector(0.06, 0.1, 0.07));
    REQUIRE_OK(sn_body_create(t.world, &body, &node.body));
    node.angular_velocity = vector(0.5, 1, -0.3);
    t.node = add_node(t.world, &node);
    sn_collider_def box = sn_collider_def_default();
    box.shape = SN_SHAPE_BOX;
    box.extent = vector(0.3, 0.15, 0.25);
    box.position = node.position;
    t.collider = carry(t.world, t.node, &box);
    return t;
}

TEST(a_cloth_carries_a_box) {
    tray t = make_tray(1);
    for (int i = 0; i < 300; i++) REQUIRE_OK(sn_world_step(t.world, FRAME));
    sn_vec3 on_box, on_cloth;
    double sum = 0;
    for (int i = 0; i < 60; i++) {
        REQUIRE_OK(sn_world_step(t.world, FRAME));
        sn_node_def node;
        REQUIRE_OK(sn_node_get(t.world, t.node, &node));
        REQUIRE_OK(sn_body_contact_force(t.world, node.body, &on_box));
        REQUIRE_OK(sn_body_contact_force(t.world, t.cloth.body, &on_cloth));
        CHECK_NEAR((double)on_box.y, -(double)on_cloth.y, 1e-3 * fabs((double)on_box.y) + 1e-3);
        sum += (double)on_box.y / 60;
    }
    sn_node_def node;
    REQUIRE_OK(sn_node_get(t.world, t.node, &node));
    printf("box at %g m, %g m/s, held by %g N of %g N\n", (double)node.position.y,
           (double)node.velocity.y, sum, 2 * 9.81);
    CHECK_REL(sum, 2 * 9.81, 0.02);
    CHECK((double)node.position.y > -0.5 && (double)node.position.y < 0.2);
    CHECK(fabs((double)node.velocity.y) < 0.05);
    sn_world_destroy(t.world);
}

TEST(threads_do_not_matter) {
    uint64_t first = 0;
    for (int threads = 1; threads <= 4; threads += 3) {
        tray t = make_tray(threads);
        for (int i = 0; i < 60; i++) REQUIRE_OK(sn_world_step(t.world, FRAME));
        if (threads == 1) first = sn_world_hash(t.world);
        CHECK(sn_world_hash(t.world) == first);
        sn_world_destroy(t.world);
    }
}

TEST(snapshots_go_on_alike) {
    tray t = make_tray(1);
    for (int i = 0; i < 40; i++) REQUIRE_OK(sn_world_step(t.world, FRAME));
    size_t size = 0;
    void *data = snapshot_of(t.world, &size);
    sn_world *other = make_world(1, 9.81, 20);
    REQUIRE_OK(sn_snapshot_load(other, data, size));
    sn_node carrier;
    REQUIRE_OK(sn_world_collider_at(other, 0, &t.collider));
    REQUIRE_OK(sn_collider_get_carrier(other, t.collider, &carrier));
    CHECK(carrier.slot == t.node.slot);
    for (int i = 0; i < 20; i++) {
        REQUIRE_OK(sn_world_step(t.world, FRAME));
        REQUIRE_OK(sn_world_step(other, FRAME));
        CHECK(sn_world_hash(t.world) == sn_world_hash(other));
    }
    free(data);
    sn_world_destroy(other);
    sn_world_destroy(t.world);
}

TEST(recordings_have_carriers) {
    const char *path = sizeof(sn_real) == 4 ? "rigid.snr" : "rigid_f64.snr";
    sn_world *world = make_world(1, 9.81, 20), *again = make_world(1, 9.81, 20);
    sn_replay_report report;
    REQUIRE_OK(sn_recording_start(world, path));
    sn_node_def def = carrier_def(vector(0, 1, 0), 2, vector(0.06, 0.1, 0.07));
    sn_collider_def ball = shape_def(SN_SHAPE_SPHERE), plane = sn_collider_def_default();
    sn_collider floor;
    REQUIRE_OK(sn_collider_create(world, &plane, &floor));
    ball.radius = (sn_real)0.3;
    ball.position = vector(0.1, 1, 0);
    sn_collider collider = carry(world, add_node(world, &def), &ball);
    for (int i = 0; i < 40; i++) REQUIRE_OK(sn_world_step(world, FRAME));
    REQUIRE_OK(sn_collider_clear_carrier(world, collider));
    REQUIRE_OK(sn_world_step(world, FRAME));
    REQUIRE_OK(sn_recording_stop(world));
    CHECK_OK(sn_replay_file(again, path, &report));
    CHECK(!report.differs);
    CHECK(sn_world_hash(again) == sn_world_hash(world));
    sn_world_destroy(world);
    sn_world_destroy(again);
    remove(path);
}

/* ---- Bodies on the floor ---- */

static sn_collider add_plane(sn_world *world, double angle, double friction, double restitution) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    def.orientation = (sn_quat){0, 0, (sn_real)sin(angle / 2), (sn_real)cos(angle / 2)};
    def.static_friction = def.dynamic_friction = (sn_real)friction;
    def.restitution = (sn_real)restitution;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    return collider;
}

/* A full box of 1 kg, with these half sides, on a plane through the origin that is turned by an
   angle about z; lifted by a gap. */
static sn_node add_box(sn_world *world, double angle, sn_vec3 half, double gap, double friction) {
    double a = (double)half.x, b = (double)half.y, c = (double)half.z;
    sn_node_def def =
        carrier_def(vector(-(b + gap) * sin(angle), (b + gap) * cos(angle), 0), 1,
                    vector((b * b + c * c) / 3, (c * c + a * a) / 3, (a * a + b * b) / 3));
    def.orientation = (sn_quat){0, 0, (sn_real)sin(angle / 2), (sn_real)cos(angle / 2)};
    sn_body_def body = sn_body_def_default();
    REQUIRE_OK(sn_body_create(world, &body, &def.body));
    sn_node node = add_node(world, &def);
    sn_collider_def box = sn_collider_def_default();
    box.shape = SN_SHAPE_BOX;
    box.extent = half;
    box.position = def.position;
    box.orientation = def.orientation;
    box.static_friction = box.dynamic_friction = (sn_real)friction;
    carry(world, node, &box);
    return node;
}

static double tilt_of(const sn_world *world, sn_node node, double angle) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return fabs(2 * atan2((double)def.orientation.z, (double)def.orientation.w) - angle);
}

/* V44: it stays where tan(angle) < mu, and slides with g (sin - mu cos) where it is more. */
TEST(a_box_slides_as_friction_says) {
    const double mu[] = {0.1, 0.3, 0.5, 0.8};
    for (int i = 0; i < 4; i++) {
        double still = 0.95 * atan(mu[i]), steep = atan(mu[i]) + 5 * 3.14159265358979 / 180;
        for (int k = 0; k < 2; k++) {
            double angle = k ? steep : still;
            sn_world *world = make_world(1, 9.81, 20);
            add_plane(world, angle, mu[i], 0);
            sn_node node = add_box(world, angle, vector(0.5, 0.1, 0.4), 0, mu[i]);
            sn_node_def before, after;
            REQUIRE_OK(sn_world_step(world, FRAME));
            REQUIRE_OK(sn_node_get(world, node, &before));
            for (int f = 0; f < (k ? 60 : 600); f++) REQUIRE_OK(sn_world_step(world, FRAME));
            REQUIRE_OK(sn_node_get(world, node, &after));
            double gone = hypot((double)(after.position.x - before.position.x),
                                (double)(after.position.y - before.position.y));
            double v = hypot((double)after.velocity.x, (double)after.velocity.y);
            double v_before = hypot((double)before.velocity.x, (double)before.velocity.y);
            double a = 9.81 * (sin(angle) - mu[i] * cos(angle));
            printf("mu %g, %s: %g m, %g m/s^2 of %g\n", mu[i], k ? "steep" : "still", gone,
                   v - v_before, a);
            if (k)
                CHECK_REL(v - v_before, a, 0.01);
            else
                CHECK(gone < 1e-4);
            sn_world_destroy(world);
        }
    }
}

/* V44: a box tips where tan(angle) > w / h, if friction holds it. */
TEST(a_box_tips_beyond_its_edge) {
    double half = 0.2, high = 0.4, limit = atan(half / high);
    for (int k = 0; k < 2; k++) {
        double angle = k ? limit + 0.02 : limit - 0.02;
        sn_world *world = make_world(1, 9.81, 20);
        add_plane(world, angle, 5, 0);
        sn_node node = add_box(world, angle, vector(half, high, 0.3), 0, 5);
        for (int f = 0; f < 180; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        double tilt = tilt_of(world, node, angle);
        printf("%s: tilted by %g rad\n", k ? "steep" : "still", tilt);
        CHECK(k ? tilt > 0.5 : tilt < 2e-3);
        sn_world_destroy(world);
    }
}

/* A box that falls flat lies still, with its weight on the floor. */
TEST(a_box_lies_on_the_floor) {
    sn_world *world = make_world(1, 9.81, 20);
    sn_collider floor = add_plane(world, 0, 0.5, 0);
    sn_node node = add_box(world, 0, vector(0.3, 0.2, 0.25), 0.5, 0.5);
    for (int f = 0; f < 300; f++) REQUIRE_OK(sn_world_step(world, FRAME));
    sn_node_def def;
    sn_vec3 force;
    REQUIRE_OK(sn_node_get(world, node, &def));
    REQUIRE_OK(sn_collider_contact_force(world, floor, &force));
    printf("at %g m, %g m/s, %g rad/s, %g N\n", (double)def.position.y, (double)def.velocity.y,
           (double)def.angular_velocity.x, (double)force.y);
    CHECK_NEAR((double)def.position.y, 0.2, 1e-3);
    CHECK(tilt_of(world, node, 0) < 1e-3);
    CHECK_NEAR((double)force.y, -9.81, 0.1);
    sn_world_destroy(world);
}

/* A box falls asleep on the floor, and wakes when a ball hits it. */
TEST(bodies_sleep_and_wake) {
    sn_world *world = make_world(1, 9.81, 20);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.sleep_time = (sn_real)0.5;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    add_plane(world, 0, 0.5, 0);
    sn_node node = add_box(world, 0, vector(0.3, 0.2, 0.25), 0.01, 0.5);
    sn_node_def def, ball = carrier_def(vector(0, 3, 0), 1, vector(0.01, 0.01, 0.01));
    REQUIRE_OK(sn_node_get(world, node, &def));
    for (int f = 0; f < 120; f++) REQUIRE_OK(sn_world_step(world, FRAME));
    CHECK(sn_body_is_asleep(world, def.body));
    ball.velocity = vector(0, -3, 0);
    ball.position = vector(0.2, 1, 0);
    sn_collider_def sphere = shape_def(SN_SHAPE_SPHERE);
    sphere.radius = (sn_real)0.1;
    sphere.position = ball.position;
    carry(world, add_node(world, &ball), &sphere);
    bool woke = false;
    for (int f = 0; f < 60; f++) {
        REQUIRE_OK(sn_world_step(world, FRAME));
        woke = woke || !sn_body_is_asleep(world, def.body);
    }
    CHECK(woke);
    sn_world_destroy(world);
}

/* V46: two equal balls exchange their velocities. */
TEST(balls_exchange_velocities) {
    sn_world *world = make_world(1, 0, 20);
    sn_node ball[2];
    for (int i = 0; i < 2; i++) {
        sn_node_def def = carrier_def(vector(1.5 * i, 0, 0), 1, vector(0.1, 0.1, 0.1));
        def.velocity = vector(i ? 0 : 2, 0, 0);
        ball[i] = add_node(world, &def);
        sn_collider_def sphere = shape_def(SN_SHAPE_SPHERE);
        sphere.radius = (sn_real)0.5;
        sphere.position = def.position;
        sphere.restitution = 1;
        carry(world, ball[i], &sphere);
    }
    for (int f = 0; f < 30; f++) REQUIRE_OK(sn_world_step(world, FRAME));
    sn_node_def a, b;
    REQUIRE_OK(sn_node_get(world, ball[0], &a));
    REQUIRE_OK(sn_node_get(world, ball[1], &b));
    CHECK_NEAR((double)a.velocity.x, 0, 1e-4);
    CHECK_NEAR((double)b.velocity.x, 2, 1e-4);
    sn_world_destroy(world);
}

/* ---- Calls ---- */

TEST(a_collider_is_where_its_node_is) {
    sn_world *world = make_world(1, 9.81, 10);
    sn_node_def def = carrier_def(vector(1, 2, 3), 1, vector(1, 1, 1));
    def.orientation = (sn_quat){0, 0, (sn_real)sqrt(0.5), (sn_real)sqrt(0.5)};
    sn_node node = add_node(world, &def), carrier;
    sn_collider_def box = shape_def(SN_SHAPE_BOX);
    box.position = vector(1, 4, 3);
    sn_collider collider = carry(world, node, &box);
    REQUIRE_OK(sn_collider_get_carrier(world, collider, &carrier));
    CHECK(carrier.slot == node.slot && carrier.generation == node.generation);
    REQUIRE_OK(sn_node_set_position(world, node, vector(0, 0, 0)));
    REQUIRE_OK(sn_node_set_orientation(world, node, (sn_quat){0, 0, 0, 1}));
    REQUIRE_OK(sn_collider_get(world, collider, &box));
    CHECK_NEAR((double)box.position.x, 2, 1e-6);
    CHECK_NEAR((double)box.position.y, 0, 1e-6);
    REQUIRE_OK(sn_world_step(world, FRAME));
    REQUIRE_OK(sn_collider_get(world, collider, &box));
    REQUIRE_OK(sn_node_get(world, node, &def));
    CHECK_NEAR((double)box.position.y, (double)def.position.y, 1e-6);
    CHECK((double)box.position.y < -1e-3 && (double)box.velocity.y < -0.1);
    /* Without its node it stands still. */
    REQUIRE_OK(sn_node_destroy(world, node));
    REQUIRE_OK(sn_world_step(world, FRAME));
    sn_collider_def stands;
    REQUIRE_OK(sn_collider_get(world, collider, &stands));
    CHECK(stands.position.y == box.position.y && stands.velocity.y == 0);
    REQUIRE_OK(sn_collider_get_carrier(world, collider, &carrier));
    CHECK(carrier.slot == 0);
    sn_world_destroy(world);
}

TEST(what_cannot_be_carried_is_refused) {
    sn_world *world = make_world(1, 9.81, 10);
    sn_node_def def = sn_node_def_default();
    sn_node particle = add_node(world, &def);
    def.oriented = true;
    def.inverse_inertia = vector(1, 1, 1);
    sn_node oriented = add_node(world, &def);
    sn_collider_def plane = sn_collider_def_default(), ball = shape_def(SN_SHAPE_SPHERE);
    sn_collider floor, sphere;
    REQUIRE_OK(sn_collider_create(world, &plane, &floor));
    REQUIRE_OK(sn_collider_create(world, &ball, &sphere));
    CHECK_FAILS(sn_collider_set_carrier(world, sphere, particle), SN_ERROR_VALUE);
    CHECK_FAILS(sn_collider_set_carrier(world, floor, oriented), SN_ERROR_VALUE);
    CHECK_FAILS(sn_collider_set_carrier(world, (sn_collider){0}, oriented), SN_ERROR_ID);
    CHECK_FAILS(sn_collider_set_carrier(world, sphere, (sn_node){99, 1, oriented.world}),
                SN_ERROR_ID);
    CHECK_FAILS(sn_collider_get_carrier(world, sphere, NULL), SN_ERROR_NULL);
    def.inverse_mass = 0;
    sn_node rider = add_node(world, &def);
    REQUIRE_OK(sn_node_ride(world, rider, sphere));
    CHECK_FAILS(sn_collider_set_carrier(world, sphere, oriented), SN_ERROR_VALUE);
    REQUIRE_OK(sn_node_destroy(world, rider));
    REQUIRE_OK(sn_collider_set_carrier(world, sphere, oriented));
    CHECK_FAILS(sn_collider_set_target(world, sphere, vector(0, 0, 0), (sn_quat){0, 0, 0, 1}),
                SN_ERROR_VALUE);
    rider = add_node(world, &def);
    CHECK_FAILS(sn_node_ride(world, rider, sphere), SN_ERROR_VALUE);
    REQUIRE_OK(sn_collider_clear_carrier(world, sphere));
    REQUIRE_OK(sn_node_ride(world, rider, sphere));
    sn_world_destroy(world);
}

/* ---- Rolling ---- */

/* A wheel, alone or part of a compound, that rolls over a plane, a box, or a mesh: two turns and
   more. Its rims are round: of 16 points that stay where they are on them it would rise and fall by
   1.9 % of its radius, and be braked by every one. */
/* A collider that stands, or that a node carries which nothing moves. */
static void lay(sn_world *world, const sn_collider_def *ground, bool carried) {
    sn_rigid_def def = sn_rigid_def_default();
    sn_collider collider;
    sn_node node;
    if (!carried) {
        REQUIRE_OK(sn_collider_create(world, ground, &collider));
        return;
    }
    REQUIRE_OK(sn_rigid_create(world, &def, ground, &node, &collider));
    REQUIRE_OK(sn_node_set_inverse_mass(world, node, 0));
    REQUIRE_OK(sn_node_set_inverse_inertia(world, node, vector(0, 0, 0)));
}

static void roll(sn_shape ground, bool compound, bool carried) {
    const double radius = 0.1, speed = 1;
    sn_world *world = make_world(1, 9.81, 20);
    sn_collider_def floor = shape_def(ground), wheel = shape_def(SN_SHAPE_CYLINDER);
    sn_collider_part part = sn_collider_part_default();
    sn_rigid_def def = sn_rigid_def_default();
    sn_collider collider;
    sn_node node;
    floor.position.y = ground == SN_SHAPE_PLANE ? 0 : -1;
    lay(world, &floor, carried);
    wheel.radius = part.radius = (sn_real)radius;
    wheel.extent.y = part.extent.y = (sn_real)0.03;
    part.shape = SN_SHAPE_CYLINDER;
    if (compound) {
        wheel.shape = SN_SHAPE_COMPOUND;
        wheel.parts = &part;
        wheel.part_count = 1;
    }
    wheel.orientation = (sn_quat){(sn_real)sqrt(0.5), 0, 0, (sn_real)sqrt(0.5)};
    wheel.position = vector(-0.8, radius, 0.1);
    wheel.velocity = vector(speed, 0, 0);
    wheel.angular_velocity = vector(0, 0, -speed / radius);
    def.density = 1000;
    REQUIRE_OK(sn_rigid_create(world, &def, &wheel, &node, &collider));
    double low = 1, high = 0;
    sn_node_def at;
    for (int frame = 0; frame < 90; frame++) {
        REQUIRE_OK(sn_world_step(world, FRAME));
        REQUIRE_OK(sn_node_get(world, node, &at));
        low = fmin(low, (double)at.position.y);
        high = fmax(high, (double)at.position.y);
    }
    printf("wheel on %d, %d%s: from %.7f to %.7f m high, %.6f m/s, %.1e aside\n", (int)ground,
           compound, carried ? ", carried" : "", low, high, (double)at.velocity.x,
           (double)at.position.z - 0.1);
    CHECK(high - low < 2e-4 * radius);
    CHECK_NEAR((double)at.velocity.x, speed, 1e-3 * speed);
    CHECK_NEAR((double)at.position.x, -0.8 + 1.5 * speed, 2e-3);
    CHECK_NEAR((double)at.position.z, 0.1, 1e-3);
    sn_world_destroy(world);
}

TEST(a_wheel_rolls_round) {
    roll(SN_SHAPE_PLANE, false, false);
    roll(SN_SHAPE_PLANE, true, false);
    roll(SN_SHAPE_BOX, false, false);
    roll(SN_SHAPE_MESH, false, false);
    roll(SN_SHAPE_BOX, false, true);
    roll(SN_SHAPE_BOX, true, true);
}

/* What falls almost flat on its rim leans to one side and then to the other, and gains nothing. */
/* A ball or a wheel that rolls at 1 m/s with a resistance c slows down by c g / (1 + I / (m r^2)),
   rests on a slope with tan < c, and stops where it spins about the vertical. */
typedef struct roller {
    sn_shape shape;
    double inertia; /* of m r^2, about its axle */
    bool on_body;   /* whether the ground is a box that a node carries */
} roller;

static sn_node add_roller(sn_world *world, const roller *r, double spin) {
    sn_collider_def ground = sn_collider_def_default(), round = ground;
    sn_rigid_def def = sn_rigid_def_default();
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    sn_collider collider;
    sn_node node;
    pair.static_friction = pair.dynamic_friction = (sn_real)0.8;
    pair.rolling_resistance = (sn_real)0.05;
    REQUIRE_OK(sn_world_set_contact_pair(world, 1, 2, &pair));
    ground.shape = SN_SHAPE_PLANE;
    ground.material = 1;
    if (r->on_body) {
        ground.shape = SN_SHAPE_BOX;
        ground.extent = vector(3, 0.5, 1);
        ground.position.y = (sn_real)-0.5;
    }
    lay(world, &ground, r->on_body);
    round.shape = r->shape;
    round.material = 2;
    round.radius = (sn_real)0.1;
    round.extent.y = (sn_real)0.1;
    round.position.y = (sn_real)0.1;
    if (r->shape == SN_SHAPE_CYLINDER)
        round.orientation = (sn_quat){(sn_real)0.70710678, 0, 0, (sn_real)0.70710678};
    if (spin > 0) {
        round.angular_velocity.y = (sn_real)spin;
    } else {
        round.velocity.x = (sn_real)-spin;
        round.angular_velocity.z = (sn_real)(spin / 0.1);
    }
    REQUIRE_OK(sn_rigid_create(world, &def, &round, &node, &collider));
    return node;
}

static sn_node_def look(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

/* Without friction what is resisted takes nothing along: I dw/dt = c r m g, and the centre goes
   on. */
TEST(rolling_is_resisted_where_it_slips) {
    const roller all[] = {{SN_SHAPE_SPHERE, 0.4, false},
                          {SN_SHAPE_CYLINDER, 0.5, false},
                          {SN_SHAPE_SPHERE, 0.4, true},
                          {SN_SHAPE_CYLINDER, 0.5, true}};
    for (int i = 0; i < 4; i++) {
        check_case("shape %d%s", (int)all[i].shape, all[i].on_body ? " on a body" : "");
        sn_world *world = make_world(1, 9.81, 20);
        sn_contact_pair_def pair = sn_contact_pair_def_default();
        sn_node node = add_roller(world, &all[i], -1);
        pair.static_friction = pair.dynamic_friction = 0;
        pair.rolling_resistance = (sn_real)0.05;
        REQUIRE_OK(sn_world_set_contact_pair(world, 1, 2, &pair));
        for (int f = 0; f < 15; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        double slower = 0.25 * 0.05 * 9.81 / (all[i].inertia * 0.1);
        CHECK_NEAR((double)look(world, node).angular_velocity.z, slower - 10, 0.01 * slower);
        CHECK_NEAR((double)look(world, node).velocity.x, 1, 1e-4);
        sn_world_destroy(world);
    }
}

/* However the ground lies: dv/dt = c g / (1 + I / (m r^2)) along it, across what pulls. */
TEST(rolling_is_resisted_on_ground_that_leans) {
    const double r = 0.1, g = 9.81, normal[2] = {-0.6, 0.8}, along[2] = {0.8, 0.6};
    sn_world *world = make_world(1, g, 20);
    sn_settings settings;
    settings.size = sizeof settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){(sn_real)(-g * normal[0]), (sn_real)(-g * normal[1]), 0};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    pair.static_friction = pair.dynamic_friction = (sn_real)0.8;
    pair.rolling_resistance = (sn_real)0.05;
    REQUIRE_OK(sn_world_set_contact_pair(world, 1, 2, &pair));
    sn_collider_def ground = sn_collider_def_default(), ball = ground;
    sn_rigid_def def = sn_rigid_def_default();
    sn_collider collider;
    sn_node node;
    ground.shape = SN_SHAPE_PLANE;
    ground.material = 1;
    ground.orientation = (sn_quat){0, 0, (sn_real)0.31622777, (sn_real)0.94868330};
    REQUIRE_OK(sn_collider_create(world, &ground, &collider));
    ball.shape = SN_SHAPE_SPHERE;
    ball.material = 2;
    ball.radius = (sn_real)r;
    ball.position = (sn_vec3){(sn_real)(r * normal[0]), (sn_real)(r * normal[1]), 0};
    ball.velocity = (sn_vec3){(sn_real)along[0], (sn_real)along[1], 0};
    ball.angular_velocity.z = (sn_real)(-1 / r);
    REQUIRE_OK(sn_rigid_create(world, &def, &ball, &node, &collider));
    for (int f = 0; f < 60; f++) REQUIRE_OK(sn_world_step(world, FRAME));
    sn_vec3 v = look(world, node).velocity;
    double slower = 1 - ((double)v.x * along[0] + (double)v.y * along[1]);
    CHECK_NEAR(slower, 0.05 * g / 1.4, 0.01 * slower);
    sn_world_destroy(world);
}

TEST(rolling_is_resisted) {
    const roller all[] = {{SN_SHAPE_SPHERE, 0.4, false},
                          {SN_SHAPE_CYLINDER, 0.5, false},
                          {SN_SHAPE_SPHERE, 0.4, true},
                          {SN_SHAPE_CYLINDER, 0.5, true}};
    for (int i = 0; i < 4; i++) {
        check_case("shape %d%s", (int)all[i].shape, all[i].on_body ? " on a body" : "");
        sn_world *world = make_world(1, 9.81, 20);
        sn_node node = add_roller(world, &all[i], -1);
        for (int f = 0; f < 60; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        double slower = 1 - (double)look(world, node).velocity.x;
        CHECK_NEAR(slower, 0.05 * 9.81 / (1 + all[i].inertia), 0.01 * slower);
        sn_world_destroy(world);

        world = make_world(1, 9.81, 20);
        sn_settings settings;
        settings.size = sizeof settings;
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.gravity.x = (sn_real)(0.04 * 9.81);
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        node = add_roller(world, &all[i], 0);
        for (int f = 0; f < 120; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        CHECK_NEAR((double)look(world, node).position.x, 0, 1e-4);
        sn_world_destroy(world);
    }
    /* I dw/dt = c r m g, of which I = 0.4 m r^2. */
    sn_world *world = make_world(1, 9.81, 20);
    sn_node node = add_roller(world, &all[0], 20);
    for (int f = 0; f < 15; f++) REQUIRE_OK(sn_world_step(world, FRAME));
    CHECK_NEAR((double)look(world, node).angular_velocity.y, 20 - 0.25 * 0.05 * 9.81 / (0.4 * 0.1),
               0.05);
    sn_world_destroy(world);
}

TEST(cylinders_that_fall_gain_no_energy) {
    for (int i = 0; i < 12; i++) {
        sn_world *world = make_world(1, 9.81, 4);
        sn_collider_def floor = shape_def(SN_SHAPE_PLANE), def = shape_def(SN_SHAPE_CYLINDER);
        sn_rigid_def rigid = sn_rigid_def_default();
        sn_collider collider;
        sn_node node;
        sn_measure first, last;
        REQUIRE_OK(sn_collider_create(world, &floor, &collider));
        def.extent.y = (sn_real)0.0625;
        def.radius = (sn_real)0.078125;
        def.position = vector(0, 0.125, 0);
        def.orientation = (sn_quat){0, (sn_real)0.28, 0, (sn_real)0.96};
        def.velocity = vector(0, -1 - i % 5, 0);
        def.angular_velocity = vector(i % 3, 0, i % 4 / 2.0);
        REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &collider));
        REQUIRE_OK(sn_world_measure(world, &first));
        double energy = first.kinetic_energy + first.potential_energy, most = 0;
        for (int frame = 0; frame < 30; frame++) {
            REQUIRE_OK(sn_world_step(world, FRAME));
            REQUIRE_OK(sn_world_measure(world, &last));
            most = fmax(most, last.kinetic_energy + last.potential_energy);
        }
        check_case("%d", i);
        CHECK(most <= 1.001 * energy);
        CHECK(last.kinetic_energy < 1e-6 * energy);
        sn_world_destroy(world);
    }
}

/* A box on a box: without their contacts it would be another step. */
TEST(steps_without_memory_are_refused) {
    sn_world *world = make_world(1, 9.81, 2);
    for (int i = 0; i < 2; i++) {
        sn_node_def body = carrier_def(vector(0, 2 * i, 0), 1, vector(1, 1, 1));
        if (i == 0) body.inverse_mass = 0;
        sn_collider_def def = shape_def(SN_SHAPE_BOX);
        def.restitution = (sn_real)0.5;
        carry(world, add_node(world, &body), &def);
    }
    REQUIRE_OK(sn_world_step(world, FRAME));
    CHECK(meter_refuse_all(world, FRAME) > 20);
    sn_world_destroy(world);
}

/* Balls of 10 km, a metre from each other, all lie in all others: refused, and nothing happens. */
TEST(more_pairs_of_bodies_than_there_may_be_are_refused) {
    sn_world *world = make_world(1, 0, 20);
    sn_collider_def ball = shape_def(SN_SHAPE_SPHERE);
    ball.radius = (sn_real)1e4;
    for (int i = 0; i < 800; i++) {
        sn_node_def def = carrier_def(vector(i, 0, 0), 1, (sn_vec3){1, 1, 1});
        ball.position = def.position;
        carry(world, add_node(world, &def), &ball);
    }
    uint64_t before = sn_world_hash(world);
    CHECK_FAILS(sn_world_step(world, (sn_real)(1.0 / 60)), SN_ERROR_LIMIT);
    CHECK(sn_world_hash(world) == before);
    sn_world_destroy(world);
}

TESTS(RUN(more_pairs_of_bodies_than_there_may_be_are_refused),
      RUN(steps_without_memory_are_refused), RUN(free_collisions_keep_momentum),
      RUN(impulses_follow_from_masses_and_levers), RUN(a_cloth_carries_a_box),
      RUN(threads_do_not_matter), RUN(snapshots_go_on_alike), RUN(a_box_slides_as_friction_says),
      RUN(a_box_tips_beyond_its_edge), RUN(a_box_lies_on_the_floor), RUN(recordings_have_carriers),
      RUN(bodies_sleep_and_wake), RUN(balls_exchange_velocities),
      RUN(a_collider_is_where_its_node_is), RUN(what_cannot_be_carried_is_refused),
      RUN(a_wheel_rolls_round), RUN(rolling_is_resisted),
      RUN(rolling_is_resisted_on_ground_that_leans), RUN(rolling_is_resisted_where_it_slips),
      RUN(cylinders_that_fall_gain_no_energy))
