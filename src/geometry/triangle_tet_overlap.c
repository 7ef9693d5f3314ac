/*
 * Two convex bodies are apart if and only if their shadows on some line are: on the normal of the
 * triangle, on that of a face of the tetrahedron, or on what is perpendicular to an edge of each.
 */
#include "geometry/triangle_tet_overlap.h"

/* Whether the shadows on a line are apart. */
static bool are_apart(sn_point line, const sn_point triangle[3], const sn_point tet[4]) {
    double a = sn_point_dot(line, triangle[0]), low_a = a, high_a = a;
    double b = sn_point_dot(line, tet[0]), low_b = b, high_b = b;
    for (int i = 1; i < 3; i++) {
        a = sn_point_dot(line, triangle[i]);
        if (a < low_a) low_a = a;
        if (a > high_a) high_a = a;
    }
    for (int i = 1; i < 4; i++) {
        b = sn_point_dot(line, tet[i]);
        if (b < low_b) low_b = b;
        if (b > high_b) high_b = b;
    }
    return low_a > high_b || low_b > high_a;
}

bool sn_triangle_overlaps_tet(const sn_point triangle[3], const sn_point tet[4]) {
    static const unsigned char edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    /* Relative to a corner, so that products of large coordinates do not hide small gaps. */
    sn_point x[3], y[4];
    for (int i = 0; i < 3; i++) x[i] = sn_point_sub(triangle[i], tet[0]);
    for (int i = 0; i < 4; i++) y[i] = sn_point_sub(tet[i], tet[0]);
    for (int i = 0; i < 4; i++) {
        sn_point face = sn_point_normal(y[i], y[(i + 1) % 4], y[(i + 2) % 4]);
        if (are_apart(face, x, y)) return false;
    }
    if (are_apart(sn_point_normal(x[0], x[1], x[2]), x, y)) return false;
    for (int i = 0; i < 3; i++) {
        sn_point side = sn_point_sub(x[(i + 1) % 3], x[i]);
        for (int k = 0; k < 6; k++) {
            sn_point edge = sn_point_sub(y[edges[k][1]], y[edges[k][0]]);
            if (are_apart(sn_point_cross(side, edge), x, y)) return false;
        }
    }
    return true;
}
