/*
 * sinew run: a cloth that is let go horizontally, held by two corners, and swings. Every frame is
 * written as a mesh, the last one also as a picture.
 */
#define _POSIX_C_SOURCE 200809L

#include "clock.h"
#include "options.h"
#include "progress.h"

#include <scenes.h>

#include "io/file.h"
#include "io/obj.h"

#include <sinew_io/picture.h>

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The substep is about this long whatever the frame rate, so that the motion is much the same. */
enum { SUBSTEPS_PER_SECOND = 1200 };
enum { PICTURE_WIDTH = 960, PICTURE_HEIGHT = 540, PATH_SIZE = 4096 };

typedef struct run_options {
    int frames, fps, threads, simd;
    const char *out, *integrator, *record, *snapshot;
    bool hash;
} run_options;

typedef struct run {
    run_options options;
    sn_world *world;
    scene_mesh cloth;
    sn_vec3 *positions;
    int done;                        /* frames */
    sn_stats sum;                    /* of the times of all steps */
    double write_time, picture_time; /* s */
    double start_energy;             /* J */
} run;

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

/* The first Ctrl-C lets the frame finish; a second one ends the program at once. */
static void catch_interrupt(void) {
#ifndef __wasi__ /* which has no signals */
    struct sigaction action = {.sa_handler = on_interrupt};
    action.sa_flags = (int)(SA_RESTART | (int)SA_RESETHAND);
    sigaction(SIGINT, &action, NULL);
#else
    (void)on_interrupt;
#endif
}

/* Of motion and height. What is stored in the edges is left out: one sweep a substep leaves them
   longer than their compliance alone would, so C^2 / (2 compliance) would say too much. */
static double energy(const sn_world *world) {
    sn_measure m;
    return sn_world_measure(world, &m) == SN_OK ? m.kinetic_energy + m.potential_energy : NAN;
}

/* What there is by this name; more than that where there is nothing. */
static sn_integrator integrator_of(const char *name) {
    static const char *const names[] = {"bdf1", "bdf2"};
    int i = 0;
    while (i < 2 && strcmp(names[i], name) != 0) i++;
    return (sn_integrator)i;
}

/* A cotton sheet of 1.2 m: 0.2 kg/m^2, in air that brakes it a little. */
static sn_result build(run *r) {
    sn_world_def def = sn_world_def_default();
    def.threads = r->options.threads;
    def.simd_width = r->options.simd;
    def.settings.damping = (sn_real)0.2;
    def.settings.integrator = integrator_of(r->options.integrator);
    def.settings.substeps = (SUBSTEPS_PER_SECOND + r->options.fps - 1) / r->options.fps;
    sn_result result = sn_world_create(&def, &r->world);
    if (result == SN_OK && r->options.record)
        result = sn_recording_start(r->world, r->options.record);
    if (result != SN_OK) return result;
    scene_cloth_def cloth = scene_cloth_def_default();
    cloth.columns = cloth.rows = 60;
    cloth.spacing = (sn_real)0.02;
    cloth.node_mass = (sn_real)(0.2 * 0.02 * 0.02);
    cloth.origin = (sn_vec3){(sn_real)-0.59, (sn_real)1.35, 0};
    cloth.compliance = (sn_real)1e-4;
    cloth.damping = (sn_real)1e-3;
    cloth.bending = true;
    cloth.bending_compliance = (sn_real)1e5;
    result = scene_cloth(r->world, &cloth, &r->cloth);
    if (result != SN_OK) return result;
    r->positions = calloc(r->cloth.node_count, sizeof *r->positions);
    r->start_energy = energy(r->world);
    return r->positions ? SN_OK : SN_ERROR_MEMORY;
}

static sn_io_mesh view_mesh(const run *r) {
    return (sn_io_mesh){r->cloth.node_count, r->positions, r->cloth.triangle_count,
                        (const uint32_t(*)[3])r->cloth.triangles};
}

static void frame_path(const run *r, int frame, char path[PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s/cloth_%04d.obj", r->options.out, frame);
}

static app_exit write_frame(run *r) {
    char path[PATH_SIZE];
    double start = clock_now();
    frame_path(r, r->done, path);
    sn_result result = scene_mesh_positions(r->world, &r->cloth, r->positions);
    if (result != SN_OK) return app_fail_result("cannot read the cloth", result);
    sn_io_mesh mesh = view_mesh(r);
    if (sn_io_obj_write(path, &mesh) != SN_OK) return app_fail(sn_last_error());
    r->write_time += clock_now() - start;
    return APP_CONTINUE;
}

static void add_times(run *r) {
    sn_stats stats;
    if (sn_world_stats(r->world, &stats) == SN_OK) {
        r->sum.time_step += stats.time_step;
        r->sum.time_prepare += stats.time_prepare;
        r->sum.time_predict += stats.time_predict;
        r->sum.time_project += stats.time_project;
        r->sum.time_update += stats.time_update;
    }
}

static app_exit simulate(run *r) {
    progress p = progress_start("frame", r->options.frames);
    app_exit exit = APP_CONTINUE;
    while (r->done < r->options.frames && !interrupted && exit == APP_CONTINUE) {
        sn_result result = sn_world_step(r->world, (sn_real)(1.0 / r->options.fps));
        if (result != SN_OK) {
            exit = app_fail_result("the step failed", result);
            break;
        }
        add_times(r);
        exit = write_frame(r);
        if (exit == APP_CONTINUE) progress_show(&p, ++r->done);
    }
    progress_end(&p);
    return exit;
}

static app_exit write_picture(run *r) {
    char path[PATH_SIZE];
    sn_io_image image;
    double start = clock_now();
    snprintf(path, sizeof path, "%s/cloth.png", r->options.out);
    sn_io_shape shape = {.name = "cloth",
                         .vertex_count = r->cloth.node_count,
                         .positions = r->positions,
                         .triangle_count = r->cloth.triangle_count,
                         .triangles = (const uint32_t(*)[3])r->cloth.triangles};
    sn_io_frame frame = {.number = r->done, .shape_count = 1, .shapes = &shape};
    /* The space the cloth swings through, whatever the frame. */
    sn_io_bounds bounds = {{(sn_real)-0.6, 0, (sn_real)-0.4},
                           {(sn_real)0.6, (sn_real)1.35, (sn_real)0.4}};
    sn_io_view view = sn_io_view_around(&bounds, (double)PICTURE_WIDTH / PICTURE_HEIGHT);
    sn_result written = sn_io_picture_draw(&frame, &view, PICTURE_WIDTH, PICTURE_HEIGHT, &image);
    if (written == SN_OK) written = sn_io_png_write(path, &image);
    sn_io_image_free(&image);
    r->picture_time = clock_now() - start;
    return written == SN_OK ? APP_CONTINUE : app_fail(sn_last_error());
}

/* Ends the recording and writes the snapshot, where they were asked for. */
static app_exit write_state(run *r) {
    sn_result result = r->options.record ? sn_recording_stop(r->world) : SN_OK;
    if (result != SN_OK) return app_fail_result("the run was not recorded as a whole", result);
    if (r->options.snapshot) result = sn_snapshot_save_file(r->world, r->options.snapshot);
    return result == SN_OK ? APP_CONTINUE : app_fail_result("there is no snapshot", result);
}

static void print_summary(const run *r) {
    char path[PATH_SIZE];
    double frames = r->done, end = energy(r->world);
    printf("cloth     60 x 60: %zu nodes, %zu edges, %zu hinges\n", r->cloth.node_count,
           r->cloth.edge_count, r->cloth.hinge_count);
    printf("motion    %d frames, %.2f s\n", r->done, sn_world_time(r->world));
    printf("step      %.2f ms a frame: prepare %.2f, predict %.2f, project %.2f, update %.2f\n",
           1e3 * r->sum.time_step / frames, 1e3 * r->sum.time_prepare / frames,
           1e3 * r->sum.time_predict / frames, 1e3 * r->sum.time_project / frames,
           1e3 * r->sum.time_update / frames);
    printf("write     %.2f ms a frame, picture %.0f ms\n", 1e3 * r->write_time / frames,
           1e3 * r->picture_time);
    printf("strain    %.3f %% on average\n", 100 * scene_mean_strain(r->world, &r->cloth));
    printf("energy    %.3f J at the start, %.3f J now, of motion and height\n", r->start_energy,
           end);
    printf("files     %s/cloth_0000.obj to cloth_%04d.obj, %s/cloth.png\n", r->options.out,
           r->done - 1, r->options.out);
    frame_path(r, r->done, path);
    if (access(path, F_OK) == 0)
        printf("note      %s and later frames are from an earlier run\n", path);
}

static app_exit run_all(run *r) {
    if (sn_io_folder_make(r->options.out) != SN_OK) return app_fail(sn_last_error());
    sn_result result = build(r);
    if (result != SN_OK) return app_fail_result("cannot build the cloth", result);
    catch_interrupt();
    app_exit exit = simulate(r);
    if (exit == APP_CONTINUE && r->done > 0) exit = write_picture(r);
    if (exit == APP_CONTINUE) exit = write_state(r);
    if (exit != APP_CONTINUE) return exit;
    bool cut_short = r->done < r->options.frames;
    if (cut_short) {
        printf("interrupted after frame %d of %d; what was written is complete\n", r->done,
               r->options.frames);
    }
    if (r->done > 0) print_summary(r);
    if (r->options.hash) printf("hash %016" PRIx64 "\n", sn_world_hash(r->world));
    return cut_short ? APP_INTERRUPTED : APP_OK;
}

static app_exit check_integrator(const char *name) {
    if (integrator_of(name) <= SN_INTEGRATOR_BDF2) return APP_CONTINUE;
    fprintf(stderr, "sinew run: --integrator is \"%s\", expected bdf1 or bdf2\n", name);
    return APP_USAGE;
}

app_exit verb_run(int argc, char **argv) {
    run r = {
        .options = {.frames = 75, .fps = 30, .threads = 1, .out = "out", .integrator = "bdf1"}};
    run_options *o = &r.options;
    const option options[] = {
        {"frames", "N", "frames to simulate and write (75)", OPTION_INT, &o->frames, 1, 9999},
        {"fps", "N", "frames per second (30)", OPTION_INT, &o->fps, 1, SUBSTEPS_PER_SECOND},
        {"out", "DIR", "folder for the files, made where it is missing (out)", OPTION_TEXT, &o->out,
         0, 0},
        {"threads", "N", "threads of the solver, 0 for one per core (1)", OPTION_INT, &o->threads,
         0, 256},
        {"simd", "W", "lanes: 1, 4, 8, 16, or 0 for the best (0)", OPTION_INT, &o->simd, 0, 16},
        {"integrator", "NAME", "bdf1, or bdf2, which loses less energy (bdf1)", OPTION_TEXT,
         &o->integrator, 0, 0},
        {"record", "FILE", "record the run for \"sinew replay\" and \"sinew diff\"", OPTION_TEXT,
         &o->record, 0, 0},
        {"snapshot", "FILE", "write a snapshot of the end", OPTION_TEXT, &o->snapshot, 0, 0},
        {"hash", NULL, "end with a line that has the hash of the final state", OPTION_FLAG,
         &o->hash, 0, 0},
    };
    const verb_usage usage = {
        .name = "run",
        .summary = "Simulates a cloth of 60 x 60 nodes that swings down from two corners. Writes\n"
                   "DIR/cloth_0000.obj and so on, and a picture of the end, DIR/cloth.png.",
        .notes =
            "Threads and lanes change the speed, never the hash. Ctrl-C finishes the frame and\n"
            "leaves complete files.\n"
            "exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    app_exit exit = options_parse(&usage, argc, argv);
    if (exit == APP_CONTINUE) exit = app_check_simd("run", o->simd);
    if (exit == APP_CONTINUE) exit = check_integrator(o->integrator);
    if (exit == APP_CONTINUE) exit = run_all(&r);
    scene_mesh_free(&r.cloth);
    free(r.positions);
    sn_world_destroy(r.world);
    return exit;
}
