#include "state/frames.h"

#include "state/type.h"

#define COLUMNS(f)                                                                                 \
    {                                                                                              \
        {(void **)&(f)->q, sizeof *(f)->q}, {(void **)&(f)->start, sizeof *(f)->start},            \
            {(void **)&(f)->omega, sizeof *(f)->omega}, {(void **)&(f)->turn, sizeof *(f)->turn},  \
            {(void **)&(f)->predicted, sizeof *(f)->predicted},                                    \
            {(void **)&(f)->w, sizeof *(f)->w}, {(void **)&(f)->torque, sizeof *(f)->torque},      \
            {(void **)&(f)->inertia, sizeof *(f)->inertia},                                        \
            {(void **)&(f)->radii, sizeof *(f)->radii},                                            \
            {(void **)&(f)->target, sizeof *(f)->target},                                          \
            {(void **)&(f)->aimed, sizeof *(f)->aimed}, {(void **)&(f)->node, sizeof *(f)->node},  \
    }
enum { COLUMN_COUNT = 12 };

static const sn_vec4 none = {0, 0, 0, 0}, unturned = {0, 0, 0, 1};

bool sn_frames_reserve(sn_frames *frames, sn_memory *memory, size_t extra) {
    size_t needed = sn_slots_needed(&frames->slots, extra);
    if (!sn_slots_reserve(&frames->slots, memory, needed)) return false;
    if (frames->capacity > 0 && needed <= frames->capacity) return true;
    bool fresh = frames->capacity == 0;
    sn_column columns[] = COLUMNS(frames);
    size_t grown =
        sn_columns_grow(memory, columns, COLUMN_COUNT, SN_NODE_FRONT, frames->capacity, needed);
    if (grown == 0) return false;
    for (size_t i = frames->capacity; i < grown; i++) frames->predicted[i] = unturned;
    frames->capacity = grown;
    for (int i = 1; fresh && i <= SN_NODE_FRONT; i++) frames->q[-i] = frames->start[-i] = unturned;
    return true;
}

void sn_frames_free(sn_frames *frames, sn_memory *memory) {
    sn_column columns[] = COLUMNS(frames);
    sn_columns_free(memory, columns, COLUMN_COUNT, SN_NODE_FRONT, frames->capacity);
    sn_slots_free(&frames->slots, memory);
}

void sn_frames_set_w(sn_frames *frames, uint32_t index, sn_vec3 w) {
    frames->w[index] = (sn_vec4){w.x, w.y, w.z, 0};
    frames->inertia[index] =
        (sn_vec4){w.x > 0 ? 1 / w.x : 0, w.y > 0 ? 1 / w.y : 0, w.z > 0 ? 1 / w.z : 0, 0};
}

void sn_frames_set_radii(sn_frames *frames, uint32_t index, sn_vec3 radii) {
    frames->ellipsoids -= frames->radii[index].x > 0;
    frames->radii[index] = (sn_vec4){radii.x, radii.y, radii.z, 0};
    frames->ellipsoids += radii.x > 0;
}

uint32_t sn_frames_take(sn_frames *frames, uint32_t node) {
    uint32_t i = sn_slots_take(&frames->slots);
    frames->q[i] = frames->start[i] = unturned;
    frames->omega[i] = frames->turn[i] = frames->torque[i] = none;
    sn_frames_set_w(frames, i, (sn_vec3){0, 0, 0});
    frames->radii[i] = none;
    frames->aimed[i] = 0;
    frames->node[i] = node;
    return i;
}

void sn_frames_give(sn_frames *frames, uint32_t index) {
    frames->q[index] = frames->start[index] = unturned;
    frames->omega[index] = frames->turn[index] = none;
    sn_frames_set_w(frames, index, (sn_vec3){0, 0, 0});
    sn_frames_set_radii(frames, index, (sn_vec3){0, 0, 0});
    frames->torque[index] = none;
    frames->aimed[index] = 0;
    sn_slots_give(&frames->slots, index);
}
