/*
 * An elastic solid: what its tets weigh, and which constraints resist their deformation. The models
 * are in solid_models.c and solid_edges.c.
 */
#include "bodies/body_solid.h"

#include <stdio.h>

double sn_solid_volume(const sn_builder *b, size_t tet) {
    const uint32_t *t = b->mesh->tets[tet];
    sn_point p = sn_point_sub(b->x[t[1]], b->x[t[0]]), q = sn_point_sub(b->x[t[2]], b->x[t[0]]);
    return sn_point_dot(sn_point_cross(p, q), sn_point_sub(b->x[t[3]], b->x[t[0]])) / 6;
}

sn_real sn_solid_modulus(const sn_builder *b, size_t tet, sn_real modulus) {
    return modulus == SN_AUTO ? SN_AUTO : (sn_real)((double)modulus * sn_builder_share(b, tet));
}

sn_result sn_solid_add_tets(sn_builder *b, sn_type type, size_t size, sn_define_tet *define) {
    size_t count = 0, tets = b->mesh->tet_count;
    unsigned char *defs = sn_allocate(b->memory, tets, size);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < tets; i++) count += define(b, i, defs + count * size);
    sn_result result = sn_builder_add(b, type, defs, count);
    sn_free(b->memory, defs, tets, size);
    return result;
}

/* What the models make of Poisson's ratio: edges alone have 0.25, and the Neo-Hookean material
   gives in to less and less pressure below 0. */
static const struct {
    const char *name;
    double least;
} models[] = {{"neo_hookean", 0}, {"edges", 0.25},        {"elastic", -0.99}, {"corotated", -0.99},
              {"strain", -0.99},  {"orthotropic", -0.99}, {"quadratic", 0},   {"explicit", -0.875}};

static sn_result check_ratio(const sn_builder *b, uint32_t vertex) {
    const sn_solid_material *m = sn_builder_at(b, &vertex, 1);
    const char *name = models[m->model].name;
    double least = models[m->model].least, ratio = (double)m->poisson;
    if (ratio >= least) return SN_OK;
    char where[32] = "";
    if (sn_builder_map(b, "poisson")) snprintf(where, sizeof where, " at vertex %u", vertex);
    return sn_fail(
        SN_ERROR_VALUE,
        "solid: poisson%s is %g, but the model %s takes %g to 0.5; corotated and elastic "
        "take all",
        where, ratio, name, least);
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
    if (b->mesh->tet_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "solid: the mesh has no tetrahedra%s",
                       b->mesh->triangle_count > 0 ? ", only triangles: fill it first" : "");
    if (((const sn_solid_material *)b->material)->model == SN_SOLID_QUADRATIC)
        SN_TRY(sn_solid_check_quadratic(b));
    SN_TRY(sn_builder_find_shares(b));
    for (size_t i = 0; i < b->mesh->tet_count; i++) {
        const uint32_t *t = b->mesh->tets[i];
        SN_TRY(check_corners(b, i));
        double volume = sn_solid_volume(b, i);
        if (!(volume > 0))
            return sn_fail(SN_ERROR_DEGENERATE,
                           "solid: tet %zu with vertices %u, %u, %u and %u has the volume %g, "
                           "expected above 0",
                           i, t[0], t[1], t[2], t[3], volume);
        const sn_solid_material *m = sn_builder_at(b, t, 4);
        double mass = (double)m->density * volume * sn_builder_share(b, i);
        for (int k = 0; k < 4; k++) b->mass[t[k]] += mass / 4;
    }
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        SN_TRY(check_ratio(b, i));
        const sn_solid_material *m = sn_builder_at(b, &i, 1);
        b->defs[i].radius = m->radius;
    }
    return sn_builder_check_masses(b, "solid", "tet");
}

static sn_result connect(sn_builder *b) {
    SN_TRY(sn_solid_find_substep_rate(b));
    SN_TRY(sn_solid_add_model(b));
    SN_TRY(sn_solid_add_more(b));
    return sn_solid_add_tet_mesh(b, ((const sn_solid_material *)b->material)->fracture_stress);
}

SN_DEFINE_KIND(solid, SN_SOLID_FIELDS, "tetrahedra that resist deformation",
               .surface = SN_BODY_SKIN_TETS,
               .varies = "density young poisson damping radius stretch_x stretch_y stretch_z "
                         "shear_yz shear_zx shear_xy volume_stiffness fibre_stiffness activation "
                         "contraction plastic_yield plastic_creep plastic_limit poisson_yz "
                         "poisson_zx poisson_xy",
               .weigh = weigh, .connect = connect)
