/*
 * Robots from URDF: what is read, where links are, what joints do, and what is wrong with files.
 */
#include <sinew_io/file.h>
#include <sinew_io/robot.h>
#include <sinew_io/scene.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "io/text/xml.h"
#include "scene_make.h"

#define INERTIAL(mass, x)                                                                          \
    "<inertial><origin xyz='" x " 0 0'/><mass value='" mass "'/>"                                  \
    "<inertia ixx='0.01' iyy='0.02' izz='0.03'/></inertial>"
#define LIMIT(lower, upper) "<limit lower='" lower "' upper='" upper "' effort='100'/>"
#define JOINT(name, type, parent, child, rest)                                                     \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child        \
    "'/>" rest "</joint>"

/* Two links that bend about y, 0.5 m and 0.4 m long, on a base that stands. */
#define ARM                                                                                        \
    "<robot name='arm'><link name='base'/><link name='upper'>" INERTIAL(                           \
        "2", "0.25") "</link>"                                                                     \
                     "<link name='fore'>" INERTIAL("1", "0.2") "</link>" JOINT(                    \
                         "shoulder", "revolute", "base", "upper",                                  \
                         "<origin xyz='0 0 1'/><axis xyz='0 1 0'/>" LIMIT("-1.2", "1"))            \
                         JOINT("elbow", "revolute", "upper", "fore",                               \
                               "<origin xyz='0.5 0 0'/><axis xyz='0 3 0'/>" LIMIT(                 \
                                   "-2", "0.8")) "</robot>"

/* Sentences of the log, one after the other. */
static char told[4096];

static void listen(void *user, sn_log_level level, const char *sentence) {
    (void)user, (void)level;
    size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%s\n", sentence);
}

static sn_result try_robot(const char *text, sn_io_robot **robot) {
    sn_io_robot_def def = sn_io_robot_def_default();
    def.text = text;
    def.length = strlen(text);
    def.log = listen;
    told[0] = 0;
    return sn_io_robot_read("test.urdf", &def, robot);
}

static sn_io_robot *make_robot(const char *text) {
    sn_io_robot *robot = NULL;
    REQUIRE_OK(try_robot(text, &robot));
    return robot;
}

static sn_world *make_world(int substeps) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.settings.substeps = substeps;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* ---- Reading ---- */

TEST(a_description_is_read) {
    sn_io_robot *robot = make_robot(ARM);
    sn_io_robot_link link;
    sn_io_robot_joint joint;
    size_t at;
    CHECK(strcmp(sn_io_robot_name(robot), "arm") == 0);
    CHECK(sn_io_robot_link_count(robot) == 3 && sn_io_robot_joint_count(robot) == 2);
    REQUIRE_OK(sn_io_robot_find_link(robot, "upper", &at));
    CHECK(sn_io_robot_link_at(robot, at, &link));
    CHECK(at == 1 && link.mass == 2);
    CHECK_NEAR(link.centre.x, 0.25, 1e-7);
    CHECK_NEAR(link.moments.x + link.moments.y + link.moments.z, 0.06, 1e-7);
    REQUIRE_OK(sn_io_robot_find_joint(robot, "elbow", &at));
    CHECK(sn_io_robot_joint_at(robot, at, &joint));
    CHECK(joint.kind == SN_IO_JOINT_REVOLUTE && joint.parent == 1 && joint.child == 2);
    CHECK(joint.axis.y == 1 && joint.most_force == 100 && joint.mimic == SIZE_MAX);
    CHECK_NEAR(joint.lower, -2, 1e-7);
    CHECK_NEAR(joint.upper, 0.8, 1e-7);
    CHECK_FAILS(sn_io_robot_find_link(robot, "hand", &at), SN_ERROR_NAME);
    CHECK(!sn_io_robot_link_at(robot, 3, &link) && !sn_io_robot_joint_at(robot, 2, &joint));
    CHECK(told[0] == 0);
    sn_io_robot_free(robot);
}

/* Two cubes of 1 kg that a fixed joint holds together, 2 m apart and one of them turned: the second
   moments are those of both and of where they are. */
TEST(links_that_are_fixed_are_one_body) {
    sn_io_robot *robot = make_robot(
        "<robot name='a'><link name='a'>" INERTIAL("1", "0") "</link><link name='b'>" INERTIAL(
            "1",
            "0") "</link>" JOINT("j", "fixed", "a", "b",
                                 "<origin xyz='2 0 0' rpy='0 0 1.5707963267948966'/>") "</robot>");
    sn_io_robot_link link[2];
    for (size_t i = 0; i < 2; i++) CHECK(sn_io_robot_link_at(robot, i, &link[i]));
    CHECK(link[0].body == link[1].body && link[0].mass == 2);
    CHECK_NEAR(link[0].centre.x, 1, 1e-6);
    /* In the frame of the second, which is turned by a quarter, the centre is at y = 1. */
    CHECK_NEAR(link[1].centre.x, 0, 1e-6);
    CHECK_NEAR(link[1].centre.y, 1, 1e-6);
    sn_vec3 m = link[0].moments;
    double sum = (double)m.x + (double)m.y + (double)m.z;
    /* xx: 0.01 + 0.02, yy: 0.02 + 0.01 + 2, zz: 0.06 + 2 */
    CHECK_NEAR(fmin((double)m.x, fmin((double)m.y, (double)m.z)), 0.03, 1e-6);
    CHECK_NEAR(fmax((double)m.x, fmax((double)m.y, (double)m.z)), 2.06, 1e-6);
    CHECK_NEAR(sum, 4.12, 1e-6);
    sn_io_robot_free(robot);
}

/* A tensor that is not along its axes has the same invariants as its principal moments. */
TEST(moments_are_principal) {
    sn_io_robot *robot = make_robot(
        "<robot name='a'><link name='a'><inertial><mass value='1'/><inertia ixx='0.5' iyy='0.7' "
        "izz='0.9' ixy='0.1' ixz='-0.05' iyz='0.2'/></inertial></link></robot>");
    sn_io_robot_link link;
    CHECK(sn_io_robot_link_at(robot, 0, &link));
    double a = (double)link.moments.x, b = (double)link.moments.y, c = (double)link.moments.z;
    CHECK_NEAR(a + b + c, 2.1, 1e-6);
    CHECK_NEAR(a * b + b * c + c * a, 0.5 * 0.7 + 0.7 * 0.9 + 0.9 * 0.5 - 0.01 - 0.0025 - 0.04,
               1e-6);
    CHECK_NEAR(a * b * c,
               0.5 * (0.7 * 0.9 - 0.04) - 0.1 * (0.1 * 0.9 + 0.2 * 0.05) -
                   0.05 * (0.1 * 0.2 + 0.7 * 0.05),
               1e-6);
    sn_io_robot_free(robot);
}

/* ---- Places ---- */

/* In the file x is forward and z up: turns about y go down. */
TEST(links_are_where_joints_put_them) {
    sn_io_robot *robot = make_robot(ARM);
    sn_io_robot_place place = sn_io_robot_place_default();
    const sn_real joints[2] = {(sn_real)-0.7, (sn_real)0.4};
    sn_vec3 x[3];
    sn_quat q[3];
    place.position = (sn_vec3){1, 0, 2};
    place.joints = joints;
    REQUIRE_OK(sn_io_robot_pose(robot, &place, x, q));
    CHECK_NEAR(x[1].y, 1, 1e-6);
    CHECK_NEAR(x[2].x, 1 + 0.5 * cos(0.7), 1e-6);
    CHECK_NEAR(x[2].y, 1 + 0.5 * sin(0.7), 1e-6);
    CHECK_NEAR(x[2].z, 2, 1e-6);
    /* The last link points 0.3 rad up. */
    CHECK_NEAR(1 - 2 * ((double)q[2].y * (double)q[2].y + (double)q[2].z * (double)q[2].z),
               cos(0.3), 1e-6);
    /* Nodes are at centres of mass then, and stay there where servos hold them. */
    const bool servos[2] = {true, true};
    sn_world *world = make_world(20);
    sn_io_robot_parts parts;
    sn_node_def def;
    place.servos = servos;
    REQUIRE_OK(sn_io_robot_create(world, robot, &place, &parts));
    /* Exactly at first; then within what one sweep of a substep leaves of the weight, 0.2 mm. */
    for (int step = 0; step < 60; step++) {
        double tolerance = step == 0 ? 1e-6 : 4e-4;
        REQUIRE_OK(sn_node_get(world, parts.nodes[2], &def));
        CHECK_NEAR(def.position.x, 1 + 0.5 * cos(0.7) + 0.2 * cos(0.3), tolerance);
        CHECK_NEAR(def.position.y, 1 + 0.5 * sin(0.7) + 0.2 * sin(0.3), tolerance);
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    }
    /* Joints outside of their limits are refused, and nothing is made. */
    const sn_real beyond[2] = {0, 1};
    place.joints = beyond;
    size_t count = sn_world_constraint_count(world, SN_TYPE_COUNT);
    sn_io_robot_parts none;
    CHECK_FAILS(sn_io_robot_create(world, robot, &place, &none), SN_ERROR_VALUE);
    CHECK(sn_world_constraint_count(world, SN_TYPE_COUNT) == count);
    sn_io_robot_parts_free(&parts);
    sn_world_destroy(world);
    sn_io_robot_free(robot);
}

/* ---- Motion ---- */

/* What servos give is the torque of gravity: sum of m g x over what hangs on the joint. */
TEST(servos_carry_the_weight) {
    sn_io_robot *robot = make_robot(ARM);
    sn_io_robot_place place = sn_io_robot_place_default();
    const sn_real joints[2] = {(sn_real)0.3, (sn_real)-0.8};
    const bool servos[2] = {true, true};
    sn_world *world = make_world(20);
    sn_io_robot_parts parts;
    place.joints = joints;
    place.servos = servos;
    REQUIRE_OK(sn_io_robot_create(world, robot, &place, &parts));
    for (int i = 0; i < 120; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    const double g = 9.81, fore = 0.2 * cos(0.3 - 0.8), elbow = 0.5 * cos(0.3);
    double expected[2] = {g * (2 * 0.25 * cos(0.3) + 1 * (elbow + fore)), g * fore};
    for (int i = 0; i < 2; i++) {
        sn_real force[SN_MAX_ROWS];
        check_case("joint %d", i);
        REQUIRE_OK(sn_constraint_force(world, parts.servos[i], force));
        /* A turn about y goes down, so the servo holds against it. */
        CHECK_REL(-(double)force[0], expected[i], 1e-3);
    }
    sn_io_robot_parts_free(&parts);
    sn_world_destroy(world);
    sn_io_robot_free(robot);
}

/* The angle of a link about y of the file, which is -z of the world. */
static double angle_of(const sn_world *world, sn_node node, sn_quat start) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    /* conj(start) q, about its own axes; principal axes of the link are those of the file. */
    sn_quat p = start, q = def.orientation;
    double x = (double)(p.w * q.x - p.x * q.w - p.y * q.z + p.z * q.y);
    double y = (double)(p.w * q.y + p.x * q.z - p.y * q.w - p.z * q.x);
    double z = (double)(p.w * q.z - p.x * q.y + p.y * q.x - p.z * q.w);
    double w = (double)(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z);
    double size = sqrt(x * x + y * y + z * z);
    double angle = 2 * atan2(size, fabs(w));
    return (y * (w < 0 ? -1 : 1) < 0 ? -1 : 1) * angle;
}

/* An arm that falls stops at its limits, both of them. */
TEST(limits_hold) {
    sn_io_robot *robot = make_robot(ARM);
    sn_io_robot_place place = sn_io_robot_place_default();
    sn_world *world = make_world(30);
    sn_io_robot_parts parts;
    sn_node_def def;
    sn_quat start[2];
    double most[2] = {0, 0}, last[2] = {0, 0};
    REQUIRE_OK(sn_io_robot_create(world, robot, &place, &parts));
    for (int i = 0; i < 2; i++) {
        REQUIRE_OK(sn_node_get(world, parts.nodes[i + 1], &def));
        start[i] = def.orientation;
    }
    for (int step = 0; step < 300; step++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        double shoulder = angle_of(world, parts.nodes[1], start[0]);
        double elbow = angle_of(world, parts.nodes[2], start[1]) - shoulder;
        last[0] = shoulder, last[1] = elbow;
        most[0] = fmax(most[0], shoulder);
        most[1] = fmax(most[1], elbow);
    }
    /* It rests on the first limit; the second link hangs as far as its own lets it. */
    CHECK(most[0] < 1 + 0.01 && most[1] < 0.8 + 0.01);
    CHECK_NEAR(last[0], 1, 2e-3);
    CHECK_NEAR(last[0] + last[1], 1.5707963, 0.3);
    sn_real force[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_force(world, parts.upper[0], force));
    CHECK(force[0] < -1);
    sn_io_robot_parts_free(&parts);
    sn_world_destroy(world);
    sn_io_robot_free(robot);
}

/* A drawer falls along its axis until its limit, with the friction of the file: g - friction / m */
TEST(sliders_slide_and_rub) {
    sn_io_robot *robot = make_robot(
        "<robot name='a'><link name='a'/><link name='b'>" INERTIAL("2", "0") "</link>" JOINT(
            "j", "prismatic", "a", "b",
            "<axis xyz='0 0 -1'/>" LIMIT("0", "0.7") "<dynamics friction='5'/>") "</robot>");
    sn_io_robot_place place = sn_io_robot_place_default();
    sn_world *world = make_world(20);
    sn_io_robot_parts parts;
    sn_node_def def;
    REQUIRE_OK(sn_io_robot_create(world, robot, &place, &parts));
    for (int i = 0; i < 15; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    REQUIRE_OK(sn_node_get(world, parts.nodes[1], &def));
    CHECK_REL(-(double)def.position.y, 0.5 * (9.81 - 5 / 2.0) * 0.25 * 0.25, 0.01);
    for (int i = 0; i < 120; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    REQUIRE_OK(sn_node_get(world, parts.nodes[1], &def));
    CHECK_NEAR(def.position.y, -0.7, 1e-4);
    sn_io_robot_parts_free(&parts);
    sn_world_destroy(world);
    sn_io_robot_free(robot);
}

/* A wheel that turns freely slows down by exp(-damping t / I). */
TEST(damping_slows_a_wheel) {
    sn_io_robot *robot = make_robot("<robot name='a'><link name='a'/><link name='b'>" INERTIAL(
        "2", "0") "</link>" JOINT("j", "continuous", "a", "b",
                                  "<axis xyz='0 0 1'/><dynamics damping='0.03'/>") "</robot>");
    sn_io_robot_place place = sn_io_robot_place_default();
    sn_world *world = make_world(20);
    sn_io_robot_parts parts;
    sn_node_def def;
    REQUIRE_OK(sn_io_robot_create(world, robot, &place, &parts));
    REQUIRE_OK(sn_node_set_angular_velocity(world, parts.nodes[1], (sn_vec3){0, 4, 0}));
    for (int i = 0; i < 60; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    REQUIRE_OK(sn_node_get(world, parts.nodes[1], &def));
    CHECK_REL(def.angular_velocity.y, 4 * exp(-1.0), 0.01);
    sn_io_robot_parts_free(&parts);
    sn_world_destroy(world);
    sn_io_robot_free(robot);
}

/* Fingers that mimic each other, on one hand and one after the other. */
TEST(mimics_are_gears) {
    sn_io_robot *robot =
        make_robot("<robot name='a'><link name='a'/><link name='b'>" INERTIAL(
            "1", "0.1") "</link>"
                        "<link name='c'>" INERTIAL("1", "0.1") "</link><link name='d'>" INERTIAL(
                            "1", "0.1") "</link>" JOINT("b", "continuous", "a", "b",
                                                        "<axis xyz='0 0 1'/>")
                            JOINT("c", "continuous", "a", "c",
                                  "<origin xyz='1 0 0'/><axis xyz='0 0 1'/>"
                                  "<mimic joint='b' multiplier='-2'/>")
                                JOINT("d", "continuous", "b", "d",
                                      "<origin xyz='0.3 0 0'/><axis xyz='0 0 -1'/>"
                                      "<mimic joint='b' multiplier='0.5'/>") "</robot>");
    CHECK(told[0] == 0);
    sn_io_robot_place place = sn_io_robot_place_default();
    const bool servos[3] = {true, false, false};
    place.servos = servos;
    sn_world *world = make_world(40);
    sn_io_robot_parts parts;
    REQUIRE_OK(sn_io_robot_create(world, robot, &place, &parts));
    sn_real speed[3] = {(sn_real)0.5, 0, 0};
    REQUIRE_OK(sn_constraint_set_field(world, parts.servos[0], "speed", speed));
    for (int i = 0; i < 60; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    double angle[3];
    for (int i = 0; i < 3; i++) {
        sn_node_def def;
        REQUIRE_OK(sn_node_get(world, parts.nodes[i + 1], &def));
        angle[i] = (double)def.angular_velocity.y;
    }
    CHECK_NEAR(angle[0], 0.5, 1e-3);
    CHECK_NEAR(angle[1], -1, 2e-3);
    /* The third turns the other way on the first, by half. */
    CHECK_NEAR(angle[2], 0.25, 2e-3);
    sn_io_robot_parts_free(&parts);
    sn_world_destroy(world);
    sn_io_robot_free(robot);
}

/* Shapes touch the floor; a base without a mass stands, one that is free falls. */
TEST(bases_stand_or_fall) {
    sn_io_robot *robot = make_robot("<robot name='a'><link name='a'>" INERTIAL(
        "1", "0") "<collision><geometry><box size='0.2 0.4 "
                  "0.6'/></geometry></collision></link></robot>");
    for (int base = 0; base < 3; base++) {
        sn_io_robot_place place = sn_io_robot_place_default();
        sn_world *world = make_world(20);
        sn_collider_def floor = sn_collider_def_default();
        sn_collider made;
        sn_io_robot_parts parts;
        sn_node_def def;
        check_case("base %d", base);
        place.base = (sn_io_robot_base)base;
        place.position = (sn_vec3){0, 1, 0};
        REQUIRE_OK(sn_collider_create(world, &floor, &made));
        REQUIRE_OK(sn_io_robot_create(world, robot, &place, &parts));
        for (int i = 0; i < 120; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        REQUIRE_OK(sn_node_get(world, parts.nodes[0], &def));
        CHECK_NEAR(def.position.y, base == SN_IO_BASE_FIXED ? 1 : 0.3, 1e-3);
        sn_io_robot_parts_free(&parts);
        sn_world_destroy(world);
    }
    sn_io_robot_free(robot);
}

/* Two boxes that hang beside each other and swing inwards pass through each other, or meet where
   links touch; a box and the link that it hangs on never do. */
TEST(links_touch_where_asked) {
#define BOX                                                                                        \
    "<inertial><origin xyz='0 0 -0.4'/><mass value='1'/><inertia ixx='0.02' iyy='0.02' "           \
    "izz='0.01'/></inertial><collision><origin xyz='0 0 -0.4'/><geometry><box size='0.2 0.2 "      \
    "0.6'/>"                                                                                       \
    "</geometry></collision>"
    sn_io_robot *robot = make_robot(
        "<robot name='a'><link name='a'><collision><geometry><box size='0.8 0.1 0.3'/></geometry>"
        "</collision></link><link name='b'>" BOX "</link><link name='c'>" BOX
        "</link>" JOINT("b", "continuous", "a", "b", "<origin xyz='-0.25 0 0'/><axis xyz='0 1 0'/>")
            JOINT("c", "continuous", "a", "c",
                  "<origin xyz='0.25 0 0'/><axis xyz='0 1 0'/>") "</robot>");
#undef BOX
    for (int self = 0; self < 2; self++) {
        const sn_real joints[2] = {(sn_real)1.2, (sn_real)-1.2};
        sn_io_robot_place place = sn_io_robot_place_default();
        sn_world *world = make_world(20);
        sn_io_robot_parts parts;
        double nearest = 10;
        check_case("self %d", self);
        place.self = self;
        place.joints = joints;
        place.position = (sn_vec3){0, 2, 0};
        REQUIRE_OK(sn_io_robot_create(world, robot, &place, &parts));
        for (int i = 0; i < 60; i++) {
            sn_node_def left, right;
            REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
            REQUIRE_OK(sn_node_get(world, parts.nodes[1], &left));
            REQUIRE_OK(sn_node_get(world, parts.nodes[2], &right));
            nearest = fmin(nearest, (double)right.position.x - (double)left.position.x);
        }
        /* Boxes 0.2 m wide that lean against each other are further apart than that. */
        CHECK(self ? nearest > 0.195 : nearest < 0);
        CHECK(parts.body_count == (self ? 3 : 1));
        sn_io_robot_parts_free(&parts);
        sn_world_destroy(world);
    }
    sn_io_robot_free(robot);
}

/* ---- What is wrong ---- */

TEST(mistakes_have_a_place) {
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"", "test.urdf:1:1: there is no element"},
        {"<robot name='a'>\n  <link name='b'>\n</robot>", "test.urdf:3:1: </robot> closes <link>"},
        {"<robot name='a'>\n<link", "test.urdf:2:1: the tag has no end"},
        {"<robot name='a'><link name='b'/>", "test.urdf:1:1: <robot> is not closed"},
        {"<!DOCTYPE robot><robot name='a'/>", "test.urdf:1:1: a document type"},
        {"<robot name='&lol;'/>", "test.urdf:1:14: the entity \"lol\" is unknown"},
        {"<robot name='&#xD800;'/>", "test.urdf:1:14: the reference names no character"},
        {"<robot name='a' name='b'/>", "test.urdf:1:17: the attribute \"name\" is there twice"},
        {"<robot name=a/>", "test.urdf:1:13: found \"a/>\", expected a value in quotes"},
        {"<robot name='a'b='c'/>", "test.urdf:1:16: found \"b='c'/>\", expected a blank"},
        {"<robot name='a'/><robot/>", "test.urdf:1:18: a second element"},
        {"<sdf version='1'/>", "test.urdf:1:1: found <sdf>, expected <robot>"},
        {"<robot/>", "test.urdf:1:1: <robot> has no attribute \"name\""},
        {"<robot name='a'/>", "test.urdf:1:1: the robot has no <link>"},
        {"<robot name='a'><link name='b'/>\n<link name='b'/></robot>",
         "test.urdf:2:13: a link \"b\" is there already"},
        {"<robot name='a'><link name='b'/><link name='c'/></robot>",
         "test.urdf:1:33: the link \"c\" has no parent, nor has \"b\""},
        {"<robot name='a'><link name='b'><inertial><mass value='1'/></inertial></link></robot>",
         "test.urdf:1:32: <inertial> has no <inertia>"},
        {"<robot name='a'><link name='b'><inertial><mass value='-1'/><inertia ixx='1' iyy='1' "
         "izz='1'/></inertial></link></robot>",
         "test.urdf:1:55: value is -1, expected at least 0"},
        {"<robot name='a'><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
         "izz='0'/></inertial></link></robot>",
         "test.urdf:1:17: the link \"b\" has a principal moment of inertia of 0"},
        {"<robot name='a'><link name='b'><visual><geometry><cone/></geometry></visual></link>"
         "</robot>",
         "test.urdf:1:50: the shape is \"cone\""},
        {"<robot name='a'><link name='b'><visual><geometry><box size='1 2'/></geometry></visual>"
         "</link></robot>",
         "test.urdf:1:61: size is \"1 2\", expected 3 numbers"},
        {"<robot name='a'><link name='b'><visual><geometry><box size='1 2 nan'/></geometry>"
         "</visual></link></robot>",
         "test.urdf:1:61: size is \"1 2 nan\", expected 3 numbers"},
        {"<robot name='a'><link name='b'><visual><geometry><mesh filename='no.stl'/></geometry>"
         "</visual></link></robot>",
         "test.urdf:1:66: there is no file \"no.stl\""},
        {"<robot name='a'><link name='b'/><link name='c'/>" JOINT("j", "hinge", "b", "c",
                                                                  "") "</robot>",
         "test.urdf:1:71: the type is \"hinge\""},
        {"<robot name='a'><link name='b'/><link name='c'/>" JOINT("j", "fixed", "b", "d",
                                                                  "") "</robot>",
         "test.urdf:1:109: there is no link \"d\""},
        {"<robot name='a'><link name='b'/><link name='c'/>" JOINT("j", "revolute", "b", "c",
                                                                  "") "</robot>",
         "test.urdf:1:49: <joint> has no <limit>"},
        {"<robot name='a'><link name='b'/><link name='c'/>" JOINT("j", "continuous", "b", "c",
                                                                  "") "</robot>",
         "test.urdf:1:33: the link \"c\" moves and has no mass"},
        {"<robot name='a'><link name='b'/><link name='c'/>" JOINT("j", "fixed", "b", "c", "")
             JOINT("k", "fixed", "c", "b", "") "</robot>",
         "test.urdf:1:17: every link is the child of a joint"},
        {"<robot name='a'><link name='r'/><link name='b'/><link name='c'/>" JOINT(
             "j", "fixed", "b", "c", "") JOINT("k", "fixed", "c", "b", "") "</robot>",
         "test.urdf:1:33: the link \"b\" is its own parent"},
        {"<robot name='a'><link name='b'/><link name='c'/>" JOINT("j", "continuous", "b", "c",
                                                                  "<axis xyz='0 0 0'/>") "</robot>",
         "the axis has no direction"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sn_io_robot *robot = NULL;
        check_case("%s", rows[i].text);
        CHECK(try_robot(rows[i].text, &robot) != SN_OK && !robot);
        if (!CHECK(strstr(sn_last_error(), rows[i].sentence)))
            printf("    said: %s\n    expected: %s\n", sn_last_error(), rows[i].sentence);
        sn_io_robot_free(robot);
    }
}

/* A tree that is too deep, too wide a tag, and a name of every length are read within bounds. */
TEST(hostile_text_is_refused) {
    enum { SIZE = 1 << 18 };
    char *text = malloc(SIZE);
    xml_document d;
    if (!CHECK(text != NULL)) return;
    for (size_t i = 0; i < SIZE; i += 3) memcpy(text + i, "<a>", i + 3 <= SIZE ? 3 : 1);
    CHECK_FAILS(sn_xml_parse("x", text, SIZE, &d), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "more than 64 deep"));
    size_t used = (size_t)snprintf(text, SIZE, "<a");
    for (int i = 0; i < 300; i++) used += (size_t)snprintf(text + used, SIZE - used, " a%d=''", i);
    CHECK_FAILS(sn_xml_parse("x", text, used, &d), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "more than 256 attributes"));
    memset(text, 'a', SIZE);
    memcpy(text, "<", 1);
    CHECK_FAILS(sn_xml_parse("x", text, SIZE, &d), SN_ERROR_DATA);
    memset(text, '&', SIZE);
    memcpy(text, "<a b='", 6);
    CHECK_FAILS(sn_xml_parse("x", text, SIZE, &d), SN_ERROR_DATA);
    free(text);
}

TEST(what_is_left_out_is_told) {
    sn_io_robot *robot =
        make_robot("<robot name='a'><link name='a'/><link name='b'>" INERTIAL(
            "1",
            "0") "</link>"
                 "<link name='c'>" INERTIAL("1", "0") "</link>\n" JOINT("b", "revolute", "a", "b",
                                                                        LIMIT("-4", "1"))
                       JOINT("c", "prismatic", "a", "c",
                             LIMIT("0", "1") "<mimic joint='b'/>") "<transmission/><transmission/"
                                                                   "><gazebo/></robot>");
    sn_io_robot_joint joint;
    CHECK(strstr(told, "a limit beyond half a turn (-4 to 1 rad) is left out"));
    CHECK(strstr(told, "mimics \"b\" as no gear can"));
    CHECK(strstr(told, "<gazebo> is left out"));
    const char *first = strstr(told, "<transmission> is left out");
    CHECK(first && !strstr(first + 1, "<transmission>"));
    CHECK(sn_io_robot_joint_at(robot, 0, &joint) && joint.lower == SN_AUTO && joint.upper == 1);
    CHECK(sn_io_robot_joint_at(robot, 1, &joint) && joint.mimic == SIZE_MAX);
    sn_io_robot_free(robot);
    CHECK_FAILS(sn_io_robot_read(NULL, NULL, &robot), SN_ERROR_NULL);
    CHECK_FAILS(sn_io_robot_read("no.urdf", NULL, &robot), SN_ERROR_FILE);
}

/* ---- Meshes and scenes ---- */

/* Files of these tests are in a folder of their own. */
#define FOLDER "robot_scratch/"
static void write_file(const char *path, const char *text) {
    REQUIRE_OK(sn_io_folder_make("robot_scratch"));
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL)) return;
    fputs(text, file);
    CHECK(fclose(file) == 0);
}

static const char wedge[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
static const char meshed[] = "<robot name='a'><link name='a'>" INERTIAL(
    "1", "0") "<visual><geometry><mesh filename='robot_look.dae'/></geometry></visual>"
              "<collision><geometry><mesh filename='package://a/robot_wedge.obj' scale='2 1 "
              "1'/></geometry>"
              "</collision></link></robot>";

TEST(meshes_become_hulls) {
    sn_io_robot *robot = NULL;
    sn_io_robot_parts parts;
    sn_io_robot_def def = sn_io_robot_def_default();
    sn_io_robot_place place = sn_io_robot_place_default();
    sn_collider_def shape = sn_collider_def_default();
    write_file(FOLDER "robot_wedge.obj", wedge);
    write_file(FOLDER "robot_look.dae", "<COLLADA/>");
    write_file(FOLDER "robot_test.urdf", meshed);
    def.log = listen;
    told[0] = 0;
    REQUIRE_OK(sn_io_robot_read(FOLDER "robot_test.urdf", &def, &robot));
    CHECK(strstr(told, "the format of \"robot_look.dae\" is not read"));
    sn_world *world = make_world(10);
    REQUIRE_OK(sn_io_robot_create(world, robot, &place, &parts));
    CHECK(parts.collider_count == 1);
    REQUIRE_OK(sn_collider_get(world, parts.colliders[0], &shape));
    CHECK(shape.shape == SN_SHAPE_HULL && shape.geometry.vertex_count == 4);
    double most = 0;
    for (size_t i = 0; i < 4; i++) most = fmax(most, (double)shape.geometry.vertices[i].x);
    CHECK_NEAR(most, 2, 1e-6);
    sn_io_robot_parts_free(&parts);
    sn_world_destroy(world);
    sn_io_robot_free(robot);
}

TEST(scenes_have_robots) {
    write_file(FOLDER "robot_test.urdf", ARM);
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"substeps\": 20}, \"robots\": [{\"name\": \"left\", "
        "\"path\": \"robot_scratch/robot_test.urdf\", \"hold\": true, \"joints\": [{\"name\": "
        "\"shoulder\", "
        "\"start\": -0.5, \"target\": \"=-0.5 + 0.5 * t\"}]}, {\"name\": \"right\", \"path\": "
        "\"robot_scratch/robot_test.urdf\", \"position\": [0, 0, 2]}], \"constraints\": "
        "[{\"type\": "
        "\"distance_joint\", \"nodes\": [\"left fore\", \"right fore\"]}], \"measure\": "
        "[{\"name\": "
        "\"servo\", \"constraint\": \"left shoulder servo\", \"quantity\": \"force\"}, {\"name\": "
        "\"tip\", \"nodes\": \"left fore\"}]}");
    scene_run_frames(scene, 60);
    /* After a second the target of the shoulder has come to 0. */
    CHECK_NEAR(scene_column_value(scene, "tip x [m]"), 0.7, 0.01);
    CHECK(fabs(scene_column_value(scene, "servo [N]")) > 0.1);
    sn_scene_close(scene);
}

TEST(scenes_say_what_is_wrong_with_robots) {
    static const struct {
        const char *robot, *sentence;
    } rows[] = {
        {"\"path\": \"no.urdf\"", "no.urdf"},
        {"\"path\": \"/etc/hostname\"", "outside the folder of the scene"},
        {"\"path\": \"robot_scratch/robot_test.urdf\", \"joints\": [{\"name\": \"hip\"}]",
         "no joint \"hip\""},
        {"\"path\": \"robot_scratch/robot_test.urdf\", \"joints\": [{\"name\": \"elbow\", "
         "\"start\": 1}]",
         "expected -2 to 0.8"},
        {"\"path\": \"robot_scratch/robot_test.urdf\", \"joints\": [{\"name\": \"elbow\", "
         "\"target\": 0, "
         "\"speed\": 1}]",
         "has a target and a speed"},
        {"\"path\": \"robot_scratch/robot_test.urdf\", \"base\": \"free\"",
         "its base is free and has no mass"},
        {"\"path\": \"robot_scratch/robot_bad.urdf\"", "robot_bad.urdf:1:1: found <x>"},
    };
    write_file(FOLDER "robot_test.urdf", ARM);
    write_file(FOLDER "robot_bad.urdf", "<x/>");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        sn_scene *scene = NULL;
        snprintf(text, sizeof text, "{\"version\": 1, \"robots\": [{%s}]}", rows[i].robot);
        check_case("%s", rows[i].robot);
        CHECK_FAILS(scene_try(text, NULL, &scene), SN_ERROR_DATA);
        if (!CHECK(strstr(sn_last_error(), rows[i].sentence)))
            printf("    said: %s\n", sn_last_error());
        sn_scene_close(scene);
    }
    /* Names of two robots differ by those that the scene gives them. */
    sn_scene *scene = NULL;
    CHECK_FAILS(
        scene_try("{\"version\": 1, \"robots\": [{\"path\": \"robot_scratch/robot_test.urdf\"}, "
                  "{\"path\": \"robot_scratch/robot_test.urdf\"}]}",
                  NULL, &scene),
        SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "something called \"base\" is there already"));
}

/* A file alone is a scene. */
TEST(a_robot_alone_is_a_scene) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    sn_io_frame frame;
    def.path = SCENES "/arm.urdf";
    REQUIRE_OK(sn_scene_open(&def, &scene));
    scene_run_frames(scene, 10);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    /* The nodes, and what is seen of each link. */
    CHECK(frame.shape_count == 9);
    size_t moving = 0;
    for (size_t i = 0; i < frame.shape_count; i++) {
        const sn_io_shape *s = &frame.shapes[i];
        if (!s->pose) continue;
        moving += strcmp(s->name, "base") != 0;
        CHECK(s->triangle_count > 0);
    }
    CHECK(moving == 7);
    sn_scene_close(scene);
}

TESTS(RUN(a_description_is_read), RUN(links_that_are_fixed_are_one_body),
      RUN(moments_are_principal), RUN(links_are_where_joints_put_them),
      RUN(servos_carry_the_weight), RUN(limits_hold), RUN(sliders_slide_and_rub),
      RUN(damping_slows_a_wheel), RUN(mimics_are_gears), RUN(bases_stand_or_fall),
      RUN(links_touch_where_asked), RUN(mistakes_have_a_place), RUN(hostile_text_is_refused),
      RUN(what_is_left_out_is_told), RUN(meshes_become_hulls), RUN(scenes_have_robots),
      RUN(scenes_say_what_is_wrong_with_robots), RUN(a_robot_alone_is_a_scene))
