/* Joints, rigid bodies, and both with cloth, for the golden scenes. */
#ifndef SINEW_TESTS_GOLDEN_MACHINES_H
#define SINEW_TESTS_GOLDEN_MACHINES_H

#include <sinew/sinew.h>

/* For every type that joins oriented nodes, found by its list of fields, a chain of so many of them
   that hangs by its first node; every fifth joint is soft, every seventh drive a motor, and a few
   are weak. */
void golden_joints_add(sn_world *world, int length);

/* Boxes, balls, capsules, cylinders and hulls in layers over a floor, that fall on each other. */
void golden_rigid_add(sn_world *world, int columns, int layers, sn_real height);

#endif
