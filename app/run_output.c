#include "run_output.h"

#include "clock.h"
#include "frames.h"
#include "run_targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As those of `sinew render`. */
enum { PICTURE_WIDTH = 1280, PICTURE_HEIGHT = 720 };

void output_name_from(run_output *o, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strcspn(name, ".");
    snprintf(o->name, sizeof o->name, "%.*s", (int)length, length ? name : "scene");
}

/* ---- Opening ---- */

static app_exit open_exports(run_output *o, sn_scene *scene) {
    const char *list = strcmp(o->formats, "none") == 0 ? "" : o->formats;
    char format[RUN_FORMAT];
    while (targets_next_format(&list, format)) {
        sn_io_export_def def = targets_export_def(o, scene, format);
        if (sn_io_export_open(&def, &o->exports[o->export_count]) != SN_OK)
            return app_fail(sn_last_error());
        o->export_count++;
    }
    return APP_CONTINUE;
}

static app_exit open_table(run_output *o, const sn_scene *scene) {
    size_t count = sn_scene_column_count(scene);
    o->row = calloc(count + 1, sizeof *o->row);
    if (!o->row) return app_fail("there is no memory for the statistics");
    if (sn_io_file_open(&o->table, o->stats) != SN_OK) return app_fail(sn_last_error());
    for (size_t i = 0; i < count; i++)
        fprintf(o->table.stream, "%s%s", i == 0 ? "" : ",", sn_scene_column(scene, i));
    fprintf(o->table.stream, "\n");
    return APP_CONTINUE;
}

app_exit output_open(run_output *o, sn_scene *scene) {
    o->bounds = sn_picture_bounds_none();
    if (o->picture && strcmp(o->picture, "none") == 0)
        o->drawn = true;
    else if (o->picture)
        snprintf(o->picture_path, sizeof o->picture_path, "%s", o->picture);
    else
        snprintf(o->picture_path, sizeof o->picture_path, "%s/%s.png", o->folder, o->name);
    app_exit exit = targets_prepare(o, scene);
    if (exit == APP_CONTINUE) exit = open_exports(o, scene);
    return exit == APP_CONTINUE && o->stats ? open_table(o, scene) : exit;
}

/* ---- The picture ---- */

static app_exit draw(run_output *o, sn_scene *scene) {
    sn_io_frame frame;
    sn_picture_image image = {0};
    double start = clock_now();
    sn_picture_view view =
        sn_picture_view_around(&o->bounds, (double)PICTURE_WIDTH / PICTURE_HEIGHT);
    view.smooth = o->smooth;
    view.threads = o->threads;
    sn_result result = sn_scene_frame(scene, &frame);
    if (result == SN_OK) frames_stage(&view, &frame, "main");
    if (result == SN_OK)
        result = sn_picture_draw(&frame, &view, PICTURE_WIDTH, PICTURE_HEIGHT, &image);
    if (result == SN_OK) result = sn_picture_png_write(o->picture_path, &image);
    sn_picture_image_free(&image);
    o->picture_time = clock_now() - start;
    return result == SN_OK ? APP_CONTINUE : app_fail(sn_last_error());
}

/* ---- Frames ---- */

static app_exit write_row(run_output *o, sn_scene *scene) {
    if (sn_scene_measure(scene, o->row) != SN_OK) return app_fail(sn_last_error());
    for (size_t i = 0; i < sn_scene_column_count(scene); i++)
        fprintf(o->table.stream, "%s%.9g", i == 0 ? "" : ",", o->row[i]);
    fprintf(o->table.stream, "\n");
    if (!ferror(o->table.stream)) return APP_CONTINUE;
    (void)sn_io_file_close(&o->table);
    return app_fail(sn_last_error());
}

app_exit output_frame(run_output *o, sn_scene *scene) {
    sn_io_frame frame;
    double start = clock_now();
    if (sn_scene_frame(scene, &frame) != SN_OK) return app_fail(sn_last_error());
    sn_picture_bounds_add(&o->bounds, &frame);
    for (size_t i = 0; i < o->export_count; i++)
        if (sn_io_export_frame(o->exports[i], &frame) != SN_OK) return app_fail(sn_last_error());
    app_exit exit = o->table.stream ? write_row(o, scene) : APP_CONTINUE;
    o->write_time += clock_now() - start;
    double moment = frame.staging ? (double)frame.staging->picture_at : (double)SN_AUTO;
    if (exit != APP_CONTINUE || o->drawn || moment < 0 ||
        frame.time < moment - 0.5 / sn_scene_fps(scene))
        return exit;
    o->drawn = true;
    return draw(o, scene);
}

void output_snapshot_path(const run_output *o, int frame, char path[RUN_PATH]) {
    snprintf(path, RUN_PATH, "%s/%s_%04d.snap", o->folder, o->name, frame);
}

app_exit output_snapshot(run_output *o, sn_scene *scene) {
    output_snapshot_path(o, sn_scene_frame_number(scene), o->snapshot_path);
    if (sn_snapshot_save_file(sn_scene_world(scene), o->snapshot_path) != SN_OK)
        return app_fail(sn_last_error());
    return APP_CONTINUE;
}

/* ---- The end ---- */

app_exit output_close(run_output *o, sn_scene *scene, bool picture) {
    app_exit exit = APP_CONTINUE;
    for (size_t i = 0; i < o->export_count; i++)
        if (sn_io_export_close(o->exports[i]) != SN_OK) exit = app_fail(sn_last_error());
    if (o->table.stream && sn_io_file_close(&o->table) != SN_OK) exit = app_fail(sn_last_error());
    if (exit == APP_CONTINUE && picture && !o->drawn) exit = draw(o, scene);
    return exit;
}

void output_free(run_output *o) {
    for (size_t i = 0; i < o->export_count; i++) sn_io_export_free(o->exports[i]);
    if (o->table.stream) sn_io_file_discard(&o->table);
    free(o->row);
}

/* The first and the last of many, and how many there are. */
void output_print_files(const run_output *o) {
    const char *label = "files";
    for (size_t i = 0; i < o->export_count; i++) {
        size_t count = sn_io_export_file_count(o->exports[i]);
        double mb = (double)sn_io_export_bytes(o->exports[i]) / 1e6;
        if (count == 0) continue;
        printf("%-9s %s", label, sn_io_export_file(o->exports[i], 0));
        if (count > 1) printf(" to %s", sn_io_export_file(o->exports[i], count - 1));
        printf(", %.1f MB\n", mb);
        label = "";
    }
    if (o->stats) {
        printf("%-9s %s\n", label, o->stats);
        label = "";
    }
    if (*o->snapshot_path) printf("%-9s %s\n", label, o->snapshot_path);
    if (*o->picture_path) printf("picture   %s\n", o->picture_path);
}

static void print_json_file(const char *path, bool *first) {
    if (!path || !*path) return;
    printf("%s\"%s\"", *first ? "" : ", ", path);
    *first = false;
}

void output_print_json_files(const run_output *o) {
    bool first = true;
    for (size_t i = 0; i < o->export_count; i++)
        for (size_t k = 0; k < sn_io_export_file_count(o->exports[i]); k++)
            print_json_file(sn_io_export_file(o->exports[i], k), &first);
    print_json_file(o->stats, &first);
    print_json_file(o->snapshot_path, &first);
    print_json_file(o->picture_path, &first);
}
