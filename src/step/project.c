/* Constraints in the step: one sweep of the solver, trees, and types that are bounds. */
#include "step/integrators/integrator.h"
#include "step/solvers/solver.h"
#include "step/tree_solver.h"

void sn_project_constraints(sn_step *step) {
    const sn_solver_type *solver = step->solver;
    bool first = step->iteration == 0, both_ways = step->integrator->both_ways;
    bool backwards = step->world->settings.alternate && step->iteration % 2 == 1 && !both_ways;
    if (solver->sweep) solver->sweep(step, first, backwards);
    if (solver->together) solver->together(step, first);
    if (solver->sweep && both_ways) solver->sweep(step, false, true);
    sn_trees_solve(step, first);
}

bool sn_project_has_bounds(const sn_world *world) {
    for (size_t i = 0; i < world->store_count; i++)
        if (sn_store_rank(&world->store[i]) == SN_RANK_BOUND && world->store[i].count > 0)
            return true;
    return false;
}

void sn_project_bounds(sn_step *step) {
    sn_project_rank(step, SN_RANK_BOUND, step->iteration == 0);
}
