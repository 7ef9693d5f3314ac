#include "math/principal.h"

#include "math/rotation_quat.h"

#include <sinew/principal.h>

enum { SWEEPS = 8 };

/* Turns rows and columns p and q so that a[p][q] becomes 0, and the axes along. */
static void rotate(double a[3][3], double axes[3][3], int p, int q) {
    double apq = a[p][q], scale = a[p][p] * a[p][p] + a[q][q] * a[q][q];
    if (apq * apq <= 1e-34 * scale) return;
    double theta = (a[q][q] - a[p][p]) / (2 * apq), size = theta < 0 ? -theta : theta;
    /* Of the two angles the smaller one. Where theta is huge its square is infinite and t is 0. */
    double t = 1 / (size + __builtin_sqrt(theta * theta + 1));
    if (theta < 0) t = -t;
    double c = 1 / __builtin_sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
        double xp = axes[k][p], xq = axes[k][q];
        axes[k][p] = c * xp - s * xq;
        axes[k][q] = s * xp + c * xq;
    }
    a[p][q] = a[q][p] = 0;
}

void sn_eigen(const double m[6], double value[3], double axes[3][3]) {
    double a[3][3] = {{m[0], m[5], m[4]}, {m[5], m[1], m[3]}, {m[4], m[3], m[2]}};
    for (int i = 0; i < 9; i++) axes[i / 3][i % 3] = i % 4 == 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) rotate(a, axes, p, q);
    for (int k = 0; k < 3; k++) value[k] = a[k][k];
}

void sn_principal_axes(const double m[6], double value[3], double rotation[4]) {
    double axes[3][3];
    sn_eigen(m, value, axes);
    sn_double4_quat_of(axes, rotation);
}

double sn_principal(const double m[6], double direction[3]) {
    double value[3], axes[3][3];
    int largest = 0;
    sn_eigen(m, value, axes);
    for (int k = 1; k < 3; k++)
        if (value[k] > value[largest]) largest = k;
    for (int k = 0; k < 3; k++) direction[k] = axes[k][largest];
    return value[largest];
}
