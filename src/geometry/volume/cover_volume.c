/*
 * Tetrahedra of a lattice that have something of the inside in them: a corner, or else a triangle
 * of the surface. No point of one is further than 0.56 of the spacing from a corner, so that most
 * of them need not be tested.
 */
#include "base/error.h"
#include "geometry/triangle_tet_overlap.h"
#include "geometry/volume/bcc_lattice.h"

typedef struct work {
    const sn_lattice *lattice;
    const sn_solid *solid;
    sn_mesh *tets;
    uint32_t *vertex; /* per point: 1 + that of the mesh */
    /* The test in progress. */
    sn_point corner[4];
    bool overlaps;
} work;

static bool test_triangle(void *user, uint32_t item) {
    work *w = user;
    sn_point x[3];
    for (int k = 0; k < 3; k++)
        x[k] = sn_mesh_point(w->solid->mesh, w->solid->mesh->triangles[item][k]);
    w->overlaps = sn_triangle_overlaps_tet(x, w->corner);
    return !w->overlaps;
}

static bool has_inside(work *w, const uint32_t point[4]) {
    double least = w->lattice->distance[point[0]];
    for (int k = 1; k < 4; k++)
        if (w->lattice->distance[point[k]] < least) least = w->lattice->distance[point[k]];
    if (least <= 0) return true;
    if (least > 0.5591 * w->lattice->spacing) return false;
    sn_bounds box = sn_bounds_empty();
    for (int k = 0; k < 4; k++) {
        w->corner[k] = sn_lattice_position(w->lattice, point[k]);
        sn_bounds_add(&box, w->corner[k]);
    }
    w->overlaps = false;
    sn_bvh_overlap(&w->solid->bvh, box, test_triangle, w);
    return w->overlaps;
}

static sn_result visit(void *user, const uint32_t point[4]) {
    work *w = user;
    if (!has_inside(w, point)) return SN_OK;
    sn_mesh *tets = w->tets;
    SN_TRY(sn_mesh_reserve(tets, (sn_mesh_room){.vertices = 4, .tets = 1}));
    for (int k = 0; k < 4; k++) {
        uint32_t *vertex = &w->vertex[point[k]];
        if (*vertex == 0) {
            tets->positions[tets->vertex_count] =
                sn_point_vec3(sn_lattice_position(w->lattice, point[k]));
            *vertex = (uint32_t)++tets->vertex_count;
        }
        tets->tets[tets->tet_count][k] = *vertex - 1;
    }
    tets->tet_count++;
    return SN_OK;
}

sn_result sn_lattice_cover(const sn_lattice *lattice, const sn_solid *solid, sn_mesh *tets) {
    work w = {.lattice = lattice, .solid = solid, .tets = tets};
    sn_memory memory = lattice->memory;
    w.vertex = sn_allocate(&memory, lattice->point_count, sizeof *w.vertex);
    if (!w.vertex) return SN_ERROR_MEMORY;
    sn_result result = sn_lattice_tets(lattice, visit, &w);
    sn_free(&memory, w.vertex, lattice->point_count, sizeof *w.vertex);
    return result;
}
