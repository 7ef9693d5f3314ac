/*
 * Boxes, cylinders and hulls that nodes carry, on each other: momentum in free collisions, weight,
 * stacks, friction, and what begins in the same place.
 */
#include "rigid_worlds.h"
#include "snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

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
    double mass;  /* kg, 0: it is held */
    double round; /* m, about a box */
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
    if (p->shape == SN_SHAPE_BOX) shape.radius = (sn_real)p->round;
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

/* Both tumble, with three moments of inertia, while they rub on each other. */
TEST(what_tumbles_keeps_its_momentum) {
    sn_world *world = make_world(1, 0, 20);
    piece a = piece_at(vector(0.6, 0.2, 0.4), 0, 0, 0), b = a;
    a.friction = b.friction = 0.5;
    b.at = vector(0.1, 0.45, 0.1);
    b.velocity = vector(0, -1, 0);
    a.spin = vector(4, 6, -5);
    b.spin = vector(-5, 3, 6);
    add(world, &a);
    add(world, &b);
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(world, &before));
    run(world, 20);
    REQUIRE_OK(sn_world_measure(world, &after));
    printf("tumbling: P off by %.2e, L by %.2e of %g\n", apart(after.momentum, before.momentum),
           apart(after.angular_momentum, before.angular_momentum), length(before.angular_momentum));
    CHECK(after.kinetic_energy < 0.99 * before.kinetic_energy);
    CHECK(apart(after.momentum, before.momentum) < KEPT * length(before.momentum));
    /* Three times what was measured in float, and four times in double. */
    CHECK(apart(after.angular_momentum, before.angular_momentum) <
          fmin(KEPT, 1e-5) * length(before.angular_momentum));
    sn_world_destroy(world);
}

TEST(free_collisions_keep_momentum) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            for (int e = 0; e < 4; e++) collide(shapes[i], shapes[k], bounces[e % 2], e < 2);
}

/* ---- Against all directions ---- */

enum { MOST_CORNERS = 8, DIRECTIONS = 1000 };

typedef struct cloud {
    double at[MOST_CORNERS][3]; /* m, in the world */
    int count;
    double axis[3], rim; /* of a cylinder: a disc of that radius (m) is about each of two points */
} cloud;

static double random_part(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608 - 1;
}

static sn_quat random_turn(uint32_t *seed, double most) {
    double q[4] = {most * random_part(seed), most * random_part(seed), most * random_part(seed), 1};
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (sn_quat){(sn_real)(q[0] / size), (sn_real)(q[1] / size), (sn_real)(q[2] / size),
                     (sn_real)(q[3] / size)};
}

static void turn_vector(sn_quat q, const double a[3], double out[3]) {
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double t[3] = {2 * (y * a[2] - z * a[1]), 2 * (z * a[0] - x * a[2]), 2 * (x * a[1] - y * a[0])};
    out[0] = a[0] + w * t[0] + (y * t[2] - z * t[1]);
    out[1] = a[1] + w * t[1] + (z * t[0] - x * t[2]);
    out[2] = a[2] + w * t[2] + (x * t[1] - y * t[0]);
}

/* The corners of a piece where its node is now, or the middles of its rims. */
static cloud cloud_of(const piece *p, const sn_node_def *node) {
    const double y[3] = {0, 1, 0};
    cloud c = {.count = p->shape == SN_SHAPE_BOX ? 8 : p->shape == SN_SHAPE_HULL ? 6 : 2};
    double a = (double)p->half.x, b = (double)p->half.y, h = (double)p->half.z;
    sn_vec3 corners[6];
    corners_of(p, corners);
    turn_vector(node->orientation, y, c.axis);
    if (p->shape == SN_SHAPE_CYLINDER) c.rim = a;
    for (int k = 0; k < c.count; k++) {
        double at[3] = {k & 1 ? a : -a, k & 2 ? b : -b, k & 4 ? h : -h};
        if (p->shape == SN_SHAPE_HULL) {
            at[0] = (double)corners[k].x, at[1] = (double)corners[k].y,
            at[2] = (double)corners[k].z;
        } else if (p->shape == SN_SHAPE_CYLINDER) {
            at[0] = at[2] = 0;
            at[1] = k & 1 ? b : -b;
        }
        turn_vector(node->orientation, at, c.at[k]);
        c.at[k][0] += (double)node->position.x;
        c.at[k][1] += (double)node->position.y;
        c.at[k][2] += (double)node->position.z;
    }
    return c;
}

static double farthest(const cloud *c, const double n[3], double sign) {
    double most = -INFINITY, size = length(n);
    double high = n[0] * c->axis[0] + n[1] * c->axis[1] + n[2] * c->axis[2];
    for (int k = 0; k < c->count; k++)
        most = fmax(most, sign * (n[0] * c->at[k][0] + n[1] * c->at[k][1] + n[2] * c->at[k][2]));
    return sign * (most + c->rim * sqrt(fmax(0, size * size - high * high)));
}

/* m: how far the second is from the first along a direction. */
static double gap_along(const cloud c[2], const double n[3]) {
    return farthest(&c[1], n, -1) - farthest(&c[0], n, 1);
}

/* The largest gap of all directions: what is random comes closer and closer. */
static double largest_gap(const cloud c[2], uint32_t *seed) {
    double best = -INFINITY, at[3] = {0, 1, 0};
    for (int i = 0; i < 2 * DIRECTIONS; i++) {
        double wide = i < DIRECTIONS ? 1e3 : 0.3 * pow(0.99, i - DIRECTIONS), n[3], size = 0;
        for (int a = 0; a < 3; a++) n[a] = at[a] + wide * random_part(seed);
        for (int a = 0; a < 3; a++) size += n[a] * n[a];
        for (int a = 0; a < 3; a++) n[a] /= sqrt(size);
        double gap = gap_along(c, n);
        if (!(gap > best)) continue;
        best = gap;
        for (int a = 0; a < 3; a++) at[a] = n[a];
    }
    return best;
}

static sn_quat product(sn_quat a, sn_quat b) {
    return (sn_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                     a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* Two pieces at random that nearly touch: whether they do, along which axis, and where. Boxes that
   are round lie on each other with their faces, as corners that are balls are not looked at. */
static void compare_pair(sn_shape one, sn_shape other, double rounded, uint32_t *seed,
                         int counts[2]) {
    sn_world *world = make_world(1, 0, 1);
    piece p[2] = {piece_at(vector(0.5, 0.3, 0.4), 0, 0, 0),
                  piece_at(vector(0.3, 0.4, 0.2), 0, 0, 0)};
    sn_node node[2];
    cloud c[2];
    p[0].shape = one;
    p[1].shape = other;
    for (int i = 0; i < 2; i++) {
        p[i].turn = random_turn(seed, 1);
        p[i].round = (i + 1) * rounded;
        if (p[i].shape == SN_SHAPE_CYLINDER) p[i].half.z = p[i].half.x;
    }
    double way[3] = {random_part(seed), random_part(seed), random_part(seed)}, far;
    if (rounded > 0) {
        double up[3] = {0.1 * way[0], 1, 0.1 * way[2]};
        p[1].turn = product(p[0].turn, random_turn(seed, 0.05));
        turn_vector(p[0].turn, up, way);
    }
    far = length(way);
    p[1].at = vector(way[0] / far, way[1] / far, way[2] / far);
    for (int i = 0; i < 2; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = p[i].at;
        def.orientation = p[i].turn;
        c[i] = cloud_of(&p[i], &def);
    }
    /* As far apart as the directions say, and a little more or less. */
    double apart_by = largest_gap(c, seed) - 3 * rounded, wanted = 0.06 * random_part(seed);
    double to = 1 - (apart_by - wanted);
    p[1].at = vector(to * way[0] / far, to * way[1] / far, to * way[2] / far);
    for (int i = 0; i < 2; i++) {
        node[i] = add(world, &p[i]);
        sn_node_def def = look(world, node[i]);
        c[i] = cloud_of(&p[i], &def);
    }
    double gap = largest_gap(c, seed) - 3 * rounded;
    REQUIRE_OK(sn_world_step(world, (sn_real)1e-4));
    const sn_contact *contact;
    size_t count;
    REQUIRE_OK(sn_world_contacts(world, &contact, &count));
    counts[count > 0]++;
    if (gap > 0.004) CHECK(count == 0);
    if (gap < -0.004 && CHECK(count == 1)) {
        bool first = contact->nodes[0].slot == node[0].slot;
        double sign = first ? -1 : 1,
               n[3] = {sign * (double)contact->normal.x, sign * (double)contact->normal.y,
                       sign * (double)contact->normal.z};
        CHECK(gap_along(c, n) - 3 * rounded > gap - 0.006);
        for (int i = 0; i < 2 * DIRECTIONS; i++) {
            double d[3] = {random_part(seed), random_part(seed), random_part(seed)};
            double at = d[0] * (double)contact->point.x + d[1] * (double)contact->point.y +
                        d[2] * (double)contact->point.z;
            if (!CHECK(at < farthest(&c[i % 2], d, 1) + 0.003 - 1.5 * gap + 3.5 * rounded)) break;
        }
    }
    sn_world_destroy(world);
}

TEST(axes_are_the_best_of_all_directions) {
    uint32_t seed = 5;
    int counts[2] = {0, 0};
    for (int i = 0; i < 180; i++) {
        check_case("pair %d", i);
        compare_pair(shapes[i % 3], shapes[i / 3 % 3], 0, &seed, counts);
        if (i % 3 == 0) compare_pair(SN_SHAPE_BOX, SN_SHAPE_BOX, 0.05, &seed, counts);
    }
    CHECK(counts[0] > 60 && counts[1] > 60);
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

/* Ten cubes on each other stand for 10 s, or for 4 where there is no time, and creep no faster. */
enum { STACK = 10, TALL = 40 };

static void stack(sn_world *world, sn_node *nodes, int count, bool down) {
    add_floor(world);
    for (int i = 0; i < count; i++) {
        int level = down ? count - 1 - i : i;
        piece p = piece_at(vector(0.1, 0.1, 0.1), 0.003 * (level % 3 - 1), 0.1 + 0.2 * level,
                           0.002 * (level % 2));
        nodes[level] = add(world, &p);
    }
}

/* The top of a slab has a fifth corner within it, a hair above the others: what lies on any side of
   it is carried, whichever of its points and of the two comes first. */
TEST(a_face_with_a_point_within_carries) {
    for (int k = 0; k < 9 * 8; k++) {
        int first = k / 8;
        bool before = k & 4;
        double far = k & 1 ? 0.35 : -0.35, x = k & 2 ? far : 0, z = k & 2 ? 0 : far;
        check_case("point %d is within, a box at %g %g", first, x, z);
        sn_world *world = make_world(1, 9.81, 10);
        sn_vec3 points[9];
        for (int i = 0, corner = 0; i < 9; i++) {
            points[i] = vector(0.02, 0.10005, 0.01);
            if (i == first) continue;
            points[i] =
                vector(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.1 : -0.1, corner & 4 ? 0.5 : -0.5);
            corner++;
        }
        piece box = piece_at(vector(0.1, 0.1, 0.1), x, 0.2005, z);
        sn_node node = {0};
        if (before) node = add(world, &box);
        sn_collider_def def = sn_collider_def_default();
        sn_collider slab;
        def.shape = SN_SHAPE_HULL;
        def.geometry.vertices = points;
        def.geometry.vertex_count = 9;
        sn_node_def below = sn_node_def_default();
        sn_node held;
        below.inverse_mass = 0;
        below.oriented = true;
        REQUIRE_OK(sn_node_create(world, &below, &held));
        REQUIRE_OK(sn_collider_create(world, &def, &slab));
        REQUIRE_OK(sn_collider_set_carrier(world, slab, held));
        if (!before) node = add(world, &box);
        run(world, 20);
        sn_node_def now = look(world, node);
        CHECK_NEAR(now.position.y, 0.2, 1e-3);
        CHECK(fabs((double)now.orientation.w) > 1 - 1e-5);
        sn_world_destroy(world);
    }
}

TEST(ten_boxes_stand) {
    int frames = check_long() ? 600 : 240;
    for (int down = 0; down < 2; down++) {
        sn_world *world = make_world(1, 9.81, 20);
        sn_node nodes[STACK];
        double most = 0, sunk = 0, tilt = 0, speed = 0;
        stack(world, nodes, STACK, down);
        sn_vec3 from[STACK];
        for (int i = 0; i < STACK; i++) from[i] = look(world, nodes[i]).position;
        run(world, frames);
        for (int i = 0; i < STACK; i++) {
            sn_node_def at = look(world, nodes[i]);
            most = fmax(most, hypot((double)(at.position.x - from[i].x),
                                    (double)(at.position.z - from[i].z)));
            sunk = fmax(sunk, fabs((double)(at.position.y - from[i].y)));
            tilt = fmax(tilt, 2 * hypot((double)at.orientation.x, (double)at.orientation.z));
            speed = fmax(speed, hypot(hypot((double)at.velocity.x, (double)at.velocity.z),
                                      (double)at.velocity.y));
        }
        printf("stack, %s: crept by %g m, sunk by %g m, tilted by %g rad, %g m/s\n",
               down ? "downwards" : "upwards", most, sunk, tilt, speed);
        CHECK(most < 0.003);
        CHECK(sunk < 3e-4);
        CHECK(tilt < 1e-3);
        CHECK(speed < 0.015);
        sn_world_destroy(world);
    }
}

/* Forty sway, and stand for 10 s, or for 5. */
TEST(forty_boxes_stand) {
    sn_world *world = make_world(1, 9.81, 20);
    sn_node nodes[TALL];
    double tilt = 0;
    stack(world, nodes, TALL, false);
    run(world, check_long() ? 600 : 300);
    for (int i = 0; i < TALL; i++) {
        sn_node_def at = look(world, nodes[i]);
        tilt = fmax(tilt, 2 * hypot((double)at.orientation.x, (double)at.orientation.z));
    }
    sn_vec3 top = look(world, nodes[TALL - 1]).position;
    printf("forty: the top at %g %g %g m, tilted by %g rad\n", (double)top.x, (double)top.y,
           (double)top.z, tilt);
    CHECK(hypot((double)top.x, (double)top.z) < 0.1);
    CHECK_NEAR((double)top.y, 0.2 * TALL - 0.1, 5e-3);
    CHECK(tilt < 0.02);
    sn_world_destroy(world);
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

/* ---- What is led ---- */

/* A box that goes to a target takes along what lies on its way, however far it goes in a step. */
TEST(a_box_on_its_way_to_a_target_pushes) {
    for (int i = 0; i < 6; i++) {
        const double to = 0.05 * (i % 3 + 1), sign = i < 3 ? 1 : -1;
        sn_world *world = make_world(1, 0, 10);
        piece a = piece_at(vector(0.2, 0.2, 0.2), 0, 0, 0), b = a, c = a;
        a.mass = c.mass = 0;
        b.at = vector(0.41 * sign, 0.01, 0.02);
        c.at = vector(0, 5, 0);
        sn_node led = add(world, &a), other = add(world, &c), free = add(world, &b);
        check_case("%g m", sign * to);
        REQUIRE_OK(sn_node_set_target(world, led, vector(to * sign, 0, 0)));
        REQUIRE_OK(sn_node_set_velocity(world, other, vector(0, 1, 0)));
        run(world, 1);
        CHECK_NEAR(look(world, led).position.x, to * sign, 1e-5);
        CHECK(sign * (double)look(world, free).position.x > to + 0.4 - 0.005);
        CHECK(sign * (double)look(world, free).velocity.x > 0.5 * (to - 0.01) * 60);
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

/* Six boxes that begin deep in each other at rest come apart without haste, and second order gives
   them no more than first: sinking ends by a change of place. */
TEST(a_heap_in_one_place_does_not_burst) {
    double energy[2];
    for (int second = 0; second < 2; second++) {
        sn_world *world = make_world(1, 0, 20);
        sn_settings settings;
        settings.size = sizeof settings;
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.integrator = second ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        for (int i = 0; i < 6; i++) {
            piece p = piece_at(vector(0.2 + 0.05 * i, 0.3, 0.45 - 0.05 * i), 0.1 * (i % 3 - 1),
                               0.08 * (i % 2), 0.05 * i - 0.1);
            p.turn = (sn_quat){(sn_real)(0.3 * i), (sn_real)(1 - 0.4 * i), (sn_real)0.5, 1};
            (void)add(world, &p);
        }
        sn_measure measure;
        energy[second] = 0;
        for (int f = 0; f < 90; f++) {
            run(world, 1);
            REQUIRE_OK(sn_world_measure(world, &measure));
            energy[second] = fmax(energy[second], measure.kinetic_energy);
        }
        printf("order %d: at most %g m/s\n", 1 + second, sqrt(2 * energy[second] / measure.mass));
        CHECK(2 * energy[second] / measure.mass < 1);
        sn_world_destroy(world);
    }
    CHECK(energy[1] < 1.2 * energy[0]);
}

/* How deep bodies are in each other, or in a collider that stands, is what their places say: faces
   on faces, away from the origin and turned. */
TEST(statistics_tell_how_deep_bodies_are) {
    const sn_quat turn = {(sn_real)0.36, (sn_real)0.48, 0, (sn_real)0.8};
    /* The y axis of what is turned. */
    const double up[3] = {2 * 0.36 * 0.48, 1 - 2 * 0.36 * 0.36, 2 * 0.36 * 0.8};
    for (int stands = 0; stands < 2; stands++) {
        sn_world *world = make_world(1, 0, 1);
        piece low = piece_at(vector(0.4, 0.2, 0.3), 3, -2, 1);
        piece high =
            piece_at(vector(0.2, 0.1, 0.15), 3 + 0.26 * up[0], -2 + 0.26 * up[1], 1 + 0.26 * up[2]);
        low.turn = high.turn = turn;
        sn_vec3 below = low.at;
        sn_node on = add(world, &high), under = {0};
        check_case("%s", stands ? "a collider" : "a body");
        if (stands) {
            sn_collider_def def = sn_collider_def_default();
            sn_collider collider;
            def.shape = SN_SHAPE_BOX;
            def.extent = low.half;
            def.position = low.at;
            def.orientation = turn;
            REQUIRE_OK(sn_collider_create(world, &def, &collider));
        } else
            under = add(world, &low);
        REQUIRE_OK(sn_world_step(world, (sn_real)1e-3));
        sn_vec3 above = look(world, on).position;
        if (!stands) below = look(world, under).position;
        double deep =
            0.3 - ((double)(above.x - below.x) * up[0] + (double)(above.y - below.y) * up[1] +
                   (double)(above.z - below.z) * up[2]);
        sn_stats stats;
        REQUIRE_OK(sn_world_stats(world, &stats));
        CHECK(deep > 0.035 && stats.overlaps == 1);
        CHECK_NEAR(stats.overlap, deep, 1e-5);
        sn_world_destroy(world);
    }
}

/* ---- Edges ---- */

/* A bar falls across one that is held, edge on edge, far from its middle: it bounces there, with
   the impulse 2 v / (1/m + r^2/I) of a lever r. */
TEST(edges_meet_where_they_cross) {
    const double s = sin(PI / 8), c = cos(PI / 8), r = 0.8, thick = 0.1 * sqrt(2.0);
    sn_world *world = make_world(1, 0, 50);
    piece low = piece_at(vector(1, 0.1, 0.1), 0, 0, 0), high = low;
    low.turn = (sn_quat){(sn_real)s, 0, 0, (sn_real)c};
    low.mass = 0;
    high.half = vector(0.1, 0.1, 2);
    high.at = vector(0.3, 2 * thick + 0.01, r);
    high.turn = (sn_quat){0, 0, (sn_real)s, (sn_real)c};
    high.velocity = vector(0, -1, 0);
    low.friction = high.friction = 0;
    low.restitution = high.restitution = 1;
    add(world, &low);
    sn_node bar = add(world, &high);
    run(world, 4);
    double inertia = (0.1 * 0.1 + 2 * 2) / 3, impulse = 2 / (1 + r * r / inertia);
    CHECK_NEAR(look(world, bar).velocity.y, impulse - 1, 0.01);
    CHECK_NEAR(look(world, bar).angular_velocity.x, r * impulse / inertia, 0.01);
    sn_world_destroy(world);
}

/* ---- What is fast ---- */

/* A box that would be far behind a plate after a substep stays before it, however far it came. */
TEST(nothing_passes_from_far) {
    for (int far = 1; far <= 16; far *= 2) {
        check_case("%d m", far);
        sn_world *world = make_world(1, 0, 10);
        piece plate = piece_at(vector(1, 0.02, 1), 0, 0, 0);
        piece box = piece_at(vector(0.05, 0.05, 0.05), 0.1, far, -0.2);
        plate.mass = 0;
        box.velocity = vector(0, -1.3 * far * 600, 0);
        add(world, &plate);
        sn_node node = add(world, &box);
        run(world, 1);
        CHECK((double)look(world, node).position.y > 0.065);
        sn_world_destroy(world);
    }
}

/* Nor does a plate that has turned by half and turns on, about any axis across its way: quaternions
   of before and after the substep have the fourth number of either sign. */
TEST(nothing_passes_that_is_turned_by_half) {
    for (int k = 0; k < 4; k++) {
        const double begun = PI - (k % 2 ? 0.016 : 0.014), part = 10.0 / 600;
        const double sign = k / 2 ? -1 : 1;
        check_case("turned by %g, spins by %g", sign * begun, sign * part * 600);
        sn_world *world = make_world(1, 0, 1);
        piece plate = piece_at(vector(1, 0.005, 1), 0, 0, 0), other = plate;
        plate.mass = 0;
        other.at = vector(0, 0.34, 0);
        other.turn = (sn_quat){0, (sn_real)(sign * sin(begun / 2)), 0, (sn_real)cos(begun / 2)};
        other.spin = vector(0, sign * 10, 0);
        other.velocity = vector(0, -0.36 * 600, 0);
        add(world, &plate);
        sn_node node = add(world, &other);
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 600)));
        CHECK((double)look(world, node).position.y > 0.009);
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

/* What is known of contacts is in a list once a world was written, and elsewhere before. */
TEST(snapshots_go_on_alike) {
    sn_world *world = make_pile(1), *other = make_world(1, 9.81, 20), *alone = make_pile(1);
    const piece far = piece_at(vector(0.1, 0.1, 0.1), 9, 0.1, 0);
    size_t size = 0;
    run(alone, 50);
    run(world, 40);
    void *data = snapshot_of(world, &size);
    REQUIRE_OK(sn_snapshot_load(other, data, size));
    run(world, 10);
    run(other, 10);
    CHECK(sn_world_hash(world) == sn_world_hash(other));
    CHECK(sn_world_hash(world) == sn_world_hash(alone));
    /* Points have other numbers after that. */
    REQUIRE_OK(sn_snapshot_save(world, NULL, 0, &size));
    add(world, &far);
    add(alone, &far);
    run(world, 5);
    run(alone, 5);
    CHECK(sn_world_hash(world) == sn_world_hash(alone));
    free(data);
    sn_world_destroy(world);
    sn_world_destroy(other);
    sn_world_destroy(alone);
}

TEST(a_stack_sleeps_and_wakes) {
    sn_world *world = make_world(1, 9.81, 20);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.sleep_time = (sn_real)0.5;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_node nodes[STACK];
    stack(world, nodes, STACK, false);
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

TESTS(RUN(free_collisions_keep_momentum), RUN(what_tumbles_keeps_its_momentum),
      RUN(axes_are_the_best_of_all_directions), RUN(a_box_carries_a_box),
      RUN(a_face_with_a_point_within_carries), RUN(ten_boxes_stand), RUN(forty_boxes_stand),
      RUN(a_box_slides_on_a_box), RUN(a_box_on_its_way_to_a_target_pushes),
      RUN(what_overlaps_comes_apart), RUN(a_heap_in_one_place_does_not_burst),
      RUN(statistics_tell_how_deep_bodies_are), RUN(edges_meet_where_they_cross),
      RUN(nothing_passes_from_far), RUN(nothing_passes_that_is_turned_by_half),
      RUN(threads_do_not_matter), RUN(snapshots_go_on_alike), RUN(a_stack_sleeps_and_wakes))
