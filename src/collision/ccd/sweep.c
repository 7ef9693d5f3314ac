/*
 * When two come together on straight paths.
 *
 * Usually that is asked of the cubic polynomial that is zero where the four points lie in a plane.
 * Its roots say nothing where the points stay in a plane, and little where they nearly do. Here
 * instead times are cut into intervals that are shown to be free:
 *
 *   Take the vector n between the nearest points in the middle of an interval. Along n, a point of
 *   one side is ahead of a point of the other by a number that is linear in time. So if all
 *   points of one are ahead of all points of the other at both ends, they are at all times between,
 *   and n is a plane between the two.
 *
 * An interval that is not free by this is halved, the earlier half first, until what moves in it is
 * below the tolerance. Sliding along each other costs no more than standing still.
 */
#include "collision/ccd/time_of_impact.h"

/* No more intervals than this: what goes on after it is taken for a hit. Of paths that pass each
   other by a gap g, turning, there are about as many as the root of (displacement / g). */
enum { MOST_TESTS = 65536, DEEPEST = 50 };

typedef struct displacements {
    sn_ccd_kind kind;
    int first;      /* points of the first side */
    sn_point x[4];  /* relative to a common point, when time begins */
    sn_point v[4];  /* how far they go */
    double longest; /* m, how far any goes */
    double tolerance;
} displacements;

static void place(const displacements *w, double time, sn_point x[4]) {
    for (int i = 0; i < 4; i++) x[i] = sn_point_add(w->x[i], sn_point_scaled(w->v[i], time));
}

/* By how much the first side is ahead of the second along n. */
static double ahead(const displacements *w, const sn_point x[4], sn_point n) {
    double low = __builtin_inf(), high = -__builtin_inf();
    for (int i = 0; i < 4; i++) {
        double at = sn_point_dot(n, x[i]);
        if (i < w->first && at < low) low = at;
        if (i >= w->first && at > high) high = at;
    }
    return low - high;
}

/* Whether a plane lies between the two from one time to another. */
static bool is_free(const displacements *w, double from, double to) {
    sn_point x[4];
    place(w, (from + to) / 2, x);
    sn_ccd_gap gap = sn_ccd_near(w->kind, x);
    double length = __builtin_sqrt(gap.square);
    if (!(length > w->tolerance)) return false;
    sn_point n = sn_point_scaled(gap.vector, 1 / length);
    /* The ends are rounded, so a little room is wanted. */
    double room = w->tolerance / 2;
    place(w, from, x);
    if (!(ahead(w, x, n) > room)) return false;
    place(w, to, x);
    return ahead(w, x, n) > room;
}

static displacements displacements_of(sn_ccd_kind kind, const sn_point x[4], const sn_point y[4],
                                      double tolerance) {
    displacements w = {.kind = kind, .first = kind == SN_CROSS_VERTEX ? 1 : 2};
    double size = 0;
    /* Seen from one of the points, so that what all do together does not count. */
    sn_point along = sn_point_sub(y[3], x[3]);
    for (int i = 0; i < 4; i++) {
        w.x[i] = sn_point_sub(x[i], x[3]);
        w.v[i] = sn_point_sub(sn_point_sub(y[i], x[i]), along);
        double displacement = sn_point_length(w.v[i]), far = sn_point_length(w.x[i]) + displacement;
        if (displacement > w.longest) w.longest = displacement;
        if (far > size) size = far;
    }
    w.tolerance = tolerance > 1e-7 * size ? tolerance : 1e-7 * size;
    return w;
}

/* Whether they are in the same place when time begins, but for rounding: then no plane has room
   between them, and no interval that begins there is free, however short. */
static bool begin_as_one(const displacements *w) {
    double room = 0.49 * w->tolerance;
    return sn_ccd_near(w->kind, w->x).square < room * room;
}

/* The way out of a contact whose points are in the same place: across both. */
static sn_point across(const displacements *w, const sn_point x[4]) {
    sn_point u = sn_point_sub(x[1], w->kind == SN_CROSS_VERTEX ? x[3] : x[0]);
    sn_point n = sn_point_cross(u, sn_point_sub(x[2], x[3]));
    double length = sn_point_length(n);
    if (!(length > 0)) return (sn_point){0, 1, 0};
    sn_point start[4];
    place(w, 0, start);
    /* As it was in the beginning. */
    double side = sn_point_dot(n, sn_ccd_near(w->kind, start).vector);
    return sn_point_scaled(n, (side < 0 ? -1 : 1) / length);
}

static sn_ccd_hit hit_at(const displacements *w, double time) {
    sn_point x[4];
    place(w, time, x);
    sn_ccd_gap gap = sn_ccd_near(w->kind, x);
    sn_ccd_hit hit = {.hit = true, .time = time};
    for (int i = 0; i < 4; i++) hit.weight[i] = gap.weight[i];
    double length = __builtin_sqrt(gap.square);
    bool clear = length > w->tolerance / 16;
    hit.normal = clear ? sn_point_scaled(gap.vector, 1 / length) : across(w, x);
    return hit;
}

sn_ccd_hit sn_ccd_sweep(sn_ccd_kind kind, const sn_point x[4], const sn_point y[4],
                        double tolerance) {
    displacements w = displacements_of(kind, x, y, tolerance);
    if (w.tolerance > tolerance && begin_as_one(&w)) return hit_at(&w, 0);
    /* Everything before `from` is free; the interval that is looked at is (1 / 2)^depth long. */
    double from = 0, length = 1;
    int depth = 0;
    for (int tests = 0; from < 1; tests++) {
        if (is_free(&w, from, from + length)) {
            from += length;
            /* On to the other half, or up where that was it: `from` is a whole number of the length
               that is twice as long. */
            while (depth > 0 && from / (2 * length) == (double)(int64_t)(from / (2 * length))) {
                length *= 2;
                depth--;
            }
            continue;
        }
        bool short_enough = w.longest * length <= w.tolerance / 2 || depth == DEEPEST;
        if (short_enough || tests >= MOST_TESTS) return hit_at(&w, from);
        length /= 2;
        depth++;
    }
    return (sn_ccd_hit){.hit = false, .time = 1};
}
