/*
 * A team of threads that works on one range at a time.
 *
 * The stepping thread runs the step as if it were alone. Where there is much to do it publishes a
 * stage: a function and a range, cut into chunks. Every thread has a share of these, the same part
 * of the range in every stage, so that it meets the same data again; who is through and waits for
 * long takes chunks of others. The stage ends when all chunks are done, whoever did them: a thread
 * that is late, or a host that never runs it, costs speed and nothing else.
 *
 *   stage  ----+----------------------------+----------------------------
 *   stepping   | publish  0  1   wait        | publish ...
 *   helper     |          2  3  (takes 1?)   |          spinning, then asleep between steps
 *
 * A chunk is taken by raising a word that has the number of the stage in it, so a thread that still
 * believes in an older stage can take nothing.
 *
 * A flow is several stages, without a barrier between them. All of them are cut into the same
 * number of tracks, and a track goes on as soon as the few others that it names are through the
 * stages before: to look at two neighbours is a tenth of a barrier of sixteen threads.
 *
 *   track 0   [stage 0][ 1 ][  2  ]
 *   track 1   [ 0 ]   [ 1 ][ 2 ]       after stage 0 it waits for 0 and 2, not for 3
 *   track 2   [stage 0 ][ 1 ][ 2 ]
 *   track 3   [    stage 0    ][ 1 ][ 2 ]
 */
#ifndef SN_BASE_TEAM_H
#define SN_BASE_TEAM_H

#include "base/memory.h"

enum { SN_MAX_THREADS = 256 };

typedef struct sn_team sn_team;

/* Works on the items from begin to end of the published range. */
typedef void sn_range_function(void *context, size_t begin, size_t end);

/* A team of `threads` (0: one per core) or null when there is no memory; with the host's tasks if
   it has a start function, otherwise with threads of its own. */
sn_team *sn_team_create(sn_memory *memory, int threads, const sn_task_system *tasks);
void sn_team_destroy(sn_memory *memory, sn_team *team);
int sn_team_threads(const sn_team *team);

/* Whether the steps that begin from now on are the stepping thread's alone. */
void sn_team_set_alone(sn_team *team, bool alone);
bool sn_team_is_alone(const sn_team *team);
/* How many threads had work in the last step that was not. */
size_t sn_team_most(const sn_team *team);

/* Between these two calls the team is awake and stages are cheap. */
void sn_team_begin(sn_team *team);
void sn_team_end(sn_team *team);

/* Runs function over [0, count) in pieces; on this thread alone when count is below `alone`. */
void sn_team_run(sn_team *team, size_t count, size_t alone, sn_range_function *function,
                 void *context);

/* Tracks from begin to end, that one waits for; its own may be among them. */
typedef struct sn_window {
    uint16_t begin, end;
} sn_window;

/* A stage of a flow: track t of n has the items from count t / n to count (t + 1) / n. */
typedef struct sn_flow_stage {
    sn_range_function *function;
    void *context;
    size_t count;
    const sn_window *window; /* per track: who must be through all stages before this one; null for
                                the first, before which there are none */
} sn_flow_stage;

/* The most tracks that are of use: threads that have a core each. */
int sn_team_tracks(const sn_team *team);
/* Another number of them, up to that of the threads, wherever these have their cores. */
void sn_team_set_tracks(sn_team *team, int tracks);

/* Runs stages one after the other on so many tracks. */
void sn_team_flow(sn_team *team, const sn_flow_stage *stages, size_t count, size_t tracks);

#endif
