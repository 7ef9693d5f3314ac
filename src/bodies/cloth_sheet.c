/* The sheet of a cloth: all of its triangles. */
#include "bodies/body_cloth.h"

#include <sinew/tear.h>

/* A limit that is the same all over the sheet; without one it stays so. */
static sn_real limit_of(sn_real limit, sn_real strength) {
    return limit == SN_AUTO ? limit : limit * strength;
}

sn_result sn_cloth_check_air(const sn_builder *b) {
    bool varied = sn_builder_map(b, "drag") || sn_builder_map(b, "lift");
    for (uint32_t i = 0; varied && i < b->mesh->vertex_count; i++) {
        const sn_cloth_material *here = sn_builder_at(b, &i, 1);
        if (here->lift != SN_AUTO && here->lift > here->drag)
            return sn_fail(SN_ERROR_VALUE,
                           "cloth: lift at vertex %u is %g, expected at most the drag there, which "
                           "is %g",
                           i, (double)here->lift, (double)here->drag);
    }
    return SN_OK;
}

/* Drag and lift of every vertex, where either has a map. */
static sn_result vary_air(sn_builder *b) {
    const sn_material_map *drag = sn_builder_map(b, "drag"), *lift = sn_builder_map(b, "lift");
    size_t count = b->mesh->vertex_count;
    if (!drag && !lift) return SN_OK;
    sn_real *list = sn_allocate(b->memory, 2 * count, sizeof *list);
    if (!list) return SN_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const sn_cloth_material *here = sn_builder_at(b, &i, 1);
        list[i] = here->drag;
        list[count + i] = here->lift;
    }
    sn_result result = sn_sheet_set_air(b->world, b->sheet, list, list + count, count);
    sn_free(b->memory, list, 2 * count, sizeof *list);
    return result;
}

sn_result sn_cloth_add_sheet(sn_builder *b) {
    const sn_cloth_material *m = b->material;
    sn_sheet_def def = sn_sheet_def_default();
    def.drag = m->drag;
    /* With maps this is said vertex by vertex, and a constant that does not fit a map is none. */
    def.lift = sn_builder_map(b, "drag") ? SN_AUTO : m->lift;
    def.buoyant = m->buoyant != 0;
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.triangles = *b->mesh->triangles;
    def.triangle_count = b->mesh->triangle_count;
    def.tethers = b->tethers;
    def.tether_slack = (sn_real)b->tether_slack;
    def.tether_path = (sn_sheet_path)m->tether_path;
    /* A map has the strength of every vertex, which the sheet keeps. */
    const sn_material_map *map = sn_builder_map(b, "strength");
    def.tear_strain = map ? m->tear_strain : limit_of(m->tear_strain, m->strength);
    def.tear_force = map ? m->tear_force : limit_of(m->tear_force, m->strength);
    SN_TRY(sn_sheet_create(b->world, &def, &b->sheet));
    if (map) SN_TRY(sn_sheet_set_strength(b->world, b->sheet, map->values, map->count));
    return vary_air(b);
}
