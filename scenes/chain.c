/* A chain of equal links, held by its first node. */
#include "build.h"

#include <stdlib.h>

scene_chain_def scene_chain_def_default(void) {
    return (scene_chain_def){
        .links = 20, .length = (sn_real)0.05, .direction = {0, -1, 0}, .node_mass = 1};
}

sn_result scene_chain(sn_world *world, const scene_chain_def *def, scene_mesh *mesh) {
    enum { MOST = 1000000 };
    scene_mesh made = {0};
    if (def->links < 1 || def->links > MOST) return scene_finish(SN_ERROR_VALUE, &made, mesh);
    size_t links = (size_t)def->links;
    sn_node_def *nodes = calloc(links + 1, sizeof *nodes);
    sn_result result = SN_ERROR_MEMORY;
    if (nodes && scene_mesh_reserve(&made, links + 1, links, 0, 0, 0)) {
        for (size_t i = 0; i <= links; i++) {
            sn_real along = (sn_real)i * def->length;
            nodes[i] = sn_node_def_default();
            nodes[i].position = (sn_vec3){along * def->direction.x, along * def->direction.y,
                                          along * def->direction.z};
            nodes[i].inverse_mass = i == 0 ? 0 : 1 / def->node_mass;
            if (i > 0) scene_add_edge(&made, (uint32_t)(i - 1), (uint32_t)i);
        }
        scene_material material = {.compliance = def->compliance};
        result = scene_create(world, nodes, links + 1, &material, &made);
    }
    free(nodes);
    return scene_finish(result, &made, mesh);
}
