/*
 * Distance fields: trilinear between the points of a grid, and the shape is where that is negative.
 *
 * The distances at the points differ by no more than the points are apart, so that every derivative
 * of the interpolation is at most 1 and its gradient at most sqrt 3: what is at least d here is
 * positive within d / sqrt 3. That is what sn_shape_trust says; the number itself is right to first
 * order, which is what a contact needs.
 *
 * Outside of the grid the distance is that of the surface of which the field is made, to its
 * triangles: a ball that is larger than the margin of the grid lies on what it sees there. From far
 * away it is that by the nearest point of the grid: all of the surface is in the grid, and seen
 * from there at an angle of at least 90 degrees from the way out, so that Pythagoras gives no more
 * than the distance.
 */
#include "collision/shapes/shape_distance.h"

#include <math.h>

/* The cell of a coordinate in spacings, how far into it, and how far outside the grid. */
static size_t cell_of(double at, uint32_t points, double *part, double *outside) {
    double last = points - 1;
    *outside = at < 0 ? at : at > last ? at - last : 0;
    double inside = at - *outside;
    uint32_t cell = inside > 0 ? (uint32_t)inside : 0;
    if (cell > points - 2) cell = points - 2;
    *part = inside - cell;
    return cell;
}

/* Along x, then along y, then along z; with each the differences of those before. */
static double interpolate(const sn_field_grid *grid, size_t at, const double part[3],
                          sn_point *slope) {
    size_t row = grid->points[0], layer = row * grid->points[1];
    double value = 0;
    *slope = (sn_point){0, 0, 0};
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 2; j++) {
            const sn_real *v = grid->values + at + (size_t)j * row + (size_t)k * layer;
            double along = (double)v[0] + ((double)v[1] - (double)v[0]) * part[0];
            double wy = j ? part[1] : 1 - part[1], wz = k ? part[2] : 1 - part[2];
            value += along * wy * wz;
            slope->x += ((double)v[1] - (double)v[0]) * wy * wz;
            slope->y += (j ? along : -along) * wz;
            slope->z += (k ? along : -along) * wy;
        }
    return value;
}

static sn_v4 direction_of(sn_point a) {
    double length = sn_point_length(a);
    if (!(length > 0)) return (sn_v4){0, 1, 0, 0};
    return (sn_v4){(sn_real)(a.x / length), (sn_real)(a.y / length), (sn_real)(a.z / length), 0};
}

/* Outside of the grid, where the surface is no further away than matters. */
static sn_real to_surface(const sn_collider_def *s, sn_point x, sn_near *near, sn_v4 *normal) {
    sn_foot found = {.triangle = near->item};
    sn_boundary_nearest(&s->form->boundary, x, 0, near->within + (double)s->radius, &found);
    near->item = found.triangle;
    if (found.triangle == SN_BVH_NONE) return (sn_real)near->within;
    *normal = direction_of(sn_point_sub(x, found.at));
    return (sn_real)(sqrt(found.square) - (double)s->radius);
}

sn_real sn_near_field(const sn_collider_def *s, sn_v4 point, sn_near *near, sn_v4 *normal) {
    const sn_field_grid *grid = &s->form->grid;
    const sn_point from = {(double)point[0], (double)point[1], (double)point[2]};
    sn_point slope, out, x = sn_point_scaled(sn_point_sub(from, grid->low), 1 / grid->spacing);
    double part[3];
    near->displacement = (sn_v4){0};
    size_t row = grid->points[0], layer = row * grid->points[1];
    size_t at = cell_of(x.x, grid->points[0], &part[0], &out.x);
    at += row * cell_of(x.y, grid->points[1], &part[1], &out.y);
    at += layer * cell_of(x.z, grid->points[2], &part[2], &out.z);
    double value = interpolate(grid, at, part, &slope);
    out = sn_point_scaled(out, grid->spacing);
    double away = sn_point_length(out);
    if (away > 0) {
        double rest = value > 0 ? value : 0, steep = sn_point_length(slope);
        value = sqrt(away * away + rest * rest);
        if (steep > 0) out = sn_point_add(out, sn_point_scaled(slope, rest / steep));
        slope = out;
    }
    *normal = direction_of(slope);
    if (away > 0 && value - (double)s->radius < near->within)
        return to_surface(s, from, near, normal);
    return (sn_real)(value - (double)s->radius);
}
