/*
 * Distances along a surface from its lengths alone.
 *
 * Where two corners of a triangle know how far they are from the source, the source is put into the
 * plane of the triangle, beyond the edge between the two; if the straight line from there to the
 * third corner crosses that edge, its length is a distance (Novotni and Klein 2002). On a flat
 * sheet it is the straight one. Edges are paths as well. What becomes nearer tells its neighbours,
 * until nobody does.
 */
#include "geometry/topology/adjacency.h"

#include <math.h>

/* What is nearer by less than this part is not. */
static const double least_gain = 1e-9;

bool sn_unfold_create(sn_unfold *unfold, size_t nodes, sn_memory *memory) {
    *unfold = (sn_unfold){.nodes = nodes};
    unfold->distance = sn_allocate(memory, nodes + 1, sizeof *unfold->distance);
    unfold->queue = sn_allocate(memory, nodes + 1, sizeof *unfold->queue);
    unfold->reached = sn_allocate(memory, nodes + 1, sizeof *unfold->reached);
    unfold->waiting = sn_allocate(memory, nodes + 1, sizeof *unfold->waiting);
    if (!unfold->distance || !unfold->queue || !unfold->reached || !unfold->waiting) {
        sn_unfold_free(unfold, memory);
        return false;
    }
    for (size_t i = 0; i < nodes; i++) unfold->distance[i] = HUGE_VAL;
    return true;
}

void sn_unfold_free(sn_unfold *unfold, sn_memory *memory) {
    sn_free(memory, unfold->distance, unfold->nodes + 1, sizeof *unfold->distance);
    sn_free(memory, unfold->queue, unfold->nodes + 1, sizeof *unfold->queue);
    sn_free(memory, unfold->reached, unfold->nodes + 1, sizeof *unfold->reached);
    sn_free(memory, unfold->waiting, unfold->nodes + 1, sizeof *unfold->waiting);
    *unfold = (sn_unfold){0};
}

/*
 * How far the corner at distances `to_a` and `to_b` from a and b is from the source, which is at
 * `from_a` and `from_b` on the other side of the edge of length c; infinite where the line does not
 * cross the edge.
 */
static double across(double from_a, double from_b, double c, double to_a, double to_b) {
    double sx = (from_a * from_a - from_b * from_b + c * c) / (2 * c);
    double wx = (to_a * to_a - to_b * to_b + c * c) / (2 * c);
    double sy = from_a * from_a - sx * sx, wy = to_a * to_a - wx * wx;
    if (!(sy >= 0 && wy >= 0)) return HUGE_VAL;
    sy = sqrt(sy);
    wy = sqrt(wy);
    if (!(sy + wy > 0)) return HUGE_VAL;
    double crossing = sx + (wx - sx) * sy / (sy + wy);
    if (!(crossing >= 0 && crossing <= c)) return HUGE_VAL;
    return sqrt((wx - sx) * (wx - sx) + (wy + sy) * (wy + sy));
}

/* The nodes that wait, in a ring: each is there at most once. */
typedef struct line {
    size_t first, count;
} line;

static void offer(sn_unfold *unfold, line *waiting, uint32_t node, double distance) {
    double old = unfold->distance[node];
    if (!(distance < old) || (old < HUGE_VAL && distance > old - least_gain * old)) return;
    if (old == HUGE_VAL) unfold->reached[unfold->count++] = node;
    unfold->distance[node] = distance;
    if (unfold->waiting[node]) return;
    unfold->waiting[node] = 1;
    unfold->queue[(waiting->first + waiting->count++) % unfold->nodes] = node;
}

static void offer_around(sn_unfold *unfold, line *waiting, const sn_adjacency *around,
                         uint32_t node, const uint32_t *patch, uint32_t number) {
    const double *distance = unfold->distance;
    double here = distance[node];
    for (size_t i = around->begin[node]; i < around->begin[node + 1]; i++) {
        const sn_neighbour *n = &around->neighbour[i];
        if (patch[n->node] == number) offer(unfold, waiting, n->node, here + n->length);
    }
    for (size_t i = around->fan_begin[node]; i < around->fan_begin[node + 1]; i++) {
        const sn_fan *f = &around->fan[i];
        if (patch[f->node[0]] != number || patch[f->node[1]] != number) continue;
        for (int k = 0; k < 2; k++) {
            uint32_t other = f->node[1 - k];
            if (distance[other] < HUGE_VAL)
                offer(unfold, waiting, f->node[k],
                      across(here, distance[other], f->length[1 - k], f->length[k], f->length[2]));
        }
    }
}

void sn_unfold_from(sn_unfold *unfold, const sn_adjacency *around, uint32_t source,
                    const uint32_t *patch, uint32_t number) {
    line waiting = {0, 0};
    for (size_t i = 0; i < unfold->count; i++) unfold->distance[unfold->reached[i]] = HUGE_VAL;
    unfold->count = 0;
    offer(unfold, &waiting, source, 0);
    while (waiting.count > 0) {
        uint32_t node = unfold->queue[waiting.first];
        waiting.first = (waiting.first + 1) % unfold->nodes;
        waiting.count--;
        unfold->waiting[node] = 0;
        offer_around(unfold, &waiting, around, node, patch, number);
    }
}
