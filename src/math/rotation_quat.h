#ifndef SN_MATH_ROTATION_QUAT_H
#define SN_MATH_ROTATION_QUAT_H

/* A rotation, row by row, as a quaternion. From the largest of its four numbers, so that nothing is
   divided by what is near 0. */
static inline void sn_double4_quat_of(double a[3][3], double q[4]) {
    double trace = a[0][0] + a[1][1] + a[2][2];
    int k = a[0][0] > a[1][1] ? 0 : 1;
    if (a[2][2] > a[k][k]) k = 2;
    if (trace > a[k][k]) {
        double twice = __builtin_sqrt(1 + trace), part = 1 / (2 * twice);
        q[0] = (a[2][1] - a[1][2]) * part;
        q[1] = (a[0][2] - a[2][0]) * part;
        q[2] = (a[1][0] - a[0][1]) * part;
        q[3] = twice / 2;
        return;
    }
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double twice = __builtin_sqrt(1 + a[k][k] - a[i][i] - a[j][j]), part = 1 / (2 * twice);
    q[k] = twice / 2;
    q[i] = (a[i][k] + a[k][i]) * part;
    q[j] = (a[j][k] + a[k][j]) * part;
    q[3] = (a[j][i] - a[i][j]) * part;
}

#endif
