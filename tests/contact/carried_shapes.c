/*
 * Every shape that nodes carry against every other: it comes to lie on it, the two keep their
 * momentum, sides of capsules are felt, also where these are parts, and what is small and fast does
 * not pass what is thin.
 */
#include "rigid_worlds.h"
#include "snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const sn_vec3 corners[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const uint32_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                      {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                      {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
static const sn_shape all_shapes[] = {SN_SHAPE_SPHERE,   SN_SHAPE_CAPSULE, SN_SHAPE_BOX,
                                      SN_SHAPE_CYLINDER, SN_SHAPE_MESH,    SN_SHAPE_HULL,
                                      SN_SHAPE_SDF,      SN_SHAPE_COMPOUND};
enum { SHAPES = sizeof all_shapes / sizeof *all_shapes };

/* Every shape with half an edge, or a radius, of 1 m; a compound of two boxes side by side. */
static sn_node add_shape(sn_world *world, sn_shape shape, sn_vec3 at, sn_vec3 velocity, bool held) {
    const double wide = held ? 1.3 : 1; /* what holds others is wider than they */
    sn_vec3 corner[8];
    sn_collider_part parts[2];
    sn_collider_def def = sn_collider_def_default();
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider collider;
    sn_node node;
    for (int k = 0; k < 8; k++)
        corner[k] =
            vector(wide * (double)corners[k].x, (double)corners[k].y, wide * (double)corners[k].z);
    def.shape = shape;
    def.position = at;
    def.velocity = velocity;
    def.static_friction = def.dynamic_friction = (sn_real)0.5;
    if (shape == SN_SHAPE_SPHERE || shape == SN_SHAPE_CYLINDER) def.radius = 1;
    if (shape == SN_SHAPE_BOX || shape == SN_SHAPE_CYLINDER) def.extent = vector(wide, 1, wide);
    if (shape == SN_SHAPE_CAPSULE) {
        def.radius = (sn_real)0.5;
        def.extent.y = (sn_real)0.5;
    }
    if (shape == SN_SHAPE_MESH || shape == SN_SHAPE_HULL || shape == SN_SHAPE_SDF) {
        def.geometry.vertices = corner;
        def.geometry.vertex_count = 8;
    }
    if (shape == SN_SHAPE_MESH || shape == SN_SHAPE_SDF) {
        def.geometry.triangles = sides;
        def.geometry.triangle_count = 12;
    }
    for (int k = 0; k < 2; k++) {
        parts[k] = sn_collider_part_default();
        parts[k].shape = SN_SHAPE_BOX;
        parts[k].extent = vector(wide / 2, 1, wide);
        parts[k].position = vector(wide * (k - 0.5), 0, 0);
    }
    if (shape == SN_SHAPE_COMPOUND) {
        def.parts = parts;
        def.part_count = 2;
    }
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &collider));
    if (held) {
        REQUIRE_OK(sn_node_set_inverse_mass(world, node, 0));
        REQUIRE_OK(sn_node_set_inverse_inertia(world, node, vector(0, 0, 0)));
    }
    return node;
}

static sn_node_def look(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

/* The short form has every pair in one of two tests. */
static bool has_turn(int pair, int test) {
    return check_long() || (pair % SHAPES + pair / SHAPES) % 2 == test;
}

/* What falls on the middle of another lies there, or stands for a while where both are round. */
TEST(every_shape_lies_on_every_other) {
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        if (!has_turn(i, 0)) continue;
        sn_shape above = all_shapes[i % SHAPES], below = all_shapes[i / SHAPES];
        sn_world *world = make_world(1, 9.81, 20);
        add_shape(world, below, vector(0, 0, 0), vector(0, 0, 0), true);
        sn_node node = add_shape(world, above, vector(0, 2.05, 0), vector(0, 0, 0), false);
        for (int f = 0; f < 40; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        check_case("shape %d on %d", (int)above, (int)below);
        /* A distance field is as exact as its cells. */
        bool field = above == SN_SHAPE_SDF || below == SN_SHAPE_SDF;
        CHECK_NEAR((double)look(world, node).position.y, 2, field ? 0.2 : 0.02);
        CHECK_NEAR((double)look(world, node).velocity.y, 0, 0.1);
        sn_world_destroy(world);
    }
}

static double apart(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

TEST(every_pair_keeps_its_momentum) {
    const double zero[3] = {0, 0, 0};
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        if (!has_turn(i, 1)) continue;
        sn_shape one = all_shapes[i % SHAPES], other = all_shapes[i / SHAPES];
        sn_world *world = make_world(1, 0, 50);
        sn_node low = add_shape(world, one, vector(0.1, 0, -0.1), vector(0.1, 0.2, 0.05), false);
        add_shape(world, other, vector(0.3, 2.1, 0.15), vector(0.2, -1, -0.15), false);
        sn_measure before, after;
        REQUIRE_OK(sn_world_measure(world, &before));
        for (int f = 0; f < 30; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        REQUIRE_OK(sn_world_measure(world, &after));
        check_case("shape %d and %d", (int)one, (int)other);
        CHECK((double)look(world, low).velocity.y < 0.15);
        CHECK(apart(after.momentum, before.momentum) < KEPT * apart(before.momentum, zero));
        /* What it is off by grows with the square of a turn; the normal of a field turns more. */
        double most = one == SN_SHAPE_SDF || other == SN_SHAPE_SDF ? 2e-4 : 10 * KEPT;
        CHECK(apart(after.angular_momentum, before.angular_momentum) <
              most * apart(before.angular_momentum, zero));
        CHECK(after.kinetic_energy < before.kinetic_energy * (1 + KEPT));
        sn_world_destroy(world);
    }
}

/* A capsule that lies across an edge or another capsule, which its ends do not touch. */
TEST(sides_of_capsules_are_felt) {
    for (int i = 0; i < 4; i++) {
        sn_world *world = make_world(1, 9.81, 20);
        sn_collider_def low = sn_collider_def_default(), rod = low;
        sn_rigid_def def = sn_rigid_def_default();
        sn_collider collider;
        sn_node node;
        const sn_real s = (sn_real)sqrt(0.5);
        low.shape = i % 2 ? SN_SHAPE_CAPSULE : SN_SHAPE_BOX;
        low.extent = vector(0.05, 1, 0.05);
        if (i % 2) low.extent = vector(0, 1, 0);
        if (i % 2) low.radius = (sn_real)0.05;
        low.orientation = (sn_quat){s, 0, 0, s};
        rod.shape = SN_SHAPE_CAPSULE;
        rod.extent = vector(0, 1, 0);
        rod.radius = (sn_real)0.1;
        rod.orientation = (sn_quat){0, 0, s, s};
        rod.position = vector(0, 0.2, 0);
        if (i < 2) {
            REQUIRE_OK(sn_rigid_create(world, &def, &low, &node, &collider));
            REQUIRE_OK(sn_node_set_inverse_mass(world, node, 0));
            REQUIRE_OK(sn_node_set_inverse_inertia(world, node, vector(0, 0, 0)));
        } else {
            REQUIRE_OK(sn_collider_create(world, &low, &collider));
        }
        REQUIRE_OK(sn_rigid_create(world, &def, &rod, &node, &collider));
        for (int f = 0; f < 30; f++) REQUIRE_OK(sn_world_step(world, FRAME));
        check_case("across %s that %s", i % 2 ? "a capsule" : "a box",
                   i < 2 ? "a node holds" : "stands");
        CHECK_NEAR((double)look(world, node).position.y, 0.15, 0.005);
        sn_world_destroy(world);
    }
}

static void run(sn_world *world, int frames) {
    for (int f = 0; f < frames; f++) REQUIRE_OK(sn_world_step(world, FRAME));
}

static sn_node add_body(sn_world *world, const sn_collider_def *def, bool held) {
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider collider;
    sn_node node;
    REQUIRE_OK(sn_rigid_create(world, &rigid, def, &node, &collider));
    if (!held) return node;
    REQUIRE_OK(sn_node_set_inverse_mass(world, node, 0));
    REQUIRE_OK(sn_node_set_inverse_inertia(world, node, vector(0, 0, 0)));
    return node;
}

/* A rod along y, round or not, or a compound that has nothing but that rod; given mass and inertia.
 */
static sn_node add_rod(sn_world *world, sn_shape shape, bool compound, sn_vec3 at, sn_quat turn,
                       bool held) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider_part part = sn_collider_part_default();
    def.shape = part.shape = shape;
    def.extent = part.extent = vector(0.1, 1, 0.1);
    def.radius = part.radius = shape == SN_SHAPE_CAPSULE ? (sn_real)0.1 : 0;
    def.position = at;
    def.orientation = turn;
    if (compound) {
        def.shape = SN_SHAPE_COMPOUND;
        def.parts = &part;
        def.part_count = 1;
    }
    sn_node node = add_body(world, &def, false);
    REQUIRE_OK(sn_node_set_inverse_mass(world, node, held ? 0 : (sn_real)0.02));
    REQUIRE_OK(
        sn_node_set_inverse_inertia(world, node, held ? vector(0, 0, 0) : vector(0.06, 4, 0.06)));
    return node;
}

/* A part is what it is alone: crossed rods that are compounds move as those that are capsules or
   boxes do, whichever of them came first. None has an end or a corner on the other. */
TEST(a_compound_of_one_part_is_that_part) {
    const sn_real s = (sn_real)sqrt(0.5);
    for (int i = 0; i < 4; i++) {
        sn_vec3 at[2];
        for (int k = 0; k < 2; k++) {
            sn_world *world = make_world(1, 9.81, 20);
            sn_node node = {0};
            for (int j = 0; j < 2; j++) {
                const bool held = j == i % 2;
                sn_node made = add_rod(world, i < 2 ? SN_SHAPE_CAPSULE : SN_SHAPE_BOX, k == 1,
                                       vector(0, held ? 0 : 0.21, held ? 0.3 : 0),
                                       held ? (sn_quat){s, 0, 0, s} : (sn_quat){0, 0, s, s}, held);
                if (!held) node = made;
            }
            run(world, 30);
            at[k] = look(world, node).position;
            sn_world_destroy(world);
        }
        check_case("%s, the one that is held came %s", i < 2 ? "capsules" : "boxes",
                   i % 2 ? "second" : "first");
        CHECK_NEAR((double)at[0].y, 0.2, 0.001);
        CHECK(at[0].x == at[1].x && at[0].y == at[1].y && at[0].z == at[1].z);
    }
}

/* The parts of a compound as boxes of their own, on a node that is held. */
static void add_plates(sn_world *world, const sn_collider_def *all) {
    sn_node_def def = sn_node_def_default();
    sn_node node;
    def.oriented = true;
    def.inverse_mass = 0;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    for (size_t k = 0; k < all->part_count; k++) {
        sn_collider_def plate = sn_collider_def_default();
        sn_collider collider;
        plate.shape = SN_SHAPE_BOX;
        plate.extent = all->parts[k].extent;
        plate.position = all->parts[k].position;
        plate.static_friction = all->static_friction;
        plate.dynamic_friction = all->dynamic_friction;
        REQUIRE_OK(sn_collider_create(world, &plate, &collider));
        REQUIRE_OK(sn_collider_set_carrier(world, collider, node));
    }
}

/* A block of two halves slides over a plate of two halves, and over where these meet, as one that
   has no parts does: by v^2 / (2 mu g), but for the way
   of a substep. */
TEST(parts_that_meet_do_not_hold_what_slides_over_them) {
    for (int i = 0; i < 9; i++) {
        sn_world *world = make_world(1, 9.81, 20);
        sn_collider_part parts[2][2];
        const double speed = i % 3 == 0 ? 1 : i % 3 == 1 ? 0.3 : 0.1, mu = 0.1;
        const double way = speed * speed / (2 * mu * 9.81), half = 0.1;
        sn_node node = {0};
        for (int k = 0; k < 2; k++) {
            sn_collider_def def = sn_collider_def_default();
            def.shape = SN_SHAPE_COMPOUND;
            def.parts = parts[k];
            def.part_count = 2;
            def.static_friction = def.dynamic_friction = (sn_real)mu;
            for (int j = 0; j < 2; j++) {
                parts[k][j] = sn_collider_part_default();
                parts[k][j].shape = SN_SHAPE_BOX;
                parts[k][j].extent = k ? vector(half / 2, 0.05, half) : vector(1, 0.05, 1);
                parts[k][j].position = vector((k ? half : 2) * (j - 0.5), 0, 0);
            }
            /* Half of the way its front is before where the two of the plate meet. */
            def.position = k ? vector(-half - way / 2, 0.1, 0) : vector(0, 0, 0);
            def.velocity = k ? vector(speed, 0, 0) : vector(0, 0, 0);
            if (k == 1 && i >= 3) {
                def.shape = SN_SHAPE_BOX;
                def.part_count = 0;
                def.parts = NULL;
                def.extent = vector(half, 0.05, half);
            }
            if (k == 0 && i >= 6)
                add_plates(world, &def);
            else
                node = add_body(world, &def, k == 0);
        }
        run(world, 90);
        check_case("at %g m/s, %s", speed,
                   i < 3   ? "of two halves"
                   : i < 6 ? "in one"
                           : "over two colliders of a node");
        double gone = (double)look(world, node).position.x + half + way / 2;
        CHECK_NEAR(gone, way, speed * (double)FRAME / 20);
        sn_world_destroy(world);
    }
}

enum { LINKS = 8 };
static const double RING = 0.1, THICK = 0.005;

/* A ring about z or x, of capsules from corner to corner; the first corner is turned by an angle
   (rad). */
static sn_node add_ring(sn_world *world, sn_vec3 at, double angle, bool about_x, bool held) {
    const double pi = 3.14159265358979323846, side = 2 * pi / LINKS;
    sn_collider_part parts[LINKS];
    sn_collider_def def = sn_collider_def_default();
    for (int k = 0; k < LINKS; k++) {
        double middle = angle + side * (k + 0.5), far = RING * cos(side / 2);
        parts[k] = sn_collider_part_default();
        parts[k].shape = SN_SHAPE_CAPSULE;
        parts[k].radius = (sn_real)THICK;
        parts[k].extent = vector(0, RING * sin(side / 2), 0);
        parts[k].position = vector(far * cos(middle), far * sin(middle), 0);
        parts[k].orientation = (sn_quat){0, 0, (sn_real)sin(middle / 2), (sn_real)cos(middle / 2)};
    }
    if (about_x) def.orientation = (sn_quat){0, (sn_real)sqrt(0.5), 0, (sn_real)sqrt(0.5)};
    def.shape = SN_SHAPE_COMPOUND;
    def.position = at;
    def.parts = parts;
    def.part_count = LINKS;
    def.static_friction = def.dynamic_friction = (sn_real)0.2;
    return add_body(world, &def, held);
}

/* Two rings hang in each other wherever their corners are, and whichever of them came first: they
   are at most as far apart as corner is from corner. */
TEST(rings_of_capsules_hang_in_each_other) {
    const double most = 2 * (RING - THICK), least = 2 * (RING * cos(0.3926990817) - THICK);
    for (int i = 0; i < 12; i++) {
        sn_world *world = make_world(1, 9.81, 20);
        const double upper = 0.11 * (i % 6), lower = 0.31 * (i % 6) + 0.05;
        sn_node above = {0}, below = {0};
        for (int k = 0; k < 2; k++) {
            if ((k == 0) == (i < 6))
                above = add_ring(world, vector(0, 0, 0), upper, false, true);
            else
                below = add_ring(world, vector(0, -RING, 0), lower, true, false);
        }
        double low = 0, high = -1;
        for (int f = 0; f < 120; f++) {
            REQUIRE_OK(sn_world_step(world, FRAME));
            double y = (double)(look(world, below).position.y - look(world, above).position.y);
            if (y < low) low = y;
            high = y;
        }
        check_case("rings turned by %g and %g, the one that is held came %s", upper, lower,
                   i < 6 ? "first" : "second");
        CHECK(low > -most - 0.001 * RING);
        CHECK(high < -least + 0.001 * RING);
        sn_world_destroy(world);
    }
}

/* Three beams that cross. */
static sn_node add_jack(sn_world *world, sn_vec3 at, sn_vec3 spin) {
    sn_collider_part parts[3];
    sn_collider_def def = sn_collider_def_default();
    for (int k = 0; k < 3; k++) {
        parts[k] = sn_collider_part_default();
        parts[k].shape = SN_SHAPE_BOX;
        parts[k].extent = vector(k == 0 ? 0.15 : 0.02, k == 1 ? 0.15 : 0.02, k == 2 ? 0.15 : 0.02);
    }
    def.shape = SN_SHAPE_COMPOUND;
    def.position = at;
    def.angular_velocity = spin;
    def.parts = parts;
    def.part_count = 3;
    def.static_friction = def.dynamic_friction = (sn_real)0.5;
    return add_body(world, &def, false);
}

/* Beams lie across each other, and no corner is where they do. */
TEST(a_heap_of_jacks_comes_to_rest) {
    enum { JACKS = 12 };
    sn_world *world = make_world(1, 9.81, 20);
    sn_collider_def floor = sn_collider_def_default();
    sn_collider collider;
    sn_node nodes[JACKS];
    double lowest = 1, fastest = 0;
    REQUIRE_OK(sn_collider_create(world, &floor, &collider));
    for (int i = 0; i < JACKS; i++)
        nodes[i] = add_jack(world, vector(0.05 * (i % 3), 0.3 + 0.32 * i, 0.04 * (i % 2)),
                            vector(i % 5, 1, -0.5 * (i % 4)));
    run(world, 240);
    for (int i = 0; i < JACKS; i++) {
        sn_node_def def = look(world, nodes[i]);
        fastest = fmax(fastest, hypot(hypot((double)def.velocity.x, (double)def.velocity.y),
                                      (double)def.velocity.z));
        lowest = fmin(lowest, (double)def.position.y);
    }
    CHECK(fastest < 0.001);
    CHECK(lowest > 0.02);
    sn_world_destroy(world);
}

static sn_world *make_chain(int threads) {
    sn_world *world = make_world(threads, 9.81, 20);
    for (int i = 0; i < 4; i++)
        add_jack(world, vector(0.03 * i, 0.35 * (i + 1), 0.02), vector(i, 1, -1));
    for (int i = 0; i < 6; i++)
        add_ring(world, vector(0, -1.5 * RING * i, 0), 0.2 * i, i % 2 == 1, i == 0);
    return world;
}

/* What parts of a chain know of each other is in its snapshots, and threads do not matter to it. */
TEST(a_chain_of_compounds_goes_on_alike) {
    sn_world *world = make_chain(1), *other = make_world(1, 9.81, 20), *more = make_chain(4);
    size_t size = 0;
    run(world, 30);
    void *data = snapshot_of(world, &size);
    REQUIRE_OK(sn_snapshot_load(other, data, size));
    run(world, 20);
    run(other, 20);
    run(more, 50);
    CHECK(sn_world_hash(world) == sn_world_hash(other));
    CHECK(sn_world_hash(world) == sn_world_hash(more));
    free(data);
    sn_world_destroy(world);
    sn_world_destroy(other);
    sn_world_destroy(more);
}

/* ---- Fast ---- */

static double random_part(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608 - 1;
}

/* What stands, with its top at 1 m, and what comes to lie across it: neither has a corner in the
   other, or only the lower one has. */
typedef struct across {
    sn_shape below, above;
    sn_vec3 post, plank; /* m, extents */
} across;

static double put_across(const across *a, double aside, sn_vec3 *gone) {
    sn_world *world = make_world(1, 9.81, 20);
    sn_collider_def below = sn_collider_def_default(), above = below;
    sn_rigid_def def = sn_rigid_def_default();
    sn_collider collider;
    sn_node node;
    below.shape = a->below;
    above.shape = a->above;
    below.extent = a->post;
    above.extent = a->plank;
    below.radius = a->below == SN_SHAPE_BOX ? 0 : a->post.x;
    above.radius = a->above == SN_SHAPE_BOX ? 0 : a->plank.x;
    below.position = vector(0, 1 - (double)a->post.y, 0);
    if (a->below == SN_SHAPE_CAPSULE) {
        below.orientation = (sn_quat){(sn_real)0.70710678, 0, 0, (sn_real)0.70710678};
        below.extent.y = a->post.z;
    }
    above.position = vector(aside, 1.02 + (double)a->plank.y, 0);
    below.static_friction = below.dynamic_friction = (sn_real)0.6;
    above.static_friction = above.dynamic_friction = (sn_real)0.6;
    REQUIRE_OK(sn_collider_create(world, &below, &collider));
    REQUIRE_OK(sn_rigid_create(world, &def, &above, &node, &collider));
    for (int f = 0; f < 60; f++) REQUIRE_OK(sn_world_step(world, FRAME));
    sn_vec3 at = look(world, node).position;
    *gone = vector((double)at.x - aside, (double)(at.y - a->plank.y) - 1, (double)at.z);
    double speed = fabs((double)look(world, node).velocity.y);
    sn_world_destroy(world);
    return speed;
}

TEST(faces_lie_on_what_stands) {
    const across all[] = {
        {SN_SHAPE_BOX, SN_SHAPE_BOX, vector(0.1, 0.5, 0.1), vector(0.5, 0.05, 0.5)},
        {SN_SHAPE_BOX, SN_SHAPE_BOX, vector(0.1, 0.5, 1), vector(1, 0.05, 0.1)},
        {SN_SHAPE_BOX, SN_SHAPE_CYLINDER, vector(0.1, 0.5, 0.1), vector(0.5, 0.05, 0)},
        {SN_SHAPE_CYLINDER, SN_SHAPE_BOX, vector(0.2, 0.5, 0), vector(0.5, 0.05, 0.5)},
        {SN_SHAPE_SPHERE, SN_SHAPE_BOX, vector(0.5, 0.5, 0.5), vector(1, 0.05, 1)},
        {SN_SHAPE_CAPSULE, SN_SHAPE_BOX, vector(0.1, 0.1, 0.5), vector(1, 0.05, 0.2)},
        {SN_SHAPE_CAPSULE, SN_SHAPE_CYLINDER, vector(0.1, 0.1, 1), vector(0.5, 0.05, 0)},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const bool round = all[i].below == SN_SHAPE_SPHERE || all[i].below == SN_SHAPE_CAPSULE;
        sn_vec3 gone;
        check_case("pair %zu", i);
        CHECK(put_across(&all[i], round ? 0 : 0.05, &gone) < 1e-3);
        CHECK_NEAR((double)gone.x, 0, 1e-3);
        CHECK_NEAR((double)gone.y, 0, 1e-3);
        CHECK_NEAR((double)gone.z, 0, 1e-3);
    }
}

/* What is thrown: a box, or what touches by points. */
typedef enum thrown { BOX, BALL, CAPSULE, PARTS, MESH, THROWN } thrown;

static void throw(sn_world * world, thrown what, double half, sn_collider_def *def,
                  const sn_rigid_def *rigid, sn_node *node) {
    sn_collider_part part[2] = {sn_collider_part_default(), sn_collider_part_default()};
    sn_vec3 corner[8];
    sn_collider collider;
    for (int k = 0; k < 8; k++)
        corner[k] = vector(half * (double)corners[k].x, half * (double)corners[k].y,
                           half * (double)corners[k].z);
    if (what == BALL || what == CAPSULE) def->radius = (sn_real)(0.5 * half);
    if (what == BALL) def->shape = SN_SHAPE_SPHERE;
    if (what == CAPSULE) def->shape = SN_SHAPE_CAPSULE;
    if (what == PARTS) {
        def->shape = SN_SHAPE_COMPOUND;
        for (int k = 0; k < 2; k++) {
            part[k].shape = SN_SHAPE_CAPSULE;
            part[k].radius = (sn_real)(0.3 * half);
            part[k].extent.y = (sn_real)half;
            part[k].position = vector(k ? half : -half, 0, 0);
        }
        def->parts = part;
        def->part_count = 2;
    }
    if (what == MESH) {
        def->shape = SN_SHAPE_MESH;
        def->geometry.vertices = corner;
        def->geometry.vertex_count = 8;
        def->geometry.triangles = sides;
        def->geometry.triangle_count = 12;
    }
    REQUIRE_OK(sn_rigid_create(world, rigid, def, node, &collider));
}

static double energy_of(const sn_world *world) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(world, &m));
    return m.kinetic_energy;
}

/* What is 4 to 10 cm large, at 20 to 100 m/s, 20 substeps, on a plate of 1 cm that is free, held by
   its node, or stands. Nothing has more energy for it. */
static int count_passed(thrown what, int times) {
    uint32_t seed = 11;
    int passed = 0;
    for (int i = 0; i < times; i++) {
        sn_world *world = make_world(1, 0, 20);
        sn_collider_def plate = sn_collider_def_default(), box = plate;
        sn_rigid_def def = sn_rigid_def_default();
        sn_collider collider;
        sn_node held, node;
        plate.shape = box.shape = SN_SHAPE_BOX;
        plate.extent = vector(2, 0.005, 2);
        def.density = 8000;
        REQUIRE_OK(sn_rigid_create(world, &def, &plate, &held, &collider));
        if (i % 3 > 0) {
            REQUIRE_OK(sn_node_set_inverse_mass(world, held, 0));
            REQUIRE_OK(sn_node_set_inverse_inertia(world, held, vector(0, 0, 0)));
        }
        if (i % 3 == 2) REQUIRE_OK(sn_collider_clear_carrier(world, collider));
        double half = 0.035 + 0.015 * random_part(&seed), speed = 60 + 40 * random_part(&seed);
        box.extent = vector(half, half, half);
        box.position = vector(0.2 * random_part(&seed), 0.5 + 0.3 * random_part(&seed),
                              0.2 * random_part(&seed));
        box.velocity = vector(5 * random_part(&seed), -speed, 5 * random_part(&seed));
        box.orientation = (sn_quat){(sn_real)random_part(&seed), (sn_real)random_part(&seed),
                                    (sn_real)random_part(&seed), 1};
        box.angular_velocity = vector(20 * random_part(&seed), 20 * random_part(&seed), 0);
        def.density = 1000;
        throw(world, what, half, &box, &def, &node);
        const double began = energy_of(world);
        for (int f = 0; f < 4; f++) {
            REQUIRE_OK(sn_world_step(world, FRAME));
            check_case("%d of kind %d", i, (int)what);
            CHECK(energy_of(world) < 1.01 * began);
        }
        passed += (double)(look(world, node).position.y - look(world, held).position.y) < -0.01;
        sn_world_destroy(world);
    }
    printf("%d of %d have passed\n", passed, times);
    return passed;
}

TEST(small_and_fast_does_not_pass_thin) {
    CHECK(count_passed(BOX, 400) == 0);
    for (thrown what = BALL; what < THROWN; what++) {
        check_case("thing %d", (int)what);
        CHECK(count_passed(what, what == PARTS ? 200 : 100) == 0);
    }
}

static double length_of(sn_vec3 a) {
    return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
}

static double distance_of(sn_vec3 a, sn_vec3 b) {
    return length_of((sn_vec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

/* A leg that comes to lie across the edge of a stone, at a few m/s and up to 60 rad/s, overlaps the
   stone along its side by all of its length and is hardly in it: what holds fast bodies back must
   not put it aside. Returns, in m, by how much it is moved in a substep beyond its velocity. */
static double find_most_aside(uint32_t *seed) {
    sn_world *world = make_world(1, 9.81, 1);
    sn_collider_def stone = sn_collider_def_default(), leg = stone;
    sn_rigid_def def = sn_rigid_def_default();
    sn_collider collider;
    sn_node node;
    stone.shape = leg.shape = SN_SHAPE_BOX;
    stone.extent = vector(0.12, 0.006, 0.3);
    stone.position = vector(0.12, 0.006, 0);
    REQUIRE_OK(sn_collider_create(world, &stone, &collider));
    leg.extent = vector(0.006, 0.034, 0.006);
    leg.position = vector(0.01 * random_part(seed), 0.045 + 0.01 * random_part(seed), 0);
    leg.velocity = vector(3 * random_part(seed), -2 + random_part(seed), random_part(seed));
    leg.angular_velocity =
        vector(60 * random_part(seed), 60 * random_part(seed), 60 * random_part(seed));
    leg.orientation = (sn_quat){(sn_real)random_part(seed), (sn_real)random_part(seed),
                                (sn_real)random_part(seed), 1};
    def.density = 900;
    REQUIRE_OK(sn_rigid_create(world, &def, &leg, &node, &collider));
    double most = 0;
    for (int i = 0; i < 60; i++) {
        sn_node_def before = look(world, node);
        REQUIRE_OK(sn_world_step(world, FRAME / 20));
        sn_node_def after = look(world, node);
        double speed = fmax(length_of(before.velocity), length_of(after.velocity));
        double moved = distance_of(after.position, before.position);
        most = fmax(most, moved - speed * (double)FRAME / 20);
    }
    sn_world_destroy(world);
    return most;
}

TEST(what_lies_across_an_edge_is_not_put_aside) {
    uint32_t seed = 11;
    double most = 0;
    for (int i = 0; i < 100; i++) most = fmax(most, find_most_aside(&seed));
    printf("%.2g m\n", most);
    CHECK(most < 0.002);
}

TESTS(RUN(every_shape_lies_on_every_other), RUN(every_pair_keeps_its_momentum),
      RUN(sides_of_capsules_are_felt), RUN(a_compound_of_one_part_is_that_part),
      RUN(parts_that_meet_do_not_hold_what_slides_over_them),
      RUN(rings_of_capsules_hang_in_each_other), RUN(a_heap_of_jacks_comes_to_rest),
      RUN(a_chain_of_compounds_goes_on_alike), RUN(faces_lie_on_what_stands),
      RUN(small_and_fast_does_not_pass_thin), RUN(what_lies_across_an_edge_is_not_put_aside))
