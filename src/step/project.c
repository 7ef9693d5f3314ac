/* Constraints in the step: one sweep of the solver, and types that are bounds. */
#include "step/step.h"

static void sweep(sn_step *step, bool first, bool backwards) {
    const sn_settings *settings = &step->world->settings;
    if (settings->solver == SN_SOLVER_REFERENCE)
        sn_project_reference(step, first, backwards);
    else
        sn_project_coloured(step, sn_step_solved_in_turn(settings), first, backwards);
}

/*
 * With BDF2 every sweep goes forth and back. In one direction alone the constraints pull harder on
 * what comes later, and waves that run one way gain energy. On a chain BDF1 takes from them just
 * what they gain; BDF2 takes next to nothing, and a hard cloth would boil within a second. Forth
 * and back, as all together, they pull evenly.
 */
void sn_project_constraints(sn_step *step) {
    const sn_settings *settings = &step->world->settings;
    int in_turn = sn_step_solved_in_turn(settings), i = step->iteration;
    bool both_ways = settings->integrator == SN_INTEGRATOR_BDF2;
    sweep(step, i == 0, settings->alternate && i % 2 == 1 && !both_ways);
    if (in_turn < SN_COLOURS) sn_project_jacobi(step, in_turn, i == 0);
    if (both_ways) sweep(step, false, true);
}

void sn_project_bounds(sn_step *step) {
    sn_project_last(step, step->iteration == 0);
}
