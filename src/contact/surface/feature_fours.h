/*
 * Points, edges and triangles of the leaves of trees, four side by side, so that one is compared
 * with four at a time. A triangle has its neighbours in the sheet within reach wherever it goes:
 * what tells them apart cheaply is that they may come nearer the nearer they are at rest.
 */
#ifndef SN_CONTACT_SURFACE_FEATURE_FOURS_H
#define SN_CONTACT_SURFACE_FEATURE_FOURS_H

#include "contact/surface/surface_contact.h"

/* One that is compared with fours, in registers: all lanes of a four are the same. */
typedef struct sn_feature_asker {
    sn_feature_four four;
    sn_v4 about, inverse; /* m, 1/m: a length about that of its radii */
    uint32_t item;
    bool same; /* whether it is of the same collision surface as they are */
} sn_feature_asker;

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

/* One with this many nodes asks. */
SN_INLINE void sn_feature_ask(const sn_feature_four *four, int lane, bool same, const int nodes,
                              sn_feature_asker *a) {
    a->item = (uint32_t)four->item[lane];
    a->same = same;
    for (int k = 0; k < 3; k++) {
        a->four.low[k] = sn_four_all(four->low[k][lane]);
        a->four.high[k] = sn_four_all(four->high[k][lane]);
    }
    for (int c = 0; c < nodes; c++) {
        sn_bits node = four->node[c][lane];
        a->four.node[c] = (sn_v4_bits){node, node, node, node};
        for (int k = 0; k < 3; k++) {
            a->four.from[c][k] = sn_four_all(four->from[c][k][lane]);
            a->four.to[c][k] = sn_four_all(four->to[c][k][lane]);
            a->four.rest[c][k] = sn_four_all(four->rest[c][k][lane]);
        }
    }
    a->four.slack = sn_four_all(four->slack[lane]);
    a->four.radius = sn_four_all(four->radius[lane]);
    sn_real about = four->radius[lane] > 0 ? SN_R(1.5) * four->radius[lane] : 1;
    a->about = sn_four_all(about);
    a->inverse = sn_four_all(1 / about);
}

/* m^2: how far their nodes are apart at rest, at least, which is no less than they are. Sets the
   bits of those that have a node in common. */
SN_INLINE sn_v4 sn_feature_rest(const sn_feature_four *a, const sn_feature_four *b, const int mine,
                                const int theirs, sn_v4_bits *joined) {
    sn_v4 least = sn_four_all(SN_INFINITY);
    *joined = (sn_v4_bits){0, 0, 0, 0};
    for (int i = 0; i < mine; i++)
        for (int k = 0; k < theirs; k++) {
            sn_v4 off[3];
            for (int n = 0; n < 3; n++) off[n] = a->rest[i][n] - b->rest[k][n];
            least = sn_four_less(sn_four_dot(off, off), least);
            *joined |= (sn_v4_bits)(a->node[i] == b->node[k]);
        }
    return least;
}

/* Which of four a plane across the line between the middles does not keep further than this (m^2)
   from each other, all along their paths (separation_test.h). */
SN_INLINE sn_v4_bits sn_feature_meets(const sn_feature_four *a, const sn_feature_four *b,
                                      const int mine, const int theirs, sn_v4 far2) {
    sn_v4 line[3], low[2], high[2], zero = {0, 0, 0, 0};
    for (int n = 0; n < 3; n++) {
        sn_v4 one = a->from[0][n], two = b->from[0][n];
        for (int i = 1; i < mine; i++) one += a->from[i][n];
        for (int k = 1; k < theirs; k++) two += b->from[k][n];
        line[n] = (sn_real)theirs * one - (sn_real)mine * two;
    }
    for (int i = 0; i < mine; i++) {
        sn_v4 begin = sn_four_dot(line, a->from[i]), end = sn_four_dot(line, a->to[i]);
        low[0] = i == 0 ? begin : sn_four_less(begin, low[0]);
        low[1] = i == 0 ? end : sn_four_less(end, low[1]);
    }
    for (int k = 0; k < theirs; k++) {
        sn_v4 begin = sn_four_dot(line, b->from[k]), end = sn_four_dot(line, b->to[k]);
        high[0] = k == 0 ? begin : sn_four_more(begin, high[0]);
        high[1] = k == 0 ? end : sn_four_more(end, high[1]);
    }
    sn_v4 gap = sn_four_less(low[0] - high[0], low[1] - high[1]);
    sn_v4 square = far2 * sn_four_dot(line, line);
    return ~((sn_v4_bits)(gap > zero) & (sn_v4_bits)(gap * gap >= square));
}

/* m^2: how far the boxes around paths are apart. */
SN_INLINE sn_v4 sn_feature_gap(const sn_feature_four *a, const sn_feature_four *b) {
    sn_v4 square = {0, 0, 0, 0}, zero = square;
    for (int k = 0; k < 3; k++) {
        sn_v4 gap = sn_four_more(b->low[k] - a->high[k], a->low[k] - b->high[k]);
        gap = sn_four_more(gap, zero);
        square += gap * gap;
    }
    return square;
}

/* Which of four may come near one that asks, by their boxes. */
SN_INLINE sn_v4_bits sn_feature_near(const sn_feature_asker *asker, const sn_feature_four *four) {
    sn_v4 far = (asker->four.slack + four->slack) + (asker->four.radius + four->radius);
    return (sn_v4_bits)(sn_feature_gap(&asker->four, four) <= far * far);
}

/*
 * And by all that is known. Features of a collision surface may come within t of each other, half
 * of what they are apart at rest; with their slack s, within s + t. A root is slow: for any q,
 * t <= (t^2 / q + q) / 2, and so (s + t)^2 <= s^2 + s (t^2 / q + q) + t^2, by little more.
 */
SN_INLINE sn_v4_bits sn_feature_touches(const sn_feature_asker *asker, const sn_feature_four *four,
                                        const int mine, const int theirs) {
    const sn_feature_four *a = &asker->four;
    sn_v4 slack = a->slack + four->slack, radii = a->radius + four->radius, far = slack + radii;
    sn_v4 gap = sn_feature_gap(a, four), far2 = far * far;
    sn_v4_bits near = ~(sn_v4_bits){0, 0, 0, 0};
    if (asker->same) {
        sn_v4 rest2 = SN_R(0.2501) * sn_feature_rest(a, four, mine, theirs, &near);
        sn_v4 most2 = slack * slack + slack * (rest2 * asker->inverse + asker->about) + rest2;
        far2 = sn_four_less(most2, far2);
        near = ~near;
    }
    near &= (sn_v4_bits)(gap <= far2);
    return near & sn_feature_meets(a, four, mine, theirs, far2);
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
