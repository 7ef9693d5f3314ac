/* Acts about cutting: a solid and a cloth, cut between their elements and through them. */
#include "acts_cut.h"

/* Made with the memory of the mesh, which is not that of the world. */
static sn_result add(troupe *t, sn_kind kind, const void *material, sn_mesh *mesh) {
    sn_build_def def = sn_build_def_default();
    sn_build build;
    def.mesh = mesh;
    def.collide = SN_COLLIDE_ALL;
    sn_result result = sn_build_body(t->world, kind, material, &def, t->node + t->nodes, &build);
    if (result == SN_OK) t->nodes += mesh->vertex_count;
    sn_mesh_free(mesh);
    return result;
}

sn_result act_add_block(troupe *t) {
    sn_solid_material solid = sn_solid_material_default();
    sn_block_def def = sn_block_def_default();
    sn_mesh mesh = sn_mesh_default();
    def.extent = (sn_vec3){2, 1, 1};
    def.cells[0] = 2;
    def.cells[1] = def.cells[2] = 1;
    solid.model = 1;
    solid.radius = (sn_real)0.02;
    sn_result result = sn_generate_block(&mesh, &def);
    return result == SN_OK ? add(t, SN_KIND_SOLID, &solid, &mesh) : result;
}

sn_result act_add_cloth(troupe *t) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_grid_def def = sn_grid_def_default();
    sn_mesh mesh = sn_mesh_default();
    def.columns = def.rows = 3;
    cloth.bending_stiffness = (sn_real)1e-3;
    cloth.levels = SN_AUTO;
    sn_result result = sn_generate_grid(&mesh, &def);
    if (result != SN_OK) return result;
    for (size_t i = 0; i < mesh.vertex_count; i++) mesh.positions[i].y += 3;
    return add(t, SN_KIND_CLOTH, &cloth, &mesh);
}

static sn_result cut(troupe *t, bool sheet, double at, double snap, bool split) {
    sn_blade_def blade = sn_blade_def_default();
    sn_sheet cloth;
    sn_bulk block;
    blade.point.x = (sn_real)at;
    blade.normal = (sn_vec3){1, 0, (sn_real)0.2};
    blade.snap = (sn_real)snap;
    blade.split = split;
    sn_result result =
        sheet ? sn_world_sheet_at(t->world, 0, &cloth) : sn_world_bulk_at(t->world, 0, &block);
    if (result != SN_OK) return result;
    return sheet ? sn_sheet_cut(t->world, cloth, &blade, NULL)
                 : sn_bulk_cut(t->world, block, &blade, NULL);
}

sn_result act_cut_block(troupe *t) {
    return cut(t, false, 0.1, 0, false);
}
sn_result act_cut_block_again(troupe *t) {
    return cut(t, false, -0.4, 0.5, false);
}
sn_result act_split_block(troupe *t) {
    return cut(t, false, 0.3, 0.3, true);
}
sn_result act_cut_cloth(troupe *t) {
    return cut(t, true, 0.1, 0, false);
}
sn_result act_split_cloth(troupe *t) {
    return cut(t, true, -0.22, 0.3, true);
}
