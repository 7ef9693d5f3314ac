/* Unit quaternions in one register: x, y, z, w. */
#ifndef SN_MATH_QUATERNION_H
#define SN_MATH_QUATERNION_H

#include "math/vector.h"

/* The rotation b, then a. */
SN_INLINE sn_v4 sn_quat_mul(sn_v4 a, sn_v4 b) {
    return (sn_v4){a[3] * b[0] + a[0] * b[3] + (a[1] * b[2] - a[2] * b[1]),
                   a[3] * b[1] + a[1] * b[3] + (a[2] * b[0] - a[0] * b[2]),
                   a[3] * b[2] + a[2] * b[3] + (a[0] * b[1] - a[1] * b[0]),
                   a[3] * b[3] - (a[0] * b[0] + a[1] * b[1] + a[2] * b[2])};
}

SN_INLINE sn_v4 sn_quat_conjugate(sn_v4 a) {
    return (sn_v4){-a[0], -a[1], -a[2], a[3]};
}

/* Unit length; a quaternion of length zero becomes no rotation. */
SN_INLINE sn_v4 sn_quat_normalize(sn_v4 a) {
    sn_real square = (a[0] * a[0] + a[1] * a[1]) + (a[2] * a[2] + a[3] * a[3]);
    if (!(square > 0)) return (sn_v4){0, 0, 0, 1};
    return a * (1 / SN_ROOT(square));
}

/* A vector of the body's frame, in the world's. */
SN_INLINE sn_v4 sn_quat_rotate(sn_v4 q, sn_v4 a) {
    sn_v4 turned = sn_quat_mul(sn_quat_mul(q, (sn_v4){a[0], a[1], a[2], 0}), sn_quat_conjugate(q));
    return (sn_v4){turned[0], turned[1], turned[2], 0};
}

/* And back. */
SN_INLINE sn_v4 sn_quat_rotate_back(sn_v4 q, sn_v4 a) {
    return sn_quat_rotate(sn_quat_conjugate(q), a);
}

/* q turned by the rotation vector phi of its own frame, by 2 atan(|phi| / 2); the same bits where
   phi is zero. */
SN_INLINE sn_v4 sn_quat_turn(sn_v4 q, sn_v4 phi) {
    if (phi[0] == 0 && phi[1] == 0 && phi[2] == 0) return q;
    sn_v4 half = {phi[0] / 2, phi[1] / 2, phi[2] / 2, 0};
    return sn_quat_normalize(q + sn_quat_mul(q, half));
}

#endif
