/* Repeating what was recorded, from bytes. */
#ifndef SN_API_REPLAY_H
#define SN_API_REPLAY_H

#include "base/archive.h"
#include "state/world.h"

#include <sinew/recording.h>

/* Opens the archive of a recording, and finds the snapshot that it begins with. */
sn_result sn_replay_open(sn_archive *a, const uint8_t *data, size_t size,
                         sn_archive_view *snapshot);

/* What is repeated of a recording. */
typedef struct sn_replay_span {
    const uint8_t *data;
    size_t size;
    size_t from; /* byte of the first call; 0: the beginning, where the snapshot is loaded */
    size_t most_steps;
} sn_replay_span;

/* Repeats calls until a step differs, that many steps are done, or there are no more; the next one
   is at the byte `next`. */
sn_result sn_replay(sn_world *world, const sn_replay_span *span, size_t *next,
                    sn_replay_report *report);

#endif
