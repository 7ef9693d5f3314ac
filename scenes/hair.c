/* Strands on a ball, for measuring what hair costs. */
#include "scenes.h"

#include <stdlib.h>

static sn_result build(sn_world *world, const sn_mesh *strands) {
    sn_hair_material material = sn_hair_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build made;
    const sn_mesh_group *stems = sn_mesh_find_group(strands, "stems");
    material.hold = 10;
    material.repulsion = (sn_real)0.02;
    def.mesh = strands;
    def.pins = stems->vertices;
    def.pin_count = stems->count;
    return sn_build_body(world, SN_KIND_HAIR, &material, &def, NULL, &made);
}

sn_result scene_hair(sn_world *world, int strands) {
    sn_mesh ball = sn_mesh_default(), mesh = sn_mesh_default();
    sn_sphere_def sphere = sn_sphere_def_default();
    sn_strands_def grow = sn_strands_def_default();
    sn_collider_def head = sn_collider_def_default();
    sn_collider collider;
    sphere.radius = head.radius = (sn_real)0.1;
    head.shape = SN_SHAPE_SPHERE;
    grow.count = (uint32_t)strands;
    grow.length = (sn_real)0.3;
    grow.segments = 15;
    grow.direction = (sn_vec3){0, (sn_real)0.75, (sn_real)-0.65};
    grow.within = (sn_real)1.35;
    grow.comb = (sn_vec3){0, -9, -12};
    sn_result result = sn_generate_sphere(&ball, &sphere);
    if (result == SN_OK) result = sn_generate_strands(&mesh, &ball, &grow);
    if (result == SN_OK) result = build(world, &mesh);
    if (result == SN_OK) result = sn_collider_create(world, &head, &collider);
    sn_mesh_free(&mesh);
    sn_mesh_free(&ball);
    sn_settings settings = sn_settings_default();
    settings.substeps = 4;
    return result == SN_OK ? sn_world_set_settings(world, &settings) : result;
}
