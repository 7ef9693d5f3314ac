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
    double volume, longest; /* m^3, m */
} tet;

static tet get_tet(const sn_mesh *mesh, size_t index) {
    tet t;
    double square = 0;
    for (int k = 0; k < 4; k++) {
        t.x[k] = sn_mesh_point(mesh, mesh->tets[index][k]);
        for (int i = 0; i < k; i++) {
            sn_point d = sn_point_sub(t.x[k], t.x[i]);
            square = sn_point_dot(d, d) > square ? sn_point_dot(d, d) : square;
        }
    }
    t.volume = sn_point_det(t.x[0], t.x[1], t.x[2], t.x[3]) / 6;
    t.longest = __builtin_sqrt(square);
    return t;
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
                inside += sn_solid_distance(solid, x, nearest) <= 0;
            }
    double share = (double)inside / SAMPLES;
    return share > least ? share : least;
}

/* Whether the tet is full: all corners are as far inside as any part of it is from them. */
static bool is_deep(const sn_solid *solid, const tet *t, uint32_t *nearest) {
    for (int k = 0; k < 4; k++)
        if (sn_solid_distance(solid, t->x[k], nearest) > -reach * t->longest) return false;
    return true;
}

sn_result sn_fill_shares(const sn_mesh *surface, const sn_mesh *tets, double *shares) {
    sn_solid solid;
    double volume, full = 0, part = 0;
    SN_TRY(sn_solid_create(&solid, "visible mesh", surface));
    sn_result result = sn_mesh_volume(surface, &volume);
    uint32_t nearest = SN_BVH_NONE;
    for (size_t i = 0; i < tets->tet_count; i++) {
        tet t = get_tet(tets, i);
        bool deep = is_deep(&solid, &t, &nearest);
        /* Negative until the factor is known. */
        shares[i] = deep ? 1 : -sampled_share(&solid, &t, &nearest);
        if (deep)
            full += t.volume;
        else
            part -= shares[i] * t.volume;
    }
    double factor = part > 0 && volume > full ? (volume - full) / part : 1;
    for (size_t i = 0; i < tets->tet_count; i++)
        if (shares[i] < 0) shares[i] *= -factor;
    sn_solid_free(&solid);
    return result;
}
