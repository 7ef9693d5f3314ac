/*
 * Height fields: everything below a surface of triangles, within the rectangle of the grid and down
 * without end. Exact outside: who is beside it, at the height of what he looks at, is nearest to
 * that; everybody else to a point of the surface.
 */
#include "collision/shapes/shape_distance.h"

#include <math.h>

static double clamp(double a, double most) {
    return a < -most ? -most : a > most ? most : a;
}

/* How many cells along, and how far into the last. */
static uint32_t cell_of(double x, double extent, uint32_t points, double *part) {
    double at = (x + extent) / (2 * extent) * (points - 1);
    uint32_t cell = at > 0 ? (uint32_t)at : 0;
    if (cell > points - 2) cell = points - 2;
    *part = at - cell;
    return cell;
}

/* The height at a point of the rectangle. */
static double height_at(const sn_collider_def *s, double x, double z) {
    const sn_geometry *g = &s->geometry;
    double u, v;
    size_t row = g->points[0];
    size_t i = cell_of(x, (double)s->extent.x, g->points[0], &u);
    size_t j = cell_of(z, (double)s->extent.z, g->points[1], &v);
    const sn_real *h = g->heights + j * row + i;
    double h00 = (double)h[0], h10 = (double)h[1], h01 = (double)h[row], h11 = (double)h[row + 1];
    if (u + v <= 1) return h00 + u * (h10 - h00) + v * (h01 - h00);
    return h11 + (1 - u) * (h01 - h11) + (1 - v) * (h10 - h11);
}

static sn_v4 direction_of(double x, double y, double z) {
    double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return (sn_v4){0, 1, 0, 0};
    return (sn_v4){(sn_real)(x / length), (sn_real)(y / length), (sn_real)(z / length), 0};
}

/* The nearest wall from inside. */
static double wall_of(const sn_collider_def *s, sn_point x, sn_v4 *normal) {
    double to_x = (double)s->extent.x - fabs(x.x), to_z = (double)s->extent.z - fabs(x.z);
    *normal = to_x < to_z ? (sn_v4){x.x < 0 ? -1 : 1, 0, 0, 0} : (sn_v4){0, 0, x.z < 0 ? -1 : 1, 0};
    return to_x < to_z ? to_x : to_z;
}

sn_real sn_near_heights(const sn_collider_def *s, sn_v4 point, sn_near *near, sn_v4 *normal) {
    const sn_boundary *b = &s->form->boundary;
    sn_point x = {(double)point[0], (double)point[1], (double)point[2]};
    double r = (double)s->radius;
    double out_x = x.x - clamp(x.x, (double)s->extent.x);
    double out_z = x.z - clamp(x.z, (double)s->extent.z);
    double beside = sqrt(out_x * out_x + out_z * out_z), within = near->within + r;
    near->displacement = (sn_v4){0};
    if (beside > 0 && x.y <= height_at(s, x.x - out_x, x.z - out_z)) {
        *normal = direction_of(out_x, 0, out_z);
        return (sn_real)(beside - r);
    }
    sn_foot found = {.triangle = near->item};
    sn_boundary_nearest(b, x, 0, within, &found);
    if (found.triangle == SN_BVH_NONE) {
        *normal = (sn_v4){0, 1, 0, 0};
        if (beside > 0 || x.y > height_at(s, x.x, x.z)) return (sn_real)near->within;
        sn_boundary_nearest(b, x, 0, INFINITY, &found);
    }
    near->item = found.triangle;
    sn_point away = sn_point_sub(x, found.at), side = sn_boundary_normal(b, &found, 0);
    double distance = sqrt(found.square);
    bool inside = !(beside > 0) && sn_point_dot(away, side) < 0;
    /* Closer than that, rounding says where the nearest point is seen. */
    bool on_it = distance <= 1e-12 * (sn_point_length(x) + distance);
    if (on_it) away = inside ? sn_point_scaled(side, -1) : side;
    if (!inside) {
        *normal = direction_of(away.x, away.y, away.z);
        return (sn_real)(distance - r);
    }
    double wall = wall_of(s, x, normal);
    if (distance <= wall) *normal = direction_of(-away.x, -away.y, -away.z);
    return (sn_real)(-(distance <= wall ? distance : wall) - r);
}
