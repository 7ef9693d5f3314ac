/* Air on what is built of lines and balls. */
#include "bodies/kind.h"

#include <sinew/drag.h>

sn_result sn_builder_add_drag(sn_builder *b, sn_real drag, bool lines) {
    size_t count = lines ? b->mesh->line_count : b->mesh->vertex_count;
    sn_drag_def def = sn_drag_def_default();
    sn_drag made;
    if (!(drag > 0) || count == 0) return SN_OK;
    def.drag = drag;
    def.corners = lines ? 2 : 1;
    def.element_count = count;
    def.nodes = b->nodes;
    if (!lines) return sn_drag_create(b->world, &def, &made);
    sn_node *ends = sn_allocate(b->memory, 2 * count, sizeof *ends);
    if (!ends) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < 2 * count; i++) ends[i] = b->nodes[b->mesh->lines[i / 2][i % 2]];
    def.nodes = ends;
    sn_result result = sn_drag_create(b->world, &def, &made);
    sn_free(b->memory, ends, 2 * count, sizeof *ends);
    return result;
}
