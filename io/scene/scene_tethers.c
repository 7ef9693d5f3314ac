/*
 * Tethers of hair that is made of distances: where the root of a strand is pinned, no node comes
 * farther from it than the strand is long up to there. In C, pins of the definition have them from
 * the builder; in scenes pins come later. They go where a root is released.
 */
#include "io/scene/scene_state.h"

#include <stdlib.h>
#include <string.h>

static sn_result add_tether(sn_scene *s, sn_node node, sn_node root, double length) {
    sn_tether_def def = sn_tether_def_default();
    sn_constraint made;
    def.node[0] = node;
    def.node[1] = root;
    def.length = (sn_real)length;
    SN_TRY(sn_constraint_create(s->world, SN_TYPE_TETHER, &def, &made));
    scene_tether *tether = SCENE_ADD(s->tethers);
    if (!tether) return SN_ERROR_MEMORY;
    *tether = (scene_tether){root, made};
    return SN_OK;
}

/* Strands as the builder has listed them: nodes, and the length before each, 0 at a root. */
static sn_result tether_strands(sn_scene *s, const sn_node *nodes, const sn_real *lengths,
                                size_t count) {
    sn_node root = {0};
    bool is_held = false;
    double reach = 0;
    for (size_t i = 0; i < count; i++) {
        sn_node_def node = sn_node_def_default();
        SN_TRY(sn_node_get(s->world, nodes[i], &node));
        bool is_pinned = node.inverse_mass == 0;
        reach += (double)lengths[i];
        if (lengths[i] == 0) {
            root = nodes[i];
            is_held = is_pinned;
            reach = 0;
        } else if (is_held && !is_pinned) {
            SN_TRY(add_tether(s, nodes[i], root, reach));
        }
    }
    return SN_OK;
}

sn_result sn_scene_tether_hair(sn_scene *s, const scene_body *body) {
    sn_hair hair;
    sn_hair_def def;
    SN_TRY(sn_node_hair(s->world, body->nodes[0], &hair));
    SN_TRY(sn_hair_get(s->world, hair, &def));
    /* Its lists are valid until something is made. */
    sn_node *nodes = malloc(def.node_count * sizeof *nodes);
    sn_real *lengths = malloc(def.node_count * sizeof *lengths);
    sn_result result = nodes && lengths
                           ? SN_OK
                           : sn_fail(SN_ERROR_MEMORY, "no memory for %zu tethers", def.node_count);
    if (result == SN_OK) {
        memcpy(nodes, def.nodes, def.node_count * sizeof *nodes);
        memcpy(lengths, def.lengths, def.node_count * sizeof *lengths);
        result = tether_strands(s, nodes, lengths, def.node_count);
    }
    free(nodes);
    free(lengths);
    return result;
}

sn_result sn_scene_untether(sn_scene *s, sn_node root) {
    for (size_t i = 0; i < s->tethers.count; i++) {
        const scene_tether *tether = &s->tethers.items[i];
        if (tether->root.slot == root.slot && sn_constraint_is_valid(s->world, tether->tether))
            SN_TRY(sn_constraint_destroy(s->world, tether->tether));
    }
    return SN_OK;
}
