/*
 * Where on a closed surface its volume is corrected (Diziol, Bender and Bayer 2011; survey of
 * 2017, section 5.5.3, eq. 32 and what follows it).
 *
 *   dx_i    = lambda (omega_i w_i g_i - (a + b x r_i))
 *   omega   = (1 - local) + local omega_l
 *   omega_l   in proportion to (1 - opposing) |dx_i| + opposing s_i |dd_i|
 *
 * with dx_i how far a node is from where it would be if the body had only moved and turned since
 * it was at rest, dd_i by how much the distance to its opposite has changed since then, and s_i
 * the weight of the node. Both last as long as the deformation does, so that a body under a load
 * that lasts bulges near it as well. On request they are those of the substep, as in the paper:
 * the weights of a body at rest are then those of its trembling. Weights are smoothed over the
 * edges. They are scaled so that the denominator of the projection is what it is without them:
 * lambda and the compliance then mean what they always do.
 *
 * Weights that are not inverse masses would push the body along. What they do to momentum and
 * angular momentum is a rigid motion, a + b x r, and that is taken off: it does not change the
 * volume, so the denominator stays. The exception is a body that kinematic nodes hold.
 *
 * Nodes that touch something may be spared. What holds them would take away what they were moved
 * by, so the others are moved in their place, and what they touch takes the momentum. That goes
 * for what is new only: the multiplier of the last substep, a pressure that lasts, acts on them as
 * on all, or there would be nothing that they press with.
 *
 * All sums are in double, in the order of the list.
 */
#ifndef SN_CONSTRAINTS_VOLUME_WEIGHTS_H
#define SN_CONSTRAINTS_VOLUME_WEIGHTS_H

#include "constraints/formula.h"
#include "math/match.h"
#include "math/matrix3.h"

/* What the fields ask for. */
typedef struct sn_volume_weights {
    sn_real local, opposing; /* 1 */
    int passes;              /* of smoothing */
    bool spare;              /* whether nodes that touch something stay where they are */
    bool step;               /* whether changes are those of the substep, not of the shape */
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

/* Deformations below this part of the size of the body are all alike. */
#define SN_VOLUME_LEAST SN_R(0.01)

SN_INLINE sn_v4 sn_volume_rest(const sn_list *l, size_t n) {
    return *(const sn_v4 *)&l->rest[n];
}

/* s_i. A list is made of zeros, so that what is kept is what is missing to 1. */
SN_INLINE sn_real sn_volume_weight(const sn_list *l, size_t n) {
    return 1 - l->rest[n].w;
}

/* By how much the distance between a node and its opposite has changed since it was at rest, or
   in this substep. */
static sn_real sn_volume_squeeze(const sn_batch *b, const sn_list *l, bool step, size_t n) {
    if (!(l->c[n] >= 1 && l->c[n] <= (sn_real)l->count)) return 0;
    size_t other = (size_t)l->c[n] - 1;
    sn_v4 now = sn_volume_place(b, l, n, b->d) - sn_volume_place(b, l, other, b->d);
    sn_v4 then = sn_volume_rest(l, n) - sn_volume_rest(l, other);
    if (step) then = sn_volume_place(b, l, n, b->p) - sn_volume_place(b, l, other, b->p);
    sn_real change = sn_v4_length(now) - sn_v4_length(then);
    return change < 0 ? -change : change;
}

/* The rigid motion that takes the shape at rest nearest to where it is: x = centre + R (X - from).
   All nodes count alike. */
typedef struct sn_volume_fit {
    sn_v4 centre, from, axis[3]; /* the columns of R */
    sn_real size;                /* m, the mean distance from the centre at rest */
} sn_volume_fit;

static sn_volume_fit sn_volume_find_fit(const sn_batch *b, const sn_list *l) {
    sn_volume_fit fit = {.size = 0};
    double centre[3] = {0}, from[3] = {0}, a[9] = {0}, q[4] = {0, 0, 0, 1}, r[9], square = 0;
    for (size_t n = 0; n < l->count; n++) {
        sn_v4 y = sn_volume_place(b, l, n, b->d), rest = sn_volume_rest(l, n);
        for (int k = 0; k < 3; k++) {
            centre[k] += (double)y[k];
            from[k] += (double)rest[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        centre[k] /= (double)l->count;
        from[k] /= (double)l->count;
        fit.centre[k] = (sn_real)centre[k];
        fit.from[k] = (sn_real)from[k];
    }
    for (size_t n = 0; n < l->count; n++) {
        sn_v4 y = sn_volume_place(b, l, n, b->d), rest = sn_volume_rest(l, n);
        for (int c = 0; c < 3; c++) {
            double arm = (double)rest[c] - from[c];
            square += arm * arm;
            for (int k = 0; k < 3; k++) a[3 * c + k] += ((double)y[k] - centre[k]) * arm;
        }
    }
    sn_match_rotation(a, q);
    sn_matrix3_of_quat(q, r);
    for (int k = 0; k < 9; k++) fit.axis[k / 3][k % 3] = (sn_real)r[k];
    fit.size = (sn_real)__builtin_sqrt(square / (double)l->count);
    return fit;
}

/* How far a node is from where that takes it. */
static sn_real sn_volume_moved(const sn_batch *b, const sn_list *l, const sn_volume_fit *fit,
                               size_t n) {
    sn_v4 arm = sn_volume_rest(l, n) - fit->from;
    sn_v4 goal =
        fit->centre + (arm[0] * fit->axis[0] + arm[1] * fit->axis[1]) + arm[2] * fit->axis[2];
    return sn_v4_length(sn_volume_place(b, l, n, b->d) - goal);
}

/* Local weights with a mean of 1 go to y[n].x. Nodes that are spared count as the mean, since what
   has deformed them is what they touch. */
static void sn_volume_find_local(const sn_batch *b, sn_list *l, const sn_volume_weights *k) {
    sn_volume_fit fit = {.size = 0};
    double sum = 0;
    size_t count = 0;
    if (!k->step) fit = sn_volume_find_fit(b, l);
    for (size_t n = 0; n < l->count; n++) {
        sn_real by = k->step ? sn_v4_length(sn_at(b->d, l->offset[n]) - sn_at(b->p, l->offset[n]))
                             : sn_volume_moved(b, l, &fit, n);
        sn_real least = SN_VOLUME_LEAST * fit.size;
        if (k->opposing > 0) {
            sn_real s = sn_volume_weight(l, n);
            by = (1 - k->opposing) * by + k->opposing * (s * sn_volume_squeeze(b, l, k->step, n));
            least *= 1 - k->opposing * (1 - s);
        }
        l->y[n].x = by + least;
        if (sn_volume_is_spared(b, l, n, k->spare)) continue;
        sum += (double)l->y[n].x;
        count++;
    }
    sn_real scale = (sn_real)((double)count / sum);
    bool counts = (k->step || fit.size > 0) && sum > 0 && scale - scale == 0;
    for (size_t n = 0; n < l->count; n++) {
        bool local = counts && !sn_volume_is_spared(b, l, n, k->spare);
        l->y[n].x = local ? (1 - k->local) + k->local * (scale * l->y[n].x) : 1;
    }
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

/* Scales weights, which are at the same component of y, to the denominator without them; false
   where that cannot be. */
static bool sn_volume_scale(sn_list *l, const int component, double sum36) {
    double weighed36 = 0;
    for (size_t n = 0; n < l->count; n++) {
        sn_v4 u = *(const sn_v4 *)&l->u[n];
        sn_real omega = (*(const sn_v4 *)&l->y[n])[component];
        weighed36 += (double)(omega * l->w[n] * sn_v4_dot(u, u));
    }
    double scale = sum36 / weighed36;
    if (!(scale > 0 && scale < 1e6)) return false;
    for (size_t n = 0; n < l->count; n++) (*(sn_v4 *)&l->y[n])[component] *= (sn_real)scale;
    return true;
}

/* Weights in y[n].x, once six times the gradients are in l->u; sum36 is the denominator without
   them. */
static void sn_volume_weigh(const sn_batch *b, sn_list *l, const sn_volume_weights *k,
                            double sum36) {
    bool local = k->local > 0;
    if (local) sn_volume_find_local(b, l, k);
    for (int pass = 0; local && pass < k->passes; pass++) sn_volume_smooth(l);
    if (local && sn_volume_scale(l, 0, sum36)) return;
    for (size_t n = 0; n < l->count; n++) l->y[n].x = 1;
}

/* The same for what is new, in y[n].w, of those that are not spared. False where nobody or
   everybody is: there the former weights must do. */
static bool sn_volume_spare(const sn_batch *b, sn_list *l, double sum36) {
    bool any = false;
    if (!b->touched) return false;
    for (size_t n = 0; n < l->count; n++) {
        bool spared = sn_volume_is_spared(b, l, n, true);
        any |= spared;
        l->y[n].w = spared ? 0 : l->y[n].x;
    }
    return any && sn_volume_scale(l, 3, sum36);
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
static bool sn_volume_is_held(const sn_list *l) {
    for (size_t n = 0; n < l->count; n++)
        if (!(l->w[n] > 0)) return true;
    return false;
}

/* The rigid motion in the corrections omega w u, with weights in y[n].x. */
static sn_volume_drift sn_volume_find_drift(const sn_batch *b, const sn_list *l) {
    sn_volume_drift drift = {.any = !sn_volume_is_held(l)};
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

/* Adds the corrections for multipliers of six times `sixth`, with the weights for all nodes, and
   of six times `spared`, with those for what is new. */
static void sn_volume_move(const sn_batch *b, const sn_list *l, sn_real sixth, sn_real spared,
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
        if (spared != 0)
            move = sixth * move + (spared * l->y[n].w) * plain;
        else
            move = sixth * move;
        *sn_in(b->out, l->offset[n]) += move;
    }
}

#endif
