/*
 * Damping groups: the damping of section 3.5 of the 2007 paper for any nodes. It takes (1 - c h)^n
 * of what is not rigid, and nothing else.
 */
#include "validation/build.h"

#include <math.h>
#include <string.h>

enum { CLOUD = 24 };

#define FOR_BOTH_INTEGRATORS(integrator)                                                           \
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;          \
         integrator++)

static const char *name_of(sn_integrator integrator) {
    return integrator == SN_INTEGRATOR_BDF2 ? "BDF2" : "BDF1";
}

static sn_world *make_empty_world(sn_integrator integrator) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    settings.integrator = integrator;
    return make_world(settings);
}

static sn_damping_group add_damping_group(sn_world *world, const sn_node *nodes, size_t count,
                                          double damping) {
    sn_damping_group_def def = sn_damping_group_def_default();
    def.nodes = nodes;
    def.node_count = count;
    def.damping = (sn_real)damping;
    sn_damping_group damping_group;
    REQUIRE_OK(sn_damping_group_create(world, &def, &damping_group));
    return damping_group;
}

/* Nodes of different masses that drift, spin and fly in all directions, of one body or of none. */
static void add_cloud(sn_world *world, sn_body body, double jitter, sn_node nodes[CLOUD]) {
    sn_node_def def = sn_node_def_default();
    def.body = body;
    for (int i = 0; i < CLOUD; i++) {
        double a = 2.4 * i, b = sin(1.7 * i), r = sqrt(1 - b * b);
        vec x = {r * cos(a), r * sin(a), b};
        def.position = vector(x.x + 2, x.y - 1, x.z);
        def.velocity = vector(1 - 3 * x.y + jitter * sin(5.1 * i),
                              2 + 3 * x.x + jitter * cos(3.7 * i), jitter * sin(2.9 * i));
        def.inverse_mass = (sn_real)(1 / (1 + 0.1 * i));
        REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
    }
}

static const sn_body nobody = {0, 0, 0};

/* Both momenta stay, of overlapping damping groups as well, and the energy of what is not rigid
   goes. */
TEST(damping_groups_keep_both_momenta) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", name_of(integrator));
        sn_world *world = make_empty_world(integrator);
        sn_node nodes[CLOUD];
        add_cloud(world, nobody, 0.5, nodes);
        add_damping_group(world, nodes, 16, 10);
        add_damping_group(world, nodes + 8, CLOUD - 8, 4);
        add_damping_group(world, nodes + 5, 1, 100);
        add_damping_group(world, nodes + 6, 2, 100);
        sn_measure start = measure_of(world);
        advance(world, 1.0 / 1200, 1200);
        sn_measure end = measure_of(world);
        double speed = sqrt(2 * start.kinetic_energy / start.mass);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(end.momentum[k], start.momentum[k], TOL(1e-12, 1e-5) * start.mass * speed);
            /* Lever arms about the origin grow from 2 m to about 4 m. */
            CHECK_NEAR(end.angular_momentum[k], start.angular_momentum[k],
                       TOL(1e-12, 1e-5) * start.mass * speed * 4);
        }
        CHECK(end.kinetic_energy < 0.99 * start.kinetic_energy);
        sn_world_destroy(world);
    }
}

/* A node alone has no motion but its own, wherever it is, and two have none but along their
   line. */
TEST(small_damping_groups_are_no_exception) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", name_of(integrator));
        sn_world *world = make_empty_world(integrator);
        sn_node nodes[3];
        for (int i = 0; i < 3; i++) {
            nodes[i] = add_node(world, (vec){0.3 + i, 0.7 * i - 5, 0.1}, 0.7 + i);
            CHECK_OK(sn_node_set_velocity(world, nodes[i], vector(0.3, 3, -1.7)));
        }
        add_damping_group(world, nodes, 1, 100);
        add_damping_group(world, nodes + 1, 2, 100);
        advance(world, 1.0 / 1200, 1200);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(length(sub(velocity_of(world, nodes[i]), (vec){0.3, 3, -1.7})), 0,
                       TOL(1e-11, 1e-4));
        sn_world_destroy(world);
    }
}

/* What moves rigidly is not braked: the velocities of the next substep are those there were. */
TEST(rigid_motion_is_unchanged) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", name_of(integrator));
        sn_world *world = make_empty_world(integrator);
        sn_node nodes[CLOUD];
        add_cloud(world, nobody, 0, nodes);
        add_damping_group(world, nodes, CLOUD, 1e6);
        vec before[CLOUD];
        for (int i = 0; i < CLOUD; i++) before[i] = velocity_of(world, nodes[i]);
        /* So short that the straight paths of the nodes are a rotation. */
        double h = 1e-6;
        advance(world, h, 1);
        for (int i = 0; i < CLOUD; i++)
            CHECK_NEAR(length(sub(velocity_of(world, nodes[i]), before[i])), 0,
                       12 * h + TOL(1e-9, 3e-6));
        sn_world_destroy(world);
    }
}

/* A square that grows evenly has no rigid motion in that, so it decays by 1 - c h a substep. */
TEST(relative_motion_decays) {
    double c = 6, h = 1.0 / 1200;
    FOR_BOTH_INTEGRATORS(integrator) {
        for (int times = 1; times <= 2; times++) {
            check_case("%s, %d damping groups", name_of(integrator), times);
            sn_world *world = make_empty_world(integrator);
            sn_node nodes[4];
            for (int i = 0; i < 4; i++) {
                double x = i % 2 ? 1 : -1, y = i / 2 ? 1 : -1;
                nodes[i] = add_node(world, (vec){x, y, 0}, 1);
                CHECK_OK(sn_node_set_velocity(world, nodes[i], vector(0.5 * x, 0.5 * y, 2)));
            }
            /* Of the same nodes, one acts after the other. */
            for (int i = 0; i < times; i++) add_damping_group(world, nodes, 4, c);
            for (int n = 100; n <= 600; n += 100) {
                advance(world, h, 100);
                vec v = velocity_of(world, nodes[3]);
                double left = 0.5 * pow(1 - c * h, n * times);
                CHECK_REL(v.x, left, TOL(1e-11, 1e-4));
                CHECK_REL(v.y, left, TOL(1e-11, 1e-4));
                CHECK_REL(v.z, 2, TOL(1e-12, 1e-5));
                CHECK_REL(left, 0.5 * exp(-c * h * n * times), 0.02 * times);
            }
            sn_world_destroy(world);
        }
    }
}

/* The list of all nodes of a body and the body itself come to the same bits. */
TEST(a_body_is_a_damping_group) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", name_of(integrator));
        uint64_t hash[2];
        for (int i = 0; i < 2; i++) {
            sn_world *world = make_empty_world(integrator);
            sn_body_def def = sn_body_def_default();
            def.rigid_damping = i ? 0 : 3;
            sn_body body;
            REQUIRE_OK(sn_body_create(world, &def, &body));
            sn_node nodes[CLOUD];
            add_cloud(world, body, 0.5, nodes);
            if (i == 1) add_damping_group(world, nodes, CLOUD, 3);
            advance(world, 1.0 / 1200, 100);
            hash[i] = sn_world_hash(world);
            sn_world_destroy(world);
        }
        CHECK(hash[0] == hash[1]);
    }
}

/* Members may be of different bodies; pins among them and nodes beside them are left alone. */
TEST(only_members_are_damped) {
    sn_world *world = make_empty_world(SN_INTEGRATOR_BDF1);
    sn_body_def body = sn_body_def_default();
    sn_node nodes[4];
    for (int i = 0; i < 3; i++) {
        sn_node_def def = sn_node_def_default();
        if (i > 0) REQUIRE_OK(sn_body_create(world, &body, &def.body));
        def.position = vector(i, 0, 0);
        def.velocity = vector(i == 1 ? 1 : -1, 0, 0);
        REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
    }
    nodes[3] = add_pin(world, (vec){5, 5, 5});
    sn_node members[3] = {nodes[1], nodes[3], nodes[2]};
    sn_damping_group damping_group = add_damping_group(world, members, 3, 10);
    advance(world, 1.0 / 1200, 1200);
    CHECK(velocity_of(world, nodes[0]).x == -1);
    CHECK_NEAR(velocity_of(world, nodes[1]).x, 0, 1e-4);
    CHECK_NEAR(velocity_of(world, nodes[2]).x, 0, 1e-4);
    CHECK(position_of(world, nodes[3]).x == 5);

    /* Another rate from the next step on, and none without the damping group. */
    CHECK_OK(sn_node_set_velocity(world, nodes[1], vector(2, 0, 0)));
    CHECK_OK(sn_damping_group_set_damping(world, damping_group, 0));
    double still = velocity_of(world, nodes[2]).x;
    advance(world, 1.0 / 1200, 10);
    CHECK_REL(velocity_of(world, nodes[1]).x, 2, TOL(1e-12, 1e-6));
    CHECK_OK(sn_damping_group_set_damping(world, damping_group, 5));
    sn_damping_group_def def = sn_damping_group_def_default();
    CHECK_OK(sn_damping_group_get(world, damping_group, &def));
    CHECK(def.damping == 5 && def.node_count == 3);
    CHECK(memcmp(&def.nodes[2], &nodes[2], sizeof nodes[2]) == 0);
    CHECK_OK(sn_damping_group_destroy(world, damping_group));
    advance(world, 1.0 / 1200, 10);
    CHECK_REL(velocity_of(world, nodes[1]).x, 2, TOL(1e-12, 1e-6));
    CHECK_NEAR(velocity_of(world, nodes[2]).x, still, TOL(1e-14, 1e-7));
    sn_world_destroy(world);
}

/* A falling spring whose ends are a damping group stops swinging, and its fall does not notice. */
TEST(damping_group_calms_a_spring_in_free_fall) {
    double h = 1.0 / 1200, c = 8;
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", name_of(integrator));
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.integrator = integrator;
        sn_world *world = make_world(settings);
        sn_node nodes[2] = {add_node(world, (vec){0, 0, 0}, 1), add_node(world, (vec){1, 0, 0}, 1)};
        add_link(world, nodes[0], nodes[1], 0.8, 1e-2);
        add_damping_group(world, nodes, 2, c);
        advance(world, h, 1200);
        vec v0 = velocity_of(world, nodes[0]), v1 = velocity_of(world, nodes[1]);
        double energy = measure_of(world).elastic_energy + 0.25 * pow(v1.x - v0.x, 2);
        CHECK_REL((v0.y + v1.y) / 2, -GRAVITY, TOL(1e-12, 2e-5));
        CHECK_NEAR(v0.x + v1.x, 0, TOL(1e-12, 1e-5));
        /* Of 2 J, and with BDF1 0.85 of them. */
        CHECK(energy > 0 && energy < 2 * exp(-c) * 1.5);
        sn_world_destroy(world);
    }
}

/* ---- To and from the centre ---- */

static void add_radial_group(sn_world *world, const sn_node *nodes, size_t count, double damping) {
    sn_damping_group_def def = sn_damping_group_def_default();
    sn_damping_group group;
    def.nodes = nodes;
    def.node_count = count;
    def.damping = (sn_real)damping;
    def.motion = SN_DAMPED_RADIAL;
    REQUIRE_OK(sn_damping_group_create(world, &def, &group));
}

/* How fast each node comes nearer to the centre of mass, the mean of squares by masses. */
static double approach_of(const sn_world *world, const sn_node *nodes) {
    double mass = 0, sum = 0;
    vec centre = {0, 0, 0}, velocity = {0, 0, 0};
    for (int i = 0; i < CLOUD; i++) {
        double m = 1 + 0.1 * i;
        vec x = position_of(world, nodes[i]), v = velocity_of(world, nodes[i]);
        mass += m;
        centre = (vec){centre.x + m * x.x, centre.y + m * x.y, centre.z + m * x.z};
        velocity = (vec){velocity.x + m * v.x, velocity.y + m * v.y, velocity.z + m * v.z};
    }
    centre = (vec){centre.x / mass, centre.y / mass, centre.z / mass};
    velocity = (vec){velocity.x / mass, velocity.y / mass, velocity.z / mass};
    for (int i = 0; i < CLOUD; i++) {
        vec r = sub(position_of(world, nodes[i]), centre);
        vec v = sub(velocity_of(world, nodes[i]), velocity);
        double along = (r.x * v.x + r.y * v.y + r.z * v.z) / length(r);
        sum += (1 + 0.1 * i) * along * along;
    }
    return sum / mass;
}

/* Forces along the lines to the centre have no torque, and their reaction is shared: both momenta
   stay, all of the approach is gone in one substep where damping times h is 1, and none of the
   energy comes back. */
TEST(radial_damping_stops_what_approaches_the_centre) {
    sn_world *world = make_empty_world(SN_INTEGRATOR_BDF1);
    sn_node nodes[CLOUD];
    double h = 1e-5;
    add_cloud(world, nobody, 0.5, nodes);
    add_radial_group(world, nodes, CLOUD, 1 / h);
    double before = approach_of(world, nodes);
    sn_measure start = measure_of(world);
    advance(world, h, 1);
    sn_measure end = measure_of(world);
    double speed = sqrt(2 * start.kinetic_energy / start.mass);
    CHECK(before > 0.01);
    CHECK_NEAR(approach_of(world, nodes), 0, TOL(1e-20, 1e-9) + 1e-8 * before);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(end.momentum[k], start.momentum[k], TOL(1e-12, 1e-5) * start.mass * speed);
        CHECK_NEAR(end.angular_momentum[k], start.angular_momentum[k],
                   TOL(1e-12, 1e-5) * start.mass * speed * 4);
    }
    CHECK(end.kinetic_energy < start.kinetic_energy);
    sn_world_destroy(world);
}

/* A square that grows and turns: what it grows by decays by 1 - c h, and it turns on. */
TEST(radial_damping_leaves_turning) {
    double c = 50, h = 1e-4;
    sn_world *world = make_empty_world(SN_INTEGRATOR_BDF1);
    sn_node nodes[4];
    for (int i = 0; i < 4; i++) {
        vec x = {i % 2 ? -1.0 : 1.0, i / 2 ? -1.0 : 1.0, 0};
        nodes[i] = add_node(world, x, 1);
        REQUIRE_OK(sn_node_set_velocity(world, nodes[i],
                                        vector(0.5 * x.x - 2 * x.y, 0.5 * x.y + 2 * x.x, 0)));
    }
    add_radial_group(world, nodes, 4, c);
    double start = measure_of(world).angular_momentum[2];
    advance(world, h, 1);
    CHECK_REL(measure_of(world).angular_momentum[2], start, TOL(1e-12, 1e-6));
    vec x = position_of(world, nodes[0]), v = velocity_of(world, nodes[0]);
    /* Growing by turning is 4 h in a substep. */
    CHECK_NEAR((x.x * v.x + x.y * v.y) / length(x), sqrt(2) * 0.5 * (1 - c * h), 10 * h);
    sn_world_destroy(world);
}

TESTS(RUN(radial_damping_stops_what_approaches_the_centre), RUN(radial_damping_leaves_turning),
      RUN(damping_groups_keep_both_momenta), RUN(small_damping_groups_are_no_exception),
      RUN(rigid_motion_is_unchanged), RUN(relative_motion_decays), RUN(a_body_is_a_damping_group),
      RUN(only_members_are_damped), RUN(damping_group_calms_a_spring_in_free_fall))
