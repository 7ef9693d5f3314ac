/* The tet mesh of a solid: all of its tets. */
#include "bodies/kind.h"

sn_result sn_solid_add_tet_mesh(sn_builder *b, sn_real fracture_stress) {
    sn_tet_mesh_def def = sn_tet_mesh_def_default();
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.tets = *b->mesh->tets;
    def.tet_count = b->mesh->tet_count;
    def.fracture_stress = fracture_stress;
    return sn_tet_mesh_create(b->world, &def, &b->tet_mesh);
}
