/*
 * Which lanes are fastest, by trying them.
 *
 * Twice as many lanes are not twice as fast: most of a loop is fetching nodes from where they are.
 * On one x86-64 a beam of tetrahedra took 1.4 times as long with 16 lanes as with 4, and another
 * material of the same beam three quarters; nodes on colliders are quickest with 4, particles of
 * fluids with 16. It depends on the loop, the machine and how much of it lies in which cache, so
 * the first runs over something are made with each of the widths in turn, and the one with the
 * shortest run stays. The bits are the same with all of them.
 *
 * A run does what it would do anyway, so that a trial costs no more than how much slower some of
 * its runs are. What is far slower is tried once where a run is long, and what takes long is tried
 * less often: of a frame that takes a second, a sweep with each width.
 */
#ifndef SN_STATE_LANE_TRIAL_H
#define SN_STATE_LANE_TRIAL_H

#include "state/type.h"

/* Loops that are tried, beside those of constraints, for which each store has a trial. */
typedef enum sn_tried_loops {
    SN_TRIED_SURFACE_CONTACT,
    SN_TRIED_COLLIDER_CONTACT,
    SN_TRIED_RIGID_LOOK, /* at points where they are in a substep, and whether manifolds moved */
    SN_TRIED_RIGID_ROUND,
    SN_TRIED_FLUID_LISTS, /* of neighbours */
    SN_TRIED_FLUID,
    SN_TRIED_COUNT
} sn_tried_loops;

typedef struct sn_lane_trial {
    sn_width width;           /* of the present run; between runs, the fastest so far */
    bool done, timed;         /* whether all widths are known; whether the present run is timed */
    uint8_t runs[SN_WIDTHS];  /* that were timed */
    double least[SN_WIDTHS];  /* s per item, of the shortest */
    double spent[SN_WIDTHS];  /* s, on all of them */
    size_t items, most_items; /* of the present run, and of the one that began the trial */
    double start;             /* s, of the present run */
} sn_lane_trial;

/* Whether the time of a run over so many items would be taken, as long as it is not known which
   lanes are fastest. */
bool sn_lane_trial_is_on(const sn_world *world, const sn_lane_trial *trial, size_t items);

/* Before and after a run over so many items by the thread that steps, whoever helps; and with which
   width it is. Items take the same time, about. */
sn_width sn_lane_trial_begin(const sn_world *world, sn_lane_trial *trial, size_t items);
void sn_lane_trial_end(const sn_world *world, sn_lane_trial *trial);

/* The width of the present run, or of what is not tried but goes the way of what is. */
sn_width sn_lanes_of(const sn_world *world, const sn_lane_trial *trial);

#endif
