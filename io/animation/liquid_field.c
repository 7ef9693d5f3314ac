#include "io/animation/liquid_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool sn_liquid_reserve(void **array, size_t *room, size_t needed, size_t element) {
    if (needed <= *room) return true;
    size_t more = *room ? 2 * *room : 64;
    char *grown = realloc(*array, more * element);
    if (!grown) return false;
    memset(grown + *room * element, 0, (more - *room) * element);
    *array = grown;
    *room = more;
    return true;
}

/* ---- Maps ---- */

static size_t slot_of(const liquid_map *map, const int32_t at[3]) {
    uint64_t h = (uint64_t)(uint32_t)at[0] * UINT64_C(0x9e3779b97f4a7c15) ^
                 (uint64_t)(uint32_t)at[1] * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                 (uint64_t)(uint32_t)at[2] * UINT64_C(0x165667b19e3779f9);
    return (size_t)((h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 20) & (map->slot_count - 1);
}

/* Where a place is, or would be. */
static size_t find_slot(const liquid_map *map, const int32_t at[3]) {
    size_t slot = slot_of(map, at);
    while (map->slots[slot] && memcmp(map->at[map->slots[slot] - 1], at, sizeof *map->at) != 0)
        slot = (slot + 1) & (map->slot_count - 1);
    return slot;
}

size_t sn_liquid_map_find(const liquid_map *map, const int32_t at[3]) {
    if (map->slot_count == 0) return LIQUID_NONE;
    uint32_t number = map->slots[find_slot(map, at)];
    return number ? number - 1 : LIQUID_NONE;
}

static bool grow(liquid_map *map) {
    size_t room = map->room ? 2 * map->room : 64;
    if (room > UINT32_MAX / 2) return false;
    void *at = realloc(map->at, room * sizeof *map->at);
    if (at) map->at = at;
    uint32_t *slots = calloc(2 * room, sizeof *slots);
    if (!at || !slots) {
        free(slots);
        return false;
    }
    free(map->slots);
    map->slots = slots;
    map->slot_count = 2 * room;
    map->room = room;
    for (size_t i = 0; i < map->count; i++)
        map->slots[find_slot(map, map->at[i])] = (uint32_t)i + 1;
    return true;
}

size_t sn_liquid_map_add(liquid_map *map, const int32_t at[3]) {
    size_t found = sn_liquid_map_find(map, at);
    if (found != LIQUID_NONE) return found;
    if (map->count == map->room && !grow(map)) return LIQUID_NONE;
    memcpy(map->at[map->count], at, sizeof *map->at);
    map->slots[find_slot(map, at)] = (uint32_t)map->count + 1;
    return map->count++;
}

void sn_liquid_map_free(liquid_map *map) {
    free(map->at);
    free(map->slots);
    *map = (liquid_map){0};
}

/* ---- Neighbours ---- */

/* Particles of a shape that are drawn, by the cells that they are in. */
typedef struct neighbours {
    liquid_map map;
    double reach;        /* m, of the largest kernel, and the width of a cell */
    double (*x)[3];      /* m, from the first particle */
    double *radius;      /* m; 0 of those that are left out */
    uint32_t *head;      /* of each cell, number + 1 */
    uint32_t *next;      /* number + 1 */
    size_t count, rooms; /* of particles; of head */
} neighbours;

/* Kernels reach this many radii: two particles, each as wide as two radii. */
enum { REACH = 4 };

static void free_neighbours(neighbours *n) {
    sn_liquid_map_free(&n->map);
    free(n->x);
    free(n->radius);
    free(n->head);
    free(n->next);
}

static void cell_of(const neighbours *n, const double x[3], int32_t cell[3]) {
    for (int k = 0; k < 3; k++) cell[k] = (int32_t)floor(x[k] / n->reach);
}

static bool place(neighbours *n, size_t i) {
    int32_t cell[3];
    cell_of(n, n->x[i], cell);
    size_t at = sn_liquid_map_add(&n->map, cell);
    if (at == LIQUID_NONE ||
        !sn_liquid_reserve((void **)&n->head, &n->rooms, at + 1, sizeof *n->head))
        return false;
    n->next[i] = n->head[at];
    n->head[at] = (uint32_t)i + 1;
    return true;
}

/* Places that are not finite, or too far away to be counted, are left out. */
static bool find_neighbours(neighbours *n, const sn_io_shape *shape, double origin[3]) {
    /* Points of the grid are numbered by 32 bits. */
    const double cells = 1 << 24;
    bool found = false;
    n->count = shape->vertex_count;
    n->x = calloc(n->count + 1, sizeof *n->x);
    n->radius = calloc(n->count + 1, sizeof *n->radius);
    n->next = calloc(n->count + 1, sizeof *n->next);
    if (!n->x || !n->radius || !n->next || n->count >= UINT32_MAX) return false;
    for (size_t i = 0; i < n->count; i++) {
        double r = (double)shape->radii[i];
        if (isfinite(r) && REACH * r > n->reach) n->reach = REACH * r;
    }
    for (size_t i = 0; i < n->count; i++) {
        sn_vec3 p = shape->positions[i];
        const double x[3] = {(double)p.x, (double)p.y, (double)p.z};
        double r = (double)shape->radii[i];
        if (!isfinite(x[0] + x[1] + x[2]) || !(r > 0) || !isfinite(r)) continue;
        if (!found) memcpy(origin, x, sizeof x);
        found = true;
        bool near = true;
        for (int k = 0; k < 3; k++) {
            n->x[i][k] = x[k] - origin[k];
            near = near && fabs(n->x[i][k]) < cells * n->reach;
        }
        if (near) n->radius[i] = r;
    }
    for (size_t i = n->count; i-- > 0;)
        if (n->radius[i] > 0 && !place(n, i)) return false;
    return true;
}

/* ---- Kernels ---- */

/* An ellipsoid: (1 - |G (x - middle)|^2)^3 within. */
typedef struct kernel {
    bool drop; /* a ball, of a particle by itself */
    double middle[3];
    double g[3][3]; /* 1/m */
    double size[3]; /* m, half of the box around it */
    double weight;  /* at its middle */
} kernel;

/* What is known of the places around a particle, by weights that fall to 0 at its reach. */
typedef struct surroundings {
    double weight, sum[3], square[3][3]; /* from the particle */
    size_t count;
} surroundings;

static void look_around(const neighbours *n, size_t i, surroundings *s) {
    int32_t own[3], cell[3];
    double reach = REACH * n->radius[i];
    cell_of(n, n->x[i], own);
    for (int c = 0; c < 27; c++) {
        for (int k = 0, rest = c; k < 3; k++, rest /= 3) cell[k] = own[k] + rest % 3 - 1;
        size_t at = sn_liquid_map_find(&n->map, cell);
        for (uint32_t j = at == LIQUID_NONE ? 0 : n->head[at]; j; j = n->next[j - 1]) {
            double d[3], d2 = 0;
            for (int k = 0; k < 3; k++) d[k] = n->x[j - 1][k] - n->x[i][k];
            for (int k = 0; k < 3; k++) d2 += d[k] * d[k];
            if (d2 >= reach * reach) continue;
            double q2 = d2 / (reach * reach), w = 1 - q2 * sqrt(q2);
            s->weight += w;
            s->count++;
            for (int k = 0; k < 3; k++) {
                s->sum[k] += w * d[k];
                for (int l = 0; l < 3; l++) s->square[k][l] += w * d[k] * d[l];
            }
        }
    }
}

/* By Newton's method: of numbers around 1, and the same bits everywhere. */
static double cube_root(double x) {
    double y = 1;
    for (int i = 0; i < 12; i++) y -= (y * y * y - x) / (3 * y * y);
    return y;
}

static double determinant(double m[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Of a symmetric matrix. */
static void inverse(double m[3][3], double det, double out[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            out[i][j] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / det;
        }
}

/* How far the middle goes to the mean of its neighbours, and how much of the mean variance every
   direction has at least: 0.5 lets a kernel be four times as wide as it is high. */
static const double SMOOTHING = 0.8, ROUNDNESS = 0.5;
/* Who has fewer neighbours, itself among them, is a drop, with a kernel that reaches so many radii
   and a surface there, where it holds the volume of a particle. */
enum { FEW = 6 };
static const double DROP_REACH = 2, DROP_SURFACE = 1.31;

static void make_kernel(const neighbours *n, size_t i, kernel *k) {
    const double full = 315 / (64 * 3.14159265358979323846);
    double r = n->radius[i], reach = REACH * r, shape[3][3] = {{0}};
    surroundings s = {0};
    look_around(n, i, &s);
    bool drop = s.count < FEW;
    for (int a = 0; a < 3; a++) {
        double mean = s.sum[a] / s.weight;
        k->middle[a] = n->x[i][a] + (drop ? 0 : SMOOTHING * mean);
        for (int b = 0; b < 3; b++)
            shape[a][b] = s.square[a][b] / s.weight - mean * (s.sum[b] / s.weight);
    }
    double mean = (shape[0][0] + shape[1][1] + shape[2][2]) / 3;
    if (drop || !(mean > 0)) {
        memset(shape, 0, sizeof shape);
        mean = 1;
        reach = drop ? DROP_REACH * r : reach;
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) shape[a][b] = shape[a][b] / mean + (a == b ? ROUNDNESS : 0);
    /* As much room as a ball has. */
    double scale = reach / cube_root(determinant(shape));
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) shape[a][b] *= scale;
    inverse(shape, reach * reach * reach, k->g);
    for (int a = 0; a < 3; a++)
        k->size[a] =
            sqrt(shape[a][0] * shape[a][0] + shape[a][1] * shape[a][1] + shape[a][2] * shape[a][2]);
    k->weight = full * 8 * r * r * r / (reach * reach * reach);
    k->drop = drop;
    double rest = 1 - DROP_SURFACE * DROP_SURFACE / (DROP_REACH * DROP_REACH);
    if (drop) k->weight = (double)LIQUID_SURFACE / (rest * rest * rest);
}

/* ---- Splatting ---- */

static liquid_block *block_at(liquid_field *f, const int32_t at[3]) {
    size_t number = sn_liquid_map_add(&f->map, at);
    if (number == LIQUID_NONE ||
        !sn_liquid_reserve((void **)&f->blocks, &f->room, number + 1, sizeof *f->blocks))
        return NULL;
    return &f->blocks[number];
}

/* The points of a block between two, of which those within the kernel get its value. */
static void splat_block(const liquid_field *f, const kernel *k, const int32_t at[3],
                        const int32_t least[3], const int32_t most[3], liquid_block *block) {
    int32_t from[3], to[3];
    for (int a = 0; a < 3; a++) {
        int32_t first = at[a] * LIQUID_SIDE;
        from[a] = least[a] > first ? least[a] - first : 0;
        to[a] = most[a] < first + LIQUID_SIDE - 1 ? most[a] - first : LIQUID_SIDE - 1;
    }
    for (int32_t z = from[2]; z <= to[2]; z++)
        for (int32_t y = from[1]; y <= to[1]; y++)
            for (int32_t x = from[0]; x <= to[0]; x++) {
                double d[3] = {(double)x, (double)y, (double)z}, q2 = 0;
                for (int a = 0; a < 3; a++)
                    d[a] = (d[a] + (double)at[a] * LIQUID_SIDE) * f->cell - k->middle[a];
                for (int a = 0; a < 3; a++) {
                    double g = k->g[a][0] * d[0] + k->g[a][1] * d[1] + k->g[a][2] * d[2];
                    q2 += g * g;
                }
                double rest = 1 - q2;
                if (rest > 0)
                    block->value[(z * LIQUID_SIDE + y) * LIQUID_SIDE + x] +=
                        (float)(k->weight * rest * rest * rest);
            }
}

static bool add_drop(liquid_field *f, const kernel *k, liquid_block *block) {
    if (f->drop_count >= UINT32_MAX - 1 ||
        !sn_liquid_reserve((void **)&f->drops, &f->drop_room, f->drop_count + 1, sizeof *f->drops))
        return false;
    liquid_drop *drop = &f->drops[f->drop_count++];
    memcpy(drop->middle, k->middle, sizeof drop->middle);
    drop->reach = k->size[0];
    drop->weight = k->weight;
    drop->next = block->drop;
    block->drop = (uint32_t)f->drop_count;
    return true;
}

/* With a point on each side where it is 0, so that the surface is closed. */
static bool splat(liquid_field *f, const kernel *k) {
    int32_t least[3], most[3], at[3];
    for (int a = 0; a < 3; a++) {
        least[a] = (int32_t)floor((k->middle[a] - k->size[a]) / f->cell) - 1;
        most[a] = (int32_t)ceil((k->middle[a] + k->size[a]) / f->cell) + 1;
    }
    int32_t first[3], last[3];
    for (int a = 0; a < 3; a++) {
        first[a] = sn_liquid_block_of(least[a]);
        last[a] = sn_liquid_block_of(most[a]);
    }
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                liquid_block *block = block_at(f, at);
                if (!block || (k->drop && !add_drop(f, k, block))) return false;
                splat_block(f, k, at, least, most, block);
            }
    return true;
}

bool sn_liquid_field_fill(liquid_field *field, const sn_io_shape *shape) {
    neighbours n = {0};
    bool good = find_neighbours(&n, shape, field->origin);
    field->cell = n.reach / REACH;
    for (size_t i = 0; good && i < n.count; i++) {
        kernel k;
        if (!(n.radius[i] > 0)) continue;
        make_kernel(&n, i, &k);
        good = splat(field, &k);
    }
    free_neighbours(&n);
    return good;
}

void sn_liquid_field_free(liquid_field *field) {
    sn_liquid_map_free(&field->map);
    free(field->blocks);
    free(field->drops);
    *field = (liquid_field){0};
}

float sn_liquid_field_at(const liquid_field *field, const int32_t point[3]) {
    int32_t at[3], in[3];
    for (int a = 0; a < 3; a++) {
        at[a] = sn_liquid_block_of(point[a]);
        in[a] = point[a] - at[a] * LIQUID_SIDE;
    }
    size_t number = sn_liquid_map_find(&field->map, at);
    if (number == LIQUID_NONE) return 0;
    return field->blocks[number].value[(in[2] * LIQUID_SIDE + in[1]) * LIQUID_SIDE + in[0]];
}
