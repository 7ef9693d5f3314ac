/* S1, S2, S3 and S6, the scenes whose times are compared between machines and solvers. */
#include "scenes.h"

static sn_result set_settings(sn_world *world, int substeps) {
    sn_settings settings = sn_settings_default();
    settings.gravity = (sn_vec3){0, (sn_real)-9.81, 0};
    settings.substeps = substeps;
    settings.iterations = 1;
    settings.keep_forces = false;
    return sn_world_set_settings(world, &settings);
}

sn_result scene_s1(sn_world *world, int columns, scene_mesh *mesh) {
    scene_cloth_def def = scene_cloth_def_default();
    def.columns = def.rows = columns;
    sn_result result = scene_cloth(world, &def, mesh);
    return result == SN_OK ? set_settings(world, 10) : result;
}

static scene_beam_def s2_beam(void) {
    scene_beam_def def = scene_beam_def_default();
    def.cubes[0] = 40;
    def.cubes[1] = def.cubes[2] = 10;
    return def;
}

sn_result scene_s2(sn_world *world, scene_mesh *mesh) {
    scene_beam_def def = s2_beam();
    sn_result result = scene_beam(world, &def, mesh);
    return result == SN_OK ? set_settings(world, 10) : result;
}

sn_result scene_s2_elements(sn_world *world, scene_mesh *mesh) {
    scene_beam_def def = s2_beam();
    def.node_mass = (sn_real)0.125;
    def.young = (sn_real)1e6;
    def.poisson = (sn_real)0.3;
    sn_result result = scene_beam(world, &def, mesh);
    return result == SN_OK ? set_settings(world, 10) : result;
}

sn_result scene_s3(sn_world *world) {
    scene_rod_def def = scene_rod_def_default();
    def.segments = 1000;
    sn_result result = scene_rod(world, &def);
    return result == SN_OK ? set_settings(world, 50) : result;
}

static sn_result add_ball_and_floor(sn_world *world) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    def.shape = SN_SHAPE_PLANE;
    sn_result result = sn_collider_create(world, &def, &collider);
    def.shape = SN_SHAPE_SPHERE;
    def.radius = def.position.y = (sn_real)0.15;
    return result == SN_OK ? sn_collider_create(world, &def, &collider) : result;
}

static sn_result add_skin(sn_world *world, const scene_mesh *mesh, scene_self self) {
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_collision_surface surface;
    def.nodes = mesh->nodes;
    def.node_count = mesh->node_count;
    def.triangles = mesh->triangles[0];
    def.triangle_count = mesh->triangle_count;
    def.self = true;
    def.detail = self == SCENE_SELF_POINTS ? SN_DETAIL_POINTS : SN_DETAIL_SURFACE;
    def.penetration_free = self == SCENE_SELF_GUARDED;
    return sn_collision_surface_create(world, &def, &surface);
}

/* A little beside the ball, so that it does not matter how a cloth that lies evenly is rounded. */
sn_result scene_s6(sn_world *world, scene_self self, scene_mesh *mesh) {
    scene_cloth_def def = scene_cloth_def_default();
    scene_mesh made = {0};
    def.columns = def.rows = 60;
    def.pins = SCENE_PINS_NONE;
    def.radius = (sn_real)0.005;
    def.origin = (sn_vec3){(sn_real)-0.275, (sn_real)0.36, (sn_real)-0.295};
    sn_result result = scene_cloth(world, &def, &made);
    if (result == SN_OK) result = add_ball_and_floor(world);
    if (result == SN_OK && self != SCENE_SELF_NONE) result = add_skin(world, &made, self);
    if (result == SN_OK) result = set_settings(world, 10);
    if (mesh)
        *mesh = made;
    else
        scene_mesh_free(&made);
    return result;
}
