/*
 * Coloured Gauss-Seidel, the default solver.
 *
 * Types in the order of their list, and within a type colour after colour. The constraints of a
 * colour move no common node: lanes and threads share them in any way and the result is the same.
 * Between colours all threads meet. What has no colour is done one by one. Stores of another rank
 * have their own turn, with the other solvers as well.
 */
#include "step/colour_run.h"
#include "step/offload.h"
#include "step/solvers/solver.h"

/* What is run over a colour, and over how much of it. */
typedef struct projection {
    sn_batch batch;
    sn_loop *loop, *single; /* for whole blocks, and for any range */
} projection;

static void project(const void *what, size_t begin, size_t end, bool single) {
    const projection *p = what;
    (single ? p->single : p->loop)(&p->batch, begin, end);
}

void sn_project_colour(sn_step *step, sn_store *store, uint8_t colour, bool first, bool backwards,
                       bool sum) {
    sn_world *world = step->world;
    if (!sn_colour_has_work(world, &store->colour[colour])) return;
    if (sn_offload_colour(step, store, colour, first)) return;
    sn_softness softness = sn_step_softness(world, store);
    const sn_loops *wide = store->type->loops[world->bindings.width];
    const sn_loops *narrow = store->type->loops[SN_WIDTH_1];
    projection p = {.batch = sn_step_batch(world, store, colour),
                    .loop = wide->project[softness][store->kept],
                    .single = narrow->project[softness][store->kept]};
    p.batch.first = first;
    if (sum) {
        p.batch.out = world->scratch.jacobi.pulled;
        p.batch.turned = world->scratch.jacobi.turned;
    }
    const uint16_t *trees =
        sn_trees_mask(&world->scratch.trees, (size_t)(store - world->store), colour);
    sn_colour_run(world, store, colour, backwards, trees, project, &p);
}

void sn_project_coloured(sn_step *step, int end, bool first, bool backwards) {
    sn_world *world = step->world;
    size_t stores = world->store_count;
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
