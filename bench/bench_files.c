/* The scene files that come with Sinew as cases: whole frames, as `sinew run` steps them. */
#define _POSIX_C_SOURCE 200809L

#include "bench/bench.h"

#include "app/clock.h"
#include "app/find_scene.h"

#include <sinew_io/scene.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK_FRAMES = 3 };

/* Those of a folder among the scenes, which is named with a slash behind, after `listed` others. */
static int list_folder(const char *below, bench_case *cases, int listed, bool quick) {
    const char *scenes = scene_folder();
    char folder[SCENE_PATH];
    struct dirent **entries;
    bool fits = scenes && snprintf(folder, SCENE_PATH, "%s/%s", scenes, below) < SCENE_PATH;
    int count = fits ? scandir(folder, &entries, scene_is_file, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        if (listed < BENCH_FILES) {
            bench_case *c = &cases[listed++];
            *c = (bench_case){.frames = quick ? QUICK_FRAMES : 0,
                              .repeats = quick ? 1 : 3,
                              .run = bench_run_file};
            snprintf(c->name, sizeof c->name, "file:%s%.*s", below,
                     (int)strlen(entries[i]->d_name) - 5, entries[i]->d_name);
        }
        free(entries[i]);
    }
    if (count > 0) free(entries);
    return listed;
}

int bench_list_files(bench_case cases[BENCH_FILES], bool quick) {
    return list_folder("tests/", cases, list_folder("", cases, 0, quick), quick);
}

static double column(sn_scene *scene, const double *values, const char *name) {
    for (size_t i = 0; sn_scene_column(scene, i); i++)
        if (strcmp(sn_scene_column(scene, i), name) == 0) return values[i];
    return 0;
}

/* The mean strain at the end; it is there as a column of the statistics. */
static sn_result strain_of(sn_scene *scene, double *strain) {
    double *values = calloc(sn_scene_column_count(scene) + 1, sizeof *values);
    if (!values) return SN_ERROR_MEMORY;
    sn_result result = sn_scene_measure(scene, values);
    *strain = column(scene, values, "mean strain [1]");
    free(values);
    return result;
}

static sn_result run_frames(sn_scene *scene, int frames, double *times, bench_row *row) {
    double seconds = 0, projections = 0;
    for (int i = 0; i < frames; i++) {
        sn_stats stats;
        double start = clock_now();
        sn_result result = sn_scene_step(scene);
        times[i] = clock_now() - start;
        if (result == SN_OK) result = sn_world_stats(sn_scene_world(scene), &stats);
        if (result != SN_OK) return result;
        seconds += stats.time_project;
        projections += (double)stats.projections;
        row->contacts += (double)stats.contacts / frames;
        row->candidates += (double)stats.candidates / frames;
    }
    row->ms_per_frame = 1e3 * bench_median(times, frames);
    row->ns_per_projection = projections > 0 ? 1e9 * seconds / projections : 0;
    row->hash = sn_world_hash(sn_scene_world(scene));
    return strain_of(scene, &row->error);
}

sn_result bench_run_file(const bench_case *c, int threads, bench_row *row) {
    char path[SCENE_PATH];
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene;
    def.path = scene_path(c->name + strlen("file:"), path);
    def.threads = threads;
    sn_result result = sn_scene_open(&def, &scene);
    if (result != SN_OK) return result;
    int frames = c->frames > 0 ? c->frames : sn_scene_frames(scene);
    double *times = calloc((size_t)frames, sizeof *times);
    result = times ? run_frames(scene, frames, times, row) : SN_ERROR_MEMORY;
    free(times);
    sn_scene_close(scene);
    return result;
}
