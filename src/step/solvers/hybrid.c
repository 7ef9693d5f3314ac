/*
 * The first `hybrid_colours` colours of each type as the coloured solver has them, and the rest as
 * Jacobi does: for many small colours at the end.
 */
#include "step/solvers/solver.h"

static int in_turn(const sn_settings *settings) {
    return settings->hybrid_colours;
}

static void prepare(sn_step *step) {
    sn_jacobi_share(step, true, 1);
}

static void sweep(sn_step *step, bool first, bool backwards) {
    sn_project_coloured(step, in_turn(&step->world->settings), first, backwards);
}

const sn_solver_type sn_solver_hybrid = {
    .in_turn = in_turn,
    .plan = sn_world_reserve_jacobi,
    .prepare = prepare,
    .masses = sn_jacobi_masses,
    .sweep = sweep,
    .together = sn_project_jacobi,
};
