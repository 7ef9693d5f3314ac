/*
 * Recordings: every call that changes a world, written to a file as it happens, so that a run can
 * be repeated elsewhere to the bit, and two runs compared.
 *
 * A recording begins with a snapshot. Each successful call is appended with its arguments, each
 * step with the hash of the state after it, and what force fields added, so that nobody has to have
 * them again. Formulas of types that were added (sinew/user.h) are not recorded: a world that
 * repeats the calls must have types of the same names. Everything is written at once, so that a
 * program that crashes leaves a file that can be repeated up to there.
 */
#ifndef SINEW_RECORDING_H
#define SINEW_RECORDING_H

#include <sinew/snapshot.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Records all calls on the world from now on into a file, which is replaced. Where the disk becomes
 * full later, or memory is missing, the calls succeed all the same, the log says so once, and the
 * recording ends there.
 */
SN_API sn_result sn_recording_start(sn_world *world, const char *path);

/* Ends the recording, as sn_world_destroy does; SN_ERROR_FILE or SN_ERROR_MEMORY, with a sentence,
   where not all of it could be written. SN_ERROR_VALUE where nothing is being recorded. */
SN_API sn_result sn_recording_stop(sn_world *world);

/* What came of repeating a recording. */
typedef struct sn_replay_report {
    size_t calls;      /* repeated, steps among them */
    size_t steps;      /* repeated, with that which differs */
    bool differs;      /* whether a step gave another hash than the recorded one */
    size_t step;       /* that step, from 0; the replay stops there */
    uint64_t expected; /* the hash in the recording */
    uint64_t found;    /* the hash of the world after the step */
    bool truncated;    /* whether the file ends without an end, as after a crash */
} sn_replay_report;

/*
 * Loads the snapshot of a recording into the world and repeats the calls, until a step gives
 * another hash or there are no more. Force fields of the world are not called; what they gave when
 * the recording was made takes their place. Threads, SIMD width and machine do not matter.
 *
 * Damaged files are refused (SN_ERROR_DATA) with a sentence that names the place; the world is then
 * as the calls before it have left it. The report, which may be null, is filled in any case.
 */
SN_API sn_result sn_replay_file(sn_world *world, const char *path, sn_replay_report *report);

/*
 * The same in parts, as to show what happens: repeats up to so many steps, with the calls before
 * each, and stops. `from` is 0 for the beginning, where the snapshot is loaded; otherwise it is
 * what `next` became in the part before, and the world must be as that has left it. So a snapshot
 * of the world, kept with `next`, is all that is needed to go back. Fewer steps in the report than
 * were asked for mean that there are no more, or that one differs.
 */
SN_API sn_result sn_replay_file_part(sn_world *world, const char *path, size_t from, size_t steps,
                                     size_t *next, sn_replay_report *report);

/* How many steps a recording has; of one that was cut off, up to there. The world lends its memory
   and stays as it is. */
SN_API sn_result sn_recording_count_steps(sn_world *world, const char *path, size_t *count);

/*
 * Finds the first call or step in which two recordings differ. Where a step has two hashes, both
 * recordings are repeated up to there, one in each world, and the first object and value that
 * differs is named; or it is said that both give the same here, so that what differed was the
 * machine or the build. The worlds need the types that the recordings use.
 */
SN_API sn_result sn_recording_compare(sn_world *world_a, const char *path_a, sn_world *world_b,
                                      const char *path_b, sn_difference *difference);

#ifdef __cplusplus
}
#endif

#endif
