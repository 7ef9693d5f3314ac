/* Bending of a whole sheet, a constraint for every inner vertex. All of it goes through the public
   calls. */
#include <sinew/surface.h>

#include "api/check.h"
#include "geometry/topology/vertex_rings.h"
#include "math/vector.h"

#include <string.h>

enum { OUTSIDE = 0 }; /* layer of vertices from which no inner vertex is reached yet */

/* So that sums and products of the counts fit into 32 bits, which is all a size_t may have. */
#define MOST_TRIANGLES (UINT32_MAX / 6)

/* What is worked out for a surface before anything is made. */
typedef struct sheet {
    sn_world *world;
    const sn_surface *surface;
    sn_rings rings;
    double *area;    /* m^2 per vertex */
    uint32_t *layer; /* 1 for inner vertices, one more for every edge from there */
    uint32_t layers;
    size_t inner;
} sheet;

static sn_vec4 position_of(const sheet *s, uint32_t vertex) {
    return s->world->nodes.x[s->surface->nodes[vertex].slot - 1];
}

/* From one vertex to another. */
static void edge_of(const sheet *s, uint32_t from, uint32_t to, double edge[3]) {
    sn_vec4 a = position_of(s, from), b = position_of(s, to);
    edge[0] = (double)b.x - (double)a.x;
    edge[1] = (double)b.y - (double)a.y;
    edge[2] = (double)b.z - (double)a.z;
}

static double area_of(const sheet *s, const uint32_t corner[3]) {
    double p[3], q[3];
    edge_of(s, corner[0], corner[1], p);
    edge_of(s, corner[0], corner[2], q);
    double x = p[1] * q[2] - p[2] * q[1], y = p[2] * q[0] - p[0] * q[2];
    double z = p[0] * q[1] - p[1] * q[0];
    return __builtin_sqrt(x * x + y * y + z * z) / 2;
}

static void find_layers(sheet *s) {
    size_t count = s->surface->node_count, before = SIZE_MAX, reached = 0;
    for (size_t v = 0; v < count; v++) {
        s->layer[v] = sn_rings_is_closed(&s->rings, v) ? 1 : OUTSIDE;
        s->inner += s->layer[v] == 1;
    }
    for (s->layers = 1; before != reached; s->layers++) {
        before = reached;
        for (size_t v = 0; v < count; v++) {
            if (s->layer[v] != OUTSIDE) continue;
            for (size_t k = 0; k < sn_rings_count(&s->rings, v); k++)
                if (s->layer[sn_rings_at(&s->rings, v, k)] == s->layers) {
                    s->layer[v] = s->layers + 1;
                    reached++;
                    break;
                }
        }
    }
}

/* How much of the area of a vertex a neighbour is due: none unless it is one layer further in, and
   less where it is farther away. With one over the square of the distance the border is as stiff as
   the rest on squares with alternating diagonals, where some vertices have four neighbours and some
   eight. */
static double claim_of(const sheet *s, size_t v, uint32_t heir) {
    double e[3];
    if (s->layer[heir] != s->layer[v] - 1) return 0;
    edge_of(s, (uint32_t)v, heir, e);
    double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    return square > 0 ? 1 / square : 1;
}

/* Every vertex beyond the inner ones gives its area to its neighbours one layer further in. */
static void hand_in(sheet *s, size_t v) {
    size_t neighbours = sn_rings_count(&s->rings, v);
    double claims = 0;
    for (size_t k = 0; k < neighbours; k++) claims += claim_of(s, v, sn_rings_at(&s->rings, v, k));
    for (size_t k = 0; k < neighbours; k++) {
        uint32_t heir = sn_rings_at(&s->rings, v, k);
        s->area[heir] += s->area[v] * (claim_of(s, v, heir) / claims);
    }
}

static sn_result share_area(sheet *s) {
    const sn_surface *surface = s->surface;
    for (size_t t = 0; t < surface->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            s->area[surface->triangles[3 * t + (size_t)k]] +=
                area_of(s, surface->triangles + 3 * t) / 3;
    find_layers(s);
    for (size_t v = 0; v < surface->node_count; v++)
        if (s->layer[v] == OUTSIDE && sn_rings_count(&s->rings, v) > 0)
            return sn_fail(SN_ERROR_DEGENERATE,
                           "surface: vertex %zu belongs to a part without inner vertices, expected "
                           "one; dihedral_bending bends such strips",
                           v);
    for (uint32_t layer = s->layers; layer > 1; layer--)
        for (size_t v = 0; v < surface->node_count; v++)
            if (s->layer[v] == layer) hand_in(s, v);
    return SN_OK;
}

/* One definition per inner vertex; their lists of nodes lie behind each other in `ring`. */
static void define(const sheet *s, const sn_vertex_bending_def *def, sn_vertex_bending_def *defs,
                   sn_node *ring) {
    for (size_t v = 0; v < s->surface->node_count; v++) {
        if (s->layer[v] != 1) continue;
        *defs = *def;
        defs->nodes = ring;
        defs->node_count = 1 + sn_rings_count(&s->rings, v);
        defs->triangles = NULL;
        defs->triangle_count = 0;
        defs->area = (sn_real)s->area[v];
        *ring++ = s->surface->nodes[v];
        for (size_t k = 0; k + 1 < defs->node_count; k++)
            *ring++ = s->surface->nodes[sn_rings_at(&s->rings, v, k)];
        defs++;
    }
}

static sn_result make_bending(const sheet *s, const sn_vertex_bending_def *def,
                              sn_constraint *constraints) {
    sn_memory *memory = &s->world->memory;
    size_t members = s->inner + s->rings.corners;
    sn_vertex_bending_def *defs = sn_allocate(memory, s->inner + 1, sizeof *defs);
    sn_node *ring = sn_allocate(memory, members + 1, sizeof *ring);
    sn_result result = SN_ERROR_MEMORY;
    if (defs && ring) {
        define(s, def, defs, ring);
        result =
            sn_constraints_create(s->world, SN_TYPE_VERTEX_BENDING, defs, s->inner, constraints);
    }
    sn_free(memory, defs, s->inner + 1, sizeof *defs);
    sn_free(memory, ring, members + 1, sizeof *ring);
    return result;
}

static sn_result check_surface(const sn_world *world, const sn_surface *surface) {
    SN_CHECK_POINTER(surface->nodes);
    SN_CHECK_POINTER(surface->triangles);
    if (surface->node_count > SN_MOST_NODES || surface->triangle_count > MOST_TRIANGLES)
        return sn_fail(SN_ERROR_LIMIT, "surface: %zu vertices and %zu triangles, expected fewer",
                       surface->node_count, surface->triangle_count);
    for (size_t v = 0; v < surface->node_count; v++) {
        sn_result result = sn_check_node(world, surface->nodes[v]);
        if (result != SN_OK) return sn_fail_within(result, "surface: vertex %zu", v);
    }
    return SN_OK;
}

sn_result sn_surface_bend(sn_world *world, const sn_surface *surface,
                          const sn_vertex_bending_def *def, sn_constraint *constraints,
                          size_t *count) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(surface);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(count);
    SN_TRY(sn_check_size("vertex_bending", def->size, sizeof *def));
    SN_TRY(check_surface(world, surface));
    sn_memory *memory = &world->memory;
    sheet s = {.world = world, .surface = surface};
    size_t vertices = surface->node_count;
    SN_TRY(sn_rings_create(&s.rings, memory, "surface", surface->triangles, surface->triangle_count,
                           vertices));
    s.area = sn_allocate(memory, vertices + 1, sizeof *s.area);
    s.layer = sn_allocate(memory, vertices + 1, sizeof *s.layer);
    sn_result result = s.area && s.layer ? share_area(&s) : SN_ERROR_MEMORY;
    if (result == SN_OK) result = make_bending(&s, def, constraints);
    if (result == SN_OK) *count = s.inner;
    sn_free(memory, s.area, vertices + 1, sizeof *s.area);
    sn_free(memory, s.layer, vertices + 1, sizeof *s.layer);
    sn_rings_free(&s.rings, memory);
    return result;
}
