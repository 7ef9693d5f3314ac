/*
 * Friction without a couple.
 *
 * Friction acts across the normal, on points of two sides that are a thickness apart: f on the one
 * and -f on the other are a couple, arm x f, which nothing in the world has made. So the nodes of
 * the sides get forces for the moment beside those for f. With rho_k from the middle of its side to
 * a node, M = sum (rho^2 1 - rho rho^T) over both sides, and theta = M^-1 (arm x f),
 *
 *   F_k = b_k f - theta x rho_k
 *
 * are the least forces whose sum is zero and whose moment is too. They are as good as normal to the
 * sides, and hardly change how easily these move across.
 *
 * A triangle carries any moment; two edges that cross share it, as none carries one about itself.
 * No force is much larger than f: where nodes lie closer together than the arm is long, or edges
 * are nearly parallel, M is made larger, and a part of the couple stays. A part of it stays where
 * one side is much heavier than the other as well, such as a particle of water on light cloth: the
 * light nodes would be thrown farther by its forces than anything has slid. All of it stays between
 * two points, and where a rope or a rod is concerned: it would have to be twisted by its share, and
 * a limp rope that took all of it would roll off another as from a pulley.
 */
#ifndef SN_CONTACT_COUPLE_H
#define SN_CONTACT_COUPLE_H

#include "contact/contact_set.h"
#include "math/lanes.h"

typedef struct sn_couple {
    sn_lane3 arm;                        /* m, from the point of the second side to the first's */
    sn_lane3 rho[SN_CONTACT_MOST_NODES]; /* m */
    sn_lane3 row[3];                     /* 1/m^2, M^-1 */
} sn_couple;

/* Nodes of one side from its middle. */
SN_INLINE void sn_couple_side(sn_couple *c, const sn_lane3 *x, const int begin, const int end) {
    sn_lane3 middle = x[begin];
    for (int k = begin + 1; k < end; k++) middle = sn_lane3_add(middle, x[k]);
    middle = sn_lane3_scale(sn_lane_all(SN_R(1.0) / (sn_real)(end - begin)), middle);
    for (int k = begin; k < end; k++) c->rho[k] = sn_lane3_sub(x[k], middle);
}

/* M^-1 of what has the square moments a, and the mixed ones b of yz, zx and xy. */
SN_INLINE void sn_couple_invert(sn_couple *c, sn_lane3 a, sn_lane3 b) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane all = a.x + a.y + a.z, size = sn_lane_if_less(zero, all, one / all, zero);
    /* What has no extent at all is not to become infinite. */
    sn_lane least =
        sn_lane_max(SN_R(0.125) * sn_lane3_dot(c->arm, c->arm) * size, sn_lane_all(SN_R(1e-6)));
    a = sn_lane3_scale(size, a);
    b = sn_lane3_scale(size, b);
    /* The least of three moments is at least the determinant over the sum of the minors. */
    sn_lane minor = (a.y * a.z - b.x * b.x) + (a.z * a.x - b.y * b.y) + (a.x * a.y - b.z * b.z);
    sn_lane det = a.x * (a.y * a.z - b.x * b.x) - b.z * (b.z * a.z - b.x * b.y) +
                  b.y * (b.z * b.x - a.y * b.y);
    sn_lane more = least - sn_lane_if_less(zero, minor, det / minor, zero);
    more = sn_lane_max(more, zero);
    a = sn_lane3_add(a, (sn_lane3){more, more, more});
    sn_lane3 x = {a.y * a.z - b.x * b.x, b.x * b.y - b.z * a.z, b.z * b.x - b.y * a.y};
    sn_lane3 y = {x.y, a.z * a.x - b.y * b.y, b.y * b.z - b.x * a.x};
    sn_lane3 z = {x.z, y.z, a.x * a.y - b.z * b.z};
    det = a.x * x.x + b.z * x.y + b.y * x.z;
    sn_lane scale = sn_lane_if_less(zero, det, size / det, zero);
    c->row[0] = sn_lane3_scale(scale, x);
    c->row[1] = sn_lane3_scale(scale, y);
    c->row[2] = sn_lane3_scale(scale, z);
}

/* M^-1 of a pair of four nodes at x. */
SN_INLINE void sn_couple_of(sn_couple *c, const int kind, const sn_lane3 *x) {
    sn_lane zero = sn_lane_all(0);
    sn_lane3 a = {zero, zero, zero}, b = a;
    const int first = kind == SN_CONTACT_EDGE_EDGE ? 2 : 1;
    sn_couple_side(c, x, 0, first);
    sn_couple_side(c, x, first, SN_CONTACT_MOST_NODES);
    for (int k = 0; k < SN_CONTACT_MOST_NODES; k++) {
        sn_lane3 r = c->rho[k];
        sn_lane xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z;
        a = sn_lane3_add(a, (sn_lane3){yy + zz, zz + xx, xx + yy});
        b = sn_lane3_sub(b, (sn_lane3){r.y * r.z, r.z * r.x, r.x * r.y});
    }
    sn_couple_invert(c, a, b);
}

/* The part of the couple that is taken: all of it, or so much that no node goes farther by its
   force than the two go across each other by f, which is by as much as they are easy to move; more
   of it the more both sides are as heavy as each other, where no force goes so far. */
SN_INLINE sn_lane sn_couple_part(const int kind, sn_lane3 arm, sn_lane3 moment,
                                 const sn_lane3 *turn, const sn_lane *w, const sn_lane *b) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), most = zero, ease[2] = {zero, zero};
    const int first = kind == SN_CONTACT_EDGE_EDGE ? 2 : 1;
    for (int k = 0; k < SN_CONTACT_MOST_NODES; k++) {
        ease[k >= first] += w[k] * (b[k] * b[k]);
        most = sn_lane_max(most, (w[k] * w[k]) * sn_lane3_dot(turn[k], turn[k]));
    }
    sn_lane far = (ease[0] + ease[1]) + 3 * sn_lane_min(ease[0], ease[1]);
    far = (far * far) * sn_lane3_dot(moment, moment);
    most = most * sn_lane3_dot(arm, arm);
    return sn_lane_if_less(far, most, sn_lane_sqrt(far / sn_lane_max(most, far)), one);
}

/* Takes the moment of f on the first side and -f on the second out of the forces on four nodes. */
SN_INLINE void sn_couple_remove(const int kind, const sn_lane3 *x, sn_lane3 arm, sn_lane3 f,
                                const sn_lane *w, const sn_lane *b, sn_lane3 *force) {
    sn_couple c;
    c.arm = arm;
    sn_couple_of(&c, kind, x);
    sn_lane3 m = sn_lane3_cross(arm, f), turn[SN_CONTACT_MOST_NODES];
    sn_lane3 theta = {sn_lane3_dot(c.row[0], m), sn_lane3_dot(c.row[1], m),
                      sn_lane3_dot(c.row[2], m)};
    for (int k = 0; k < SN_CONTACT_MOST_NODES; k++) turn[k] = sn_lane3_cross(theta, c.rho[k]);
    sn_lane part = sn_couple_part(kind, arm, m, turn, w, b);
    for (int k = 0; k < SN_CONTACT_MOST_NODES; k++)
        force[k] = sn_lane3_sub(force[k], sn_lane3_scale(part, turn[k]));
}

#endif
