/* The energy of what spins, twice, of bodies, one per lane: omega . I omega. */
#ifndef SN_MATH_SPIN_ENERGY_H
#define SN_MATH_SPIN_ENERGY_H

#include "math/lanes.h"

/* Omega that is shortened to the energy there was before, where it has more. Rounding alone must
   not count, or it would brake. */
SN_INLINE sn_lane3 sn_spin_shortened(sn_lane3 omega, sn_lane now, sn_lane before) {
    sn_lane most = before * SN_R(1.00001), one = sn_lane_all(1);
    if (!sn_lane_any_less(most, now)) return omega;
    sn_lane shorter = sn_lane_sqrt(before / sn_lane_max(now, sn_lane_all(SN_R(1e-30))));
    return sn_lane3_scale(sn_lane_if_less(most, now, shorter, one), omega);
}

/* Omega with no more energy than that: of its angular momentum so much is taken along it, which is
   the shortest change by which energy falls, and leaves alone what has little of it. */
SN_INLINE sn_lane3 sn_spin_lessened(sn_lane3 omega, sn_lane3 w, sn_lane3 inertia, sn_lane now,
                                    sn_lane most) {
    sn_lane zero = sn_lane_all(0), more = sn_lane_max(now - most, zero);
    sn_lane3 eased = {w.x * omega.x, w.y * omega.y, w.z * omega.z};
    sn_lane a = sn_lane3_dot(omega, eased), b = sn_lane3_dot(omega, omega);
    sn_lane root = sn_lane_sqrt(sn_lane_max(b * b - a * more, zero));
    sn_lane part = more / sn_lane_max(b + root, sn_lane_all(SN_R(1e-30)));
    omega = sn_lane3_sub(omega, sn_lane3_scale(part, eased));
    sn_lane3 momentum = {inertia.x * omega.x, inertia.y * omega.y, inertia.z * omega.z};
    return sn_spin_shortened(omega, sn_lane3_dot(momentum, omega), most);
}

#endif
