/*
 * A solid of edges and volumes, the cheapest one.
 *
 * Springs that run evenly in all directions, with the sum K of stiffness times length^2 per volume,
 * have the Lame constants lambda = mu = K / 15. With k = E' V / l^2, V the volume of the tets
 * around an edge, K is 6 E': every tet has six edges. So mu = 2 E' / 5 gives E', and a tet mesh
 * term of lambda - mu in every tet brings the other constant to its value.
 */
#include "bodies/body_solid.h"

#include <string.h>

static double shear_modulus(const sn_solid_material *m) {
    return (double)m->young / (2 * (1 + (double)m->poisson));
}

static double filled_volume(const sn_builder *b, size_t tet) {
    return sn_solid_volume(b, tet) * sn_builder_share(b, tet);
}

static sn_result add_pairs(sn_builder *b, const sn_pairs *edges) {
    sn_distance_def *defs = sn_allocate(b->memory, edges->count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < edges->count; i++) {
        const sn_pair *e = &edges->pair[i];
        const uint32_t ends[2] = {e->a, e->b};
        const sn_solid_material *m = sn_builder_at(b, ends, 2);
        double length = sn_builder_distance(b, e->a, e->b), volume = 0;
        for (uint32_t k = 0; k < e->count; k++)
            volume += filled_volume(b, edges->element[e->first + k]);
        double stiffness = 2.5 * shear_modulus(m) * volume / (length * length);
        defs[i] = sn_distance_def_default();
        defs[i].node[0] = b->nodes[e->a];
        defs[i].node[1] = b->nodes[e->b];
        defs[i].compliance = sn_builder_compliance(m->young, stiffness);
        defs[i].damping = sn_builder_damping(m->young, stiffness, m->damping);
    }
    sn_result result = sn_builder_add(b, SN_TYPE_DISTANCE, defs, edges->count);
    sn_free(b->memory, defs, edges->count, sizeof *defs);
    return result;
}

/* lambda - mu; 0 for a ratio of 1/4, and nothing to be finite about for 1/2. */
static double tet_mesh_rest(const sn_solid_material *m) {
    double nu = (double)m->poisson;
    double lambda = (double)m->young * nu / ((1 + nu) * (1 - 2 * nu));
    return lambda - shear_modulus(m);
}

/* The volume of a tet; false where its edges are enough. */
static bool define_volume(const sn_builder *b, size_t tet, void *to) {
    const sn_solid_material *m = sn_builder_at(b, b->mesh->tets[tet], 4);
    bool hard = m->young == SN_AUTO || (double)m->poisson >= 0.5;
    double rest = hard ? 0 : tet_mesh_rest(m);
    if (!hard && !(rest > 0)) return false;
    sn_tet_volume_def def = sn_tet_volume_def_default();
    for (int k = 0; k < 4; k++) def.node[k] = b->nodes[b->mesh->tets[tet][k]];
    if (!hard) {
        double stiffness = rest * sn_builder_share(b, tet) / sn_solid_volume(b, tet);
        def.compliance = (sn_real)(1 / stiffness);
        def.damping = (sn_real)(stiffness * (double)m->damping);
    }
    memcpy(to, &def, sizeof def);
    return true;
}

sn_result sn_solid_add_edges(sn_builder *b) {
    sn_pairs edges;
    SN_TRY(sn_pairs_create(&edges, b->memory, *b->mesh->tets, b->mesh->tet_count, 4,
                           b->mesh->vertex_count));
    sn_result result = add_pairs(b, &edges);
    sn_pairs_free(&edges, b->memory);
    SN_TRY(result);
    return sn_solid_add_tets(b, SN_TYPE_TET_VOLUME, sizeof(sn_tet_volume_def), define_volume);
}
