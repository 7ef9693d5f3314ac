/*
 * The answer to a contact, one text for every kind: push, Coulomb's cone, offset and impulse.
 *
 * A kind gives geometry alone: the normal n, how deep the two sides are in each other, how the
 * first moves as seen from the second in this substep, and how easily. An impulse J along n moves
 * them apart by k_n J, one across it by k_t J; with lever arms the two differ. What is kept of a
 * contact are impulses times k_n, which are lengths:
 *
 *   push     k_n J along n, of all sweeps of the substep
 *   slide    k_n J across n, likewise
 *
 * So Coulomb's |J across| <= mu J along is |slide| <= mu push, whatever the masses are, and to take
 * back a motion u across n asks for a slide of k_n / k_t u. Friction is found anew in each sweep,
 * so that many sweeps do not brake more than one.
 *
 * The offset is what friction that holds has not taken back since it does; what slides forgets it.
 */
#ifndef SN_CONTACT_CONTACT_SOLVE_H
#define SN_CONTACT_CONTACT_SOLVE_H

#include "contact/contact_set.h"
#include "contact/friction.h"

/* What a kind says of contacts in a sweep. */
typedef struct sn_contact_geometry {
    sn_lane3 normal; /* from the second side to the first */
    sn_lane deep;    /* m, by how much they are pushed apart now; 0: not at all */
    sn_lane3 motion; /* m, of the first as seen from the second, that of surfaces included */
    sn_lane k_n;     /* 1/kg, how easily they move apart */
    sn_lane lever;   /* k_n / k_t, 1 where there are no lever arms */
} sn_contact_geometry;

/* What has happened to contacts in the substep so far; see the rows. */
typedef struct sn_contact_answer {
    sn_lane push;
    sn_lane3 slide, offset;
    sn_lane3 asked; /* m, the slide that would stop all sliding */
} sn_contact_answer;

/* How a sweep goes. */
typedef struct sn_contact_sweep {
    sn_real h;   /* s */
    bool first;  /* whether rows are those of an earlier substep */
    bool last;   /* whether the offset is to be kept */
    bool slides; /* whether friction acts on positions */
    bool holds;  /* whether contacts of this kind have an offset */
} sn_contact_sweep;

/* m: by how much the first moves as seen from the second, times k_n / k_t across the normal. */
SN_INLINE sn_lane3 sn_contact_solve(const sn_contact_geometry *g, const sn_contact_sweep *sweep,
                                    sn_lane static_friction, sn_lane dynamic_friction,
                                    sn_contact_answer *a) {
    sn_lane zero = sn_lane_all(0);
    sn_lane3 nothing = {zero, zero, zero}, before = a->slide;
    a->push += g->deep;
    a->slide = nothing;
    if (sweep->slides) {
        sn_lane3 gone = sweep->holds ? sn_lane3_add(g->motion, a->offset) : g->motion;
        a->asked = sn_lane3_sub(before, sn_lane3_scale(g->lever, sn_lane3_across(gone, g->normal)));
        sn_lane3 wanted =
            sn_friction_slide_lanes(static_friction, dynamic_friction, a->asked, a->push);
        a->slide = sn_lane3_if_less(zero, a->push, wanted, nothing);
        if (sweep->last) a->offset = sn_lane3_add(a->offset, sn_lane3_sub(a->asked, a->slide));
    }
    return sn_lane3_add(sn_lane3_scale(g->deep, g->normal), sn_lane3_sub(a->slide, before));
}

/* ---- Contacts of a block, from a lane on ---- */

SN_INLINE sn_lane sn_row_load(const sn_real *row, const int which) {
    return sn_lane_load(row + which * SN_CONTACT_BLOCK);
}

SN_INLINE void sn_row_store(sn_real *row, const int which, sn_lane a) {
    sn_lane_store(row + which * SN_CONTACT_BLOCK, a);
}

SN_INLINE sn_lane3 sn_row_load3(const sn_real *row, const int which) {
    return (sn_lane3){sn_row_load(row, which), sn_row_load(row, which + 1),
                      sn_row_load(row, which + 2)};
}

SN_INLINE void sn_row_store3(sn_real *row, const int which, sn_lane3 a) {
    sn_row_store(row, which, a.x);
    sn_row_store(row, which + 1, a.y);
    sn_row_store(row, which + 2, a.z);
}

/* kg m: solves contacts, keeps what happened in their rows, and returns their impulses times h:
   nodes move by that times their inverse masses and weights. */
SN_INLINE sn_lane3 sn_contact_solve_rows(const sn_contact_geometry *g,
                                         const sn_contact_sweep *sweep, sn_lane3 offset,
                                         sn_real *row) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), h = sn_lane_all(sweep->h);
    sn_lane3 nothing = {zero, zero, zero};
    sn_contact_answer a = {zero, nothing, offset, nothing};
    if (!sweep->first) {
        a.push = sn_row_load(row, SN_ROW_PUSH);
        /* What was not pushed in this substep has the slide of an earlier one. */
        a.slide = sn_lane3_if_less(zero, a.push, sn_row_load3(row, SN_ROW_SLIDE), nothing);
    }
    sn_lane3 u = sn_contact_solve(g, sweep, sn_row_load(row, SN_ROW_STATIC),
                                  sn_row_load(row, SN_ROW_DYNAMIC), &a);
    sn_lane inverse = sn_lane_if_less(zero, g->k_n, one / g->k_n, zero);
    sn_lane3 impulse = sn_lane3_scale(inverse, u);
    sn_row_store(row, SN_ROW_PUSH, a.push);
    sn_row_store3(row, SN_ROW_SLIDE, a.slide);
    if (sweep->holds) sn_row_store3(row, SN_ROW_OFFSET, a.offset);
    sn_row_store3(row, SN_ROW_NORMAL,
                  sn_lane3_if_less(zero, g->deep, g->normal, sn_row_load3(row, SN_ROW_NORMAL)));
    sn_row_store(row, SN_ROW_NORMAL_IMPULSE,
                 sn_row_load(row, SN_ROW_NORMAL_IMPULSE) + g->deep * inverse / h);
    sn_row_store3(
        row, SN_ROW_IMPULSE,
        sn_lane3_add(sn_row_load3(row, SN_ROW_IMPULSE), sn_lane3_scale(one / h, impulse)));
    return impulse;
}

#if SN_LANES == 1

/* ---- Velocities, one contact at a time ---- */

/* m/s: what is slower is a contact that rests: what gravity gives in two substeps. */
SN_INLINE sn_real sn_contact_resting_speed(const sn_world *world, sn_real h) {
    sn_vec3 g = world->settings.gravity;
    return 2 * h * SN_ROOT(sn_vec3_dot(g, g));
}

/* m/s: what the push of a node in a substep is as a change of its velocity. */
SN_INLINE sn_real sn_contact_push_speed(const sn_world *world, uint32_t node, sn_real push,
                                        sn_real h) {
    double share = sn_history_end_share(&world->history, world->nodes.body[node]);
    return push / (h * (sn_real)share);
}

/* N s: what a change of velocities was, and the part of it along the normal. */
SN_INLINE void sn_contact_add_impulse(sn_real *row, sn_v4 impulse, sn_real normal_impulse) {
    row[SN_ROW_NORMAL_IMPULSE * SN_CONTACT_BLOCK] += normal_impulse;
    for (int i = 0; i < 3; i++) row[(SN_ROW_IMPULSE + i) * SN_CONTACT_BLOCK] += impulse[i];
}

#endif

#endif
