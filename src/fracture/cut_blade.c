/*
 * The surface of a cut: a plane, a disc in it, or what a segment has passed over.
 *
 * Where elements are divided, one that a moving blade is still in must wait until it has left it,
 * or its pieces would not fit together. The surface then reaches back from where the blade is by
 * the size of elements, and an element has been passed when the surface goes through all of its
 * edges that it could cross.
 */
#include "base/error.h"
#include "fracture/cut_vertex.h"

/* ---- Making one ---- */

static sn_result make_plane(const sn_blade_def *d, sn_blade *blade) {
    blade->point = sn_point_of(d->point);
    blade->normal = sn_point_of(d->normal);
    blade->radius = d->radius == SN_AUTO ? (double)SN_INFINITY : (double)d->radius;
    double length = sn_point_length(blade->normal);
    if (!(length > 1e-15 && length < 1e15))
        return sn_fail(SN_ERROR_VALUE, "blade: normal has the length %g, expected about 1", length);
    blade->normal = sn_point_scaled(blade->normal, 1 / length);
    return SN_OK;
}

static sn_result make_sweep(const sn_blade_def *d, sn_blade *blade) {
    blade->sweep = true;
    blade->corner[0] = sn_point_of(d->from[0]);
    blade->corner[1] = sn_point_of(d->from[1]);
    blade->corner[2] = sn_point_of(d->to[1]);
    blade->corner[3] = sn_point_of(d->to[0]);
    return SN_OK;
}

sn_result sn_blade_make(sn_blade *blade, const sn_blade_def *d) {
    *blade = (sn_blade){.sweep = false};
    SN_TRY(sn_object_check(&sn_blade_object, d));
    return d->kind == SN_BLADE_PLANE ? make_plane(d, blade) : make_sweep(d, blade);
}

/* ---- What it parts ---- */

/* Whether a segment passes through a triangle; a point on its plane is above it. */
static bool pierces(const sn_point t[3], sn_point p, sn_point q) {
    if ((sn_point_det(t[0], t[1], t[2], p) < 0) == (sn_point_det(t[0], t[1], t[2], q) < 0))
        return false;
    double a = sn_point_det(p, q, t[0], t[1]), b = sn_point_det(p, q, t[1], t[2]);
    double c = sn_point_det(p, q, t[2], t[0]);
    /* Edges belong to the triangles on both sides, so that nothing slips through between. */
    double slack = 1e-9 * (__builtin_fabs(a) + __builtin_fabs(b) + __builtin_fabs(c));
    return (a >= -slack && b >= -slack && c >= -slack) || (a <= slack && b <= slack && c <= slack);
}

bool sn_blade_parts(const sn_blade *blade, sn_point p, sn_point q) {
    if (blade->sweep) {
        const sn_point *c = blade->corner;
        const sn_point one[3] = {c[0], c[1], c[2]}, two[3] = {c[0], c[2], c[3]};
        return pierces(one, p, q) || pierces(two, p, q);
    }
    double above = sn_point_dot(sn_point_sub(p, blade->point), blade->normal);
    double below = sn_point_dot(sn_point_sub(q, blade->point), blade->normal);
    if ((above < 0) == (below < 0)) return false;
    double t = above / (above - below);
    sn_point at = sn_point_add(p, sn_point_scaled(sn_point_sub(q, p), t));
    return sn_point_length(sn_point_sub(at, blade->point)) <= blade->radius;
}

double sn_blade_distance(const sn_blade *blade, sn_point p) {
    sn_point from = sn_point_sub(p, blade->point);
    if (!blade->sweep) return __builtin_fabs(sn_point_dot(from, blade->normal));
    double low[3], high[3], square = 0;
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 4; k++) {
        const double c[3] = {blade->corner[k].x, blade->corner[k].y, blade->corner[k].z};
        for (int i = 0; i < 3; i++) {
            low[i] = k == 0 || c[i] < low[i] ? c[i] : low[i];
            high[i] = k == 0 || c[i] > high[i] ? c[i] : high[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        double off = at[i] < low[i] ? low[i] - at[i] : at[i] > high[i] ? at[i] - high[i] : 0;
        square += off * off;
    }
    return __builtin_sqrt(square);
}

bool sn_blade_intersects(const sn_blade *blade, sn_point p, sn_point q) {
    if (!blade->sweep || !blade->divides) return sn_blade_parts(blade, p, q);
    const sn_point *c = blade->latest;
    const sn_point one[3] = {c[0], c[1], c[2]}, two[3] = {c[0], c[2], c[3]};
    return pierces(one, p, q) || pierces(two, p, q);
}

bool sn_blade_plane(const sn_blade *blade, sn_point *point, sn_point *normal) {
    *point = blade->point;
    *normal = blade->normal;
    if (!blade->sweep) return true;
    const sn_point *c = blade->corner;
    sn_point sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) sum = sn_point_add(sum, c[k]);
    *point = sn_point_scaled(sum, 0.25);
    *normal = sn_point_cross(sn_point_sub(c[2], c[0]), sn_point_sub(c[3], c[1]));
    double length = sn_point_length(*normal);
    if (!(length > 0)) return false;
    *normal = sn_point_scaled(*normal, 1 / length);
    return true;
}

/* How far a blade reaches back, for how long what it has left may still come apart, and how near to
   an end of an edge it does not cross that, all over the mean of edges; and the latter over its own
   length. */
static const double back = 2, waiting = 0.5, near_enough = 0.08, too_near = 0.1;

void sn_blade_divide(sn_blade *blade, double edge) {
    blade->divides = true;
    blade->near = near_enough * edge;
    for (int k = 0; k < 4; k++) blade->latest[k] = blade->corner[k];
    for (int k = 0; blade->sweep && k < 2; k++) {
        sn_point side = sn_point_sub(blade->corner[k], blade->corner[3 - k]);
        double size = sn_point_length(side);
        if (size > 0)
            blade->corner[k] =
                sn_point_add(blade->corner[k], sn_point_scaled(side, back * edge / size));
    }
}

bool sn_blade_crossing(const sn_blade *blade, sn_point p, sn_point q, double *t) {
    sn_point point, normal;
    if (!sn_blade_plane(blade, &point, &normal)) return false;
    double above = sn_point_dot(sn_point_sub(p, point), normal);
    double below = sn_point_dot(sn_point_sub(q, point), normal);
    if (!(above * below < 0)) return false;
    if (!(__builtin_fabs(above) > blade->near && __builtin_fabs(below) > blade->near)) return false;
    *t = above / (above - below);
    return *t > too_near && *t < 1 - too_near;
}

bool sn_blade_has_passed(const sn_blade *blade, const sn_point *x, uint32_t corners) {
    double t;
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t k = 0; k < i; k++)
            if (sn_blade_crossing(blade, x[i], x[k], &t) && !sn_blade_parts(blade, x[i], x[k]))
                return false;
    return true;
}

bool sn_blade_has_left(const sn_blade *blade, const sn_point *x, uint32_t corners) {
    const sn_point *c = blade->latest;
    if (!blade->sweep) return false;
    sn_point from = sn_point_scaled(sn_point_add(c[0], c[1]), 0.5);
    sn_point motion = sn_point_sub(sn_point_scaled(sn_point_add(c[2], c[3]), 0.5), from);
    /* Neighbours may have had to wait for each other. */
    double late = waiting * blade->near / near_enough * sn_point_length(motion);
    for (uint32_t k = 0; k < corners; k++)
        if (sn_point_dot(sn_point_sub(x[k], from), motion) > -late) return false;
    return true;
}

/* ---- Definitions ---- */

static const sn_object_column columns[] = {
    {"kind", {"kind"}, 0, 0, NULL},     {"point", {"point"}, 0, 0, NULL},
    {"normal", {"normal"}, 0, 0, NULL}, {"radius", {"radius"}, 0, 0, NULL},
    {"from", {"from"}, 0, 0, NULL},     {"to", {"to"}, 0, 0, NULL},
    {"snap", {"snap"}, 0, 0, NULL},     {"split", {"split"}, 0, 1, NULL},
};

SN_DEFINE_OBJECT(blade, SN_BLADE_FIELDS, "blade", "the surface of a cut", .columns = columns,
                 .column_count = sizeof columns / sizeof *columns)
