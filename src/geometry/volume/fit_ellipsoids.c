/*
 * Ellipsoids that fit the vertices around particles. On the surface of a ball of radius a the mean
 * of x^2 is a^2 / 3, so half axes are the roots of three times the mean squares along the principal
 * axes.
 */
#include <sinew/skinning.h>

#include "base/error.h"
#include "geometry/mesh_access.h"
#include "geometry/volume/blend_skinning.h"
#include "geometry/volume/fit_ellipsoids.h"
#include "math/principal.h"

#include <math.h>

enum { FEWEST = 4 };
static const double thinnest = 0.25; /* of the largest half axis */

/* The vertices of a particle: sums of xx, yy, zz, yz, zx, xy, and how many. */
typedef struct cloud {
    double square[6];
    size_t count;
} cloud;

/* The rotation whose columns are three unit vectors across each other, as a quaternion. */
static void quat_of(const double m[3][3], double q[4]) {
    double t[4] = {1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                   1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]};
    int k = 3;
    for (int i = 0; i < 3; i++)
        if (t[i] > t[k]) k = i;
    double s = 0.5 / sqrt(t[k]);
    const double d[3] = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
    if (k == 3) {
        for (int i = 0; i < 3; i++) q[i] = s * d[i];
    } else {
        for (int i = 0; i < 3; i++) q[i] = s * (m[i][k] + m[k][i]);
        q[k] = s * t[k];
    }
    q[3] = k == 3 ? s * t[3] : s * d[k];
}

void sn_ellipsoid_of(const double square[6], sn_quat *orientation, double half[3]) {
    double value[3], axes[3][3], q[4];
    sn_eigen(square, value, axes);
    sn_point a = {axes[0][0], axes[1][0], axes[2][0]}, b = {axes[0][1], axes[1][1], axes[2][1]};
    sn_point c = {axes[0][2], axes[1][2], axes[2][2]};
    /* Right-handed. */
    if (sn_point_dot(sn_point_cross(a, b), c) < 0)
        for (int i = 0; i < 3; i++) axes[i][2] = -axes[i][2];
    quat_of((const double(*)[3])axes, q);
    for (int k = 0; k < 3; k++) half[k] = value[k] > 0 ? sqrt(3 * value[k]) : 0;
    *orientation = (sn_quat){(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]};
}

static void gather(const sn_mesh *surface, const sn_vec3 *positions, size_t count, cloud *clouds) {
    for (uint32_t i = 0; i < surface->vertex_count; i++) {
        sn_point x = sn_mesh_point(surface, i);
        uint32_t which;
        double far;
        if (sn_blend_nearest(positions, count, x, 1, &which, &far) == 0) continue;
        sn_point d = sn_point_sub(x, sn_point_of(positions[which]));
        const double square[6] = {d.x * d.x, d.y * d.y, d.z * d.z, d.y * d.z, d.z * d.x, d.x * d.y};
        for (int k = 0; k < 6; k++) clouds[which].square[k] += square[k];
        clouds[which].count++;
    }
}

static void fit(const cloud *of, sn_real radius, sn_quat *orientation, sn_vec3 *radii) {
    double square[6], half[3];
    *orientation = (sn_quat){0, 0, 0, 1};
    *radii = (sn_vec3){radius, radius, radius};
    if (of->count < FEWEST) return;
    for (int k = 0; k < 6; k++) square[k] = of->square[k] / (double)of->count;
    sn_quat turned;
    sn_ellipsoid_of(square, &turned, half);
    double most = fmax(half[0], fmax(half[1], half[2]));
    for (int k = 0; k < 3; k++)
        if (half[k] < thinnest * most) half[k] = thinnest * most;
    if (!(half[0] > 1e-12 && half[1] > 1e-12 && half[2] > 1e-12)) return;
    *orientation = turned;
    *radii = (sn_vec3){(sn_real)half[0], (sn_real)half[1], (sn_real)half[2]};
}

sn_result sn_fit_ellipsoids(const sn_mesh *surface, const sn_vec3 *positions, size_t count,
                            sn_real radius, sn_quat *orientations, sn_vec3 *radii) {
    SN_TRY(sn_mesh_expect_sound(surface));
    if (!positions || !orientations || !radii)
        return sn_fail(SN_ERROR_NULL, "ellipsoids: %s is null",
                       !positions      ? "positions"
                       : !orientations ? "orientations"
                                       : "radii");
    if (!(radius > 0) || !isfinite((double)radius))
        return sn_fail(SN_ERROR_VALUE, "ellipsoids: radius is %g, expected above 0",
                       (double)radius);
    if (count == 0 || count > UINT32_MAX)
        return sn_fail(SN_ERROR_VALUE, "ellipsoids: there are %zu particles, expected 1 to %u",
                       count, UINT32_MAX);
    for (size_t i = 0; i < count; i++) {
        sn_point x = sn_point_of(positions[i]);
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
            return sn_fail(SN_ERROR_VALUE,
                           "ellipsoids: particle %zu is at %g %g %g, expected numbers", i, x.x, x.y,
                           x.z);
    }
    sn_memory memory = sn_mesh_memory(surface);
    cloud *clouds = sn_allocate(&memory, count, sizeof *clouds);
    if (!clouds) return SN_ERROR_MEMORY;
    gather(surface, positions, count, clouds);
    for (size_t i = 0; i < count; i++) fit(&clouds[i], radius, &orientations[i], &radii[i]);
    sn_free(&memory, clouds, count, sizeof *clouds);
    return SN_OK;
}
