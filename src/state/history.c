#include "state/history.h"

#include "state/type.h"

#include <string.h>

#define COLUMNS(h)                                                                                 \
    {                                                                                              \
        {(void **)&(h)->s, sizeof *(h)->s}, {(void **)&(h)->change, sizeof *(h)->change},          \
            {(void **)&(h)->predicted, sizeof *(h)->predicted},                                    \
            {(void **)&(h)->base, sizeof *(h)->base}, {(void **)&(h)->w, sizeof *(h)->w},          \
    }
#define FRAME_COLUMNS(h)                                                                           \
    {                                                                                              \
        {(void **)&(h)->turn_s, sizeof *(h)->turn_s},                                              \
            {(void **)&(h)->turn_change, sizeof *(h)->turn_change},                                \
            {(void **)&(h)->turn_w, sizeof *(h)->turn_w},                                          \
    }
#define BODY_COLUMNS(h)                                                                            \
    {                                                                                              \
        {(void **)&(h)->ready, 1}, {(void **)&(h)->second, 1}, {(void **)&(h)->before, 1},         \
            {(void **)&(h)->touched, 1}, {(void **)&(h)->struck, 1},                               \
    }
enum { COLUMN_COUNT = 5, FRAME_COLUMN_COUNT = 3, BODY_COLUMN_COUNT = 5 };

static bool grow(sn_memory *memory, const sn_column *columns, size_t count, size_t front,
                 size_t *capacity, size_t needed) {
    size_t grown = sn_columns_grow(memory, columns, count, front, *capacity, needed);
    if (grown > 0) *capacity = grown;
    return grown > 0;
}

bool sn_history_reserve(sn_history *history, sn_memory *memory, size_t nodes, size_t frames,
                        size_t bodies) {
    sn_column columns[] = COLUMNS(history), frame_columns[] = FRAME_COLUMNS(history);
    sn_column body_columns[] = BODY_COLUMNS(history);
    if ((nodes > history->capacity || history->capacity == 0) &&
        !grow(memory, columns, COLUMN_COUNT, SN_NODE_FRONT, &history->capacity, nodes))
        return false;
    if (frames > history->frame_capacity && !grow(memory, frame_columns, FRAME_COLUMN_COUNT,
                                                  SN_NODE_FRONT, &history->frame_capacity, frames))
        return false;
    return bodies <= history->body_capacity ||
           grow(memory, body_columns, BODY_COLUMN_COUNT, 0, &history->body_capacity, bodies);
}

void sn_history_free(sn_history *history, sn_memory *memory) {
    sn_column columns[] = COLUMNS(history), frame_columns[] = FRAME_COLUMNS(history);
    sn_column body_columns[] = BODY_COLUMNS(history);
    sn_columns_free(memory, columns, COLUMN_COUNT, SN_NODE_FRONT, history->capacity);
    sn_columns_free(memory, frame_columns, FRAME_COLUMN_COUNT, SN_NODE_FRONT,
                    history->frame_capacity);
    sn_columns_free(memory, body_columns, BODY_COLUMN_COUNT, 0, history->body_capacity);
}

void sn_history_restart(sn_history *history, uint32_t body) {
    if (body < history->body_capacity) history->ready[body] = SN_HISTORY_NOT_READY;
    history->settled = false;
}

void sn_history_strike(sn_history *history, uint32_t body) {
    history->struck[body] = true;
    history->ready[body] = SN_HISTORY_LATER;
    history->settled = false;
}

void sn_history_restart_all(sn_history *history) {
    if (history->body_capacity > 0)
        memset(history->ready, SN_HISTORY_NOT_READY, history->body_capacity);
    history->settled = false;
}

void sn_history_forget(sn_history *history, uint32_t node) {
    const sn_vec4 none = {0, 0, 0, 0};
    if (node >= history->capacity) return;
    history->s[node] = history->change[node] = none;
    history->predicted[node] = history->base[node] = none;
}

void sn_history_forget_frame(sn_history *history, uint32_t frame) {
    if (frame >= history->frame_capacity) return;
    history->turn_s[frame] = history->turn_change[frame] = (sn_vec4){0, 0, 0, 0};
}

void sn_history_drive(sn_history *history, uint32_t node, sn_v4 d, sn_v4 p, sn_v4 motion) {
    *(sn_v4 *)&history->predicted[node] = d;
    *(sn_v4 *)&history->base[node] = p + motion * (SN_R(1.0) / 3);
}

bool sn_history_next(sn_history *history, size_t bodies) {
    if (history->settled) return false;
    bool touched = false;
    history->settled = true;
    for (size_t i = 0; i < bodies; i++) {
        /* One that restarts may have nodes that were not there before, so it always counts. */
        bool ready = history->ready[i] == SN_HISTORY_READY;
        history->touched[i] = !ready || !history->second[i];
        history->before[i] = history->second[i] && !history->struck[i];
        history->struck[i] = false;
        history->second[i] = ready;
        history->ready[i] =
            history->ready[i] == SN_HISTORY_LATER ? SN_HISTORY_NOT_READY : SN_HISTORY_READY;
        history->settled &= history->before[i] && history->second[i];
        touched |= history->touched[i];
    }
    return touched;
}
