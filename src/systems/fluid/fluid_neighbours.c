/*
 * Who is near whom. Lists hold for as long as nobody has gone too far (fluid_drift.c); they are
 * made anew in every step, so that they follow from what a snapshot has.
 */
#include "base/team.h"
#include "math/lanes.h"
#include "systems/fluid/fluids.h"

#include <math.h>
#include <string.h>

/* A row that is folded counts as two, and images have rows of their own. */
enum { BLOCKS_ALONE = 16, MOST_ROWS = 36, CHUNK = 128 };

/* The cells around one, in rows along x whose places follow each other. */
typedef struct cell_row {
    uint32_t cut[4]; /* the beginnings of its three cells, and the end */
    int y, z;        /* which row: 0 to 2 */
} cell_row;

typedef struct around {
    cell_row row[MOST_ROWS];
    int count;
} around;

/* A row from cell to cell; where it is folded between them it is two, whose cells are not told
   apart. */
static void add_row(const sn_fluid_places *s, const uint32_t *start, around *a,
                    const int64_t cell[3], int y, int z) {
    size_t before = sn_fluid_grid_beside(s, cell, -1, y - 1, z - 1);
    size_t behind = sn_fluid_grid_beside(s, cell, 1, y - 1, z - 1);
    size_t first = before - before % s->wide[0];
    if (before < behind) {
        if (start[before] < start[behind + 1])
            a->row[a->count++] = (cell_row){
                {start[before], start[before + 1], start[behind], start[behind + 1]}, y, z};
        return;
    }
    uint32_t parts[2][2] = {{start[first], start[behind + 1]},
                            {start[before], start[first + s->wide[0]]}};
    for (int k = 0; k < 2; k++)
        a->row[a->count++] = (cell_row){{parts[k][0], parts[k][0], parts[k][1], parts[k][1]}, y, z};
}

static void look_around(const sn_fluid_places *s, size_t bucket, around *a) {
    int64_t cell[3];
    sn_fluid_grid_cell(s, bucket, cell);
    a->count = 0;
    for (int row = 0; row < 9; row++) {
        add_row(s, s->start, a, cell, row % 3, row / 3);
        if (s->images > 0) add_row(s, s->image_start, a, cell, row % 3, row / 3);
    }
}

/* What looking for the neighbours of a place has found. */
typedef struct search {
    sn_fluid_places *s;
    size_t at;
    uint32_t *near;        /* its lane of the rows */
    uint32_t count;        /* of neighbours */
    uint32_t chunk[CHUNK]; /* that may be neighbours */
    uint32_t waiting;      /* how many of them */
    sn_real most, tiny;    /* m^2: who may be a neighbour, and who is at its very place */
    uint32_t same;         /* how many are there, with itself */
} search;

static sn_real square_between(const sn_fluid_places *s, size_t i, size_t j) {
    sn_real x = s->along[0][i] - s->along[0][j], y = s->along[1][i] - s->along[1][j];
    sn_real z = s->along[2][i] - s->along[2][j];
    return (x * x + y * y) + z * z;
}

/* Whether one that may be a neighbour is, where particles differ in how far they reach. */
static bool reaches(const sn_fluid_places *s, size_t i, size_t j) {
    sn_real limit = (s->trait[i].x + s->trait[j].x) + (sn_real)s->margin;
    return square_between(s, i, j) < limit * limit;
}

static void write_chunk(search *f) {
    const sn_fluid_places *s = f->s;
    const uint32_t rows = (uint32_t)s->rows, at = (uint32_t)f->at, waiting = f->waiting;
    const bool alike = s->is_alike;
    uint32_t count = f->count, *near = f->near + (size_t)count * SN_BLOCK;
    for (uint32_t k = 0; k < waiting; k++) {
        uint32_t j = f->chunk[k];
        if (j == at || (!alike && !reaches(s, at, j))) continue;
        if (count++ < rows) *near = j;
        near += SN_BLOCK;
    }
    f->count = count;
    f->waiting = 0;
}

SN_INLINE sn_lane load_along(const sn_real *from) {
    sn_lane a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* How many of four bits are set, and which, the first ones first. */
static const uint32_t set_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
static const uint32_t set_bits[16][4] = {
    {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
    {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};

/* As many places at a time as there are lanes, without a branch that would depend on who is near:
   of four, all that are set are written, and then some that others overwrite. */
static void look_through(search *f, uint32_t begin, uint32_t end) {
    enum { MOST_WRITTEN = SN_LANES < 4 ? 4 : SN_LANES };
    const sn_fluid_places *s = f->s;
    const sn_real *xs = s->along[0], *ys = s->along[1], *zs = s->along[2];
    const sn_lane own_x = sn_lane_all(xs[f->at]), own_y = sn_lane_all(ys[f->at]);
    const sn_lane own_z = sn_lane_all(zs[f->at]);
    const sn_lane most = sn_lane_all(f->most), tiny = sn_lane_all(f->tiny);
    uint32_t *next = f->chunk + f->waiting;
    for (uint32_t j = begin; j < end; j += SN_LANES) {
        if (next > f->chunk + CHUNK - MOST_WRITTEN) {
            f->waiting = (uint32_t)(next - f->chunk);
            write_chunk(f);
            next = f->chunk;
        }
        sn_lane x = own_x - load_along(xs + j), y = own_y - load_along(ys + j);
        sn_lane z = own_z - load_along(zs + j), square = (x * x + y * y) + z * z;
        unsigned there = end - j < SN_LANES ? (1u << (end - j)) - 1 : (1u << SN_LANES) - 1;
        unsigned near = sn_lane_less_bits(square, most) & there;
        unsigned same = sn_lane_less_bits(square, tiny) & there;
        for (; same; same &= same - 1) f->same++;
        for (uint32_t k = 0; k < SN_LANES; k += 4) {
            unsigned set = near >> k & 15;
            for (int n = 0; n < 4; n++) next[n] = j + k + set_bits[set][n];
            next += set_count[set];
        }
    }
    f->waiting = (uint32_t)(next - f->chunk);
}

/* Looks through the rows, without the cells that are too far from the place. */
static void look_at_rows(search *f, const around *a) {
    const sn_fluid_places *s = f->s;
    double cell = s->cell, most = 1.0001 * (double)f->most, gap[3][3];
    for (int i = 0; i < 3; i++) {
        double y = (double)s->along[i][f->at], within = y - floor(y / cell) * cell;
        gap[i][0] = within * within;
        gap[i][1] = 0;
        gap[i][2] = (cell - within) * (cell - within);
    }
    for (int n = 0; n < a->count; n++) {
        const cell_row *r = &a->row[n];
        double left = most - (gap[1][r->y] + gap[2][r->z]);
        if (left < 0) continue;
        uint32_t begin = r->cut[gap[0][0] > left], end = r->cut[gap[0][2] > left ? 2 : 3];
        if (begin < end) look_through(f, begin, end);
    }
}

/* Whether a place before it is the very same. */
static bool is_second(const sn_fluid_places *s, size_t at, const around *a, sn_real tiny) {
    for (int n = 0; n < a->count; n++)
        for (uint32_t j = a->row[n].cut[0]; j < a->row[n].cut[3] && j < at; j++)
            if (square_between(s, at, j) < tiny) return true;
    return false;
}

/* Writes the neighbours of a place into its lane and returns how many there are, which may be more
   than there is room for. */
static uint32_t list_neighbours(sn_fluid_places *s, size_t at, const around *a) {
    double reach = (double)s->trait[at].x + 0.5 * s->reach, most = reach + s->margin;
    search f;
    f.s = s;
    f.at = at;
    f.near = s->near + (at / SN_BLOCK) * s->rows * SN_BLOCK + at % SN_BLOCK;
    f.count = f.waiting = 0;
    f.most = (sn_real)(most * most);
    f.tiny = (sn_real)(1e-10 * reach * reach);
    f.same = 0;
    look_at_rows(&f, a);
    write_chunk(&f);
    s->aside[at] = f.same > 1 && is_second(s, at, a, f.tiny);
    s->found[at] = s->y[at];
    return f.count;
}

/* All lanes of a block are filled up to the longest, with the place of nobody. Rows beyond those of
   four places are left out where there are four lanes, and are nothing to wider ones. */
static void fill_up(sn_fluid_places *s, size_t block, const uint32_t count[SN_BLOCK]) {
    uint32_t *near = s->near + block * s->rows * SN_BLOCK, most = 0;
    sn_real *factor = s->factor + block * s->rows * SN_BLOCK;
    for (size_t k = 0; k < SN_BLOCK; k++) {
        uint32_t *rows = &s->row_count[(block * SN_BLOCK + k) / 4];
        if (k % 4 == 0 || count[k] > *rows) *rows = count[k];
        if (count[k] > most) most = count[k];
    }
    for (size_t k = 0; k < SN_BLOCK; k++) {
        const uint32_t own = s->row_count[(block * SN_BLOCK + k) / 4];
        for (uint32_t row = count[k]; row < most && row < s->rows; row++) {
            near[(size_t)row * SN_BLOCK + k] = (uint32_t)(s->blocks * SN_BLOCK);
            if (row >= own) factor[(size_t)row * SN_BLOCK + k] = 0;
        }
    }
}

static void list_blocks(void *context, size_t begin, size_t end) {
    sn_fluid_places *s = context;
    around a = {.count = 0};
    size_t last = SIZE_MAX;
    for (size_t block = begin; block < end; block++) {
        uint32_t count[SN_BLOCK] = {0};
        for (size_t k = 0; k < SN_BLOCK && block * SN_BLOCK + k < s->count; k++) {
            size_t at = block * SN_BLOCK + k, bucket = s->bucket[s->order[at]];
            if (bucket != last) look_around(s, bucket, &a);
            last = bucket;
            count[k] = list_neighbours(s, at, &a);
        }
        fill_up(s, block, count);
    }
}

/* Lists of a range of blocks, a function per width. */
typedef struct fluid_lists {
    sn_range_function *make;
} fluid_lists;

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_FLUID_LISTS(lanes) SN_JOIN2(sn_fluid_lists_, lanes)

extern const fluid_lists SN_FLUID_LISTS(SN_LANES);
const fluid_lists SN_FLUID_LISTS(SN_LANES) = {list_blocks};

#if SN_LANES == 1

SN_DECLARE_WIDTHS(fluid_lists, sn_fluid_lists_)

static const fluid_lists *lists_of(sn_width width) {
    static const fluid_lists *const all[] = SN_ALL_WIDTHS(sn_fluid_lists_);
    return all[width];
}

/* In how many iterations somebody of a place or beside it takes part. */
static void list_busy(void *context, size_t begin, size_t end) {
    sn_fluid_places *s = context;
    for (size_t at = begin * SN_BLOCK; at < end * SN_BLOCK && at < s->count; at++) {
        const uint32_t *near = s->near + (at / SN_BLOCK) * s->rows * SN_BLOCK + at % SN_BLOCK;
        uint32_t most = s->particle[s->order[at]].turns, rows = s->row_count[at / 4];
        for (uint32_t row = 0; row < rows && row < s->rows; row++, near += SN_BLOCK) {
            uint32_t turns =
                sn_fluid_is_somebody(s, *near) ? s->particle[s->order[*near]].turns : 0;
            if (turns > most) most = turns;
        }
        s->busy[at] = most;
    }
}

static size_t most_rows(const sn_fluid_places *s) {
    size_t most = 0, fours = s->blocks * (SN_BLOCK / 4);
    for (size_t k = 0; k < fours; k++)
        if (s->row_count[k] > most) most = s->row_count[k];
    return most;
}

/* Room for more rows than are needed now. */
static bool grow_rows(sn_world *world, size_t rows) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    rows += rows / 8;
    size_t needed = s->blocks * rows * SN_BLOCK;
    if (!sn_reserve(&world->memory, (void **)&s->near, &s->near_capacity, needed,
                    sizeof *s->near) ||
        !sn_reserve(&world->memory, (void **)&s->factor, &s->factor_capacity, needed,
                    sizeof *s->factor))
        return false;
    s->rows = rows;
    return true;
}

static void list_all(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_lane_trial *trial = &world->bindings.lanes[SN_TRIED_FLUID_LISTS];
    const fluid_lists *lists = lists_of(sn_lane_trial_begin(world, trial, s->count));
    sn_team_run(world->bindings.team, s->blocks, BLOCKS_ALONE, lists->make, s);
    sn_lane_trial_end(world, trial);
}

bool sn_fluid_neighbours_reserve(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_fluid_grid_sort(world);
    list_all(world);
    size_t most = most_rows(s);
    return most <= s->rows || grow_rows(world, most);
}

void sn_fluid_neighbours_find(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_fluid_grid_sort(world);
    list_all(world);
    size_t most = most_rows(s), fours = s->blocks * (SN_BLOCK / 4);
    s->is_found = true;
    if (most <= s->rows) return;
    if (grow_rows(world, most)) {
        list_all(world);
        return;
    }
    sn_world_say(world, SN_LOG_WARNING,
                 "there is no memory for all neighbours in a fluid; some are left out in this "
                 "step");
    for (size_t k = 0; k < fours; k++)
        if (s->row_count[k] > s->rows) s->row_count[k] = (uint32_t)s->rows;
}

void sn_fluids_detect(sn_step *step) {
    sn_world *world = step->world;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_team *team = world->bindings.team;
    if (s->is_asleep || s->count == 0) return;
    if (s->is_found) {
        /* Masses of integrators that keep a history may differ from substep to substep. */
        if (world->history.used)
            sn_team_run(team, s->blocks, BLOCKS_ALONE, sn_fluid_places_settle, world);
        sn_fluid_places_refresh(world);
    }
    if (!s->is_found || sn_fluid_places_have_drifted(world)) {
        sn_fluid_neighbours_find(world);
        if (s->is_detailed) sn_team_run(team, s->blocks, BLOCKS_ALONE, list_busy, s);
    }
    for (size_t at = 0; at < s->blocks * SN_BLOCK; at++) s->lambda[at] = 0;
    sn_fluid_carriers_follow(world);
    sn_team_run(team, s->blocks, BLOCKS_ALONE, sn_fluid_walls_measure, world);
    sn_fluid_carriers_weigh(world);
}

#endif
