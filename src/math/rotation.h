/*
 * The rotation that is nearest to a matrix: R that makes tr(R^T A) largest, which is the rotation
 * of the polar decomposition where det A > 0, and the best proper rotation where it is not.
 *
 * With B = R^T A, turning R by a small vector u of its own frame changes the trace by
 *
 *     t . u - u . H u / 2,   t = (B_zy - B_yz, B_xz - B_zx, B_yx - B_xy),   H = tr(B) 1 - sym(B).
 *
 * t is the sum of r_i x a_i of Mueller et al. 2016, "A Robust Method to Extract the Rotational Part
 * of Deformations", and u = H^-1 t the Newton step of Kugelstadt, Koschier and Bender 2018, "Fast
 * Corotated FEM using Operator Splitting" (APD), which converges with the third power. H is
 * positive definite near the best rotation and nowhere near the other places where t is zero. Where
 * it is not (cold starts, A turned inside out, A of rank one), something is added to its diagonal
 * that makes it so: an axis between that of Newton and that of Mueller.
 *
 * The angle about an axis u is neither |u| nor |t| / tr(B): along it the trace is a cos + b sin of
 * the angle, with a = u . H u / |u|^2 and b = u . t / |u|, so the best one is known. Its half, as a
 * quaternion, is (u b / |u|, a + sqrt(a^2 + b^2)) but for the length: no sines, and no step makes
 * the trace smaller.
 *
 * Where t is zero and H is not positive, as for A = 1 and R a half turn, nothing says where to
 * go: a fixed turn leaves such a place.
 *
 * A lane that is done keeps its bits while others go on, so no lane depends on its neighbours.
 */
#ifndef SN_MATH_ROTATION_H
#define SN_MATH_ROTATION_H

#include "math/lanes.h"

#ifdef SN_DOUBLE
#define SN_ROTATION_LEAST 1e-290 /* a matrix with no number above this is zero */
#define SN_ROTATION_PIVOT 1e-13  /* with a smaller determinant H is taken for singular */
#define SN_ROTATION_CLOSE2 1e-10 /* after a Newton step of this tan^2 the rest is rounding */
#define SN_ROTATION_STILL2 1e-31 /* after another step of this tan^2 */
#define SN_ROTATION_STUCK 1e-28  /* |t|^2 at which t says nothing */
#else
#define SN_ROTATION_LEAST 1e-36f
#define SN_ROTATION_PIVOT 1e-5f
#define SN_ROTATION_CLOSE2 1e-5f
#define SN_ROTATION_STILL2 1e-13f
#define SN_ROTATION_STUCK 1e-12f
#endif

/* Least eigenvalue of H after something was added to it, where the largest number of A is 1. */
#define SN_ROTATION_MARGIN SN_R(0.1)

/* Steps that are enough from anywhere; where the last rotation is near, one or two are taken. */
enum { SN_ROTATION_STEPS = 24 };

typedef enum sn_rotation_axis {
    SN_ROTATION_NEWTON,
    SN_ROTATION_MUELLER /* t alone: slower, for comparison */
} sn_rotation_axis;

/* A symmetric matrix with its cofactors on the diagonal and its determinant. */
typedef struct sn_rotation_slope {
    sn_lane3 t;
    sn_lane3 diagonal, side; /* H: xx, yy, zz and yz, zx, xy */
    sn_lane3 minor;
    sn_lane det;
} sn_rotation_slope;

/* Minors and determinant of H with `more` on its diagonal. */
SN_INLINE void sn_rotation_minors(sn_rotation_slope *s, sn_lane more) {
    sn_lane xx = s->diagonal.x + more, yy = s->diagonal.y + more, zz = s->diagonal.z + more;
    sn_lane yz = s->side.x, zx = s->side.y, xy = s->side.z;
    s->minor = (sn_lane3){yy * zz - yz * yz, zz * xx - zx * zx, xx * yy - xy * xy};
    s->det = (xx * s->minor.x + xy * (yz * zx - xy * zz)) + zx * (xy * yz - yy * zx);
}

SN_INLINE sn_rotation_slope sn_rotation_slope_at(const sn_lane3 a[3], sn_lane4 q) {
    sn_lane3 r[3];
    sn_lane half = sn_lane_all(SN_R(0.5));
    sn_lane4_axes(q, r);
    sn_lane b_xx = sn_lane3_dot(r[0], a[0]), b_yx = sn_lane3_dot(r[1], a[0]);
    sn_lane b_zx = sn_lane3_dot(r[2], a[0]), b_xy = sn_lane3_dot(r[0], a[1]);
    sn_lane b_yy = sn_lane3_dot(r[1], a[1]), b_zy = sn_lane3_dot(r[2], a[1]);
    sn_lane b_xz = sn_lane3_dot(r[0], a[2]), b_yz = sn_lane3_dot(r[1], a[2]);
    sn_lane b_zz = sn_lane3_dot(r[2], a[2]);
    sn_rotation_slope s = {
        .t = {b_zy - b_yz, b_xz - b_zx, b_yx - b_xy},
        .diagonal = {b_yy + b_zz, b_zz + b_xx, b_xx + b_yy},
        .side = {-half * (b_yz + b_zy), -half * (b_zx + b_xz), -half * (b_xy + b_yx)},
    };
    sn_rotation_minors(&s, sn_lane_all(0));
    return s;
}

/* Above zero where H is positive definite by more than rounding. */
SN_INLINE sn_lane sn_rotation_positive(const sn_rotation_slope *s) {
    return sn_lane_min(sn_lane_min(s->diagonal.x, s->minor.z), s->det - SN_ROTATION_PIVOT);
}

/* Below zero where H has a direction in which the trace grows both ways. */
SN_INLINE sn_lane sn_rotation_saddle(const sn_rotation_slope *s) {
    sn_lane3 h = s->diagonal, m = s->minor;
    sn_lane least = sn_lane_min(sn_lane_min(h.x, h.y), h.z);
    least = sn_lane_min(sn_lane_min(m.x, m.y), sn_lane_min(m.z, least));
    return sn_lane_min(least, s->det) + SN_R(1e-4);
}

/* What makes H positive: no eigenvalue is below its mean less twice this root. */
SN_INLINE sn_lane sn_rotation_shift(const sn_rotation_slope *s) {
    sn_lane mean = (s->diagonal.x + s->diagonal.y + s->diagonal.z) * SN_R(0.333333333333333333);
    sn_lane3 off = {s->diagonal.x - mean, s->diagonal.y - mean, s->diagonal.z - mean};
    sn_lane square = sn_lane3_dot(off, off) + 2 * sn_lane3_dot(s->side, s->side);
    sn_lane least = mean - 2 * sn_lane_sqrt(square * SN_R(0.166666666666666667));
    return SN_ROTATION_MARGIN - sn_lane_min(least, sn_lane_all(0));
}

/* (H + more)^-1 t, with the minors of that matrix. */
SN_INLINE sn_lane3 sn_rotation_solve(const sn_rotation_slope *s, sn_lane more) {
    sn_lane3 h = s->diagonal, t = s->t;
    sn_lane yz = s->side.x, zx = s->side.y, xy = s->side.z, zero = sn_lane_all(0);
    sn_lane m_yz = zx * xy - (h.x + more) * yz, m_zx = xy * yz - (h.y + more) * zx;
    sn_lane m_xy = yz * zx - (h.z + more) * xy;
    sn_lane3 u = {(s->minor.x * t.x + m_xy * t.y) + m_zx * t.z,
                  (m_xy * t.x + s->minor.y * t.y) + m_yz * t.z,
                  (m_zx * t.x + m_yz * t.y) + s->minor.z * t.z};
    return sn_lane3_scale(1 / sn_lane_if_less(zero, s->det, s->det, sn_lane_all(1)), u);
}

/* a |u| / b for the angle about u. */
SN_INLINE sn_lane sn_rotation_reach(const sn_rotation_slope *s, sn_lane3 u) {
    sn_lane3 h = s->diagonal;
    sn_lane3 hu = {(h.x * u.x + s->side.z * u.y) + s->side.y * u.z,
                   (s->side.z * u.x + h.y * u.y) + s->side.x * u.z,
                   (s->side.y * u.x + s->side.x * u.y) + h.z * u.z};
    sn_lane zero = sn_lane_all(0), along = sn_lane3_dot(u, s->t);
    return sn_lane3_dot(u, hu) / sn_lane_if_less(zero, along, along, sn_lane_all(1));
}

/* The axis where H is not positive, or where Mueller's is asked for; its reach. */
SN_INLINE sn_lane3 sn_rotation_away(sn_rotation_slope *s, sn_rotation_axis axis, sn_lane *reach) {
    sn_lane3 u = s->t;
    if (axis == SN_ROTATION_NEWTON) {
        sn_lane more = sn_rotation_shift(s);
        sn_rotation_minors(s, more);
        u = sn_rotation_solve(s, more);
    }
    *reach = sn_rotation_reach(s, u);
    return u;
}

/* The turn by which q is improved, not yet of unit length. `left` is not above zero where it is the
   last that is needed. */
SN_INLINE sn_lane4 sn_rotation_turn(sn_rotation_slope *s, sn_rotation_axis axis, sn_lane *left) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), good = sn_rotation_positive(s);
    sn_lane t2 = sn_lane3_dot(s->t, s->t), reach = one, close2 = sn_lane_all(SN_ROTATION_CLOSE2);
    sn_lane stuck = sn_lane_if_less(t2, sn_lane_all(SN_ROTATION_STUCK), one, zero);
    stuck = sn_lane_if_less(sn_rotation_saddle(s), zero, stuck, zero);
    sn_lane told = sn_lane_if_less(t2, sn_lane_all(SN_ROTATION_STUCK), good, one);
    sn_lane3 u = sn_rotation_solve(s, zero);
    if (axis == SN_ROTATION_MUELLER) good = zero;
    if (sn_lane_any_less(good, sn_lane_all(SN_ROTATION_LEAST))) {
        sn_lane other;
        sn_lane3 away = sn_rotation_away(s, axis, &other);
        u = sn_lane3_if_less(zero, good, u, away);
        reach = sn_lane_if_less(zero, good, reach, other);
        close2 = sn_lane_if_less(zero, good, close2, sn_lane_all(SN_ROTATION_STILL2));
        /* Where t is rounding it must not turn R about what A does not decide. */
        u = sn_lane3_if_less(zero, told, u, (sn_lane3){zero, zero, zero});
        reach = sn_lane_if_less(zero, told, reach, one);
    }
    /* A reach below zero is a turn by more than a right angle. */
    sn_lane u2 = sn_lane3_dot(u, u), r = sn_lane_sqrt(reach * reach + u2);
    sn_lane w =
        sn_lane_if_less(reach, zero, u2 / sn_lane_if_less(reach, zero, r - reach, one), reach + r);
    *left = sn_lane_if_less(zero, reach, u2 - close2 * (reach * reach), one);
    *left = sn_lane_if_less(zero, stuck, one, *left);
    sn_lane3 fixed = {sn_lane_all(SN_R(0.13)), sn_lane_all(SN_R(0.23)), sn_lane_all(SN_R(0.31))};
    return (sn_lane4){sn_lane3_if_less(zero, stuck, fixed, u),
                      sn_lane_if_less(zero, stuck, one, w)};
}

/* A with its largest number 1, so that neither masses nor sizes matter; zero where A is. */
SN_INLINE void sn_rotation_scaled(const sn_lane3 a[3], sn_lane3 out[3]) {
    sn_lane most = sn_lane_all(0), least = sn_lane_all(SN_ROTATION_LEAST);
    for (int i = 0; i < 3; i++) {
        sn_lane up = sn_lane_max(sn_lane_max(a[i].x, a[i].y), a[i].z);
        sn_lane down = sn_lane_min(sn_lane_min(a[i].x, a[i].y), a[i].z);
        most = sn_lane_max(most, sn_lane_max(up, -down));
    }
    sn_lane one = sn_lane_all(1), safe = sn_lane_if_less(least, most, most, one);
    sn_lane scale = sn_lane_if_less(least, most, one / safe, sn_lane_all(0));
    for (int i = 0; i < 3; i++) out[i] = sn_lane3_scale(scale, a[i]);
}

/*
 * The rotation that is nearest to the matrix with the columns a, as a unit quaternion, from q,
 * which should be the rotation of the last time or any other. At most `steps` steps are taken. A
 * matrix of zeros leaves q as it is, and so does one that is not finite; one of rank one or two
 * leaves undecided what it cannot decide.
 */
SN_INLINE sn_lane4 sn_rotation_steps(const sn_lane3 a[3], sn_lane4 q, int steps,
                                     sn_rotation_axis axis) {
    sn_lane3 scaled[3];
    sn_lane zero = sn_lane_all(0), left = sn_lane_all(1);
    sn_rotation_scaled(a, scaled);
    for (int i = 0; i < steps && sn_lane_any_less(zero, left); i++) {
        sn_rotation_slope s = sn_rotation_slope_at(scaled, q);
        sn_lane more, go = left;
        sn_lane4 turn = sn_rotation_turn(&s, axis, &more);
        sn_lane4 next = sn_lane4_mul(q, turn);
        sn_lane square = sn_lane3_dot(next.v, next.v) + next.w * next.w;
        /* Nothing to go by, or not finite: as it is. */
        sn_lane known = sn_lane_if_less(sn_lane_all(SN_ROTATION_LEAST), square, go, zero);
        known = sn_lane_if_less(square, sn_lane_all(SN_REAL_MAX), known, zero);
        sn_lane inverse = 1 / sn_lane_sqrt(sn_lane_if_less(zero, known, square, sn_lane_all(1)));
        q.v.x = sn_lane_if_less(zero, known, inverse * next.v.x, q.v.x);
        q.v.y = sn_lane_if_less(zero, known, inverse * next.v.y, q.v.y);
        q.v.z = sn_lane_if_less(zero, known, inverse * next.v.z, q.v.z);
        q.w = sn_lane_if_less(zero, known, inverse * next.w, q.w);
        left = sn_lane_if_less(zero, known, more, zero);
    }
    return q;
}

/* The same with as many steps as it takes. */
SN_INLINE sn_lane4 sn_rotation_of(const sn_lane3 a[3], sn_lane4 q) {
    return sn_rotation_steps(a, q, SN_ROTATION_STEPS, SN_ROTATION_NEWTON);
}

#endif
