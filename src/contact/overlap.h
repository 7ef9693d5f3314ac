/* How deep the elements of skins that touched are in each other. */
#ifndef SN_CONTACT_OVERLAP_H
#define SN_CONTACT_OVERLAP_H

#include "world/world.h"

/* Between steps, as sn_touch_depths; adds to what is there. */
size_t sn_overlap_of_skins(const sn_world *world, double *deepest);

#endif
