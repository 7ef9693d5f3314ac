/*
 * Points, edges and triangles of the leaves of trees, four side by side, so that one is compared
 * with four at a time. A triangle has its neighbours in the sheet within reach wherever it goes:
 * what tells them apart cheaply is that they may come nearer the nearer they are at rest.
 */
#ifndef SN_CONTACT_SURFACE_FEATURE_FOURS_H
#define SN_CONTACT_SURFACE_FEATURE_FOURS_H

#include "contact/surface/surface_contact.h"
#include "math/registers.h"

/* One feature and four that it may come near. */
typedef struct sn_feature_found {
    union {
        sn_v4 far2; /* m^2, how near they may come, with their slack; SN_FEATURE_NEVER of others */
        sn_v4_bits which; /* and then who is not kept apart by a plane */
    };
    uint32_t row;    /* the one: four times where it is, and its lane */
    uint32_t column; /* the four */
} sn_feature_found;

/* m^2: no square is less. And m: of those that have a node in common, less than any slack. */
#define SN_FEATURE_NEVER SN_R(-1.0)
#define SN_FEATURE_JOINED SN_R(-1e38)

SN_INLINE sn_v4 sn_four_all(sn_real x) {
    return (sn_v4){x, x, x, x};
}

SN_INLINE sn_v4 sn_four_choose(sn_v4_bits which, sn_v4 yes, sn_v4 no) {
    return (sn_v4)((which & (sn_v4_bits)yes) | (~which & (sn_v4_bits)no));
}

SN_INLINE bool sn_four_any(sn_v4_bits a) {
    union {
        sn_v4_bits lanes;
        uint64_t word[sizeof(sn_v4_bits) / sizeof(uint64_t)];
    } of = {a};
    uint64_t all = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of.word; i++) all |= of.word[i];
    return all != 0;
}

SN_INLINE sn_v4 sn_four_dot(const sn_v4 *a, const sn_v4 *b) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* One in all lanes, of which these are the numbers that boxes and rest are compared by. */
typedef struct sn_feature_one {
    sn_v4 low[3], high[3]; /* m */
    sn_v4 slack, radius;   /* m */
} sn_feature_one;

SN_INLINE sn_feature_one sn_feature_one_of(const sn_feature_box *four, uint32_t lane) {
    sn_feature_one one;
    for (int k = 0; k < 3; k++) {
        one.low[k] = sn_four_all(four->low[k][lane]);
        one.high[k] = sn_four_all(four->high[k][lane]);
    }
    one.slack = sn_four_all(four->slack[lane]);
    one.radius = sn_four_all(four->radius[lane]);
    return one;
}

/* m^2: how far four are from one, by the boxes around their paths. */
SN_INLINE sn_v4 sn_feature_gap(const sn_feature_one *one, const sn_feature_box *four) {
    sn_v4 gap = {0, 0, 0, 0}, zero = gap;
    for (int k = 0; k < 3; k++) {
        sn_v4 apart = sn_v4_larger(four->low[k] - one->high[k], one->low[k] - four->high[k]);
        apart = sn_v4_larger(apart, zero);
        gap += apart * apart;
    }
    return gap;
}

/* m^2: how near they may come, with their slack: within their radii, or half of what they are apart
   at rest (m) where that is less. Less than any square where they have a node in common, of which
   that half is SN_FEATURE_JOINED. */
SN_INLINE sn_v4 sn_feature_far(const sn_feature_one *one, const sn_feature_box *four, sn_v4 half) {
    sn_v4 limit = sn_v4_smaller(one->radius + four->radius, half);
    sn_v4 far = (one->slack + four->slack) + limit;
    return far * sn_v4_larger(far, -far);
}

/* Keeps those of `near` as what may come within `far2`; whether there are some. */
SN_INLINE bool sn_feature_keep(sn_feature_found *found, sn_v4 far2, sn_v4_bits near) {
    found->far2 = sn_four_choose(near, far2, sn_four_all(SN_FEATURE_NEVER));
    return sn_four_any(near);
}

/* And by a plane across the line between the middles, which keeps them further than that from each
   other, all along their paths (separation_test.h). Paths that do not begin at the same time must
   be apart as a whole. */
SN_INLINE sn_v4_bits sn_feature_meets(const sn_feature_path *a, const sn_feature_path *b,
                                      const int mine, const int theirs, const bool together,
                                      const sn_feature_found *found) {
    const uint32_t lane = found->row % 4;
    sn_v4 line[3], low[2], high[2], zero = {0, 0, 0, 0};
    for (int n = 0; n < 3; n++) {
        sn_real one = a->of[0].from[n][lane];
        sn_v4 two = b->of[0].from[n];
        for (int i = 1; i < mine; i++) one += a->of[i].from[n][lane];
        for (int k = 1; k < theirs; k++) two += b->of[k].from[n];
        line[n] = sn_four_all((sn_real)theirs * one) - (sn_real)mine * two;
    }
    for (int i = 0; i < mine; i++) {
        sn_v4 from[3], to[3];
        for (int n = 0; n < 3; n++) {
            from[n] = sn_four_all(a->of[i].from[n][lane]);
            to[n] = sn_four_all(a->of[i].to[n][lane]);
        }
        sn_v4 begin = sn_four_dot(line, from), end = sn_four_dot(line, to);
        low[0] = i == 0 ? begin : sn_v4_smaller(begin, low[0]);
        low[1] = i == 0 ? end : sn_v4_smaller(end, low[1]);
    }
    for (int k = 0; k < theirs; k++) {
        sn_v4 begin = sn_four_dot(line, b->of[k].from), end = sn_four_dot(line, b->of[k].to);
        high[0] = k == 0 ? begin : sn_v4_larger(begin, high[0]);
        high[1] = k == 0 ? end : sn_v4_larger(end, high[1]);
    }
    sn_v4 gap = sn_v4_smaller(low[0] - high[0], low[1] - high[1]);
    if (!together) gap = sn_v4_smaller(low[0], low[1]) - sn_v4_larger(high[0], high[1]);
    sn_v4 square = found->far2 * sn_four_dot(line, line);
    sn_v4_bits apart = (sn_v4_bits)(gap > zero) & (sn_v4_bits)(gap * gap >= square);
    return ~apart & (sn_v4_bits)(found->far2 >= zero);
}

/* Which of four are near a box that has their reach in it. */
SN_INLINE sn_v4_bits sn_feature_in_box(const sn_feature_box *four, const sn_vec4 *low,
                                       const sn_vec4 *high) {
    sn_v4 reach = four->slack + four->radius;
    const sn_real least[3] = {low->x, low->y, low->z}, most[3] = {high->x, high->y, high->z};
    sn_v4_bits in = ~(sn_v4_bits){0, 0, 0, 0};
    for (int k = 0; k < 3; k++)
        in &= (sn_v4_bits)(four->low[k] - reach <= sn_four_all(most[k])) &
              (sn_v4_bits)(sn_four_all(least[k]) <= four->high[k] + reach);
    return in;
}

#endif
