/*
 * Which of many pairs of elements may come near each other, and how they are when they are found:
 * several pairs at a time. For the files of the kinds (surface_kind.inl).
 *
 * Every node goes from where it is along its path, and is off by at most its slack. Two elements
 * stay apart if a plane stays between them: along its normal n, all nodes of the first are above
 * all nodes of the second by more than their limit and slacks, when they begin and when they end,
 * and so all the time between. Any n will do. The line between the middles tells most pairs apart
 * and costs little, and so does it to see that they share a node; for the others it is the vector
 * between their nearest points.
 */
#ifndef SN_CONTACT_SURFACE_SEPARATION_TEST_H
#define SN_CONTACT_SURFACE_SEPARATION_TEST_H

#include "collision/collider_pose.h"
#include "collision/narrow_phase/closest_weights.h"
#include "contact/surface/surface_contact.h"

/* ---- A pair per lane ---- */

typedef struct several {
    uint32_t slot[SN_CONTACT_MOST_NODES][SN_LANES];
    sn_lane3 from[SN_CONTACT_MOST_NODES];         /* m, relative to the first node */
    sn_lane3 displacement[SN_CONTACT_MOST_NODES]; /* m */
    sn_lane radius[2], slack[2];                  /* m, the largest of each element */
} several;

/* Lanes after the last pair repeat it. */
SN_INLINE void find_slots(const sn_separation_test *near, const int kind,
                          const sn_broad_pair *pairs, size_t left, several *s) {
    const int first = sn_contact_first[kind], second = sn_contact_nodes(kind) - first;
    for (size_t i = 0; i < SN_LANES; i++) {
        sn_broad_pair pair = pairs[i < left ? i : left - 1];
        const uint32_t *one = near->first + (size_t)(uint32_t)pair * (size_t)first;
        const uint32_t *two = near->second + (size_t)(pair >> 32) * (size_t)second;
        for (int n = 0; n < first; n++) s->slot[n][i] = one[n];
        for (int n = 0; n < second; n++) s->slot[first + n][i] = two[n];
    }
}

/* Per lane: 1 where no node is in both elements, 0 otherwise. */
SN_INLINE sn_lane share_no_node(const several *s, const int kind) {
    sn_real apart[SN_LANES] __attribute__((aligned(16)));
    for (size_t i = 0; i < SN_LANES; i++) {
        bool joined = false;
        for (int n = 0; n < sn_contact_first[kind]; n++)
            for (int k = sn_contact_first[kind]; k < sn_contact_nodes(kind); k++)
                joined |= s->slot[n][i] == s->slot[k][i];
        apart[i] = joined ? 0 : 1;
    }
    return sn_lane_load(apart);
}

/* The image of a ball that is nearest to another; its radius stays with it. */
SN_INLINE sn_v4 nearest_to(const sn_period *period, sn_v4 other, sn_v4 at) {
    sn_v4 image = other + sn_period_nearest(period, at - other);
    image[3] = at[3];
    return image;
}

SN_INLINE void gather_motion_of(const sn_separation_test *near, const int kind, several *s) {
    sn_lane4 origin = {{sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)}, sn_lane_all(0)};
    for (int side = 0; side < 2; side++) s->radius[side] = s->slack[side] = sn_lane_all(0);
    for (int n = 0; n < sn_contact_nodes(kind); n++) {
        sn_v4 from[SN_LANES], displacement[SN_LANES];
        for (size_t i = 0; i < SN_LANES; i++) {
            const sn_expected_motion *node = &near->displacement[s->slot[n][i]];
            from[i] = sn_v4_load(&node->from);
            if (kind == SN_CONTACT_POINT_POINT && n > 0 && near->periodic)
                from[i] = nearest_to(&near->period,
                                     sn_v4_load(&near->displacement[s->slot[0][i]].from), from[i]);
            displacement[i] = sn_v4_load(&node->displacement);
        }
        sn_lane4 at = sn_lane4_from_nodes(from), to = sn_lane4_from_nodes(displacement);
        const int side = n >= sn_contact_first[kind];
        if (n == 0) origin = at;
        s->from[n] = sn_lane3_sub(at.v, origin.v);
        s->displacement[n] = to.v;
        s->radius[side] = sn_lane_max(s->radius[side], at.w);
        s->slack[side] = sn_lane_max(s->slack[side], to.w);
    }
}

/* Whether lanes may come nearer than `far`, as much as a plane across the line tells: 1 or 0, and 0
   for what is not finite. */
SN_INLINE sn_lane may_near(const several *s, const int kind, sn_lane3 line, sn_lane far) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane low[2] = {zero, zero}, high[2] = {zero, zero};
    for (int n = 0; n < sn_contact_nodes(kind); n++) {
        sn_lane begin = sn_lane3_dot(line, s->from[n]);
        sn_lane end = begin + sn_lane3_dot(line, s->displacement[n]);
        if (n < sn_contact_first[kind]) {
            low[0] = n == 0 ? begin : sn_lane_min(low[0], begin);
            low[1] = n == 0 ? end : sn_lane_min(low[1], end);
        } else {
            high[0] = n == sn_contact_first[kind] ? begin : sn_lane_max(high[0], begin);
            high[1] = n == sn_contact_first[kind] ? end : sn_lane_max(high[1], end);
        }
    }
    sn_lane gap = sn_lane_min(low[0] - high[0], low[1] - high[1]);
    sn_lane square = far * far * sn_lane3_dot(line, line);
    return sn_lane_if_less(zero, gap, sn_lane_if_less(gap * gap, square, one, zero),
                           sn_lane_if_less(gap, one, one, zero));
}

/* Puts the pairs of lanes that are kept after those that were; returns how many there are. */
SN_INLINE size_t keep(sn_broad_pair *pairs, size_t kept, size_t at, size_t count, sn_lane which) {
    sn_real chosen[SN_LANES] __attribute__((aligned(16)));
    sn_lane_store(chosen, which);
    size_t left = count - at < SN_LANES ? count - at : SN_LANES;
    for (size_t i = 0; i < left; i++) {
        pairs[kept] = pairs[at + i];
        kept += chosen[i] > 0;
    }
    return kept;
}

/* ---- The line between the middles ---- */

SN_INLINE size_t sift_apart(const sn_separation_test *near, const int kind, sn_broad_pair *pairs,
                            size_t count) {
    const int first = sn_contact_first[kind], second = sn_contact_nodes(kind) - first;
    size_t kept = 0;
    for (size_t k = 0; k < count; k += SN_LANES) {
        several s;
        find_slots(near, kind, pairs + k, count - k, &s);
        gather_motion_of(near, kind, &s);
        sn_lane3 one = s.from[0], two = s.from[first];
        for (int n = 1; n < first; n++) one = sn_lane3_add(one, s.from[n]);
        for (int n = 1; n < second; n++) two = sn_lane3_add(two, s.from[first + n]);
        sn_lane3 line = sn_lane3_sub(sn_lane3_scale(sn_lane_all((sn_real)second), one),
                                     sn_lane3_scale(sn_lane_all((sn_real)first), two));
        sn_lane far = (s.radius[0] + s.radius[1]) + (s.slack[0] + s.slack[1]);
        sn_lane near_enough = may_near(&s, kind, line, far) * share_no_node(&s, kind);
        kept = keep(pairs, kept, k, count, near_enough);
    }
    return kept;
}

/* ---- The nearest points ---- */

/* Whether elements may be closer than twice their radii in any lane. The distance of their middles
   tells it of most that are not: it is more than 2 r + a + b, where a and b are how far nodes are
   from them, if its square is more than three times the sum of the squares of these. */
SN_INLINE bool may_be_close(const int kind, const sn_lane3 *x, sn_lane radii) {
    const int first = sn_contact_first[kind], nodes = sn_contact_nodes(kind);
    sn_lane3 middle[2] = {x[0], x[first]};
    for (int n = 1; n < first; n++) middle[0] = sn_lane3_add(middle[0], x[n]);
    for (int n = first + 1; n < nodes; n++) middle[1] = sn_lane3_add(middle[1], x[n]);
    middle[0] = sn_lane3_scale(sn_lane_all(1 / (sn_real)first), middle[0]);
    middle[1] = sn_lane3_scale(sn_lane_all(1 / (sn_real)(nodes - first)), middle[1]);
    sn_lane3 line = sn_lane3_sub(middle[0], middle[1]);
    sn_lane wide[2] = {sn_lane_all(0), sn_lane_all(0)};
    for (int n = 0; n < nodes; n++) {
        const int side = n >= first;
        sn_lane3 off = sn_lane3_sub(x[n], middle[side]);
        wide[side] = sn_lane_max(wide[side], sn_lane3_dot(off, off));
    }
    sn_lane bound = SN_R(3.1) * (SN_R(4.0) * (radii * radii) + (wide[0] + wide[1]));
    return sn_lane_any_less(sn_lane3_dot(line, line), bound);
}

/* m: how close elements may come: their radii, or less where they were close at rest. */
SN_INLINE sn_lane limit_of(const sn_separation_test *near, const int kind, const several *s,
                           sn_lane radii) {
    sn_lane3 x[SN_CONTACT_MOST_NODES];
    sn_lane weight[SN_CONTACT_MOST_NODES];
    sn_v4 there[SN_LANES];
    sn_real same[SN_LANES] __attribute__((aligned(16)));
    bool any = false;
    for (size_t i = 0; i < SN_LANES; i++) {
        bool one =
            near->surface[s->slot[0][i]] == near->surface[s->slot[sn_contact_first[kind]][i]];
        same[i] = one ? 1 : 0;
        any = any || one;
    }
    if (!any) return radii;
    for (int n = 0; n < sn_contact_nodes(kind); n++) {
        for (size_t i = 0; i < SN_LANES; i++) {
            sn_v4 at = sn_v4_load(&near->rest[s->slot[n][i]]);
            there[i] = at - sn_v4_load(&near->rest[s->slot[0][i]]);
        }
        x[n] = sn_lane3_from_nodes(there);
    }
    if (!may_be_close(kind, x, radii)) return radii;
    sn_lane3 r = sn_nearest(kind, x, weight);
    sn_lane rest = sn_lane_sqrt(sn_lane3_dot(r, r));
    if (kind != SN_CONTACT_POINT_POINT) rest = rest * SN_R(0.5);
    sn_lane less = sn_lane_if_less(radii, rest, radii, rest);
    return sn_lane_if_less(sn_lane_all(0), sn_lane_load(same), less, radii);
}

/* The same of pairs whose rest is known; lanes after the last repeat it. */
SN_INLINE sn_lane known_limit_of(const sn_separation_test *near, const int kind, const several *s,
                                 const sn_real *rest, size_t left) {
    sn_real half[SN_LANES] __attribute__((aligned(16)));
    sn_lane radii = s->radius[0] + s->radius[1];
    for (size_t i = 0; i < SN_LANES; i++) half[i] = rest[i < left ? i : left - 1];
    sn_lane apart = sn_lane_load(half);
    if (sn_lane_any_less(apart, sn_lane_all(0))) return limit_of(near, kind, s, radii);
    return sn_lane_if_less(radii, apart, radii, apart);
}

/* With `rest` as of sn_near_accept, or null. */
SN_INLINE size_t sift_far(const sn_separation_test *near, const int kind, sn_broad_pair *pairs,
                          const sn_real *rest, size_t count) {
    size_t kept = 0;
    for (size_t k = 0; k < count; k += SN_LANES) {
        several s;
        sn_lane weight[SN_CONTACT_MOST_NODES];
        find_slots(near, kind, pairs + k, count - k, &s);
        gather_motion_of(near, kind, &s);
        sn_lane3 r = sn_nearest(kind, s.from, weight);
        sn_lane limit = rest ? known_limit_of(near, kind, &s, rest + k, count - k)
                             : limit_of(near, kind, &s, s.radius[0] + s.radius[1]);
        sn_lane far = limit + (s.slack[0] + s.slack[1]);
        sn_lane near_enough = may_near(&s, kind, r, far);
        /* A ball that is searched for alone finds itself; of others this is known. */
        if (kind == SN_CONTACT_POINT_POINT) near_enough = near_enough * share_no_node(&s, kind);
        kept = keep(pairs, kept, k, count, near_enough);
    }
    return kept;
}

SN_LOOP size_t sift_near(const sn_separation_test *near, const int kind, sn_broad_pair *pairs,
                         const sn_real *rest, size_t count) {
    return sift_far(near, kind, pairs, rest, count);
}

SN_LOOP size_t sift(const sn_separation_test *near, const int kind, sn_broad_pair *pairs,
                    size_t count) {
    if (kind != SN_CONTACT_POINT_POINT) count = sift_apart(near, kind, pairs, count);
    return sift_far(near, kind, pairs, NULL, count);
}

/* ---- What pairs begin with ---- */

/* From the second to the first when the substep begins. */
SN_INLINE sn_lane3 between(const sn_separation_test *near, const int kind, const several *s) {
    sn_lane3 x[SN_CONTACT_MOST_NODES];
    sn_lane weight[SN_CONTACT_MOST_NODES];
    sn_v4 there[SN_LANES], x0[SN_LANES], p0[SN_LANES];
    for (size_t i = 0; i < SN_LANES; i++) {
        x0[i] = sn_v4_load(&near->x[s->slot[0][i]]);
        p0[i] = sn_v4_load(&near->p[s->slot[0][i]]);
    }
    for (int n = 0; n < sn_contact_nodes(kind); n++) {
        for (size_t i = 0; i < SN_LANES; i++) {
            sn_v4 at = sn_v4_load(&near->x[s->slot[n][i]]), p = sn_v4_load(&near->p[s->slot[n][i]]);
            sn_v4 base = at - x0[i];
            if (kind == SN_CONTACT_POINT_POINT && near->periodic)
                base = sn_period_nearest(&near->period, base);
            there[i] = base + (p - p0[i]);
        }
        x[n] = sn_lane3_from_nodes(there);
    }
    return sn_nearest(kind, x, weight);
}

SN_INLINE sn_lane radii_of(const sn_separation_test *near, const int kind, const several *s) {
    sn_lane largest[2] = {sn_lane_all(0), sn_lane_all(0)};
    for (int n = 0; n < sn_contact_nodes(kind); n++) {
        sn_real radius[SN_LANES] __attribute__((aligned(16)));
        for (size_t i = 0; i < SN_LANES; i++) radius[i] = near->radius[s->slot[n][i]];
        const int side = n >= sn_contact_first[kind];
        largest[side] = sn_lane_max(largest[side], sn_lane_load(radius));
    }
    return largest[0] + largest[1];
}

SN_INLINE void measure_lanes(const sn_separation_test *near, const int kind, sn_contact_pair *pair,
                             sn_vec4 *side, size_t left) {
    several s;
    sn_broad_pair both[SN_LANES];
    sn_v4 out[SN_LANES];
    sn_real far[SN_LANES] __attribute__((aligned(16)));
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    if (left > SN_LANES) left = SN_LANES;
    for (size_t i = 0; i < left; i++) both[i] = sn_broad_pair_of(pair[i].a, pair[i].b);
    find_slots(near, kind, both, left, &s);
    sn_lane3 r = between(near, kind, &s);
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(r, r));
    sn_lane limit = limit_of(near, kind, &s, radii_of(near, kind, &s));
    sn_lane4 all = {{sn_lane_if_less(zero, length, r.x / length, zero),
                     sn_lane_if_less(zero, length, r.y / length, one),
                     sn_lane_if_less(zero, length, r.z / length, zero)},
                    limit};
    sn_lane4_to_nodes(all, out);
    sn_lane_store(far, sn_lane_if_less(SN_R(1.02) * limit, length, one, zero));
    for (size_t i = 0; i < left; i++) {
        sn_v4_store(&side[i], out[i]);
        pair[i].slot = far[i] > 0;
    }
}

SN_LOOP void measure(const sn_separation_test *near, const int kind, sn_contact_pair *pair,
                     sn_vec4 *side, size_t count) {
    for (size_t k = 0; k < count; k += SN_LANES)
        measure_lanes(near, kind, pair + k, side + k, count - k);
}

#endif
