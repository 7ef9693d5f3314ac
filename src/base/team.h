/*
 * A team of threads that works on one range at a time.
 *
 * The stepping thread runs the step as if it were alone. Where there is much to do it publishes a
 * stage: a function and a range, cut into chunks. Everybody claims chunks, their own first, so that
 * a thread meets the same data in every stage; who has none left takes those of others. The stage
 * ends when all chunks are done, whoever did them: a thread that is late, or a host that never runs
 * it, costs speed and nothing else.
 *
 *   stage  ----+----------------------------+----------------------------
 *   stepping   | publish  0  1   wait        | publish ...
 *   helper     |          2  3  (steals 1?)  |          spinning, then asleep between steps
 *
 * A chunk is claimed by raising its stamp from the last stage to this one. A stage is over only
 * when every chunk carries its stamp, so a thread that still believes in an older stage can claim
 * nothing.
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

/* Between these two calls the team is awake and stages are cheap. */
void sn_team_begin(sn_team *team);
void sn_team_end(sn_team *team);

/* Runs function over [0, count) in pieces; on this thread alone when count is below `alone`. */
void sn_team_run(sn_team *team, size_t count, size_t alone, sn_range_function *function,
                 void *context);

#endif
