/* Solids of finite elements that are integrated explicitly where the step allows it. */
#include "bodies/body_solid.h"

#include <sinew/finite_elements.h>

sn_result sn_solid_add_explicit(sn_builder *b) {
    const sn_solid_material *m = b->material;
    static const char *const maps[] = {"young", "poisson", "density"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (sn_builder_map(b, maps[i]))
            return sn_fail(SN_ERROR_VALUE,
                           "solid: %s varies, but the model explicit takes one material", maps[i]);
    if (m->young == SN_AUTO || m->poisson > (sn_real)0.49)
        return sn_fail(SN_ERROR_VALUE,
                       "solid: the model explicit takes a young that is a number and a poisson up "
                       "to 0.49, not %g",
                       (double)m->poisson);
    bool flows = m->plastic_yield != SN_AUTO || sn_builder_map(b, "plastic_yield");
    if (m->damping > 0 || flows)
        return sn_fail(SN_ERROR_VALUE,
                       "solid: the model explicit has neither damping nor plasticity; "
                       "rigid_damping of the body damps it");
    if (m->fracture_stress != SN_AUTO)
        return sn_fail(
            SN_ERROR_VALUE,
            "solid: fracture_stress is %g Pa, but the model explicit is not cut and does "
            "not fracture, expected automatic",
            (double)m->fracture_stress);
    sn_finite_elements_def def = sn_finite_elements_def_default();
    sn_finite_elements made;
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.tets = *b->mesh->tets;
    def.tet_count = b->mesh->tet_count;
    def.young = m->young;
    def.poisson = m->poisson;
    def.density = m->density;
    return sn_finite_elements_create(b->world, &def, &made);
}
