/*
 * V27: twist under a torque, and the helix that a rod with a curvature and a twist at rest relaxes
 * to. And the attachment of a frame, which is a spring against torque.
 */
#include "rod.h"

#include <math.h>

enum { SUBSTEPS = 50 };

static sn_settings settling(void) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    settings.substeps = SUBSTEPS;
    settings.damping = 7;
    return settings;
}

/*
 * A torque on the last frame, which belongs to the middle of the last segment, twists a length of
 * L - l / 2. A joint answers an angle t with the torque (G J / l) sin t, half of it for the half
 * joint at the wall.
 */
TEST(torque_twists_by_its_length) {
    static const double torques[] = {0.5, -2};
    double h = 2e-4;
    for (int i = 0; i < 2; i++) {
        check_case("torque %g", torques[i]);
        rod_def def = rod_def_default();
        def.segments = 60;
        def.twist_stiffness = 1.25;
        def.inertia = 0.1;
        rod r = make_rod(settling(), &def);
        sn_node last = r.node[def.segments - 1];
        for (int step = 0; step < 400; step++) {
            CHECK_OK(sn_node_add_torque(r.world, last, vector(torques[i], 0, 0)));
            advance(r.world, h, SUBSTEPS);
        }
        /* The angle is read joint by joint, since it may be more than half a turn. */
        double angle = 0;
        quat before = rod_direction();
        for (int k = 0; k < def.segments; k++) {
            quat now = orientation_of(r.world, r.node[k]);
            double part = angle_between(before, now);
            angle += torques[i] < 0 ? -part : part;
            before = now;
            CHECK_NEAR(length(position_of(r.world, r.node[k])), k * r.spacing, TOL(1e-6, 1e-5));
        }
        double strain = torques[i] / def.twist_stiffness;
        double exact = (def.segments - 1) * asin(strain * r.spacing) + asin(strain * r.spacing / 2);
        CHECK_REL(angle, exact, 2e-3);
        CHECK_REL(angle, strain * def.length, 0.01);
        CHECK((before.x - rod_direction().x) * torques[i] > 0);
        sn_world_destroy(r.world);
    }
}

/* The helix through nodes: second differences point to the axis and turn about it by the same angle
   from node to node. */
typedef struct helix {
    double radius, pitch;
} helix;

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec second_difference(const rod *r, int i) {
    vec a = position_of(r->world, r->node[i - 1]), b = position_of(r->world, r->node[i]),
        c = position_of(r->world, r->node[i + 1]);
    return sub(sub(c, b), sub(b, a));
}

static helix helix_of(const rod *r) {
    int stride = 10, count = 0;
    double angle = 0, bend = 0, climb = 0;
    vec axis = {0, 0, 0};
    for (int i = 1; i + stride < r->segments; i++) {
        vec a = second_difference(r, i), b = second_difference(r, i + stride), c = cross(a, b);
        axis = (vec){axis.x + c.x, axis.y + c.y, axis.z + c.z};
        angle += atan2(length(c), dot(a, b)) / stride;
        bend += length(a);
        count++;
    }
    angle /= count;
    bend /= count;
    vec all = sub(position_of(r->world, r->node[r->segments]), position_of(r->world, r->node[0]));
    climb = fabs(dot(all, axis)) / length(axis) / r->segments;
    double chord = 2 * sin(angle / 2);
    return (helix){bend / (chord * chord), climb * 2 * PI / angle};
}

TEST(rod_with_a_rest_curvature_becomes_a_helix) {
    double curvature = 10, twist = 3, square = curvature * curvature + twist * twist;
    CHECK_NEAR(curvature / square, 0.091743, 5e-7);
    CHECK_NEAR(2 * PI * twist / square, 0.172932, 5e-7);
    rod_def def = rod_def_default();
    def.segments = 100;
    def.curvature = curvature;
    def.rest_twist = twist;
    def.inertia = 0.1;
    rod r = make_rod(settling(), &def);
    advance(r.world, 2e-4, 4 * 5000);
    helix h = helix_of(&r);
    CHECK_REL(h.radius, 0.091743, 0.01);
    CHECK_REL(h.pitch, 0.172932, 0.01);
    /* Relaxed: no strain anywhere. */
    CHECK_NEAR(measure_of(r.world).elastic_energy, 0, 1e-4);
    sn_world_destroy(r.world);
}

/* An attachment with a compliance gives way by the compliance times the torque; it answers an angle
   t with sin t / compliance. */
TEST(attached_frame_gives_way_by_its_compliance) {
    quat start = turn((vec){1, 2, -1}, 1.1);
    vec axis = {2.0 / 3, 1.0 / 3, 2.0 / 3};
    for (int anchored = 0; anchored < 2; anchored++) {
        for (int i = 0; i < 2; i++) {
            double compliance = 0.1, torque = i == 0 ? 0.05 : 4;
            check_case("%s, %g N m", anchored ? "to a frame" : "to the world", torque);
            sn_settings settings = settling();
            settings.damping = 14;
            sn_world *world = make_world(settings);
            sn_node node = add_frame(world, (vec){0, 0, 0}, 1, start, (vec){0.1, 0.05, 0.2});
            sn_frame_attachment_def def = sn_frame_attachment_def_default();
            def.node[0] = node;
            if (anchored)
                def.node[1] = add_fixed_frame(world, (vec){0, 0, 0}, turn((vec){0, 1, 1}, 2));
            def.compliance = (sn_real)compliance;
            sn_constraint constraint;
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_FRAME_ATTACHMENT, &def, &constraint));
            for (int step = 0; step < 160; step++) {
                CHECK_OK(sn_node_add_torque(
                    world, node, vector(torque * axis.x, torque * axis.y, torque * axis.z)));
                advance(world, 1.0 / 1000, SUBSTEPS);
            }
            quat expected = product(turn(axis, asin(compliance * torque)), start);
            /* One sweep takes the gradient where the substep's torque has turned the frame to. */
            double swept = 0.1 * 1e-6 * torque / 0.05;
            CHECK_NEAR(angle_between(orientation_of(world, node), expected), 0,
                       swept + TOL(1e-7, 1e-5));
            sn_real force[SN_MAX_ROWS] = {0};
            CHECK_OK(sn_constraint_force(world, constraint, force));
            double size = length((vec){(double)force[0], (double)force[1], (double)force[2]});
            /* |C| / compliance, with |C| = 2 sin(t / 2). */
            double answer = 2 * sin(asin(compliance * torque) / 2) / compliance;
            /* Float: a substep turns the frame by 16 units of the rounding of its quaternion. */
            CHECK_REL(size, answer, swept + TOL(1e-6, 1e-3));
            sn_world_destroy(world);
        }
    }
}

/* A hard attachment holds. */
TEST(attached_frame_is_held) {
    sn_world *world = make_world(settling());
    quat start = turn((vec){1, 2, -1}, 1.1);
    sn_node node = add_frame(world, (vec){0, 0, 0}, 1, start, (vec){0.1, 0.05, 0.2});
    sn_frame_attachment_def def = sn_frame_attachment_def_default();
    def.node[0] = node;
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_FRAME_ATTACHMENT, &def, &constraint));
    for (int step = 0; step < 20; step++) {
        CHECK_OK(sn_node_add_torque(world, node, vector(1, -1, 2)));
        advance(world, 1.0 / 1000, SUBSTEPS);
    }
    CHECK_NEAR(angle_between(orientation_of(world, node), start), 0, TOL(1e-9, 1e-5));
    sn_world_destroy(world);
}

/* Half a turn over a segment is the most that a rest shape can have, about any axis. */
TEST(a_rest_shape_turns_by_half_a_turn_at_most) {
    const double length = 0.25;
    for (int axis = 0; axis < 3; axis++)
        for (int much = 0; much < 2; much++) {
            sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
            sn_bend_twist_def joint = sn_bend_twist_def_default();
            sn_constraint made;
            sn_real rest[3] = {0, 0, 0};
            for (int i = 0; i < 2; i++)
                joint.node[i] =
                    add_frame(world, (vec){i * length, 0, 0}, 1, rod_direction(), (vec){1, 1, 1});
            rest[axis] = (sn_real)((much ? -2.1 : 1.9) / length);
            joint.rest_length = (sn_real)length;
            joint.rest_darboux = (sn_vec3){rest[0], rest[1], rest[2]};
            check_case("axis %d, %g 1/m", axis, (double)rest[axis]);
            sn_result result = sn_constraint_create(world, SN_TYPE_BEND_TWIST, &joint, &made);
            CHECK(result == (much ? SN_ERROR_VALUE : SN_OK));
            sn_world_destroy(world);
        }
}

/* From 60 degrees on the other side of a rest shape of 144 degrees it is 156 further on, and 204
   back through the straight rod: it goes on. From 20 degrees it goes back. */
TEST(a_rest_shape_is_reached_the_shorter_way) {
    const double length = 0.25, rest = 2 * sin(0.4 * PI) / length;
    for (int axis = 0; axis < 3; axis++)
        for (int far = 0; far < 2; far++) {
            double start = -(far ? 60 : 20) * PI / 180, part[3] = {0, 0, 0};
            sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
            sn_bend_twist_def joint = sn_bend_twist_def_default();
            sn_constraint made;
            part[axis] = 1;
            vec about = {part[0], part[1], part[2]};
            joint.node[0] = add_fixed_frame(world, (vec){0, 0, 0}, turn(about, 0));
            joint.node[1] =
                add_frame(world, (vec){length, 0, 0}, 1, turn(about, start), (vec){1, 1, 1});
            joint.rest_length = (sn_real)length;
            joint.bend_stiffness_x = joint.bend_stiffness_y = joint.twist_stiffness = 1;
            joint.rest_darboux = vector(rest * part[0], rest * part[1], rest * part[2]);
            check_case("axis %d, %g degrees", axis, start * 180 / PI);
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &joint, &made));
            advance(world, 1e-2, 1);
            vec spin = own_spin_of(world, joint.node[1]);
            double now = dot(spin, about);
            CHECK(fabs(now) > 1e-4);
            CHECK((now < 0) == (far == 1));
            sn_world_destroy(world);
        }
}

TESTS(RUN(a_rest_shape_is_reached_the_shorter_way), RUN(a_rest_shape_turns_by_half_a_turn_at_most),
      RUN(torque_twists_by_its_length), RUN(rod_with_a_rest_curvature_becomes_a_helix),
      RUN(attached_frame_gives_way_by_its_compliance), RUN(attached_frame_is_held))
