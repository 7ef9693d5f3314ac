/*
 * Edges that stay. One that is not there yet is made by flipping the edges that cross it, those
 * first that can be flipped (Sloan 1993, A fast algorithm for generating constrained Delaunay
 * triangulations); the new ones that do not cross it are made Delaunay again in the end.
 */
#include "geometry/triangulate/triangulation.h"

uint32_t sn_triangulation_side(const sn_triangulation *mesh, uint32_t from, uint32_t to) {
    uint32_t first = mesh->sides.at[from], side = first;
    do {
        if (sn_side_end(&mesh->sides, side) == to) return side;
        side = sn_side_around(&mesh->sides, side);
    } while (side != first && side != SN_SIDE_NONE);
    return SN_SIDE_NONE;
}

static void lock(sn_triangulation *mesh, uint32_t side) {
    mesh->sides.mark[side] = mesh->sides.mark[mesh->sides.twin[side]] = 1;
}

static int64_t turn(const sn_triangulation *mesh, uint32_t a, uint32_t b, uint32_t c) {
    return sn_site_turn(mesh->site[a], mesh->site[b], mesh->site[c]);
}

/* The first side that the segment crosses, seen from where it begins; SN_SIDE_NONE where a site is
   on it. */
static uint32_t first_crossed(const sn_triangulation *mesh, uint32_t from, uint32_t to) {
    uint32_t first = mesh->sides.at[from], side = first;
    do {
        uint32_t across = sn_side_next(side);
        uint32_t right = mesh->sides.start[across], left = sn_side_end(&mesh->sides, across);
        if (turn(mesh, from, to, right) < 0 && turn(mesh, from, to, left) > 0 &&
            turn(mesh, right, left, to) < 0)
            return across;
        side = sn_side_around(&mesh->sides, side);
    } while (side != first && side != SN_SIDE_NONE);
    return SN_SIDE_NONE;
}

/* The next side that the segment crosses once it has crossed this one; SN_SIDE_NONE where it ends
   or meets a site. */
static uint32_t next_crossed(const sn_triangulation *mesh, uint32_t from, uint32_t to,
                             uint32_t side) {
    uint32_t twin = mesh->sides.twin[side], beyond = mesh->sides.start[sn_side_before(twin)];
    int64_t where = turn(mesh, from, to, beyond);
    if (beyond == to || where == 0) return SN_SIDE_NONE;
    return where > 0 ? sn_side_next(twin) : sn_side_before(twin);
}

/* Whether the triangles of an edge form a quadrilateral that is convex at its ends. */
static bool is_convex(const sn_triangulation *mesh, uint32_t side) {
    uint32_t twin = mesh->sides.twin[side], a = mesh->sides.start[side],
             b = mesh->sides.start[twin];
    uint32_t c = mesh->sides.start[sn_side_before(side)],
             d = mesh->sides.start[sn_side_before(twin)];
    return turn(mesh, d, b, c) > 0 && turn(mesh, c, a, d) > 0;
}

/* Flips one edge that is crossed; true where one was. The segment goes through fewer triangles
   where the new edge does not cross it, so that is preferred. */
static bool flip_crossed(sn_triangulation *mesh, uint32_t from, uint32_t to, size_t turns) {
    uint32_t side = first_crossed(mesh, from, to), other = SN_SIDE_NONE;
    size_t seen = 0;
    for (; side != SN_SIDE_NONE; side = next_crossed(mesh, from, to, side)) {
        if (mesh->sides.mark[side]) return false;
        if (!is_convex(mesh, side)) continue;
        uint32_t c = mesh->sides.start[sn_side_before(side)];
        uint32_t d = mesh->sides.start[sn_side_before(mesh->sides.twin[side])];
        int64_t at_c = turn(mesh, from, to, c), at_d = turn(mesh, from, to, d);
        bool crosses = (at_c > 0 && at_d < 0) || (at_c < 0 && at_d > 0);
        if (!crosses) {
            sn_sides_flip(&mesh->sides, side);
            return true;
        }
        /* A different one each time, so that none is flipped to and fro for ever. */
        if (other == SN_SIDE_NONE || seen == turns % 7) other = side;
        seen++;
    }
    if (other != SN_SIDE_NONE) sn_sides_flip(&mesh->sides, other);
    return other != SN_SIDE_NONE;
}

bool sn_triangulation_lock(sn_triangulation *mesh, uint32_t from, uint32_t to) {
    uint32_t side = sn_triangulation_side(mesh, from, to);
    for (size_t turns = 0; side == SN_SIDE_NONE && turns < 16 * mesh->sides.triangles; turns++) {
        if (!flip_crossed(mesh, from, to, turns)) break;
        side = sn_triangulation_side(mesh, from, to);
    }
    if (side == SN_SIDE_NONE) return false;
    lock(mesh, side);
    return true;
}

void sn_triangulation_inside(const sn_triangulation *mesh, uint8_t *inside, uint32_t *queue) {
    const uint8_t unknown = 2;
    for (size_t t = 0; t < mesh->sides.triangles; t++) inside[t] = unknown;
    /* The first corner of the frame has a triangle outside. */
    size_t count = 1, next = 0;
    queue[0] = mesh->sides.at[0] / 3;
    inside[queue[0]] = 0;
    while (next < count) {
        uint32_t t = queue[next++];
        for (uint32_t side = 3 * t; side < 3 * t + 3; side++) {
            uint32_t twin = mesh->sides.twin[side];
            if (twin == SN_SIDE_NONE || inside[twin / 3] != unknown) continue;
            inside[twin / 3] = inside[t] ^ (uint8_t)mesh->sides.mark[side];
            queue[count++] = twin / 3;
        }
    }
}
