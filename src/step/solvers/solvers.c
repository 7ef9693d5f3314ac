/* The table of solvers. */
#include "step/solvers/solver.h"

#define SOLVER_OBJECT(lower, upper) extern const sn_solver_type sn_solver_##lower;
SN_SOLVERS(SOLVER_OBJECT)

#define SOLVER_ENTRY(lower, upper) [SN_SOLVER_##upper] = &sn_solver_##lower,
static const sn_solver_type *const list[] = {SN_SOLVERS(SOLVER_ENTRY)};

const sn_solver_type *sn_solver_of(const sn_settings *settings) {
    return list[settings->solver];
}

int sn_solver_in_turn(const sn_solver_type *solver, const sn_settings *settings) {
    return solver->in_turn ? solver->in_turn(settings) : SN_COLOURS;
}
