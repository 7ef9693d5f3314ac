/* Ellipsoids from mean squares. */
#ifndef SN_GEOMETRY_VOLUME_FIT_ELLIPSOIDS_H
#define SN_GEOMETRY_VOLUME_FIT_ELLIPSOIDS_H

#include <sinew/base.h>

/* The ellipsoid on whose surface the mean squares are xx, yy, zz, yz, zx, xy (m^2): its frame, and
   its half axes (m), which may be 0. */
void sn_ellipsoid_of(const double square[6], sn_quat *orientation, double half[3]);

#endif
