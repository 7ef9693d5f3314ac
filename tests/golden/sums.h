/*
 * A golden scene of fast sums and of volumes that are kept where they move: a block of a lattice, a
 * box that is a surface in rings, and balloons that fall on a floor.
 */
#ifndef SINEW_TESTS_GOLDEN_SUMS_H
#define SINEW_TESTS_GOLDEN_SUMS_H

#include <sinew/sinew.h>

void golden_sums_add(sn_world *world);

#endif
