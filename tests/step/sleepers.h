/* Worlds with a floor on which bodies come to rest, for the tests of sleeping. */
#ifndef SINEW_TESTS_STEP_SLEEPERS_H
#define SINEW_TESTS_STEP_SLEEPERS_H

#include "check.h"

#include <sinew/sinew.h>

#define STEP ((sn_real)(1.0 / 60))

/* The default ones, with a sleep time of half a second. */
sn_settings sleepy_settings(void);
sn_world *sleepy_world(sn_settings settings, int threads, int width);

/* A plane at y = 0. */
sn_collider add_floor(sn_world *world);

/* Bodies a little above the floor at x: a rope along z, a cloth of n by n cells, a cube of four, a
   rod along z, and a single ball. `nodes` may be null. */
sn_body drop_rope(sn_world *world, double x, double y, sn_node *nodes);
sn_body drop_cloth(sn_world *world, double x, double y, uint32_t n);
sn_body drop_cube(sn_world *world, double x, double y);
sn_body drop_rod(sn_world *world, double x, double y, sn_node *nodes);
sn_body drop_ball(sn_world *world, double x, double y, sn_node *node);
enum { ROPE_NODES = 21 };

/* A distance constraint that holds two nodes where they are. */
sn_constraint tie(sn_world *world, sn_node a, sn_node b);

void advance(sn_world *world, int steps);
/* s, until the body sleeps; `most` if it does not. */
double seconds_until_asleep(sn_world *world, sn_body body, double most);
/* Until all bodies sleep; fails after 20 s. */
void let_all_sleep(sn_world *world);

size_t count_asleep(const sn_world *world);
double fastest(const sn_world *world);

#endif
