#include "geometry/triangulate/fill_outlines.h"

/* Squares of the cosines of 31 and 107 degrees, and of the longest edge in edges. */
static const double narrow = 0.7347, wide = 0.0855, longest = 1.5 * 1.5;

static double square_of(const sn_triangulation *mesh, uint32_t side) {
    sn_site a = mesh->site[mesh->sides.start[side]],
            b = mesh->site[sn_side_end(&mesh->sides, side)];
    double x = (double)b.x - a.x, y = (double)b.y - a.y;
    return x * x + y * y;
}

/* Whether the angle between sides with the squares b and c, opposite to one with a, is below or
   above the limit. */
static bool is_narrow(double a, double b, double c) {
    double twice = b + c - a;
    return twice > 0 && twice * twice > narrow * 4 * b * c;
}
static bool is_wide(double a, double b, double c) {
    double twice = b + c - a;
    return twice < 0 && twice * twice > wide * 4 * b * c;
}

static uint32_t degree_of(const sn_triangulation *mesh, uint32_t v) {
    uint32_t count = 0, first = mesh->sides.at[v], side = first;
    do {
        count++;
        side = sn_side_around(&mesh->sides, side);
    } while (side != first);
    return count;
}

/* What is around a site is not changed again before it was relaxed. */
static bool is_touched(const sn_triangulation *mesh, const uint8_t *touched, uint32_t v) {
    uint32_t first = mesh->sides.at[v], side = first;
    do {
        if (touched[sn_side_end(&mesh->sides, side)]) return true;
        side = sn_side_around(&mesh->sides, side);
    } while (side != first);
    return touched[v];
}

/* The end of the shortest side that goes, the one with fewer neighbours; the frame has none that
   does. */
static uint32_t chosen_end(const sn_triangulation *mesh, uint32_t side, uint32_t first) {
    uint32_t a = mesh->sides.start[side], b = sn_side_end(&mesh->sides, side);
    if (a < first) return b;
    if (b < first) return a;
    return degree_of(mesh, a) <= degree_of(mesh, b) ? a : b;
}

bool sn_triangulation_mend(const sn_triangulation *mesh, const uint8_t *inside, uint32_t first,
                           double edge, uint8_t *touched, sn_scatter *scatter) {
    enum { MOVED = 1, GONE = 2 };
    size_t added = mesh->sites - first, kept = 0;
    bool changed = false;
    for (uint32_t t = 0; t < mesh->sides.triangles; t++) {
        if (!inside[t]) continue;
        uint32_t shortest = 3 * t, furthest = 3 * t;
        double square[3];
        for (uint32_t k = 0; k < 3; k++) {
            square[k] = square_of(mesh, 3 * t + k);
            if (square[k] < square[shortest % 3]) shortest = 3 * t + k;
            if (square[k] > square[furthest % 3]) furthest = 3 * t + k;
        }
        double sum = square[0] + square[1] + square[2];
        double low = square[shortest % 3], high = square[furthest % 3], middle = sum - low - high;
        if (is_narrow(low, middle, high)) {
            uint32_t v = chosen_end(mesh, shortest, first);
            if (v < first || is_touched(mesh, touched, v)) continue;
            touched[v] = GONE;
            changed = true;
        } else if ((is_wide(high, low, middle) || high > longest * edge * edge) &&
                   !mesh->sides.mark[furthest]) {
            uint32_t a = mesh->sides.start[furthest], b = sn_side_end(&mesh->sides, furthest);
            if (is_touched(mesh, touched, a) || is_touched(mesh, touched, b)) continue;
            touched[a] = touched[b] = MOVED;
            scatter->site[added++] = (sn_site){(mesh->site[a].x + mesh->site[b].x) / 2,
                                               (mesh->site[a].y + mesh->site[b].y) / 2};
            changed = true;
        }
    }
    size_t end = added;
    for (uint32_t v = first; v < mesh->sites; v++)
        if (touched[v] != GONE) scatter->site[kept++] = mesh->site[v];
    for (size_t i = mesh->sites - first; i < end; i++) scatter->site[kept++] = scatter->site[i];
    scatter->count = kept;
    return changed;
}
