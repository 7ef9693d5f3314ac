#include "geometry/triangulate/outline.h"

#include "base/error.h"
#include "geometry/bvh.h"

#include <math.h>

enum { MOST_VERTICES = 1 << 24 };

/* A segment of a loop, on the lattice. */
typedef struct segment {
    sn_site a, b;
    uint32_t loop, point;
} segment;

typedef struct crossing {
    const segment *segments;
    uint32_t self, other; /* other: SN_BVH_NONE while none is found */
} crossing;

/* ---- Numbers ---- */

static const char *kind_of(const sn_outlines *outlines, size_t i) {
    return outlines->loops[i].hole ? "hole" : "outline";
}

size_t sn_outlines_ordinal(const sn_outlines *outlines, size_t loop) {
    size_t count = 0;
    for (size_t k = 0; k < loop; k++)
        count += outlines->loops[k].hole == outlines->loops[loop].hole;
    return count;
}

static sn_result check_points(const sn_outlines *outlines, size_t *total) {
    const char *what = outlines->what;
    if (outlines->count == 0 || outlines->count > SN_OUTLINE_LOOPS)
        return sn_fail(SN_ERROR_VALUE, "%s: there are %zu outlines, expected from 1 to %d", what,
                       outlines->count, SN_OUTLINE_LOOPS);
    for (size_t i = 0; i < outlines->count; i++) {
        const sn_loop *loop = &outlines->loops[i];
        if (loop->count < 3 || loop->count > SN_OUTLINE_POINTS - *total)
            return sn_fail(SN_ERROR_VALUE,
                           "%s: %s %zu has %zu points, expected at least 3 and at most %d in all",
                           what, kind_of(outlines, i), sn_outlines_ordinal(outlines, i),
                           loop->count, SN_OUTLINE_POINTS);
        *total += loop->count;
        for (size_t k = 0; k < loop->count; k++)
            if (!(fabs(loop->points[k][0]) <= 1e9 && fabs(loop->points[k][1]) <= 1e9))
                return sn_fail(SN_ERROR_VALUE,
                               "%s: point %zu of %s %zu is at (%g, %g), expected from -1e9 to "
                               "1e9 m",
                               what, k, kind_of(outlines, i), sn_outlines_ordinal(outlines, i),
                               loop->points[k][0], loop->points[k][1]);
    }
    return SN_OK;
}

/* The lattice has the outlines in its middle; edges are neither longer than all of it, nor so short
   that there would be too many. */
static sn_result fit_lattice(const sn_outlines *outlines, sn_lattice *lattice) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, edge = outlines->edge;
    for (size_t i = 0; i < outlines->count; i++)
        for (size_t k = 0; k < outlines->loops[i].count; k++)
            for (int axis = 0; axis < 2; axis++) {
                double x = outlines->loops[i].points[k][axis];
                low[axis] = x < low[axis] ? x : low[axis];
                high[axis] = x > high[axis] ? x : high[axis];
            }
    double side[2] = {high[0] - low[0], high[1] - low[1]};
    double longest = side[0] > side[1] ? side[0] : side[1];
    if (!(edge >= 1e-9 && edge <= longest))
        return sn_fail(SN_ERROR_VALUE,
                       "%s: edge_length is %g, expected from 1e-9 m to the longest side of all, "
                       "%g m",
                       outlines->what, edge, longest);
    double vertices = (side[0] / edge + 1) * (side[1] / edge + 1) / 0.866;
    if (vertices > MOST_VERTICES)
        return sn_fail(SN_ERROR_LIMIT,
                       "%s: with edges of %g m it could have %.3g vertices, expected at most 2^24",
                       outlines->what, edge, vertices);
    for (int axis = 0; axis < 2; axis++)
        lattice->origin[axis] = low[axis] + 0.5 * (high[axis] - low[axis]);
    int exponent;
    frexp(longest, &exponent);
    /* Half of the longest side is below 2^26 units of it. */
    lattice->unit = ldexp(1, exponent - 27);
    return SN_OK;
}

/* ---- Crossings ---- */

/* Segments that share a point may not lie on each other; others may not meet. */
static bool is_wrong(const segment *p, const segment *q) {
    bool follows = sn_site_equal(p->b, q->a), leads = sn_site_equal(q->b, p->a);
    if (p->loop == q->loop && (follows || leads)) {
        sn_site end = follows ? q->b : q->a, begin = follows ? p->a : p->b;
        sn_site middle = follows ? p->b : p->a;
        int64_t ux = (int64_t)begin.x - middle.x, uy = (int64_t)begin.y - middle.y;
        int64_t vx = (int64_t)end.x - middle.x, vy = (int64_t)end.y - middle.y;
        return sn_site_turn(begin, middle, end) == 0 && ux * vx + uy * vy > 0;
    }
    return sn_sites_intersect(p->a, p->b, q->a, q->b);
}

static bool find_crossing(void *user, uint32_t item) {
    crossing *c = user;
    if (item <= c->self || !is_wrong(&c->segments[c->self], &c->segments[item])) return true;
    c->other = item;
    return false;
}

static sn_bounds bounds_of(const segment *s) {
    sn_bounds bounds = sn_bounds_empty();
    sn_bounds_add(&bounds, (sn_point){s->a.x, s->a.y, 0});
    sn_bounds_add(&bounds, (sn_point){s->b.x, s->b.y, 0});
    return bounds;
}

static sn_result check_crossings(const sn_outlines *outlines, const segment *segments,
                                 const sn_bounds *bounds, size_t count, const sn_bvh *bvh) {
    for (size_t i = 0; i < count; i++) {
        crossing c = {segments, (uint32_t)i, SN_BVH_NONE};
        sn_bvh_overlap(bvh, bounds[i], find_crossing, &c);
        if (c.other == SN_BVH_NONE) continue;
        const segment *p = &segments[i], *q = &segments[c.other];
        return sn_fail(SN_ERROR_VALUE,
                       "%s: the segment after point %u of %s %zu meets that after point %u of %s "
                       "%zu, expected outlines that do not cross or touch",
                       outlines->what, p->point, kind_of(outlines, p->loop),
                       sn_outlines_ordinal(outlines, p->loop), q->point, kind_of(outlines, q->loop),
                       sn_outlines_ordinal(outlines, q->loop));
    }
    return SN_OK;
}

/* Segments without length on the lattice are left out. */
static size_t list_segments(const sn_outlines *outlines, const sn_lattice *lattice,
                            segment *segments) {
    size_t count = 0;
    for (uint32_t i = 0; i < outlines->count; i++) {
        const sn_loop *loop = &outlines->loops[i];
        for (uint32_t k = 0; k < loop->count; k++) {
            sn_site a = sn_lattice_site(lattice, loop->points[k]);
            sn_site b = sn_lattice_site(lattice, loop->points[(k + 1) % loop->count]);
            if (!sn_site_equal(a, b)) segments[count++] = (segment){a, b, i, k};
        }
    }
    return count;
}

static sn_result check_segments(const sn_outlines *outlines, const sn_lattice *lattice,
                                size_t total, sn_memory *memory) {
    segment *segments = sn_allocate(memory, total, sizeof *segments);
    sn_bounds *bounds = sn_allocate(memory, total, sizeof *bounds);
    sn_result result = segments && bounds ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        size_t count = list_segments(outlines, lattice, segments);
        for (size_t i = 0; i < count; i++) bounds[i] = bounds_of(&segments[i]);
        sn_bvh bvh;
        result = sn_bvh_create(&bvh, memory, bounds, count);
        if (result == SN_OK) {
            result = check_crossings(outlines, segments, bounds, count, &bvh);
            sn_bvh_free(&bvh, memory);
        }
    }
    sn_free(memory, bounds, total, sizeof *bounds);
    sn_free(memory, segments, total, sizeof *segments);
    return result;
}

/* ---- Holes ---- */

bool sn_loop_contains(const sn_loop *loop, const double x[2]) {
    bool inside = false;
    for (size_t i = 0, before = loop->count - 1; i < loop->count; before = i++) {
        const double *a = loop->points[before], *b = loop->points[i];
        if ((a[1] > x[1]) == (b[1] > x[1])) continue;
        double across = (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
        if ((across > 0) == (b[1] > a[1])) inside = !inside;
    }
    return inside;
}

/* Loops do not touch, so that one point tells where a loop is. */
static sn_result check_nesting(const sn_outlines *outlines) {
    for (size_t i = 0; i < outlines->count; i++) {
        const sn_loop *loop = &outlines->loops[i];
        bool inside = false;
        for (size_t k = 0; k < outlines->count; k++)
            if (k != i && sn_loop_contains(&outlines->loops[k], loop->points[0])) inside = !inside;
        if (inside == loop->hole) continue;
        return sn_fail(SN_ERROR_VALUE,
                       loop->hole ? "%s: hole %zu is not inside an outline, expected it to be"
                                  : "%s: outline %zu is inside another one, expected a hole there",
                       outlines->what, sn_outlines_ordinal(outlines, i));
    }
    return SN_OK;
}

sn_result sn_outlines_check(const sn_outlines *outlines, sn_memory *memory, sn_lattice *lattice) {
    size_t total = 0;
    SN_TRY(check_points(outlines, &total));
    if (!(outlines->corner_angle > 0 && outlines->corner_angle <= 4))
        return sn_fail(SN_ERROR_VALUE, "%s: corner_angle is %g, expected above 0 and at most 4 rad",
                       outlines->what, outlines->corner_angle);
    SN_TRY(fit_lattice(outlines, lattice));
    SN_TRY(check_segments(outlines, lattice, total, memory));
    return check_nesting(outlines);
}
