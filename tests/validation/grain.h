/* Grains, and round walls that hold them. */
#ifndef TESTS_VALIDATION_GRAIN_H
#define TESTS_VALIDATION_GRAIN_H

#include "check.h"

#include <sinew/sinew.h>

/* A number from 0 to below 1 that looks like chance. */
double grain_noise(uint32_t i);

/* A ball of glass of this radius, m, where the definition has it. What is `glued` stays there, and
   what turns has an orientation. Returns its mass, kg. */
double grain_add(sn_world *world, sn_node_def def, double radius, bool turns, bool glued,
                 sn_node *node);

/* Grains touch each other. */
void grains_touch(sn_world *world, const sn_node *node, size_t count);

/* Planes around the y axis, each as far from it as the radius. */
void grains_add_walls(sn_world *world, int count, double radius, double friction,
                      sn_collider *wall);

#endif
