/* Boxes that nodes carry, on each other: a pyramid that stands, and a pile between walls. */
#include "scenes.h"

enum { ACROSS = 6, LAYERS = 56 };

/* From -1 to 1, the same everywhere. */
static sn_real next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (sn_real)(*state >> 8) / (sn_real)(1 << 23) - 1;
}

static sn_result add_box(sn_world *world, sn_vec3 at, sn_quat turn) {
    sn_collider_def box = sn_collider_def_default();
    sn_rigid_def def = sn_rigid_def_default();
    sn_collider collider;
    sn_node node;
    def.density = 1000;
    box.shape = SN_SHAPE_BOX;
    box.extent = (sn_vec3){(sn_real)0.5, (sn_real)0.5, (sn_real)0.5};
    box.position = at;
    box.orientation = turn;
    return sn_rigid_create(world, &def, &box, &node, &collider);
}

static sn_result set_substeps(sn_world *world, int substeps) {
    sn_settings settings = sn_settings_default();
    settings.substeps = substeps;
    return sn_world_set_settings(world, &settings);
}

sn_result scene_s4_pyramid(sn_world *world, int levels) {
    sn_collider_def ground = sn_collider_def_default();
    sn_collider floor;
    sn_result result = set_substeps(world, 3);
    if (result == SN_OK) result = sn_collider_create(world, &ground, &floor);
    for (int level = 0; level < levels; level++)
        for (int k = 0, side = levels - level; k < side * side && result == SN_OK; k++)
            result = add_box(world,
                             (sn_vec3){(sn_real)(k % side) - (sn_real)(side - 1) / 2,
                                       (sn_real)level + (sn_real)0.5,
                                       (sn_real)(k / side) - (sn_real)(side - 1) / 2},
                             (sn_quat){0, 0, 0, 1});
    return result;
}

sn_result scene_s4_pile(sn_world *world) {
    uint32_t state = 7;
    sn_result result = set_substeps(world, 4);
    if (result == SN_OK) result = scene_add_tank(world, 2 * ACROSS, 2 * ACROSS, true);
    for (int k = 0; k < ACROSS * ACROSS * LAYERS && result == SN_OK; k++) {
        sn_vec3 at = {(sn_real)(2 * (k % ACROSS) + 1), (sn_real)2 * (sn_real)(k / 36) + 1,
                      (sn_real)(2 * (k / ACROSS % ACROSS) + 1)};
        sn_quat turn = {next_random(&state), next_random(&state), next_random(&state),
                        next_random(&state) + (sn_real)1.5};
        result = add_box(world, at, turn);
    }
    return result;
}
