/*
 * Coloured Gauss-Seidel, the default solver.
 *
 * Types in the order of their list, and within a type colour after colour. The constraints of a
 * colour move no common node: lanes and threads share them in any way and the result is the same.
 * Between colours all threads meet; or, where constraints stay as they are, only those that share
 * nodes (state/tracks.h). What has no colour is done one by one. Stores of another rank
 * have their own turn, with the other solvers as well.
 */
#include "base/hash.h"
#include "step/offload.h"
#include "step/solvers/solver.h"

static void project(const void *what, size_t begin, size_t end, bool single) {
    const sn_projection *p = what;
    (single ? p->single : p->loop)(&p->batch, begin, end);
}

static sn_projection projection_of(const sn_world *world, const sn_store *store, uint8_t colour,
                                   bool first) {
    sn_softness softness = sn_step_softness(world, store);
    const sn_loops *wide = store->type->loops[sn_lanes_of(world, &store->trial)];
    const sn_loops *narrow = store->type->loops[SN_WIDTH_1];
    sn_projection p = {.batch = sn_step_batch(world, store, colour),
                       .loop = wide->project[softness][store->kept],
                       .single = narrow->project[softness][store->kept]};
    p.batch.first = first;
    return p;
}

static const uint16_t *trees_of(const sn_world *world, const sn_store *store, uint8_t colour) {
    return sn_trees_mask(&world->scratch.trees, (size_t)(store - world->store), colour);
}

sn_flow_stage sn_project_stage(const sn_world *world, const sn_store *store, uint8_t colour,
                               bool first, bool backwards, sn_colour_task *run) {
    run->projection = projection_of(world, store, colour, first);
    run->work =
        (sn_colour_work){.range = project, .what = &run->projection, .backwards = backwards};
    return sn_colour_stage(world, store, colour, trees_of(world, store, colour), &run->work);
}

void sn_project_colour(sn_step *step, sn_store *store, uint8_t colour, bool first, bool backwards,
                       bool sum) {
    sn_world *world = step->world;
    if (!sn_colour_has_work(world, &store->colour[colour])) return;
    if (sn_offload_colour(step, store, colour, first)) return;
    sn_projection p = projection_of(world, store, colour, first);
    if (sum) {
        p.batch.out = world->scratch.jacobi.pulled;
        p.batch.turned = world->scratch.jacobi.turned;
    }
    sn_colour_run(world, store, colour, backwards, trees_of(world, store, colour), project, &p);
}

/* ---- Colours on tracks ---- */

/*
 * A sweep as a flow. It is the same in most substeps, so it is kept: to make it anew takes as long
 * as some colours do, and for other threads to fetch what was written anew as long again.
 */
/* What a sweep follows from that may change within a step. */
typedef struct sweep_key {
    uint64_t step, kept; /* which, and a hash of whose multipliers are kept */
    size_t asleep;
    int end;
    bool first;
} sweep_key;

/* Followed by the tasks of its colours, and then by the stages. */
typedef struct sweep {
    _Alignas(16) sweep_key key;
    bool small; /* whether the last colour was */
    size_t count;
} sweep;

size_t sn_sweep_bytes(size_t colours) {
    return sizeof(sweep) + colours * (sizeof(sn_flow_stage) + sizeof(sn_colour_task));
}

static sn_colour_task *tasks_of(sweep *s) {
    return (sn_colour_task *)(s + 1);
}

static sn_flow_stage *stages_of(const sn_tracks *tracks, bool backwards, sweep *s) {
    size_t room = (tracks->sweep_capacity[backwards] - sizeof *s) /
                  (sizeof(sn_flow_stage) + sizeof(sn_colour_task));
    return (sn_flow_stage *)(tasks_of(s) + room);
}

static void add_colour(const sn_world *world, const sn_store *store, uint8_t colour, bool backwards,
                       sweep *s) {
    const sn_tracks *tracks = &world->scratch.tracks;
    if (!sn_colour_has_work(world, &store->colour[colour])) return;
    sn_colour_task *to = &tasks_of(s)[s->count];
    sn_flow_stage *stage = &stages_of(tracks, backwards, s)[s->count++];
    *stage = sn_project_stage(world, store, colour, s->key.first, backwards, to);
    stage->window =
        sn_tracks_window_after(tracks, store, (size_t)(store - world->store), colour, &s->small);
}

static bool is_swept(const sn_store *store) {
    return store->count > 0 && sn_store_rank(store) == SN_RANK_CONSTRAINTS;
}

static sweep_key key_of(const sn_step *step, int end, bool first) {
    const sn_world *world = step->world;
    sweep_key key = {world->steps, 0, world->sleep.count, end, first};
    for (size_t i = 0; i < world->store_count; i++)
        if (is_swept(&world->store[i])) key.kept = sn_hash_word(key.kept, world->store[i].kept);
    return key;
}

static bool is_kept(const sn_step *step, const sweep *s, sweep_key key) {
    return step->substep > 0 && !step->remembers && s->key.step == key.step &&
           s->key.kept == key.kept && s->key.asleep == key.asleep && s->key.end == key.end &&
           s->key.first == key.first;
}

static void project_on_tracks(sn_step *step, int end, bool first, bool backwards) {
    const sn_world *world = step->world;
    const sn_tracks *tracks = &world->scratch.tracks;
    size_t stores = world->store_count;
    sweep *s = tracks->sweep[backwards];
    sweep_key key = key_of(step, end, first);
    if (!is_kept(step, s, key)) {
        *s = (sweep){.key = key};
        for (size_t i = 0; i < stores; i++) {
            const sn_store *store = &world->store[backwards ? stores - 1 - i : i];
            for (int k = 0; k < end && is_swept(store); k++)
                add_colour(world, store, (uint8_t)(backwards ? end - 1 - k : k), backwards, s);
        }
    }
    sn_flow_stage *stages = stages_of(tracks, backwards, s);
    sn_node_pass pass = {step, true, true};
    if (step->ending) {
        stages[s->count] = sn_node_pass_stage(&pass);
        stages[s->count].window = tracks->over;
    }
    sn_team_flow(world->bindings.team, stages, s->count + step->ending, tracks->count);
    step->ending = false;
}

/* ---- Sweeps ---- */

void sn_project_coloured(sn_step *step, int end, bool first, bool backwards) {
    sn_world *world = step->world;
    size_t stores = world->store_count;
    if (world->scratch.tracks.count > 0 && !step->backend) {
        project_on_tracks(step, end, first, backwards);
        return;
    }
    for (size_t i = 0; i < stores; i++) {
        sn_store *store = &world->store[backwards ? stores - 1 - i : i];
        if (!is_swept(store)) continue;
        (void)sn_lane_trial_begin(world, &store->trial, store->count);
        for (int k = 0; k < end; k++) {
            int colour = backwards ? end - 1 - k : k;
            if (store->colour[colour].count > 0)
                sn_project_colour(step, store, (uint8_t)colour, first, backwards, false);
        }
        sn_lane_trial_end(world, &store->trial);
    }
}

static void sweep_all(sn_step *step, bool first, bool backwards) {
    sn_project_coloured(step, SN_COLOURS, first, backwards);
}

const sn_solver_type sn_solver_coloured = {
    .sweep = sweep_all, .offloads = true, .holds_joints = true};

void sn_project_rank(sn_step *step, int rank, bool first) {
    sn_world *world = step->world;
    for (size_t i = 0; i < world->store_count; i++) {
        sn_store *store = &world->store[i];
        if (sn_store_rank(store) != rank || store->count == 0) continue;
        for (int colour = 0; colour < SN_COLOURS; colour++)
            sn_project_colour(step, store, (uint8_t)colour, first, false, false);
    }
}
