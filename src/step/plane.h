/*
 * Worlds with two dimensions (Mueller et al. 2007, section 3: points are vectors of two numbers or
 * of three). All is computed with three; what leads out of the plane is taken back after every
 * iteration, so that those after it see what they left undone, and at the end of a substep.
 */
#ifndef SN_STEP_PLANE_H
#define SN_STEP_PLANE_H

#include "state/step_context.h"

bool sn_plane_is_needed(const sn_world *world);
void sn_plane_keep_torques(sn_step *step);
void sn_plane_keep_positions(sn_step *step);
void sn_plane_keep_velocities(sn_step *step);

#endif
