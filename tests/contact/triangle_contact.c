/*
 * Triangles that meet colliders between their nodes: how well the deepest point is found, and what
 * coarse sheets do with small balls, corners and edges.
 */
#include "coarse_sheets.h"

#include "base/meter.h"
#include "collision/narrow_phase/deepest_point.h"
#include "contact/triangle/triangle_contact.h"

#include <stdlib.h>
#include <string.h>

/* ---- The deepest point ---- */

static double random_of(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

TEST(the_deepest_point_is_found) {
    static const sn_shape shapes[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_BOX,
                                      SN_SHAPE_CYLINDER};
    enum { CASES = 300, PARTS = 80 };
    for (int s = 0; s < 4; s++) {
        uint32_t seed = 1;
        double sum = 0;
        int missed = 0;
        check_case("shape %d", (int)shapes[s]);
        for (int i = 0; i < CASES; i++) {
            sn_collider_def def = sn_collider_def_default();
            sn_v4 x[3], normal;
            double size = i % 2 ? 1 : 0.2, best = 1e9;
            def.shape = shapes[s];
            def.radius = def.shape == SN_SHAPE_BOX ? (sn_real)(0.01 * (i % 3)) : (sn_real)0.1;
            def.extent = (sn_vec3){(sn_real)0.1, (sn_real)0.3, (sn_real)0.2};
            sn_v4 middle = {0};
            for (int k = 0; k < 3; k++) middle[k] = (sn_real)(0.3 * random_of(&seed));
            for (int c = 0; c < 3; c++) {
                x[c] = middle;
                for (int k = 0; k < 3; k++) x[c][k] += (sn_real)(size * random_of(&seed));
            }
            sn_deepest_shape shape = sn_deepest_shape_of(&def, 0, SN_BVH_NONE, false);
            sn_deepest d = {.weight = {(sn_real)(1.0 / 3), (sn_real)(1.0 / 3), (sn_real)(1.0 / 3)}};
            sn_deepest_point(&shape, x, SN_INFINITY, &d);
            for (int a = 0; a <= PARTS; a++)
                for (int b = 0; a + b <= PARTS; b++) {
                    sn_real u = (sn_real)a / PARTS, v = (sn_real)b / PARTS;
                    sn_v4 at = (1 - u - v) * x[0] + u * x[1] + v * x[2];
                    double far = (double)sn_shape_distance_of(def.shape)(&def, at, &normal);
                    best = far < best ? far : best;
                }
            double off = (double)d.distance - best;
            if (off > 0) sum += off / CASES;
            missed += off > 0.01;
            /* Nothing is closer than it says. */
            CHECK((double)d.least <= best + 1e-5);
            CHECK(d.least <= d.distance);
            sn_v4 point = d.weight[0] * x[0] + d.weight[1] * x[1] + d.weight[2] * x[2] - d.point;
            CHECK((double)sn_v4_dot(point, point) < 1e-12);
        }
        CHECK_NEAR(sum, 0, s == 0 ? 1e-6 : 3e-4);
        CHECK(missed <= (s == 0 ? 0 : 3));
    }
}

/* ---- Small things in large triangles ---- */

/* Those of triangles are followed by those of nodes alone. */
static const sn_contact *triangle_contacts(const sn_world *world, size_t *count) {
    const sn_contact *contact;
    size_t all, first = 0;
    REQUIRE_OK(sn_world_contacts(world, &contact, &all));
    while (first < all && contact[first].kind < SN_CONTACT_TRIANGLE_COLLIDER) first++;
    *count = 0;
    while (first + *count < all && contact[first + *count].kind == SN_CONTACT_TRIANGLE_COLLIDER)
        ++*count;
    for (size_t i = first + *count; i < all; i++)
        CHECK(contact[i].kind > SN_CONTACT_TRIANGLE_COLLIDER);
    return contact + first;
}

static size_t count_contacts(const sn_world *world) {
    size_t count, there = 0;
    const sn_contact *contacts = triangle_contacts(world, &count);
    for (size_t i = 0; i < count; i++) there += contacts[i].phase != SN_CONTACT_END;
    return there;
}

/* Pushed up by 0.08 m with 1 m/s into a sheet that is held at its rim, and then held for 0.5 s. */
TEST(small_things_do_not_pass_large_triangles) {
    for (int which = 0; which < THINGS; which++) {
        net_def d = net_default();
        d.pinned = true;
        net n = make_net(d);
        push_thing(&n, which);
        CHECK(count_contacts(n.world) > 0);
        CHECK((double)look(n.world, n.node[4]).position.y > 0.05);
        sn_stats stats;
        CHECK_OK(sn_world_stats(n.world, &stats));
        CHECK(stats.overlap < 2e-3);
        sn_world_destroy(n.world);
    }
}

/* What the test above is about: without faces all of them pass. */
TEST(nodes_alone_let_small_things_pass) {
    for (int which = 0; which < 3; which++) {
        net_def d = net_default();
        d.pinned = true;
        d.faces = false;
        net n = make_net(d);
        sn_collider thing = add_thing(n.world, which, 0.02, 1);
        for (int frame = 0; frame < 10; frame++) CHECK_OK(sn_world_step(n.world, (sn_real)dt));
        CHECK(depth_of(&n, thing) > 0.005);
        sn_world_destroy(n.world);
    }
}

/* A spike of 0.3 m on a foot of 10 cm, as a mesh or as the only height of a field that is not 0. */
static sn_collider add_spike(sn_world *world, bool heights) {
    static const sn_vec3 corner[5] = {{(sn_real)-0.05, 0, (sn_real)-0.05},
                                      {(sn_real)0.05, 0, (sn_real)-0.05},
                                      {(sn_real)0.05, 0, (sn_real)0.05},
                                      {(sn_real)-0.05, 0, (sn_real)0.05},
                                      {0, (sn_real)0.3, 0}};
    static const uint32_t side[6][3] = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4},
                                        {2, 1, 4}, {3, 2, 4}, {0, 3, 4}};
    static const sn_real height[9] = {0, 0, 0, 0, (sn_real)0.3, 0, 0, 0, 0};
    sn_collider_def def = sn_collider_def_default();
    sn_collider made;
    def.shape = heights ? SN_SHAPE_HEIGHTS : SN_SHAPE_MESH;
    def.radius = 0;
    def.position = (sn_vec3){(sn_real)0.17, (sn_real)-0.4, (sn_real)0.12};
    def.extent = (sn_vec3){(sn_real)0.05, 0, (sn_real)0.05};
    def.geometry.vertices = corner;
    def.geometry.vertex_count = 5;
    def.geometry.triangles = side;
    def.geometry.triangle_count = 6;
    if (heights) {
        def.geometry.heights = height;
        def.geometry.points[0] = def.geometry.points[1] = 3;
    }
    REQUIRE_OK(sn_collider_create(world, &def, &made));
    return made;
}

/* A free sheet of triangles of half a metre falls on the spike, which does not pierce it until it
   leans and slides off; without faces it does. Leaning, it touches the tip and a flank of the
   heights with one triangle, which has one contact, and is up to 14 mm deep. */
TEST(a_spike_does_not_pierce_a_sheet_that_falls) {
    for (int k = 0; k < 4; k++) {
        net_def d = net_default();
        d.faces = k < 2;
        net n = make_net(d);
        sn_collider spike = add_spike(n.world, k % 2 > 0);
        double deepest = 0, touched = 0;
        check_case("%s, %s", k % 2 ? "heights" : "mesh", d.faces ? "faces" : "nodes");
        for (int frame = 0; frame < 28; frame++) {
            CHECK_OK(sn_world_step(n.world, (sn_real)dt));
            double deep = depth_of(&n, spike);
            deepest = deep > deepest ? deep : deepest;
            touched += (double)count_contacts(n.world);
        }
        CHECK(d.faces ? deepest < 2e-3 && touched > 0 : deepest > 5e-3);
        sn_world_destroy(n.world);
    }
}

/* Shot at a free sheet, which they take along: 33 mm in a substep, with bodies of 20 to 350 mm. */
TEST(nothing_passes_at_20_metres_a_second) {
    for (int which = 0; which < THINGS - 1; which++) {
        net_def d = net_default();
        d.gravity = 0;
        net n = make_net(d);
        sn_collider thing = add_thing(n.world, which, 0.1, 20);
        double deepest = 0;
        for (int frame = 0; frame < 6; frame++) {
            CHECK_OK(sn_world_step(n.world, (sn_real)dt));
            double deep = depth_of(&n, thing);
            deepest = deep > deepest ? deep : deepest;
        }
        CHECK(deepest < 0.006);
        /* The thing is at 2 m, and so is what it hit. */
        CHECK((double)look(n.world, n.node[4]).position.y > 1.5);
        sn_world_destroy(n.world);
    }
}

/* ---- What has a mass ---- */

/* Lets a node carry a thing whose middle is its centre of mass; it goes on as it went. */
static sn_node give_mass(sn_world *world, sn_collider thing, double density) {
    sn_collider_def at;
    sn_mass_properties m;
    sn_node made;
    REQUIRE_OK(sn_collider_get(world, thing, &at));
    REQUIRE_OK(sn_collider_mass_properties(world, thing, (sn_real)density, &m));
    sn_node_def node = sn_node_def_default();
    node.position = at.position;
    node.velocity = at.velocity;
    node.inverse_mass = 1 / m.mass;
    node.oriented = true;
    node.orientation = at.orientation;
    node.inverse_inertia = (sn_vec3){1 / m.moments.x, 1 / m.moments.y, 1 / m.moments.z};
    REQUIRE_OK(sn_node_create(world, &node, &made));
    REQUIRE_OK(sn_collider_set_carrier(world, thing, made));
    return made;
}

/* Thrown at a sheet that is held at its rim, between its nodes, they are caught. */
TEST(things_with_a_mass_do_not_pass) {
    for (int which = 0; which < 8; which++) {
        net_def d = net_default();
        d.pinned = true;
        d.gravity = 0;
        net n = make_net(d);
        sn_collider thing = add_thing(n.world, which, 0.02, 2);
        sn_node node = give_mass(n.world, thing, 100);
        double deepest = 0, highest = 0, from = (double)look(n.world, node).position.y;
        for (int frame = 0; frame < 40; frame++) {
            CHECK_OK(sn_world_step(n.world, (sn_real)dt));
            double deep = depth_of(&n, thing), up = (double)look(n.world, node).position.y - from;
            deepest = deep > deepest ? deep : deepest;
            highest = up > highest ? up : highest;
        }
        CHECK(deepest < 4e-3);
        CHECK(highest < 0.3);
        sn_world_destroy(n.world);
    }
}

#ifdef SN_DOUBLE
#define KEPT 1e-12
#else
#define KEPT 2e-6
#endif

/* A free sheet and a body that strikes it keep both momenta, with restitution and friction. */
TEST(free_bodies_and_sheets_keep_momentum) {
    for (int run = 0; run < 12; run++) {
        const int which = run % 6;
        const bool bounces = run >= 6;
        net_def d = net_default();
        d.gravity = 0;
        net n = make_net(d);
        sn_settings settings;
        check_case("thing %d, %s", which, bounces ? "bouncing" : "dull");
        settings.size = sizeof settings;
        REQUIRE_OK(sn_world_get_settings(n.world, &settings));
        settings.damping = 0;
        settings.substeps = 40;
        REQUIRE_OK(sn_world_set_settings(n.world, &settings));
        sn_collider thing = add_thing(n.world, which, 0.02, 2);
        sn_collider_def def;
        REQUIRE_OK(sn_collider_get(n.world, thing, &def));
        def.restitution = bounces ? (sn_real)0.6 : 0;
        REQUIRE_OK(sn_collider_set(n.world, thing, &def));
        sn_node node = give_mass(n.world, thing, 200);
        sn_measure before, after;
        REQUIRE_OK(sn_world_measure(n.world, &before));
        for (int frame = 0; frame < 10; frame++) CHECK_OK(sn_world_step(n.world, (sn_real)dt));
        REQUIRE_OK(sn_world_measure(n.world, &after));
        double most = before.momentum[1], turn = 0;
        CHECK((double)look(n.world, node).velocity.y < 1.9);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(after.momentum[k], before.momentum[k], KEPT * most);
            turn += fabs(after.angular_momentum[k] - before.angular_momentum[k]);
        }
        CHECK(turn < 0.01 * most);
        CHECK(after.kinetic_energy < 1.001 * before.kinetic_energy);
        sn_world_destroy(n.world);
    }
}

/* A ball runs into a free triangle and does not bounce: what is lost is lost to the impact and to
   friction, and no collider has done any work, though the shape moves. */
TEST(an_audit_knows_what_carries_the_shape) {
    sn_collider_def ball = sn_collider_def_default();
    ball.radius = (sn_real)0.1;
    plate p = make_plate(0, 0, 0, true, true, ball);
    sn_collider_def at;
    REQUIRE_OK(sn_collider_get(p.net.world, p.ball, &at));
    at.velocity = (sn_vec3){(sn_real)0.5, 2, 0};
    at.position.y -= (sn_real)0.05;
    REQUIRE_OK(sn_collider_set(p.net.world, p.ball, &at));
    (void)give_mass(p.net.world, p.ball, 500);
    REQUIRE_OK(sn_world_audit_start(p.net.world));
    for (int i = 0; i < 30; i++) CHECK_OK(sn_world_step(p.net.world, (sn_real)dt));
    sn_audit a;
    REQUIRE_OK(sn_world_get_audit(p.net.world, &a));
    double gone = a.began - a.kinetic - a.elastic;
    check_case("%g J gone, %g to the impact, %g unexplained", gone, a.lost_impact, a.unexplained);
    CHECK(gone > 0.2 * a.began);
    CHECK_NEAR(a.work_colliders, 0, 1e-9 * a.began);
    CHECK(a.lost_friction > 0 && a.lost_impact > 0);
    CHECK_NEAR(a.lost_friction + a.lost_impact, gone, 1e-3 * gone);
    CHECK_NEAR(a.unexplained, 0, (sizeof(sn_real) == 8 ? 1e-12 : 1e-5) * gone);
    sn_world_destroy(p.net.world);
}

/* ---- Laws ---- */

/* A sheet is hit and sets off, so that pairs are found again in the middle of a step, and more of
   them: what is told of all of them is what the sheet has got. */
TEST(forces_are_told_where_pairs_are_found_again) {
    for (int k = 0; k < 12; k++) {
        net_def d = net_default();
        d.gravity = 0;
        d.squares = 2 + k % 3 * 2;
        d.square = 0.2;
        net n = make_net(d);
        sn_collider thing = add_thing(n.world, k / 3, 0.05, 3);
        double before = 0;
        for (int frame = 0; frame < 6; frame++) {
            sn_measure measure;
            sn_vec3 force;
            CHECK_OK(sn_world_step(n.world, (sn_real)dt));
            CHECK_OK(sn_world_measure(n.world, &measure));
            CHECK_OK(sn_collider_contact_force(n.world, thing, &force));
            /* The world takes 1/s of the momentum as well. */
            double after = measure.momentum[1], got = after - before + dt * 0.5 * (after + before);
            check_case("%d squares, thing %d, frame %d", d.squares, k / 3, frame);
            CHECK_NEAR(-(double)force.y * dt, got, 0.01 * (after + 1));
            before = after;
        }
        CHECK(before > 0.5);
        sn_world_destroy(n.world);
    }
}

/* m/s, up: of the place that the ball is below. */
static double speed_of(const plate *p) {
    double speed = 0;
    for (int k = 0; k < 3; k++)
        speed += p->weight[k] * (double)look(p->net.world, p->net.node[k]).velocity.y;
    return speed;
}

/* The impulse stops the place that is hit, or sends it back, and every node has its share of it:
   dv_k = b_k J / m_k with J = (1 + e) v / sum b^2 / m. */
TEST(an_impulse_is_shared_by_weights) {
    for (int bounce = 0; bounce < 2; bounce++) {
        double e = 0.5 * bounce, v = 2, ease = 0, share[3];
        sn_collider_def ball = sn_collider_def_default();
        ball.restitution = (sn_real)e;
        check_case("restitution %g", e);
        plate p = make_plate(v, 0, 0, false, false, ball);
        CHECK_OK(sn_world_step(p.net.world, (sn_real)dt));
        for (int k = 0; k < 3; k++) ease += p.weight[k] * p.weight[k] / p.mass[k];
        double impulse = (1 + e) * v / ease, sum = 0;
        for (int k = 0; k < 3; k++) {
            share[k] = (double)look(p.net.world, p.net.node[k]).velocity.y + v;
            CHECK_REL(share[k], p.weight[k] * impulse / p.mass[k], 0.01);
            sum += share[k] * p.mass[k];
        }
        CHECK_NEAR(speed_of(&p), e * v, 0.01 * v);
        size_t count;
        sn_vec3 force;
        const sn_contact *contact = triangle_contacts(p.net.world, &count);
        REQUIRE_OK(count == 1 ? SN_OK : SN_ERROR_DATA);
        CHECK(contact->phase == SN_CONTACT_BEGIN && contact->collider.slot == p.ball.slot);
        CHECK_REL(contact->impulse.y, sum, 1e-3);
        CHECK_REL(contact->normal_impulse, sum, 1e-3);
        CHECK_NEAR(contact->normal.y, 1, 1e-3);
        CHECK_NEAR(contact->weights[0], p.weight[0], 0.01);
        CHECK_NEAR(contact->weights[1], p.weight[2], 0.01);
        CHECK_OK(sn_collider_contact_force(p.net.world, p.ball, &force));
        CHECK_REL(-(double)force.y * dt, sum, 1e-3);
        sn_world_destroy(p.net.world);
    }
}

/* Wherever the ball is below the triangle, it is met there. */
TEST(every_place_of_a_triangle_is_met) {
    static const double x[3] = {-0.5, 0.5, 0}, z[3] = {-0.3, -0.3, 0.6};
    enum { PARTS = 8 };
    for (int i = 0; i <= PARTS; i++)
        for (int k = 0; i + k <= PARTS; k++) {
            double weight[3] = {(0.3 + i) / (PARTS + 0.9), (0.3 + k) / (PARTS + 0.9), 0};
            sn_collider_def ball = sn_collider_def_default();
            size_t count;
            weight[2] = 1 - weight[0] - weight[1];
            for (int n = 0; n < 3; n++) {
                ball.position.x += (sn_real)((weight[n] - 1.0 / 3) * x[n]);
                ball.position.z += (sn_real)((weight[n] - 1.0 / 3) * z[n]);
            }
            plate p = make_plate(2, 0, 0, true, true, ball);
            check_case("weights %g, %g, %g", weight[0], weight[1], weight[2]);
            CHECK_OK(sn_world_step(p.net.world, (sn_real)dt));
            const sn_contact *contact = triangle_contacts(p.net.world, &count);
            if (CHECK(count == 1)) {
                /* The surface has the nodes in another order. */
                CHECK_NEAR(contact->weights[0], weight[0], 0.01);
                CHECK_NEAR(contact->weights[1], weight[2], 0.01);
                CHECK_NEAR(contact->weights[2], weight[1], 0.01);
                CHECK_NEAR(contact->normal.y, 1, 1e-3);
                CHECK(contact->normal_impulse > 1);
            }
            sn_world_destroy(p.net.world);
        }
}

/* On the top of a ball, pulled aslant: it sticks below the angle of friction and slides above it,
   with g (sin a - mu cos a). */
TEST(friction_is_that_of_coulomb) {
    for (int steep = 0; steep < 2; steep++) {
        double angle = steep ? 0.7 : 0.3, g = 9.81, mu = 0.4;
        for (int by_velocity = 0; by_velocity < 2; by_velocity++) {
            sn_collider_def ball = sn_collider_def_default();
            plate p = make_plate(0, g * sin(angle), -g * cos(angle), true, true, ball);
            sn_settings settings;
            check_case("%g rad, friction %d", angle, by_velocity);
            REQUIRE_OK(sn_world_get_settings(p.net.world, &settings));
            settings.friction = by_velocity ? SN_FRICTION_VELOCITY : settings.friction;
            REQUIRE_OK(sn_world_set_settings(p.net.world, &settings));
            double speed = 0;
            for (int i = 0; i < 6; i++) CHECK_OK(sn_world_step(p.net.world, (sn_real)dt));
            for (int k = 0; k < 3; k++)
                speed += (double)look(p.net.world, p.net.node[k]).velocity.x / 3;
            if (steep)
                CHECK_REL(speed, g * (sin(angle) - mu * cos(angle)) * 6 * dt, 0.04);
            else
                CHECK_NEAR(speed, 0, 0.02);
            sn_world_destroy(p.net.world);
        }
    }
}

/* Friction has the impulse of the whole bounce: dv = mu (1 + e) v along the normal. */
TEST(a_bounce_has_the_friction_of_its_impulse) {
    for (int by_velocity = 0; by_velocity < 2; by_velocity++) {
        double e = 0.5, v = 2, mu = 0.4;
        sn_collider_def ball = sn_collider_def_default();
        sn_settings settings;
        ball.restitution = (sn_real)e;
        plate p = make_plate(v, 0, 0, true, true, ball);
        check_case("friction %d", by_velocity);
        REQUIRE_OK(sn_world_get_settings(p.net.world, &settings));
        settings.friction = by_velocity ? SN_FRICTION_VELOCITY : settings.friction;
        REQUIRE_OK(sn_world_set_settings(p.net.world, &settings));
        for (int k = 0; k < 3; k++)
            REQUIRE_OK(sn_node_set_velocity(p.net.world, p.net.node[k],
                                            (sn_vec3){3, -(sn_real)v, (sn_real)-0.5}));
        double mean[3] = {0, 0, 0}, along = hypot(3, 0.5);
        CHECK_OK(sn_world_step(p.net.world, (sn_real)dt));
        for (int k = 0; k < 3; k++) {
            sn_vec3 now = look(p.net.world, p.net.node[k]).velocity;
            mean[0] += (double)now.x / 3;
            mean[1] += (double)now.y / 3;
            mean[2] += (double)now.z / 3;
        }
        double left = (along - mu * (1 + e) * v) / along;
        CHECK_NEAR(mean[1], e * v, 0.02 * v);
        CHECK_REL(mean[0], 3 * left, 0.02);
        CHECK_REL(mean[2], -0.5 * left, 0.1);
        sn_world_destroy(p.net.world);
    }
}

TEST(what_began_stays_and_ends) {
    net_def d = net_default();
    d.pinned = true;
    net n = make_net(d);
    sn_collider thing = add_thing(n.world, 0, 0.02, 1);
    const sn_contact *contact = NULL;
    size_t count = 0;
    bool began = false;
    for (int frame = 0; frame < 6; frame++) {
        CHECK_OK(sn_world_step(n.world, (sn_real)dt));
        contact = triangle_contacts(n.world, &count);
        for (size_t i = 0; i < count; i++) {
            CHECK(contact[i].phase != SN_CONTACT_END || began);
            if (contact[i].phase == SN_CONTACT_BEGIN) began = true;
            CHECK(contact[i].phase != SN_CONTACT_STAY || began);
        }
    }
    CHECK(began && count > 0 && contact[0].phase == SN_CONTACT_STAY);
    sn_collider_def def;
    CHECK_OK(sn_collider_get(n.world, thing, &def));
    def.position.y -= 1;
    def.velocity.y = 0;
    CHECK_OK(sn_collider_set(n.world, thing, &def));
    CHECK_OK(sn_world_step(n.world, (sn_real)dt));
    contact = triangle_contacts(n.world, &count);
    CHECK(count > 0 && contact[0].phase == SN_CONTACT_END && contact[0].normal_impulse == 0);
    CHECK_OK(sn_world_step(n.world, (sn_real)dt));
    CHECK(count_contacts(n.world) == 0);
    sn_world_destroy(n.world);
}

/* A plane and the flat side of a box are met by nodes alone. */
TEST(no_contact_is_there_twice) {
    for (int box = 0; box < 2; box++) {
        net_def d = net_default();
        net n = make_net(d);
        sn_collider floor;
        sn_collider_def def = sn_collider_def_default();
        def.shape = box ? SN_SHAPE_BOX : SN_SHAPE_PLANE;
        def.extent = (sn_vec3){2, (sn_real)0.1, 2};
        def.position.y = box ? (sn_real)-0.2 : (sn_real)-0.1;
        REQUIRE_OK(sn_collider_create(n.world, &def, &floor));
        for (int i = 0; i < 30; i++) CHECK_OK(sn_world_step(n.world, (sn_real)dt));
        sn_vec3 force;
        CHECK_OK(sn_collider_contact_force(n.world, floor, &force));
        CHECK_REL(-(double)force.y, 9 * 0.1 * 9.81, 0.02);
        CHECK(box || count_contacts(n.world) == 0);
        CHECK_NEAR(look(n.world, n.node[4]).position.y, -0.095, 1e-3);
        sn_world_destroy(n.world);
    }
}

TEST(who_is_not_met_passes) {
    for (int how = 0; how < 3; how++) {
        net_def d = net_default();
        d.pinned = true;
        net n = make_net(d);
        sn_collider thing = add_thing(n.world, 0, 0.02, 1);
        sn_collider_def def;
        REQUIRE_OK(sn_collider_get(n.world, thing, &def));
        def.mask = how == 0 ? ~1u : def.mask;
        REQUIRE_OK(sn_collider_set(n.world, thing, &def));
        if (how == 1) CHECK_OK(sn_body_set_collider_collision(n.world, n.body, thing, false));
        sn_collision_surface_def surface;
        REQUIRE_OK(sn_collision_surface_get(n.world, n.surface, &surface));
        CHECK(surface.triangle_contact);
        surface.triangle_contact = how != 2;
        CHECK_OK(sn_collision_surface_set(n.world, n.surface, &surface));
        for (int i = 0; i < 8; i++) CHECK_OK(sn_world_step(n.world, (sn_real)dt));
        CHECK(count_contacts(n.world) == 0);
        sn_world_destroy(n.world);
    }
}

/* ---- The same bits, and sleep ---- */

static void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) CHECK_OK(sn_world_step(world, (sn_real)dt));
}

TEST(threads_widths_and_snapshots_do_not_matter) {
    static const int threads[] = {1, 2, 3, 1, 1}, widths[] = {0, 0, 0, 1, 4};
    static uint8_t kept[200000];
    uint64_t expected = 0;
    for (int k = 0; k < 5; k++) {
        net_def d = net_default();
        d.squares = 6;
        d.square = 0.2;
        d.threads = threads[k];
        d.width = widths[k];
        check_case("%d threads, width %d", d.threads, d.width);
        net n = make_net(d);
        for (int which = 0; which < 4; which++) (void)add_thing(n.world, which, 0.1, 2);
        (void)give_mass(n.world, add_thing(n.world, 5, 0.1, 2), 100);
        run(n.world, 8);
        size_t size = 0;
        CHECK(count_contacts(n.world) > 0);
        CHECK_OK(sn_snapshot_save(n.world, kept, sizeof kept, &size));
        run(n.world, 8);
        uint64_t hash = sn_world_hash(n.world);
        if (k == 0) expected = hash;
        CHECK(hash == expected);
        CHECK_OK(sn_snapshot_load(n.world, kept, size));
        CHECK(count_contacts(n.world) > 0);
        run(n.world, 8);
        CHECK(sn_world_hash(n.world) == expected);
        sn_world_destroy(n.world);
    }
}

/* In time: it is awake before it is met, wherever the collider is when a step begins. */
TEST(a_collider_between_the_nodes_wakes) {
    for (int k = 0; k < 6; k++) {
        net_def d = net_default();
        d.pinned = true;
        d.sleep_time = 0.2;
        net n = make_net(d);
        sn_collider thing = add_thing(n.world, 0, 0.4 + 0.003 * k, 0);
        for (int i = 0; i < 600 && !sn_body_is_asleep(n.world, n.body); i++) run(n.world, 1);
        CHECK(sn_body_is_asleep(n.world, n.body));
        sn_collider_def def;
        REQUIRE_OK(sn_collider_get(n.world, thing, &def));
        def.velocity.y = 1;
        CHECK_OK(sn_collider_set(n.world, thing, &def));
        for (int frame = 0; frame < 30; frame++) {
            run(n.world, 1);
            CHECK(depth_of(&n, thing) < 1.5e-3);
        }
        CHECK(!sn_body_is_asleep(n.world, n.body));
        CHECK(count_contacts(n.world) > 0);
        CHECK_NEAR(depth_of(&n, thing), 0, 1.5e-3);
        sn_world_destroy(n.world);
    }
}

/* Whether a point of the plane is in a triangle of a sheet. */
static bool is_over(const net *n, size_t triangle, double x, double z) {
    bool left = false, right = false;
    for (int k = 0; k < 3; k++) {
        const sn_vec3 a = look(n->world, n->node[n->triangle[triangle][k]]).position;
        const sn_vec3 b = look(n->world, n->node[n->triangle[triangle][(k + 1) % 3]]).position;
        const double side = ((double)b.x - (double)a.x) * (z - (double)a.z) -
                            ((double)b.z - (double)a.z) * (x - (double)a.x);
        left |= side > 0;
        right |= side < 0;
    }
    return !(left && right);
}

/* The triangle above a thing is near it, to a tenth of a millimetre, and no other is: its corners
   are who is woken, unless they do not meet. Of meshes, fields and heights more are, as what is
   known of their distances is less. */
TEST(corners_are_near_what_is_below_their_triangle) {
    const double below = 0.02, reach = below - 0.005, little = 1e-4;
    for (int which = 0; which < THINGS; which++) {
        net_def d = net_default();
        d.gravity = 0;
        net n = make_net(d);
        sn_collider thing = add_thing(n.world, which, below, 0);
        run(n.world, 1);
        sn_collider_def def;
        REQUIRE_OK(sn_collider_get(n.world, thing, &def));
        const bool rough = def.shape == SN_SHAPE_MESH || def.shape == SN_SHAPE_SDF ||
                           def.shape == SN_SHAPE_HEIGHTS;
        const size_t at = thing.slot - 1;
        size_t corners = 0;
        for (size_t k = 0; k < n.nodes; k++) {
            const size_t node = n.node[k].slot - 1;
            bool over = false;
            for (size_t t = 0; t < n.triangles; t++)
                for (int c = 0; c < 3; c++)
                    over |= n.triangle[t][c] == k &&
                            is_over(&n, t, (double)def.position.x, (double)def.position.z);
            corners += over;
            const bool near =
                sn_triangle_contact_comes_near(n.world, node, node + 1, at, reach + little);
            CHECK(near == over || (near && rough));
            CHECK(!sn_triangle_contact_comes_near(n.world, node, node + 1, at,
                                                  rough ? -0.5 : reach - little));
        }
        CHECK(corners == 3);
        CHECK(!sn_triangle_contact_comes_near(n.world, n.nodes, n.nodes + 1, at, 1));
        def.mask = 0;
        REQUIRE_OK(sn_collider_set(n.world, thing, &def));
        CHECK(!sn_triangle_contact_comes_near(n.world, 0, n.nodes, at, 1));
        sn_world_destroy(n.world);
    }
}

/* All in a row: a steady step asks for no memory. */
TEST(a_steady_step_allocates_nothing) {
    net_def d = net_default();
    d.pinned = true;
    net n = make_net(d);
    sn_collider thing = add_thing(n.world, 2, 0.02, 1);
    sn_stats before, after;
    run(n.world, 10);
    stop_collider(n.world, thing);
    run(n.world, 5);
    CHECK_OK(sn_world_stats(n.world, &before));
    run(n.world, 20);
    CHECK_OK(sn_world_stats(n.world, &after));
    CHECK(before.memory == after.memory);
    sn_world_destroy(n.world);
}

TEST(steps_without_memory_are_refused) {
    net_def d = net_default();
    d.pinned = true;
    net n = make_net(d);
    (void)add_thing(n.world, 2, 0.005, 1);
    run(n.world, 1);
    CHECK(count_contacts(n.world) > 0);
    CHECK(meter_refuse_all(n.world, (sn_real)(1.0 / 60)) > 20);
    sn_world_destroy(n.world);
}

TESTS(RUN(steps_without_memory_are_refused), RUN(the_deepest_point_is_found),
      RUN(small_things_do_not_pass_large_triangles), RUN(nodes_alone_let_small_things_pass),
      RUN(nothing_passes_at_20_metres_a_second), RUN(a_spike_does_not_pierce_a_sheet_that_falls),
      RUN(forces_are_told_where_pairs_are_found_again), RUN(things_with_a_mass_do_not_pass),
      RUN(free_bodies_and_sheets_keep_momentum), RUN(an_audit_knows_what_carries_the_shape),
      RUN(an_impulse_is_shared_by_weights), RUN(every_place_of_a_triangle_is_met),
      RUN(friction_is_that_of_coulomb), RUN(a_bounce_has_the_friction_of_its_impulse),
      RUN(what_began_stays_and_ends), RUN(no_contact_is_there_twice), RUN(who_is_not_met_passes),
      RUN(threads_widths_and_snapshots_do_not_matter), RUN(a_collider_between_the_nodes_wakes),
      RUN(corners_are_near_what_is_below_their_triangle), RUN(a_steady_step_allocates_nothing))
