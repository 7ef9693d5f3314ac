/*
 * Solids of finite elements: one constraint per tet, by the models of continua. Isotropic ones
 * measure the shape at rest when they are made, so that it has the bits of the nodes; directions
 * are turned with the mesh.
 */
#include "bodies/body_solid.h"

#include <string.h>

/* ---- Isotropic models, which have the same fields ---- */

#define DEFINE(model)                                                                              \
    static bool define_##model(const sn_builder *b, size_t tet, void *to) {                        \
        const uint32_t *t = b->mesh->tets[tet];                                                    \
        const sn_solid_material *m = sn_builder_at(b, t, 4);                                       \
        sn_##model##_tet_def def = sn_##model##_tet_def_default();                                 \
        for (int k = 0; k < 4; k++) def.node[k] = b->nodes[t[k]];                                  \
        def.young = sn_solid_modulus(b, tet, m->young);                                            \
        def.poisson = m->poisson;                                                                  \
        def.damping_time = m->damping;                                                             \
        SN_TAKE_PLASTICITY(def, m);                                                                \
        memcpy(to, &def, sizeof def);                                                              \
        return true;                                                                               \
    }

DEFINE(neo_hookean)
DEFINE(elastic)
DEFINE(corotated)

/* ---- Strain ---- */

static sn_real stretch_of(const sn_solid_material *m, sn_real own) {
    return own == SN_AUTO ? m->young : own;
}

/* Half of Young's modulus, as without Poisson's ratio. */
static sn_real shear_of(const sn_solid_material *m, sn_real own) {
    return own != SN_AUTO || m->young == SN_AUTO ? own : m->young / 2;
}

static sn_vec3 turned(const sn_builder *b, sn_vec3 direction, sn_vec3 standard) {
    bool given = direction.x != 0 || direction.y != 0 || direction.z != 0;
    return sn_point_vec3(sn_builder_turned(b, sn_point_of(given ? direction : standard)));
}

static bool define_strain(const sn_builder *b, size_t tet, void *to) {
    const uint32_t *t = b->mesh->tets[tet];
    const sn_solid_material *m = sn_builder_at(b, t, 4);
    sn_strain_tet_def def = sn_strain_tet_def_default();
    for (int k = 0; k < 4; k++) def.node[k] = b->nodes[t[k]];
    def.axis = turned(b, m->axis, (sn_vec3){1, 0, 0});
    def.across = turned(b, m->across, (sn_vec3){0, 1, 0});
    def.stretch_stiffness = (sn_vec3){sn_solid_modulus(b, tet, stretch_of(m, m->stretch_x)),
                                      sn_solid_modulus(b, tet, stretch_of(m, m->stretch_y)),
                                      sn_solid_modulus(b, tet, stretch_of(m, m->stretch_z))};
    def.shear_stiffness = (sn_vec3){sn_solid_modulus(b, tet, shear_of(m, m->shear_yz)),
                                    sn_solid_modulus(b, tet, shear_of(m, m->shear_zx)),
                                    sn_solid_modulus(b, tet, shear_of(m, m->shear_xy))};
    def.damping_time = m->damping;
    SN_TAKE_PLASTICITY(def, m);
    memcpy(to, &def, sizeof def);
    return true;
}

/* ---- An elasticity tensor with three axes ---- */

/* Poisson's ratio of two axes, by geometric means where it is not given: such a material is sound
   wherever an isotropic one is. */
static sn_real ratio_of(const sn_solid_material *m, sn_real own, sn_real first, sn_real second) {
    if (own != SN_AUTO) return own;
    if (first == SN_AUTO || second == SN_AUTO) return m->poisson;
    return (sn_real)((double)m->poisson * __builtin_sqrt((double)first / (double)second));
}

static bool define_orthotropic(const sn_builder *b, size_t tet, void *to) {
    const uint32_t *t = b->mesh->tets[tet];
    const sn_solid_material *m = sn_builder_at(b, t, 4);
    sn_orthotropic_tet_def def = sn_orthotropic_tet_def_default();
    sn_real x = stretch_of(m, m->stretch_x), y = stretch_of(m, m->stretch_y);
    sn_real z = stretch_of(m, m->stretch_z);
    for (int k = 0; k < 4; k++) def.node[k] = b->nodes[t[k]];
    def.axis = turned(b, m->axis, (sn_vec3){1, 0, 0});
    def.across = turned(b, m->across, (sn_vec3){0, 1, 0});
    def.young = (sn_vec3){sn_solid_modulus(b, tet, x), sn_solid_modulus(b, tet, y),
                          sn_solid_modulus(b, tet, z)};
    def.poisson = (sn_vec3){ratio_of(m, m->poisson_yz, y, z), ratio_of(m, m->poisson_zx, z, x),
                            ratio_of(m, m->poisson_xy, x, y)};
    def.shear_modulus =
        (sn_vec3){sn_solid_modulus(b, tet, m->shear_yz), sn_solid_modulus(b, tet, m->shear_zx),
                  sn_solid_modulus(b, tet, m->shear_xy)};
    def.damping_time = m->damping;
    SN_TAKE_PLASTICITY(def, m);
    memcpy(to, &def, sizeof def);
    return true;
}

/* ---- What comes beside a model ---- */

static bool define_fibre(const sn_builder *b, size_t tet, void *to) {
    const uint32_t *t = b->mesh->tets[tet];
    const sn_solid_material *m = sn_builder_at(b, t, 4);
    sn_fibre_tet_def def = sn_fibre_tet_def_default();
    for (int k = 0; k < 4; k++) def.node[k] = b->nodes[t[k]];
    def.direction = turned(b, m->fibre, (sn_vec3){1, 0, 0});
    def.fibre_stiffness = sn_solid_modulus(b, tet, m->fibre_stiffness);
    def.activation = m->activation;
    def.contraction = m->contraction;
    def.damping_time = m->damping;
    if (m->fibre_slack) def.side = SN_SIDE_AT_MOST;
    memcpy(to, &def, sizeof def);
    return m->fibre_stiffness != 0;
}

/* Energy: half of stiffness times V ((v - V) / V)^2. */
static bool define_volume(const sn_builder *b, size_t tet, void *to) {
    const uint32_t *t = b->mesh->tets[tet];
    const sn_solid_material *m = sn_builder_at(b, t, 4);
    double stiffness =
        (double)m->volume_stiffness * sn_builder_share(b, tet) / sn_solid_volume(b, tet);
    sn_tet_volume_def def = sn_tet_volume_def_default();
    for (int k = 0; k < 4; k++) def.node[k] = b->nodes[t[k]];
    def.compliance = sn_builder_compliance(m->volume_stiffness, stiffness);
    def.damping = sn_builder_damping(m->volume_stiffness, stiffness, m->damping);
    memcpy(to, &def, sizeof def);
    return m->volume_stiffness != 0;
}

sn_result sn_solid_add_more(sn_builder *b) {
    const sn_solid_material *m = b->material;
    if (m->volume_stiffness != 0 || sn_builder_map(b, "volume_stiffness"))
        SN_TRY(sn_solid_add_tets(b, SN_TYPE_TET_VOLUME, sizeof(sn_tet_volume_def), define_volume));
    if (m->fibre_stiffness == 0 && !sn_builder_map(b, "fibre_stiffness")) return SN_OK;
    return sn_solid_add_tets(b, SN_TYPE_FIBRE_TET, sizeof(sn_fibre_tet_def), define_fibre);
}

/* ---- All of them ---- */

sn_result sn_solid_add_model(sn_builder *b) {
    const sn_solid_material *m = b->material;
    switch (m->model) {
    case SN_SOLID_EDGES:
        return sn_solid_add_edges(b);
    case SN_SOLID_ELASTIC:
        return sn_solid_add_tets(b, SN_TYPE_ELASTIC_TET, sizeof(sn_elastic_tet_def),
                                 define_elastic);
    case SN_SOLID_COROTATED:
        return sn_solid_add_tets(b, SN_TYPE_COROTATED_TET, sizeof(sn_corotated_tet_def),
                                 define_corotated);
    case SN_SOLID_STRAIN:
        return sn_solid_add_tets(b, SN_TYPE_STRAIN_TET, sizeof(sn_strain_tet_def), define_strain);
    case SN_SOLID_ORTHOTROPIC:
        return sn_solid_add_tets(b, SN_TYPE_ORTHOTROPIC_TET, sizeof(sn_orthotropic_tet_def),
                                 define_orthotropic);
    case SN_SOLID_QUADRATIC:
        return sn_solid_add_quadratic(b);
    case SN_SOLID_EXPLICIT:
        return sn_solid_add_explicit(b);
    default:
        return sn_solid_add_tets(b, SN_TYPE_NEO_HOOKEAN_TET, sizeof(sn_neo_hookean_tet_def),
                                 define_neo_hookean);
    }
}
