/*
 * Flips of an air mesh: of elements that are bad, and of those beside them, others are made on the
 * same corners, with the same border, where the worst of them is better then.
 *
 *   in a plane     the edge between two triangles becomes the other diagonal
 *   in space       the face between two tets goes, and three around the edge between their tips
 *                  come; or n tets around an edge go, and 2 (n - 2) above and below a fan in the
 *                  ring around it come
 *
 * Areas and volumes have signs, whose sum a flip does not change. Elements that are turned over are
 * flipped only where all of them are right then, which is so where nothing is in anything else;
 * what is in each other keeps its elements, and knows where it belongs.
 */
#include "systems/air_mesh/air_meshes.h"

/* Better elements are left alone. */
#define BAD SN_R(0.2)

sn_real sn_gap_quality(const sn_gap_view *view, const sn_gap_element *e) {
    sn_v4 way[3], slope[3];
    sn_gap_ways(view, e, way);
    sn_real measure = sn_gap_measure(view->air, way, slope), sum = 0;
    int edges = view->air->corners - 1;
    for (int k = 0; k < edges; k++) sum += sn_v4_dot(way[k], way[k]);
    for (int k = 0; k < edges; k++)
        for (int i = 0; i < k; i++) sum += sn_v4_dot(way[k] - way[i], way[k] - way[i]);
    sn_real square = sum / (edges == 3 ? 6 : 3);
    if (!(square > 0)) return 0;
    /* A regular one has sqrt(3) / 4 l^2, or l^3 / sqrt(72). */
    return edges == 3 ? measure * SN_R(8.485281374238571) / (square * SN_ROOT(square))
                      : measure * SN_R(2.309401076758503) / square;
}

typedef struct change {
    uint32_t old[SN_GAP_RING];
    size_t old_count;
    sn_gap_element made[2 * SN_GAP_RING];
    size_t made_count;
    sn_real gain;
} change;

static sn_real worst(const sn_gap_view *view, const sn_gap_element *e, size_t count) {
    sn_real least = SN_REAL_MAX;
    for (size_t i = 0; i < count; i++) {
        sn_real q = sn_gap_quality(view, &e[i]);
        if (q < least) least = q;
    }
    return least;
}

static sn_real worst_old(const sn_gap_view *view, const change *c) {
    sn_real least = SN_REAL_MAX;
    for (size_t i = 0; i < c->old_count; i++) {
        sn_real q = sn_gap_quality(view, &view->air->element[c->old[i]]);
        if (q < least) least = q;
    }
    return least;
}

/* Takes over a change that makes the worst better by a fifth, and more than the best so far does.
   Flips for less would go on for ever while bodies move. */
static void consider(const sn_gap_view *view, change *tried, change *best) {
    const sn_gap *air = view->air;
    if (air->elements + tried->made_count > air->room + tried->old_count) return;
    sn_real before = worst_old(view, tried), after = worst(view, tried->made, tried->made_count);
    sn_real least = before > 0 ? SN_R(1.2) * before : 0;
    tried->gain = after - before;
    if (after > least + SN_R(0.005) && tried->gain > best->gain) *best = *tried;
}

/* The place of the corner of an element that is none of those given. */
static uint32_t other_corner(const sn_gap *air, uint32_t e, const uint32_t *known, int count) {
    for (int k = 0; k < air->corners; k++) {
        uint32_t corner = air->element[e].corner[k];
        bool found = false;
        for (int i = 0; i < count; i++) found |= known[i] == corner;
        if (!found) return corner;
    }
    return SN_GAP_NO_ELEMENT;
}

/* ---- In a plane ---- */

static void try_diagonal(const sn_gap_view *view, uint32_t e, int side, change *best) {
    const sn_gap *air = view->air;
    uint32_t beyond = air->link[e].corner[side];
    if (beyond == SN_GAP_NO_ELEMENT) return;
    const uint32_t *v = air->element[e].corner;
    uint32_t a = v[side], b = v[(side + 1) % 3], c = v[(side + 2) % 3];
    uint32_t d = other_corner(air, beyond, (const uint32_t[]){b, c}, 2);
    change tried = {.old = {e, beyond}, .old_count = 2, .made_count = 2};
    if (a == d) return;
    tried.made[0] = (sn_gap_element){{a, b, d, SN_GAP_NO_ELEMENT}};
    tried.made[1] = (sn_gap_element){{a, d, c, SN_GAP_NO_ELEMENT}};
    consider(view, &tried, best);
}

/* ---- In space ---- */

/* Corners in an order that is right-handed as well, with corner k first. */
static const int led_by[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};

static void try_face(const sn_gap_view *view, uint32_t e, int side, change *best) {
    const sn_gap *air = view->air;
    uint32_t beyond = air->link[e].corner[side], v[4];
    if (beyond == SN_GAP_NO_ELEMENT) return;
    for (int k = 0; k < 4; k++) v[k] = air->element[e].corner[led_by[side][k]];
    uint32_t tip = other_corner(air, beyond, &v[1], 3);
    change tried = {.old = {e, beyond}, .old_count = 2, .made_count = 3};
    if (tip == v[0]) return;
    for (int k = 0; k < 3; k++)
        tried.made[k] = (sn_gap_element){{v[0], v[1 + k], v[1 + (k + 1) % 3], tip}};
    consider(view, &tried, best);
}

/* The elements around an edge of one, and their other corners: element i has the corners i and
   i + 1 of the ring, seen along the edge in the sense of a right-handed screw. False where they do
   not close, or are too many. */
static bool find_ring(const sn_gap *air, uint32_t e, const uint32_t edge[2], uint32_t first,
                      uint32_t second, change *c, uint32_t *ring) {
    uint32_t at = e;
    c->old_count = 0;
    ring[0] = first;
    for (;;) {
        const uint32_t known[3] = {edge[0], edge[1], second};
        uint32_t out = ring[c->old_count];
        c->old[c->old_count++] = at;
        int side = 0;
        while (side < 3 && air->element[at].corner[side] != out) side++;
        at = air->link[at].corner[side];
        if (at == e) return second == first && c->old_count > 2;
        if (at == SN_GAP_NO_ELEMENT) return false;
        if (c->old_count == SN_GAP_RING) return false;
        ring[c->old_count] = second;
        second = other_corner(air, at, known, 3);
    }
}

static void try_edge(const sn_gap_view *view, uint32_t e, int i, int j, change *best) {
    const sn_gap *air = view->air;
    uint32_t v[4], ring[SN_GAP_RING];
    for (int k = 0; k < 4; k++) v[k] = air->element[e].corner[led_by[i][k]];
    /* The others follow in an order that is a rotation, so that all stays right-handed. */
    int at = 1;
    while (v[at] != air->element[e].corner[j]) at++;
    const uint32_t edge[2] = {v[0], v[at]};
    uint32_t first = v[1 + at % 3], second = v[1 + (at + 1) % 3];
    change tried = {0};
    if (!find_ring(air, e, edge, first, second, &tried, ring)) return;
    size_t n = tried.old_count;
    for (size_t apex = 0; apex < n; apex++) {
        tried.made_count = 0;
        for (size_t k = 1; k + 1 < n; k++) {
            uint32_t x = ring[apex], y = ring[(apex + k) % n], z = ring[(apex + k + 1) % n];
            tried.made[tried.made_count++] = (sn_gap_element){{edge[0], x, y, z}};
            tried.made[tried.made_count++] = (sn_gap_element){{edge[1], x, z, y}};
        }
        consider(view, &tried, best);
    }
}

static bool flip_element(const sn_gap_view *view, sn_gap *air, uint32_t e) {
    change best = {.gain = 0};
    if (air->axis != SN_GAP_NONE)
        for (int side = 0; side < 3; side++) try_diagonal(view, e, side, &best);
    for (int side = 0; side < 4 && air->axis == SN_GAP_NONE; side++) {
        try_face(view, e, side, &best);
        for (int other = side + 1; other < 4; other++) try_edge(view, e, side, other, &best);
    }
    return best.gain > 0 &&
           sn_gap_replace(air, best.old, best.old_count, best.made, best.made_count);
}

void sn_gap_flip(const sn_gap_view *view, sn_gap *air) {
    bool flipped = true;
    for (int sweep = 0; sweep < air->def.flips && flipped; sweep++) {
        flipped = false;
        for (uint32_t e = 0; e < air->elements; e++)
            if (sn_gap_quality(view, &air->element[e]) < BAD) flipped |= flip_element(view, air, e);
    }
}
