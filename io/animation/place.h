/* Where the vertices of a rigid body are. All who place them do it by this
   function, and have the same bits. */
#ifndef SN_IO_ANIMATION_PLACE_H
#define SN_IO_ANIMATION_PLACE_H

#include <sinew_io/frame.h>

/* Fills in the positions (m) and velocities (m/s) of the vertices; velocities may be null. */
void sn_io_place(const sn_io_pose *pose, const sn_io_rigid *rigid, sn_vec3 *positions,
                 sn_vec3 *velocities);

#endif
