/* How deep the elements of skins that touched are in each other. */
#ifndef SN_CONTACT_SURFACE_SURFACE_PENETRATION_H
#define SN_CONTACT_SURFACE_SURFACE_PENETRATION_H

#include "state/world.h"

/* Between steps, as sn_collider_contact_depths; adds to what is there. */
size_t sn_surface_penetration_deepest(const sn_world *world, double *deepest);

#endif
