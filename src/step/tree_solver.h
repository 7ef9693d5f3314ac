/*
 * The direct solve of constraints whose graph is a tree: chains, rods, joints of a skeleton.
 *
 * One Newton step of all constraints of a tree together, multipliers and compliances as in XPBD:
 *
 *   [ M  -J^T ] [ dx      ]   [          0          ]
 *   [ J alpha ] [ dlambda ] = [ -(C + alpha lambda) ]
 *
 * Eliminated from the leaves to the root, nodes and constraints in turn, the factors of the matrix
 * have no entry that it has not: the work grows with the number of links (Deul, Kugelstadt, Weiler
 * and Bender 2018, Direct Position-Based Solver for Stiff Rods; Baraff 1996 for bodies on joints).
 * What is not of a tree is the business of the solver of the world, which comes before it in every
 * iteration, and of contacts, which come behind: each sees what the other has done.
 *
 * Which constraints these are: on nodes of bodies whose `solver` is direct, or of all with
 * SN_SOLVER_DIRECT, those with two sides or one and six rows at most, that move one node or two.
 * Springs, servos, motors and brakes that act both ways are beside the joints of such nodes.
 * What closes a loop is left out, in the order of creation; where that is many the set of nodes is
 * a mesh and has no tree.
 */
#ifndef SN_STEP_TREE_SOLVER_H
#define SN_STEP_TREE_SOLVER_H

#include "state/step_context.h"

/* tree_graph.c: finds them, where something has changed; false when there is no memory. */
bool sn_trees_plan(sn_step *step);

/* tree_loads.c: finds out whose joints sweeps could not hold, of trees of joints alone; false when
   there is no memory. */
bool sn_trees_weigh(sn_step *step);

/* Whether constraints of a type are stiff across their direction, by the force of the substep
   before. */
static inline bool sn_trees_are_stiff(const sn_constraint_type *type) {
    return type->info.rows == 1 && type->info.frames == 0 && type->info.nodes == 2 &&
           !type->info.external && !type->bounded;
}

/* Drives: what has a target or a speed, and may have a largest force, its last field. */
static inline bool sn_trees_is_drive(const sn_constraint_type *type) {
    return type->aims && type->bounded && type->info.rows == 1 && type->info.frames == 2;
}

/* Whether multipliers of a store are asked for in the next substep. */
static inline bool sn_trees_remember(const sn_world *world, const sn_store *store) {
    return world->scratch.trees.trees > 0 &&
           (store->trait[SN_TRAIT_SIDED] > 0 || store->type->anchors > 0 ||
            sn_trees_are_stiff(store->type));
}

/* tree_frames.c: turns the frames of a tree that have no inertia to where they are in equilibrium,
   those of bodies whose `solver` is closed_form. */
void sn_tree_turn_frames(const sn_world *world, sn_link_tree tree);

/* Takes the torques on such frames for this step, that these do not turn them freely as well. */
bool sn_trees_have_torques(const sn_world *world);
void sn_trees_take_torques(sn_step *step);

/* tree_solve.c: solves all of them, with all threads. */
void sn_trees_solve(sn_step *step, bool first);

#endif
