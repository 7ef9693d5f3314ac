/*
 * Coloured Gauss-Seidel, the default solver.
 *
 * Types in the order of their list, and within a type colour after colour. The constraints of a
 * colour move no common node: lanes and threads share them in any way and the result is the same.
 * Between colours all threads meet; or, where constraints stay as they are, only those that share
 * nodes (state/tracks.h). What has no colour is done one by one. Stores of another rank
 * have their own turn, with the other solvers as well.
 */
#include "step/colour_run.h"
#include "step/offload.h"
#include "step/solvers/solver.h"

#include <string.h>

/* What is run over a colour, and over how much of it. */
typedef struct projection {
    sn_batch batch;
    sn_loop *loop, *single; /* for whole blocks, and for any range */
} projection;

static void project(const void *what, size_t begin, size_t end, bool single) {
    const projection *p = what;
    (single ? p->single : p->loop)(&p->batch, begin, end);
}

static projection projection_of(const sn_world *world, const sn_store *store, uint8_t colour,
                                bool first) {
    sn_softness softness = sn_step_softness(world, store);
    const sn_loops *wide = store->type->loops[world->bindings.width];
    const sn_loops *narrow = store->type->loops[SN_WIDTH_1];
    projection p = {.batch = sn_step_batch(world, store, colour),
                    .loop = wide->project[softness][store->kept],
                    .single = narrow->project[softness][store->kept]};
    p.batch.first = first;
    return p;
}

static const uint16_t *trees_of(const sn_world *world, const sn_store *store, uint8_t colour) {
    return sn_trees_mask(&world->scratch.trees, (size_t)(store - world->store), colour);
}

void sn_project_colour(sn_step *step, sn_store *store, uint8_t colour, bool first, bool backwards,
                       bool sum) {
    sn_world *world = step->world;
    if (!sn_colour_has_work(world, &store->colour[colour])) return;
    if (sn_offload_colour(step, store, colour, first)) return;
    projection p = projection_of(world, store, colour, first);
    if (sum) {
        p.batch.out = world->scratch.jacobi.pulled;
        p.batch.turned = world->scratch.jacobi.turned;
    }
    sn_colour_run(world, store, colour, backwards, trees_of(world, store, colour), project, &p);
}

/* ---- Colours on tracks ---- */

/*
 * A sweep as a flow. It is the same in most substeps, and what all threads read is written only
 * where it has changed: to fetch it anew would take each of them as long as a small colour does.
 */
typedef struct task {
    sn_colour_work work;
    projection projection;
} task;

typedef struct sweep {
    sn_step *step;
    bool first, backwards;
    bool small; /* whether the last colour was */
    size_t count;
    sn_flow_stage *stage;
    task *task;
} sweep;

size_t sn_sweep_bytes(size_t colours) {
    return colours * (sizeof(sn_flow_stage) + sizeof(task));
}

static sweep begin_sweep(sn_step *step, bool first, bool backwards) {
    const sn_tracks *tracks = &step->world->scratch.tracks;
    size_t room = tracks->sweep_capacity[backwards] / sn_sweep_bytes(1);
    task *tasks = tracks->sweep[backwards];
    return (sweep){.step = step,
                   .first = first,
                   .backwards = backwards,
                   .task = tasks,
                   .stage = (sn_flow_stage *)(tasks + room)};
}

static void renew(void *kept, const void *fresh, size_t bytes) {
    if (memcmp(kept, fresh, bytes) != 0) memcpy(kept, fresh, bytes);
}

static void add_stage(sweep *s, sn_flow_stage stage, const sn_window *window) {
    stage.window = window;
    renew(&s->stage[s->count++], &stage, sizeof stage);
}

static void add_colour(sweep *s, const sn_store *store, uint8_t colour) {
    const sn_world *world = s->step->world;
    const sn_tracks *tracks = &world->scratch.tracks;
    if (!sn_colour_has_work(world, &store->colour[colour])) return;
    task *kept = &s->task[s->count];
    projection p = projection_of(world, store, colour, s->first);
    sn_colour_work work = {.range = project, .what = &kept->projection, .backwards = s->backwards};
    sn_flow_stage stage =
        sn_colour_stage(world, store, colour, trees_of(world, store, colour), &work);
    stage.context = &kept->work;
    renew(&kept->projection, &p, sizeof p);
    renew(&kept->work, &work, sizeof work);
    bool small = sn_tracks_is_small(tracks, store, colour), after_small = s->small && !small;
    s->small = small;
    add_stage(s, stage,
              after_small
                  ? tracks->wide
                  : sn_tracks_windows(tracks, store, (size_t)(store - world->store), colour));
}

static void project_on_tracks(sn_step *step, int end, bool first, bool backwards) {
    const sn_world *world = step->world;
    const sn_tracks *tracks = &world->scratch.tracks;
    sweep s = begin_sweep(step, first, backwards);
    sn_node_pass pass = {step, true, true};
    size_t stores = world->store_count;
    for (size_t i = 0; i < stores; i++) {
        const sn_store *store = &world->store[backwards ? stores - 1 - i : i];
        if (store->count == 0 || sn_store_rank(store) != SN_RANK_CONSTRAINTS) continue;
        for (int k = 0; k < end; k++) add_colour(&s, store, (uint8_t)(backwards ? end - 1 - k : k));
    }
    if (step->ending) {
        add_stage(&s, sn_node_pass_stage(&pass), tracks->over);
        step->ending = false;
    }
    sn_team_flow(world->bindings.team, s.stage, s.count, tracks->count);
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
        if (store->count == 0 || sn_store_rank(store) != SN_RANK_CONSTRAINTS) continue;
        for (int k = 0; k < end; k++) {
            int colour = backwards ? end - 1 - k : k;
            if (store->colour[colour].count > 0)
                sn_project_colour(step, store, (uint8_t)colour, first, backwards, false);
        }
    }
}

static void sweep_all(sn_step *step, bool first, bool backwards) {
    sn_project_coloured(step, SN_COLOURS, first, backwards);
}

const sn_solver_type sn_solver_coloured = {.sweep = sweep_all, .offloads = true};

void sn_project_rank(sn_step *step, int rank, bool first) {
    sn_world *world = step->world;
    for (size_t i = 0; i < world->store_count; i++) {
        sn_store *store = &world->store[i];
        if (sn_store_rank(store) != rank || store->count == 0) continue;
        for (int colour = 0; colour < SN_COLOURS; colour++)
            sn_project_colour(step, store, (uint8_t)colour, first, false, false);
    }
}
