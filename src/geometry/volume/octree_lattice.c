/*
 * Cubes of a lattice that are larger inside: the leaves of octrees (Steinemann, Otaduy and Gross
 * 2008), as tetrahedra that fit together. All vertices are points of the finest lattice.
 *
 * A leaf of level L is 2^L cubes wide. One of level 1 is all inside; one of a higher level is where
 * everything within it and beside it could be a leaf of the level below, so that leaves that touch
 * differ by one level at most. And a leaf is as wide as the definition allows everywhere in it: a
 * part of how deep it lies, and what a function says. Where a leaf touches no smaller one it is cut
 * into six tetrahedra on its diagonal, as cubes are. Otherwise it has a vertex in its middle, and a
 * tetrahedron on each triangle of its faces:
 *
 *   a face with smaller leaves behind it        four squares, each cut from its lowest corner
 *   a face with smaller leaves along its sides  a fan from the lowest middle of a side
 *   any other                                   two triangles, from the lowest corner
 *
 * Both sides of a face come to the same triangles.
 */
#include "base/error.h"
#include "geometry/volume/bcc_lattice.h"

enum { OUTSIDE = 255 };

typedef struct work {
    const sn_lattice *lattice;
    const sn_solid *solid;
    sn_mesh *tets;
    const sn_fill_def *def;
    uint32_t near;    /* the triangle that was nearest to the last cube */
    uint8_t *level;   /* of the leaf that each cube of the lattice is in */
    uint8_t *most;    /* that it may have by the definition; null where that says nothing */
    uint32_t *vertex; /* per point of the lattice: 1 + that of the mesh */
} work;

/* ---- Levels ---- */

static size_t cube_at(const sn_lattice *l, const int32_t at[3]) {
    return ((size_t)at[2] * l->cubes[1] + (size_t)at[1]) * l->cubes[0] + (size_t)at[0];
}

/* The level of a cube, OUTSIDE beyond the lattice as well. */
static int level_at(const work *w, const int32_t at[3]) {
    for (int k = 0; k < 3; k++)
        if (at[k] < 0 || at[k] >= (int32_t)w->lattice->cubes[k]) return OUTSIDE;
    return w->level[cube_at(w->lattice, at)];
}

static double distance_at(const sn_lattice *l, const int32_t at[3]) {
    return l->distance[sn_lattice_point(l, at)];
}

/* As sn_lattice_cubes has it. */
static bool has_inside(const sn_lattice *l, const int32_t at[3]) {
    const int32_t middle[3] = {2 * at[0] + 1, 2 * at[1] + 1, 2 * at[2] + 1};
    bool inside = distance_at(l, middle) <= 0.5 * l->spacing;
    for (int k = 0; k < 8; k++) {
        const int32_t corner[3] = {middle[0] + (k & 1 ? 1 : -1), middle[1] + (k & 2 ? 1 : -1),
                                   middle[2] + (k & 4 ? 1 : -1)};
        inside |= distance_at(l, corner) <= 0;
    }
    return inside;
}

/* No part of a cube is further from its middle than sqrt(3)/2 of its side. */
static bool is_inside(const sn_lattice *l, const int32_t at[3]) {
    const int32_t middle[3] = {2 * at[0] + 1, 2 * at[1] + 1, 2 * at[2] + 1};
    return distance_at(l, middle) <= -0.8661 * l->spacing;
}

/* What a block of cubes is asked; until one says no. */
typedef bool ask(const work *w, const int32_t at[3], int level);

static bool may_join(const work *w, const int32_t at[3], int level) {
    int there = level_at(w, at);
    return there != OUTSIDE && there >= level - 1 && (level > 1 || is_inside(w->lattice, at));
}

/* How wide the leaf of a cube may be. */
static double width_at(work *w, const int32_t at[3]) {
    const sn_lattice *l = w->lattice;
    const int32_t middle[3] = {2 * at[0] + 1, 2 * at[1] + 1, 2 * at[2] + 1};
    double grading = (double)w->def->grading, width = __builtin_inf();
    sn_point x = sn_lattice_position(l, sn_lattice_point(l, middle));
    if (grading > 0) width = -sn_solid_distance(w->solid, x, &w->near) / grading;
    if (!w->def->width) return width;
    double asked = (double)w->def->width(w->def->user, sn_point_vec3(x));
    return asked < width ? asked : width;
}

/* Rounding does not decide, where a width is a whole number of cubes. */
static const double rounding = 1e-6;

static int most_at(work *w, const int32_t at[3]) {
    double width = width_at(w, at) / w->lattice->spacing * (1 + rounding);
    int level = 0;
    while (level < (int)w->def->levels && width >= (double)(2 << level)) level++;
    return level;
}

static bool may_be(const work *w, const int32_t at[3], int level) {
    return w->most[cube_at(w->lattice, at)] >= level;
}

static bool join(const work *w, const int32_t at[3], int level) {
    w->level[cube_at(w->lattice, at)] = (uint8_t)level;
    return true;
}

static bool each_cube(const work *w, const int32_t low[3], int32_t size, ask *question, int level) {
    int32_t at[3];
    for (at[2] = low[2]; at[2] < low[2] + size; at[2]++)
        for (at[1] = low[1]; at[1] < low[1] + size; at[1]++)
            for (at[0] = low[0]; at[0] < low[0] + size; at[0]++)
                if (!question(w, at, level)) return false;
    return true;
}

/* Blocks that may become leaves of a level do; those done before satisfy what the next ask. */
static void join_level(const work *w, int level) {
    const uint32_t *n = w->lattice->cubes;
    int32_t size = 1 << level, margin = level > 1 ? size / 2 : 0, at[3];
    for (at[2] = 0; at[2] + size <= (int32_t)n[2]; at[2] += size)
        for (at[1] = 0; at[1] + size <= (int32_t)n[1]; at[1] += size)
            for (at[0] = 0; at[0] + size <= (int32_t)n[0]; at[0] += size) {
                const int32_t about[3] = {at[0] - margin, at[1] - margin, at[2] - margin};
                if (w->most && !each_cube(w, at, size, may_be, level)) continue;
                if (each_cube(w, about, size + 2 * margin, may_join, level))
                    each_cube(w, at, size, join, level);
            }
}

static void find_levels(work *w) {
    const uint32_t *n = w->lattice->cubes;
    int32_t at[3];
    for (at[2] = 0; at[2] < (int32_t)n[2]; at[2]++)
        for (at[1] = 0; at[1] < (int32_t)n[1]; at[1]++)
            for (at[0] = 0; at[0] < (int32_t)n[0]; at[0]++) {
                bool inside = has_inside(w->lattice, at);
                size_t cube = cube_at(w->lattice, at);
                w->level[cube] = inside ? 0 : OUTSIDE;
                if (w->most && inside) w->most[cube] = (uint8_t)most_at(w, at);
            }
    for (int level = 1; level <= (int)w->def->levels; level++) join_level(w, level);
}

/* ---- Leaves ---- */

/* In halves of a cube, as points of the lattice are. */
typedef struct leaf {
    int32_t low[3], size;
    int level;
} leaf;

/* A point of the leaf, by how many of its halves it is along each axis. */
static void point_at(const leaf *f, const int32_t part[3], int32_t at[3]) {
    for (int k = 0; k < 3; k++) at[k] = f->low[k] + part[k] * (f->size / 2);
}

static sn_result vertex_at(work *w, const int32_t at[3], uint32_t *vertex) {
    uint32_t *found = &w->vertex[sn_lattice_point(w->lattice, at)];
    if (*found == 0) {
        SN_TRY(sn_mesh_reserve(w->tets, (sn_mesh_room){.vertices = 1}));
        sn_point x = sn_lattice_position(w->lattice, sn_lattice_point(w->lattice, at));
        w->tets->positions[w->tets->vertex_count] = sn_point_vec3(x);
        *found = (uint32_t)++w->tets->vertex_count;
    }
    *vertex = *found - 1;
    return SN_OK;
}

/* Whether a smaller leaf has a corner at this point on the side of a leaf. */
static bool is_divided(const work *w, const leaf *f, const int32_t part[3]) {
    int32_t at[3];
    if (f->level == 0) return false;
    point_at(f, part, at);
    for (int k = 0; k < 8; k++) {
        const int32_t cube[3] = {at[0] / 2 - (k & 1), at[1] / 2 - (k >> 1 & 1),
                                 at[2] / 2 - (k >> 2 & 1)};
        int level = level_at(w, cube);
        if (level != OUTSIDE && level < f->level) return true;
    }
    return false;
}

static sn_result add_tet(work *w, const uint32_t v[4]) {
    sn_mesh *mesh = w->tets;
    SN_TRY(sn_mesh_reserve(mesh, (sn_mesh_room){.tets = 1}));
    for (int k = 0; k < 4; k++) mesh->tets[mesh->tet_count][k] = v[k];
    mesh->tet_count++;
    return SN_OK;
}

/* A fan of tetrahedra on a polygon that is anticlockwise from outside, from its first vertex. */
static sn_result add_fan(work *w, uint32_t middle, const uint32_t *polygon, int count) {
    for (int k = 1; k + 1 < count; k++)
        SN_TRY(add_tet(w, (const uint32_t[4]){middle, polygon[0], polygon[k], polygon[k + 1]}));
    return SN_OK;
}

/* The square of a face from `low` on, `wide` halves of the leaf each way, about its normal. */
typedef struct square {
    int axis, turn; /* turn: 1 where x goes before y, -1 the other way round */
    int32_t low[3], wide;
} square;

static void square_corner(const square *q, int index, int32_t halves, int32_t part[3]) {
    /* Corners and middles of sides, eight in turn: (0, 0), (1, 0), (2, 0), (2, 1), ... */
    static const int8_t x[8] = {0, 1, 2, 2, 2, 1, 0, 0}, y[8] = {0, 0, 0, 1, 2, 2, 2, 1};
    int at = q->turn > 0 ? index : (8 - index) % 8;
    for (int k = 0; k < 3; k++) part[k] = q->low[k];
    part[(q->axis + 1) % 3] += x[at] * halves / 2;
    part[(q->axis + 2) % 3] += y[at] * halves / 2;
}

static sn_result add_square(work *w, const leaf *f, uint32_t middle, const square *q) {
    uint32_t polygon[8];
    int count = 0, start = 0, fan = -1;
    for (int k = 0; k < 8; k++) {
        int32_t part[3], at[3];
        square_corner(q, k, q->wide, part);
        bool side = k % 2 == 1;
        if (side && (q->wide == 1 || !is_divided(w, f, part))) continue;
        point_at(f, part, at);
        SN_TRY(vertex_at(w, at, &polygon[count]));
        int order = (part[2] * 3 + part[1]) * 3 + part[0];
        if (side && (fan < 0 || order < fan)) fan = order, start = count;
        count++;
    }
    uint32_t turned[8];
    for (int k = 0; k < count; k++) turned[k] = polygon[(start + k) % count];
    return add_fan(w, middle, turned, count);
}

static sn_result add_face(work *w, const leaf *f, uint32_t middle, int axis, int side) {
    square q = {axis, side > 0 ? 1 : -1, {0, 0, 0}, 2};
    int32_t centre[3] = {1, 1, 1};
    q.low[axis] = centre[axis] = side > 0 ? 2 : 0;
    if (!is_divided(w, f, centre)) return add_square(w, f, middle, &q);
    q.wide = 1;
    for (int k = 0; k < 4; k++) {
        q.low[(axis + 1) % 3] = k & 1;
        q.low[(axis + 2) % 3] = k >> 1;
        SN_TRY(add_square(w, f, middle, &q));
    }
    return SN_OK;
}

/* Whether anything smaller touches the leaf: then some point of its sides is divided. */
static bool touches_smaller(const work *w, const leaf *f) {
    for (int k = 0; k < 27; k++) {
        const int32_t part[3] = {k % 3, k / 3 % 3, k / 9};
        int halves = (part[0] == 1) + (part[1] == 1) + (part[2] == 1);
        if (halves > 0 && halves < 3 && is_divided(w, f, part)) return true;
    }
    return false;
}

static sn_result add_leaf(work *w, const leaf *f) {
    static const unsigned char tets[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7},
                                             {0, 3, 2, 7}, {0, 6, 4, 7}, {0, 5, 1, 7}};
    if (!touches_smaller(w, f)) {
        uint32_t corner[8];
        for (int k = 0; k < 8; k++) {
            int32_t at[3];
            point_at(f, (const int32_t[3]){k & 1 ? 2 : 0, k & 2 ? 2 : 0, k & 4 ? 2 : 0}, at);
            SN_TRY(vertex_at(w, at, &corner[k]));
        }
        for (int t = 0; t < 6; t++) {
            const uint32_t v[4] = {corner[tets[t][0]], corner[tets[t][1]], corner[tets[t][2]],
                                   corner[tets[t][3]]};
            SN_TRY(add_tet(w, v));
        }
        return SN_OK;
    }
    int32_t at[3];
    uint32_t middle;
    point_at(f, (const int32_t[3]){1, 1, 1}, at);
    SN_TRY(vertex_at(w, at, &middle));
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) SN_TRY(add_face(w, f, middle, axis, side));
    return SN_OK;
}

/* ---- All of them ---- */

static sn_result add_leaves(work *w) {
    const uint32_t *n = w->lattice->cubes;
    int32_t at[3];
    for (at[2] = 0; at[2] < (int32_t)n[2]; at[2]++)
        for (at[1] = 0; at[1] < (int32_t)n[1]; at[1]++)
            for (at[0] = 0; at[0] < (int32_t)n[0]; at[0]++) {
                int level = level_at(w, at);
                if (level == OUTSIDE) continue;
                int32_t size = 1 << level;
                if (at[0] % size > 0 || at[1] % size > 0 || at[2] % size > 0) continue;
                leaf f = {{2 * at[0], 2 * at[1], 2 * at[2]}, 2 * size, level};
                SN_TRY(add_leaf(w, &f));
            }
    return SN_OK;
}

sn_result sn_lattice_octree(const sn_lattice *lattice, const sn_solid *solid,
                            const sn_fill_def *def, sn_mesh *tets) {
    work w = {.lattice = lattice, .solid = solid, .tets = tets, .def = def, .near = SN_BVH_NONE};
    sn_memory memory = lattice->memory;
    size_t cubes = lattice->point_count - lattice->corner_count;
    bool asks = def->grading > 0 || def->width;
    w.level = sn_allocate(&memory, cubes, sizeof *w.level);
    w.vertex = sn_allocate(&memory, lattice->point_count, sizeof *w.vertex);
    if (asks) w.most = sn_allocate(&memory, cubes, sizeof *w.most);
    sn_result result = w.level && w.vertex && (w.most || !asks) ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        find_levels(&w);
        result = add_leaves(&w);
    }
    sn_free(&memory, w.most, cubes, sizeof *w.most);
    sn_free(&memory, w.vertex, lattice->point_count, sizeof *w.vertex);
    sn_free(&memory, w.level, cubes, sizeof *w.level);
    return result;
}
