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
