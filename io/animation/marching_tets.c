#include "io/animation/marching_tets.h"

#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Directions of the edges of tets, by the axes that they go along: 1 is x, 6 is y and z, 7 all. */
enum { DIRECTIONS = 7 };

/* Vertices on the edges that begin in a block, number + 1. */
typedef struct edge_block {
    uint32_t vertex[LIQUID_POINTS][DIRECTIONS];
} edge_block;

typedef struct marching {
    const liquid_field *field;
    float level;
    edge_block **edges; /* of the blocks; null until one is needed */
    marching_mesh *mesh;
    bool full; /* no memory, or no more numbers */
} marching;

/* An edge of the grid that the surface cuts. */
typedef struct edge {
    const int32_t *low;
    int32_t high[3];
    int direction;
    bool drops; /* whether there are some near it */
} edge;

static void place_on(const liquid_field *f, const edge *e, double share, double x[3]) {
    for (int a = 0; a < 3; a++)
        x[a] = ((double)e->low[a] + share * (e->direction >> a & 1)) * f->cell;
}

/* Where the field has the level on an edge, as a share of it: by the values at its ends, or, where
   there are drops, which bend too much for that, by halving it. */
static double share_of(const marching *m, const edge *e, float from, float to) {
    double level = (double)m->level;
    if (!e->drops) return (level - (double)from) / ((double)to - (double)from);
    double low = sn_liquid_field_bulk_at(m->field, e->low);
    double high = sn_liquid_field_bulk_at(m->field, e->high);
    double least = 0, most = 1;
    for (int i = 0; i < 10; i++) {
        double middle = (least + most) / 2, x[3], slope[3] = {0};
        place_on(m->field, e, middle, x);
        double value = low + middle * (high - low) + sn_liquid_drops_at(m->field, e->low, x, slope);
        if ((value > level) == (from > m->level))
            least = middle;
        else
            most = middle;
    }
    return (least + most) / 2;
}

/* Against the slope of the field at a point of the grid, 1/m. */
static void add_slope(const liquid_field *f, const int32_t point[3], bool drops, double share,
                      double sum[3]) {
    for (int a = 0; a < 3; a++) {
        int32_t before[3], behind[3];
        memcpy(before, point, sizeof before);
        memcpy(behind, point, sizeof behind);
        before[a]--;
        behind[a]++;
        double slope =
            drops ? sn_liquid_field_bulk_at(f, before) - sn_liquid_field_bulk_at(f, behind)
                  : (double)sn_liquid_field_at(f, before) - (double)sn_liquid_field_at(f, behind);
        sum[a] += share * slope / (2 * f->cell);
    }
}

static sn_vec3 normal_at(const liquid_field *f, const edge *e, double share, const double x[3]) {
    double up[3] = {0}, out[3] = {0}, length = 0;
    add_slope(f, e->low, e->drops, 1 - share, out);
    add_slope(f, e->high, e->drops, share, out);
    if (e->drops) sn_liquid_drops_at(f, e->low, x, up);
    for (int a = 0; a < 3; a++) out[a] -= up[a];
    for (int a = 0; a < 3; a++) length += out[a] * out[a];
    length = length > 0 ? sqrt(length) : 1;
    return (sn_vec3){(sn_real)(out[0] / length), (sn_real)(out[1] / length),
                     (sn_real)(out[2] / length)};
}

/* Between two points with values on either side of the level, but not so near to one that triangles
   become slivers. Null places for what does not fit. */
static uint32_t make_vertex(marching *m, const int32_t low[3], int direction, float from,
                            float to) {
    marching_mesh *mesh = m->mesh;
    size_t normal_room = mesh->vertex_room;
    m->full = m->full || mesh->vertex_count >= UINT32_MAX - 1 ||
              !sn_liquid_reserve((void **)&mesh->normals, &normal_room, mesh->vertex_count + 1,
                                 sizeof *mesh->normals) ||
              !sn_liquid_reserve((void **)&mesh->positions, &mesh->vertex_room,
                                 mesh->vertex_count + 1, sizeof *mesh->positions);
    if (m->full) return 0;
    edge e = {.low = low, .direction = direction};
    e.drops = sn_liquid_field_has_drops(m->field, low);
    for (int a = 0; a < 3; a++) e.high[a] = low[a] + (direction >> a & 1);
    double share = share_of(m, &e, from, to), x[3];
    share = share < 0.05 ? 0.05 : share > 0.95 ? 0.95 : share;
    place_on(m->field, &e, share, x);
    mesh->normals[mesh->vertex_count] = normal_at(m->field, &e, share, x);
    const double *origin = m->field->origin;
    mesh->positions[mesh->vertex_count] = (sn_vec3){
        (sn_real)(origin[0] + x[0]), (sn_real)(origin[1] + x[1]), (sn_real)(origin[2] + x[2])};
    return (uint32_t)mesh->vertex_count++;
}

/* A cell: its lower corner, and the values at its corners, by the axes along which they are. */
typedef struct cell {
    int32_t at[3];
    float value[8];
} cell;

/* The vertex on the edge between two corners, the second further along the axes. */
static uint32_t vertex_on(marching *m, const cell *c, int first, int second) {
    int32_t low[3], block[3];
    size_t in = 0;
    for (int a = 2; a >= 0; a--) {
        low[a] = c->at[a] + (first >> a & 1);
        block[a] = sn_liquid_block_of(low[a]);
        in = in * LIQUID_SIDE + (size_t)(low[a] - block[a] * LIQUID_SIDE);
    }
    size_t number = sn_liquid_map_find(&m->field->map, block);
    /* Kernels end with zeros, so edges that are cut begin in a block. */
    if (number == LIQUID_NONE) return 0;
    if (!m->edges[number]) m->edges[number] = calloc(1, sizeof *m->edges[number]);
    if (!m->edges[number]) {
        m->full = true;
        return 0;
    }
    int direction = second & ~first;
    uint32_t *known = &m->edges[number]->vertex[in][direction - 1];
    if (!*known) *known = 1 + make_vertex(m, low, direction, c->value[first], c->value[second]);
    return *known - 1;
}

/* Seen from where the field is small, triangles go anticlockwise; `outward` points there. */
static void add_triangle(marching *m, uint32_t a, uint32_t b, uint32_t c, const double outward[3]) {
    marching_mesh *mesh = m->mesh;
    if (!sn_liquid_reserve((void **)&mesh->triangles, &mesh->triangle_room,
                           mesh->triangle_count + 1, sizeof *mesh->triangles))
        m->full = true;
    if (m->full) return;
    const sn_vec3 *x = mesh->positions;
    double u[3] = {(double)x[b].x - (double)x[a].x, (double)x[b].y - (double)x[a].y,
                   (double)x[b].z - (double)x[a].z};
    double v[3] = {(double)x[c].x - (double)x[a].x, (double)x[c].y - (double)x[a].y,
                   (double)x[c].z - (double)x[a].z};
    double side = (u[1] * v[2] - u[2] * v[1]) * outward[0] +
                  (u[2] * v[0] - u[0] * v[2]) * outward[1] +
                  (u[0] * v[1] - u[1] * v[0]) * outward[2];
    uint32_t *t = mesh->triangles[mesh->triangle_count++];
    t[0] = a;
    t[1] = side >= 0 ? b : c;
    t[2] = side >= 0 ? c : b;
}

/* The corners of a tet, each along one axis more than the one before. */
static void cut_tet(marching *m, const cell *c, const int corner[4]) {
    int inside[4], outside[4], in = 0, out = 0;
    double outward[3];
    for (int k = 0; k < 4; k++) {
        if (c->value[corner[k]] > m->level)
            inside[in++] = corner[k];
        else
            outside[out++] = corner[k];
    }
    if (in == 0 || out == 0) return;
    for (int a = 0; a < 3; a++) {
        int to = 0, from = 0;
        for (int k = 0; k < out; k++) to += outside[k] >> a & 1;
        for (int k = 0; k < in; k++) from += inside[k] >> a & 1;
        outward[a] = (double)to / out - (double)from / in;
    }
    /* A loop of three or four edges around what is inside. */
    static const int loop[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
    uint32_t v[4];
    int count = in == 2 ? 4 : 3;
    for (int k = 0; k < count; k++) {
        int i = inside[in == 2 ? loop[k][0] : in == 1 ? 0 : k];
        int o = outside[in == 2 ? loop[k][1] : in == 1 ? k : 0];
        /* Of two corners of a tet one is along all axes of the other. */
        v[k] = (i & o) == i ? vertex_on(m, c, i, o) : vertex_on(m, c, o, i);
    }
    if (m->full) return;
    add_triangle(m, v[0], v[1], v[2], outward);
    if (count == 4) add_triangle(m, v[0], v[2], v[3], outward);
}

static void cut_cell(marching *m, const cell *c) {
    static const int tets[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                   {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
    int in = 0;
    for (int k = 0; k < 8; k++) in += c->value[k] > m->level;
    if (in == 0 || in == 8) return;
    for (int k = 0; k < 6 && !m->full; k++) cut_tet(m, c, tets[k]);
}

static void cut_block(marching *m, size_t number) {
    const int32_t *block = m->field->map.at[number];
    const float *value = m->field->blocks[number].value;
    for (int i = 0; i < LIQUID_POINTS && !m->full; i++) {
        int at[3] = {i % LIQUID_SIDE, i / LIQUID_SIDE % LIQUID_SIDE,
                     i / (LIQUID_SIDE * LIQUID_SIDE)};
        bool inner = true;
        cell c;
        for (int a = 0; a < 3; a++) {
            c.at[a] = block[a] * LIQUID_SIDE + at[a];
            inner = inner && at[a] + 1 < LIQUID_SIDE;
        }
        for (int k = 0; k < 8; k++) {
            int32_t point[3] = {c.at[0] + (k & 1), c.at[1] + (k >> 1 & 1), c.at[2] + (k >> 2)};
            int step = (k & 1) + LIQUID_SIDE * (k >> 1 & 1) + LIQUID_SIDE * LIQUID_SIDE * (k >> 2);
            c.value[k] = inner ? value[i + step] : sn_liquid_field_at(m->field, point);
        }
        cut_cell(m, &c);
    }
}

sn_result sn_marching_tets(const liquid_field *field, float level, marching_mesh *mesh) {
    marching m = {.field = field, .level = level, .mesh = mesh};
    mesh->vertex_count = mesh->triangle_count = 0;
    m.edges = calloc(field->map.count + 1, sizeof *m.edges);
    m.full = !m.edges;
    for (size_t i = 0; i < field->map.count && !m.full; i++) cut_block(&m, i);
    for (size_t i = 0; i < field->map.count && m.edges; i++) free(m.edges[i]);
    free(m.edges);
    if (!m.full) return SN_OK;
    if (mesh->vertex_count >= UINT32_MAX - 1)
        return sn_fail(SN_ERROR_LIMIT, "the surface of a liquid has more vertices than 32 bits");
    return sn_fail(SN_ERROR_MEMORY, "there is no memory for the surface of a liquid");
}

void sn_marching_mesh_free(marching_mesh *mesh) {
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->colours);
    free(mesh->triangles);
    *mesh = (marching_mesh){0};
}
