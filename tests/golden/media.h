/* What fills space and changes, for the golden scenes: wax that melts and freezes, and air between
   bodies. */
#ifndef SINEW_TESTS_GOLDEN_MEDIA_H
#define SINEW_TESTS_GOLDEN_MEDIA_H

#include <sinew/sinew.h>

/* A block of wax over a floor, of side^3 particles, that is hot on one side and melts there; on the
   other it has melted and freezes. What it carries besides makes it heavier. Its bonds and values
   come after it. */
sn_diffusion golden_wax_add(sn_world *world, int side);

/* Three blocks of side^3 particles that flow around in a periodic world between two walls: one with
   surface tension, one with all that is done to vorticity, iterations that differ and sizes that
   adapt, which is returned, and wet grains. */
sn_fluid golden_liquids_add(sn_world *world, int side);

/* Two sheets of side^2 nodes with air between them, the upper one through the lower in the middle,
   and both on their way into each other. */
sn_air_mesh golden_air_add(sn_world *world, int side);

#endif
