/* Powers with real exponents, with the same bits everywhere, unlike pow of the C library. */
#ifndef SN_MATH_POWER_H
#define SN_MATH_POWER_H

/* a^p for a above 0, to 1e-15 (1 + |p log2 a|) in proportion; from 2^-1000 to 2^1000. */
double sn_power(double a, double p);

#endif
