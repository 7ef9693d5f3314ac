/* Sums over the world: energies, momenta, residuals, and the fingerprint of the state. */
#ifndef SN_STATE_MEASURE_H
#define SN_STATE_MEASURE_H

#include "state/world.h"

sn_measure sn_world_take_measure(const sn_world *world);
/* Adds what nodes and frames have to that of their bodies (slot + 1; 0: those without one). */
void sn_world_measure_motion(const sn_world *world, sn_measure *of_body);
uint64_t sn_world_fingerprint(const sn_world *world);

#endif
