/*
 * What of each tetrahedron is inside a surface.
 *
 * Tets deep inside are full. Of others a few points say how much is; all of these are then taken
 * by the factor that makes the sum the volume inside the surface. So what of it is beside all tets
 * counts with those next to it.
 */
#include "geometry/volume/fill_shares.h"

#include "base/error.h"

#include "geometry/volume/inside.h"

enum { SAMPLES = 20 };

/* No part of a tet is further from its nearest corner than this, over its longest edge. */
static const double reach = 0.62;
/* So that everything has a mass. */
static const double least = 0.02;

typedef struct tet {
    sn_point x[4];
    double distance[4];     /* of the corners from the surface, negative inside (m) */
    double volume, longest; /* m^3, m */
} tet;

static tet get_tet(const sn_mesh *mesh, const double *distance, size_t index) {
    tet t;
    double square = 0;
    for (int k = 0; k < 4; k++) {
        t.x[k] = sn_mesh_point(mesh, mesh->tets[index][k]);
        t.distance[k] = distance[mesh->tets[index][k]];
        for (int i = 0; i < k; i++) {
            sn_point d = sn_point_sub(t.x[k], t.x[i]);
            square = sn_point_dot(d, d) > square ? sn_point_dot(d, d) : square;
        }
    }
    t.volume = sn_point_det(t.x[0], t.x[1], t.x[2], t.x[3]) / 6;
    t.longest = __builtin_sqrt(square);
    return t;
}

/* The surface is nowhere between a corner and what is closer to it than the surface is. */
static bool is_inside(const sn_solid *solid, const tet *t, sn_point x, uint32_t *nearest) {
    for (int k = 0; k < 4; k++) {
        sn_point r = sn_point_sub(x, t->x[k]);
        if (sn_point_dot(r, r) < t->distance[k] * t->distance[k]) return t->distance[k] < 0;
    }
    return sn_solid_distance(solid, x, nearest) <= 0;
}

/* Points in rows along all edges, as (a + 1/4) / 4 with whole numbers that add up to 3. */
static double sampled_share(const sn_solid *solid, const tet *t, uint32_t *nearest) {
    int inside = 0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; a + b < 4; b++)
            for (int c = 0; a + b + c < 4; c++) {
                double weight[4] = {(a + 0.25) / 4, (b + 0.25) / 4, (c + 0.25) / 4,
                                    (3 - a - b - c + 0.25) / 4};
                sn_point x = {0, 0, 0};
                for (int k = 0; k < 4; k++)
                    x = sn_point_add(x, sn_point_scaled(t->x[k], weight[k]));
                inside += is_inside(solid, t, x, nearest);
            }
    double share = (double)inside / SAMPLES;
    return share > least ? share : least;
}

/* Whether the tet is full: all corners are as far inside as any part of it is from them. */
static bool is_deep(const tet *t) {
    for (int k = 0; k < 4; k++)
        if (t->distance[k] > -reach * t->longest) return false;
    return true;
}

/* Shares of tets, by the distances of their vertices, such that they add up to the volume. */
static void share_out(const sn_solid *solid, const sn_mesh *tets, const double *distance,
                      double volume, double *shares) {
    double full = 0, part = 0;
    uint32_t nearest = SN_BVH_NONE;
    for (size_t i = 0; i < tets->tet_count; i++) {
        tet t = get_tet(tets, distance, i);
        bool deep = is_deep(&t);
        /* Negative until the factor is known. */
        shares[i] = deep ? 1 : -sampled_share(solid, &t, &nearest);
        if (deep)
            full += t.volume;
        else
            part -= shares[i] * t.volume;
    }
    double factor = part > 0 && volume > full ? (volume - full) / part : 1;
    for (size_t i = 0; i < tets->tet_count; i++)
        if (shares[i] < 0) shares[i] *= -factor;
}

sn_result sn_fill_shares(const sn_mesh *surface, const sn_mesh *tets, double *shares) {
    sn_solid solid;
    double volume;
    uint32_t nearest = SN_BVH_NONE;
    SN_TRY(sn_solid_create(&solid, "visible mesh", surface));
    double *distance = sn_allocate(&solid.memory, tets->vertex_count, sizeof *distance);
    sn_result result = distance ? sn_mesh_volume(surface, &volume) : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        for (size_t i = 0; i < tets->vertex_count; i++)
            distance[i] = sn_solid_distance(&solid, sn_mesh_point(tets, (uint32_t)i), &nearest);
        share_out(&solid, tets, distance, volume, shares);
    }
    sn_free(&solid.memory, distance, tets->vertex_count, sizeof *distance);
    sn_solid_free(&solid);
    return result;
}
