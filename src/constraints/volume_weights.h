/*
 * Where on a closed surface its volume is corrected (Diziol, Bender and Bayer 2011; survey of
 * position based methods, section 5.5.3).
 *
 *   dx_i = lambda (omega_i w_i g_i - (a + b x r_i)),   omega = (1 - local) + local omega_l
 *   omega_l  in proportion to  (1 - opposing) |dx_i| + opposing |dd_i|
 *
 * with dx_i how far a node has moved in this substep, relative to all of them, and dd_i by how much
 * the distance to its opposite has changed. Weights are smoothed over the edges. They are scaled so
 * that the denominator of the projection is what it is without them: lambda and the compliance then
 * mean what they always do.
 *
 * Weights that are not inverse masses would push the body along. What they do to momentum and
 * angular momentum is a rigid motion, a + b x r, and that is taken off: it does not change the
 * volume, so the denominator stays. The exception is a body that something holds, by kinematic
 * nodes or by nodes that are spared because they touch: what holds it takes the momentum.
 *
 * Only what is new is weighed: the multiplier of the last substep is applied by inverse masses, the
 * rest of this one's by weights. A pressure that lasts would otherwise push whatever moves, and a
 * body under load would begin to tremble by itself.
 *
 * All sums are in double, in the order of the list.
 */
#ifndef SN_CONSTRAINTS_VOLUME_WEIGHTS_H
#define SN_CONSTRAINTS_VOLUME_WEIGHTS_H

#include "constraints/formula.h"

/* What the fields ask for. */
typedef struct sn_volume_weights {
    sn_real local, opposing; /* 1 */
    int passes;              /* of smoothing */
    bool spare;              /* whether nodes that touch something stay where they are */
} sn_volume_weights;

/* What is taken off each correction, for a multiplier of 1. */
typedef struct sn_volume_drift {
    bool any;
    double centre[3], shift[3], turn[3];
} sn_volume_drift;

SN_INLINE sn_v4 sn_volume_place(const sn_batch *b, const sn_list *l, size_t n, const sn_vec4 *d) {
    return (sn_at(b->x, l->offset[n]) - sn_at(b->x, l->offset[0])) +
           (sn_at(d, l->offset[n]) - sn_at(d, l->offset[0]));
}

SN_INLINE bool sn_volume_is_spared(const sn_batch *b, const sn_list *l, size_t n, bool spare) {
    return spare && b->touched && b->touched[l->offset[n] / SN_NODE_BYTES];
}

/* By how much the distance between a node and its opposite has changed. */
static sn_real sn_volume_squeeze(const sn_batch *b, const sn_list *l, size_t n) {
    if (!(l->c[n] >= 1 && l->c[n] <= (sn_real)l->count)) return 0;
    size_t other = (size_t)l->c[n];
    sn_v4 now = sn_volume_place(b, l, n, b->d) - sn_volume_place(b, l, other - 1, b->d);
    sn_v4 then = sn_volume_place(b, l, n, b->p) - sn_volume_place(b, l, other - 1, b->p);
    sn_real change = SN_ROOT(sn_v4_dot(now, now)) - SN_ROOT(sn_v4_dot(then, then));
    return change < 0 ? -change : change;
}

/* The mean motion of the nodes that have a mass. */
static sn_v4 sn_volume_motion(const sn_batch *b, const sn_list *l) {
    double mass = 0, sum[3] = {0};
    for (size_t n = 0; n < l->count; n++) {
        if (!(l->w[n] > 0)) continue;
        sn_v4 motion = sn_at(b->d, l->offset[n]) - sn_at(b->p, l->offset[n]);
        double m = 1 / (double)l->w[n];
        mass += m;
        for (int k = 0; k < 3; k++) sum[k] += m * (double)motion[k];
    }
    if (!(mass > 0)) return (sn_v4){0};
    return (sn_v4){(sn_real)(sum[0] / mass), (sn_real)(sum[1] / mass), (sn_real)(sum[2] / mass), 0};
}

/* Local weights with a mean of 1 go to y[n].x; all alike where nothing has moved. */
static void sn_volume_find_local(const sn_batch *b, sn_list *l, const sn_volume_weights *k) {
    sn_v4 mean = sn_volume_motion(b, l);
    double sum = 0;
    for (size_t n = 0; n < l->count; n++) {
        sn_v4 motion = sn_at(b->d, l->offset[n]) - sn_at(b->p, l->offset[n]) - mean;
        sn_real moved = SN_ROOT(sn_v4_dot(motion, motion));
        if (k->opposing > 0)
            moved = (1 - k->opposing) * moved + k->opposing * sn_volume_squeeze(b, l, n);
        l->y[n].x = moved;
        sum += (double)moved;
    }
    sn_real scale = (sn_real)((double)l->count / sum);
    bool counts = sum > 0 && scale - scale == 0;
    for (size_t n = 0; n < l->count; n++)
        l->y[n].x = counts ? (1 - k->local) + k->local * (scale * l->y[n].x) : 1;
}

/* Half of each weight, and half of the mean of its neighbours. On a closed surface every edge is a
   side of two triangles, so that a neighbour counts twice, and there are as many as triangles. */
static void sn_volume_smooth(sn_list *l) {
    for (size_t n = 0; n < l->count; n++) l->y[n].y = l->y[n].z = 0;
    for (size_t t = 0; t < l->triangles; t++) {
        const uint32_t *corner = l->triangle + 3 * t;
        for (int k = 0; k < 3; k++) {
            sn_vec4 *own = &l->y[corner[k]];
            own->y += l->y[corner[(k + 1) % 3]].x + l->y[corner[(k + 2) % 3]].x;
            own->z += 2;
        }
    }
    for (size_t n = 0; n < l->count; n++)
        if (l->y[n].z > 0) l->y[n].x = SN_R(0.5) * (l->y[n].x + l->y[n].y / l->y[n].z);
}

/*
 * Weights in y[n].x, once six times the gradients are in l->u; sum36 is the denominator without
 * weights. False where all nodes are spared: there the plain correction must do.
 */
static bool sn_volume_weigh(const sn_batch *b, sn_list *l, const sn_volume_weights *k,
                            double sum36) {
    sn_volume_find_local(b, l, k);
    for (int pass = 0; pass <= k->passes; pass++) {
        if (pass > 0) sn_volume_smooth(l);
        for (size_t n = 0; n < l->count; n++)
            if (sn_volume_is_spared(b, l, n, k->spare)) l->y[n].x = 0;
    }
    double weighed36 = 0;
    for (size_t n = 0; n < l->count; n++) {
        sn_v4 u = *(const sn_v4 *)&l->u[n];
        weighed36 += (double)(l->y[n].x * l->w[n] * sn_v4_dot(u, u));
    }
    double scale = sum36 / weighed36;
    if (!(scale > 0 && scale < 1e6)) return false;
    for (size_t n = 0; n < l->count; n++) l->y[n].x *= (sn_real)scale;
    return true;
}

/* ---- Momentum ---- */

/* x with a x = b, of an inertia; no turn where it is that of a line or a point. */
static void sn_volume_solve(const double a[6], const double b[3], double x[3]) {
    double xx = a[0], yy = a[1], zz = a[2], yz = a[3], zx = a[4], xy = a[5];
    double trace = xx + yy + zz;
    double i = yy * zz - yz * yz, j = yz * zx - xy * zz, k = xy * yz - yy * zx;
    double det = xx * i + xy * j + zx * k;
    x[0] = x[1] = x[2] = 0;
    if (!(det > 1e-12 * trace * trace * trace)) return;
    double e = xx * zz - zx * zx, f = xy * zx - xx * yz, g = xx * yy - xy * xy;
    x[0] = (i * b[0] + j * b[1] + k * b[2]) / det;
    x[1] = (j * b[0] + e * b[1] + f * b[2]) / det;
    x[2] = (k * b[0] + f * b[1] + g * b[2]) / det;
}

/* Whether something takes the momentum of the body. */
static bool sn_volume_is_held(const sn_batch *b, const sn_list *l, bool spare) {
    for (size_t n = 0; n < l->count; n++)
        if (!(l->w[n] > 0) || sn_volume_is_spared(b, l, n, spare)) return true;
    return false;
}

/* The rigid motion in the corrections omega w u, with weights in y[n].x. */
static sn_volume_drift sn_volume_find_drift(const sn_batch *b, const sn_list *l, bool spare) {
    sn_volume_drift drift = {.any = !sn_volume_is_held(b, l, spare)};
    double mass = 0, inertia[6] = {0}, momentum[3] = {0};
    if (!drift.any) return drift;
    for (size_t n = 0; n < l->count; n++) {
        sn_v4 y = sn_volume_place(b, l, n, b->d), u = *(const sn_v4 *)&l->u[n];
        double m = 1 / (double)l->w[n];
        mass += m;
        for (int k = 0; k < 3; k++) {
            drift.centre[k] += m * (double)y[k];
            drift.shift[k] += (double)l->y[n].x * (double)u[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        drift.centre[k] /= mass;
        drift.shift[k] /= mass;
    }
    for (size_t n = 0; n < l->count; n++) {
        sn_v4 y = sn_volume_place(b, l, n, b->d), u = *(const sn_v4 *)&l->u[n];
        double m = 1 / (double)l->w[n], omega = (double)l->y[n].x, r[3], f[3];
        for (int k = 0; k < 3; k++) {
            r[k] = (double)y[k] - drift.centre[k];
            f[k] = omega * (double)u[k];
        }
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            momentum[k] += r[i] * f[j] - r[j] * f[i];
            inertia[k] += m * (r[i] * r[i] + r[j] * r[j]);
            inertia[3 + k] -= m * r[i] * r[j];
        }
    }
    sn_volume_solve(inertia, momentum, drift.turn);
    return drift;
}

/* Adds the corrections: weighed for a multiplier of six times `sixth`, plain for `lasting`. */
static void sn_volume_move(const sn_batch *b, const sn_list *l, sn_real sixth, sn_real lasting,
                           const sn_volume_drift *drift) {
    sn_v4 shift = {0}, turn = {0}, centre = {0};
    for (int k = 0; k < 3; k++) {
        shift[k] = (sn_real)drift->shift[k];
        turn[k] = (sn_real)drift->turn[k];
        centre[k] = (sn_real)drift->centre[k];
    }
    /* Where each node is must be found before any of them moves. */
    sn_v4 x0 = sn_at(b->x, l->offset[0]), d0 = sn_at(b->d, l->offset[0]);
    for (size_t n = 0; n < l->count; n++) {
        sn_v4 plain = l->w[n] * *(const sn_v4 *)&l->u[n], move = l->y[n].x * plain;
        if (drift->any) {
            sn_v4 y = (sn_at(b->x, l->offset[n]) - x0) + (sn_at(b->d, l->offset[n]) - d0);
            move -= shift + sn_v4_cross(turn, y - centre);
        }
        *sn_in(b->out, l->offset[n]) += sixth * move + lasting * plain;
    }
}

#endif
