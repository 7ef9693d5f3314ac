/*
 * The contract of a solver: how the constraints of a substep are brought together.
 *
 * A solver is one file here and one line in SN_SOLVERS (sinew/world.h), from which the table in
 * solvers.c, the names in scene files and the checks of settings follow. The step asks no number
 * but the object, sn_step.solver; who projects something else than constraints (contacts, levels,
 * shape matchings, targets) does not know which it is, nor do the types.
 *
 * Constraints of a type have colours, and those of one colour share no node that they move. A
 * solver solves the lower colours in turn, where each sees what the ones before have done
 * (Gauss-Seidel), and the others all at once (Jacobi, or a system of them all). Types that are
 * `last` are not the business of the solver.
 */
#ifndef SN_STEP_SOLVERS_SOLVER_H
#define SN_STEP_SOLVERS_SOLVER_H

#include "step/colour_run.h"
#include "step/step.h"

typedef struct sn_solver_type {
    /* Colours below this are solved in turn and see whole masses, as the settings have it; null:
       all of them do. */
    int (*in_turn)(const sn_settings *settings);
    /* The most colours of a type that are solved one after the other, where nodes are split for
       that; null where they are not. */
    int (*phases)(const sn_settings *settings);
    /* Memory for a step; false when there is none. Null where nothing is needed. */
    bool (*plan)(sn_world *world);
    /* Before coefficients are made of masses that are new: masses and shares of what is solved all
       at once. Null where there is nothing of that. */
    void (*prepare)(sn_step *step);
    /* The masses that constraints see which are solved all at once; null where `prepare` is. */
    sn_masses (*masses)(const sn_world *world);
    /* Projects what is solved in turn, in order or backwards, once. `first` is true where
       multipliers start at zero. Null where nothing is solved in turn. */
    void (*sweep)(sn_step *step, bool first, bool backwards);
    /* Projects what is solved all at once; null where nothing is. */
    void (*together)(sn_step *step, bool first);
    /* Whether it projects colour by colour and nothing else, so that a backend can take some. */
    bool offloads;
    /* Whether constraints of all bodies are solved as trees where they are some, and not only those
       of bodies that ask for it (step/tree_solver.h). */
    bool trees;
    /* Whether joints are solved as trees where its sweeps could not hold what they carry
       (step/tree_loads.c). */
    bool holds_joints;
} sn_solver_type;

/* solvers.c: the table. */
const sn_solver_type *sn_solver_of(const sn_settings *settings);

/* The number of colours that a solver solves in turn. */
int sn_solver_in_turn(const sn_solver_type *solver, const sn_settings *settings);

/* ---- What solvers have in common ---- */

/* coloured.c: the loops over a colour, as a stage of a flow or of a solver's own; `run` is what the
   stage refers to. The batch may be changed before it runs. */
typedef struct sn_projection {
    sn_batch batch;
    sn_loop *loop, *single; /* for whole blocks, and for any range */
} sn_projection;
typedef struct sn_colour_task {
    sn_colour_work work;
    sn_projection projection;
} sn_colour_task;
sn_flow_stage sn_project_stage(const sn_world *world, const sn_store *store, uint8_t colour,
                               bool first, bool backwards, sn_colour_task *run);

/* coloured.c: the colours below `end` of all types; one colour, whose corrections are added up
   instead of applied with `sum`. */
void sn_project_coloured(sn_step *step, int end, bool first, bool backwards);
void sn_project_colour(sn_step *step, sn_store *store, uint8_t colour, bool first, bool backwards,
                       bool sum);

/* And bytes for a sweep of so many colours, which is kept as it was the last time. */
size_t sn_sweep_bytes(size_t colours);

/* jacobi.c: what solvers that add up corrections share. `split` says whether constraints see split
   masses, `part` how much of the mean a node takes. */
void sn_jacobi_share(sn_step *step, bool split, sn_real part);
sn_masses sn_jacobi_masses(const sn_world *world);
void sn_project_jacobi(sn_step *step, bool first);

#endif
