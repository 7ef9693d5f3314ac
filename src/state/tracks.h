/*
 * How a sweep over the constraints is dealt out to tracks (base/team.h): scratch of the world, made
 * when constraints have been the same for a step (step/track_plan.c).
 *
 * A track has the same part of every colour. Where bodies are built in some order of space that is
 * about the same part of space, so the tracks that share nodes with it are the two beside it; what
 * they are in truth is looked up here. Nodes are only handed from track to track in the order of
 * colours, so bits are those of colours that are done one after the other.
 *
 * Small colours, of less than a block for every track, are what the others have left, from
 * everywhere. A track waits for all that share nodes with it before its part of one, and once after
 * it; otherwise for those that share nodes with it in large colours.
 */
#ifndef SN_STATE_TRACKS_H
#define SN_STATE_TRACKS_H

#include "base/team.h"
#include "state/store.h"

/* The first and the last track that has to do with a node; first > last where none has. */
typedef struct sn_track_reach {
    uint16_t first, last;
} sn_track_reach;

/* Of a trial (step/track_trial.h). */
typedef struct sn_track_trial {
    size_t most, constraints; /* as it began */
    size_t count, best;       /* of these steps; of the fastest before them */
    double least, fastest;    /* s: a substep of these steps; of those */
    int steps;                /* with as many */
    bool known;
} sn_track_trial;

typedef struct sn_tracks {
    /* 0 where every colour is a stage that all threads meet after, 1 where one thread has all of
       them. */
    size_t count;
    size_t useful; /* the most that are of use */
    sn_track_trial trial;
    uint64_t edits; /* of the stores, when these were last looked at */
    size_t nodes;   /* that there were then */
    int most;       /* tracks that the team had then */
    bool made;
    bool timed;      /* whether the last step was made on them */
    uint32_t *begin; /* per store, its windows: for each colour in turn, then what has none */
    sn_window *window;
    sn_window *wide; /* per track: all that share nodes with it anywhere */
    sn_window *over; /* per track: all that have to do with its part of the nodes */
    void *sweep[2];  /* forth and back, as they were last (coloured.c) */
    void *damping;   /* scratch: a sweep of dashpots (dashpots.c) */
    sn_track_reach *reach[2], *turned[2]; /* per node and per frame: in large colours, in all */
    size_t begin_capacity, window_capacity, wide_capacity, over_capacity, reach_capacity,
        turned_capacity;
    size_t sweep_capacity[2], damping_capacity; /* bytes */
} sn_tracks;

/* The two of them as columns. */
#define SN_TRACK_COLUMNS(of)                                                                       \
    {                                                                                              \
        {(void **)&(of)[0], sizeof *(of)[0]}, {                                                    \
            (void **)&(of)[1], sizeof *(of)[1]                                                     \
        }                                                                                          \
    }

void sn_tracks_free(sn_tracks *tracks, sn_memory *memory);

/* Runs a function over nodes; where there are tracks, each has the same part every time, which is
   about the one that its constraints are in. Otherwise as the team does. */
void sn_tracks_run(const sn_tracks *tracks, sn_team *team, size_t nodes, size_t alone,
                   sn_range_function *function, void *context);

/* Per track, whom it waits for before it goes through a colour of a store. */
static inline sn_window *sn_tracks_windows(const sn_tracks *tracks, const sn_store *store,
                                           size_t index, uint8_t colour) {
    size_t row = colour == SN_SEQUENTIAL ? store->colours : colour;
    return tracks->window + tracks->begin[index] + row * tracks->count;
}

/* Whether a colour has less than a block for every track. */
static inline bool sn_tracks_is_small(const sn_tracks *tracks, const sn_store *store,
                                      uint8_t colour) {
    return colour == SN_SEQUENTIAL || sn_colour_blocks(&store->colour[colour]) < tracks->count;
}

/* The same in a sweep; `small` is whether the colour before was small. */
static inline const sn_window *sn_tracks_window_after(const sn_tracks *tracks,
                                                      const sn_store *store, size_t index,
                                                      uint8_t colour, bool *small) {
    const bool was_small = *small;
    *small = sn_tracks_is_small(tracks, store, colour);
    return was_small && !*small ? tracks->wide : sn_tracks_windows(tracks, store, index, colour);
}

#endif
