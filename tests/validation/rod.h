/*
 * A straight Cosserat rod along +x: node i is oriented and has the frame of the segment from node i
 * to node i + 1, the last node is a particle.
 *
 *     wall |--- 0 --------- 1 --------- 2 ... N        joints at 1, 2, ..., each for a length l
 *          ^ joint for l / 2
 *
 * A frame belongs to the middle of its segment. So between two frames lies a length l of rod, but
 * between the wall and the first frame only l / 2: the clamp is a fixed frame at the wall and a
 * joint of half the length, with node 0 held in place and free to turn. Holding frame 0 itself
 * would clamp the rod at the middle of its first segment, which is an error of the order of l / L.
 * With the half joint the error is of the order of (l / L)^2.
 */
#ifndef SINEW_TESTS_ROD_H
#define SINEW_TESTS_ROD_H

#include "frame.h"

enum { ROD_MOST_SEGMENTS = 100 };

typedef struct rod_def {
    int segments;
    double length;                /* m */
    double mass;                  /* kg, half of a segment's at each of its ends */
    double inertia;               /* kg m^2, of all segments together, about any axis */
    double bend_stiffness;        /* N m^2 */
    double twist_stiffness;       /* N m^2 */
    double curvature, rest_twist; /* 1/m, of the rod at rest, about the x axis of its frames */
    bool clamped;                 /* at the origin */
} rod_def;

typedef struct rod {
    sn_world *world;
    int segments;
    double spacing; /* m */
    sn_node wall;   /* null if not clamped */
    sn_node node[ROD_MOST_SEGMENTS + 1];
} rod;

rod_def rod_def_default(void);
rod make_rod(sn_settings settings, const rod_def *def);

/* The direction of +x for the z axis of a frame. */
quat rod_direction(void);

/* Momentum and angular momentum about the origin, with that of the frames. */
typedef struct rod_motion {
    vec momentum, angular_momentum;
} rod_motion;

rod_motion rod_motion_of(const rod *r);

#endif
