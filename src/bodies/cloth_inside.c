/*
 * What is inside a closed sheet: a volume that is kept, or a gas (Mueller et al. 2007, section
 * 4.4), and struts across, which keep its shape where nothing is filled in.
 */
#include "bodies/body_cloth.h"

#include "geometry/topology/opposite_vertices.h"

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
    bool across = m->volume_weight != 1 || sn_builder_map(b, "volume_weight");
    bool weighed = m->volume_local > 0 || m->volume_opposing > 0 || m->volume_touching > 0 ||
                   m->volume_steady > 0 || m->volume_change > 0 || across;
    if (!sn_cloth_is_filled(m) && weighed)
        return sn_fail(SN_ERROR_VALUE,
                       "cloth: volume_%s is given, expected a pressure or gas_pressure",
                       m->volume_local > 0      ? "local"
                       : m->volume_opposing > 0 ? "opposing"
                       : m->volume_touching > 0 ? "touching"
                       : m->volume_steady > 0   ? "steady"
                       : m->volume_change > 0   ? "change"
                                                : "weight");
    return SN_OK;
}

static double volume_of(const sn_builder *b) {
    double volume6 = 0;
    for (size_t i = 0; i < b->mesh->triangle_count; i++)
        volume6 += sn_point_dot(sn_point_sub(b->x[b->mesh->triangles[i][0]], b->x[0]),
                                sn_cloth_normal(b, i));
    return volume6 / 6;
}

/* How far distances across count, where that is not all the same. */
static sn_result weigh_across(sn_builder *b, sn_constraint volume) {
    const sn_cloth_material *m = b->material;
    const sn_material_map *map = sn_builder_map(b, "volume_weight");
    size_t n = b->mesh->vertex_count;
    if (map) return sn_constraint_set_weights(b->world, volume, map->values, map->count);
    if (m->volume_weight == 1) return SN_OK;
    sn_real *weight = sn_allocate(b->memory, n, sizeof *weight);
    if (!weight) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++) weight[i] = m->volume_weight;
    sn_result result = sn_constraint_set_weights(b->world, volume, weight, n);
    sn_free(b->memory, weight, n, sizeof *weight);
    return result;
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
    def.local = m->volume_local;
    def.opposing = m->volume_opposing;
    def.touching = m->volume_touching;
    def.steady = m->volume_steady;
    def.change = m->volume_change;
    if (m->pressure != SN_AUTO) {
        def.pressure = m->pressure;
    } else {
        double p = (double)def.ambient + (double)m->gas_pressure;
        def.amount = (sn_real)(p * volume_of(b) / (SN_GAS_CONSTANT * (double)def.temperature));
        def.leak = m->gas_leak;
    }
    sn_constraint volume;
    SN_TRY(sn_constraint_create(b->world, SN_TYPE_SURFACE_VOLUME, &def, &volume));
    b->constraints++;
    return weigh_across(b, volume);
}

/* ---- Struts ---- */

/* The areas of vertices: a third of those of their triangles. */
static void find_areas(const sn_builder *b, double *area) {
    for (size_t i = 0; i < b->mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) area[b->mesh->triangles[i][k]] += sn_cloth_area(b, i) / 3;
}

/*
 * A strut is a column between two vertices. Every column is seen from both of its ends, each with
 * the area of its vertex and half of the modulus: E (A_i + A_k) / 2 l where two vertices are each
 * other's opposites, which then have one strut.
 */
static size_t define_struts(const sn_builder *b, const uint32_t *opposite, const double *area,
                            sn_distance_def *defs) {
    const sn_cloth_material *m = b->material;
    size_t count = 0;
    for (uint32_t i = 0; i < b->mesh->vertex_count; i++) {
        uint32_t k = opposite[i];
        if (k == SN_OPPOSITE_NONE || (k < i && opposite[k] == i)) continue;
        double length = sn_builder_distance(b, i, k);
        double across = (area[i] + (opposite[k] == i ? area[k] : 0)) / 2;
        if (!(length > 0)) continue;
        sn_distance_def *def = &defs[count++];
        *def = sn_distance_def_default();
        def->node[0] = b->nodes[i];
        def->node[1] = b->nodes[k];
        def->compliance =
            sn_builder_compliance(m->strut_stiffness, (double)m->strut_stiffness * across / length);
    }
    return count;
}

static sn_result add_struts(sn_builder *b, uint32_t *opposite, double *area,
                            sn_distance_def *defs) {
    SN_TRY(sn_opposites_find(b->memory, *b->mesh->triangles, b->mesh->triangle_count,
                             b->mesh->positions, b->mesh->vertex_count, opposite));
    find_areas(b, area);
    size_t count = define_struts(b, opposite, area, defs);
    return sn_builder_add(b, SN_TYPE_DISTANCE, defs, count);
}

sn_result sn_cloth_strut(sn_builder *b) {
    const sn_cloth_material *m = b->material;
    size_t n = b->mesh->vertex_count;
    if (m->strut_stiffness == 0) return SN_OK;
    uint32_t *opposite = sn_allocate(b->memory, n, sizeof *opposite);
    double *area = sn_allocate(b->memory, n, sizeof *area);
    sn_distance_def *defs = sn_allocate(b->memory, n, sizeof *defs);
    sn_result result = SN_ERROR_MEMORY;
    if (opposite && area && defs) result = add_struts(b, opposite, area, defs);
    sn_free(b->memory, defs, n, sizeof *defs);
    sn_free(b->memory, area, n, sizeof *area);
    sn_free(b->memory, opposite, n, sizeof *opposite);
    return result;
}
