/* S5: a dam of 20 by 25 by 40 particles breaks, or a larger one of the same form. */
#include "scenes.h"

#include <math.h>
#include <stdlib.h>

static const sn_real radius = (sn_real)0.025; /* m */

/* How many particles a block has along the axes; of the last layer along z some may be missing. */
typedef struct block {
    int count, wide, high, deep;
} block;

static block block_of(int count) {
    double times = cbrt(count / 20000.0);
    block b = {count, (int)lround(20 * times), (int)lround(25 * times), 0};
    b.deep = (count + b.wide * b.high - 1) / (b.wide * b.high);
    return b;
}

static sn_result add_water(sn_world *world, block b, sn_node *nodes) {
    sn_node_def def = sn_node_def_default();
    sn_fluid_def fluid = sn_fluid_def_default();
    sn_fluid made;
    sn_result result = SN_OK;
    def.radius = radius;
    def.inverse_mass = 1 / (fluid.rest_density * 8 * radius * radius * radius);
    for (int i = 0; i < b.count && result == SN_OK; i++) {
        def.position = (sn_vec3){radius * (sn_real)(2 * (i % b.wide) + 1),
                                 radius * (sn_real)(2 * (i / b.wide % b.high) + 1),
                                 radius * (sn_real)(2 * (i / (b.wide * b.high)) + 1)};
        result = sn_node_create(world, &def, &nodes[i]);
    }
    fluid.nodes = nodes;
    fluid.node_count = (size_t)b.count;
    return result == SN_OK ? sn_fluid_create(world, &fluid, &made) : result;
}

sn_result scene_s5(sn_world *world, int count) {
    const block b = block_of(count);
    sn_settings settings = sn_settings_default();
    settings.substeps = 5;
    sn_node *nodes = malloc((size_t)count * sizeof *nodes);
    sn_result result = nodes ? sn_world_set_settings(world, &settings) : SN_ERROR_MEMORY;
    if (result == SN_OK)
        result = scene_add_tank(world, 6 * radius * (sn_real)b.wide, 2 * radius * (sn_real)b.deep,
                                false);
    if (result == SN_OK) result = add_water(world, b, nodes);
    free(nodes);
    return result;
}
