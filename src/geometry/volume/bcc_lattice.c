#include "geometry/volume/bcc_lattice.h"

#include "base/error.h"

#include <math.h>

#define MOST_CUBES 16777216.0

/* ---- Points ---- */

void sn_lattice_place(const sn_lattice *lattice, uint32_t point, int32_t at[3]) {
    int32_t odd = point >= lattice->corner_count;
    uint32_t x = lattice->cubes[0] + (odd ? 0 : 1), y = lattice->cubes[1] + (odd ? 0 : 1);
    if (odd) point -= (uint32_t)lattice->corner_count;
    at[0] = 2 * (int32_t)(point % x) + odd;
    at[1] = 2 * (int32_t)(point / x % y) + odd;
    at[2] = 2 * (int32_t)(point / x / y) + odd;
}

uint32_t sn_lattice_point(const sn_lattice *lattice, const int32_t at[3]) {
    uint32_t odd = at[0] & 1;
    uint32_t x = lattice->cubes[0] + 1 - odd, y = lattice->cubes[1] + 1 - odd;
    uint32_t i = (uint32_t)at[0] / 2, j = (uint32_t)at[1] / 2, k = (uint32_t)at[2] / 2;
    return (odd ? (uint32_t)lattice->corner_count : 0) + (k * y + j) * x + i;
}

static sn_point position_at(const sn_lattice *lattice, const int32_t at[3]) {
    double half = lattice->spacing / 2;
    return (sn_point){lattice->low.x + at[0] * half, lattice->low.y + at[1] * half,
                      lattice->low.z + at[2] * half};
}

sn_point sn_lattice_position(const sn_lattice *lattice, uint32_t point) {
    int32_t at[3];
    sn_lattice_place(lattice, point, at);
    return position_at(lattice, at);
}

sn_result sn_lattice_tets(const sn_lattice *lattice,
                          sn_result (*visit)(void *user, const uint32_t point[4]), void *user) {
    const uint32_t *n = lattice->cubes;
    int32_t last[3] = {2 * (int32_t)n[0] - 1, 2 * (int32_t)n[1] - 1, 2 * (int32_t)n[2] - 1}, c[3];
    for (c[2] = 1; c[2] <= last[2]; c[2] += 2)
        for (c[1] = 1; c[1] <= last[1]; c[1] += 2)
            for (c[0] = 1; c[0] <= last[0]; c[0] += 2)
                for (int axis = 0; axis < 3; axis++) {
                    if (c[axis] == last[axis]) continue;
                    int u = (axis + 1) % 3, v = (axis + 2) % 3;
                    int32_t next[3] = {c[0], c[1], c[2]}, corner[3];
                    next[axis] += 2;
                    corner[axis] = c[axis] + 1;
                    uint32_t square[4], tet[4];
                    for (int k = 0; k < 4; k++) {
                        corner[u] = c[u] + (k == 1 || k == 2 ? 1 : -1);
                        corner[v] = c[v] + (k >= 2 ? 1 : -1);
                        square[k] = sn_lattice_point(lattice, corner);
                    }
                    tet[0] = sn_lattice_point(lattice, c);
                    tet[1] = sn_lattice_point(lattice, next);
                    for (int k = 0; k < 4; k++) {
                        tet[2] = square[k];
                        tet[3] = square[(k + 1) % 4];
                        SN_TRY(visit(user, tet));
                    }
                }
    return SN_OK;
}

/* ---- Making ---- */

/*
 * Measures the distance at a point whose neighbour, a spacing away, has one already. Distances
 * change by no more than the spacing, so far from the surface nothing needs to be measured.
 */
static double measure(const sn_solid *solid, sn_point x, double neighbour, double spacing,
                      uint32_t *hint) {
    double least = fabs(neighbour) - 1.000001 * spacing;
    if (least > spacing) return neighbour < 0 ? -least : least;
    return sn_solid_distance(solid, x, hint);
}

static void measure_all(sn_lattice *lattice, const sn_solid *solid) {
    int32_t at[3];
    uint32_t hint = SN_BVH_NONE;
    for (int32_t odd = 0; odd < 2; odd++)
        for (at[2] = odd; at[2] <= 2 * (int32_t)lattice->cubes[2] - odd; at[2] += 2)
            for (at[1] = odd; at[1] <= 2 * (int32_t)lattice->cubes[1] - odd; at[1] += 2)
                for (at[0] = odd; at[0] <= 2 * (int32_t)lattice->cubes[0] - odd; at[0] += 2) {
                    uint32_t point = sn_lattice_point(lattice, at);
                    int axis = at[0] > odd ? 0 : at[1] > odd ? 1 : 2;
                    double neighbour = 0;
                    if (at[axis] > odd) {
                        int32_t before[3] = {at[0], at[1], at[2]};
                        before[axis] -= 2;
                        neighbour = lattice->distance[sn_lattice_point(lattice, before)];
                    }
                    lattice->distance[point] = measure(solid, position_at(lattice, at), neighbour,
                                                       lattice->spacing, &hint);
                }
}

sn_result sn_lattice_create(sn_lattice *lattice, const sn_solid *solid, double spacing) {
    *lattice = (sn_lattice){.memory = solid->memory, .spacing = spacing};
    sn_point extent = sn_point_sub(solid->bounds.high, solid->bounds.low);
    double n[3] = {ceil(extent.x / spacing) + 3, ceil(extent.y / spacing) + 3,
                   ceil(extent.z / spacing) + 3};
    if (!(n[0] * n[1] * n[2] <= MOST_CUBES))
        return sn_fail(SN_ERROR_LIMIT,
                       "fill: a spacing of %g m gives %.0f by %.0f by %.0f cubes, expected at most "
                       "2^24 in all",
                       spacing, n[0], n[1], n[2]);
    for (int k = 0; k < 3; k++) lattice->cubes[k] = (uint32_t)n[k];
    lattice->corner_count = (size_t)((n[0] + 1) * (n[1] + 1) * (n[2] + 1));
    lattice->point_count = lattice->corner_count + (size_t)(n[0] * n[1] * n[2]);
    sn_point middle = sn_point_scaled(sn_point_add(solid->bounds.low, solid->bounds.high), 0.5);
    lattice->low = sn_point_sub(middle, sn_point_scaled((sn_point){n[0], n[1], n[2]}, spacing / 2));
    lattice->distance =
        sn_allocate(&lattice->memory, lattice->point_count, sizeof *lattice->distance);
    if (!lattice->distance) return SN_ERROR_MEMORY;
    measure_all(lattice, solid);
    return SN_OK;
}

void sn_lattice_free(sn_lattice *lattice) {
    sn_free(&lattice->memory, lattice->distance, lattice->point_count, sizeof *lattice->distance);
    lattice->distance = NULL;
}
