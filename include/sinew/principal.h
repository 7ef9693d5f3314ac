/*
 * Principal axes, for libraries that are built on Sinew, beside sinew/support.h.
 */
#ifndef SINEW_PRINCIPAL_H
#define SINEW_PRINCIPAL_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The eigenvalues of a symmetric matrix of xx, yy, zz, yz, zx, xy, such as an inertia tensor, in no
 * order, and the rotation (x, y, z, w) that takes the axes x, y and z to their directions. By
 * Jacobi's rotations, from + - * / and square roots only: the same bits everywhere.
 */
SN_API void sn_principal_axes(const double matrix[6], double value[3], double rotation[4]);

#ifdef __cplusplus
}
#endif

#endif
