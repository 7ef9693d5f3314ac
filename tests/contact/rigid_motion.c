/*
 * Single bodies that spin or lean: wheels that bounce upright, and prisms that come out by their
 * lowest corner.
 */
#include "rigid_worlds.h"

#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846;

static sn_node_def look(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

static sn_quat about(double x, double y, double z, double angle) {
    double s = sin(angle / 2);
    return (sn_quat){(sn_real)(x * s), (sn_real)(y * s), (sn_real)(z * s), (sn_real)cos(angle / 2)};
}

static sn_collider_def shape_of(sn_shape shape, sn_vec3 half, double friction, double bounce) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.extent = half;
    def.radius = shape == SN_SHAPE_BOX ? 0 : half.x;
    def.static_friction = def.dynamic_friction = (sn_real)friction;
    def.restitution = (sn_real)bounce;
    return def;
}

/* Of 1000 kg/m^3, or held. */
static sn_node add(sn_world *world, const sn_collider_def *shape, sn_vec3 spin, bool held) {
    sn_rigid_def def = sn_rigid_def_default();
    sn_collider collider;
    sn_node node;
    REQUIRE_OK(sn_rigid_create(world, &def, shape, &node, &collider));
    REQUIRE_OK(sn_node_set_angular_velocity(world, node, spin));
    if (!held) return node;
    REQUIRE_OK(sn_node_set_inverse_mass(world, node, 0));
    REQUIRE_OK(sn_node_set_inverse_inertia(world, node, vector(0, 0, 0)));
    return node;
}

/* ---- Wheels ---- */

/* What touches right below its middle is not turned by a push without friction, by however much of
   its rim it goes on in a substep. */
TEST(a_wheel_that_spins_bounces_upright) {
    sn_vec3 corner[8];
    for (int k = 0; k < 8; k++)
        corner[k] = vector(k & 1 ? 1 : -1, k & 2 ? 0.5 : -0.5, k & 4 ? 1 : -1);
    const char *on[] = {"a plane", "a box", "a box that a node carries", "a hull that one carries"};
    const double turns[] = {0.05, 0.15, 0.4, 0.8};
    for (int i = 0; i < 16; i++) {
        const double angle = turns[i % 4], spin = (i % 2 ? -600 : 600) * angle;
        const double bounce = i < 4 ? 0.5 : 0.8;
        check_case("%g rad in a substep, on %s", angle, on[i / 4]);
        sn_world *world = make_world(1, 0, 1);
        sn_collider_def ground = shape_of(SN_SHAPE_PLANE, vector(0, 0, 0), 0, bounce);
        sn_collider floor;
        if (i >= 4) {
            ground = shape_of(SN_SHAPE_BOX, vector(1, 0.5, 1), 0, bounce);
            ground.position = vector(0, -0.5, 0);
        }
        if (i >= 12) {
            ground.shape = SN_SHAPE_HULL;
            ground.geometry.vertices = corner;
            ground.geometry.vertex_count = 8;
        }
        if (i < 8) REQUIRE_OK(sn_collider_create(world, &ground, &floor));
        if (i >= 8) (void)add(world, &ground, vector(0, 0, 0), true);
        sn_collider_def wheel = shape_of(SN_SHAPE_CYLINDER, vector(0.2, 0.05, 0.2), 0, bounce);
        wheel.orientation = about(1, 0, 0, PI / 2);
        wheel.position = vector(0.1, 0.2025, 0);
        wheel.velocity = vector(0, -1, 0);
        sn_node node = add(world, &wheel, vector(0, 0, spin), false);
        for (int k = 0; k < 8; k++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 600)));
        sn_node_def now = look(world, node);
        CHECK_NEAR(now.velocity.y, bounce, 0.01);
        CHECK_NEAR(now.velocity.x, 0, 0.01);
        CHECK_NEAR(now.angular_velocity.z, spin, 0.05);
        CHECK(hypot((double)now.angular_velocity.x, (double)now.angular_velocity.y) < 0.05);
        sn_world_destroy(world);
    }
}

/* A ball that slides comes to roll with 5/7 of its speed, and goes on: where it rolls exactly, what
   is left of its sliding is too small for a square. */
TEST(a_ball_rolls_on) {
    static const uint32_t triangle[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                             {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                             {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    sn_vec3 corner[8];
    for (int k = 0; k < 8; k++) corner[k] = vector(k & 1 ? 6 : -6, k & 2 ? 0 : -1, k & 4 ? 6 : -6);
    for (int i = 0; i < 3; i++) {
        const sn_shape shapes[] = {SN_SHAPE_PLANE, SN_SHAPE_MESH, SN_SHAPE_HULL};
        check_case("on shape %d", (int)shapes[i]);
        sn_world *world = make_world(1, 9.81, 20);
        sn_collider_def ground = shape_of(shapes[i], vector(0, 0, 0), 0.3, 0);
        sn_collider floor;
        if (i > 0) {
            ground.geometry.vertices = corner;
            ground.geometry.vertex_count = 8;
        }
        if (i == 1) {
            ground.geometry.triangles = triangle;
            ground.geometry.triangle_count = 12;
        }
        REQUIRE_OK(sn_collider_create(world, &ground, &floor));
        sn_collider_def ball = shape_of(SN_SHAPE_SPHERE, vector(0.2, 0, 0), 0.3, 0);
        ball.position = vector(0.013, 0.2, 0.017);
        ball.velocity = vector(2, 0, 0);
        sn_node node = add(world, &ball, vector(0, 0, 0), false);
        for (int k = 0; k < 150; k++) REQUIRE_OK(sn_world_step(world, FRAME));
        sn_node_def now = look(world, node);
        CHECK_NEAR(now.velocity.x, 2 * 5.0 / 7, 0.001);
        CHECK_NEAR(now.angular_velocity.z, -10 * 5.0 / 7, 0.005);
        sn_world_destroy(world);
    }
}

/* ---- Corners ---- */

enum { SIDES = 8 };

/* A prism that leans, with its lowest corner in a plate, comes out there. */
TEST(prisms_come_out_by_their_lowest_corner) {
    for (int i = 0; i < 2 * SIDES; i++) {
        const double way = PI * (i + 0.3) / SIDES, lean = 0.004, depth = 0.002;
        check_case("leans to %g rad", way);
        sn_world *world = make_world(1, 0, 20);
        sn_collider_def plate = shape_of(SN_SHAPE_BOX, vector(1, 0.1, 1), 0, 0);
        plate.position = vector(0, -0.1, 0);
        (void)add(world, &plate, vector(0, 0, 0), true);
        sn_vec3 corner[2 * SIDES];
        for (int k = 0; k < 2 * SIDES; k++)
            corner[k] = vector(0.3 * cos(2 * PI * (k % SIDES) / SIDES), k < SIDES ? -0.1 : 0.1,
                               0.3 * sin(2 * PI * (k % SIDES) / SIDES));
        sn_collider_def prism = shape_of(SN_SHAPE_HULL, vector(0, 0, 0), 0, 0);
        prism.geometry.vertices = corner;
        prism.geometry.vertex_count = 2 * SIDES;
        prism.orientation = about(sin(way), 0, -cos(way), lean);
        prism.position = vector(0, 0.1 + 0.3 * lean - depth, 0);
        sn_node node = add(world, &prism, vector(0, 0, 0), false);
        for (int k = 0; k < 30; k++) REQUIRE_OK(sn_world_step(world, FRAME));
        sn_node_def now = look(world, node);
        double low = INFINITY;
        for (int k = 0; k < SIDES; k++) {
            double x = (double)corner[k].x, y = (double)corner[k].y, z = (double)corner[k].z;
            double qx = (double)now.orientation.x, qy = (double)now.orientation.y;
            double qz = (double)now.orientation.z, qw = (double)now.orientation.w;
            double up = 2 * (qx * qy + qw * qz) * x + (1 - 2 * (qx * qx + qz * qz)) * y +
                        2 * (qy * qz - qw * qx) * z;
            low = fmin(low, (double)now.position.y + up);
        }
        if (check_shows()) printf("way %g: lowest %g\n", way, low);
        CHECK(low > -1e-4 && low < 2e-3);
        sn_world_destroy(world);
    }
}

/* A post leans against the side of a long slab, far from its middle, with an edge that lies across
   that side but for rounding. They touch where the post is: taken to touch in the middle of the
   side, 12 of these gained energy, up to ten times what they had. */
TEST(a_post_beside_a_long_slab_gains_nothing) {
    uint32_t seed = 24;
    for (int k = 0; k < 200; k++) {
        const double lean = 0.02 * drawn(&seed), yaw = 0.1 * drawn(&seed), bounce = 0;
        const double friction = k % 2 ? 0.5 : 0;
        sn_world *world = make_world(1, 0, 20);
        sn_collider_def slab = shape_of(SN_SHAPE_BOX, vector(1.2, 0.06, 3), friction, bounce);
        sn_collider_def post = shape_of(SN_SHAPE_BOX, vector(0.06, 0.34, 0.06), friction, bounce);
        post.position = vector(1.2605 + 0.06 * fabs(yaw), 0.3, 2.5 * drawn(&seed));
        post.orientation =
            (sn_quat){0, (sn_real)sin(yaw / 2), (sn_real)sin(lean / 2),
                      (sn_real)sqrt(1 - pow(sin(yaw / 2), 2) - pow(sin(lean / 2), 2))};
        (void)add(world, &slab, vector(0, 0, 0), true);
        sn_node node = add(world, &post, vector(0, 20 * drawn(&seed), 0), false);
        REQUIRE_OK(sn_node_set_velocity(world, node, vector(-1, 0, 0)));
        sn_measure before, after;
        REQUIRE_OK(sn_world_measure(world, &before));
        double most = 0;
        for (int frame = 0; frame < 30; frame++) {
            REQUIRE_OK(sn_world_step(world, FRAME));
            REQUIRE_OK(sn_world_measure(world, &after));
            most = fmax(most, after.kinetic_energy / before.kinetic_energy);
        }
        check_case("draw %d", k);
        CHECK_NEAR(most, 0, 1.0001);
        sn_world_destroy(world);
    }
}

TESTS(RUN(a_post_beside_a_long_slab_gains_nothing), RUN(a_wheel_that_spins_bounces_upright),
      RUN(a_ball_rolls_on), RUN(prisms_come_out_by_their_lowest_corner))
