/*
 * The plan of tracks: how many, and whom each waits for before a colour.
 *
 * Two passes over the constraints: which tracks have to do with a node, and from that, with whom a
 * track shares nodes in a colour. That is about the time of one sweep with one thread, so where
 * constraints come and go in every step colours stay stages that all threads meet after.
 */
#include "step/colour_run.h"
#include "step/solvers/solver.h"
#include "step/track_trial.h"

#include <math.h>

/* Blocks of a colour that are worth a second track, and that each is to have. */
enum { BLOCKS_ALONE = 8, BLOCKS_OF_TRACK = 3 };

enum { LARGE, ALL };

/* One part of one colour. */
typedef struct part {
    sn_store *store;
    size_t index;
    uint8_t colour;
    size_t track;
} part;

typedef void part_function(sn_tracks *tracks, const part *p);

static bool is_swept(const sn_store *store) {
    return store->count > 0 && sn_store_rank(store) == SN_RANK_CONSTRAINTS;
}

static void for_parts(sn_world *world, part_function *function) {
    sn_tracks *tracks = &world->scratch.tracks;
    for (size_t s = 0; s < world->store_count; s++) {
        if (!is_swept(&world->store[s])) continue;
        for (uint8_t c = 0; c < SN_COLOURS; c++)
            for (size_t t = 0; t < tracks->count && world->store[s].colour[c].count > 0; t++) {
                part p = {&world->store[s], s, c, t};
                function(tracks, &p);
            }
    }
}

/* Of member n of a constraint; null where it is no node of the world. */
static sn_track_reach *reach_of(const sn_tracks *tracks, int which, sn_members members, int n) {
    int32_t i = sn_member(members, n);
    if (i < 0) return NULL;
    return n < members.nodes ? &tracks->reach[which][i] : &tracks->turned[which][i];
}

static void find_reach(sn_tracks *tracks, const part *p) {
    sn_colour_span span = sn_colour_part(p->store, p->colour, p->track, tracks->count);
    int which = sn_tracks_is_small(tracks, p->store, p->colour) ? ALL : LARGE;
    for (; which <= ALL; which++)
        for (size_t i = span.begin; i < span.end; i++) {
            sn_members members = sn_store_members(p->store, (sn_place){p->colour, (uint32_t)i});
            for (int n = 0; n < members.nodes + members.frames; n++) {
                sn_track_reach *reach = reach_of(tracks, which, members, n);
                if (!reach) continue;
                if (p->track < reach->first) reach->first = (uint16_t)p->track;
                if (p->track > reach->last) reach->last = (uint16_t)p->track;
            }
        }
}

static void widen(sn_window *window, const sn_track_reach *reach) {
    if (!reach || reach->first > reach->last) return;
    if (reach->first < window->begin) window->begin = reach->first;
    if (reach->last >= window->end) window->end = (uint16_t)(reach->last + 1);
}

static void find_windows(sn_tracks *tracks, const part *p) {
    sn_colour_span span = sn_colour_part(p->store, p->colour, p->track, tracks->count);
    int which = sn_tracks_is_small(tracks, p->store, p->colour) ? ALL : LARGE;
    sn_window window = {(uint16_t)p->track, (uint16_t)(p->track + 1)};
    for (size_t i = span.begin; i < span.end; i++) {
        sn_members members = sn_store_members(p->store, (sn_place){p->colour, (uint32_t)i});
        for (int n = 0; n < members.nodes + members.frames; n++) {
            widen(&window, reach_of(tracks, which, members, n));
            widen(&tracks->wide[p->track], reach_of(tracks, ALL, members, n));
        }
    }
    sn_tracks_windows(tracks, p->store, p->index, p->colour)[p->track] = window;
}

static void find_over_nodes(sn_tracks *tracks, size_t nodes) {
    for (size_t t = 0; t < tracks->count; t++) {
        sn_window *window = &tracks->over[t];
        *window = (sn_window){(uint16_t)t, (uint16_t)(t + 1)};
        for (size_t i = nodes * t / tracks->count; i < nodes * (t + 1) / tracks->count; i++)
            widen(window, &tracks->reach[ALL][i]);
    }
}

static void clear(sn_track_reach *reach, size_t count) {
    for (size_t i = 0; i < count; i++) reach[i] = (sn_track_reach){UINT16_MAX, 0};
}

/* As many as have enough to do between two looks at others, by the colour that a block is in on
   average. */
static size_t tracks_of_use(const sn_world *world) {
    size_t blocks = 0, squares = 0, most = (size_t)sn_team_tracks(world->bindings.team);
    for (size_t s = 0; s < world->store_count; s++)
        for (int c = 0; c < SN_COLOURS && is_swept(&world->store[s]); c++) {
            size_t own = sn_colour_blocks(&world->store[s].colour[c]);
            blocks += own;
            squares += own * own;
        }
    size_t mean = blocks > 0 ? squares / blocks : 0, count = mean / BLOCKS_OF_TRACK;
    return mean < BLOCKS_ALONE ? 0 : count < most ? count : most;
}

static bool grow(sn_memory *memory, sn_column *columns, size_t *capacity, size_t needed) {
    if (needed <= *capacity) return true;
    size_t grown = sn_columns_grow(memory, columns, 2, 0, *capacity, needed);
    if (grown > 0) *capacity = grown;
    return grown > 0;
}

static bool reserve(sn_world *world) {
    sn_tracks *t = &world->scratch.tracks;
    sn_memory *memory = &world->memory;
    size_t windows = 0;
    if (!sn_reserve(memory, (void **)&t->begin, &t->begin_capacity, world->store_count,
                    sizeof *t->begin))
        return false;
    for (size_t s = 0; s < world->store_count; s++) {
        t->begin[s] = (uint32_t)windows;
        if (is_swept(&world->store[s])) windows += (world->store[s].colours + 1) * t->count;
    }
    size_t colours = windows / t->count + 1, sweep = sn_sweep_bytes(colours);
    sn_column reach[] = SN_TRACK_COLUMNS(t->reach), turned[] = SN_TRACK_COLUMNS(t->turned);
    return sn_reserve(memory, (void **)&t->window, &t->window_capacity, windows,
                      sizeof *t->window) &&
           sn_reserve(memory, (void **)&t->wide, &t->wide_capacity, t->count, sizeof *t->wide) &&
           sn_reserve(memory, (void **)&t->over, &t->over_capacity, t->count, sizeof *t->over) &&
           sn_reserve(memory, &t->sweep[0], &t->sweep_capacity[0], sweep, 1) &&
           sn_reserve(memory, &t->sweep[1], &t->sweep_capacity[1], sweep, 1) &&
           sn_reserve(memory, &t->damping, &t->damping_capacity, sn_dashpots_bytes(colours), 1) &&
           grow(memory, reach, &t->reach_capacity, world->nodes.slots.count) &&
           grow(memory, turned, &t->turned_capacity, world->frames.slots.count);
}

static bool make(sn_world *world, size_t count) {
    sn_tracks *tracks = &world->scratch.tracks;
    tracks->count = count;
    if (tracks->count == 0) return true;
    if (!reserve(world)) {
        tracks->count = 0;
        return false;
    }
    for (size_t t = 0; t < tracks->count; t++)
        tracks->wide[t] = (sn_window){(uint16_t)t, (uint16_t)(t + 1)};
    for (int which = LARGE; which <= ALL; which++) {
        clear(tracks->reach[which], world->nodes.slots.count);
        clear(tracks->turned[which], world->frames.slots.count);
    }
    for_parts(world, find_reach);
    for_parts(world, find_windows);
    find_over_nodes(tracks, world->nodes.slots.count);
    return true;
}

/* Whether sweeps could be on tracks. While lanes are tried every store has a time of its own. */
static bool are_possible(const sn_step *step) {
    const sn_world *world = step->world;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        if (is_swept(store) && sn_lane_trial_is_on(world, &store->trial, store->count))
            return false;
    }
    return sn_team_tracks(world->bindings.team) > 1 && step->solver->sweep;
}

/* s: what tracks have a part in, of a substep of the last step. */
static double time_of_last(const sn_world *world) {
    const sn_stats *last = &world->output.stats;
    if (last->substeps == 0) return INFINITY;
    return (last->time_predict + last->time_project + last->time_update) / (double)last->substeps;
}

bool sn_tracks_plan(sn_step *step) {
    sn_world *world = step->world;
    sn_tracks *tracks = &world->scratch.tracks;
    size_t nodes = world->nodes.slots.count;
    uint64_t edits = world->store_count;
    int most = sn_team_tracks(world->bindings.team);
    for (size_t s = 0; s < world->store_count; s++) edits += world->store[s].edits;
    bool same = edits == tracks->edits && most == tracks->most && nodes == tracks->nodes;
    bool possible = are_possible(step);
    /* Made by one thread, a step tells nothing of tracks. */
    const bool alone = sn_team_is_alone(world->bindings.team), timed = tracks->timed;
    tracks->timed = same && possible && !alone;
    if (same && possible && alone) return true;
    if (same && possible) {
        if (!tracks->made) tracks->useful = tracks_of_use(world);
        const size_t count =
            sn_track_trial_next(&tracks->trial, tracks->useful, world->constraints.slots.live,
                                tracks->made && timed ? time_of_last(world) : INFINITY);
        if (tracks->made && tracks->count == count) return true;
        tracks->made = make(world, count);
        return tracks->made;
    }
    tracks->edits = edits;
    tracks->nodes = nodes;
    tracks->most = most;
    tracks->count = 0;
    tracks->made = false;
    return true;
}
