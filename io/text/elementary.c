#include "io/text/elementary.h"

#include <sinew/support.h>

#include <math.h>
#include <stdint.h>

static void turn(double angle, double *sine, double *cosine) {
    double turns = angle / (2 * 3.14159265358979323846);
    uint64_t whole = UINT64_C(1) << 52;
    sn_turn((uint64_t)((turns - floor(turns)) * (double)whole), whole, sine, cosine);
}

double sn_elementary_sin(double angle) {
    double sine, cosine;
    turn(angle, &sine, &cosine);
    return sine;
}

double sn_elementary_cos(double angle) {
    double sine, cosine;
    turn(angle, &sine, &cosine);
    return cosine;
}

/* ln 2 in two parts: multiples of the first by whole numbers up to 2^20 are exact. */
static const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;

/* 2^k times the series of what is left, which is at most ln 2 / 2. */
double sn_elementary_exp(double x) {
    if (x > 710) return INFINITY;
    if (x < -746) return 0;
    double k = floor(x / (ln2_high + ln2_low) + 0.5);
    double r = (x - k * ln2_high) - k * ln2_low, sum = 1;
    for (int i = 14; i > 0; i--) sum = 1 + sum * r / i;
    return ldexp(sum, (int)k);
}

/* x = 2^e m with m near 1, and ln m = 2 artanh s with s = (m - 1) / (m + 1). */
double sn_elementary_log(double x) {
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752) {
        m *= 2;
        e--;
    }
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int i = 23; i > 0; i -= 2) sum = sum * square + 1.0 / i;
    return e * ln2_high + (2 * s * sum + e * ln2_low);
}

double sn_elementary_pow(double a, double b) {
    if (b != floor(b) || fabs(b) > 1024) {
        if (a == 0) return b > 0 ? 0 : INFINITY;
        return sn_elementary_exp(b * sn_elementary_log(a));
    }
    /* Whole ones by squaring, so that squares and cubes are what products are. */
    double result = 1, factor = a;
    for (unsigned n = (unsigned)fabs(b); n; n >>= 1, factor *= factor)
        if (n & 1) result *= factor;
    return b < 0 ? 1 / result : result;
}

/* The slope at a whole number, from -1 to 1: a hash of it (splitmix64, Steele et al. 2014). */
static double slope_at(double whole) {
    uint64_t h = (uint64_t)(int64_t)whole + UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    h ^= h >> 31;
    return (double)(h >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

double sn_elementary_noise(double x, double *slope) {
    double whole = floor(x), f = x - whole;
    double g = slope_at(whole), n = slope_at(whole + 1);
    double left = g * f, right = n * (f - 1);
    double fade = f * f * f * (f * (f * 6 - 15) + 10), steep = 30 * f * f * (f - 1) * (f - 1);
    /* Half of this is the most that two slopes of 1 can reach. */
    if (slope) *slope = 2 * (g + fade * (n - g) + steep * (right - left));
    return 2 * (left + fade * (right - left));
}
