#include "geometry/crests.h"

/* rad: what a side stands out by at least, which is more than rounding makes of what is flat; and
   by how much a direction may be off. */
static const double SHARP = 3e-4, OFF = 0.02;

static sn_point corner_of(const sn_boundary *b, uint32_t t, int k) {
    return sn_point_of(b->vertices[b->triangles[t][k % 3]]);
}

/* The corner of a triangle that is neither of two vertices. */
static sn_point beside(const sn_boundary *b, uint32_t t, uint32_t v, uint32_t w) {
    int k = 0;
    while (k < 2 && (b->triangles[t][k] == v || b->triangles[t][k] == w)) k++;
    return corner_of(b, t, k);
}

/* ---- What stands out ---- */

static bool is_sharp(const sn_boundary *b, uint32_t t, int k, sn_crest_kind kind) {
    const uint32_t other = b->beyond[t][k], *v = b->triangles[t];
    if (other == SN_BVH_NONE) return true;
    sn_point from = corner_of(b, t, k), along = sn_point_sub(corner_of(b, t, k + 1), from);
    sn_point normal = sn_point_cross(along, sn_point_sub(corner_of(b, t, k + 2), from));
    sn_point to = sn_point_sub(beside(b, other, v[k], v[(k + 1) % 3]), from);
    /* How high it is over this triangle, and how far from the side. */
    double high = sn_point_dot(normal, to) * sn_point_length(along);
    double far = sn_point_length(normal) * sn_point_length(sn_point_cross(along, to));
    if (kind == SN_CRESTS_SHEET && high > 0) high = -high;
    return high < -SHARP * far;
}

static uint8_t side_bit(int k) {
    return (uint8_t)(1u << (SN_CREST_SIDES + k));
}

/* A vertex is told of the first of its triangles. Of its sides each begins there in one of them, or
   ends there, at a border, where another one begins. */
static void find_corner(sn_boundary *b, uint32_t v) {
    bool sharp = false;
    for (uint32_t i = b->ring_begin[v]; i < b->ring_begin[v + 1]; i++) {
        const uint32_t t = b->ring[i];
        for (int k = 0; k < 3; k++)
            sharp = sharp || (b->triangles[t][k] == v && b->crests[t] & side_bit(k));
    }
    if (!sharp) return;
    const uint32_t first = b->ring[b->ring_begin[v]];
    for (int k = 0; k < 3; k++)
        if (b->triangles[first][k] == v) b->crests[first] |= (uint8_t)(1u << k);
}

bool sn_crests_find(sn_boundary *b, sn_memory *memory, sn_crest_kind kind) {
    if (b->crests_known) return true;
    if (!b->crests) b->crests = sn_allocate(memory, b->triangle_count, sizeof *b->crests);
    if (!b->crests) return false;
    for (uint32_t t = 0; t < b->triangle_count; t++) {
        b->crests[t] = 0;
        for (int k = 0; k < 3; k++)
            if (is_sharp(b, t, k, kind)) b->crests[t] |= side_bit(k);
    }
    for (uint32_t v = 0; v < b->vertex_count; v++) find_corner(b, v);
    for (uint32_t t = 0; t < b->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (b->beyond[t][k] < t) b->crests[t] &= (uint8_t)~side_bit(k);
    b->crests_known = true;
    return true;
}

/* ---- Where it looks ---- */

static bool is_behind(sn_point from, sn_point to, sn_point along) {
    sn_point way = sn_point_sub(to, from);
    return sn_point_dot(way, along) <= OFF * sn_point_length(way);
}

static bool corner_looks(const sn_boundary *b, uint32_t v, sn_crest_kind kind, sn_point along) {
    const sn_point from = sn_point_of(b->vertices[v]);
    for (uint32_t i = b->ring_begin[v]; i < b->ring_begin[v + 1]; i++) {
        const uint32_t t = b->ring[i];
        for (int k = 0; k < 3; k++) {
            const bool border = b->beyond[t][k] == SN_BVH_NONE;
            /* Of two sides of a border that meet there one begins there. */
            if (kind == SN_CRESTS_FIELD && border && along.y < -OFF && b->triangles[t][k] == v)
                return false;
            if (b->triangles[t][k] != v && !is_behind(from, corner_of(b, t, k), along))
                return false;
        }
    }
    return true;
}

/* Across the side both of its triangles go down. */
static bool side_looks(const sn_boundary *b, uint32_t t, int k, sn_crest_kind kind,
                       sn_point along) {
    const uint32_t *v = b->triangles[t], other = b->beyond[t][k];
    sn_point from = corner_of(b, t, k), side = sn_point_sub(corner_of(b, t, k + 1), from);
    double square = sn_point_dot(side, side), slope = sn_point_dot(side, along);
    if (!(square > 0) || slope * slope > OFF * OFF * square) return false;
    for (int which = 0; which < (other == SN_BVH_NONE ? 1 : 2); which++) {
        sn_point to = which ? beside(b, other, v[k], v[(k + 1) % 3]) : corner_of(b, t, k + 2);
        double part = sn_point_dot(sn_point_sub(to, from), side) / square;
        if (!is_behind(sn_point_add(from, sn_point_scaled(side, part)), to, along)) return false;
    }
    return !(kind == SN_CRESTS_FIELD && other == SN_BVH_NONE && along.y < -OFF);
}

bool sn_crest_looks(const sn_boundary *b, uint32_t t, int crest, sn_crest_kind kind,
                    sn_point along) {
    if (crest < SN_CREST_SIDES) return corner_looks(b, b->triangles[t][crest], kind, along);
    return side_looks(b, t, crest - SN_CREST_SIDES, kind, along);
}
