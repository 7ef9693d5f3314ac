/* The n-th root, with the same bits everywhere, unlike pow of the C library. */
#ifndef SN_MATH_ROOT_H
#define SN_MATH_ROOT_H

/* a^(1/n) for 0 <= a <= 1 and n >= 1, to the last bits of double. */
double sn_root(double a, int n);

/* a^(1/3) for a > 0, to the last bits of double but two or three. */
double sn_cube_root(double a);

#endif
