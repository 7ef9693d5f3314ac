/*
 * Planes between two elements (Divide and Truncate, 2026, with planes that move).
 *
 * Where the elements are nearest when the substep begins, a plane across the shortest vector n
 * between them has all points of one on one side and all of the other on the other. As paths are
 * straight, it is enough that this holds in the end. The gap is shared by how fast the two sides
 * come nearer; whoever wants more than its share goes only a part of its path. Motion along the
 * plane and away from it is free.
 */
#include "contact/limiter/limiter.h"

#include <math.h>

static double along(sn_point a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* Along each axis, whether one stays above the other by more than `keep`. */
static bool boxes_are_apart(const sn_limiter_pair *p) {
    int first = sn_limiter_first(p->kind);
    for (int axis = 0; axis < 3; axis++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 4; i++) {
            int side = i >= first;
            double from = along(p->x[i], axis), to = from + along(p->displacement[i], axis);
            double least = from < to ? from : to, most = from < to ? to : from;
            if (least < low[side]) low[side] = least;
            if (most > high[side]) high[side] = most;
        }
        if (low[0] - high[1] > p->keep || low[1] - high[0] > p->keep) return true;
    }
    return false;
}

/* By how much the first is ahead of the second along n in the end. */
static double ahead_in_the_end(const sn_limiter_pair *p, sn_point n) {
    int first = sn_limiter_first(p->kind);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 4; i++) {
        double at = sn_point_dot(n, sn_point_add(p->x[i], p->displacement[i]));
        if (i < first && at < low) low = at;
        if (i >= first && at > high) high = at;
    }
    return low - high;
}

static double nearest_allowed(double keep, double gap) {
    return keep < gap ? keep : gap;
}

/* The time of impact of the two, and where. */
static sn_ccd_hit impact_of(const sn_limiter_pair *p) {
    const sn_ccd_hit never = {.hit = false, .time = 1};
    if (boxes_are_apart(p)) return never;
    sn_ccd_gap gap = sn_ccd_near(p->kind, p->x);
    double length = sqrt(gap.square), least = 0.99 * nearest_allowed(p->keep, length);
    sn_point n = sn_point_scaled(gap.vector, length > 0 ? 1 / length : 0);
    if (length > 0 && ahead_in_the_end(p, n) >= least) return never;
    /* Another plane may do: one that turns. */
    sn_point y[4];
    for (int i = 0; i < 4; i++) y[i] = sn_point_add(p->x[i], p->displacement[i]);
    return sn_ccd_sweep(p->kind, p->x, y, least);
}

bool sn_limiter_is_free(const sn_limiter_pair *p) {
    return !impact_of(p).hit;
}

bool sn_limiter_push(const sn_limiter_pair *p, const double w[4], sn_point change[4]) {
    sn_ccd_hit hit = impact_of(p);
    if (!hit.hit) return false;
    double gap = 0, sum = 0;
    for (int i = 0; i < 4; i++) {
        sn_point y = sn_point_add(p->x[i], p->displacement[i]);
        gap += hit.weight[i] * sn_point_dot(hit.normal, y);
        sum += w[i] * hit.weight[i] * hit.weight[i];
    }
    double lambda = sum > 0 && gap < 2 * p->keep ? (2 * p->keep - gap) / sum : 0;
    for (int i = 0; i < 4; i++)
        change[i] = sn_point_scaled(hit.normal, lambda * w[i] * hit.weight[i]);
    return lambda > 0;
}

/* What each side asks for beyond where it is nearest, and what of that cannot be refused. */
typedef struct demand {
    double all, fixed; /* m, at least 0 */
} demand;

/* How the gap is shared: what the first side gets of the room. */
static double share_of(const demand side[2], double room) {
    double got = room * side[0].all / (side[0].all + side[1].all);
    if (got > room - side[1].fixed) got = room - side[1].fixed;
    if (got < side[0].fixed) got = side[0].fixed;
    return got;
}

bool sn_limiter_limit(const sn_limiter_pair *p, const bool fixed[4], double part[4]) {
    int first = sn_limiter_first(p->kind);
    sn_ccd_gap gap = sn_ccd_near(p->kind, p->x);
    double length = sqrt(gap.square), toward[4], extra[4];
    sn_point n = length > 0 ? sn_point_scaled(gap.vector, 1 / length) : (sn_point){0, 0, 0};
    double room = length - nearest_allowed(p->keep, length);
    demand side[2] = {{0, 0}, {0, 0}};
    /* Heights of the nearest points along n. */
    double face[2] = {0, 0};
    for (int i = 0; i < 4; i++) face[i >= first] += gap.weight[i] * sn_point_dot(n, p->x[i]);
    face[1] = -face[1];
    for (int i = 0; i < 4; i++) {
        int s = i >= first;
        double sign = s ? 1 : -1, behind = -sign * (sn_point_dot(n, p->x[i]) - face[s]);
        toward[i] = sign * sn_point_dot(n, p->displacement[i]);
        extra[i] = behind > 0 ? behind : 0;
        double asks = toward[i] - extra[i];
        if (asks > side[s].all) side[s].all = asks;
        if (fixed[i] && asks > side[s].fixed) side[s].fixed = asks;
        part[i] = 1;
    }
    if (length > 0 && side[0].all + side[1].all <= room) return true;
    bool kept = length > 0 && side[0].fixed + side[1].fixed <= room;
    double got = kept ? share_of(side, room) : 0, other = kept ? room - got : 0;
    for (int i = 0; i < 4; i++) {
        double most = (i >= first ? other : got) + extra[i];
        if (length > 0 && !(toward[i] > most)) continue;
        part[i] = length > 0 ? most / toward[i] : 0;
    }
    return kept;
}
