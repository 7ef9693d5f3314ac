/* a^p = 2^(p log2 a), both from + - * / and the bits of doubles. */
#include "math/power.h"

#include <stdint.h>
#include <string.h>

static double of_bits(uint64_t bits) {
    double a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* a = m 2^e with m within a root of 2 of 1; ln m = 2 artanh z with z = (m - 1) / (m + 1), whose
   series has z^2 < 0.03. */
static double log2_of(double a) {
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    double m = of_bits((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    double z = (m - 1) / (m + 1), square = z * z, sum = 0;
    for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return (double)exponent + 2 * z * sum * 1.4426950408889634;
}

/* 2^y = 2^n e^(f ln 2) with |f| <= 1/2, where fourteen terms are enough. */
static double exp2_of(double y) {
    if (y > 1000) y = 1000;
    if (y < -1000) y = -1000;
    int n = (int)(y + (y < 0 ? -0.5 : 0.5));
    double t = (y - n) * 0.6931471805599453, sum = 1;
    for (int k = 14; k >= 1; k--) sum = 1 + sum * t / k;
    return sum * of_bits((uint64_t)(n + 1023) << 52);
}

double sn_power(double a, double p) {
    if (a > 1e300) a = 1e300;
    if (a < 1e-300) a = 1e-300;
    return exp2_of(p * log2_of(a));
}
