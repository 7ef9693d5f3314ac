/*
 * A recording that is repeated, step by step (sinew/recording.h): all of it happens again in a
 * world of its own, so that contacts, constraints and the hash are those of the run. What is kept
 * to go back is a snapshot of the world with the place in the file.
 */
#include "view.h"

#include <stdlib.h>
#include <string.h>

struct view_recording {
    sn_world *world;
    view_drawn *drawn;
    char *path;
    size_t next; /* place in the file */
    uint32_t step, step_count;
    bool differs;
    double fps; /* steps per second */
};

/* What follows the snapshot where it is kept. */
typedef struct bookmark {
    uint64_t next;
    uint32_t step, differs;
} bookmark;

bool view_is_recording(const char *path) {
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".reco") == 0;
}

void view_recording_close(view_recording *r) {
    if (!r) return;
    sn_world_destroy(r->world);
    view_drawn_destroy(r->drawn);
    free(r->path);
    free(r);
}

sn_world *view_recording_world(const view_recording *r) {
    return r->world;
}

/* Takes a step to see how long that is, and begins again. */
static sn_result begin(view_recording *r) {
    SN_TRY(sn_replay_file_part(r->world, r->path, 0, 0, &r->next, NULL));
    double before = sn_world_time(r->world);
    SN_TRY(sn_replay_file_part(r->world, r->path, r->next, 1, &r->next, NULL));
    double taken = sn_world_time(r->world) - before;
    r->fps = taken > 1e-4 ? 1 / taken : 60;
    return sn_replay_file_part(r->world, r->path, 0, 0, &r->next, NULL);
}

sn_result view_recording_open(view *v, const char *path, const sn_world_def *def) {
    view_recording *r = v->recording = calloc(1, sizeof *r);
    size_t count = 0;
    if (!r || !(r->path = malloc(strlen(path) + 1))) return SN_ERROR_MEMORY;
    strcpy(r->path, path);
    SN_TRY(view_drawn_create(&r->drawn));
    SN_TRY(sn_world_create(def, &r->world));
    SN_TRY(sn_recording_count_steps(r->world, path, &count));
    r->step_count = count < INT32_MAX ? (uint32_t)count : INT32_MAX;
    return begin(r);
}

/* The last step stays, and one that came to something else than in the recording. */
sn_result view_recording_step(view_recording *r) {
    sn_replay_report report;
    if (r->step >= r->step_count || r->differs) return SN_OK;
    SN_TRY(sn_replay_file_part(r->world, r->path, r->next, 1, &r->next, &report));
    r->step += (uint32_t)report.steps;
    r->differs = report.differs;
    return SN_OK;
}

int view_recording_frame_number(const view_recording *r) {
    return (int)r->step;
}

const void *view_recording_save(view *v, uint32_t *size) {
    const view_recording *r = v->recording;
    bookmark mark = {r->next, r->step, r->differs};
    size_t bytes;
    if (sn_snapshot_save(r->world, NULL, 0, &bytes) != SN_OK) return NULL;
    uint8_t *room = realloc(v->snapshot, bytes + sizeof mark);
    if (!room) return NULL;
    v->snapshot = room;
    if (sn_snapshot_save(r->world, room, bytes, &bytes) != SN_OK) return NULL;
    memcpy(room + bytes, &mark, sizeof mark);
    *size = (uint32_t)(bytes + sizeof mark);
    return room;
}

sn_result view_recording_seek(view_recording *r, const void *data, uint32_t size) {
    bookmark mark;
    if (size < sizeof mark) return SN_ERROR_DATA;
    size_t bytes = size - sizeof mark;
    memcpy(&mark, (const uint8_t *)data + bytes, sizeof mark);
    SN_TRY(sn_snapshot_load(r->world, data, bytes));
    r->next = (size_t)mark.next;
    r->step = mark.step;
    r->differs = mark.differs != 0;
    return SN_OK;
}

void view_recording_describe(const view_recording *r, view_text *text) {
    view_text_add(text, "\"title\":\"\",\"about\":\"A run that was recorded, and is repeated.\"");
    view_text_add(text, ",\"playback\":true,\"frames\":%u,\"fps\":%.6g", r->step_count, r->fps);
    view_text_add(text, ",\"repeats\":true,\"parameters\":[],\"bodies\":[],\"columns\":[]");
}

sn_result view_recording_frame(view_recording *r, sn_io_frame *frame) {
    frame->number = (int)r->step;
    return view_drawn_frame(r->drawn, r->world, frame);
}
