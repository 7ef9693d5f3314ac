/*
 * Recovery: what overlaps when a substep begins comes apart by at most the recovery speed times h
 * in it, however many sweeps there are, and that is a change of place and not a velocity. What a
 * push does beyond stopping the two is known when all sweeps are over, since others may push back:
 * the pair parts by `along`, of which
 *
 *   min(push, along, overlap when the substep began)
 *
 * is recovery. The places where the substep began are moved by that, as if the two had been so far
 * apart from the beginning: velocities do not feel it, momentum is kept, and no energy is gained.
 * What is held by others, as in a pile, does not part, and loses nothing. Two surfaces that bounce
 * are left to surface/restitution.c, by which no pair parts faster than its impact says.
 */
#ifndef SN_CONTACT_RECOVERY_H
#define SN_CONTACT_RECOVERY_H

#include "collision/collider_pose.h"
#include "contact/contacts.h"

/* m: to come out of an overlap that is less gives no more speed than gravity does in two
   substeps. */
SN_INLINE sn_real sn_contact_slight(const sn_world *world, sn_real h) {
    sn_vec3 g = world->settings.gravity;
    return 2 * h * h * SN_ROOT(sn_vec3_dot(g, g)) + SN_R(1e-6);
}

/* m: by how much a node, or a triangle, that is so deep in a collider is pushed out, if it was
   `start` deep when the substep began and may come out of that by `most`. What it was moved in
   since is undone. But where it was deep, and goes by `inertia` of its own, no more than that is,
   and what gravity adds: constraints that hold something inside would be stretched without end. */
SN_INLINE sn_real sn_contact_push(const sn_world *world, sn_real deep, sn_real start, sn_real most,
                                  sn_real slight, sn_real inertia) {
    sn_real moved = deep - start, more = moved - slight, hold = moved;
    if (more > 0) most = more < most ? most - more : 0;
    if (sn_contacts_of(world)->recovered && start > most && moved > inertia + slight)
        hold = inertia + slight;
    sn_real out = hold + most;
    if (out > deep) out = deep;
    return out > 0 ? out : 0;
}

/* m: how a node that has gone to a displacement `d` has moved in the substep as seen from a
   collider. */
SN_INLINE sn_v4 sn_contact_motion_to(const sn_world *world, size_t i, sn_v4 d,
                                     const sn_collider_pose *at) {
    sn_v4 between = sn_collider_pose_relative(at, sn_v4_load(&world->nodes.x[i]), d);
    return (d - sn_v4_load(&world->nodes.p[i])) -
           sn_collider_pose_motion(at, sn_collider_pose_into(at, &at->q, between));
}

SN_INLINE sn_v4 sn_contact_motion(const sn_world *world, size_t i, const sn_collider_pose *at) {
    return sn_contact_motion_to(world, i, sn_v4_load(&world->nodes.d[i]), at);
}

/* Keeps that an overlap was there when the substep began. */
SN_INLINE void sn_contact_note_start(const sn_world *world, sn_real *row, sn_real start) {
    row[SN_ROW_START * SN_CONTACT_BLOCK] = start;
    if (start > 0)
        atomic_store_explicit(&sn_contacts_of(world)->recovers, true, memory_order_relaxed);
}

/* m: how much of a motion apart along the normal is recovery. */
SN_INLINE sn_real sn_contact_recovery(const sn_real *row, sn_real along) {
    sn_real push = row[SN_ROW_PUSH * SN_CONTACT_BLOCK],
            start = row[SN_ROW_START * SN_CONTACT_BLOCK];
    sn_real most = push < start ? push : start;
    return along < most ? along : most;
}

/* Moves the place where a node began the substep. */
SN_INLINE void sn_contact_move_start(const sn_world *world, size_t i, sn_v4 by) {
    by[3] = 0;
    sn_v4_store(&world->nodes.p[i], sn_v4_load(&world->nodes.p[i]) + by);
    if (!world->history.used) return;
    sn_vec4 *predicted = &world->history.predicted[i];
    sn_v4_store(predicted, sn_v4_load(predicted) + by);
}

#endif
