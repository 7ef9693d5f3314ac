/* Points that go along with the nearest triangle of a moving mesh. */
#include "io/scene/point.h"

#include <sinew/support.h>
#include <sinew_io/animation.h>

#include <math.h>

/* The weights of the point of a triangle that is nearest to p (Ericson, Real-Time Collision
   Detection, 5.1.5). */
static void nearest_weights(const sn_io_point x[3], sn_io_point p, double w[3]) {
    sn_io_point ab = sn_io_point_sub(x[1], x[0]), ac = sn_io_point_sub(x[2], x[0]);
    sn_io_point ap = sn_io_point_sub(p, x[0]), bp = sn_io_point_sub(p, x[1]),
                cp = sn_io_point_sub(p, x[2]);
    double d1 = sn_io_point_dot(ab, ap), d2 = sn_io_point_dot(ac, ap);
    double d3 = sn_io_point_dot(ab, bp), d4 = sn_io_point_dot(ac, bp);
    double d5 = sn_io_point_dot(ab, cp), d6 = sn_io_point_dot(ac, cp);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    w[0] = w[1] = w[2] = 0;
    if (d1 <= 0 && d2 <= 0) {
        w[0] = 1;
    } else if (d3 >= 0 && d4 <= d3) {
        w[1] = 1;
    } else if (d6 >= 0 && d5 <= d6) {
        w[2] = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        w[1] = d1 / (d1 - d3);
        w[0] = 1 - w[1];
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        w[2] = d2 / (d2 - d6);
        w[0] = 1 - w[2];
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        w[2] = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        w[1] = 1 - w[2];
    } else {
        w[1] = vb / (va + vb + vc);
        w[2] = vc / (va + vb + vc);
        w[0] = 1 - w[1] - w[2];
    }
}

static sn_io_point unit(sn_io_point a) {
    double length = sn_io_point_length(a);
    return length > 0 ? sn_io_point_scaled(a, 1 / length) : (sn_io_point){0, 0, 0};
}

/* The first side, what is across, and the normal, of length 1. */
static void frame_of(const sn_io_point x[3], sn_io_point frame[3]) {
    frame[0] = unit(sn_io_point_sub(x[1], x[0]));
    frame[2] = unit(sn_io_point_normal(x[0], x[1], x[2]));
    frame[1] = sn_io_point_cross(frame[2], frame[0]);
}

static void corners_of(const uint32_t corners[3], const sn_vec3 *positions, sn_io_point x[3]) {
    for (int k = 0; k < 3; k++) x[k] = sn_io_point_of(positions[corners[k]]);
}

static sn_io_point weighted(const sn_io_point x[3], const double w[3]) {
    return sn_io_point_add(
        sn_io_point_add(sn_io_point_scaled(x[0], w[0]), sn_io_point_scaled(x[1], w[1])),
        sn_io_point_scaled(x[2], w[2]));
}

/* The square of the distance from a point to the box of a triangle: no less than to itself. */
static double box_distance(const sn_io_point x[3], sn_io_point p) {
    double dx = fmax(
        fmax(fmin(fmin(x[0].x, x[1].x), x[2].x) - p.x, p.x - fmax(fmax(x[0].x, x[1].x), x[2].x)),
        0);
    double dy = fmax(
        fmax(fmin(fmin(x[0].y, x[1].y), x[2].y) - p.y, p.y - fmax(fmax(x[0].y, x[1].y), x[2].y)),
        0);
    double dz = fmax(
        fmax(fmin(fmin(x[0].z, x[1].z), x[2].z) - p.z, p.z - fmax(fmax(x[0].z, x[1].z), x[2].z)),
        0);
    return dx * dx + dy * dy + dz * dz;
}

static bool bind(const sn_mesh *mesh, const sn_vec3 *positions, sn_io_point p,
                 sn_io_follower *follower) {
    double best = INFINITY;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        sn_io_point x[3];
        double w[3];
        corners_of(mesh->triangles[i], positions, x);
        if (!(box_distance(x, p) < best)) continue;
        if (!(sn_io_point_length(sn_io_point_normal(x[0], x[1], x[2])) > 0)) continue;
        nearest_weights(x, p, w);
        sn_io_point away = sn_io_point_sub(p, weighted(x, w));
        double square = sn_io_point_dot(away, away);
        if (!(square < best)) continue;
        best = square;
        sn_io_point frame[3];
        frame_of(x, frame);
        for (int k = 0; k < 3; k++) {
            follower->corners[k] = mesh->triangles[i][k];
            follower->weights[k] = (sn_real)w[k];
        }
        follower->offset = (sn_vec3){(sn_real)sn_io_point_dot(away, frame[0]),
                                     (sn_real)sn_io_point_dot(away, frame[1]),
                                     (sn_real)sn_io_point_dot(away, frame[2])};
    }
    return best < INFINITY;
}

sn_result sn_io_follow(const sn_mesh *mesh, const sn_vec3 *positions, const sn_vec3 *points,
                       size_t count, sn_io_follower *followers) {
    if (!mesh || (count > 0 && (!positions || !points || !followers)))
        return sn_fail(SN_ERROR_NULL, "follow: %s is null",
                       !mesh        ? "mesh"
                       : !positions ? "positions"
                       : !points    ? "points"
                                    : "followers");
    for (size_t i = 0; i < count; i++)
        if (!bind(mesh, positions, sn_io_point_of(points[i]), &followers[i]))
            return sn_fail(SN_ERROR_VALUE,
                           "follow: none of the %zu triangles of the mesh has an area",
                           mesh->triangle_count);
    return SN_OK;
}

void sn_io_follow_to(const sn_io_follower *followers, size_t count, const sn_vec3 *positions,
                     sn_vec3 *points, sn_vec3 *normals) {
    for (size_t i = 0; i < count; i++) {
        const sn_io_follower *f = &followers[i];
        sn_io_point x[3], frame[3];
        const double w[3] = {(double)f->weights[0], (double)f->weights[1], (double)f->weights[2]};
        const double offset[3] = {(double)f->offset.x, (double)f->offset.y, (double)f->offset.z};
        corners_of(f->corners, positions, x);
        frame_of(x, frame);
        if (points)
            points[i] = sn_io_point_vec3(sn_io_point_add(weighted(x, w), weighted(frame, offset)));
        if (normals) normals[i] = sn_io_point_vec3(frame[2]);
    }
}
