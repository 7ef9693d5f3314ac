/* The largest eigenvalue of a symmetric matrix and its direction. */
#ifndef SN_MATH_PRINCIPAL_H
#define SN_MATH_PRINCIPAL_H

/* Of xx, yy, zz, yz, zx, xy; the direction has the length 1. By Jacobi's rotations, with square
   roots alone, so that every machine finds the same. */
double sn_principal(const double matrix[6], double direction[3]);

#endif
