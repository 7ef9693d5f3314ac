/*
 * Isosurface stuffing (Labelle and Shewchuk 2007). Along an edge of the lattice from the inside to
 * the outside the surface has a cut point. A point of the lattice that has a cut point too near to
 * it (0.29 of a long edge, 0.4 of a short one) is moved there and is then on the surface. What is
 * left of each tetrahedron on the inside is a tetrahedron, a pyramid or a prism; its sides are cut
 * by a rule that both neighbours know, and no angle gets small.
 */
#include "base/error.h"
#include "base/hash.h"
#include "geometry/volume/bcc_lattice.h"

#include <math.h>

/*
 * How near is too near, as parts of long and of short edges. The paper's 0.24999 and 0.41189 give
 * angles down to 9 degrees where three corners of a tetrahedron move by the most they can; with
 * these no angle below 10.8 or above 159.1 degrees was found in lattices of random distances.
 */
static const double near_long = 0.2875, near_short = 0.3975;

/* A table from edges to the vertices of their cut points. */
typedef struct cuts {
    uint64_t *key; /* 1 + the edge; 0: free */
    uint32_t *vertex;
    size_t capacity; /* a power of two */
} cuts;

typedef struct work {
    const sn_lattice *lattice;
    sn_memory memory;
    sn_mesh *tets;
    int8_t *side;       /* per point: 1 inside, -1 outside, 0 on the surface */
    sn_point *position; /* per point */
    uint32_t *vertex;   /* per point: 1 + that of the mesh */
    cuts cuts;
} work;

/* ---- Edges ---- */

/* The 14 neighbours of a point: six at the ends of long edges, then eight of short ones. */
static bool neighbour_of(const sn_lattice *lattice, const int32_t at[3], int n, uint32_t *point) {
    int32_t there[3];
    for (int k = 0; k < 3; k++) {
        there[k] = at[k];
        if (n < 6 && n / 2 == k) there[k] += n % 2 ? 2 : -2;
        if (n >= 6) there[k] += (n - 6) >> k & 1 ? 1 : -1;
        if (there[k] < 0 || there[k] > 2 * (int32_t)lattice->cubes[k]) return false;
    }
    *point = sn_lattice_point(lattice, there);
    return true;
}

/* Where the cut point is between a point and another, from 0 to 1. */
static double cut_part(const work *w, uint32_t from, uint32_t to) {
    double a = fabs(w->lattice->distance[from]), b = fabs(w->lattice->distance[to]);
    return a / (a + b);
}

static bool is_long(const work *w, uint32_t a, uint32_t b) {
    return (a < w->lattice->corner_count) == (b < w->lattice->corner_count);
}

/* ---- Moving points to the surface ---- */

/* The nearest cut point that is too near to a point, if there is one. */
static bool find_violation(const work *w, uint32_t point, uint32_t *other, double *part) {
    int32_t at[3];
    double nearest = INFINITY;
    sn_lattice_place(w->lattice, point, at);
    for (int n = 0; n < 14; n++) {
        uint32_t q;
        if (!neighbour_of(w->lattice, at, n, &q)) continue;
        if (w->side[q] != -w->side[point]) continue;
        double here = cut_part(w, point, q), length = n < 6 ? 1 : 0.8660254037844386;
        if (!(here < (n < 6 ? near_long : near_short)) || !(here * length < nearest)) continue;
        nearest = here * length;
        *other = q;
        *part = here;
    }
    return nearest < INFINITY;
}

static void warp(work *w) {
    size_t count = w->lattice->point_count;
    double reach = w->lattice->spacing;
    for (uint32_t p = 0; p < count; p++) {
        double distance = w->lattice->distance[p];
        w->side[p] = distance < 0 ? 1 : distance > 0 ? -1 : 0;
        w->position[p] = sn_lattice_position(w->lattice, p);
    }
    for (uint32_t p = 0; p < count; p++) {
        uint32_t q = p;
        double part = 0;
        if (w->side[p] == 0 || fabs(w->lattice->distance[p]) > reach) continue;
        if (!find_violation(w, p, &q, &part)) continue;
        sn_point offset = sn_point_sub(sn_lattice_position(w->lattice, q), w->position[p]);
        w->position[p] = sn_point_add(w->position[p], sn_point_scaled(offset, part));
        w->side[p] = 0;
    }
}

/* ---- Vertices ---- */

static uint32_t add_vertex(work *w, sn_point x) {
    w->tets->positions[w->tets->vertex_count] = sn_point_vec3(x);
    return (uint32_t)w->tets->vertex_count++;
}

static uint32_t vertex_of(work *w, uint32_t point) {
    if (w->vertex[point] == 0) w->vertex[point] = 1 + add_vertex(w, w->position[point]);
    return w->vertex[point] - 1;
}

/* Makes room for all cut points, whose number is that of edges from inside to outside. Of points
   far from the surface, too: where it cuts itself, the side changes without a surface between. */
static sn_result make_cuts(work *w) {
    size_t count = 0;
    for (uint32_t p = 0; p < w->lattice->point_count; p++) {
        int32_t at[3];
        if (w->side[p] != 1) continue;
        sn_lattice_place(w->lattice, p, at);
        for (int n = 0; n < 14; n++) {
            uint32_t q;
            count += neighbour_of(w->lattice, at, n, &q) && w->side[q] == -1;
        }
    }
    w->cuts.capacity = 16;
    while (w->cuts.capacity < 2 * count) w->cuts.capacity *= 2;
    w->cuts.key = sn_allocate(&w->memory, w->cuts.capacity, sizeof *w->cuts.key);
    w->cuts.vertex = sn_allocate(&w->memory, w->cuts.capacity, sizeof *w->cuts.vertex);
    return w->cuts.key && w->cuts.vertex ? SN_OK : SN_ERROR_MEMORY;
}

static uint32_t cut_vertex(work *w, uint32_t inside, uint32_t outside) {
    uint64_t key = 1 + ((uint64_t)inside << 32 | outside);
    size_t slot = (size_t)sn_hash_word(0, key) & (w->cuts.capacity - 1);
    while (w->cuts.key[slot] != 0 && w->cuts.key[slot] != key)
        slot = (slot + 1) & (w->cuts.capacity - 1);
    if (w->cuts.key[slot] == 0) {
        sn_point offset = sn_point_sub(w->position[outside], w->position[inside]);
        offset = sn_point_scaled(offset, cut_part(w, inside, outside));
        w->cuts.key[slot] = key;
        w->cuts.vertex[slot] = add_vertex(w, sn_point_add(w->position[inside], offset));
    }
    return w->cuts.vertex[slot];
}

/* ---- Filling what is left of a tetrahedron ---- */

static void put(work *w, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const sn_mesh *tets = w->tets;
    bool positive = sn_point_det(sn_mesh_point(tets, a), sn_mesh_point(tets, b),
                                 sn_mesh_point(tets, c), sn_mesh_point(tets, d)) > 0;
    uint32_t *tet = tets->tets[w->tets->tet_count++];
    tet[0] = a;
    tet[1] = b;
    tet[2] = positive ? c : d;
    tet[3] = positive ? d : c;
}

/*
 * In a face with p and q inside and n outside, whether the diagonal of what is left of it begins at
 * p. Of a long edge and a short one it ends at the cut point of the long one. Of two short ones it
 * begins at the point that has an even number of coordinates above those of n: p and q differ in
 * one coordinate only, and n lies between them there, so that this is one of them.
 */
static bool begins_at_first(const work *w, uint32_t p, uint32_t q, uint32_t n) {
    if (is_long(w, p, n)) return false;
    if (is_long(w, q, n)) return true;
    int32_t at[3], to[3];
    sn_lattice_place(w->lattice, p, at);
    sn_lattice_place(w->lattice, n, to);
    return ((at[0] > to[0]) + (at[1] > to[1]) + (at[2] > to[2])) % 2 == 0;
}

/* A prism with three edges from `a` to `b`. Diagonals begin at a[i] and end at b[j] where edge i
   comes before edge j in `order`. */
static void put_prism(work *w, const uint32_t a[3], const uint32_t b[3], const int order[3]) {
    int i = order[0], j = order[1], k = order[2];
    put(w, a[i], a[j], a[k], b[k]);
    put(w, a[i], a[j], b[j], b[k]);
    put(w, a[i], b[i], b[j], b[k]);
}

/* Three inside, one outside: the outside corner is cut off. */
static void put_three(work *w, const uint32_t p[3], uint32_t n) {
    uint32_t a[3], b[3];
    int before[3] = {0, 0, 0}, order[3];
    for (int i = 0; i < 3; i++) {
        a[i] = vertex_of(w, p[i]);
        b[i] = cut_vertex(w, p[i], n);
        for (int j = 0; j < i; j++) before[begins_at_first(w, p[i], p[j], n) ? j : i]++;
    }
    for (int i = 0; i < 3; i++) order[before[i]] = i;
    put_prism(w, a, b, order);
}

/* Two inside, two outside: a wedge whose third side is the surface, where the diagonal is free
   unless those of the others say; then it is the shorter one. */
static void put_two(work *w, const uint32_t p[2], const uint32_t n[2]) {
    uint32_t a[3], b[3];
    a[0] = vertex_of(w, p[0]);
    b[0] = vertex_of(w, p[1]);
    for (int i = 0; i < 2; i++) {
        a[1 + i] = cut_vertex(w, p[0], n[i]);
        b[1 + i] = cut_vertex(w, p[1], n[i]);
    }
    bool first[2] = {begins_at_first(w, p[0], p[1], n[0]), begins_at_first(w, p[0], p[1], n[1])};
    bool one_first;
    if (first[0] != first[1]) {
        one_first = !first[0];
    } else {
        sn_point d = sn_point_sub(sn_mesh_point(w->tets, a[1]), sn_mesh_point(w->tets, b[2]));
        sn_point e = sn_point_sub(sn_mesh_point(w->tets, a[2]), sn_mesh_point(w->tets, b[1]));
        one_first = sn_point_dot(d, d) <= sn_point_dot(e, e);
    }
    int before[3] = {!first[0] + !first[1], first[0] + !one_first, first[1] + one_first};
    int order[3];
    for (int i = 0; i < 3; i++) order[before[i]] = i;
    put_prism(w, a, b, order);
}

/* Two inside, one outside, one on the surface: a pyramid. */
static void put_pyramid(work *w, const uint32_t p[2], uint32_t n, uint32_t zero) {
    uint32_t top = vertex_of(w, zero), a = vertex_of(w, p[0]), b = vertex_of(w, p[1]);
    uint32_t c = cut_vertex(w, p[0], n), d = cut_vertex(w, p[1], n);
    if (begins_at_first(w, p[0], p[1], n)) {
        put(w, a, b, d, top);
        put(w, a, d, c, top);
    } else {
        put(w, a, b, c, top);
        put(w, b, d, c, top);
    }
}

static sn_result visit(void *user, const uint32_t point[4]) {
    work *w = user;
    uint32_t in[4], out[4], on[4];
    int ins = 0, outs = 0, ons = 0;
    for (int k = 0; k < 4; k++) {
        int8_t side = w->side[point[k]];
        if (side > 0) in[ins++] = point[k];
        if (side < 0) out[outs++] = point[k];
        if (side == 0) on[ons++] = point[k];
    }
    if (ins == 0) return SN_OK;
    SN_TRY(sn_mesh_reserve(w->tets, (sn_mesh_room){.vertices = 6, .tets = 3}));
    if (outs == 0 || ins == 1) {
        uint32_t v[4];
        for (int k = 0; k < 4; k++)
            v[k] = w->side[point[k]] < 0 ? cut_vertex(w, in[0], point[k]) : vertex_of(w, point[k]);
        put(w, v[0], v[1], v[2], v[3]);
    } else if (ins == 3) {
        put_three(w, in, out[0]);
    } else if (outs == 2) {
        put_two(w, in, out);
    } else {
        put_pyramid(w, in, out[0], on[0]);
    }
    return SN_OK;
}

sn_result sn_lattice_stuff(const sn_lattice *lattice, sn_mesh *tets) {
    work w = {.lattice = lattice, .memory = lattice->memory, .tets = tets};
    size_t count = lattice->point_count;
    w.side = sn_allocate(&w.memory, count, sizeof *w.side);
    w.position = sn_allocate(&w.memory, count, sizeof *w.position);
    w.vertex = sn_allocate(&w.memory, count, sizeof *w.vertex);
    sn_result result = w.side && w.position && w.vertex ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        warp(&w);
        result = make_cuts(&w);
    }
    if (result == SN_OK) result = sn_lattice_tets(lattice, visit, &w);
    sn_free(&w.memory, w.side, count, sizeof *w.side);
    sn_free(&w.memory, w.position, count, sizeof *w.position);
    sn_free(&w.memory, w.vertex, count, sizeof *w.vertex);
    sn_free(&w.memory, w.cuts.key, w.cuts.capacity, sizeof *w.cuts.key);
    sn_free(&w.memory, w.cuts.vertex, w.cuts.capacity, sizeof *w.cuts.vertex);
    return result;
}
