/*
 * The contact materials as formulas, for every kind of contact.
 *
 * All of them are about the relative motion of two sides: how far, or how fast, the one moves as
 * seen from the other. An impulse J changes that by (w_a + w_b) J, across the normal as along it,
 * so that Coulomb's |J across| <= mu J along is the same sentence about lengths or velocities, and
 * masses do not appear. What comes out is for both sides together: side a takes w_a / (w_a + w_b)
 * of it, side b the rest the other way. Against a collider, which has w = 0, the node takes all.
 */
#ifndef SN_CONTACT_FRICTION_H
#define SN_CONTACT_FRICTION_H

#include "collision/contact_material.h"
#include "math/lanes.h"
#include "math/quaternion.h"

/* ---- The cone, in lanes ---- */

/*
 * Coulomb's cone: what is left of a vector with this square. All of it where it is at most `still`
 * long, otherwise as much as makes it `moving` long.
 */
SN_INLINE sn_lane sn_cone_part(sn_lane still, sn_lane moving, sn_lane square) {
    return sn_lane_if_less(still * still, square, moving / sn_lane_sqrt(square), sn_lane_all(1));
}

/* The part of a motion across a normal. */
SN_INLINE sn_lane3 sn_lane3_across(sn_lane3 motion, sn_lane3 normal) {
    return sn_lane3_sub(motion, sn_lane3_scale(sn_lane3_dot(motion, normal), normal));
}

/*
 * m: the friction of a whole substep, given what would stop all sliding and how far the sides were
 * pushed apart in it (survey section 5.4.4). Static where that is enough, dynamic otherwise.
 */
SN_INLINE sn_lane3 sn_friction_slide_lanes(sn_lane static_friction, sn_lane dynamic_friction,
                                           sn_lane3 wanted, sn_lane push) {
    sn_lane part =
        sn_cone_part(static_friction * push, dynamic_friction * push, sn_lane3_dot(wanted, wanted));
    return sn_lane3_scale(part, wanted);
}

/* m: what friction that holds has still to take back, of which it takes no more than `most` at
   once. */
SN_INLINE sn_lane3 sn_friction_offset(sn_lane3 offset, sn_lane most) {
    return sn_lane3_scale(sn_cone_part(most, most, sn_lane3_dot(offset, offset)), offset);
}

/* m/s: how much faster the sides part for a bounce: they came together with -came, part with
   `leaves`, and what came slower than `rest` does not bounce. */
SN_INLINE sn_real sn_friction_bounce(sn_real restitution, sn_real came, sn_real leaves,
                                     sn_real rest) {
    sn_real more = -restitution * came - leaves;
    return came < -rest && more > 0 ? more : 0;
}

#if SN_LANES == 1

/* ---- One at a time ---- */

SN_INLINE sn_lane3 sn_lane3_of(sn_v4 a) {
    return (sn_lane3){a[0], a[1], a[2]};
}

SN_INLINE sn_v4 sn_across(sn_v4 motion, sn_v4 normal) {
    return motion - sn_v4_dot(motion, normal) * normal;
}

/* Whether static friction is enough for a slide. */
SN_INLINE bool sn_friction_holds(const sn_contact_material *material, sn_v4 slide, sn_real push) {
    sn_real still = material->static_friction * push;
    return sn_v4_dot(slide, slide) <= still * still;
}

/* Shortens a vector to a length. */
SN_INLINE sn_v4 sn_friction_limited(sn_v4 a, sn_real most) {
    return sn_cone_part(most, most, sn_v4_dot(a, a)) * a;
}

/*
 * m/s: the change of the relative velocity across the normal, for sides that were pushed apart by
 * `push` in m/s. In the words of the papers, with J the impulse along the normal:
 *   dv = -v_t / |v_t| min(mu J (w_a + w_b), |v_t|)
 */
SN_INLINE sn_v4 sn_friction_brake(const sn_contact_material *material, sn_v4 across, sn_real push) {
    sn_real still = material->static_friction * push, moving = material->dynamic_friction * push;
    return sn_cone_part(still, moving, sn_v4_dot(across, across)) * -across;
}

/* ---- Balls that roll ---- */

/* A ball that touches something at the end of its arm, which friction turns. */
typedef struct sn_ball {
    sn_v4 q;       /* from its frame to the world */
    sn_v4 inverse; /* 1/(kg m^2), its principal inverse inertia */
    sn_v4 arm;     /* m, from its centre to the contact, in the world */
    sn_real w;     /* 1/kg */
    sn_real radius;
} sn_ball;

/* rad, in the frame of the ball: how it turns by a twist, in kg m^2 rad, of the world. */
SN_INLINE sn_v4 sn_ball_twisted(const sn_ball *ball, sn_v4 twist) {
    return ball->inverse * sn_quat_rotate_back(ball->q, twist);
}

/* The same by friction at the contact that moves the centre by `slide`. */
SN_INLINE sn_v4 sn_ball_turned(const sn_ball *ball, sn_v4 slide) {
    return sn_ball_twisted(ball, sn_v4_cross(ball->arm, slide / ball->w));
}

/* 1/(kg m^2): how easily it turns about a direction of unit length. */
SN_INLINE sn_real sn_ball_ease(const sn_ball *ball, sn_v4 axis) {
    sn_v4 local = sn_quat_rotate_back(ball->q, axis);
    return sn_v4_dot(local, ball->inverse * local);
}

/*
 * The part of a motion of the contact that the centre has to make good, because turning makes good
 * the rest: w / (w + (arm x t) . I^-1 (arm x t)), 2/7 for a full ball.
 */
SN_INLINE sn_real sn_ball_part(const sn_ball *ball, sn_v4 across) {
    sn_real square = sn_v4_dot(across, across);
    if (!(square > 0)) return 1;
    sn_v4 axis = sn_v4_cross(ball->arm, across);
    sn_real turning = sn_ball_ease(ball, axis) / square;
    return ball->w / (ball->w + turning);
}

#endif

#endif
