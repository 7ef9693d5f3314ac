/* The sheet of a cloth: all of its triangles. */
#include "bodies/kind.h"

/* A limit that is the same all over the sheet; without one it stays so. */
static sn_real limit_of(sn_real limit, sn_real strength) {
    return limit == SN_AUTO ? limit : limit * strength;
}

sn_result sn_cloth_add_sheet(sn_builder *b) {
    const sn_cloth_material *m = b->material;
    sn_sheet_def def = sn_sheet_def_default();
    def.drag = m->drag;
    def.lift = m->lift;
    def.buoyant = m->buoyant != 0;
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.triangles = *b->mesh->triangles;
    def.triangle_count = b->mesh->triangle_count;
    def.tethers = (int)m->tethers;
    def.tether_slack = m->tether_slack;
    def.tether_path = (sn_sheet_path)m->tether_path;
    /* A map has the strength of every vertex, which the sheet keeps. */
    const sn_material_map *map = sn_builder_map(b, "strength");
    def.tear_strain = map ? m->tear_strain : limit_of(m->tear_strain, m->strength);
    def.tear_force = map ? m->tear_force : limit_of(m->tear_force, m->strength);
    SN_TRY(sn_sheet_create(b->world, &def, &b->sheet));
    return map ? sn_sheet_set_strength(b->world, b->sheet, map->values, map->count) : SN_OK;
}
