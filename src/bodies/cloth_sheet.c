/* The sheet of a cloth: all of its triangles. */
#include "bodies/kind.h"

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
    def.tear_strain = m->tear_strain;
    def.tear_force = m->tear_force;
    return sn_sheet_create(b->world, &def, &b->sheet);
}
