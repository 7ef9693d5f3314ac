/*
 * From the first triangle of each piece its side is passed on across edges of two triangles. Then
 * the piece is turned as a whole where most of it had to be turned or, if it is closed, where its
 * volume is negative.
 */
#include "geometry/topology/orient_triangles.h"

#include "base/error.h"
#include "geometry/bounds.h"
#include "geometry/topology/triangle_edges.h"

#define NO_SIDE UINT32_MAX

typedef struct piece {
    size_t triangles, turned;
    double volume;
    bool closed, one_sided;
    sn_bounds bounds;
} piece;

typedef struct work {
    const sn_mesh *mesh;
    uint32_t (*triangles)[3];
    uint32_t *across; /* per side: the side of the neighbour */
    uint32_t *piece_of;
    uint32_t *queue;
    uint8_t *turn; /* per triangle */
    piece *piece;
    size_t count, pieces, capacity;
} work;

static void find_neighbours(work *w, const sn_edges *edges) {
    for (size_t i = 0; i < 3 * w->count; i++) w->across[i] = NO_SIDE;
    for (size_t i = 0, end; i < edges->count; i = end) {
        end = sn_edges_end(edges, i);
        if (end - i != 2) continue;
        uint32_t a = edges->sides[i].value, b = edges->sides[i + 1].value;
        w->across[a] = b;
        w->across[b] = a;
    }
}

/* Passes the side of a triangle on to the neighbour across one of its sides. */
static void pass_on(work *w, piece *p, uint32_t side, size_t *end) {
    const uint32_t(*triangles)[3] = (const uint32_t(*)[3])w->triangles;
    uint32_t other = w->across[side], from = side / 3, to = other / 3;
    if (other == NO_SIDE) {
        p->closed = false;
        return;
    }
    bool differs = sn_side_rises(triangles, side) == sn_side_rises(triangles, other);
    uint8_t turn = w->turn[from] ^ (differs ? 1 : 0);
    if (w->piece_of[to] != NO_SIDE) {
        if (w->turn[to] != turn) p->one_sided = true;
        return;
    }
    w->piece_of[to] = w->piece_of[from];
    w->turn[to] = turn;
    w->queue[(*end)++] = to;
}

static void add_triangle(work *w, piece *p, uint32_t t) {
    sn_point o = sn_mesh_point(w->mesh, w->triangles[w->queue[0]][0]), x[3];
    for (int k = 0; k < 3; k++) {
        x[k] = sn_mesh_point(w->mesh, w->triangles[t][k]);
        sn_bounds_add(&p->bounds, x[k]);
    }
    double det = sn_point_det(o, x[0], x[1], x[2]);
    p->volume += w->turn[t] ? -det : det;
    p->turned += w->turn[t];
    p->triangles++;
}

static bool grow_piece(work *w, sn_memory *memory, uint32_t first) {
    if (!sn_reserve(memory, (void **)&w->piece, &w->capacity, w->pieces + 1, sizeof *w->piece))
        return false;
    piece *p = &w->piece[w->pieces];
    *p = (piece){.closed = true, .bounds = sn_bounds_empty()};
    size_t end = 0;
    w->piece_of[first] = (uint32_t)w->pieces++;
    w->queue[end++] = first;
    for (size_t i = 0; i < end; i++) {
        add_triangle(w, p, w->queue[i]);
        for (uint32_t k = 0; k < 3; k++) pass_on(w, p, 3 * w->queue[i] + k, &end);
    }
    return true;
}

/* Whether a piece is to be turned as a whole. */
static bool is_reversed(const piece *p, const piece *largest) {
    bool is_solid = p->closed && !p->one_sided && p->volume != 0;
    if (is_solid && !sn_bounds_within(p->bounds, largest->bounds)) return p->volume < 0;
    return 2 * p->turned > p->triangles;
}

static size_t turn_all(work *w) {
    const piece *largest = w->piece;
    size_t turned = 0;
    for (size_t i = 1; i < w->pieces; i++)
        if (sn_bounds_diagonal(w->piece[i].bounds) > sn_bounds_diagonal(largest->bounds))
            largest = &w->piece[i];
    for (size_t t = 0; t < w->count; t++) {
        bool reversed = is_reversed(&w->piece[w->piece_of[t]], largest);
        if (w->turn[t] == (reversed ? 1 : 0)) continue;
        uint32_t *v = w->triangles[t], moved = v[1];
        v[1] = v[2];
        v[2] = moved;
        turned++;
    }
    return turned;
}

sn_result sn_orient(const sn_mesh *mesh, sn_memory *memory, uint32_t (*triangles)[3], size_t count,
                    size_t *turned) {
    sn_edges edges;
    work w = {.mesh = mesh, .triangles = triangles, .count = count};
    SN_TRY(sn_edges_create(&edges, memory, (const uint32_t(*)[3])triangles, count, NULL));
    w.across = sn_allocate(memory, 3 * count, sizeof *w.across);
    w.piece_of = sn_allocate(memory, count, sizeof *w.piece_of);
    w.queue = sn_allocate(memory, count, sizeof *w.queue);
    w.turn = sn_allocate(memory, count, sizeof *w.turn);
    bool done = w.across && w.piece_of && w.queue && w.turn;
    if (done) find_neighbours(&w, &edges);
    for (size_t t = 0; done && t < count; t++) w.piece_of[t] = NO_SIDE;
    for (uint32_t t = 0; done && t < count; t++)
        if (w.piece_of[t] == NO_SIDE) done = grow_piece(&w, memory, t);
    if (done) *turned = turn_all(&w);
    sn_free(memory, w.across, 3 * count, sizeof *w.across);
    sn_free(memory, w.piece_of, count, sizeof *w.piece_of);
    sn_free(memory, w.queue, count, sizeof *w.queue);
    sn_free(memory, w.turn, count, sizeof *w.turn);
    sn_free(memory, w.piece, w.capacity, sizeof *w.piece);
    sn_edges_free(&edges, memory);
    return done ? SN_OK : SN_ERROR_MEMORY;
}
