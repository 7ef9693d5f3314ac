#include <sinew/volume.h>

#include "base/error.h"
#include "geometry/mesh_access.h"
#include "math/angle.h"
#include "math/root.h"

/* The angle between the faces that meet in the edge from a to b. */
static double dihedral(sn_point a, sn_point b, sn_point c, sn_point d) {
    sn_point edge = sn_point_sub(b, a);
    sn_point m = sn_point_cross(edge, sn_point_sub(c, a));
    sn_point n = sn_point_cross(edge, sn_point_sub(d, a));
    return sn_angle(sn_point_dot(m, n), sn_point_length(sn_point_cross(m, n)));
}

/* 12 (3 V)^(2/3) / sum of squared edges, by its cube, which is at most 1. */
static double mean_ratio(const sn_point x[4]) {
    double volume = sn_point_det(x[0], x[1], x[2], x[3]) / 6, squares = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            sn_point d = sn_point_sub(x[i], x[j]);
            squares += sn_point_dot(d, d);
        }
    if (!(volume > 0 && squares > 0)) return 0;
    return sn_root(15552 * (volume / squares) * (volume / squares) / squares, 3);
}

static void add(sn_tet_quality *quality, const sn_point x[4]) {
    static const unsigned char edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                              {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    for (int e = 0; e < 6; e++) {
        const unsigned char *k = edges[e];
        double angle = dihedral(x[k[0]], x[k[1]], x[k[2]], x[k[3]]);
        if (angle < quality->lowest_angle) quality->lowest_angle = angle;
        if (angle > quality->highest_angle) quality->highest_angle = angle;
    }
    double ratio = mean_ratio(x);
    if (ratio < quality->lowest_ratio) quality->lowest_ratio = ratio;
    quality->mean_ratio += ratio;
}

sn_result sn_mesh_quality(const sn_mesh *mesh, sn_tet_quality *quality) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    if (!quality) return sn_fail(SN_ERROR_NULL, "mesh: where to write the quality is null");
    if (mesh->tet_count == 0)
        return sn_fail(SN_ERROR_VALUE, "mesh: it has no tets, and so no quality of them");
    sn_tet_quality sum = {.lowest_angle = 4, .highest_angle = 0, .lowest_ratio = 1};
    for (size_t t = 0; t < mesh->tet_count; t++) {
        sn_point x[4];
        for (int k = 0; k < 4; k++) x[k] = sn_mesh_point(mesh, mesh->tets[t][k]);
        add(&sum, x);
    }
    sum.mean_ratio /= (double)mesh->tet_count;
    *quality = sum;
    return SN_OK;
}
