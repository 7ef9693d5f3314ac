/* Worlds with a little of everything, for tests of what is saved and recorded. */
#ifndef SINEW_TESTS_STATE_SAMPLE_WORLDS_H
#define SINEW_TESTS_STATE_SAMPLE_WORLDS_H

#include <sinew/sinew.h>

enum { SAMPLE_WORLDS = 18 };

/* The name of a world, for messages. */
const char *sample_world_name(int number);

/* Adds what the world consists of; `tiny` for tests that go over every byte of it. */
void sample_world_build(sn_world *world, int number, bool tiny);

/* What a program does to the world before the nth step: pushes, targets, additions, removals. It
   depends on the state of the world and on n alone. */
void sample_world_lead(sn_world *world, int number, int step);

#endif
