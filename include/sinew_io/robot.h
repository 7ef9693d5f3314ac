/*
 * Robots from URDF files: links become rigid bodies, joints become joints.
 *
 *     sn_io_robot *arm = NULL;
 *     sn_io_robot_read("arm.urdf", NULL, &arm);
 *     sn_io_robot_place place = sn_io_robot_place_default();
 *     sn_io_robot_parts parts;
 *     sn_io_robot_create(world, arm, &place, &parts);
 *     ...
 *     sn_io_robot_parts_free(&parts);
 *     sn_io_robot_free(arm);
 *
 *     of the file          becomes
 *     link, inertial       an oriented node with that mass and those moments of inertia
 *     fixed joint          nothing: its two links are one node
 *     revolute, continuous a hinge_joint; a turn_drive for each limit
 *     prismatic            a slider_joint; a slide_drive for each limit
 *     planar               a planar_joint
 *     floating             nothing: the child is free
 *     dynamics             a drive that damps, and one that rubs
 *     mimic                a gear_joint, between two joints that turn about parallel axes on the
 *                          same parent, or one after the other
 *     collision            a collider that the node carries: box, sphere, cylinder, capsule, and of
 *                          a mesh its convex hull
 *     visual, material     what scenes draw
 *
 * What a file has beyond that is left out, and the log is told so once: transmissions, sensors,
 * extensions, textures, largest speeds, meshes in formats that sn_io_mesh_read does not know, and
 * limits beyond half a turn. What is broken is an error with file, line and column, and nothing was
 * made. A file says x forward and z up; `up` of a place turns it.
 */
#ifndef SINEW_IO_ROBOT_H
#define SINEW_IO_ROBOT_H

#include <sinew/sinew.h>
#include <sinew_io/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading ---- */

/* A robot as its file describes it, to be used through its pointer only. */
typedef struct sn_io_robot sn_io_robot;

/* How a robot is read. Made by sn_io_robot_def_default. */
typedef struct sn_io_robot_def {
    size_t size;      /* set by sn_io_robot_def_default */
    const char *text; /* the description itself; null, the default: it is read from the file */
    size_t length;    /* bytes of text */
    sn_log *log;      /* told of what is left out; null means silence */
    void *log_user;   /* handed to log */
} sn_io_robot_def;

/* A definition with the defaults above. */
SN_API sn_io_robot_def sn_io_robot_def_default(void);

/*
 * Reads a description. A null definition means the default. Mesh files are looked for from the
 * folder of the file; those of a package ("package://name/meshes/arm.stl") in that folder and in
 * the two above it.
 */
SN_API sn_result sn_io_robot_read(const char *path, const sn_io_robot_def *def,
                                  sn_io_robot **robot);

/* Frees it; worlds that have it stay as they are. Null is allowed. */
SN_API void sn_io_robot_free(sn_io_robot *robot);

/* ---- What it is ---- */

/* The name that the file gives it. */
SN_API const char *sn_io_robot_name(const sn_io_robot *robot);
SN_API size_t sn_io_robot_link_count(const sn_io_robot *robot);
SN_API size_t sn_io_robot_joint_count(const sn_io_robot *robot);

/* A link, in the order of the file. */
typedef struct sn_io_robot_link {
    const char *name;
    size_t body;     /* by number: links that fixed joints hold together are one rigid body */
    double mass;     /* kg, of the whole body; 0 where the file gives none */
    sn_vec3 centre;  /* m, of mass of the whole body, in the frame of the link */
    sn_vec3 moments; /* kg m^2, of inertia of the whole body, about its principal axes */
} sn_io_robot_link;

/* The link of a number, from 0; false beyond the last. */
SN_API bool sn_io_robot_link_at(const sn_io_robot *robot, size_t index, sn_io_robot_link *link);

/* What a joint lets its child do. */
typedef enum sn_io_joint_kind {
    SN_IO_JOINT_REVOLUTE = 0,   /* turn about its axis, within limits */
    SN_IO_JOINT_CONTINUOUS = 1, /* turn about its axis */
    SN_IO_JOINT_PRISMATIC = 2,  /* slide along its axis, within limits */
    SN_IO_JOINT_FIXED = 3,      /* nothing */
    SN_IO_JOINT_FLOATING = 4,   /* everything */
    SN_IO_JOINT_PLANAR = 5      /* slide and turn in the plane across its axis */
} sn_io_joint_kind;

/* A joint, in the order of the file. Numbers are in rad, rad/s and N m of joints that turn, in m,
   m/s and N of those that slide. */
typedef struct sn_io_robot_joint {
    const char *name;
    sn_io_joint_kind kind;
    size_t parent, child;   /* links, by number */
    sn_vec3 axis;           /* of length 1, in the frame of the child */
    sn_real lower, upper;   /* limits; SN_AUTO where there is none */
    sn_real most_force;     /* of a motor; SN_AUTO where the file gives none */
    sn_real most_speed;     /* likewise; nothing holds a joint to it */
    sn_real damping;        /* N m s/rad or N s/m */
    sn_real friction;       /* N m or N */
    size_t mimic;           /* the joint that it follows, or SIZE_MAX */
    sn_real factor, offset; /* it is at factor times that one, plus offset */
} sn_io_robot_joint;

/* The joint of a number, from 0; false beyond the last. */
SN_API bool sn_io_robot_joint_at(const sn_io_robot *robot, size_t index, sn_io_robot_joint *joint);

/* Links and joints by name: their numbers, or SN_ERROR_NAME. */
SN_API sn_result sn_io_robot_find_link(const sn_io_robot *robot, const char *name, size_t *index);
SN_API sn_result sn_io_robot_find_joint(const sn_io_robot *robot, const char *name, size_t *index);

/* ---- Making ---- */

/* Whether the first link stays where it is. */
typedef enum sn_io_robot_base {
    SN_IO_BASE_AUTO = 0,  /* where it has no mass, as a link "world" has none */
    SN_IO_BASE_FIXED = 1, /* it does */
    SN_IO_BASE_FREE = 2   /* it does not */
} sn_io_robot_base;

/* Where a robot goes, and how. Made by sn_io_robot_place_default. */
typedef struct sn_io_robot_place {
    size_t size;         /* set by sn_io_robot_place_default */
    sn_vec3 position;    /* m, of the first link */
    sn_quat orientation; /* on top of `up` */
    sn_io_up up;         /* which axis of the file points up; z by default, as the format has it */
    sn_io_robot_base base;
    sn_body_def body; /* gravity, damping and solver of its nodes */
    uint32_t group;   /* of its nodes; default 0 */
    uint32_t mask;    /* groups of nodes that its shapes touch, as in sn_collider_def; all */
    bool self;        /* whether links touch each other that no joint joins; false by default */
    sn_real static_friction, dynamic_friction, restitution; /* 1, as colliders have */
    /* Where joints are at the beginning, by their numbers, rad or m; null: at 0, or where limits
       are nearest to it. Of joints that mimic others and of those without a number nothing counts.
     */
    const sn_real *joints;
    /* Whether joints have a servo, by their numbers: a drive that holds them where they begin, with
       no more than `most_force` of the file. Its `target` is the angle or length of the file. Null:
       none has. */
    const bool *servos;
} sn_io_robot_place;

/* At the origin, with z of the file up. */
SN_API sn_io_robot_place sn_io_robot_place_default(void);

/* What was made, by numbers of links and joints; null ids where there is none. */
typedef struct sn_io_robot_parts {
    size_t link_count, joint_count, collider_count;
    sn_node *nodes;                     /* of links; those of one rigid body have the same */
    sn_constraint *joints;              /* hinges, sliders and planes */
    sn_constraint *servos;              /* drives that were asked for */
    sn_constraint *lower, *upper;       /* drives that are limits */
    sn_constraint *dampers, *frictions; /* drives of the dynamics of a joint */
    sn_constraint *gears;               /* of joints that mimic others */
    sn_collider *colliders;             /* shapes, in the order of the file */
    size_t *collider_links;             /* whose they are */
    sn_body *bodies;                    /* a body for all of it, or with `self` one per node */
    size_t body_count;
} sn_io_robot_parts;

/* Makes the robot in a world, all of it or nothing. Joints are made as the file has them at 0, so
   that angles of drives are those of the file, and then brought to where they begin. */
SN_API sn_result sn_io_robot_create(sn_world *world, const sn_io_robot *robot,
                                    const sn_io_robot_place *place, sn_io_robot_parts *parts);

/* Frees the lists; what was made stays in the world. */
SN_API void sn_io_robot_parts_free(sn_io_robot_parts *parts);

/* Where all links are, by their numbers, when joints are as the place has them: forward kinematics.
   Either array may be null. */
SN_API sn_result sn_io_robot_pose(const sn_io_robot *robot, const sn_io_robot_place *place,
                                  sn_vec3 *positions, sn_quat *orientations);

#ifdef __cplusplus
}
#endif

#endif
