/*
 * Boxes, cylinders and hulls that nodes carry, on each other: momentum in free collisions, weight,
 * stacks, friction, and what begins in the same place.
 */
#include "check.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SN_DOUBLE
#define KEPT 1e-6
#else
#define KEPT 1e-4
#endif

#define FRAME ((sn_real)(1.0 / 60))
static const double PI = 3.14159265358979323846;

static sn_vec3 vector(double x, double y, double z) {
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
}

static sn_world *make_world(int threads, double gravity, int substeps) {
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.settings.gravity = vector(0, -gravity, 0);
    def.settings.substeps = substeps;
    sn_world *world;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(world, FRAME));
}

static sn_node_def look(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

/* What a body is made of; a shape with these half sides. */
typedef struct piece {
    sn_shape shape;
    sn_vec3 half, at;
    sn_quat turn;
    double mass; /* kg, 0: it is held */
    double friction, restitution;
    sn_vec3 velocity, spin;
} piece;

static piece piece_at(sn_vec3 half, double x, double y, double z) {
    return (piece){.shape = SN_SHAPE_BOX,
                   .half = half,
                   .at = vector(x, y, z),
                   .turn = {0, 0, 0, 1},
                   .mass = 1,
                   .friction = 0.5};
}

/* The corners of a box that is sharpened to a wedge, so that it has triangles and is not even. */
static void corners_of(const piece *p, sn_vec3 corners[6]) {
    double a = (double)p->half.x, b = (double)p->half.y, c = (double)p->half.z;
    for (int k = 0; k < 6; k++)
        corners[k] = k < 4 ? vector(k & 1 ? a : -a, -b, k & 2 ? c : -c)
                           : vector(k & 1 ? a / 2 : -a / 2, b, 0);
}

static sn_node add(sn_world *world, const piece *p) {
    double a = (double)p->half.x, b = (double)p->half.y, c = (double)p->half.z;
    sn_node_def def = sn_node_def_default();
    sn_collider_def shape = sn_collider_def_default();
    sn_body_def body = sn_body_def_default();
    sn_vec3 corners[6];
    sn_collider collider;
    sn_node node;
    def.position = p->at;
    def.orientation = p->turn;
    def.oriented = true;
    def.velocity = p->velocity;
    def.angular_velocity = p->spin;
    def.inverse_mass = 0;
    if (p->mass > 0) {
        def.inverse_mass = (sn_real)(1 / p->mass);
        def.inverse_inertia =
            vector(3 / (p->mass * (b * b + c * c)), 3 / (p->mass * (c * c + a * a)),
                   3 / (p->mass * (a * a + b * b)));
    }
    REQUIRE_OK(sn_body_create(world, &body, &def.body));
    REQUIRE_OK(sn_node_create(world, &def, &node));
    shape.shape = p->shape;
    shape.position = p->at;
    shape.orientation = p->turn;
    if (p->shape != SN_SHAPE_HULL) shape.extent = p->half;
    if (p->shape == SN_SHAPE_CYLINDER) shape.radius = p->half.x;
    if (p->shape == SN_SHAPE_HULL) {
        corners_of(p, corners);
        shape.geometry.vertices = corners;
        shape.geometry.vertex_count = 6;
    }
    shape.static_friction = shape.dynamic_friction = (sn_real)p->friction;
    shape.restitution = (sn_real)p->restitution;
    REQUIRE_OK(sn_collider_create(world, &shape, &collider));
    REQUIRE_OK(sn_collider_set_carrier(world, collider, node));
    return node;
}

static void add_floor(sn_world *world) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider floor;
    def.static_friction = def.dynamic_friction = (sn_real)0.5;
    REQUIRE_OK(sn_collider_create(world, &def, &floor));
}

static double apart(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double length(const double a[3]) {
    const double zero[3] = {0, 0, 0};
    return apart(a, zero);
}

/* ---- Free collisions ---- */

static const sn_shape shapes[] = {SN_SHAPE_BOX, SN_SHAPE_CYLINDER, SN_SHAPE_HULL};
static const double bounces[] = {0, 0.6};

/* One hits the other beside its middle, flat or with its edges. */
static void collide(sn_shape one, sn_shape other, double bounce, bool flat) {
    sn_world *world = make_world(1, 0, 50);
    piece a = piece_at(vector(0.5, 0.5, 0.5), 0.1, 0, -0.1), b = a;
    a.shape = one;
    a.mass = 2;
    a.restitution = bounce;
    a.velocity = vector(0.1, 0.2, 0.05);
    b.shape = other;
    b.at = vector(0.3, flat ? 1.1 : 1.45, 0.15);
    b.velocity = vector(0.4, -2, -0.3);
    if (!flat) {
        b.turn = (sn_quat){(sn_real)sin(0.3), (sn_real)sin(0.2), 0,
                           (sn_real)sqrt(1 - sin(0.3) * sin(0.3) - sin(0.2) * sin(0.2))};
        a.spin = vector(0.3, -0.2, 0.5);
        b.spin = vector(-0.2, 0.4, 0.1);
    }
    sn_node below = add(world, &a);
    add(world, &b);
    double energy;
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(world, &before));
    energy = before.kinetic_energy;
    run(world, 40);
    REQUIRE_OK(sn_world_measure(world, &after));
    printf("shapes %d %d, e %g, %s: P off by %.2e, L by %.2e, energy %g of %g, %g m/s\n", (int)one,
           (int)other, bounce, flat ? "flat" : "edges", apart(after.momentum, before.momentum),
           apart(after.angular_momentum, before.angular_momentum), after.kinetic_energy, energy,
           (double)look(world, below).velocity.y);
    CHECK((double)look(world, below).velocity.y < -0.2);
    CHECK(apart(after.momentum, before.momentum) < KEPT * length(before.momentum));
    CHECK(apart(after.angular_momentum, before.angular_momentum) <
          KEPT * length(before.angular_momentum));
    CHECK(after.kinetic_energy < energy * (1 + KEPT));
    sn_world_destroy(world);
}

TEST(free_collisions_keep_momentum) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (int e = 0; e < 4; e++) collide(shapes[i], shapes[k], bounces[e % 2], e < 2);
}

/* ---- Weight ---- */

TEST(a_box_carries_a_box) {
    for (int i = 0; i < 3; i++) {
        sn_world *world = make_world(1, 9.81, 20);
        piece low = piece_at(vector(0.4, 0.2, 0.3), 0, 0.2, 0);
        piece high = piece_at(vector(0.25, 0.25, 0.25), 0.05, 0.7, 0.03);
        add_floor(world);
        low.mass = 3;
        high.mass = 2;
        high.shape = shapes[i];
        sn_node on = add(world, &high), below = add(world, &low);
        run(world, 180);
        sn_vec3 force;
        double sum[2] = {0, 0};
        for (int f = 0; f < 60; f++) {
            run(world, 1);
            REQUIRE_OK(sn_body_contact_force(world, look(world, on).body, &force));
            sum[0] += (double)force.y / 60;
            REQUIRE_OK(sn_body_contact_force(world, look(world, below).body, &force));
            sum[1] += (double)force.y / 60;
        }
        sn_node_def at = look(world, on);
        printf("shape %d at %g m, held by %g N of %g; below %g of %g\n", (int)shapes[i],
               (double)at.position.y, sum[0], 2 * 9.81, sum[1], 3 * 9.81);
        CHECK_REL(sum[0], 2 * 9.81, 0.01);
        CHECK_REL(sum[1], 3 * 9.81, 0.01);
        CHECK_NEAR((double)at.position.y, 0.65, 1e-3);
        CHECK_NEAR((double)at.position.x, 0.05, 1e-3);
        sn_world_destroy(world);
    }
}

/* Ten cubes on each other stand for 10 s. */
enum { STACK = 10 };

static void stack(sn_world *world, sn_node nodes[STACK], bool down) {
    add_floor(world);
    for (int i = 0; i < STACK; i++) {
        int level = down ? STACK - 1 - i : i;
        piece p = piece_at(vector(0.1, 0.1, 0.1), 0.003 * (level % 3 - 1), 0.1 + 0.2 * level,
                           0.002 * (level % 2));
        nodes[level] = add(world, &p);
    }
}

TEST(ten_boxes_stand) {
    for (int down = 0; down < 2; down++) {
        sn_world *world = make_world(1, 9.81, 20);
        sn_node nodes[STACK];
        double most = 0, sunk = 0, tilt = 0;
        stack(world, nodes, down);
        sn_vec3 from[STACK];
        for (int i = 0; i < STACK; i++) from[i] = look(world, nodes[i]).position;
        run(world, 600);
        for (int i = 0; i < STACK; i++) {
            sn_node_def at = look(world, nodes[i]);
            most = fmax(most, hypot((double)(at.position.x - from[i].x),
                                    (double)(at.position.z - from[i].z)));
            sunk = fmax(sunk, fabs((double)(at.position.y - from[i].y)));
            tilt = fmax(tilt, 2 * hypot((double)at.orientation.x, (double)at.orientation.z));
        }
        printf("stack, %s: crept by %g m, sunk by %g m, tilted by %g rad, %g m/s\n",
               down ? "downwards" : "upwards", most, sunk, tilt,
               (double)look(world, nodes[STACK - 1]).velocity.y);
        CHECK(most < 0.01);
        CHECK(sunk < 0.01);
        CHECK(tilt < 0.02);
        sn_world_destroy(world);
    }
}

/* ---- Friction ---- */

TEST(a_box_slides_on_a_box) {
    const double mu[] = {0.1, 0.3, 0.5};
    for (int i = 0; i < 6; i++) {
        bool steep = i % 2;
        double m = mu[i / 2], angle = steep ? atan(m) + 5 * PI / 180 : 0.95 * atan(m);
        sn_world *world = make_world(1, 9.81, 20);
        piece ramp = piece_at(vector(5, 0.2, 2), 0, 0, 0), box = ramp;
        ramp.turn = (sn_quat){0, 0, (sn_real)sin(angle / 2), (sn_real)cos(angle / 2)};
        ramp.mass = 0;
        ramp.friction = box.friction = m;
        box.turn = ramp.turn;
        box.half = vector(0.3, 0.1, 0.25);
        box.at = vector(-0.3 * sin(angle), 0.3 * cos(angle), 0);
        sn_node node = i < 3 ? add(world, &box) : (sn_node){0};
        add(world, &ramp);
        if (i >= 3) node = add(world, &box);
        run(world, 1);
        sn_node_def before = look(world, node), after;
        run(world, steep ? 60 : 600);
        after = look(world, node);
        double gone = hypot((double)(after.position.x - before.position.x),
                            (double)(after.position.y - before.position.y));
        double a = hypot((double)after.velocity.x, (double)after.velocity.y) -
                   hypot((double)before.velocity.x, (double)before.velocity.y);
        double expected = 9.81 * (sin(angle) - m * cos(angle));
        printf("mu %g, %s: %g m, %g m/s^2 of %g\n", m, steep ? "steep" : "still", gone, a,
               expected);
        if (steep)
            CHECK_REL(a, expected, 0.01);
        else
            CHECK(gone < 1e-3);
        sn_world_destroy(world);
    }
}

/* ---- What is degenerate ---- */

/* Bodies that begin in the same place, in line or turned by nearly nothing, come apart. */
TEST(what_overlaps_comes_apart) {
    const double offset[] = {0, 1e-7, 1e-3, 0.15}, angle[] = {0, 1e-6, PI / 4, PI / 2};
    for (int i = 0; i < 9 * 16; i++) {
        sn_world *world = make_world(1, 0, 10);
        piece a = piece_at(vector(0.2, 0.2, 0.2), 0, 0, 0), b = a;
        double turn = angle[i / 4 % 4], off = offset[i % 4];
        a.shape = shapes[i / 16 % 3];
        b.shape = shapes[i / 48];
        b.at = vector(off, -off, off / 2);
        b.turn = (sn_quat){0, (sn_real)sin(turn / 2), 0, (sn_real)cos(turn / 2)};
        sn_node one = add(world, &a), other = add(world, &b);
        run(world, 120);
        sn_node_def p = look(world, one), q = look(world, other);
        double gone = hypot(
            hypot((double)(p.position.x - q.position.x), (double)(p.position.y - q.position.y)),
            (double)(p.position.z - q.position.z));
        double v = fmax(fabs((double)p.velocity.x), fabs((double)p.velocity.y));
        CHECK(isfinite(gone) && gone > 0.1 && gone < 1.6);
        CHECK(isfinite(v) && v < 0.3);
        sn_world_destroy(world);
    }
}

/* ---- Order and rest ---- */

static sn_world *make_pile(int threads) {
    sn_world *world = make_world(threads, 9.81, 20);
    add_floor(world);
    for (int i = 0; i < 40; i++) {
        piece p = piece_at(vector(0.1, 0.08, 0.12), 0.2 * (i % 2), 0.15 + 0.25 * (i / 4),
                           0.21 * (i / 2 % 2));
        p.shape = shapes[i % 3];
        if (p.shape == SN_SHAPE_CYLINDER) p.half.z = p.half.x;
        p.spin = vector(0.1 * i, 0.5, -0.2 * i);
        add(world, &p);
    }
    return world;
}

TEST(threads_do_not_matter) {
    uint64_t first = 0;
    for (int threads = 1; threads <= 4; threads += 3) {
        sn_world *world = make_pile(threads);
        run(world, 60);
        if (threads == 1) first = sn_world_hash(world);
        CHECK(sn_world_hash(world) == first);
        sn_world_destroy(world);
    }
}

TEST(snapshots_go_on_alike) {
    sn_world *world = make_pile(1), *other = make_world(1, 9.81, 20);
    size_t size = 0;
    run(world, 40);
    REQUIRE_OK(sn_snapshot_save(world, NULL, 0, &size));
    void *data = malloc(size);
    REQUIRE_OK(sn_snapshot_save(world, data, size, &size));
    REQUIRE_OK(sn_snapshot_load(other, data, size));
    run(world, 10);
    run(other, 10);
    CHECK(sn_world_hash(world) == sn_world_hash(other));
    free(data);
    sn_world_destroy(world);
    sn_world_destroy(other);
}

TEST(a_stack_sleeps_and_wakes) {
    sn_world *world = make_world(1, 9.81, 20);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.sleep_time = (sn_real)0.5;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_node nodes[STACK];
    stack(world, nodes, false);
    run(world, 180);
    for (int i = 0; i < STACK; i++) CHECK(sn_body_is_asleep(world, look(world, nodes[i]).body));
    piece hit = piece_at(vector(0.05, 0.05, 0.05), 1, 1.8, 0);
    hit.velocity = vector(-8, 1, 0);
    hit.mass = 3;
    add(world, &hit);
    run(world, 60);
    CHECK((double)look(world, nodes[STACK - 1]).position.y < 1.85);
    sn_world_destroy(world);
}

TESTS(RUN(free_collisions_keep_momentum), RUN(a_box_carries_a_box), RUN(ten_boxes_stand),
      RUN(a_box_slides_on_a_box), RUN(what_overlaps_comes_apart), RUN(threads_do_not_matter),
      RUN(snapshots_go_on_alike), RUN(a_stack_sleeps_and_wakes))
