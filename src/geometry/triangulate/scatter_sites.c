/*
 * Where the sites inside an outline begin: in rows as those of equilateral triangles, and each of
 * them anywhere in its own cell and in a half of those around it, so that they are about as dense
 * everywhere and no direction of the rows is left.
 */
#include "geometry/triangulate/fill_outlines.h"

#include "geometry/bvh.h"
#include "geometry/closest_point.h"

#include <sinew/support.h>

/* How near to the border a site may be, and how much denser they are than equilateral triangles of
   the edge that is wanted, so that the mean of the edges is right in the end. */
static const double nearest = 0.5, density = 1.025;

typedef struct border_edges {
    const sn_triangulation *mesh;
    const uint32_t *side;
} border_edges;

static sn_point point_of(sn_site x) {
    return (sn_point){x.x, x.y, 0};
}

static double edge_distance(void *user, uint32_t item, sn_point x) {
    const border_edges *edges = user;
    const sn_triangulation *mesh = edges->mesh;
    uint32_t side = edges->side[item];
    double part;
    sn_point y =
        sn_closest_on_segment(x, point_of(mesh->site[mesh->sides.start[side]]),
                              point_of(mesh->site[sn_side_end(&mesh->sides, side)]), &part);
    sn_point apart = sn_point_sub(x, y);
    return sn_point_dot(apart, apart);
}

/* A number from 0 to 1 that follows from the place of a cell alone. */
static double random_of(int64_t row, int64_t column, uint64_t which) {
    uint64_t hash = sn_hash_word(sn_hash_word(which, (uint64_t)row), (uint64_t)column);
    return (double)(hash >> 11) / 9007199254740992.0;
}

static bool add_site(sn_scatter *scatter, sn_memory *memory, sn_site x) {
    if (scatter->count == scatter->capacity &&
        !sn_reserve(memory, (void **)&scatter->site, &scatter->capacity, scatter->count + 1,
                    sizeof *scatter->site))
        return false;
    scatter->site[scatter->count++] = x;
    return true;
}

static bool add_rows(sn_scatter *scatter, sn_memory *memory, sn_triangulation *mesh,
                     const uint8_t *inside, const sn_bvh *bvh, border_edges *edges, double edge) {
    double across = edge / __builtin_sqrt(density), along = across * 0.86602540378443864676;
    sn_bounds box = bvh->nodes[0].bounds;
    int64_t rows = (int64_t)((box.high.y - box.low.y) / along) + 2;
    int64_t columns = (int64_t)((box.high.x - box.low.x) / across) + 2;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t i = 0; i < columns; i++) {
            /* To and fro, so that the next site is never far. */
            int64_t column = row % 2 ? columns - 1 - i : i;
            double x = (double)column + 0.5 * (double)(row % 2) + 2 * random_of(row, column, 1);
            double y = (double)row + 2 * random_of(row, column, 2);
            sn_point at = {box.low.x + across * (x - 1.5), box.low.y + along * (y - 1.5), 0};
            if (!(at.x > box.low.x && at.x < box.high.x && at.y > box.low.y && at.y < box.high.y))
                continue;
            sn_site site = {(int32_t)at.x, (int32_t)at.y};
            if (!inside[sn_triangulation_find(mesh, site)]) continue;
            double square, within = nearest * edge;
            if (sn_bvh_nearest(bvh, at, within * within, edge_distance, edges, &square) !=
                SN_BVH_NONE)
                continue;
            if (!add_site(scatter, memory, site)) return false;
        }
    return true;
}

sn_result sn_scatter_create(sn_scatter *scatter, sn_memory *memory, sn_triangulation *mesh,
                            const uint8_t *inside, size_t border, double edge) {
    *scatter = (sn_scatter){0};
    uint32_t *side = sn_allocate(memory, border, sizeof *side);
    sn_bounds *bounds = sn_allocate(memory, border, sizeof *bounds);
    sn_result result = side && bounds ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        size_t count = 0;
        for (uint32_t s = 0; s < 3 * mesh->sides.triangles && count < border; s++)
            if (mesh->sides.mark[s] && inside[s / 3]) {
                bounds[count] = sn_bounds_empty();
                sn_bounds_add(&bounds[count], point_of(mesh->site[mesh->sides.start[s]]));
                sn_bounds_add(&bounds[count], point_of(mesh->site[sn_side_end(&mesh->sides, s)]));
                side[count++] = s;
            }
        sn_bvh bvh;
        result = sn_bvh_create(&bvh, memory, bounds, count);
        border_edges edges = {mesh, side};
        if (result == SN_OK) {
            if (!add_rows(scatter, memory, mesh, inside, &bvh, &edges, edge))
                result = SN_ERROR_MEMORY;
            sn_bvh_free(&bvh, memory);
        }
    }
    if (result != SN_OK) {
        sn_free(memory, scatter->site, scatter->capacity, sizeof *scatter->site);
        *scatter = (sn_scatter){0};
    }
    sn_free(memory, bounds, border, sizeof *bounds);
    sn_free(memory, side, border, sizeof *side);
    return result;
}
