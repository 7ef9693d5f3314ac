#include "math/root.h"

/* y^n by squaring. */
static double power(double y, int n) {
    double result = 1;
    for (; n > 0; n >>= 1, y *= y)
        if (n & 1) result *= y;
    return result;
}

/*
 * Bisection over (0, 1): y^n is monotone, and halving 64 times ends at neighbouring numbers,
 * without the overflow and the slow start of Newton's method when n is large. Not in the hot loop.
 */
double sn_root(double a, int n) {
    if (n == 1 || a <= 0 || a >= 1) return a <= 0 ? 0 : a >= 1 ? 1 : a;
    double low = 0, high = 1;
    for (int i = 0; i < 64; i++) {
        double middle = 0.5 * (low + high);
        if (power(middle, n) < a)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* Newton's method for y^3 = a between 1 and 8, where the chord is a good beginning. */
double sn_cube_root(double a) {
    double scale = 1;
    if (!(a > 0) || a > 1e300) return 0;
    for (; a >= 8; a *= 0.125) scale *= 2;
    for (; a < 1; a *= 8) scale *= 0.5;
    double y = 1 + (a - 1) / 7;
    for (int i = 0; i < 5; i++) y -= (y - a / (y * y)) / 3;
    return scale * y;
}
