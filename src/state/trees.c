#include "state/trees.h"

void sn_trees_free(sn_trees *trees, sn_memory *memory) {
    sn_free(memory, trees->tree, trees->tree_capacity, sizeof *trees->tree);
    sn_free(memory, trees->link, trees->link_capacity, sizeof *trees->link);
    sn_free(memory, trees->part, trees->part_capacity, sizeof *trees->part);
    sn_free(memory, trees->edge, trees->edge_capacity, sizeof *trees->edge);
    sn_free(memory, trees->vertex, trees->vertex_capacity, sizeof *trees->vertex);
    sn_free(memory, trees->set, trees->set_capacity, sizeof *trees->set);
    sn_free(memory, trees->mask, trees->mask_capacity, sizeof *trees->mask);
    sn_free(memory, trees->heavy, trees->heavy_capacity, sizeof *trees->heavy);
    sn_free(memory, trees->load, trees->load_capacity, sizeof *trees->load);
    sn_free(memory, trees->masks, trees->masks_capacity, sizeof *trees->masks);
}
