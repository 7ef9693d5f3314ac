/*
 * Which lanes are fastest, by trying them.
 *
 * Twice as many lanes are not twice as fast: most of a loop is fetching nodes from where they are.
 * It depends on the loop, the machine and how much of it lies in which cache, so the first runs
 * over something are made with 8 and 4 lanes by turns, and what was faster in most rounds stays.
 * The bits are the same with all of them.
 *
 * Sixteen lanes cannot be tried by loops. Registers of 512 bits slow down everything else as well:
 * where some have been used, a core of some machines has a lower clock for a millisecond. So it is
 * whole steps that are made with 16 lanes everywhere, and with the best of 8 and 4, by turns.
 *
 *   steps    (8)  16 (8)  8 | 8  16 | ...         those in brackets are not counted: nothing is in
 *   loops    8 4 | 4 8 | 8 4 ...                  caches yet, or loops are tried
 *
 * Registers of 256 bits do the same, by less. Whether 8 lanes are worth it anywhere in a step is
 * asked first (wide_registers.h).
 *
 * A run does what it would do anyway, so that a trial costs no more than how much slower some of
 * its runs are.
 */
#ifndef SN_STATE_LANE_TRIAL_H
#define SN_STATE_LANE_TRIAL_H

#include "state/type.h"
#include "state/wide_registers.h"

/* What is tried, beside the loops of constraints, for which each store has a trial. */
typedef enum sn_tried {
    SN_TRIED_STEP,
    SN_TRIED_SURFACE_FIND,      /* of all that surfaces consist of */
    SN_TRIED_SURFACE_FIND_SOME, /* of what moved elsewhere */
    SN_TRIED_SURFACE_CONTACT,
    SN_TRIED_COLLIDER_CONTACT,
    SN_TRIED_RIGID_LOOK, /* at points where they are in a substep, and whether manifolds moved */
    SN_TRIED_RIGID_ROUND,
    SN_TRIED_FLUID_LISTS, /* of neighbours */
    SN_TRIED_FLUID,
    SN_TRIED_COUNT
} sn_tried;

typedef struct sn_lane_trial {
    sn_width width;          /* of the present run; between runs, the best so far */
    sn_width best;           /* what was faster in most rounds */
    bool known, timed;       /* whether that is for good; whether the present run is timed */
    bool asks;               /* whether it would be, were 8 lanes not avoided */
    uint8_t asked;           /* runs of which the time was taken for that */
    uint8_t rounds;          /* of the two, one after the other */
    uint8_t wins[SN_WIDTHS]; /* rounds in which it was faster */
    double each[SN_WIDTHS];  /* s per item, in the present round; 0 where it has still to come */
    double start;            /* s, of the present run */
    double narrow;           /* s per item with 4 lanes, where 8 are avoided: the least of these */
    double gain;             /* s per item by which 8 lanes were faster, summed over the rounds */
    double turn, spent;      /* s, in the present turn, which may be several runs; in all turns */
    size_t items;            /* when the trial began */
    size_t run_items, turn_items;
} sn_lane_trial;

/* Before and after a run over so many items by the thread that steps, whoever helps; and with which
   width it is. Items take the same time, about. */
sn_width sn_lane_trial_begin(sn_world *world, sn_lane_trial *trial, size_t items);
void sn_lane_trial_end(sn_world *world, sn_lane_trial *trial);

/* Whether a run over so many items would be timed. */
bool sn_lane_trial_is_on(const sn_world *world, const sn_lane_trial *trial, size_t items);

/* The width of the present run, or of what is not tried but goes the way of what is; and of what
   goes no way but that of the step. */
sn_width sn_lanes_of(const sn_world *world, const sn_lane_trial *trial);
sn_width sn_lanes_most(const sn_world *world);

#endif
