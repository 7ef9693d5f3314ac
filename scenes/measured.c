/* S1, S2 and S3, the scenes whose times are compared between machines and solvers. */
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
