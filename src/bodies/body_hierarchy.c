/* The hierarchy of a body, which lives as long as its nodes. */
#include "bodies/kind.h"

#include <sinew/hierarchy.h>

sn_result sn_builder_add_levels(sn_builder *b, sn_real levels) {
    if (levels != SN_AUTO && levels < 1) return SN_OK;
    sn_hierarchy_def def = sn_hierarchy_def_default();
    sn_hierarchy hierarchy;
    if (levels != SN_AUTO) def.levels = (int)levels;
    def.nodes = b->nodes;
    def.node_count = b->mesh->vertex_count;
    def.triangles = *b->mesh->triangles;
    def.triangle_count = b->mesh->triangle_count;
    return sn_hierarchy_create(b->world, &def, &hierarchy);
}
