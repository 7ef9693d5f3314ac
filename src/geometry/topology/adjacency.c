#include "geometry/topology/adjacency.h"

#include <string.h>

/* Turns numbers per node, kept one place further, into where their lists begin. */
static void add_up(size_t *begin, size_t nodes) {
    for (size_t i = 0; i < nodes; i++) begin[i + 1] += begin[i];
}

/* Moves every beginning back that filling has moved to the end of its list. */
static void move_back(size_t *begin, size_t nodes) {
    memmove(begin + 1, begin, nodes * sizeof *begin);
    begin[0] = 0;
}

static void fill_neighbours(sn_adjacency *around, const sn_graph *graph) {
    for (size_t e = 0; e < graph->edges; e++)
        for (int k = 0; k < 2; k++) around->begin[graph->edge[e][k] + 1]++;
    add_up(around->begin, graph->nodes);
    for (size_t e = 0; e < graph->edges; e++)
        for (int k = 0; k < 2; k++)
            around->neighbour[around->begin[graph->edge[e][k]]++] =
                (sn_neighbour){graph->edge[e][1 - k], (double)graph->length[e]};
    move_back(around->begin, graph->nodes);
}

/* The length of the edge between two nodes; below zero where there is none. */
static double length_between(const sn_adjacency *around, uint32_t a, uint32_t b) {
    for (size_t i = around->begin[a]; i < around->begin[a + 1]; i++)
        if (around->neighbour[i].node == b) return around->neighbour[i].length;
    return -1;
}

/* The lengths opposite to the corners; false where an edge is missing or has no length. */
static bool measure(const sn_adjacency *around, const uint32_t t[3], double side[3]) {
    for (int k = 0; k < 3; k++) {
        side[k] = length_between(around, t[(k + 1) % 3], t[(k + 2) % 3]);
        if (!(side[k] > 0)) return false;
    }
    return true;
}

static void fill_fans(sn_adjacency *around, const sn_graph *graph) {
    double side[3];
    for (size_t i = 0; i < graph->triangles; i++)
        if (measure(around, graph->triangle[i], side))
            for (int k = 0; k < 3; k++) around->fan_begin[graph->triangle[i][k] + 1]++;
    add_up(around->fan_begin, graph->nodes);
    for (size_t i = 0; i < graph->triangles; i++) {
        const uint32_t *t = graph->triangle[i];
        if (!measure(around, t, side)) continue;
        for (int k = 0; k < 3; k++) {
            int m = (k + 1) % 3, n = (k + 2) % 3;
            around->fan[around->fan_begin[t[k]]++] =
                (sn_fan){{t[m], t[n]}, {side[n], side[m], side[k]}};
        }
    }
    move_back(around->fan_begin, graph->nodes);
}

bool sn_adjacency_create(sn_adjacency *around, const sn_graph *graph, sn_memory *memory) {
    *around = (sn_adjacency){.nodes = graph->nodes,
                             .neighbours = 2 * graph->edges + 1,
                             .fans = 3 * graph->triangles + 1};
    around->begin = sn_allocate(memory, graph->nodes + 2, sizeof *around->begin);
    around->fan_begin = sn_allocate(memory, graph->nodes + 2, sizeof *around->fan_begin);
    around->neighbour = sn_allocate(memory, around->neighbours, sizeof *around->neighbour);
    around->fan = sn_allocate(memory, around->fans, sizeof *around->fan);
    if (!around->begin || !around->fan_begin || !around->neighbour || !around->fan) {
        sn_adjacency_free(around, memory);
        return false;
    }
    fill_neighbours(around, graph);
    fill_fans(around, graph);
    return true;
}

void sn_adjacency_free(sn_adjacency *around, sn_memory *memory) {
    sn_free(memory, around->begin, around->nodes + 2, sizeof *around->begin);
    sn_free(memory, around->fan_begin, around->nodes + 2, sizeof *around->fan_begin);
    sn_free(memory, around->neighbour, around->neighbours, sizeof *around->neighbour);
    sn_free(memory, around->fan, around->fans, sizeof *around->fan);
    *around = (sn_adjacency){0};
}
