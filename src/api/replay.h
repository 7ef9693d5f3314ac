/* Repeating what was recorded, from bytes. */
#ifndef SN_API_REPLAY_H
#define SN_API_REPLAY_H

#include "base/archive.h"
#include "state/world.h"

#include <sinew/recording.h>

/* Opens the archive of a recording, and finds the snapshot that it begins with. */
sn_result sn_replay_open(sn_archive *a, const uint8_t *data, size_t size,
                         sn_archive_view *snapshot);

/* Repeats calls until a step differs, that many steps are done, or there are no more. */
sn_result sn_replay(sn_world *world, const uint8_t *data, size_t size, size_t most_steps,
                    sn_replay_report *report);

#endif
