/* What scenes may say of robots. */
#include "io/scene/scene_rows.h"

static const scene_field joint_fields[] = {
    FIELD(TEXT, "name", scene_robot_joint_part, name, NULL, "of the joint in the file"),
    REAL_OR_AUTO("start", scene_robot_joint_part, start, "rad or m", -MAX, MAX, "\"auto\"",
                 "where it is at the beginning; automatic: 0, or where limits are nearest to it"),
    ROW(SCENE_REAL, "target", scene_robot_joint_part, target, "rad or m", -MAX, MAX, "none",
        "gives it a servo, which brings it there: an angle or a length of the file", false, true),
    ROW(SCENE_REAL, "speed", scene_robot_joint_part, speed, "rad/s or m/s", -MAX, MAX, "none",
        "gives it a motor with this speed instead", false, true),
    ROW(SCENE_REAL, "most_force", scene_robot_joint_part, most_force, "N m or N", 0, MAX,
        "\"auto\"", "of the servo or motor; automatic: what the file says, or any", true, true),
    ROW(SCENE_REAL, "compliance", scene_robot_joint_part, compliance, "rad/(N m) or m/N", 0, MAX,
        "0", "of the servo: how far it gives way", false, true),
    ROW(SCENE_REAL, "damping", scene_robot_joint_part, damping, "N m s/rad or N s/m", 0, MAX, "0",
        "of a servo with a compliance", false, true)};
const scene_object sn_scene_robot_joint_object =
    PLAIN("robot joint", "where a joint of a robot begins and what moves it", joint_fields);

static const scene_field robot_fields[] = {
    FIELD(TEXT, "path", scene_robot_part, path, NULL,
          "of a URDF file, from the folder of the scene, see docs/robots.md"),
    FIELD(TEXT, "name", scene_robot_part, name, "\"\"",
          "before the names of its links, joints and drives, with a space between; so \"arm\" has "
          "\"arm hand\""),
    VEC3("position", scene_robot_part, place.position, "m", -MAX, MAX, "[0, 0, 0]",
         "of its first link"),
    FIELD(ROTATION, "rotation", scene_robot_part, place.orientation, "[0, 0, 0, 1]",
          "of its first link, after `up`"),
    CHOICE("up", scene_robot_part, up, "y|z|x", "\"z\"", "which axis of the file points up"),
    CHOICE("base", scene_robot_part, base, "auto|fixed|free", "\"auto\"",
           "whether its first link stays where it is; automatic: where it has no mass"),
    PART(LIST, "joints", scene_robot_part, joints, &sn_scene_robot_joint_object, "[]",
         "where joints begin, and what moves them"),
    FIELD(BOOL, "hold", scene_robot_part, hold, "false",
          "every joint has a servo, which holds it where it begins"),
    FIELD(BOOL, "self", scene_robot_part, place.self, "false",
          "its links touch each other, where no joint joins them"),
    REAL("static_friction", scene_robot_part, place.static_friction, "1", 0, MAX, "0.5",
         "of its shapes"),
    REAL("dynamic_friction", scene_robot_part, place.dynamic_friction, "1", 0, MAX, "0.4",
         "of its shapes, at most the static one; not given: 0.4, or that where it is less"),
    REAL("restitution", scene_robot_part, place.restitution, "1", 0, 1, "0", "of its shapes"),
    INT("group", scene_robot_part, group, "", 0, 2147483647, "0", "of its nodes"),
    GROUPS(scene_robot_part, "the groups of nodes that its shapes touch, 0 to 31")};
const scene_object sn_scene_robot_object = PLAIN("robot", "a robot from a file", robot_fields);
