/* A box full of balls, each of which touches its neighbours: what contacts of balls cost. */
#include "scenes.h"

#include <stdlib.h>

static const sn_real radius = (sn_real)0.005; /* m */

sn_result scene_add_tank(sn_world *world, sn_real width, sn_real depth, bool rough) {
    const sn_real s = (sn_real)0.70710678;
    const sn_vec3 position[] = {{0, 0, 0}, {0, 0, 0}, {width, 0, 0}, {0, 0, 0}, {0, 0, depth}};
    const sn_quat turned[] = {
        {0, 0, 0, 1}, {0, 0, -s, s}, {0, 0, s, s}, {s, 0, 0, s}, {-s, 0, 0, s}};
    sn_result result = SN_OK;
    for (int i = 0; i < 5 && result == SN_OK; i++) {
        sn_collider collider;
        sn_collider_def def = sn_collider_def_default();
        def.position = position[i];
        def.orientation = turned[i];
        if (!rough) def.static_friction = def.dynamic_friction = 0;
        result = sn_collider_create(world, &def, &collider);
    }
    return result;
}

static sn_result add_nodes(sn_world *world, size_t edge, sn_node *nodes) {
    sn_node_def def = sn_node_def_default();
    sn_result result = SN_OK;
    def.radius = radius;
    def.inverse_mass = 1000;
    for (size_t i = 0; i < edge * edge * edge && result == SN_OK; i++) {
        size_t x = i % edge, y = i / edge % edge, z = i / (edge * edge);
        def.position = (sn_vec3){radius * (sn_real)(2 * x + 1), radius * (sn_real)(2 * y + 1),
                                 radius * (sn_real)(2 * z + 1)};
        result = sn_node_create(world, &def, &nodes[i]);
    }
    return result;
}

static sn_result add_skin(sn_world *world, size_t count, const sn_node *nodes) {
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_collision_surface surface;
    def.nodes = nodes;
    def.node_count = count;
    def.detail = SN_DETAIL_POINTS;
    def.self = true;
    return sn_collision_surface_create(world, &def, &surface);
}

sn_result scene_balls(sn_world *world, int edge) {
    if (edge < 1 || edge > 200) return SN_ERROR_VALUE;
    size_t along = (size_t)edge, count = along * along * along;
    sn_settings settings = sn_settings_default();
    settings.substeps = 10;
    sn_node *nodes = malloc(count * sizeof *nodes);
    sn_result result = nodes ? sn_world_set_settings(world, &settings) : SN_ERROR_MEMORY;
    if (result == SN_OK)
        result =
            scene_add_tank(world, 2 * radius * (sn_real)edge, 2 * radius * (sn_real)edge, true);
    if (result == SN_OK) result = add_nodes(world, along, nodes);
    if (result == SN_OK) result = add_skin(world, count, nodes);
    free(nodes);
    return result;
}
