/*
 * Whether lists of neighbours still hold: they do for as long as no two places that are not in each
 * other's lists have come nearer by the margin. Where nobody has gone by half of it, seen from the
 * mean motion of all, that is so. Else it is asked cell by cell: in a flow those that are near each
 * other go much the same way, however far they all go. Who is more than two cells away has so far
 * to come that the mean of all is good enough.
 */
#include "base/team.h"
#include "collision/collider_pose.h"
#include "math/lanes.h"
#include "systems/fluid/fluids.h"

enum { PIECE = 256, CELLS_ALONE = 256, ASIDE = 2, SIDE = 2 * ASIDE + 1 };

static size_t end_of(const sn_fluid_places *s, size_t piece) {
    return (piece + 1) * PIECE < s->count ? (piece + 1) * PIECE : s->count;
}

static sn_v4 way_of(const sn_fluid_places *s, size_t at) {
    return sn_v4_load(&s->y[at]) - sn_v4_load(&s->found[at]);
}

/* Sums over pieces that do not depend on who makes them; then how far the farthest is from their
   mean, in w. */
static void sum_drift(void *context, size_t begin, size_t end) {
    sn_fluid_places *s = context;
    for (size_t piece = begin; piece < end; piece++) {
        sn_v4 sum = {0};
        for (size_t at = piece * PIECE; at < end_of(s, piece); at++) sum += way_of(s, at);
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
            sn_v4 far = way_of(e->s, at) - e->mean;
            sn_real square = sn_v4_dot(far, far);
            if (!(square <= most)) most = square;
        }
        e->s->drift[piece].w = most;
    }
}

/* m^2: how far the farthest is from the mean. */
static sn_real largest_excess(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    size_t pieces = (s->count + PIECE - 1) / PIECE;
    excess e = {.s = s};
    sn_team_run(world->bindings.team, pieces, 4, sum_drift, s);
    for (size_t k = 0; k < pieces; k++) e.mean += sn_v4_load(&s->drift[k]);
    e.mean *= 1 / (sn_real)s->count;
    sn_team_run(world->bindings.team, pieces, 4, find_excess, &e);
    sn_real most = 0;
    for (size_t k = 0; k < pieces; k++)
        if (!(s->drift[k].w <= most)) most = s->drift[k].w;
    return most;
}

SN_INLINE sn_v4 least(sn_v4 a, sn_v4 b) {
    sn_v4_bits mask = (sn_v4_bits)(a < b);
    return (sn_v4)((mask & (sn_v4_bits)a) | (~mask & (sn_v4_bits)b));
}

SN_INLINE sn_v4 largest(sn_v4 a, sn_v4 b) {
    sn_v4_bits mask = (sn_v4_bits)(b < a);
    return (sn_v4)((mask & (sn_v4_bits)a) | (~mask & (sn_v4_bits)b));
}

/* The box of the ways of each cell, in which images go as their twins; one that is inside out where
   nobody is. */
static void find_boxes(void *context, size_t begin, size_t end) {
    sn_fluid_places *s = context;
    for (size_t b = begin; b < end; b++) {
        sn_v4 low = (sn_v4){0} + SN_R(1e30), high = -low;
        for (size_t at = s->start[b]; at < s->start[b + 1]; at++) {
            sn_v4 way = way_of(s, at);
            low = least(low, way);
            high = largest(high, way);
        }
        size_t first = sn_fluid_first_image(s);
        for (size_t at = s->images > 0 ? s->image_start[b] : 0;
             s->images > 0 && at < s->image_start[b + 1]; at++) {
            sn_v4 way = way_of(s, s->twin[at - first]);
            low = least(low, way);
            high = largest(high, way);
        }
        sn_v4_store(&s->strayed[2 * b], low);
        sn_v4_store(&s->strayed[2 * b + 1], high);
    }
}

/* m: by how much a way in a cell and one in a cell near it differ at most. */
static sn_real difference_of(const sn_fluid_places *s, size_t b) {
    int64_t cell[3];
    sn_fluid_grid_cell(s, b, cell);
    sn_v4 own_low = sn_v4_load(&s->strayed[2 * b]), low = own_low;
    sn_v4 own_high = sn_v4_load(&s->strayed[2 * b + 1]), high = own_high;
    for (int64_t row = 0; row < SIDE * SIDE; row++) {
        size_t first =
            sn_fluid_grid_beside(s, cell, -cell[0], row % SIDE - ASIDE, row / SIDE - ASIDE);
        for (int64_t x = cell[0] - ASIDE; x <= cell[0] + ASIDE; x++) {
            int64_t wide = s->wide[0], along = x < 0 ? x + wide : x >= wide ? x - wide : x;
            const sn_vec4 *box = &s->strayed[2 * (first + (size_t)along)];
            low = least(low, sn_v4_load(box));
            high = largest(high, sn_v4_load(box + 1));
        }
    }
    return sn_v4_length(largest(high - own_low, own_high - low));
}

static void compare_boxes(void *context, size_t begin, size_t end) {
    sn_fluid_places *s = context;
    const sn_real limit = SN_R(0.9) * (sn_real)s->margin;
    for (size_t b = begin; b < end; b++)
        s->astray[b] = s->start[b] < s->start[b + 1] && !(difference_of(s, b) < limit);
}

bool sn_fluid_places_have_drifted(sn_world *world) {
    sn_fluid_places *s = &sn_fluids_of(world)->places;
    const double square = (double)largest_excess(world), far = s->cell - 0.5 * s->reach;
    if (square < 0.45 * 0.45 * s->margin * s->margin) return false;
    if (!(square < far * far)) return true;
    sn_team_run(world->bindings.team, s->cells, CELLS_ALONE, find_boxes, s);
    sn_team_run(world->bindings.team, s->cells, CELLS_ALONE, compare_boxes, s);
    for (size_t b = 0; b < s->cells; b++)
        if (s->astray[b]) return true;
    return false;
}
