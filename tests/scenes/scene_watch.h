/* What is seen of a scene from outside: what passes through what, and how fast it is. */
#ifndef SINEW_TESTS_SCENES_SCENE_WATCH_H
#define SINEW_TESTS_SCENES_SCENE_WATCH_H

#include <sinew_io/scene.h>

/* How many pairs of an edge and a triangle of its bodies pass through each other. */
size_t scene_crossings(sn_scene *scene);

/* m/s, of the fastest node; not a number where one is none. */
double scene_fastest(sn_scene *scene);

/* How many times faster a node is than `speed`, m/s, or than `energy`, J, makes it, where that is
   more; the most of all nodes, not a number where one is none. */
double scene_excess(sn_scene *scene, double speed, double energy);

#endif
