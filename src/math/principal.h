/* Eigenvalues of a symmetric matrix and their directions. */
#ifndef SN_MATH_PRINCIPAL_H
#define SN_MATH_PRINCIPAL_H

/* Of xx, yy, zz, yz, zx, xy; the direction has the length 1. By Jacobi's rotations, with square
   roots alone, so that every machine finds the same. */
double sn_principal(const double matrix[6], double direction[3]);

/* All three, in no order; direction i is axes[0][i], axes[1][i], axes[2][i]. */
void sn_eigen(const double matrix[6], double value[3], double axes[3][3]);

#endif
