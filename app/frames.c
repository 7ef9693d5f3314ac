#include "frames.h"

#include "log.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool is_scene(const char *path) {
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

static void print_complaint(void *user, const char *sentence) {
    (void)user;
    fprintf(stderr, "sinew: %s\n", sentence);
}

static app_exit open_scene(frames *f) {
    f->def.path = f->path;
    f->def.complaint = print_complaint;
    f->def.log = app_log;
    sn_result result = sn_scene_open(&f->def, &f->scene);
    /* What is wrong in the file was said already, but only the first time. */
    f->def.complaint = NULL;
    if (result == SN_ERROR_DATA) return APP_FAILED;
    if (result != SN_OK) return app_fail(sn_last_error());
    f->count = sn_scene_frames(f->scene) + 1;
    f->fps = sn_scene_fps(f->scene);
    return APP_CONTINUE;
}

/* What is missing at the end of a cache is said, since its frames alone do not show it. */
static void say_incomplete(const char *path, const sn_io_cache_info *info) {
    if (info->complete) return;
    fprintf(
        stderr,
        "sinew: \"%s\" has no end: the run was stopped, or goes on, or the file was cut off; it "
        "has %zu complete frames",
        path, (size_t)info->frame_count);
    if (info->lost > 0)
        fprintf(stderr, ", and %llu bytes after them that are none",
                (unsigned long long)info->lost);
    fprintf(stderr, "\n");
}

app_exit frames_open(frames *f, const char *name, const sn_scene_def *def) {
    *f = (frames){.def = *def};
    if (is_scene(scene_path(name, f->path))) return open_scene(f);
    if (sn_io_cache_open(name, &f->cache) != SN_OK) return app_fail(sn_last_error());
    sn_io_cache_info info = sn_io_cache_get_info(f->cache);
    say_incomplete(name, &info);
    f->count = info.frame_count < INT_MAX ? (int)info.frame_count : INT_MAX;
    f->fps = info.fps > 0 ? info.fps : 30;
    return APP_CONTINUE;
}

/* Goes back to the beginning, where the wanted frame has passed, and on to it. */
static sn_result go_to(frames *f, int index) {
    sn_result result = SN_OK;
    if (sn_scene_frame_number(f->scene) > index) {
        sn_scene_close(f->scene);
        result = sn_scene_open(&f->def, &f->scene);
    }
    while (result == SN_OK && sn_scene_frame_number(f->scene) < index)
        result = sn_scene_step(f->scene);
    return result;
}

sn_result frames_at(frames *f, int index, sn_io_frame *frame) {
    if (f->cache) return sn_io_cache_frame(f->cache, (size_t)index, frame);
    sn_result result = go_to(f, index);
    return result == SN_OK ? sn_scene_frame(f->scene, frame) : result;
}

sn_result frames_staging(frames *f, sn_io_staging *staging) {
    sn_io_frame frame;
    *staging = sn_io_staging_default();
    if (f->count < 1) return SN_OK;
    sn_result result =
        f->cache ? sn_io_cache_frame(f->cache, 0, &frame) : sn_scene_frame(f->scene, &frame);
    if (result == SN_OK && frame.staging) *staging = *frame.staging;
    return result;
}

const sn_io_camera *frames_camera(const sn_io_staging *staging, const char *name) {
    for (size_t i = 0; i < staging->camera_count; i++)
        if (strcmp(staging->cameras[i].name, name) == 0) return &staging->cameras[i];
    return NULL;
}

void frames_stage(sn_picture_view *view, const sn_io_frame *frame, const char *camera) {
    if (!frame->staging) return;
    sn_picture_view_stage(view, frame->staging);
    const sn_io_camera *found = frames_camera(frame->staging, camera);
    if (!found) return;
    sn_io_camera now = sn_io_camera_at(found, frame->time);
    sn_picture_view_move(view, now.eye, now.target);
    view->up = now.up;
    view->field_of_view = now.field_of_view;
}

int frames_best(const sn_io_staging *staging, double fps, int last) {
    double frame = (double)staging->picture_at * fps + 0.5;
    return staging->picture_at != SN_AUTO && frame < last ? (int)frame : last;
}

void frames_close(frames *f) {
    sn_io_cache_close(f->cache);
    sn_scene_close(f->scene);
    f->cache = NULL;
    f->scene = NULL;
}
