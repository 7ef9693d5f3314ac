/*
 * An elastic solid: edges and volumes.
 *
 * Springs that run evenly in all directions, with the sum K of stiffness times length^2 per volume,
 * have the Lame constants lambda = mu = K / 15. With k = E' V / l^2, V the volume of the tets
 * around an edge, K is 6 E': every tet has six edges. So mu = 2 E' / 5 gives E', and a bulk term of
 * lambda - mu in every tet brings the other constant to its value.
 */
#include "bodies/kind.h"

static double volume_of(const sn_builder *b, size_t tet) {
    const uint32_t *t = b->mesh->tets[tet];
    sn_point p = sn_point_sub(b->x[t[1]], b->x[t[0]]), q = sn_point_sub(b->x[t[2]], b->x[t[0]]);
    return sn_point_dot(sn_point_cross(p, q), sn_point_sub(b->x[t[3]], b->x[t[0]])) / 6;
}

static sn_result check_corners(const sn_builder *b, size_t tet) {
    const uint32_t *t = b->mesh->tets[tet];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            if (t[i] == t[k])
                return sn_fail(SN_ERROR_DEGENERATE, "solid: tet %zu uses vertex %u twice", tet,
                               t[i]);
    return SN_OK;
}

static sn_result weigh(sn_builder *b) {
    SN_TRY(sn_builder_check_field(b, "density"));
    SN_TRY(sn_builder_check_field(b, "young"));
    if (b->mesh->tet_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "solid: the mesh has no tetrahedra%s",
                       b->mesh->triangle_count > 0 ? ", only triangles: fill it first" : "");
    for (size_t i = 0; i < b->mesh->tet_count; i++) {
        const uint32_t *t = b->mesh->tets[i];
        SN_TRY(check_corners(b, i));
        double volume = volume_of(b, i);
        if (!(volume > 0))
            return sn_fail(SN_ERROR_DEGENERATE,
                           "solid: tet %zu with vertices %u, %u, %u and %u has the volume %g, "
                           "expected above 0",
                           i, t[0], t[1], t[2], t[3], volume);
        const sn_solid_material *m = sn_builder_at(b, t, 4);
        for (int k = 0; k < 4; k++) b->mass[t[k]] += (double)m->density * volume / 4;
    }
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        const sn_solid_material *m = sn_builder_at(b, &i, 1);
        b->defs[i].radius = m->radius;
    }
    return sn_builder_check_masses(b, "solid", "tet");
}

static double shear_modulus(const sn_solid_material *m) {
    return (double)m->young / (2 * (1 + (double)m->poisson));
}

static sn_result add_edges(sn_builder *b, const sn_pairs *edges) {
    sn_distance_def *defs = sn_allocate(b->memory, edges->count, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < edges->count; i++) {
        const sn_pair *e = &edges->pair[i];
        const uint32_t ends[2] = {e->a, e->b};
        const sn_solid_material *m = sn_builder_at(b, ends, 2);
        double length = sn_builder_distance(b, e->a, e->b), volume = 0;
        for (uint32_t k = 0; k < e->count; k++)
            volume += volume_of(b, edges->element[e->first + k]);
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
static double bulk_rest(const sn_solid_material *m) {
    double nu = (double)m->poisson;
    double lambda = (double)m->young * nu / ((1 + nu) * (1 - 2 * nu));
    return lambda - shear_modulus(m);
}

/* The volume of a tet; false where its edges are enough. */
static bool define_volume(const sn_builder *b, size_t tet, sn_tet_volume_def *def) {
    const sn_solid_material *m = sn_builder_at(b, b->mesh->tets[tet], 4);
    bool hard = m->young == SN_AUTO || (double)m->poisson >= 0.5;
    double rest = hard ? 0 : bulk_rest(m);
    if (!hard && !(rest > 0)) return false;
    *def = sn_tet_volume_def_default();
    for (int k = 0; k < 4; k++) def->node[k] = b->nodes[b->mesh->tets[tet][k]];
    if (hard) return true;
    double stiffness = rest / volume_of(b, tet);
    def->compliance = (sn_real)(1 / stiffness);
    def->damping = (sn_real)(stiffness * (double)m->damping);
    return true;
}

static sn_result add_volumes(sn_builder *b) {
    size_t count = 0, tets = b->mesh->tet_count;
    sn_tet_volume_def *defs = sn_allocate(b->memory, tets, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < tets; i++) count += define_volume(b, i, &defs[count]);
    sn_result result = sn_builder_add(b, SN_TYPE_TET_VOLUME, defs, count);
    sn_free(b->memory, defs, tets, sizeof *defs);
    return result;
}

static sn_result connect(sn_builder *b) {
    sn_pairs edges;
    SN_TRY(sn_pairs_create(&edges, b->memory, *b->mesh->tets, b->mesh->tet_count, 4,
                           b->mesh->vertex_count));
    sn_result result = add_edges(b, &edges);
    sn_pairs_free(&edges, b->memory);
    if (result == SN_OK) result = add_volumes(b);
    return result == SN_OK
               ? sn_solid_add_bulk(b, ((const sn_solid_material *)b->material)->fracture_stress)
               : result;
}

SN_DEFINE_KIND(solid, SN_SOLID_FIELDS, "tetrahedra that keep edges and volumes",
               .skin = SN_BODY_SKIN_TETS, .varies = "density young poisson damping radius",
               .weigh = weigh, .connect = connect)
