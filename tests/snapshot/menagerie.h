/* Worlds with a little of everything, for tests of what is saved and recorded. */
#ifndef SINEW_TESTS_MENAGERIE_H
#define SINEW_TESTS_MENAGERIE_H

#include <sinew/sinew.h>

enum { MENAGERIE_WORLDS = 11 };

/* The name of a world, for messages. */
const char *menagerie_name(int number);

/* Adds what the world consists of; `tiny` for tests that go over every byte of it. */
void menagerie_build(sn_world *world, int number, bool tiny);

/* What a program does to the world before the nth step: pushes, targets, additions, removals. It
   depends on the state of the world and on n alone. */
void menagerie_lead(sn_world *world, int number, int step);

#endif
