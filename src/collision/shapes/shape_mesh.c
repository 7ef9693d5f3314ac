/* Meshes and hulls: the nearest point of a surface of triangles. */
#include "collision/shapes/shape_distance.h"

#include <math.h>

static bool is_within(const sn_bounds *b, sn_point x) {
    return x.x >= b->low.x && x.x <= b->high.x && x.y >= b->low.y && x.y <= b->high.y &&
           x.z >= b->low.z && x.z <= b->high.z;
}

/* Of unit length; up where there is none. */
static sn_v4 direction_of(sn_point a) {
    double length = sn_point_length(a);
    if (!(length > 0)) return (sn_v4){0, 1, 0, 0};
    return (sn_v4){(sn_real)(a.x / length), (sn_real)(a.y / length), (sn_real)(a.z / length), 0};
}

/*
 * A closed surface has an inside, where the distance is negative and the way out leads to the
 * nearest point. Two-sided ones are as far as their triangles are, whatever the side.
 */
sn_real sn_near_mesh(const sn_collider_def *s, sn_v4 point, sn_near *near, sn_v4 *normal) {
    const sn_boundary *b = &s->form->boundary;
    bool solid = !s->geometry.two_sided;
    sn_point x = {(double)point[0], (double)point[1], (double)point[2]};
    sn_foot found = {.triangle = near->item};
    sn_boundary_nearest(b, x, near->time, near->within + (double)s->radius, &found);
    /* Far from the surface, but inside. */
    if (found.triangle == SN_BVH_NONE && solid && is_within(&b->bvh.nodes[0].bounds, x))
        sn_boundary_nearest(b, x, near->time, INFINITY, &found);
    near->item = found.triangle;
    near->displacement = (sn_v4){0};
    *normal = (sn_v4){0, 1, 0, 0};
    if (found.triangle == SN_BVH_NONE) return (sn_real)near->within;
    sn_point away = sn_point_sub(x, found.at);
    double distance = sqrt(found.square);
    /* Closer than that, rounding says where the nearest point is seen. */
    bool on_it = distance <= 1e-12 * (sn_point_length(x) + distance);
    if (solid || on_it) {
        sn_point side = sn_boundary_normal(b, &found, near->time);
        bool behind = sn_point_dot(away, side) < 0;
        if (solid && behind) distance = -distance;
        if (on_it) away = side;
        if (behind && solid != on_it) away = sn_point_scaled(away, -1);
    }
    *normal = direction_of(away);
    if (b->moves) {
        sn_vec3 displacement = sn_point_vec3(sn_boundary_displacement(b, &found, near->time));
        near->displacement = sn_v4_of(displacement);
    }
    return (sn_real)(distance - (double)s->radius);
}
