/*
 * A robot as it was read: links, joints and shapes, and the rigid bodies that links are.
 *
 *   pose of a link     = pose of its parent  origin of its joint  motion of its joint
 *   pose of a body     = that of its first link; links that are fixed to it have places in it
 */
#ifndef SN_IO_ROBOT_ROBOT_H
#define SN_IO_ROBOT_ROBOT_H

#include "io/scene/point.h"
#include "io/text/text.h"

#include <sinew_io/robot.h>

#define SN_ROBOT_NONE SIZE_MAX

/* A frame in another one: turned, and then moved. */
typedef struct robot_frame {
    sn_io_point at;
    double turn[4]; /* x, y, z, w */
} robot_frame;

typedef enum robot_shape {
    ROBOT_BOX,
    ROBOT_SPHERE,
    ROBOT_CYLINDER,
    ROBOT_CAPSULE,
    ROBOT_MESH
} robot_shape;

/* A shape on a link, to be seen or to be touched. */
typedef struct robot_geometry {
    size_t link;
    bool visual;
    robot_shape shape;
    double size[3];     /* m: the sides of a box; radius and length of others */
    robot_frame origin; /* in the frame of the link */
    sn_mesh mesh;       /* scaled */
    bool coloured;
    sn_vec3 colour;
} robot_geometry;

/* Mass and inertia as a file gives them. */
typedef struct robot_inertial {
    bool given;
    double mass;       /* kg */
    robot_frame frame; /* in that of the link, its origin at the centre of mass */
    double tensor[6];  /* kg m^2: xx, yy, zz, xy, xz, yz */
} robot_inertial;

typedef struct robot_link {
    char *name;
    size_t joint; /* that it is the child of, or none */
    size_t body;
    robot_frame in_body;
    robot_inertial inertial;
    const char *at; /* in the text, while it is read */
} robot_link;

typedef struct robot_joint {
    sn_io_robot_joint public;
    char *name;
    robot_frame origin; /* in the frame of the parent link */
    const char *at;
} robot_joint;

typedef struct robot_body {
    size_t link;        /* the first one */
    double mass;        /* kg; 0 where nothing is given */
    sn_io_point centre; /* m, in the frame of the first link */
    double moments[3];  /* kg m^2 */
    double axes[4];     /* from the principal axes to that frame */
} robot_body;

struct sn_io_robot {
    char *name;
    robot_link *links;
    robot_joint *joints;
    robot_geometry *geometries;
    robot_body *bodies;
    size_t *order; /* joints, parents before their children */
    size_t link_count, joint_count, geometry_count, body_count;
    size_t link_capacity, joint_capacity, geometry_capacity;
    size_t root; /* the link that is nobody's child */
};

/* ---- Frames ---- */

static const robot_frame sn_robot_here = {{0, 0, 0}, {0, 0, 0, 1}};

robot_frame sn_robot_compose(const robot_frame *outer, const robot_frame *inner);
robot_frame sn_robot_inverse(const robot_frame *frame);
/* Turned by an angle (rad) about an axis of length 1, or moved along it (m). */
robot_frame sn_robot_turned(sn_io_point axis, double angle);
/* Turned about x, then y, then z, all of them fixed: how URDF says it. */
void sn_robot_turn_rpy(const double rpy[3], double turn[4]);
void sn_robot_turn_multiply(const double a[4], const double b[4], double out[4]);

/* ---- Parts ---- */

/* Where a mesh file is that a description names; SN_ERROR_FILE where there is none. */
typedef sn_result sn_robot_find(void *user, const char *name, char *path, size_t room);

/* The same as sn_io_robot_read with a search of the caller's own (robot_read.c). */
sn_result sn_robot_read_with(const char *path, const sn_io_robot_def *def, sn_robot_find *find,
                             void *user, sn_io_robot **robot);

/* urdf.c: reads a description into an empty robot. */
typedef struct urdf_reading {
    sn_io_robot *robot;
    const sn_io_robot_def *def;
    sn_robot_find *find;
    void *user;
} urdf_reading;
sn_result sn_urdf_read(const char *name, const char *data, size_t size, const urdf_reading *how);

/* robot_tree.c: orders the joints, gathers links into bodies and adds up what they weigh; `text` is
   for messages. */
sn_result sn_robot_link_up(sn_io_robot *robot, const sn_text *text);

/* Where joints are at the beginning, rad or m: what is asked for, or as near to 0 as limits allow;
   `values` has room for all. Fails where a value is not finite or outside of its limits. */
sn_result sn_robot_start(const sn_io_robot *robot, const sn_real *asked, double *values);

/* How a joint follows another by a gear (robot_mimic.c): the body in whose frame both turn, and the
   ratio; false where no gear does it. */
typedef struct robot_gear {
    size_t frame; /* body */
    double ratio;
    sn_io_point axis; /* of the one that is followed, in the frame of the first link of that body */
    sn_io_point axis_2; /* of the one that follows */
} robot_gear;
bool sn_robot_find_gear(const sn_io_robot *robot, size_t joint, robot_gear *gear);

/* Where all links are. */
void sn_robot_place_links(const sn_io_robot *robot, const robot_frame *base, const double *values,
                          robot_frame *links);
robot_frame sn_robot_base(const sn_io_robot_place *place);

/* Whether a place can be one (robot_create.c). */
sn_result sn_robot_check_place(const sn_io_robot_place *place);

/* A shape as a collider, in the frame of its link (robot_shapes.c). */
void sn_robot_collider(const robot_geometry *geometry, sn_collider_def *def);

#endif
