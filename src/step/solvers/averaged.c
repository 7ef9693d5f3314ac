/*
 * Jacobi with averaged corrections: every node moves by the mean of what its constraints ask for,
 * each with its whole mass, times `relaxation` (survey section 6.1.2).
 */
#include "step/solvers/solver.h"

static int none_in_turn(const sn_settings *settings) {
    (void)settings;
    return 0;
}

static void prepare(sn_step *step) {
    sn_jacobi_share(step, false, step->world->settings.relaxation);
}

const sn_solver_type sn_solver_averaged = {
    .in_turn = none_in_turn,
    .plan = sn_world_reserve_jacobi,
    .prepare = prepare,
    .masses = sn_jacobi_masses,
    .together = sn_project_jacobi,
};
