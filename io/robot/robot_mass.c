/*
 * Principal moments of inertia by Jacobi's rotations: a rotation in the plane of two axes makes the
 * product of inertia between them zero, until all are. From + - * / and roots alone.
 */
#include "io/robot/robot.h"

#include <math.h>

/* Makes m[p][q] zero and turns the axes along. */
static void rotate(double m[3][3], double axes[3][3], int p, int q) {
    if (m[p][q] == 0) return;
    double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        double a = m[p][k], b = m[q][k];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        double a = axes[k][p], b = axes[k][q];
        axes[k][p] = c * a - s * b;
        axes[k][q] = s * a + c * b;
    }
}

/* The rotation whose matrix has these columns: the largest of its four parts first. */
static void turn_of(const double m[3][3], double turn[4]) {
    double trace = m[0][0] + m[1][1] + m[2][2];
    int i = m[1][1] > m[0][0] ? 1 : 0;
    if (m[2][2] > m[i][i]) i = 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace > m[i][i]) {
        double s = 2 * sqrt(1 + trace);
        turn[3] = s / 4;
        turn[0] = (m[2][1] - m[1][2]) / s;
        turn[1] = (m[0][2] - m[2][0]) / s;
        turn[2] = (m[1][0] - m[0][1]) / s;
        return;
    }
    double s = 2 * sqrt(1 + m[i][i] - m[j][j] - m[k][k]);
    turn[i] = s / 4;
    turn[3] = (m[k][j] - m[j][k]) / s;
    turn[j] = (m[j][i] + m[i][j]) / s;
    turn[k] = (m[k][i] + m[i][k]) / s;
}

void sn_robot_principal(const double tensor[6], double moments[3], double turn[4]) {
    enum { SWEEPS = 12 }; /* convergence is quadratic: five do for any tensor */
    double m[3][3] = {{tensor[0], tensor[3], tensor[4]},
                      {tensor[3], tensor[1], tensor[5]},
                      {tensor[4], tensor[5], tensor[2]}};
    double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        rotate(m, axes, 0, 1);
        rotate(m, axes, 0, 2);
        rotate(m, axes, 1, 2);
    }
    for (int i = 0; i < 3; i++) moments[i] = m[i][i];
    turn_of((const double(*)[3])axes, turn);
}
