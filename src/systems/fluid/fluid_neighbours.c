/*
 * Who is near whom. Lists hold for as long as nobody has gone by half of the margin, seen from the
 * mean motion of all; they are made anew in every step, so that they follow from what a snapshot
 * has.
 */
#include "base/team.h"
#include "collision/collider_pose.h"
#include "math/lanes.h"
#include "systems/fluid/fluids.h"

#include <math.h>
#include <string.h>

enum { ALONE = 1024, BLOCKS_ALONE = 16, CELLS = 27, PIECE = 256 };

/* ---- Cells ---- */

/* Which cell; beyond all numbers it is any. Numbers of cells come again after 2^21 of them, where
   the distance tells them apart. */
static uint64_t cell_of(sn_real y, double size) {
    double c = floor((double)y / size);
    return c > -1e15 && c < 1e15 ? (uint64_t)(int64_t)c : 0;
}

/* Unsigned, so that what is beyond the last cell is the first. */
static uint64_t key_of(uint64_t x, uint64_t y, uint64_t z) {
    const uint64_t mask = (UINT64_C(1) << 21) - 1;
    return (x & mask) | (y & mask) << 21 | (z & mask) << 42;
}

static uint32_t bucket_of(uint64_t key, uint32_t mask) {
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(key >> 32) & mask;
}

static void find_cells(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_nodes *n = &world->nodes;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = s->particle[k].node;
        sn_vec4 x = n->x[i], d = n->d[i], o = s->origin;
        /* Until there are places, keys are those of particles. */
        s->key[k] = key_of(cell_of((x.x - o.x) + d.x, s->cell), cell_of((x.y - o.y) + d.y, s->cell),
                           cell_of((x.z - o.z) + d.z, s->cell));
        s->bucket[k] = bucket_of(s->key[k], s->mask);
    }
}

/* The key of the cell that a place is in, as found from its particle. */
static uint64_t key_at(const sn_fluid_places *s, size_t at) {
    return s->key[s->order[at]];
}

static void sort(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    sn_team_run(world->bindings.team, s->count, ALONE, find_cells, world);
    for (size_t b = 0; b <= (size_t)s->mask + 1; b++) s->start[b] = 0;
    for (size_t k = 0; k < s->count; k++) s->start[s->bucket[k] + 1]++;
    for (size_t b = 0; b <= s->mask; b++) s->start[b + 1] += s->start[b];
    /* The beginnings move on while particles are put down, and are the ends then. */
    for (size_t k = 0; k < s->count; k++) {
        uint32_t at = s->start[s->bucket[k]]++;
        s->order[at] = (uint32_t)k;
        s->aside[at] = 0;
    }
    for (size_t b = (size_t)s->mask + 1; b > 0; b--) s->start[b] = s->start[b - 1];
    s->start[0] = 0;
    sn_team_run(world->bindings.team, s->blocks + 1, BLOCKS_ALONE, sn_fluid_places_gather, world);
    for (size_t at = 0; at < (s->blocks + 1) * SN_BLOCK; at++) {
        s->along[0][at] = s->y[at].x;
        s->along[1][at] = s->y[at].y;
        s->along[2][at] = s->y[at].z;
    }
}

/* ---- Lists ---- */

/* The cells around one, as ranges of places. Cells that share a bucket are one range: who is in
   reach is told by the distance. */
typedef struct around {
    uint32_t bucket[CELLS], begin[CELLS], end[CELLS];
    int count;
} around;

static void look_around(const sn_fluid_places *s, uint64_t key, around *a) {
    a->count = 0;
    for (int n = 0; n < CELLS; n++) {
        uint64_t i = (uint64_t)n;
        uint64_t cell =
            key_of(key + i % 3 - 1, (key >> 21) + i / 3 % 3 - 1, (key >> 42) + i / 9 - 1);
        uint32_t bucket = bucket_of(cell, s->mask);
        int k = 0;
        while (k < a->count && a->bucket[k] != bucket) k++;
        if (k < a->count || s->start[bucket] == s->start[bucket + 1]) continue;
        a->bucket[k] = bucket;
        a->begin[k] = s->start[bucket];
        a->end[k] = s->start[bucket + 1];
        a->count++;
    }
}

/* What looking for the neighbours of a place has found. */
typedef struct search {
    sn_fluid_places *s;
    size_t at;
    uint32_t *near; /* its lane of the rows */
    uint32_t count, within;
} search;

static void add_neighbour(search *f, uint32_t j, sn_real square) {
    sn_fluid_places *s = f->s;
    sn_real reach = s->trait[f->at].x + s->trait[j].x, limit = reach + (sn_real)s->margin;
    if (!(square < limit * limit) || j == f->at) return;
    if (f->count < s->rows) f->near[(size_t)f->count * SN_BLOCK] = j;
    f->count++;
    f->within += square < reach * reach;
    if (square < SN_R(1e-10) * (reach * reach) && j < f->at) s->aside[f->at] = 1;
}

SN_INLINE sn_v4 load_four(const sn_real *from) {
    sn_v4 a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* Four places at a time: most are too far even for those that reach farthest. */
static void look_through(search *f, uint32_t begin, uint32_t end, sn_real most) {
    const sn_fluid_places *s = f->s;
    sn_vec4 own = s->y[f->at];
    for (uint32_t j = begin; j < end; j += 4) {
        sn_v4 x = own.x - load_four(s->along[0] + j), y = own.y - load_four(s->along[1] + j);
        sn_v4 z = own.z - load_four(s->along[2] + j), square = (x * x + y * y) + z * z;
        union {
            sn_v4_bits lane;
            uint64_t word[sizeof(sn_v4_bits) / sizeof(uint64_t)];
        } is_near = {(sn_v4_bits)(square < most)};
        uint64_t any = 0;
        for (size_t k = 0; k < sizeof is_near / sizeof any; k++) any |= is_near.word[k];
        for (uint32_t k = 0; any && k < 4 && j + k < end; k++)
            if (is_near.lane[k]) add_neighbour(f, j + k, square[k]);
    }
}

/* Writes the neighbours of a place into its lane and returns how many there are, which may be more
   than there is room for. */
static uint32_t list_neighbours(sn_fluid_places *s, size_t at, const around *a) {
    search f = {
        .s = s, .at = at, .near = s->near + (at / SN_BLOCK) * s->rows * SN_BLOCK + at % SN_BLOCK};
    sn_real most = (sn_real)(1.0001 * ((double)s->trait[at].x + 0.5 * (s->cell + s->margin)));
    for (int n = 0; n < a->count; n++) look_through(&f, a->begin[n], a->end[n], most * most);
    s->found[at] = s->y[at];
    s->found[at].w = (sn_real)f.within;
    for (uint32_t k = f.count; k < s->rows; k++)
        f.near[(size_t)k * SN_BLOCK] = (uint32_t)(s->blocks * SN_BLOCK);
    return f.count;
}

static void list_blocks(void *context, size_t begin, size_t end) {
    sn_fluid_places *s = context;
    around a = {.count = 0};
    uint64_t last = 0;
    bool known = false;
    for (size_t block = begin; block < end; block++) {
        uint32_t most = 0;
        for (size_t at = block * SN_BLOCK; at < (block + 1) * SN_BLOCK; at++) {
            uint32_t *near = s->near + block * s->rows * SN_BLOCK + at % SN_BLOCK;
            uint32_t count = 0;
            if (at < s->count) {
                uint64_t key = key_at(s, at);
                if (!known || key != last) look_around(s, key, &a);
                known = true;
                last = key;
                count = list_neighbours(s, at, &a);
            } else
                for (size_t k = 0; k < s->rows; k++)
                    near[k * SN_BLOCK] = (uint32_t)(s->blocks * SN_BLOCK);
            if (count > most) most = count;
        }
        s->row_count[block] = most;
    }
}

/* Room for the rows that are needed; where there is none, those that do not fit are left out. */
static bool make_room(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    size_t most = 0;
    for (size_t block = 0; block < s->blocks; block++)
        if (s->row_count[block] > most) most = s->row_count[block];
    if (most <= s->rows) return false;
    most += most / 8;
    if (sn_reserve(&world->memory, (void **)&s->near, &s->near_capacity,
                   s->blocks * most * SN_BLOCK, sizeof *s->near)) {
        s->rows = most;
        return true;
    }
    sn_world_say(world, SN_LOG_WARNING,
                 "there is no memory for all neighbours in a fluid; some are left out in this "
                 "step");
    for (size_t block = 0; block < s->blocks; block++)
        if (s->row_count[block] > s->rows) s->row_count[block] = (uint32_t)s->rows;
    return false;
}

void sn_fluid_neighbours_find(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    sort(world);
    do sn_team_run(world->bindings.team, s->blocks, BLOCKS_ALONE, list_blocks, s);
    while (make_room(world));
    s->is_found = true;
}

/* ---- Who went too far ---- */

static size_t end_of(const sn_fluid_places *s, size_t piece) {
    return (piece + 1) * PIECE < s->count ? (piece + 1) * PIECE : s->count;
}

/* Sums over pieces that do not depend on who makes them; then how far the farthest is from their
   mean, in w. */
static void sum_drift(void *context, size_t begin, size_t end) {
    sn_fluid_places *s = context;
    for (size_t piece = begin; piece < end; piece++) {
        sn_v4 sum = {0};
        for (size_t at = piece * PIECE; at < end_of(s, piece); at++)
            sum += sn_v4_load(&s->y[at]) - sn_v4_load(&s->found[at]);
        sn_v4_store(&s->drift[piece], sum);
    }
}

typedef struct excess {
    sn_fluid_places *s;
    sn_v4 mean;
} excess;

static void find_excess(void *context, size_t begin, size_t end) {
    const excess *e = context;
    for (size_t piece = begin; piece < end; piece++) {
        sn_real most = 0;
        for (size_t at = piece * PIECE; at < end_of(e->s, piece); at++) {
            sn_v4 far = sn_v4_load(&e->s->y[at]) - sn_v4_load(&e->s->found[at]) - e->mean;
            sn_real square = sn_v4_dot(far, far);
            if (!(square <= most)) most = square;
        }
        e->s->drift[piece].w = most;
    }
}

static bool went_too_far(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    size_t pieces = (s->count + PIECE - 1) / PIECE;
    excess e = {.s = s};
    sn_team_run(world->bindings.team, pieces, 4, sum_drift, s);
    for (size_t k = 0; k < pieces; k++) e.mean += sn_v4_load(&s->drift[k]);
    e.mean *= 1 / (sn_real)s->count;
    sn_team_run(world->bindings.team, pieces, 4, find_excess, &e);
    sn_real limit = (sn_real)(0.45 * s->margin);
    for (size_t k = 0; k < pieces; k++)
        if (!(s->drift[k].w < limit * limit)) return true;
    return false;
}

void sn_fluids_detect(sn_step *step) {
    sn_world *world = step->world;
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    if (s->is_asleep || s->count == 0) return;
    if (s->is_found)
        sn_team_run(world->bindings.team, s->blocks + 1, BLOCKS_ALONE, sn_fluid_places_gather,
                    world);
    if (!s->is_found || went_too_far(world)) sn_fluid_neighbours_find(world);
    for (size_t at = 0; at < s->blocks * SN_BLOCK; at++) s->lambda[at] = 0;
    sn_team_run(world->bindings.team, s->count, BLOCKS_ALONE, sn_fluid_walls_measure, world);
}
