/*
 * Gauss-Seidel in the order of creation, one constraint after the other: the solver of the 2007
 * paper, and what the others are measured against.
 */
#include "step/solvers/solver.h"

static void sweep(sn_step *step, bool first, bool backwards) {
    sn_world *world = step->world;
    const sn_constraints *all = &world->constraints;
    uint32_t next = backwards ? all->newest : all->oldest;
    while (next) {
        const sn_constraint_record *record = &all->record[next - 1];
        sn_store *store = &world->store[record->type];
        next = backwards ? record->older : record->newer;
        if (sn_store_rank(store) != SN_RANK_CONSTRAINTS) continue;
        if (world->sleep.count > 0 &&
            !sn_colour_is_awake(&store->colour[record->colour], record->position))
            continue;
        const uint16_t *tree = sn_trees_mask(&world->scratch.trees, record->type, record->colour);
        if (tree && tree[record->position / 16] >> record->position % 16 & 1) continue;
        sn_batch batch = sn_step_batch(world, store, record->colour);
        batch.first = first;
        const sn_loops *loops = store->type->loops[SN_WIDTH_1];
        loops->project[sn_step_softness(world, store)][store->kept](&batch, record->position,
                                                                    (size_t)record->position + 1);
    }
}

const sn_solver_type sn_solver_reference = {.sweep = sweep};
