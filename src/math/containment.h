/* Volumes that drains and sources act in: boxes, balls and half spaces, in frames of their own. */
#ifndef SN_MATH_CONTAINMENT_H
#define SN_MATH_CONTAINMENT_H

#include "math/quaternion.h"
#include "math/vector.h"

/* A place in the frame of a volume. */
SN_INLINE sn_v4 sn_place_in_frame(sn_vec4 x, sn_vec3 position, sn_quat q) {
    sn_v4 at = {x.x - position.x, x.y - position.y, x.z - position.z, 0};
    return sn_quat_rotate_back((sn_v4){q.x, q.y, q.z, q.w}, at);
}

SN_INLINE bool sn_ball_has(sn_v4 at, sn_real radius) {
    return sn_v4_dot(at, at) < radius * radius;
}

SN_INLINE bool sn_half_space_has(sn_v4 at) {
    return at[1] < 0;
}

SN_INLINE bool sn_box_has(sn_v4 at, sn_vec3 e) {
    return at[0] < e.x && -at[0] < e.x && at[1] < e.y && -at[1] < e.y && at[2] < e.z &&
           -at[2] < e.z;
}

#endif
