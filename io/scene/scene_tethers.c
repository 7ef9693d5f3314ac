/*
 * Tethers of hair that is made of distances: where the root of a strand is pinned, no node comes
 * farther from it than the strand is long up to there. In C, pins of the definition have them from
 * the builder; in scenes pins come later. They go where a root is released.
 */
#include "io/scene/point.h"
#include "io/scene/scene_state.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* A tether for each node behind a root; the strand goes on with `next`. */
static sn_result tether_strand(sn_scene *s, const scene_body *body, uint32_t root,
                               const uint32_t *next) {
    const sn_vec3 *x = body->mesh->mesh.positions;
    double reach = 0;
    for (uint32_t v = root; next[v] != NONE; v = next[v]) {
        sn_node_def node = sn_node_def_default();
        sn_tether_def def = sn_tether_def_default();
        sn_constraint made;
        reach +=
            sn_io_point_length(sn_io_point_sub(sn_io_point_of(x[next[v]]), sn_io_point_of(x[v])));
        SN_TRY(sn_node_get(s->world, body->nodes[next[v]], &node));
        if (!(node.inverse_mass > 0)) continue;
        def.node[0] = body->nodes[next[v]];
        def.node[1] = body->nodes[root];
        def.length = (sn_real)(reach * body->scale);
        SN_TRY(sn_constraint_create(s->world, SN_TYPE_TETHER, &def, &made));
        scene_tether *tether = SCENE_ADD(s->tethers);
        if (!tether) return SN_ERROR_MEMORY;
        *tether = (scene_tether){def.node[1], made};
    }
    return SN_OK;
}

sn_result sn_scene_tether_hair(sn_scene *s, const scene_body *body) {
    const sn_mesh *mesh = &body->mesh->mesh;
    uint32_t *next = malloc(mesh->vertex_count * sizeof *next);
    bool *follows = calloc(mesh->vertex_count, sizeof *follows);
    sn_result result =
        next && follows ? SN_OK
                        : sn_fail(SN_ERROR_MEMORY, "no memory for %zu tethers", mesh->vertex_count);
    for (size_t i = 0; result == SN_OK && i < mesh->vertex_count; i++) next[i] = NONE;
    for (size_t i = 0; result == SN_OK && i < mesh->line_count; i++) {
        next[mesh->lines[i][0]] = mesh->lines[i][1];
        follows[mesh->lines[i][1]] = true;
    }
    for (uint32_t v = 0; result == SN_OK && v < mesh->vertex_count; v++) {
        sn_node_def root = sn_node_def_default();
        if (follows[v]) continue;
        result = sn_node_get(s->world, body->nodes[v], &root);
        if (result == SN_OK && root.inverse_mass == 0) result = tether_strand(s, body, v, next);
    }
    free(next);
    free(follows);
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
