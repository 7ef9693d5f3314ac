/*
 * Cubes of a lattice, each cut into six tetrahedra on its diagonal, so that all vertices are
 * corners of a regular lattice: what regions of shape matching are quickly summed on.
 *
 * A cube is there if its middle is at most half an edge outside, or one of its corners inside.
 */
#include "base/error.h"
#include "geometry/volume/bcc_lattice.h"

typedef struct work {
    const sn_lattice *lattice;
    sn_mesh *tets;
    uint32_t *vertex; /* per corner of the lattice: 1 + that of the mesh */
} work;

static bool has_inside(const work *w, uint32_t middle, const uint32_t corner[8]) {
    const double *distance = w->lattice->distance;
    bool inside = distance[middle] <= 0.5 * w->lattice->spacing;
    for (int k = 0; k < 8; k++) inside |= distance[corner[k]] <= 0;
    return inside;
}

static sn_result add_cube(work *w, const uint32_t corner[8]) {
    static const unsigned char tets[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7},
                                             {0, 3, 2, 7}, {0, 6, 4, 7}, {0, 5, 1, 7}};
    sn_mesh *mesh = w->tets;
    SN_TRY(sn_mesh_reserve(mesh, (sn_mesh_room){.vertices = 8, .tets = 6}));
    for (int k = 0; k < 8; k++) {
        uint32_t *vertex = &w->vertex[corner[k]];
        if (*vertex > 0) continue;
        sn_point x = sn_lattice_position(w->lattice, corner[k]);
        mesh->positions[mesh->vertex_count] = sn_point_vec3(x);
        *vertex = (uint32_t)++mesh->vertex_count;
    }
    for (int t = 0; t < 6; t++, mesh->tet_count++)
        for (int k = 0; k < 4; k++)
            mesh->tets[mesh->tet_count][k] = w->vertex[corner[tets[t][k]]] - 1;
    return SN_OK;
}

static sn_result add_cubes(work *w) {
    const uint32_t *n = w->lattice->cubes;
    int32_t c[3];
    for (c[2] = 1; c[2] < 2 * (int32_t)n[2]; c[2] += 2)
        for (c[1] = 1; c[1] < 2 * (int32_t)n[1]; c[1] += 2)
            for (c[0] = 1; c[0] < 2 * (int32_t)n[0]; c[0] += 2) {
                uint32_t corner[8];
                for (int k = 0; k < 8; k++) {
                    const int32_t at[3] = {c[0] + (k & 1 ? 1 : -1), c[1] + (k & 2 ? 1 : -1),
                                           c[2] + (k & 4 ? 1 : -1)};
                    corner[k] = sn_lattice_point(w->lattice, at);
                }
                if (has_inside(w, sn_lattice_point(w->lattice, c), corner))
                    SN_TRY(add_cube(w, corner));
            }
    return SN_OK;
}

sn_result sn_lattice_cubes(const sn_lattice *lattice, sn_mesh *tets) {
    work w = {.lattice = lattice, .tets = tets};
    sn_memory memory = lattice->memory;
    w.vertex = sn_allocate(&memory, lattice->corner_count, sizeof *w.vertex);
    if (!w.vertex) return SN_ERROR_MEMORY;
    sn_result result = add_cubes(&w);
    sn_free(&memory, w.vertex, lattice->corner_count, sizeof *w.vertex);
    return result;
}
