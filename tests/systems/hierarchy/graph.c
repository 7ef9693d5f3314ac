/* The graph of a hierarchy is that of its mesh, whatever is cut and destroyed; and its levels alone
   close a gap. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/meshed_body.h"

enum { MOST_NODES = 400, MOST_EDGES = 1200, MOST_TRIANGLES = 800, SPARES = 5 };

/* By the slots of nodes. */
typedef struct graph {
    uint32_t node[MOST_NODES], edge[MOST_EDGES][2], triangle[MOST_TRIANGLES][3];
    double length[MOST_EDGES]; /* m */
    size_t nodes, edges, triangles;
} graph;

static int compare_slots(const void *a, const void *b) {
    uint32_t one, two;
    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    return (one > two) - (one < two);
}

/* Where an edge is, or would be added. */
static size_t find_edge(const graph *g, uint32_t a, uint32_t b) {
    size_t i = 0;
    while (i < g->edges && !(g->edge[i][0] == a && g->edge[i][1] == b) &&
           !(g->edge[i][0] == b && g->edge[i][1] == a))
        i++;
    return i;
}

static double distance(sn_vec3 a, sn_vec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    return hypot(hypot(x, y), (double)a.z - (double)b.z);
}

/* Of the sheet, as it is at rest. */
static graph graph_of_sheet(const body *b) {
    static graph g;
    sn_node node[MOST_NODES];
    sn_vec3 rest[MOST_NODES];
    uint32_t triangle[3 * MOST_TRIANGLES];
    memset(&g, 0, sizeof g);
    REQUIRE_OK(sn_sheet_get_nodes(b->world, b->build.sheet, node, MOST_NODES, &g.nodes));
    REQUIRE_OK(sn_sheet_get_rest(b->world, b->build.sheet, rest, MOST_NODES, &g.nodes));
    REQUIRE_OK(
        sn_sheet_get_triangles(b->world, b->build.sheet, triangle, MOST_TRIANGLES, &g.triangles));
    REQUIRE_OK(g.nodes < MOST_NODES && g.triangles < MOST_TRIANGLES ? SN_OK : SN_ERROR_LIMIT);
    for (size_t i = 0; i < g.nodes; i++) g.node[i] = node[i].slot;
    qsort(g.node, g.nodes, sizeof *g.node, compare_slots);
    for (size_t i = 0; i < 3 * g.triangles; i++) {
        uint32_t from = triangle[i], to = triangle[i % 3 == 2 ? i - 2 : i + 1];
        g.triangle[i / 3][i % 3] = node[from].slot;
        size_t at = find_edge(&g, node[from].slot, node[to].slot);
        if (at < g.edges) continue;
        g.edge[at][0] = node[from].slot;
        g.edge[at][1] = node[to].slot;
        g.length[g.edges++] = distance(rest[from], rest[to]);
    }
    return g;
}

static graph graph_of_levels(const sn_world *world, sn_hierarchy levels) {
    static graph g;
    sn_hierarchy_def def = sn_hierarchy_def_default();
    memset(&g, 0, sizeof g);
    REQUIRE_OK(sn_hierarchy_get(world, levels, &def));
    g.nodes = def.node_count;
    g.edges = def.edge_count;
    g.triangles = def.triangle_count;
    for (size_t i = 0; i < g.nodes; i++) g.node[i] = def.nodes[i].slot;
    for (size_t i = 0; i < 2 * g.edges; i++) g.edge[i / 2][i % 2] = g.node[def.edges[i]];
    for (size_t i = 0; i < g.edges; i++) g.length[i] = (double)def.lengths[i];
    for (size_t i = 0; i < 3 * g.triangles; i++)
        g.triangle[i / 3][i % 3] = g.node[def.triangles[i]];
    return g;
}

static bool has_triangle(const graph *g, const uint32_t t[3]) {
    for (size_t i = 0; i < g->triangles; i++)
        for (int k = 0; k < 3; k++)
            if (g->triangle[i][k] == t[0] && g->triangle[i][(k + 1) % 3] == t[1] &&
                g->triangle[i][(k + 2) % 3] == t[2])
                return true;
    return false;
}

static void compare(const graph *is, const graph *should) {
    bool same = true;
    if (!CHECK(is->nodes == should->nodes) || !CHECK(is->edges == should->edges) ||
        !CHECK(is->triangles == should->triangles))
        return;
    CHECK(memcmp(is->node, should->node, is->nodes * sizeof *is->node) == 0);
    for (size_t i = 0; i < is->edges; i++) {
        size_t at = find_edge(should, is->edge[i][0], is->edge[i][1]);
        same = same && at < should->edges;
        if (at < should->edges) CHECK_REL(is->length[i], should->length[at], 1e-5);
    }
    for (size_t i = 0; i < is->triangles; i++) same = same && has_triangle(should, is->triangle[i]);
    CHECK(same);
}

/* ---- Cuts ---- */

/* Slots below those of the sheet are free for what is made. */
static body make_sheet(sn_hierarchy *levels) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_world *world = still_world(2, 0);
    sn_node spare[SPARES];
    for (int i = 0; i < SPARES; i++) {
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_node_create(world, &def, &spare[i]));
    }
    cloth.levels = SN_AUTO;
    body b = body_make(world, SN_KIND_CLOTH, &cloth, grid_mesh(1, 1, 8, 7, SN_GRID_SAME), NULL);
    for (int i = 1; i < SPARES; i++) REQUIRE_OK(sn_node_destroy(world, spare[i]));
    REQUIRE_OK(sn_node_hierarchy(world, b.nodes[0], levels));
    return b;
}

TEST(cuts_change_it_with_the_mesh) {
    for (int way = 0; way < 4; way++) {
        sn_hierarchy levels;
        body b = make_sheet(&levels);
        for (int i = 0; i < 3; i++) {
            sn_blade_def blade = sn_blade_def_default();
            size_t copies;
            blade.point = (sn_vec3){(sn_real)(0.07 * i - 0.1), 0, (sn_real)0.013};
            blade.normal = (sn_vec3){(sn_real)(1 - i), 0, (sn_real)(0.3 + i)};
            blade.split = way % 2;
            blade.snap = way / 2 ? (sn_real)0.2 : 0;
            check_case("way %d, cut %d", way, i);
            REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
            CHECK(copies > 3);
            graph is = graph_of_levels(b.world, levels), should = graph_of_sheet(&b);
            compare(&is, &should);
            body_run(&b, 1, 1e-3);
        }
        body_free(&b);
    }
}

/* ---- Nodes that go ---- */

static bool has_slot(const sn_world *world, uint32_t slot) {
    sn_node node;
    return sn_world_node_at(world, slot - 1, &node) == SN_OK;
}

/* What had none of the nodes is left, in its order. */
static void forget(const sn_world *world, graph *g) {
    size_t nodes = 0, edges = 0, triangles = 0;
    for (size_t i = 0; i < g->nodes; i++)
        if (has_slot(world, g->node[i])) g->node[nodes++] = g->node[i];
    for (size_t i = 0; i < g->edges; i++) {
        if (!has_slot(world, g->edge[i][0]) || !has_slot(world, g->edge[i][1])) continue;
        memmove(g->edge[edges], g->edge[i], sizeof g->edge[i]);
        g->length[edges++] = g->length[i];
    }
    for (size_t i = 0; i < g->triangles; i++) {
        const uint32_t *t = g->triangle[i];
        if (has_slot(world, t[0]) && has_slot(world, t[1]) && has_slot(world, t[2]))
            memmove(g->triangle[triangles++], t, sizeof g->triangle[i]);
    }
    g->nodes = nodes;
    g->edges = edges;
    g->triangles = triangles;
}

/* Beside constraints, whose edges go with them, there are edges that have none. */
TEST(nodes_take_what_they_have_along) {
    sn_hierarchy levels, alone;
    body b = make_sheet(&levels);
    sn_hierarchy_def def = sn_hierarchy_def_default();
    REQUIRE_OK(sn_hierarchy_get(b.world, levels, &def));
    const uint32_t far_edges[] = {0, 10, 10, 30, 30, 50, 50, 60, 60, 71, 5, 66};
    def.edges = far_edges;
    def.edge_count = sizeof far_edges / sizeof *far_edges / 2;
    def.lengths = NULL;
    def.triangle_count = 0;
    REQUIRE_OK(sn_hierarchy_create(b.world, &def, &alone));
    for (size_t i = 0; i < 8; i++) {
        graph mesh = graph_of_levels(b.world, levels), other = graph_of_levels(b.world, alone);
        check_case("node %zu", i);
        REQUIRE_OK(sn_nodes_destroy(b.world, b.nodes + 9 * i, 1 + i % 3));
        forget(b.world, &mesh);
        forget(b.world, &other);
        graph is = graph_of_levels(b.world, levels);
        compare(&is, &mesh);
        is = graph_of_levels(b.world, alone);
        compare(&is, &other);
    }
    CHECK(graph_of_levels(b.world, alone).edges > 1);
    body_free(&b);
}

/* ---- Levels ---- */

/* m, how far the end of a line goes in a step that nothing holds but levels, and whose first node
   is held so far from the second. */
static double way_of_end(double gap, int finest) {
    enum { LINKS = 48 };
    sn_world *world = still_world(1, 0);
    sn_hierarchy_def def = sn_hierarchy_def_default();
    sn_hierarchy levels;
    sn_node node[LINKS + 1];
    uint32_t edges[2 * LINKS];
    sn_real lengths[LINKS];
    for (uint32_t i = 0; i <= LINKS; i++) {
        sn_node_def one = sn_node_def_default();
        one.position = (sn_vec3){(sn_real)(0.1 * i + (i > 0 ? gap : 0)), 0, 0};
        one.inverse_mass = i > 0;
        REQUIRE_OK(sn_node_create(world, &one, &node[i]));
        if (i == LINKS) break;
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
        lengths[i] = (sn_real)0.1;
    }
    def.nodes = node;
    def.node_count = LINKS + 1;
    def.edges = edges;
    def.edge_count = LINKS;
    def.lengths = lengths;
    def.finest = finest;
    def.sweeps = 64;
    REQUIRE_OK(sn_hierarchy_create(world, &def, &levels));
    REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
    sn_node_def last = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node[LINKS], &last));
    sn_world_destroy(world);
    return 0.1 * LINKS + gap - (double)last.position.x;
}

/* Where all of it has to come nearer, all of it does, and no farther than that. */
TEST(levels_close_a_gap) {
    for (int finest = 1; finest < 4; finest++) {
        check_case("from level %d on", finest);
        CHECK_NEAR(way_of_end(1, finest), 1, 0.005);
        CHECK_NEAR(way_of_end(-0.05, finest), 0, 1e-6);
    }
}

TESTS(RUN(cuts_change_it_with_the_mesh), RUN(nodes_take_what_they_have_along),
      RUN(levels_close_a_gap))
