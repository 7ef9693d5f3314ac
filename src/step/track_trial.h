/*
 * How many tracks are fastest, by trying them.
 *
 * Nodes at the borders of tracks go from core to core in every colour. What that takes depends on
 * the machine and on what else it does, and of small bodies it is more than threads save: a balloon
 * of 640 nodes took twice as long with two threads as with one. So steps are made with as many
 * tracks as could be of use, with half as many, and so on down to one, a few with each; then those
 * with the fastest step stay for a while. The bits are the same with all of them.
 */
#ifndef SN_STEP_TRACK_TRIAL_H
#define SN_STEP_TRACK_TRIAL_H

#include "state/tracks.h"

/* How many are to be used in this step, of at most so many that are of use. `took` is what a
   substep of the last step took (s), if that was made with what the trial said, or infinity. */
size_t sn_track_trial_next(sn_track_trial *trial, size_t most, size_t constraints, double took);

#endif
