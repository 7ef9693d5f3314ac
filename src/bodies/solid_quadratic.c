/*
 * Solids of tetrahedra with ten nodes. Their mesh has eight tets for each, as sn_mesh_add_midpoints
 * makes them: what is around, such as masses, surfaces and pictures, is that of any mesh of tets,
 * and the corners and middles of an element are found in its first four.
 */
#include "bodies/body_solid.h"

#include <string.h>

enum { CHILDREN = 8, NODES = 10 };

/* The vertices of an element; false where its tets are not made of one. */
static bool find_vertices(const sn_mesh *mesh, size_t element, uint32_t v[NODES]) {
    uint32_t(*child)[4] = mesh->tets + CHILDREN * element;
    const uint32_t middle[6] = {child[0][1], child[0][2], child[0][3],
                                child[1][2], child[1][3], child[2][3]};
    for (int i = 0; i < 4; i++) {
        v[i] = child[i][i];
        for (int j = 0; j < i; j++)
            if (child[i][j] != child[j][i]) return false;
    }
    for (int i = 0; i < 6; i++) v[4 + i] = middle[i];
    /* What is between the corners has no other vertices. */
    for (int i = 4; i < CHILDREN; i++)
        for (int k = 0; k < 4; k++) {
            bool known = false;
            for (int m = 0; m < 6; m++) known |= child[i][k] == middle[m];
            if (!known) return false;
        }
    return true;
}

sn_result sn_solid_check_quadratic(const sn_builder *b) {
    const sn_solid_material *m = b->material;
    uint32_t v[NODES];
    if (m->plastic_yield != SN_AUTO || m->fracture_stress != SN_AUTO)
        return sn_fail(
            SN_ERROR_VALUE, "solid: %s is %g, but the model quadratic does not %s; expected auto",
            m->plastic_yield != SN_AUTO ? "plastic_yield" : "fracture_stress",
            (double)(m->plastic_yield != SN_AUTO ? m->plastic_yield : m->fracture_stress),
            m->plastic_yield != SN_AUTO ? "flow" : "fracture");
    if (b->mesh->tet_count % CHILDREN != 0)
        return sn_fail(SN_ERROR_VALUE,
                       "solid: the mesh has %zu tets, but the model quadratic takes eight for each "
                       "element, as sn_mesh_add_midpoints makes them",
                       b->mesh->tet_count);
    for (size_t e = 0; e < b->mesh->tet_count / CHILDREN; e++)
        if (!find_vertices(b->mesh, e, v))
            return sn_fail(SN_ERROR_VALUE,
                           "solid: tets %zu to %zu are not those of one with the middles of its "
                           "edges, which the model quadratic takes, as sn_mesh_add_midpoints makes "
                           "them",
                           CHILDREN * e, CHILDREN * e + CHILDREN - 1);
    return SN_OK;
}

/* How much of an element is filled. */
static double share_of(const sn_builder *b, size_t element) {
    double sum = 0;
    for (size_t i = 0; i < CHILDREN; i++) sum += sn_builder_share(b, CHILDREN * element + i);
    return sum / CHILDREN;
}

sn_result sn_solid_add_quadratic(sn_builder *b) {
    size_t count = b->mesh->tet_count / CHILDREN;
    sn_quadratic_tet_def *defs = sn_allocate(b->memory, count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t e = 0; e < count; e++) {
        uint32_t v[NODES];
        find_vertices(b->mesh, e, v);
        const sn_solid_material *m = sn_builder_at(b, v, 4);
        defs[e] = sn_quadratic_tet_def_default();
        for (int k = 0; k < NODES; k++) defs[e].node[k] = b->nodes[v[k]];
        defs[e].young =
            m->young == SN_AUTO ? SN_AUTO : (sn_real)((double)m->young * share_of(b, e));
        defs[e].poisson = m->poisson;
        defs[e].damping_time = m->damping;
    }
    sn_result result = sn_builder_add(b, SN_TYPE_QUADRATIC_TET, defs, count);
    sn_free(b->memory, defs, count, sizeof *defs);
    return result;
}
