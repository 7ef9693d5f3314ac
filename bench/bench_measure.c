/* Runs a case and times it. */
#include "bench/bench.h"

#include "app/clock.h"

#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

double bench_mean(const double *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += values[i];
    return sum / count;
}

/* Steps all frames; `times` receives the seconds of each. */
static sn_result step_frames(sn_world *world, const bench_case *c, double *times, bench_row *row) {
    double seconds = 0, projections = 0;
    for (int i = 0; i < c->settle; i++) {
        sn_result result = sn_world_step(world, c->dt);
        if (result != SN_OK) return result;
    }
    for (int i = 0; i < c->frames; i++) {
        double start = clock_now();
        sn_result result = sn_world_step(world, c->dt);
        times[i] = clock_now() - start;
        sn_stats stats;
        if (result == SN_OK) result = sn_world_stats(world, &stats);
        if (result != SN_OK) return result;
        seconds += stats.time_project;
        projections += (double)stats.projections;
        row->contacts += (double)stats.contacts / c->frames;
        row->candidates += (double)stats.candidates / c->frames;
    }
    row->ns_per_projection = projections > 0 ? 1e9 * seconds / projections : 0;
    return SN_OK;
}

static sn_result run_once(sn_world *world, const bench_case *c, double *times, bench_row *row) {
    scene_mesh mesh = {0};
    sn_settings settings;
    sn_measure measure;
    sn_result result = c->build(world, c, &mesh);
    if (result == SN_OK) result = sn_world_get_settings(world, &settings);
    settings.solver = c->solver;
    settings.integrator = c->integrator;
    settings.keep_forces = true; /* as users do */
    if (c->substeps > 0) settings.substeps = c->substeps;
    if (result == SN_OK) result = sn_world_set_settings(world, &settings);
    if (result == SN_OK) result = step_frames(world, c, times, row);
    if (result == SN_OK) result = sn_world_measure(world, &measure);
    if (result == SN_OK) {
        size_t counted = mesh.tet_count > 0 ? mesh.tet_count : mesh.edge_count;
        for (int i = 0; i < c->frames; i++)
            if (1e3 * times[i] > row->worst_ms) row->worst_ms = 1e3 * times[i];
        row->ms_per_frame =
            1e3 * (c->mean ? bench_mean(times, c->frames) : bench_median(times, c->frames));
        row->error = counted > 0 ? scene_mean_strain(world, &mesh) : measure.residual_rms;
        row->hash = sn_world_hash(world);
        if (counted == 0) counted = c->projections;
        if (counted > 0) {
            row->ns_per_projection =
                1e6 * row->ms_per_frame / ((double)counted * settings.substeps);
        }
    }
    scene_mesh_free(&mesh);
    return result;
}

static sn_result run_built(const bench_case *c, int threads, double *times, bench_row *row) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    sn_result result = sn_world_create(&def, &world);
    if (result == SN_OK) result = run_once(world, c, times, row);
    sn_world_destroy(world);
    return result;
}

app_exit bench_measure(const bench_case *c, int threads, bench_row *best) {
    double *times = calloc((size_t)c->frames + 1, sizeof *times);
    sn_result result = times ? SN_OK : SN_ERROR_MEMORY;
    bool same = true;
    for (int i = 0; i < c->repeats && result == SN_OK; i++) {
        bench_row row = {0};
        result = c->run ? c->run(c, threads, &row) : run_built(c, threads, times, &row);
        same = same && (i == 0 || row.hash == best->hash);
        if (i == 0 || row.ns_per_projection < best->ns_per_projection) *best = row;
    }
    free(times);
    if (result != SN_OK) return app_fail_result(c->name, result);
    if (!same) {
        fprintf(stderr, "sinew: %s: two runs with %d threads ended with different hashes\n",
                c->name, threads);
        return APP_FAILED;
    }
    return APP_CONTINUE;
}
