#include "io/scene/scene_foam_grid.h"

#include <math.h>
#include <string.h>

/* Beyond so many cells from the origin nobody is looked for. */
static const double MOST_CELLS = (1 << 20) - 2;

sn_result sn_scene_make_foam_grid(sn_scene *s, size_t room, double reach, scene_foam_grid *g) {
    *g = (scene_foam_grid){.reach = reach, .room = room, .buckets = 64};
    while (g->buckets < room && g->buckets < 1u << 30) g->buckets *= 2;
    g->x = sn_scene_take(s, room + 1, sizeof *g->x);
    g->v = sn_scene_take(s, room + 1, sizeof *g->v);
    g->vertex = sn_scene_take(s, room + 1, sizeof *g->vertex);
    g->cell = sn_scene_take(s, room + 1, sizeof *g->cell);
    g->start = sn_scene_take(s, (size_t)g->buckets + 2, sizeof *g->start);
    return g->x && g->v && g->vertex && g->cell && g->start ? SN_OK : SN_ERROR_MEMORY;
}

static bool find_cell(const scene_foam_grid *g, sn_io_point x, int32_t cell[3]) {
    const double at[3] = {floor(x.x / g->reach), floor(x.y / g->reach), floor(x.z / g->reach)};
    for (int k = 0; k < 3; k++) {
        if (!(fabs(at[k]) < MOST_CELLS)) return false;
        cell[k] = (int32_t)at[k];
    }
    return true;
}

/* The numbers of a cell beside another, of 21 bits each, as one. */
static uint64_t key_of(const int32_t cell[3], int x, int y, int z) {
    const int32_t first = 1 << 20;
    return (uint64_t)(uint32_t)(cell[0] + x + first) |
           (uint64_t)(uint32_t)(cell[1] + y + first) << 21 |
           (uint64_t)(uint32_t)(cell[2] + z + first) << 42;
}

static uint32_t bucket_of(const scene_foam_grid *g, uint64_t key) {
    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (g->buckets - 1);
}

/* Whether a particle is there, and where. */
static bool look_up(const sn_scene *s, const sn_node_view *view, const scene_foam_grid *g,
                    sn_node node, sn_io_point *x, uint64_t *key) {
    int32_t cell[3];
    if (!sn_node_is_valid(s->world, node) || !(view->radius[node.slot - 1] > 0)) return false;
    sn_vec4 at = view->position[node.slot - 1];
    *x = (sn_io_point){(double)at.x, (double)at.y, (double)at.z};
    if (!find_cell(g, *x, cell)) return false;
    *key = key_of(cell, 0, 0, 0);
    return true;
}

/* By counting, so that particles of a cell stay in the order of the body. */
sn_result sn_scene_fill_foam_grid(const sn_scene *s, const scene_body *body, scene_foam_grid *g) {
    sn_node_view view;
    sn_io_point x;
    uint64_t key;
    SN_TRY(sn_world_nodes(s->world, &view));
    memset(g->start, 0, ((size_t)g->buckets + 2) * sizeof *g->start);
    for (size_t i = 0; i < g->room; i++)
        if (look_up(s, &view, g, body->nodes[i], &x, &key)) g->start[bucket_of(g, key) + 2]++;
    for (uint32_t b = 0; b < g->buckets; b++) g->start[b + 2] += g->start[b + 1];
    g->count = g->start[g->buckets + 1];
    double square = 0;
    for (size_t i = 0; i < g->room; i++) {
        if (!look_up(s, &view, g, body->nodes[i], &x, &key)) continue;
        uint32_t place = g->start[bucket_of(g, key) + 1]++;
        sn_vec4 v = view.velocity[body->nodes[i].slot - 1];
        g->x[place] = x;
        g->v[place] = (sn_io_point){(double)v.x, (double)v.y, (double)v.z};
        g->vertex[place] = (uint32_t)i;
        g->cell[place] = key;
        square = fmax(square, sn_io_point_dot(g->v[place], g->v[place]));
    }
    g->fastest = sqrt(square);
    return SN_OK;
}

size_t sn_scene_find_foam_near(const scene_foam_grid *g, sn_io_point at,
                               scene_foam_near list[SCENE_FOAM_NEAR]) {
    int32_t middle[3];
    size_t count = 0;
    if (!find_cell(g, at, middle)) return 0;
    for (int k = 0; k < 27; k++) {
        uint64_t key = key_of(middle, k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
        uint32_t bucket = bucket_of(g, key);
        for (size_t i = g->start[bucket]; i < g->start[bucket + 1]; i++) {
            /* A bucket has other cells too. */
            if (g->cell[i] != key) continue;
            sn_io_point apart = sn_io_point_sub(at, g->x[i]);
            double square = sn_io_point_dot(apart, apart);
            if (!(square < g->reach * g->reach)) continue;
            if (count == SCENE_FOAM_NEAR) return count;
            double distance = sqrt(square);
            list[count++] = (scene_foam_near){i, apart, distance, 1 - distance / g->reach};
        }
    }
    return count;
}
