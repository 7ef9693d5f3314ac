/*
 * Polygons as triangles.
 *
 * The polygon is seen along its normal (Newell's, which is defined for corners that are not quite
 * in a plane). Where all corners are convex it becomes a fan. Else ears are cut off: an ear is a
 * convex corner whose triangle has no reflex corner in it, and cutting it off changes whether its
 * two neighbours are ears but no others, so that all of it takes the square of the number of
 * corners. Polygons that cross themselves have no right answer; they get triangles all the same.
 */
#include "io/mesh/read.h"

#include <math.h>

/* A corner in the plane, and its neighbours among those that are left. */
typedef struct polygon_corner {
    double u, v;
    uint32_t before, after;
    bool is_reflex, is_ear;
} polygon_corner;

/* Twice the area of a triangle, positive where it is anticlockwise. */
static double area(const polygon_corner *a, const polygon_corner *b, const polygon_corner *c) {
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

/* Corners seen along the axis that the normal is closest to, so that they are anticlockwise. */
static void project(const sn_mesh *mesh, const uint32_t *corners, size_t count,
                    polygon_corner *ears) {
    double normal[3] = {0, 0, 0};
    sn_vec3 o = mesh->positions[corners[0]];
    double last[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        sn_vec3 x = mesh->positions[corners[(i + 1) % count]];
        double next[3] = {(double)x.x - (double)o.x, (double)x.y - (double)o.y,
                          (double)x.z - (double)o.z};
        for (int k = 0; k < 3; k++) {
            int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            normal[k] += (last[k1] - next[k1]) * (last[k2] + next[k2]);
        }
        for (int k = 0; k < 3; k++) last[k] = next[k];
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(normal[k]) > fabs(normal[axis])) axis = k;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (normal[axis] < 0) {
        int swap = u;
        u = v;
        v = swap;
    }
    for (size_t i = 0; i < count; i++) {
        sn_vec3 x = mesh->positions[corners[i]];
        double relative[3] = {(double)x.x - (double)o.x, (double)x.y - (double)o.y,
                              (double)x.z - (double)o.z};
        ears[i] = (polygon_corner){.u = relative[u],
                                   .v = relative[v],
                                   .before = (uint32_t)(i == 0 ? count - 1 : i - 1),
                                   .after = (uint32_t)(i + 1 == count ? 0 : i + 1)};
    }
}

static bool is_same(const polygon_corner *a, const polygon_corner *b) {
    return a->u == b->u && a->v == b->v;
}

/* Whether a corner can be cut off. Corners at the place of one of its own are no obstacle: holes
   are joined to the outline by edges that are there twice. */
static bool is_ear(const polygon_corner *ears, uint32_t tip) {
    const polygon_corner *b = &ears[tip], *a = &ears[b->before], *c = &ears[b->after];
    if (area(a, b, c) <= 0) return false;
    for (uint32_t i = c->after; i != b->before; i = ears[i].after) {
        const polygon_corner *x = &ears[i];
        if (!x->is_reflex || is_same(x, a) || is_same(x, b) || is_same(x, c)) continue;
        if (area(a, b, x) >= 0 && area(b, c, x) >= 0 && area(c, a, x) >= 0) return false;
    }
    return true;
}

static void classify(polygon_corner *ears, uint32_t i) {
    polygon_corner *b = &ears[i];
    b->is_reflex = area(&ears[b->before], b, &ears[b->after]) <= 0;
}

static sn_result cut_ears(sn_io_build *build, const uint32_t *corners, size_t count,
                          polygon_corner *ears) {
    for (uint32_t i = 0; i < count; i++) classify(ears, i);
    for (uint32_t i = 0; i < count; i++) ears[i].is_ear = is_ear(ears, i);
    uint32_t at = 0;
    for (size_t left = count; left > 3; left--) {
        /* Where there is no ear, any convex corner, and where there is none of them, any. */
        uint32_t tip = at;
        for (size_t i = 0; i < left && !ears[tip].is_ear; i++) tip = ears[tip].after;
        for (size_t i = 0; i < left && !ears[tip].is_ear && ears[tip].is_reflex; i++)
            tip = ears[tip].after;
        uint32_t before = ears[tip].before, after = ears[tip].after;
        SN_TRY(sn_io_build_triangle(build, corners[before], corners[tip], corners[after]));
        ears[before].after = after;
        ears[after].before = before;
        classify(ears, before);
        classify(ears, after);
        ears[before].is_ear = is_ear(ears, before);
        ears[after].is_ear = is_ear(ears, after);
        at = after;
    }
    uint32_t before = ears[at].before, after = ears[at].after;
    return sn_io_build_triangle(build, corners[before], corners[at], corners[after]);
}

static sn_result add_fan(sn_io_build *build, const uint32_t *corners, size_t count) {
    for (size_t i = 2; i < count; i++)
        SN_TRY(sn_io_build_triangle(build, corners[0], corners[i - 1], corners[i]));
    return SN_OK;
}

sn_result sn_io_build_polygon(sn_io_build *build, const uint32_t *corners, size_t count) {
    if (count <= 3) return add_fan(build, corners, count);
    build->ears.count = 0;
    SN_TRY(sn_io_build_list_reserve(build, &build->ears, count, sizeof(polygon_corner)));
    polygon_corner *ears = build->ears.items;
    project(&build->mesh, corners, count, ears);
    bool is_convex = true, is_concave = false;
    for (size_t i = 0; i < count; i++) {
        double turn = area(&ears[ears[i].before], &ears[i], &ears[ears[i].after]);
        is_convex &= turn > 0;
        is_concave |= turn < 0;
    }
    bool is_long = count > POLYGON_MOST;
    if (is_convex || (is_long && !is_concave)) return add_fan(build, corners, count);
    if (is_long)
        return sn_fail(SN_ERROR_LIMIT, "a concave polygon has %zu corners, expected at most %d",
                       count, POLYGON_MOST);
    return cut_ears(build, corners, count, ears);
}
