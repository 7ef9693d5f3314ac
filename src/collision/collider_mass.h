/*
 * Volume, centre and second moments of what colliders enclose, from which mass and inertia follow.
 * All in double, with square roots alone, so that every machine finds the same.
 */
#ifndef SN_COLLISION_COLLIDER_MASS_H
#define SN_COLLISION_COLLIDER_MASS_H

#include <sinew/collider.h>

/* Of a shape of density 1; `second` is the integral of (x - centre)(x - centre)^T, as xx, yy, zz,
   yz, zx, xy. */
typedef struct sn_moments {
    double volume;    /* m^3 */
    double centre[3]; /* m */
    double second[6]; /* m^5 */
} sn_moments;

/* Of a definition that is kept, with its form, in its own frame. A sentence where it is not closed
   or has no volume. */
sn_result sn_collider_moments(const sn_collider_def *def, sn_moments *moments);

/* Principal moments of inertia (m^5), and the rotation from the principal axes to the frame as a
   quaternion x, y, z, w: the one that turns least, none where the axes are those of the frame. */
void sn_moments_principal(const sn_moments *moments, double inertia[3], double axes[4]);

#endif
