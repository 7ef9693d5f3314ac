/* What a world definition leaves to the library. */
#ifndef SN_API_CHOICE_H
#define SN_API_CHOICE_H

#include "state/world.h"

/* Puts what the environment variables SINEW_WIDTH and SINEW_THREADS say where a definition has 0.
   Refuses what is not a number that the field could have. */
sn_result sn_choice_from_environment(sn_world_def *def);

/* The loops for a number of lanes that was checked; 0 means the best here. Fewer where the machine
   has no instructions for so many. */
sn_width sn_choice_of_width(int lanes);

/* How many lanes a width is. */
int sn_choice_lanes(sn_width width);

#endif
