/*
 * What tetrahedra lose of a surface. What is thinner than the spacing has no point of a lattice in
 * it: its tip is then carried by the tets that are nearest, and an island behind a thin part goes.
 * That is right for a little of it; where more is lost, the tets are no likeness of the surface.
 */
#include "base/error.h"
#include "base/union_find.h"
#include "geometry/closest_point.h"
#include "geometry/mesh_bvh.h"
#include "geometry/volume/bcc_lattice.h"

/* What is a little, over all of the area or volume. */
static const double little = 0.02;

/* ---- Islands ---- */

static double volume_of(const sn_mesh *mesh, size_t tet) {
    const uint32_t *t = mesh->tets[tet];
    return sn_point_det(sn_mesh_point(mesh, t[0]), sn_mesh_point(mesh, t[1]),
                        sn_mesh_point(mesh, t[2]), sn_mesh_point(mesh, t[3])) /
           6;
}

/* Keeps the tets of parts that are no islands, by the roots of vertices; these keep their order. */
static void keep_parts(sn_mesh *tets, uint32_t *root, const double *volume, double least) {
    size_t count = 0, vertices = 0;
    for (size_t i = 0; i < tets->tet_count; i++) {
        if (volume[root[tets->tets[i][0]]] < least) continue;
        for (int k = 0; k < 4; k++) tets->tets[count][k] = tets->tets[i][k];
        count++;
    }
    tets->tet_count = count;
    for (uint32_t i = 0; i < tets->vertex_count; i++) {
        bool kept = volume[root[i]] >= least;
        if (kept) tets->positions[vertices] = tets->positions[i];
        /* From here on its number. */
        root[i] = kept ? (uint32_t)vertices++ : UINT32_MAX;
    }
    tets->vertex_count = vertices;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 4; k++) tets->tets[i][k] = root[tets->tets[i][k]];
}

sn_result sn_fill_drop_islands(sn_memory memory, sn_mesh *tets) {
    size_t count = tets->vertex_count;
    double all = 0;
    uint32_t *parent = sn_allocate(&memory, count, sizeof *parent);
    double *volume = sn_allocate(&memory, count, sizeof *volume);
    if (parent && volume) {
        for (uint32_t i = 0; i < count; i++) parent[i] = i;
        for (size_t i = 0; i < 4 * tets->tet_count; i++)
            sn_sets_join(parent, tets->tets[i / 4][0], tets->tets[i / 4][i % 4]);
        for (uint32_t i = 0; i < count; i++) parent[i] = sn_sets_root(parent, i);
        for (size_t i = 0; i < tets->tet_count; i++) {
            volume[parent[tets->tets[i][0]]] += volume_of(tets, i);
            all += volume_of(tets, i);
        }
        keep_parts(tets, parent, volume, little * all);
    }
    sn_result result = parent && volume ? SN_OK : SN_ERROR_MEMORY;
    sn_free(&memory, parent, count, sizeof *parent);
    sn_free(&memory, volume, count, sizeof *volume);
    return result;
}

/* ---- Far parts ---- */

static double square_to(void *user, uint32_t item, sn_point x) {
    const sn_mesh *mesh = user;
    const uint32_t *v = mesh->triangles[item];
    sn_point nearest = sn_closest_on_triangle(
        x, sn_mesh_point(mesh, v[0]), sn_mesh_point(mesh, v[1]), sn_mesh_point(mesh, v[2]), NULL);
    sn_point d = sn_point_sub(nearest, x);
    return sn_point_dot(d, d);
}

/* The part of the area whose middle is further from the tets than `reach`. */
static sn_result measure_far(const sn_mesh *surface, double reach, const sn_mesh *tets,
                             sn_memory *memory, double *part) {
    double all = 0, far = 0;
    sn_bvh bvh;
    SN_TRY(sn_mesh_bvh_create(&bvh, memory, tets));
    for (size_t t = 0; t < surface->triangle_count; t++) {
        sn_point x[3];
        for (int k = 0; k < 3; k++) x[k] = sn_mesh_point(surface, surface->triangles[t][k]);
        sn_point middle = sn_point_scaled(sn_point_add(sn_point_add(x[0], x[1]), x[2]), 1.0 / 3);
        double area = sn_point_length(sn_point_normal(x[0], x[1], x[2])), square;
        all += area;
        if (sn_bvh_nearest(&bvh, middle, reach * reach, square_to, (void *)(uintptr_t)tets,
                           &square) == SN_BVH_NONE)
            far += area;
    }
    sn_bvh_free(&bvh, memory);
    *part = far / all;
    return SN_OK;
}

/* ---- Breaks ---- */

static sn_result check_parts(const sn_mesh *mesh, sn_mesh_report *report) {
    *report = sn_mesh_report_default();
    report->weld_distance = 0;
    return sn_mesh_check(mesh, report);
}

/* Whether it comes apart where the surface does not; one inside another has its tets. */
static sn_result find_breaks(const sn_mesh *surface, const sn_mesh *tets, bool *broken) {
    sn_mesh_report whole, report;
    SN_TRY(check_parts(surface, &whole));
    SN_TRY(check_parts(tets, &report));
    *broken = report.tet_pieces > whole.piece_count;
    return SN_OK;
}

sn_result sn_fill_loses(const sn_solid *solid, double spacing, const sn_mesh *tets, bool *lost) {
    sn_memory memory = solid->memory;
    double part = 1;
    if (tets->tet_count > 0) SN_TRY(measure_far(solid->mesh, spacing, tets, &memory, &part));
    *lost = part > little;
    return *lost ? SN_OK : find_breaks(solid->mesh, tets, lost);
}
