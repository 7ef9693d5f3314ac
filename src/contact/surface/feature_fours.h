/*
 * Points, edges and triangles of the leaves of trees, four side by side, so that one is compared
 * with four at a time. A triangle has its neighbours in the sheet within reach wherever it goes:
 * what tells them apart cheaply is that they may come nearer the nearer they are at rest.
 */
#ifndef SN_CONTACT_SURFACE_FEATURE_FOURS_H
#define SN_CONTACT_SURFACE_FEATURE_FOURS_H

#include "contact/surface/surface_contact.h"

/* One that is compared with fours. */
typedef struct sn_feature_asker {
    const sn_feature_four *four;
    int lane;
} sn_feature_asker;

/* Four that one may come near, and what is known of them. */
typedef struct sn_feature_found {
    sn_feature_asker asker;
    const sn_feature_four *four;
    sn_v4 gap;        /* m^2, how far the boxes around paths are apart */
    sn_v4 far2;       /* m^2, how near they may come, with their slack */
    sn_v4_bits which; /* of the four */
} sn_feature_found;

SN_INLINE sn_v4 sn_four_all(sn_real x) {
    return (sn_v4){x, x, x, x};
}

SN_INLINE sn_v4 sn_four_choose(sn_v4_bits which, sn_v4 yes, sn_v4 no) {
    return (sn_v4)((which & (sn_v4_bits)yes) | (~which & (sn_v4_bits)no));
}

SN_INLINE sn_v4 sn_four_more(sn_v4 a, sn_v4 b) {
    return sn_four_choose((sn_v4_bits)(a > b), a, b);
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

SN_INLINE sn_v4 sn_four_less(sn_v4 a, sn_v4 b) {
    return sn_four_choose((sn_v4_bits)(a < b), a, b);
}

SN_INLINE sn_v4 sn_four_dot(const sn_v4 *a, const sn_v4 *b) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* Which of four may come near one, by the boxes around their paths; in all lanes of `one` are the
   numbers of that. */
SN_INLINE void sn_feature_near(const sn_feature_four *one, const sn_feature_four *four,
                               sn_feature_found *found) {
    sn_v4 gap = {0, 0, 0, 0}, zero = gap;
    sn_v4 far = (one->slack + four->slack) + (one->radius + four->radius);
    for (int k = 0; k < 3; k++) {
        sn_v4 apart = sn_four_more(four->low[k] - one->high[k], one->low[k] - four->high[k]);
        apart = sn_four_more(apart, zero);
        gap += apart * apart;
    }
    found->four = four;
    found->gap = gap;
    found->far2 = far * far;
    found->which = (sn_v4_bits)(gap <= found->far2);
}

/* m^2: how far their nodes are apart at rest, at least, which is no less than they are. Sets the
   bits of those that have a node in common. */
SN_INLINE sn_v4 sn_feature_rest(const sn_feature_asker *a, const sn_feature_four *b, const int mine,
                                const int theirs, sn_v4_bits *joined) {
    sn_v4 least = sn_four_all(SN_INFINITY);
    *joined = (sn_v4_bits){0, 0, 0, 0};
    for (int i = 0; i < mine; i++) {
        sn_bits node = a->four->node[i][a->lane];
        sn_v4 rest[3];
        for (int n = 0; n < 3; n++) rest[n] = sn_four_all(a->four->rest[i][n][a->lane]);
        for (int k = 0; k < theirs; k++) {
            sn_v4 off[3];
            for (int n = 0; n < 3; n++) off[n] = rest[n] - b->rest[k][n];
            least = sn_four_less(sn_four_dot(off, off), least);
            *joined |= (sn_v4_bits)((sn_v4_bits){node, node, node, node} == b->node[k]);
        }
    }
    return least;
}

/*
 * And by how far they are apart at rest. Features of a collision surface may come within t of each
 * other, half of that; with their slack s, within s + t. A root is slow: for any q,
 * t <= (t^2 / q + q) / 2, and so (s + t)^2 <= s^2 + s (t^2 / q + q) + t^2, by little more.
 */
SN_INLINE void sn_feature_rests(const int mine, const int theirs, sn_feature_found *found) {
    const sn_feature_asker *a = &found->asker;
    sn_real radius = a->four->radius[a->lane], about = radius > 0 ? SN_R(1.5) * radius : 1;
    sn_v4 slack = sn_four_all(a->four->slack[a->lane]) + found->four->slack;
    sn_v4_bits joined;
    sn_v4 rest2 = SN_R(0.2501) * sn_feature_rest(a, found->four, mine, theirs, &joined);
    sn_v4 most2 =
        slack * slack + slack * (rest2 * sn_four_all(1 / about) + sn_four_all(about)) + rest2;
    found->far2 = sn_four_less(most2, found->far2);
    found->which &= ~joined & (sn_v4_bits)(found->gap <= found->far2);
}

/* And by a plane across the line between the middles, which keeps them further than that from each
   other, all along their paths (separation_test.h). */
SN_INLINE void sn_feature_meets(const int mine, const int theirs, sn_feature_found *found) {
    const sn_feature_four *a = found->asker.four, *b = found->four;
    const int lane = found->asker.lane;
    sn_v4 line[3], low[2], high[2], zero = {0, 0, 0, 0};
    for (int n = 0; n < 3; n++) {
        sn_real one = a->from[0][n][lane];
        sn_v4 two = b->from[0][n];
        for (int i = 1; i < mine; i++) one += a->from[i][n][lane];
        for (int k = 1; k < theirs; k++) two += b->from[k][n];
        line[n] = sn_four_all((sn_real)theirs * one) - (sn_real)mine * two;
    }
    for (int i = 0; i < mine; i++) {
        sn_v4 from[3], to[3];
        for (int n = 0; n < 3; n++) {
            from[n] = sn_four_all(a->from[i][n][lane]);
            to[n] = sn_four_all(a->to[i][n][lane]);
        }
        sn_v4 begin = sn_four_dot(line, from), end = sn_four_dot(line, to);
        low[0] = i == 0 ? begin : sn_four_less(begin, low[0]);
        low[1] = i == 0 ? end : sn_four_less(end, low[1]);
    }
    for (int k = 0; k < theirs; k++) {
        sn_v4 begin = sn_four_dot(line, b->from[k]), end = sn_four_dot(line, b->to[k]);
        high[0] = k == 0 ? begin : sn_four_more(begin, high[0]);
        high[1] = k == 0 ? end : sn_four_more(end, high[1]);
    }
    sn_v4 gap = sn_four_less(low[0] - high[0], low[1] - high[1]);
    sn_v4 square = found->far2 * sn_four_dot(line, line);
    found->which &= ~((sn_v4_bits)(gap > zero) & (sn_v4_bits)(gap * gap >= square));
}

/* Which of four are near a box that has their reach in it. */
SN_INLINE sn_v4_bits sn_feature_in_box(const sn_feature_four *four, const sn_vec4 *low,
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
