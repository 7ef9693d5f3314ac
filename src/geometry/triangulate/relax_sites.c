/*
 * Optimal Delaunay triangulation (Chen and Xu 2004): a site goes to the mean of the centres of the
 * circles about its triangles, weighted by their areas, and edges are flipped where they are not
 * Delaunay any more. What it makes small is how far the triangulation is from a paraboloid, which
 * triangles that are all equilateral make smallest.
 */
#include "geometry/triangulate/fill_outlines.h"

enum { ROUNDS = 20 };

/* A little further than to the mean: as good in fewer rounds. */
static const double overshoot = 1.3;

/* Where a site would go, from where it is. */
static void mean_of_centres(const sn_triangulation *mesh, uint32_t v, double move[2]) {
    sn_site x = mesh->site[v];
    uint32_t first = mesh->sides.at[v], side = first;
    double sum[2] = {0, 0}, area = 0;
    do {
        uint32_t after = sn_side_next(side);
        sn_site b = mesh->site[mesh->sides.start[after]],
                c = mesh->site[sn_side_end(&mesh->sides, after)];
        double bx = (double)b.x - x.x, by = (double)b.y - x.y;
        double cx = (double)c.x - x.x, cy = (double)c.y - x.y;
        double bb = bx * bx + by * by, cc = cx * cx + cy * cy;
        /* Four times the area by the centre of the circle through 0, b and c. */
        sum[0] += cy * bb - by * cc;
        sum[1] += bx * cc - cx * bb;
        area += bx * cy - by * cx;
        side = sn_side_around(&mesh->sides, side);
    } while (side != first);
    for (int k = 0; k < 2; k++) move[k] = 0.5 * sum[k] / area;
}

/* Whether all triangles of a site would be anticlockwise with it at x. */
static bool is_free(const sn_triangulation *mesh, uint32_t v, sn_site x) {
    uint32_t first = mesh->sides.at[v], side = first;
    do {
        uint32_t after = sn_side_next(side);
        if (sn_site_turn(x, mesh->site[mesh->sides.start[after]],
                         mesh->site[sn_side_end(&mesh->sides, after)]) <= 0)
            return false;
        side = sn_side_around(&mesh->sides, side);
    } while (side != first);
    return true;
}

static int32_t rounded(double a) {
    return (int32_t)(a < 0 ? a - 0.5 : a + 0.5);
}

static void move_site(sn_triangulation *mesh, uint32_t v) {
    double move[2];
    mean_of_centres(mesh, v, move);
    sn_site from = mesh->site[v], to = from;
    double part = overshoot;
    for (int tries = 0; tries < 4; tries++, part *= 0.5) {
        double x = part * move[0], y = part * move[1];
        /* Flat triangles have far centres. */
        if (!(x > -SN_SITE_RANGE && x < SN_SITE_RANGE && y > -SN_SITE_RANGE && y < SN_SITE_RANGE))
            continue;
        to = (sn_site){from.x + rounded(x), from.y + rounded(y)};
        if (is_free(mesh, v, to)) break;
        to = from;
    }
    if (sn_site_equal(from, to)) return;
    mesh->site[v] = to;
    uint32_t first = mesh->sides.at[v], side = first;
    do {
        sn_triangulation_push(mesh, side);
        sn_triangulation_push(mesh, sn_side_next(side));
        side = sn_side_around(&mesh->sides, side);
    } while (side != first);
    sn_triangulation_settle(mesh);
}

void sn_triangulation_relax(sn_triangulation *mesh, uint32_t first) {
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t v = first; v < mesh->sites; v++) move_site(mesh, v);
}
