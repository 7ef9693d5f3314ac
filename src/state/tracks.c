#include "state/tracks.h"

void sn_tracks_free(sn_tracks *tracks, sn_memory *memory) {
    sn_free(memory, tracks->begin, tracks->begin_capacity, sizeof *tracks->begin);
    sn_free(memory, tracks->window, tracks->window_capacity, sizeof *tracks->window);
    sn_free(memory, tracks->wide, tracks->wide_capacity, sizeof *tracks->wide);
    sn_free(memory, tracks->over, tracks->over_capacity, sizeof *tracks->over);
    for (int i = 0; i < 2; i++) sn_free(memory, tracks->sweep[i], tracks->sweep_capacity[i], 1);
    sn_free(memory, tracks->damping, tracks->damping_capacity, 1);
    sn_column reach[] = SN_TRACK_COLUMNS(tracks->reach),
              turned[] = SN_TRACK_COLUMNS(tracks->turned);
    sn_columns_free(memory, reach, 2, 0, tracks->reach_capacity);
    sn_columns_free(memory, turned, 2, 0, tracks->turned_capacity);
}

void sn_tracks_run(const sn_tracks *tracks, sn_team *team, size_t nodes, size_t alone,
                   sn_range_function *function, void *context) {
    /* A pass that is short for one thread is long where it must fetch all nodes from the others. */
    if (tracks->count < 2) {
        sn_team_run(team, nodes, alone, function, context);
        return;
    }
    sn_flow_stage stage = {function, context, nodes, NULL};
    sn_team_flow(team, &stage, 1, tracks->count);
}
