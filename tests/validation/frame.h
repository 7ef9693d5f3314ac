/* Oriented nodes for the validation cases: making them, and reading them in double. */
#ifndef SINEW_TESTS_FRAME_H
#define SINEW_TESTS_FRAME_H

#include "build.h"

typedef struct quat {
    double x, y, z, w;
} quat;

extern const quat unturned;

/* A turn about an axis, of any length above 0, by an angle in rad. */
quat turn(vec axis, double angle);

/* The rotation b, then a. */
quat product(quat a, quat b);
quat conjugate(quat a);
vec rotated(quat q, vec v);

/* The angle in rad, at most pi, of the rotation from a to b. */
double angle_between(quat a, quat b);

sn_quat quaternion(quat q);

/* An oriented node at rest, with a mass in kg and principal moments of inertia in kg m^2; infinite
   ones are allowed. */
sn_node add_frame(sn_world *world, vec position, double mass, quat orientation, vec inertia);

/* A frame that nothing moves and nothing turns. */
sn_node add_fixed_frame(sn_world *world, vec position, quat orientation);

quat orientation_of(const sn_world *world, sn_node node);

/* Angular velocity in rad/s, in the frame of the world and in that of the node. */
vec spin_of(const sn_world *world, sn_node node);
vec own_spin_of(const sn_world *world, sn_node node);

void set_spin(sn_world *world, sn_node node, vec spin);

/* A frame at the origin on a hinge about z, turned by an angle (rad), and a limit at -1/2 that only
   pushes: a type of the user's with a bounded row. */
sn_node add_limited_frame(sn_world *world, double angle, sn_constraint *made);

#endif
