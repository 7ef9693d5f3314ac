/* Coarser graphs: who stays, whom the others follow, and how long the edges are. */
#include "check.h"

#include "geometry/topology/coarsen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 24, NODES = SIDE * SIDE };

static sn_memory memory;

/* Where a node of the grid is: on a plane, or wound up on a cylinder. */
static sn_point at(size_t i, double radius) {
    double x = 0.1 * (double)(i % SIDE), z = 0.1 * (double)(i / SIDE);
    if (radius == 0) return (sn_point){x, 0, z};
    return (sn_point){radius * sin(x / radius), radius * cos(x / radius), z};
}

static void join(sn_graph *g, uint32_t a, uint32_t b) {
    g->edge[g->edges][0] = a;
    g->edge[g->edges][1] = b;
    g->length[g->edges++] = (sn_real)sn_point_length(sn_point_sub(at(a, 0), at(b, 0)));
}

/* A grid whose squares have one diagonal each, in turn this way and that. */
static sn_graph make_grid(void) {
    sn_graph g = {.nodes = NODES};
    memory = (sn_memory){sn_allocator_default(), 0};
    if (!CHECK(sn_graph_reserve(&g, &memory, 6 * NODES, 2 * NODES))) exit(1);
    for (uint32_t r = 0; r + 1 < SIDE; r++)
        for (uint32_t c = 0; c + 1 < SIDE; c++) {
            uint32_t a = r * SIDE + c, b = a + 1, d = a + SIDE, e = d + 1;
            const uint32_t even[2][3] = {{a, b, e}, {a, e, d}}, odd[2][3] = {{a, b, d}, {b, e, d}};
            memcpy(g.triangle[g.triangles], (r + c) % 2 ? odd : even, sizeof even);
            for (int t = 0; t < 2; t++, g.triangles++)
                for (int k = 0; k < 3; k++)
                    join(&g, g.triangle[g.triangles][k], g.triangle[g.triangles][(k + 1) % 3]);
        }
    CHECK(sn_graph_sort(&g, &memory));
    CHECK(g.edges == 2 * SIDE * (SIDE - 1) + (SIDE - 1) * (SIDE - 1));
    return g;
}

/* Every node has parents whose weights sum to one; those that stay follow themselves. */
TEST(everybody_has_parents) {
    sn_graph g = make_grid();
    uint8_t fixed[NODES] = {[5] = 1, [6] = 1};
    sn_coarse c;
    if (!CHECK(sn_coarsen(&g, fixed, &memory, &c))) exit(1);
    CHECK(c.graph.nodes < NODES / 2 && c.graph.edges > c.graph.nodes);
    size_t pins = 0;
    for (size_t i = 0; i < c.graph.nodes; i++) {
        const sn_parents *p = &c.parents[c.origin[i]];
        pins += fixed[c.origin[i]];
        CHECK(p->node[0] == i && p->weight[0] == 1);
    }
    CHECK(pins == 2);
    for (size_t i = 0; i < NODES; i++) {
        double sum = 0;
        for (int k = 0; k < SN_PARENTS; k++) {
            CHECK(c.parents[i].node[k] < c.graph.nodes && c.parents[i].weight[k] >= 0);
            sum += (double)c.parents[i].weight[k];
        }
        CHECK_NEAR(sum, 1, 1e-6);
    }
    /* Nothing is gained by an edge between two that cannot move. */
    for (size_t i = 0; i < c.graph.edges; i++)
        CHECK(c.acts[i] ==
              !(fixed[c.origin[c.graph.edge[i][0]]] && fixed[c.origin[c.graph.edge[i][1]]]));
    sn_coarse_free(&c, &memory);
    sn_graph_free(&g, &memory);
    CHECK(memory.held == 0);
}

/* Lengths of all levels against those on the flat sheet, which bending does not change. */
static void check_lengths(double radius, double tolerance) {
    sn_graph g = make_grid();
    uint8_t *fixed = calloc(NODES, 1);
    sn_pose *pose = calloc(NODES, sizeof *pose);
    uint32_t *number = malloc(NODES * sizeof *number);
    if (!CHECK(fixed && pose && number)) exit(1);
    for (uint32_t i = 0; i < NODES; i++) {
        number[i] = i;
        pose[i].x = at(i, radius);
    }
    sn_graph_face(&g, pose);
    for (int level = 1; level <= 4; level++) {
        check_case("radius %g, level %d", radius, level);
        sn_coarse c;
        if (!CHECK(sn_coarsen(&g, fixed, &memory, &c))) exit(1);
        for (size_t i = 0; i < c.graph.nodes; i++) {
            number[i] = number[c.origin[i]];
            pose[i] = pose[c.origin[i]];
        }
        sn_graph_straighten(&c.graph, pose);
        for (size_t i = 0; i < c.graph.edges; i++) {
            sn_point a = at(number[c.graph.edge[i][0]], 0), b = at(number[c.graph.edge[i][1]], 0);
            CHECK_REL(c.graph.length[i], sn_point_length(sn_point_sub(a, b)), tolerance);
        }
        sn_graph_free(&g, &memory);
        g = c.graph;
        c.graph = (sn_graph){.nodes = g.nodes, .edges = g.edges};
        sn_coarse_free(&c, &memory);
    }
    sn_graph_free(&g, &memory);
    CHECK(memory.held == 0);
    free(fixed);
    free(pose);
    free(number);
}

TEST(flat_sheets_have_straight_lines) {
    check_lengths(0, 1e-6);
}

/* A sleeve: distances are those along it, not through the air, which would be up to a third
   less. */
TEST(curved_sheets_may_be_bent_flat) {
    check_lengths(1, 0.02);
}

TESTS(RUN(everybody_has_parents), RUN(flat_sheets_have_straight_lines),
      RUN(curved_sheets_may_be_bent_flat))
