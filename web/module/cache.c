/*
 * A cache that is played: frames that a run has written (sinew_io/cache.h). It has no world, so
 * that there is nothing to hold and nothing to set, and what asks for one is refused as by a null
 * world. Its state is the number of the frame that is shown.
 */
#include "view.h"

#include <stdlib.h>
#include <string.h>

bool view_is_cache(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".snc") == 0;
}

sn_result view_cache_open(view *v, const char *path) {
    SN_TRY(sn_io_cache_open(path, &v->cache));
    v->columns = calloc(1, sizeof *v->columns);
    return v->columns ? SN_OK : SN_ERROR_MEMORY;
}

static size_t last_of(const view *v) {
    size_t count = sn_io_cache_get_info(v->cache).frame_count;
    return count > 0 ? count - 1 : 0;
}

/* The last frame stays. */
void view_cache_step(view *v) {
    if (v->cache_frame < last_of(v)) v->cache_frame++;
}

double view_cache_time(const view *v) {
    double fps = sn_io_cache_get_info(v->cache).fps;
    return fps > 0 ? (double)v->cache_frame / fps : 0;
}

bool view_cache_seek(view *v, const void *data, uint32_t size) {
    uint32_t frame;
    if (size != sizeof frame) return false;
    memcpy(&frame, data, sizeof frame);
    if (frame > last_of(v)) return false;
    v->cache_frame = frame;
    return true;
}

const void *view_cache_save(view *v, uint32_t *size) {
    uint32_t frame = (uint32_t)v->cache_frame;
    void *room = realloc(v->snapshot, sizeof frame);
    if (!room) return NULL;
    v->snapshot = memcpy(room, &frame, sizeof frame);
    *size = sizeof frame;
    return room;
}

void view_cache_describe(view *v, view_text *text) {
    sn_io_cache_info info = sn_io_cache_get_info(v->cache);
    view_text_add(text, "\"title\":\"\",\"about\":\"Frames that a run has written%s.\"",
                  info.complete ? "" : ", which did not come to its end");
    view_text_add(text, ",\"playback\":true,\"frames\":%zu,\"fps\":%.9g", last_of(v), info.fps);
    view_text_add(text, ",\"parameters\":[],\"bodies\":[],\"columns\":[]");
}
