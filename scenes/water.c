/* S5: a dam of 20 by 25 by 40 particles breaks. */
#include "scenes.h"

#include <stdlib.h>

enum { WIDE = 20, HIGH = 25, DEEP = 40, COUNT = WIDE * HIGH * DEEP };

static const sn_real radius = (sn_real)0.025; /* m */

static sn_result add_water(sn_world *world, sn_node *nodes) {
    sn_node_def def = sn_node_def_default();
    sn_fluid_def fluid = sn_fluid_def_default();
    sn_fluid made;
    sn_result result = SN_OK;
    def.radius = radius;
    def.inverse_mass = 1 / (fluid.rest_density * 8 * radius * radius * radius);
    for (int i = 0; i < COUNT && result == SN_OK; i++) {
        def.position = (sn_vec3){radius * (sn_real)(2 * (i % WIDE) + 1),
                                 radius * (sn_real)(2 * (i / WIDE % HIGH) + 1),
                                 radius * (sn_real)(2 * (i / (WIDE * HIGH)) + 1)};
        result = sn_node_create(world, &def, &nodes[i]);
    }
    fluid.nodes = nodes;
    fluid.node_count = COUNT;
    return result == SN_OK ? sn_fluid_create(world, &fluid, &made) : result;
}

sn_result scene_s5(sn_world *world) {
    sn_settings settings = sn_settings_default();
    settings.substeps = 5;
    sn_node *nodes = malloc(COUNT * sizeof *nodes);
    sn_result result = nodes ? sn_world_set_settings(world, &settings) : SN_ERROR_MEMORY;
    if (result == SN_OK)
        result = scene_add_tank(world, 6 * radius * WIDE, 2 * radius * DEEP, false);
    if (result == SN_OK) result = add_water(world, nodes);
    free(nodes);
    return result;
}
