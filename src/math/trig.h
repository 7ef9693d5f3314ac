/*
 * The arc tangent of lanes, from + - * / and comparisons, so that every machine gives the same bits
 * at every width, unlike the C library.
 *
 *   |y| / |x| is brought into [0, 1] by exchanging the two, and then into |t| <= tan(pi / 8) by
 *   atan(a / b) = pi / 4 + atan((a - b) / (a + b)), where one division serves both;
 *   atan t = t + t^3 Q(t^2), Q the polynomial with the least largest error in that range.
 *
 * The error of the polynomial is 4.9e-9 in float and 7.6e-18 in double; with the rounding of what
 * is around it the result is within 3e-7 and 1e-15 of the angle, and within 2 epsilon of it in
 * proportion where |y| < 0.4 x. (Where both numbers are denormal, within 4e-6 and 1e-11.)
 */
#ifndef SN_MATH_TRIG_H
#define SN_MATH_TRIG_H

#include "math/lanes.h"

#define SN_PI SN_R(3.14159265358979323846)
#define SN_TAN_PI_8 SN_R(0.41421356237309504880)

/* The coefficients of Q, the highest power first. */
static const sn_real sn_atan_terms[] = {
#ifdef SN_DOUBLE
    0.02066013526144066935,  -0.043059492399983896388, 0.056724275880464080138,
    -0.06636883200832580856, 0.076895247212683739853,  -0.09090738870922779031,
    0.11111104506537072097,  -0.14285714133664441422,  0.19999999998183232907,
    -0.33333333333325189364,
#else
    0.0790261541588f,
    -0.138244603219f,
    0.199718800591f,
    -0.333327566929f,
#endif
};

enum { SN_ATAN_TERMS = sizeof sn_atan_terms / sizeof *sn_atan_terms };

/*
 * The angle of (x, y) from the x axis, from -pi to pi, for finite numbers with a finite |x| + |y|.
 * Zeros have no sign here: the negative x axis is at +pi, and the angle of (0, 0) is 0.
 */
SN_INLINE sn_lane sn_lane_atan2(sn_lane y, sn_lane x) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane across = sn_lane_if_less(x, zero, -x, x), up = sn_lane_if_less(y, zero, -y, y);
    sn_lane low = sn_lane_min(across, up), high = sn_lane_max(across, up);

    sn_lane limit = SN_TAN_PI_8 * high;
    sn_lane over = sn_lane_if_less(limit, low, low - high, low);
    sn_lane under = sn_lane_if_less(limit, low, low + high, high);
    sn_lane base = sn_lane_if_less(limit, low, sn_lane_all(SN_PI / 4), zero);
    sn_lane t = over / sn_lane_if_less(zero, under, under, one);

    sn_lane square = t * t, q = sn_lane_all(sn_atan_terms[0]);
    for (int i = 1; i < SN_ATAN_TERMS; i++) q = q * square + sn_atan_terms[i];
    sn_lane angle = base + (t + t * (square * q));

    angle = sn_lane_if_less(across, up, SN_PI / 2 - angle, angle);
    angle = sn_lane_if_less(x, zero, SN_PI - angle, angle);
    return sn_lane_if_less(y, zero, -angle, angle);
}

#endif
