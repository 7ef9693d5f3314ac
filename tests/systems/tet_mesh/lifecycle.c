/* Tet meshes whose nodes go: what is left are the tets that have none of them, in their order, and
   all that is known of the nodes. */
#include <string.h>

#include "bodies/meshed_body.h"

enum { MOST_NODES = 300, MOST_TETS = 400 };

typedef struct lists {
    sn_node node[MOST_NODES];
    sn_vec3 rest[MOST_NODES];
    uint32_t tet[4 * MOST_TETS], parent[MOST_TETS], origin[MOST_NODES];
    size_t nodes, tets;
} lists;

static lists lists_of(const sn_world *world, sn_tet_mesh mesh) {
    static lists l;
    size_t count;
    memset(&l, 0, sizeof l);
    REQUIRE_OK(sn_tet_mesh_get_nodes(world, mesh, l.node, MOST_NODES, &l.nodes));
    REQUIRE_OK(sn_tet_mesh_get_rest(world, mesh, l.rest, MOST_NODES, &count));
    REQUIRE_OK(sn_tet_mesh_get_tets(world, mesh, l.tet, MOST_TETS, &l.tets));
    REQUIRE_OK(sn_tet_mesh_get_parents(world, mesh, l.parent, MOST_TETS, &count));
    REQUIRE_OK(sn_tet_mesh_get_origins(world, mesh, l.origin, MOST_NODES, &count));
    REQUIRE_OK(l.nodes < MOST_NODES && l.tets < MOST_TETS ? SN_OK : SN_ERROR_LIMIT);
    return l;
}

/* Whether two vertices were one before they were cut. */
static bool are_one(const lists *l, size_t a, size_t b) {
    return l->origin[a] == l->origin[b];
}

static void compare(const sn_world *world, const lists *before, const lists *after) {
    size_t place[MOST_NODES], nodes = 0, tets = 0;
    bool same = true;
    for (size_t i = 0; i < before->nodes; i++) {
        if (!sn_node_is_valid(world, before->node[i])) continue;
        same = same && after->node[nodes].slot == before->node[i].slot &&
               memcmp(&after->rest[nodes], &before->rest[i], sizeof *after->rest) == 0;
        place[nodes++] = i;
    }
    if (!CHECK(same) || !CHECK(nodes == after->nodes)) return;
    for (size_t i = 0; i < nodes * nodes; i++)
        same = same && are_one(after, i / nodes, i % nodes) ==
                           are_one(before, place[i / nodes], place[i % nodes]);
    CHECK(same);
    for (size_t i = 0; i < before->tets; i++) {
        bool whole = true;
        for (size_t k = 4 * i; k < 4 * i + 4; k++)
            whole = whole && sn_node_is_valid(world, before->node[before->tet[k]]);
        if (!whole) continue;
        for (size_t k = 0; k < 4; k++)
            same = same && after->node[after->tet[4 * tets + k]].slot ==
                               before->node[before->tet[4 * i + k]].slot;
        same = same && after->parent[tets] == before->parent[i];
        tets++;
    }
    CHECK(same);
    CHECK(tets == after->tets);
}

TEST(nodes_take_their_tets_along) {
    for (int way = 0; way < 4; way++) {
        sn_world *world = still_world(1, 0);
        sn_node_def spare = sn_node_def_default();
        sn_solid_material solid = sn_solid_material_default();
        sn_blade_def blade = sn_blade_def_default();
        sn_node first;
        REQUIRE_OK(sn_node_create(world, &spare, &first));
        body b = body_make(world, SN_KIND_SOLID, &solid, block_mesh(0.5, 0.4, 0.3, 3, SN_BLOCK_SIX),
                           NULL);
        sn_tet_mesh mesh = b.build.tet_mesh;
        blade.normal = (sn_vec3){1, (sn_real)0.2, (sn_real)0.1};
        blade.split = way % 2;
        REQUIRE_OK(sn_tet_mesh_cut(world, mesh, &blade, NULL));
        for (size_t i = 0; i < 6; i++) {
            lists before = lists_of(world, mesh);
            check_case("way %d, node %zu", way, i);
            size_t gone = way < 2 ? (11 * i) % before.nodes : before.nodes - 1 - i;
            REQUIRE_OK(sn_node_destroy(world, before.node[gone]));
            lists after = lists_of(world, mesh);
            compare(world, &before, &after);
            CHECK(after.tets > 0);
        }
        body_free(&b);
    }
}

TESTS(RUN(nodes_take_their_tets_along))
