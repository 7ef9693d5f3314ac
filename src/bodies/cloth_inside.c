/*
 * What is inside a closed sheet: a volume that is kept, or a gas (Mueller et al. 2007, section
 * 4.4).
 */
#include "bodies/cloth.h"

bool sn_cloth_is_filled(const sn_cloth_material *m) {
    return m->pressure != SN_AUTO || m->gas_pressure != SN_AUTO;
}

sn_result sn_cloth_check_inside(const sn_builder *b) {
    const sn_cloth_material *m = b->material;
    if (m->pressure != SN_AUTO && m->gas_pressure != SN_AUTO)
        return sn_fail(SN_ERROR_VALUE,
                       "cloth: pressure is %g and gas_pressure is %g Pa, expected one of them",
                       (double)m->pressure, (double)m->gas_pressure);
    if (!sn_cloth_is_filled(m) && (m->gas_leak > 0 || m->burst_pressure != SN_AUTO))
        return sn_fail(SN_ERROR_VALUE, "cloth: %s is given, expected a pressure or gas_pressure",
                       m->gas_leak > 0 ? "gas_leak" : "burst_pressure");
    return SN_OK;
}

static double volume_of(const sn_builder *b) {
    double volume6 = 0;
    for (size_t i = 0; i < b->mesh->triangle_count; i++)
        volume6 += sn_point_dot(sn_point_sub(b->x[b->mesh->triangles[i][0]], b->x[0]),
                                sn_cloth_normal(b, i));
    return volume6 / 6;
}

sn_result sn_cloth_fill(sn_builder *b) {
    const sn_cloth_material *m = b->material;
    if (!sn_cloth_is_filled(m)) return SN_OK;
    sn_surface_volume_def def = sn_surface_volume_def_default();
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.triangles = *b->mesh->triangles;
    def.triangle_count = b->mesh->triangle_count;
    def.break_force = m->burst_pressure;
    if (m->pressure != SN_AUTO) {
        def.pressure = m->pressure;
    } else {
        double p = (double)def.ambient + (double)m->gas_pressure;
        def.amount = (sn_real)(p * volume_of(b) / (SN_GAS_CONSTANT * (double)def.temperature));
        def.leak = m->gas_leak;
    }
    return sn_builder_add(b, SN_TYPE_SURFACE_VOLUME, &def, 1);
}
