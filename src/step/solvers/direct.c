/*
 * Trees of constraints at once, whatever bodies they are of (step/tree_solver.h), and the rest as
 * the coloured solver has it.
 */
#include "step/solvers/solver.h"

static void sweep(sn_step *step, bool first, bool backwards) {
    sn_project_coloured(step, SN_COLOURS, first, backwards);
}

const sn_solver_type sn_solver_direct = {.sweep = sweep, .trees = true};
