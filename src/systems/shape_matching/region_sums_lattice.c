/*
 * Sums over cubes of a regular lattice, at a cost that does not depend on their size (Rivers and
 * James 2007; survey of position based methods, section 5.11.3.1).
 *
 * A cube is a row of plates, a plate a row of bars, and two bars beside each other differ by the
 * node that enters and the one that leaves:
 *
 *   bar(k) = bar(k - 1) + in(k + omega) - in(k - omega - 1)
 *
 * along x, then the same along y, then along z, over all cells of the box around the lattice. Cells
 * without a node are zeros, so holes and borders need no care. Sums are restarted for every line
 * and are in double: what has entered and left a line of n cells leaves an error of n roundings of
 * the largest sum on it, some 1e-14.
 *
 * A node is in the cube of another where that is in its own: spreading is the same sum.
 *
 * Four numbers of each row at a time, so that the two grids stay in the cache. Lines are
 * independent, and threads share them.
 */
#include "systems/shape_matching/region_sums.h"

#include "geometry/point.h"

#include <string.h>

enum { PART = 4, CELLS_ALONE = 4096 };
#define NO_NODE UINT32_MAX

/* ---- Where the lattice is ---- */

typedef struct frame {
    sn_point axis[3]; /* of length 1 */
    double least[3], spacing[3];
} frame;

/* The shortest vector from the first member of a region to another, and its square. */
static void first_axis(const sn_region_sums_input *in, sn_point *axis, double *square) {
    *square = __builtin_inf();
    for (size_t r = 0; r < in->regions; r++) {
        sn_point from = sn_point_of(in->rest[in->member[in->first[r]]]);
        for (uint32_t k = in->first[r] + 1; k < in->first[r + 1]; k++) {
            sn_point offset = sn_point_sub(sn_point_of(in->rest[in->member[k]]), from);
            double length2 = sn_point_dot(offset, offset);
            /* By more than rounding, so that the first of many stays. */
            if (!(length2 < 0.99 * *square)) continue;
            *square = length2;
            *axis = offset;
        }
    }
}

/* The first vector of this length across the first axis; any direction where there is none. */
static sn_point second_axis(const sn_region_sums_input *in, sn_point axis, double square) {
    for (size_t r = 0; r < in->regions; r++) {
        sn_point from = sn_point_of(in->rest[in->member[in->first[r]]]);
        for (uint32_t k = in->first[r] + 1; k < in->first[r + 1]; k++) {
            sn_point offset = sn_point_sub(sn_point_of(in->rest[in->member[k]]), from);
            double length2 = sn_point_dot(offset, offset), dot = sn_point_dot(offset, axis);
            if (length2 < 1.05 * square && dot < 0.03 * square && dot > -0.03 * square)
                return offset;
        }
    }
    sn_point other = axis.x * axis.x < 0.5 * square ? (sn_point){1, 0, 0} : (sn_point){0, 1, 0};
    return sn_point_cross(axis, other);
}

/* What is along an axis of coordinates but for rounding is along it. */
static sn_point settled(sn_point a) {
    double length = sn_point_length(a), part[3] = {a.x / length, a.y / length, a.z / length};
    for (int k = 0; k < 3; k++)
        if (part[k] > 0.9998 || part[k] < -0.9998) {
            part[(k + 1) % 3] = part[(k + 2) % 3] = 0;
            part[k] = part[k] > 0 ? 1 : -1;
        }
    return (sn_point){part[0], part[1], part[2]};
}

/* Whether the nodes may be on a lattice, and which. */
static bool find_frame(const sn_region_sums_input *in, frame *f, uint32_t extent[3]) {
    sn_point axis = {0, 0, 0};
    double square;
    first_axis(in, &axis, &square);
    if (!(square > 0 && square < 1e30)) return false;
    sn_point second = second_axis(in, axis, square);
    f->axis[0] = settled(axis);
    sn_point across =
        sn_point_sub(second, sn_point_scaled(f->axis[0], sn_point_dot(second, f->axis[0])));
    f->axis[1] = settled(across);
    f->axis[2] = sn_point_cross(f->axis[0], f->axis[1]);
    double spacing = __builtin_sqrt(square);
    for (int a = 0; a < 3; a++) {
        double low = __builtin_inf(), high = -low;
        for (size_t i = 0; i < in->nodes; i++) {
            double at = sn_point_dot(sn_point_of(in->rest[i]), f->axis[a]);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        double cells = (high - low) / spacing + 0.5;
        if (!(cells < 1 << 20)) return false;
        extent[a] = (uint32_t)cells + 1;
        f->least[a] = low;
        f->spacing[a] = extent[a] > 1 ? (high - low) / (extent[a] - 1) : spacing;
    }
    return true;
}

/* The cell of every node; whether all are near the middle of theirs, and none shares one. */
static bool place_nodes(sn_region_sums_lattice *l, const sn_region_sums_input *in, const frame *f) {
    for (size_t c = 0; c < l->cells; c++) l->node[c] = NO_NODE;
    for (size_t i = 0; i < in->nodes; i++) {
        size_t at[3];
        for (int a = 0; a < 3; a++) {
            double x = sn_point_dot(sn_point_of(in->rest[i]), f->axis[a]);
            double cell = (x - f->least[a]) / f->spacing[a];
            at[a] = (size_t)(cell + 0.5);
            double off = cell - (double)at[a];
            if (at[a] >= l->extent[a] || !(off < 0.1 && off > -0.1)) return false;
        }
        size_t c = (at[2] * l->extent[1] + at[1]) * l->extent[0] + at[0];
        if (l->node[c] != NO_NODE) return false;
        l->node[c] = (uint32_t)i;
        l->cell[i] = (uint32_t)c;
    }
    return true;
}

/* ---- Whether regions are cubes ---- */

static uint32_t apart(const sn_region_sums_lattice *l, uint32_t a, uint32_t b) {
    size_t far = 0, p = l->cell[a], q = l->cell[b];
    for (int k = 0; k < 3; k++) {
        size_t i = p % l->extent[k], j = q % l->extent[k], d = i > j ? i - j : j - i;
        far = d > far ? d : far;
        p /= l->extent[k];
        q /= l->extent[k];
    }
    return (uint32_t)far;
}

/* Each region must be the cube around the node of its number, with all nodes that are in it: it
   holds none outside by how omega is found, and none is missing if the sum of ones is right. */
static bool are_cubes(sn_region_sums_lattice *l, const sn_region_sums_input *in, sn_memory *memory,
                      bool *room) {
    l->omega = 0;
    for (size_t r = 0; r < in->regions; r++)
        for (uint32_t k = in->first[r]; k < in->first[r + 1]; k++) {
            uint32_t far = apart(l, (uint32_t)r, in->member[k]);
            l->omega = far > l->omega ? far : l->omega;
        }
    double *ones = sn_allocate(memory, PART * in->nodes, sizeof *ones);
    double *sums = sn_allocate(memory, PART * in->nodes, sizeof *sums);
    bool same = *room = ones && sums;
    if (same) {
        for (size_t i = 0; i < PART * in->nodes; i++) ones[i] = 1;
        sn_region_sums_lattice_sum(l, NULL, ones, PART, sums);
        for (size_t r = 0; r < in->regions && same; r++)
            same = sums[PART * r] == (double)(in->first[r + 1] - in->first[r]);
    }
    sn_free(memory, sums, PART * in->nodes, sizeof *sums);
    sn_free(memory, ones, PART * in->nodes, sizeof *ones);
    return same;
}

/* ---- The plan ---- */

static bool reserve(sn_region_sums_lattice *l, sn_memory *memory) {
    return sn_reserve(memory, (void **)&l->cell, &l->cell_room, l->nodes + 1, sizeof *l->cell) &&
           sn_reserve(memory, (void **)&l->node, &l->node_room, l->cells, sizeof *l->node) &&
           sn_reserve(memory, (void **)&l->grid, &l->grid_room, 2 * PART * l->cells,
                      sizeof *l->grid);
}

bool sn_region_sums_lattice_plan(sn_region_sums_lattice *l, sn_memory *memory,
                                 const sn_region_sums_input *in) {
    frame f;
    bool room = true;
    l->on = false;
    /* Empty cells are work as well: where most are, there are better ways. */
    const double most = 16 * (double)in->nodes + 4096;
    if (in->regions != in->nodes || in->nodes < 8) return true;
    for (size_t r = 0; r < in->regions; r++)
        if (in->first[r] == in->first[r + 1]) return true;
    if (!find_frame(in, &f, l->extent)) return true;
    double cells = (double)l->extent[0] * (double)l->extent[1] * (double)l->extent[2];
    if (!(cells <= most && cells < 1u << 31)) return true;
    l->nodes = in->nodes;
    l->cells = (size_t)cells;
    if (!reserve(l, memory)) return false;
    l->on = place_nodes(l, in, &f) && are_cubes(l, in, memory, &room);
    return room;
}

void sn_region_sums_lattice_free(sn_region_sums_lattice *l, sn_memory *memory) {
    sn_free(memory, l->cell, l->cell_room, sizeof *l->cell);
    sn_free(memory, l->node, l->node_room, sizeof *l->node);
    sn_free(memory, l->grid, l->grid_room, sizeof *l->grid);
    *l = (sn_region_sums_lattice){0};
}

size_t sn_region_sums_lattice_cost(const sn_region_sums_lattice *l) {
    return 7 * l->cells + l->nodes;
}

/* ---- Summing ---- */

typedef struct pass {
    const sn_region_sums_lattice *l;
    const double *in;
    double *out;
    size_t width, from; /* of a row, and where the four numbers begin */
    double *a, *b;
} pass;

/* Sums over 2 omega + 1 places of a line of `count` blocks that are `stride` numbers apart. */
static void slide(const double *restrict in, double *restrict out, size_t count, size_t stride,
                  size_t block, size_t omega) {
    for (size_t j = 0; j < block; j++) out[j] = in[j];
    for (size_t k = 1; k <= omega && k < count; k++)
        for (size_t j = 0; j < block; j++) out[j] += in[k * stride + j];
    for (size_t k = 1; k < count; k++) {
        const double *before = out + (k - 1) * stride;
        double *here = out + k * stride;
        bool enters = k + omega<count, leaves = k> omega;
        const double *enter = in + (enters ? k + omega : 0) * stride;
        const double *leave = in + (leaves ? k - omega - 1 : 0) * stride;
        if (enters && leaves)
            for (size_t j = 0; j < block; j++) here[j] = before[j] + (enter[j] - leave[j]);
        else if (enters)
            for (size_t j = 0; j < block; j++) here[j] = before[j] + enter[j];
        else if (leaves)
            for (size_t j = 0; j < block; j++) here[j] = before[j] - leave[j];
        else
            for (size_t j = 0; j < block; j++) here[j] = before[j];
    }
}

/* Rows: what there is in the cells, and bars of it. */
static void slide_x(void *context, size_t begin, size_t end) {
    const pass *p = context;
    size_t nx = p->l->extent[0];
    for (size_t row = begin; row < end; row++) {
        double *cell = p->b + PART * nx * row;
        for (size_t x = 0; x < nx; x++) {
            uint32_t node = p->l->node[nx * row + x];
            size_t from = node == NO_NODE ? 0 : node * p->width + p->from;
            for (size_t j = 0; j < PART; j++)
                cell[PART * x + j] = node == NO_NODE ? 0 : p->in[from + j];
        }
        slide(cell, p->a + PART * nx * row, nx, PART, PART, p->l->omega);
    }
}

static void slide_y(void *context, size_t begin, size_t end) {
    const pass *p = context;
    size_t row = PART * p->l->extent[0], plane = row * p->l->extent[1];
    for (size_t z = begin; z < end; z++)
        slide(p->a + z * plane, p->b + z * plane, p->l->extent[1], row, row, p->l->omega);
}

static void slide_z(void *context, size_t begin, size_t end) {
    const pass *p = context;
    size_t row = PART * p->l->extent[0], plane = row * p->l->extent[1];
    for (size_t y = begin; y < end; y++)
        slide(p->b + y * row, p->a + y * row, p->l->extent[2], plane, row, p->l->omega);
}

static void take(void *context, size_t begin, size_t end) {
    const pass *p = context;
    for (size_t i = begin; i < end; i++) {
        const double *cell = p->a + PART * (size_t)p->l->cell[i];
        for (size_t j = 0; j < PART; j++) p->out[i * p->width + p->from + j] = cell[j];
    }
}

/* On this thread alone without a team, and where there is little to do. */
static void run(sn_team *team, size_t count, sn_range_function *function, pass *p) {
    if (team && p->l->cells >= CELLS_ALONE)
        sn_team_run(team, count, 1, function, p);
    else
        function(p, 0, count);
}

void sn_region_sums_lattice_sum(const sn_region_sums_lattice *l, sn_team *team, const double *in,
                                size_t width, double *out) {
    pass p = {.l = l, .in = in, .out = out, .width = width};
    p.a = l->grid;
    p.b = l->grid + PART * l->cells;
    for (p.from = 0; p.from < width; p.from += PART) {
        run(team, (size_t)l->extent[1] * l->extent[2], slide_x, &p);
        run(team, l->extent[2], slide_y, &p);
        run(team, l->extent[1], slide_z, &p);
        run(team, l->nodes, take, &p);
    }
}
