/* Vectors and matrices of three by three in double: nine numbers, column by column; symmetric ones
   are six, as xx, yy, zz, yz, zx, xy. For what is done per region or once, not per constraint. */
#ifndef SN_MATH_MATRIX3_H
#define SN_MATH_MATRIX3_H

#include "math/vector.h"

/* out = a x b; not one of them. */
SN_INLINE void sn_double3_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out = a b; not one of them. */
SN_INLINE void sn_matrix3_mul(const double a[9], const double b[9], double out[9]) {
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            out[3 * c + r] = (a[r] * b[3 * c] + a[3 + r] * b[3 * c + 1]) + a[6 + r] * b[3 * c + 2];
}

/* out = a b^T */
SN_INLINE void sn_matrix3_mul_transposed(const double a[9], const double b[9], double out[9]) {
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            out[3 * c + r] = (a[r] * b[c] + a[3 + r] * b[3 + c]) + a[6 + r] * b[6 + c];
}

/* out = a^T b */
SN_INLINE void sn_matrix3_transposed_mul(const double a[9], const double b[9], double out[9]) {
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            out[3 * c + r] =
                (a[3 * r] * b[3 * c] + a[3 * r + 1] * b[3 * c + 1]) + a[3 * r + 2] * b[3 * c + 2];
}

/* out = a v */
SN_INLINE void sn_matrix3_apply(const double a[9], const double v[3], double out[3]) {
    for (int r = 0; r < 3; r++) out[r] = (a[r] * v[0] + a[3 + r] * v[1]) + a[6 + r] * v[2];
}

/* A symmetric one, written out. */
SN_INLINE void sn_matrix3_full(const double s[6], double out[9]) {
    const double all[9] = {s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2]};
    for (int i = 0; i < 9; i++) out[i] = all[i];
}

SN_INLINE double sn_matrix3_det(const double a[9]) {
    return (a[0] * (a[4] * a[8] - a[5] * a[7]) - a[3] * (a[1] * a[8] - a[2] * a[7])) +
           a[6] * (a[1] * a[5] - a[2] * a[4]);
}

/* Of a matrix that has one. */
SN_INLINE void sn_matrix3_inverse(const double a[9], double out[9]) {
    double part = 1 / sn_matrix3_det(a);
    out[0] = (a[4] * a[8] - a[5] * a[7]) * part;
    out[1] = (a[2] * a[7] - a[1] * a[8]) * part;
    out[2] = (a[1] * a[5] - a[2] * a[4]) * part;
    out[3] = (a[5] * a[6] - a[3] * a[8]) * part;
    out[4] = (a[0] * a[8] - a[2] * a[6]) * part;
    out[5] = (a[2] * a[3] - a[0] * a[5]) * part;
    out[6] = (a[3] * a[7] - a[4] * a[6]) * part;
    out[7] = (a[1] * a[6] - a[0] * a[7]) * part;
    out[8] = (a[0] * a[4] - a[1] * a[3]) * part;
}

/* The rotation b, then a, as quaternions x, y, z, w; out is not one of them. */
SN_INLINE void sn_double4_quat_mul(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + (a[1] * b[2] - a[2] * b[1]);
    out[1] = a[3] * b[1] + a[1] * b[3] + (a[2] * b[0] - a[0] * b[2]);
    out[2] = a[3] * b[2] + a[2] * b[3] + (a[0] * b[1] - a[1] * b[0]);
    out[3] = a[3] * b[3] - (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/* The rotation of a quaternion x, y, z, w of any length but 0. */
SN_INLINE void sn_matrix3_of_quat(const double q[4], double out[9]) {
    double two = 2 / ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    double x = q[0], y = q[1], z = q[2], w = q[3];
    out[0] = 1 - two * (y * y + z * z);
    out[1] = two * (x * y + w * z);
    out[2] = two * (x * z - w * y);
    out[3] = two * (x * y - w * z);
    out[4] = 1 - two * (x * x + z * z);
    out[5] = two * (y * z + w * x);
    out[6] = two * (x * z + w * y);
    out[7] = two * (y * z - w * x);
    out[8] = 1 - two * (x * x + y * y);
}

/* The inverse of a symmetric matrix without negative eigenvalues, in the directions whose
   eigenvalue is above `least` times the largest; zero in the others. Says how many there are. */
int sn_matrix3_pseudo_inverse(const double s[6], double least, double out[6]);

#endif
