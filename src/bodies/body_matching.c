/* Shape matching of a body's regions, whatever kind it is of. */
#include "bodies/kind.h"

sn_result sn_builder_add_matching(sn_builder *b, const sn_regions *regions, sn_real damping,
                                  sn_shape_matching_def *def) {
    def->nodes = b->nodes;
    def->node_count = b->mesh->vertex_count;
    def->first = regions->first;
    def->members = regions->members;
    def->centres = regions->centres;
    def->region_count = regions->count;
    /* A rate in 1/s: that of a mass on a spring, damping over stiffness times stiffness over
       mass. */
    def->damping = def->compliance > 0 ? damping / def->compliance : 0;
    return sn_shape_matching_create(b->world, def, &b->matching);
}
