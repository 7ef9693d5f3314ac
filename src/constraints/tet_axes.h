/*
 * The axes of a material that differs with direction, from the fields `axis` and `across`, whose
 * numbers are at AXIS and ACROSS among the parameters: three unit vectors in the frame of the rest
 * edges, perpendicular to each other. With the edges in their frame, the columns of F are what has
 * become of them.
 */
#ifndef SN_CONSTRAINTS_TET_AXES_H
#define SN_CONSTRAINTS_TET_AXES_H

#if SN_LANES == 1

/* a without what is along a unit vector, made unit, or false where that is too short. */
static bool point_across(const double along[3], const sn_real a[3], double out[3]) {
    double dot = 0, square = 0, whole = 0;
    for (int i = 0; i < 3; i++) dot += along[i] * (double)a[i];
    for (int i = 0; i < 3; i++) {
        out[i] = (double)a[i] - dot * along[i];
        square += out[i] * out[i];
        whole += (double)a[i] * (double)a[i];
    }
    double length = __builtin_sqrt(square);
    for (int i = 0; i < 3; i++) out[i] = length > 0 ? out[i] / length : 0;
    return square > 1e-12 * whole;
}

/* The axes of the material as rows. */
static void find_axes(const sn_real *parameter, double row[3][3]) {
    static const sn_real unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double none[3] = {0, 0, 0};
    if (!point_across(none, parameter + AXIS, row[0])) point_across(none, unit[0], row[0]);
    if (!point_across(row[0], parameter + ACROSS, row[1])) {
        /* The one of y and z that is further from the first. */
        double y = row[0][1] * row[0][1], z = row[0][2] * row[0][2];
        point_across(row[0], unit[y <= z ? 1 : 2], row[1]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        row[2][i] = row[0][j] * row[1][k] - row[0][k] * row[1][j];
    }
}

/* The edges in the frame of the axes. */
static void turn_edges(const sn_real *parameter, sn_real edges[9]) {
    double row[3][3], e[9];
    find_axes(parameter, row);
    for (int i = 0; i < 9; i++) e[i] = (double)edges[i];
    for (int i = 0; i < 9; i++) {
        const double *axis = row[i % 3], *edge = e + i / 3 * 3;
        edges[i] = (sn_real)((axis[0] * edge[0] + axis[1] * edge[1]) + axis[2] * edge[2]);
    }
}

#endif
#endif
