/* Calls about solids: matchings with any regions, numbers and particles. */
#include "player.h"

sn_result player_change_matching(player *p) {
    enum { NODES = 12, REGIONS = 4, MEMBERS = 16 };
    sn_world *world = p->world[p->w];
    size_t at = player_choice(p, IDS), begin = player_choice(p, IDS);
    sn_shape_matching id = p->matching[player_whose(p)][at];
    sn_shape_matching_def def = sn_shape_matching_def_default();
    sn_shape_matching_region region;
    sn_node nodes[NODES];
    uint32_t first[REGIONS + 1] = {0}, members[MEMBERS], centres[REGIONS];
    for (size_t i = 0; i < NODES; i++) nodes[i] = p->node[p->w][(begin + i) % IDS];
    for (size_t r = 0; r < REGIONS; r++) {
        first[r + 1] = first[r] + (uint32_t)player_choice(p, 5);
        centres[r] = player_choice(p, 4) ? UINT32_MAX : (uint32_t)player_choice(p, NODES + 1);
    }
    for (size_t i = 0; i < MEMBERS; i++)
        members[i] = (uint32_t)((i + player_choice(p, 3)) % (NODES - 1));
    def.nodes = nodes;
    def.node_count = NODES - player_choice(p, 3);
    if (player_choice(p, 2)) {
        def.first = first;
        def.members = members;
        def.centres = centres;
        def.region_count = 1 + player_choice(p, REGIONS);
    }
    def.oriented = player_choice(p, 2) == 1;
    def.turn = (sn_shape_matching_turn)player_choice(p, 3);
    def.mode = (sn_shape_matching_mode)player_choice(p, 3);
    def.sums = (sn_region_sums_method)player_choice(p, 5);
    if (player_choice(p, 4) == 0) def.compliance = player_real(p);
    if (player_choice(p, 4) == 0) def.stiffness = player_real(p);
    if (player_choice(p, 4) == 0) def.damping = player_real(p);
    if (player_choice(p, 4) == 0) def.plastic_yield = player_real(p);
    switch (player_choice(p, 5)) {
    case 0:
        return sn_shape_matching_destroy(world, id);
    case 1:
        return sn_shape_matching_set(world, id, &def);
    case 2:
        return sn_shape_matching_get_region(world, id, player_choice(p, 5), &region);
    default:
        return sn_shape_matching_create(world, &def, &p->matching[p->w][at]);
    }
}
