/* Calls about solids: matchings with any regions, numbers and particles, doughs and finite elements
   of any nodes. */
#include "player.h"

#include <math.h>

#include "fuzz.h"

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
    if (player_choice(p, 2)) def.fibre_count = (uint32_t)player_choice(p, REGIONS + 1);
    if (player_choice(p, 4) == 0) def.fibre_share = player_real(p);
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

sn_result player_change_dough(player *p) {
    enum { NODES = 20 };
    sn_world *world = p->world[p->w];
    size_t at = player_choice(p, IDS), begin = player_choice(p, IDS);
    sn_dough id = p->dough[player_whose(p)][at];
    sn_dough_def def = sn_dough_def_default();
    sn_dough_measures measures;
    sn_node nodes[NODES];
    for (size_t i = 0; i < NODES; i++) nodes[i] = p->node[p->w][(begin + i) % IDS];
    def.nodes = nodes;
    def.node_count = NODES - player_choice(p, NODES);
    def.waiting = (uint32_t)player_choice(p, 8);
    def.spacing = player_choice(p, 4) ? (sn_real)0.3 : player_real(p);
    if (player_choice(p, 4) == 0) def.reach = player_real(p);
    if (player_choice(p, 4) == 0) def.join = player_real(p);
    if (player_choice(p, 4) == 0) def.tear = player_real(p);
    if (player_choice(p, 4) == 0) def.compliance = player_real(p);
    if (player_choice(p, 4) == 0) def.damping = player_real(p);
    if (player_choice(p, 4) == 0) def.plastic_yield = player_real(p);
    if (player_choice(p, 4) == 0) def.plastic_creep = player_real(p);
    if (player_choice(p, 4) == 0) def.plastic_limit = player_real(p);
    switch (player_choice(p, 6)) {
    case 0:
        return sn_dough_destroy(world, id);
    case 1:
        return sn_dough_set(world, id, &def);
    case 2:
        if (sn_dough_measure(world, id, &measures) == SN_OK)
            FUZZ_EXPECT(isfinite(measures.mass) && measures.particles >= 0 && measures.pieces >= 0);
        return sn_dough_get(world, id, &def);
    default:
        return sn_dough_create(world, &def, &p->dough[p->w][at]);
    }
}

sn_result player_change_elements(player *p) {
    enum { NODES = 8, TETS = 4 };
    sn_world *world = p->world[p->w];
    size_t at = player_choice(p, IDS), begin = player_choice(p, IDS), integrated = 0, matched = 0;
    sn_finite_elements id = p->elements[player_whose(p)][at];
    sn_finite_elements_def def = sn_finite_elements_def_default();
    sn_node nodes[NODES];
    uint32_t tets[4 * TETS];
    for (size_t i = 0; i < NODES; i++) nodes[i] = p->node[p->w][(begin + i) % IDS];
    for (size_t i = 0; i < 4 * TETS; i++)
        tets[i] =
            (uint32_t)(player_choice(p, 8) ? (i / 4 + i % 4) % NODES : player_choice(p, NODES + 1));
    def.nodes = nodes;
    def.node_count = NODES - player_choice(p, 3);
    def.tets = tets;
    def.tet_count = 1 + player_choice(p, TETS);
    /* The other way round, where the nodes are. */
    for (size_t i = 0; i < TETS && player_choice(p, 2); i++) {
        uint32_t first = tets[4 * i];
        tets[4 * i] = tets[4 * i + 1];
        tets[4 * i + 1] = first;
    }
    if (player_choice(p, 4) == 0) def.young = player_real(p);
    if (player_choice(p, 4) == 0) def.poisson = player_real(p);
    if (player_choice(p, 4) == 0) def.density = player_real(p);
    if (player_choice(p, 4) == 0) def.courant = player_real(p);
    switch (player_choice(p, 6)) {
    case 0:
        return sn_finite_elements_destroy(world, id);
    case 1:
        if (sn_finite_elements_count(world, id, &integrated, &matched) == SN_OK)
            FUZZ_EXPECT(integrated + matched < (size_t)1 << 20);
        return sn_finite_elements_get(world, id, &def);
    default:
        return sn_finite_elements_create(world, &def, &p->elements[p->w][at]);
    }
}
