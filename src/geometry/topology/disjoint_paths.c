/*
 * A region is a sum over few intervals of paths where the paths that cross it lie side by side. So
 * paths are laid from one side to the other: each begins at the first node that is left along an
 * axis, and goes on, to both sides, to the neighbour that is nearest to the plane through its
 * beginning, or to a line in it; among those that are as near, to the one with the most neighbours
 * in finished paths, so that no gaps are left. It ends where all neighbours are too far from the
 * plane, so that it does not run across others.
 *
 * A node without neighbours is a path of its own. Every choice has an order: the same paths
 * everywhere.
 */
#include "geometry/topology/disjoint_paths.h"

#include "geometry/point.h"
#include "geometry/topology/sort_indices.h"
#include "math/vector.h"

#include <string.h>

enum { FREE, LAID };

typedef struct laying {
    const sn_paths_graph *g;
    sn_paths_direction direction;
    uint8_t *state;
    sn_record *record, *spare;
    sn_point from; /* where the path begins */
} laying;

size_t sn_paths_scratch(size_t nodes) {
    return nodes * (2 * sizeof(sn_record) + sizeof(uint8_t)) + 1;
}

static double along(sn_vec3 x, int axis) {
    return (double)(axis == 0 ? x.x : axis == 1 ? x.y : x.z);
}

/* A number that grows with a float of either sign. */
static uint32_t rising(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* Nodes from one side to the other, lowest first among those that are level. */
static void sort_nodes(const laying *l) {
    for (size_t i = 0; i < l->g->nodes; i++) {
        sn_vec3 x = l->g->x[i];
        l->record[i].key[0] = rising((float)along(x, l->direction.axis));
        l->record[i].key[1] = rising((float)along(x, (l->direction.axis + 1) % 3));
        l->record[i].key[2] = rising((float)along(x, (l->direction.axis + 2) % 3));
        l->record[i].value = (uint32_t)i;
    }
    sn_records_sort(l->record, l->spare, l->g->nodes, 3);
}

/* How far a node is from the plane or the line of the path. */
static double off(const laying *l, uint32_t node) {
    sn_point d = sn_point_sub(sn_point_of(l->g->x[node]), l->from);
    double part[3] = {d.x, d.y, d.z}, square = 0;
    if (!l->direction.lines)
        return part[l->direction.axis] < 0 ? -part[l->direction.axis] : part[l->direction.axis];
    /* Lines run along the second axis, so that the first still tells them apart. */
    for (int k = 0; k < 3; k++)
        if (k != (l->direction.axis + 1) % 3) square += part[k] * part[k];
    return __builtin_sqrt(square);
}

static double distance(const laying *l, uint32_t a, uint32_t b) {
    return sn_point_length(sn_point_sub(sn_point_of(l->g->x[a]), sn_point_of(l->g->x[b])));
}

static uint32_t finished_around(const laying *l, uint32_t node) {
    uint32_t count = 0;
    for (uint32_t k = l->g->first[node]; k < l->g->first[node + 1]; k++)
        count += l->state[l->g->neighbour[k]] == LAID;
    return count;
}

/* Where a path goes on from its end; UINT32_MAX where it ends. */
static uint32_t next_of(const laying *l, uint32_t end) {
    uint32_t best = UINT32_MAX, most = 0;
    double least = 0;
    for (uint32_t k = l->g->first[end]; k < l->g->first[end + 1]; k++) {
        uint32_t node = l->g->neighbour[k];
        if (l->state[node] != FREE) continue;
        double far = off(l, node), edge = distance(l, end, node);
        if (far > 0.6 * edge) continue;
        uint32_t around = finished_around(l, node);
        /* A tenth of an edge is as near. */
        bool nearer = best == UINT32_MAX || far < least - 0.1 * edge;
        bool level = !nearer && far < least + 0.1 * edge;
        bool better = level && (around > most || (around == most && node < best));
        if (!nearer && !better) continue;
        best = node;
        most = around;
        least = far;
    }
    return best;
}

static void reverse(uint32_t *order, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t swap = order[i];
        order[i] = order[count - 1 - i];
        order[count - 1 - i] = swap;
    }
}

/* One path, with room at `order`; how many nodes it has. */
static size_t lay_one(laying *l, uint32_t start, uint32_t *order) {
    size_t count = 0;
    l->from = sn_point_of(l->g->x[start]);
    for (uint32_t node = start; node != UINT32_MAX; node = next_of(l, node)) {
        l->state[node] = LAID;
        order[count++] = node;
    }
    /* And to the other side of its beginning. */
    reverse(order, count);
    for (uint32_t node = next_of(l, start); node != UINT32_MAX; node = next_of(l, node)) {
        l->state[node] = LAID;
        order[count++] = node;
    }
    return count;
}

void sn_paths_lay(const sn_paths_graph *graph, sn_paths_direction direction, void *scratch,
                  sn_paths *paths) {
    laying l = {.g = graph, .direction = direction, .record = scratch};
    l.spare = l.record + graph->nodes;
    l.state = (uint8_t *)(l.spare + graph->nodes);
    memset(l.state, FREE, graph->nodes);
    sort_nodes(&l);
    size_t laid = 0;
    paths->count = 0;
    for (size_t i = 0; i < graph->nodes; i++) {
        uint32_t start = l.record[i].value;
        if (l.state[start] != FREE) continue;
        paths->begin[paths->count++] = (uint32_t)laid;
        laid += lay_one(&l, start, paths->order + laid);
    }
    paths->begin[paths->count] = (uint32_t)laid;
}
