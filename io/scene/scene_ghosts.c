/* Ghost points of rods in scenes: they are no vertices, so that no selection has them. */
#include "io/scene/scene_parts.h"

#include "io/scene/scene_state.h"

#include <sinew/constraints/ghost_point.h>

#include <stdlib.h>

/* Adds the ghost points between nodes that are marked, by their slots. */
static sn_result add_between(sn_scene *s, const uint8_t *marked, scene_nodes *list) {
    size_t left = sn_world_constraint_count(s->world, SN_TYPE_GHOST_POINT);
    for (size_t slot = 0; left > 0; slot++) {
        sn_constraint constraint;
        sn_type found;
        sn_ghost_point_def def = sn_ghost_point_def_default();
        if (sn_world_constraint_at(s->world, slot, &constraint) != SN_OK ||
            sn_constraint_get_type(s->world, constraint, &found) != SN_OK ||
            found != SN_TYPE_GHOST_POINT)
            continue;
        left--;
        SN_TRY(sn_constraint_get(s->world, constraint, &def));
        if (!marked[def.node[0].slot - 1] || !marked[def.node[1].slot - 1]) continue;
        sn_node *place = SCENE_ADD(*list);
        if (!place) return SN_ERROR_MEMORY;
        *place = def.node[2];
    }
    return SN_OK;
}

sn_result sn_scene_add_ghosts(sn_scene *s, scene_nodes *list) {
    if (sn_world_constraint_count(s->world, SN_TYPE_GHOST_POINT) == 0) return SN_OK;
    sn_node_view view;
    SN_TRY(sn_world_nodes(s->world, &view));
    uint8_t *marked = calloc(view.count + 1, sizeof *marked);
    if (!marked) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < list->count; i++) marked[list->items[i].slot - 1] = 1;
    sn_result result = add_between(s, marked, list);
    free(marked);
    return result;
}
