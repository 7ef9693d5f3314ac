/*
 * Where a sheet is held.
 *
 * Anchors that edges join hold one place: a corner in a hand, a row along a rod. Of those in a row,
 * the nearest is the one that carries a node. Where they go around a corner, as along a frame, a
 * node is held from several sides, and they are taken for four places, each around one of four
 * anchors that are far from each other.
 */
#include "systems/sheet/sheet_anchors.h"

#include "base/union_find.h"

enum { SIDES = 4 };

static const uint32_t none = UINT32_MAX;

/* How far anchors may be from the line through the two that are farthest apart, over the distance
   of these, to be a row. */
static const double bend = 0.25;

static double distance(const sn_anchors *a, uint32_t i, uint32_t j) {
    return sn_point_length(sn_point_sub(a->x[i], a->x[j]));
}

/* ---- What is joined ---- */

/* Every anchor gets the root of its set: one of them. */
static void join(const sn_anchors *a, uint32_t *group) {
    for (size_t i = 0; i < a->nodes; i++) group[i] = none;
    for (size_t i = 0; i < a->anchors; i++) group[a->anchor[i]] = a->anchor[i];
    for (size_t t = 0; t < a->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t one = a->triangles[3 * t + (size_t)k];
            uint32_t other = a->triangles[3 * t + (size_t)(k + 1) % 3];
            if (group[one] != none && group[other] != none) sn_sets_join(group, one, other);
        }
    for (size_t i = 0; i < a->anchors; i++) group[a->anchor[i]] = sn_sets_root(group, a->anchor[i]);
}

/* ---- Sides ---- */

typedef struct sides {
    uint32_t seed[SIDES]; /* anchors that are far from each other */
    int count;            /* 1 where all of them are a row */
} sides;

static double to_line(const sn_anchors *a, uint32_t i, uint32_t from, uint32_t to) {
    sn_point along = sn_point_sub(a->x[to], a->x[from]), at = sn_point_sub(a->x[i], a->x[from]);
    double length = sn_point_length(along);
    return length > 0 ? sn_point_length(sn_point_cross(along, at)) / length : 0;
}

/* The anchor of a set that is farthest from all seeds so far. */
static uint32_t farthest(const sn_anchors *a, const uint32_t *group, uint32_t set, const sides *s) {
    uint32_t best = s->seed[0];
    double most = -1;
    for (size_t i = 0; i < a->anchors; i++) {
        uint32_t node = a->anchor[i];
        if (group[node] != set) continue;
        double least = distance(a, node, s->seed[0]);
        for (int k = 1; k < s->count; k++) {
            double d = distance(a, node, s->seed[k]);
            least = d < least ? d : least;
        }
        if (least > most) most = least, best = node;
    }
    return best;
}

static sides find_sides(const sn_anchors *a, const uint32_t *group, uint32_t set) {
    sides s = {.seed = {set}, .count = 1};
    double most = 0;
    s.seed[0] = farthest(a, group, set, &s); /* an end, from anywhere */
    uint32_t end = farthest(a, group, set, &s);
    for (size_t i = 0; i < a->anchors; i++) {
        double d = group[a->anchor[i]] == set ? to_line(a, a->anchor[i], s.seed[0], end) : 0;
        most = d > most ? d : most;
    }
    if (!(most > bend * distance(a, s.seed[0], end))) return s;
    for (; s.count < SIDES; s.count++) s.seed[s.count] = farthest(a, group, set, &s);
    return s;
}

static uint32_t nearest(const sn_anchors *a, const sides *s, uint32_t node) {
    int best = 0;
    for (int k = 1; k < s->count; k++)
        if (distance(a, node, s->seed[k]) < distance(a, node, s->seed[best])) best = k;
    return s->seed[best];
}

/* A patch of a few anchors is a place, whatever its shape. */
static bool is_large(const sn_anchors *a, const uint32_t *group, uint32_t set) {
    size_t count = 0;
    for (size_t i = 0; i < a->anchors; i++) count += group[a->anchor[i]] == set;
    return count * count > 4 * a->nodes;
}

size_t sn_anchors_group(const sn_anchors *def, uint32_t *group) {
    size_t places = 0;
    join(def, group);
    for (size_t i = 0; i < def->anchors; i++) {
        uint32_t set = def->anchor[i];
        if (group[set] != set) continue;
        sides s = {.seed = {set}, .count = 1};
        if (is_large(def, group, set)) s = find_sides(def, group, set);
        places += (size_t)s.count;
        /* Numbers above those of nodes, so that none is taken for def set to come. */
        for (size_t k = 0; k < def->anchors; k++)
            if (group[def->anchor[k]] == set)
                group[def->anchor[k]] = (uint32_t)def->nodes + nearest(def, &s, def->anchor[k]);
    }
    return places;
}
