/*
 * The grid of a fluid: cells as wide as particles reach, in a box around all of them, and particles
 * put into them by counting. A box that would have more cells than there is room for is folded:
 * cells that are its width apart are the same one.
 */
#include "base/team.h"
#include "math/lanes.h"
#include "systems/fluid/fluids.h"

#include <math.h>

enum { ALONE = 1024, BLOCKS_ALONE = 16, PIECES_ALONE = 2 };

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

static void find_bounds(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    for (size_t piece = begin; piece < end; piece++) {
        size_t k = piece * SN_FLUID_PIECE, last = k + SN_FLUID_PIECE;
        sn_fluid_piece *bounds = &s->piece[piece];
        int64_t cell[3];
        cells_of(world, s, k, bounds->low);
        cells_of(world, s, k, bounds->high);
        for (; k < last && k < s->count; k++) {
            cells_of(world, s, k, cell);
            for (int i = 0; i < 3; i++) {
                if (cell[i] < bounds->low[i]) bounds->low[i] = cell[i];
                if (cell[i] > bounds->high[i]) bounds->high[i] = cell[i];
            }
        }
    }
}

/* The box of all particles, folded where it is widest until there is room for it. */
static void find_box(sn_world *world, sn_fluid_places *s) {
    int64_t high[3];
    const size_t pieces = sn_fluid_pieces(s->count);
    sn_team_run(world->bindings.team, pieces, PIECES_ALONE, find_bounds, world);
    for (int i = 0; i < 3; i++) {
        s->low[i] = s->piece[0].low[i];
        high[i] = s->piece[0].high[i];
        for (size_t k = 1; k < pieces; k++) {
            if (s->piece[k].low[i] < s->low[i]) s->low[i] = s->piece[k].low[i];
            if (s->piece[k].high[i] > high[i]) high[i] = s->piece[k].high[i];
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

/* ---- Particles into cells ---- */

/* Every thread has a share of the cells and looks at the cells of all particles, which takes less
   than putting them down. */
typedef struct shares {
    sn_fluid_places *s;
    size_t count;
    size_t behind[SN_MAX_THREADS]; /* the end of the places of each, once all have counted */
} shares;

static size_t first_cell(const shares *d, size_t share) {
    return d->s->cells / d->count * share + d->s->cells % d->count * share / d->count;
}

static void count_cells(void *context, size_t begin, size_t end) {
    shares *d = context;
    const sn_fluid_places *s = d->s;
    uint32_t *start = s->start;
    for (size_t share = begin; share < end; share++) {
        const uint32_t low = (uint32_t)first_cell(d, share);
        const uint32_t wide = (uint32_t)first_cell(d, share + 1) - low;
        size_t found = 0;
        for (size_t b = 0; b < wide; b++) start[low + b] = 0;
        for (size_t k = 0; k < s->count; k++) {
            uint32_t b = s->bucket[k] - low;
            if (b >= wide) continue;
            start[low + b]++;
            found++;
        }
        d->behind[share] = found;
    }
}

/* Ends move back while particles are put down, and are the beginnings then. */
static void put_down(void *context, size_t begin, size_t end) {
    const shares *d = context;
    const sn_fluid_places *s = d->s;
    for (size_t share = begin; share < end; share++) {
        const uint32_t low = (uint32_t)first_cell(d, share);
        const uint32_t wide = (uint32_t)first_cell(d, share + 1) - low;
        uint32_t last = share > 0 ? (uint32_t)d->behind[share - 1] : 0;
        for (size_t b = 0; b < wide; b++) last = s->start[low + b] += last;
        for (size_t k = s->count; k-- > 0;) {
            uint32_t b = s->bucket[k] - low;
            if (b >= wide) continue;
            uint32_t at = --s->start[low + b];
            s->order[at] = (uint32_t)k;
            s->aside[at] = 0;
        }
    }
}

static void sort_into_cells(sn_world *world, sn_fluid_places *s) {
    sn_team *team = world->bindings.team;
    shares d = {.s = s, .count = s->count < ALONE ? 1 : (size_t)sn_team_threads(team)};
    sn_team_run(team, d.count, 2, count_cells, &d);
    for (size_t k = 1; k < d.count; k++) d.behind[k] += d.behind[k - 1];
    sn_team_run(team, d.count, 2, put_down, &d);
    s->start[s->cells] = (uint32_t)s->count;
}

static void spread_axes(void *context, size_t begin, size_t end) {
    const sn_fluid_places *s = context;
    for (size_t at = begin; at < end; at++) {
        s->along[0][at] = s->y[at].x;
        s->along[1][at] = s->y[at].y;
        s->along[2][at] = s->y[at].z;
    }
}

void sn_fluid_grid_sort(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_team *team = world->bindings.team;
    find_box(world, s);
    sn_team_run(team, s->count, ALONE, find_cells, world);
    sort_into_cells(world, s);
    sn_team_run(team, s->blocks + 1, BLOCKS_ALONE, sn_fluid_places_settle, world);
    sn_team_run(team, s->blocks + 1, BLOCKS_ALONE, sn_fluid_places_gather, world);
    sn_fluid_images_find(world);
    sn_team_run(team, sn_fluid_first_image(s) + s->images, ALONE, spread_axes, s);
}
