/*
 * The grid of a fluid: cells as wide as particles reach, in a box around all of them, and particles
 * put into them by counting. A box that would have more cells than there is room for is folded:
 * cells that are its width apart are the same one.
 */
#include "base/team.h"
#include "math/lanes.h"
#include "systems/fluid/fluids.h"

#include <math.h>

enum { ALONE = 1024, BLOCKS_ALONE = 16 };

/* Which cell along an axis; beyond all numbers it is any. */
static int64_t cell_of(sn_real y, double size) {
    double c = floor((double)y / size);
    return c > -1e15 && c < 1e15 ? (int64_t)c : 0;
}

static void cells_at(const sn_fluid_places *s, sn_vec4 y, int64_t cell[3]) {
    cell[0] = cell_of(y.x, s->cell);
    cell[1] = cell_of(y.y, s->cell);
    cell[2] = cell_of(y.z, s->cell);
}

static void cells_of(const sn_world *world, const sn_fluid_places *s, size_t k, int64_t cell[3]) {
    cells_at(s, sn_fluid_particle_at(world, s, k), cell);
}

/* One along an axis in the box, which begins behind two cells where nobody is. */
static size_t folded(int64_t c, uint32_t wide) {
    int64_t n = wide;
    if (c >= 0 && c < n) return (size_t)c;
    c %= n;
    return (size_t)(c < 0 ? c + n : c);
}

size_t sn_fluid_grid_beside(const sn_fluid_places *s, const int64_t cell[3], int64_t x, int64_t y,
                            int64_t z) {
    return (folded(cell[2] + z, s->wide[2]) * s->wide[1] + folded(cell[1] + y, s->wide[1])) *
               s->wide[0] +
           folded(cell[0] + x, s->wide[0]);
}

void sn_fluid_grid_cell(const sn_fluid_places *s, size_t bucket, int64_t cell[3]) {
    cell[0] = (int64_t)(bucket % s->wide[0]);
    cell[1] = (int64_t)(bucket / s->wide[0] % s->wide[1]);
    cell[2] = (int64_t)(bucket / s->wide[0] / s->wide[1]);
}

/* The box of all particles, folded where it is widest until there is room for it. */
static void find_box(const sn_world *world, sn_fluid_places *s) {
    int64_t high[3], cell[3];
    cells_of(world, s, 0, s->low);
    cells_of(world, s, 0, high);
    for (size_t k = 1; k < s->count; k++) {
        cells_of(world, s, k, cell);
        for (int i = 0; i < 3; i++) {
            if (cell[i] < s->low[i]) s->low[i] = cell[i];
            if (cell[i] > high[i]) high[i] = cell[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        int64_t wide = high[i] - s->low[i] + 5;
        s->wide[i] = wide < (int64_t)s->room ? (uint32_t)wide : (uint32_t)s->room;
    }
    double all;
    while (all = (double)s->wide[0] * s->wide[1] * s->wide[2], all > (double)s->room) {
        int widest = s->wide[1] > s->wide[0];
        if (s->wide[2] > s->wide[widest]) widest = 2;
        s->wide[widest] = (s->wide[widest] + 1) / 2;
    }
    s->cells = (size_t)all;
}

uint32_t sn_fluid_grid_bucket(const sn_fluid_places *s, sn_vec4 y) {
    int64_t cell[3];
    cells_at(s, y, cell);
    return (uint32_t)sn_fluid_grid_beside(s, cell, 1 - s->low[0], 1 - s->low[1], 1 - s->low[2]);
}

static void find_cells(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    for (size_t k = begin; k < end; k++)
        s->bucket[k] = sn_fluid_grid_bucket(s, sn_fluid_particle_at(world, s, k));
}

void sn_fluid_grid_sort(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    find_box(world, s);
    sn_team_run(world->bindings.team, s->count, ALONE, find_cells, world);
    for (size_t b = 0; b <= s->cells; b++) s->start[b] = 0;
    for (size_t k = 0; k < s->count; k++) s->start[s->bucket[k]]++;
    for (size_t b = 0; b < s->cells; b++) s->start[b + 1] += s->start[b];
    /* The ends move back while particles are put down, and are the beginnings then. */
    for (size_t k = s->count; k-- > 0;) {
        uint32_t at = --s->start[s->bucket[k]];
        s->order[at] = (uint32_t)k;
        s->aside[at] = 0;
    }
    sn_team_run(world->bindings.team, s->blocks + 1, BLOCKS_ALONE, sn_fluid_places_settle, world);
    sn_team_run(world->bindings.team, s->blocks + 1, BLOCKS_ALONE, sn_fluid_places_gather, world);
    sn_fluid_images_find(world);
    for (size_t at = 0; at < sn_fluid_first_image(s) + s->images; at++) {
        s->along[0][at] = s->y[at].x;
        s->along[1][at] = s->y[at].y;
        s->along[2][at] = s->y[at].z;
    }
}
