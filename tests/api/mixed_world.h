/*
 * A world with something of everything: a cloth of distances with bending, tetrahedra, a rod,
 * pinned and soft and breakable constraints, a damped body, a force field and forces.
 */
#ifndef SINEW_TESTS_API_MIXED_WORLD_H
#define SINEW_TESTS_API_MIXED_WORLD_H

#include <sinew/sinew.h>

/* Nodes along a side of the cloth: few, or so many that threads share the work. */
#define SCENE_SMALL 12
#define SCENE_LARGE 72
#define SCENE_MAX_NODES (SCENE_LARGE * SCENE_LARGE)
#define SCENE_ROD 8

typedef struct scene {
    sn_world *world;
    sn_body body;
    int side;
    int nodes;
    sn_node node[SCENE_MAX_NODES];
    sn_node rod[SCENE_ROD];
} scene;

/* Makes the world, or returns the first result that is not SN_OK and leaves it for the caller to
   destroy. */
sn_result scene_make(scene *s, const sn_world_def *def, int side);

/* One step, with a force on one of the last nodes and a torque on the rod. */
sn_result scene_step(scene *s, double dt);

#endif
