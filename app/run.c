/*
 * sinew run: simulates a scene. Every frame goes to the files that were asked for, the last one
 * also into a picture; statistics, snapshots and a recording as well.
 */
#define _POSIX_C_SOURCE 200809L

#include "audit.h"
#include "clock.h"
#include "events.h"
#include "find_scene.h"
#include "interrupt.h"
#include "log.h"
#include "memory.h"
#include "options.h"
#include "progress.h"
#include "render.h"
#include "run_output.h"
#include "run_targets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    text_list files, sets;
    char path[SCENE_PATH]; /* of the scene */
    const char *allow;
    int frames, fps, substeps, threads, simd, snapshot;
    const char *quality_name;
    sn_quality quality;
    bool hash, json, audit;
    run_output output;
    event_log events;
    sn_scene *scene;
    int first, done;  /* frames, of the scene */
    sn_stats sum;     /* of the times of all steps, s */
    double wall;      /* s, of the whole run */
    sn_measure start; /* before the first frame */
    size_t columns;   /* of the statistics, without those of an audit */
} run;

/* ---- Opening ---- */

static void print_complaint(void *user, const char *sentence) {
    (void)user;
    fprintf(stderr, "%s\n", sentence);
}

static app_exit open_scene(run *r) {
    sn_scene_def def = memory_scene_def();
    def.path = scene_path(r->files.items[0], r->path);
    def.sets = r->sets.items;
    def.set_count = r->sets.count;
    def.allow = r->allow;
    def.fps = r->fps;
    def.substeps = r->substeps;
    def.quality = r->quality;
    def.threads = r->threads;
    def.simd_width = r->simd;
    def.complaint = print_complaint;
    def.log = app_log;
    sn_result result = sn_scene_open(&def, &r->scene);
    /* What is wrong in the file was said already. */
    if (result == SN_ERROR_DATA) return APP_FAILED;
    if (result == SN_ERROR_FILE) return scene_missing(r->files.items[0]);
    if (result != SN_OK) return app_fail(sn_last_error());
    if (r->output.resume && sn_scene_resume(r->scene, r->output.resume) != SN_OK)
        return app_fail(sn_last_error());
    if (r->frames == 0) r->frames = sn_scene_frames(r->scene);
    r->first = r->done = sn_scene_frame_number(r->scene);
    output_name_from(&r->output, r->path);
    r->output.scene = r->path;
    r->output.events = r->events.path;
    r->output.snapshots = r->snapshot > 0;
    r->output.threads = r->threads;
    return APP_CONTINUE;
}

/* ---- Simulating ---- */

static void add_times(run *r) {
    sn_stats stats;
    if (sn_world_stats(sn_scene_world(r->scene), &stats) != SN_OK) return;
    r->sum.time_step += stats.time_step;
    r->sum.time_prepare += stats.time_prepare;
    r->sum.time_find += stats.time_find;
    r->sum.time_predict += stats.time_predict;
    r->sum.time_project += stats.time_project;
    r->sum.time_contact += stats.time_contact;
    r->sum.time_update += stats.time_update;
}

static app_exit one_frame(run *r) {
    sn_result result = sn_scene_step(r->scene);
    if (result != SN_OK) return app_fail_result("the step failed", result);
    add_times(r);
    r->done++;
    app_exit exit = events_frame(&r->events, r->scene);
    if (exit == APP_CONTINUE) exit = output_frame(&r->output, r->scene);
    if (exit == APP_CONTINUE && r->snapshot > 0 && r->done % r->snapshot == 0)
        exit = output_snapshot(&r->output, r->scene);
    return exit;
}

/* Frame 0, the beginning, belongs to the files as well, unless this run goes on from a later
   one. */
static app_exit simulate(run *r) {
    int total = r->frames - r->first;
    progress p = progress_start("frame", total > 0 ? total : 1);
    app_exit exit = r->first == 0 ? output_frame(&r->output, r->scene) : APP_CONTINUE;
    while (r->done < r->frames && !interrupt_came() && exit == APP_CONTINUE) {
        exit = one_frame(r);
        if (exit == APP_CONTINUE) progress_show(&p, r->done - r->first);
    }
    progress_end(&p);
    return exit;
}

/* ---- The summary ---- */

static void print_bodies(const run *r) {
    sn_scene_body body;
    size_t i = 0;
    for (; i < 8 && sn_scene_body_at(r->scene, i, &body); i++)
        printf("%-9s %s \"%s\": %zu nodes, %zu constraints, %.3g kg\n", i == 0 ? "bodies" : "",
               sn_kind_get_info(body.kind)->name, body.name, body.node_count, body.constraints,
               body.mass);
    size_t more = 0;
    while (sn_scene_body_at(r->scene, i + more, &body)) more++;
    if (more > 0) printf("          and %zu more\n", more);
}

/* How the world is stepped, and what was chosen for cloth. */
static void print_settings(const run *r) {
    sn_settings settings;
    sn_scene_body body;
    int tethers = 0;
    if (sn_world_get_settings(sn_scene_world(r->scene), &settings) != SN_OK) return;
    for (size_t i = 0; sn_scene_body_at(r->scene, i, &body); i++)
        if (body.tethers > tethers) tethers = body.tethers;
    printf("solver    %d substeps%s", settings.substeps,
           sn_scene_chose_substeps(r->scene) ? ", as chosen for the materials" : "");
    if (tethers == SN_SHEET_TETHERS_AUTO)
        printf("; tethers from each place that is pinned");
    else if (tethers > 0)
        printf("; up to %d tethers per node", tethers);
    printf("\n");
}

static double column(const run *r, const double *values, const char *name) {
    for (size_t i = 0; sn_scene_column(r->scene, i); i++)
        if (strcmp(sn_scene_column(r->scene, i), name) == 0) return values[i];
    return 0;
}

/* Which body is strained most, and where. */
static void print_strain(const run *r, double mean) {
    sn_scene_body body, worst = {0};
    sn_scene_strain strain, most = {0};
    size_t count = 0;
    for (; sn_scene_body_at(r->scene, count, &body); count++)
        if (sn_scene_body_strain(r->scene, count, &strain) == SN_OK &&
            strain.largest > most.largest) {
            most = strain;
            worst = body;
        }
    printf("strain    %.3f %% on average, %.3f %% at most", 100 * mean, 100 * most.largest);
    if (worst.name)
        printf(", at (%.3g, %.3g, %.3g)", (double)most.where.x, (double)most.where.y,
               (double)most.where.z);
    if (count > 1 && worst.name) printf(" of \"%s\"", worst.name);
    printf("\n");
}

/* What passes through each other in the end. */
static void print_crossings(double crossings) {
    if (crossings > 0)
        printf("tangled   %.0f edges pass through triangles of collision surfaces, which contact\n"
               "          with \"penetration_free\" keeps apart; docs/contact.md\n",
               crossings);
}

static void print_summary(const run *r, const double *values) {
    sn_world *world = sn_scene_world(r->scene);
    sn_measure m;
    sn_stats stats;
    double frames = r->done > r->first ? r->done - r->first : 1, ms = 1e3 / frames;
    if (sn_world_measure(world, &m) != SN_OK || sn_world_stats(world, &stats) != SN_OK) return;
    if (*sn_scene_title(r->scene)) printf("scene     %s\n", sn_scene_title(r->scene));
    print_bodies(r);
    printf("world     %zu nodes, %zu constraints in %zu colours\n", stats.nodes, stats.constraints,
           stats.colours);
    print_settings(r);
    printf("motion    frames %d to %d, %.2f s\n", r->first, r->done, sn_world_time(world));
    printf("step      %.2f ms a frame: prepare %.2f, predict %.2f, project %.2f, update %.2f\n",
           ms * r->sum.time_step, ms * r->sum.time_prepare, ms * r->sum.time_predict,
           ms * r->sum.time_project, ms * r->sum.time_update);
    if (r->sum.time_find > 0)
        printf("contact   find %.2f ms a frame, solve %.2f; %zu contacts, %zu deeper than 0.1 mm\n",
               ms * r->sum.time_find, ms * r->sum.time_contact, stats.contacts, stats.overlaps);
    print_crossings(column(r, values, "crossings"));
    events_print(&r->events);
    printf("write     %.2f ms a frame, picture %.0f ms, %.2f s in all\n", ms * r->output.write_time,
           1e3 * r->output.picture_time, r->wall);
    double strain = column(r, values, "mean strain [1]");
    print_strain(r, strain);
    printf("energy    %.4g J of motion and %.4g J of height; %.4g and %.4g J at the start\n",
           m.kinetic_energy, m.potential_energy, r->start.kinetic_energy,
           r->start.potential_energy);
    printf("momentum  %.3g %.3g %.3g kg m/s\n", m.momentum[0], m.momentum[1], m.momentum[2]);
    if (r->audit) audit_print(r->scene);
    output_print_files(&r->output);
    if (strain > 0.02)
        printf("note      edges are %.0f %% too long or too short on average. Where that is more "
               "than the\n"
               "          material says, more substeps make it stiffer: --substeps; "
               "docs/materials.md\n",
               100 * strain);
}

static void print_json(const run *r, const double *values) {
    printf("{\"scene\": \"%s\", \"frames\": %d, \"time\": %.9g, \"hash\": \"%016" PRIx64 "\"",
           r->output.name, r->done, sn_world_time(sn_scene_world(r->scene)),
           sn_world_hash(sn_scene_world(r->scene)));
    for (size_t i = 2; i < r->columns; i++) {
        if (values[i] == values[i])
            printf(", \"%s\": %.9g", sn_scene_column(r->scene, i), values[i]);
        else
            printf(", \"%s\": null", sn_scene_column(r->scene, i));
    }
    if (r->audit) audit_print_json(r->scene);
    events_print_json(&r->events);
    printf(", \"files\": [");
    output_print_json_files(&r->output);
    printf("]}\n");
}

static app_exit report(run *r, bool cut_short) {
    double *values = calloc(sn_scene_column_count(r->scene), sizeof *values);
    if (!values || sn_scene_measure(r->scene, values) != SN_OK) {
        free(values);
        return app_fail("there is no memory for the summary");
    }
    if (r->json) {
        print_json(r, values);
    } else {
        if (cut_short)
            printf("interrupted after frame %d of %d; what was written is complete\n", r->done,
                   r->frames);
        print_summary(r, values);
    }
    if (r->hash) printf("hash %016" PRIx64 "\n", sn_world_hash(sn_scene_world(r->scene)));
    free(values);
    return APP_CONTINUE;
}

/* ---- All of it ---- */

static app_exit finish(run *r, app_exit exit) {
    /* What there is becomes files, also after a failure. */
    app_exit closed = output_close(&r->output, r->scene, exit == APP_CONTINUE);
    if (exit == APP_CONTINUE) exit = closed;
    closed = events_close(&r->events);
    if (exit == APP_CONTINUE) exit = closed;
    if (r->output.record) {
        sn_result result = sn_recording_stop(sn_scene_world(r->scene));
        if (result != SN_OK && exit == APP_CONTINUE)
            exit = app_fail_result("the run was not recorded as a whole", result);
    }
    if (exit == APP_CONTINUE && r->snapshot > 0 && (r->done == 0 || r->done % r->snapshot != 0))
        exit = output_snapshot(&r->output, r->scene);
    return exit;
}

/* The names of formats have commas between them. */
static bool has_cache(const char *formats) {
    const char *found = strstr(formats, "cache");
    return found && (found == formats || found[-1] == ',') && (!found[5] || found[5] == ',');
}

static app_exit check_video(const run *r) {
    if (!r->output.video || has_cache(r->output.formats)) return APP_CONTINUE;
    fprintf(stderr,
            "sinew run: --video is made of the cache, but --format is \"%s\"; expected \"cache\" "
            "in it\n",
            r->output.formats);
    return APP_USAGE;
}

/* From the cache, when all of the motion is known and the camera can show all of it. */
static app_exit make_video(const run *r) {
    char path[RUN_PATH];
    snprintf(path, sizeof path, "%s/%s.snc", r->output.folder, r->output.name);
    app_exit exit = render_video(path, r->output.video, r->threads, r->output.smooth, r->json);
    return exit == APP_OK ? APP_CONTINUE : exit;
}

static app_exit run_all(run *r) {
    double begin = clock_now();
    app_exit exit = targets_check_formats(&r->output);
    if (exit == APP_CONTINUE) exit = check_video(r);
    if (exit == APP_CONTINUE) exit = open_scene(r);
    if (exit != APP_CONTINUE) return exit;
    sn_world *world = sn_scene_world(r->scene);
    (void)sn_world_measure(world, &r->start);
    r->columns = sn_scene_column_count(r->scene);
    if (r->audit && sn_scene_audit(r->scene) != SN_OK) return app_fail(sn_last_error());
    exit = output_open(&r->output, r->scene);
    if (exit != APP_CONTINUE) return exit;
    if (r->output.record && sn_recording_start(world, r->output.record) != SN_OK)
        return app_fail(sn_last_error());
    interrupt_catch();
    exit = events_open(&r->events, r->scene);
    exit = finish(r, exit == APP_CONTINUE ? simulate(r) : exit);
    if (exit == APP_CONTINUE && r->output.video) exit = make_video(r);
    if (exit != APP_CONTINUE) return exit;
    bool cut_short = r->done < r->frames;
    r->wall = clock_now() - begin;
    exit = report(r, cut_short);
    if (exit != APP_CONTINUE) return exit;
    return cut_short ? APP_INTERRUPTED : APP_OK;
}

static app_exit read_quality(run *r) {
    for (int q = SN_QUALITY_DRAFT; r->quality_name && q <= SN_QUALITY_FINE; q++)
        if (strcmp(r->quality_name, sn_quality_name((sn_quality)q)) == 0)
            r->quality = (sn_quality)q;
    if (!r->quality_name || r->quality != SN_QUALITY_SCENE) return APP_CONTINUE;
    fprintf(stderr, "sinew run: --quality is \"%s\", expected draft, normal or fine\n",
            r->quality_name);
    return APP_USAGE;
}

app_exit verb_run(int argc, char **argv) {
    run r = {.output = {.folder = "out", .formats = "cache", .smooth = -1}};
    run_output *o = &r.output;
    const option options[] = {
        {"frames", "N", "simulate up to this frame (as the scene says)", OPTION_INT, &r.frames, 1,
         1000000},
        {"fps", "F", "frames per second (as the scene says)", OPTION_INT, &r.fps, 1, 10000},
        {"substeps", "N", "per frame; more make bodies stiffer (as the scene says)", OPTION_INT,
         &r.substeps, 1, 10000},
        {"quality", "NAME", "draft, normal or fine: half, all or twice the substeps of the scene",
         OPTION_TEXT, &r.quality_name, 0, 0},
        OPTION_SET(&r.sets),
        OPTION_ALLOW(&r.allow),
        {"out", "DIR", "folder for the files, made where it is missing (out)", OPTION_TEXT,
         &o->folder, 0, 0},
        {"format", "LIST", "of cache, usda, pc2, mdd, vtu, glb, obj, ply, or none (cache)",
         OPTION_TEXT, &o->formats, 0, 0},
        {"smooth", "N", "divide triangles N times, 0 to 3, in files other than the cache (0)",
         OPTION_INT, &o->smooth, 0, 3},
        {"liquid", NULL, "write liquids as their surface in files other than the cache",
         OPTION_FLAG, &o->liquid, 0, 0},
        {"stats", "FILE", "write a line of numbers per frame as CSV", OPTION_TEXT, &o->stats, 0, 0},
        {"picture", "FILE", "where the picture goes, or none (DIR/NAME.png)", OPTION_TEXT,
         &o->picture, 0, 0},
        {"video", "FILE", "a video of the cache as well: .mp4, .webm or .gif", OPTION_TEXT,
         &o->video, 0, 0},
        {"threads", "N", "threads that simulate and draw, 0 for one per core (0)", OPTION_INT,
         &r.threads, 0, 256},
        {"simd", "W", "lanes: 1, 4, 8, 16, or 0 for the best (0)", OPTION_INT, &r.simd, 0, 16},
        {"snapshot", "N", "write a snapshot every N frames and at the end", OPTION_INT, &r.snapshot,
         1, 1000000},
        {"resume", "FILE", "go on from a snapshot of this scene", OPTION_TEXT, &o->resume, 0, 0},
        {"record", "FILE", "record the run for \"sinew replay\" and \"sinew compare\"", OPTION_TEXT,
         &o->record, 0, 0},
        {"events", "FILE",
         "write what breaks, tears, bursts, sleeps and touches, a line of JSON each", OPTION_TEXT,
         &r.events.path, 0, 0},
        {"audit", NULL, "say where energy came from and went, and add it to --stats", OPTION_FLAG,
         &r.audit, 0, 0},
        {"hash", NULL, "end with a line that has the hash of the final state", OPTION_FLAG, &r.hash,
         0, 0},
        {"json", NULL, "say the summary as one line of JSON", OPTION_FLAG, &r.json, 0, 0},
    };
    const verb_usage usage = {
        .name = "run",
        .operands = "SCENE",
        .operand = &r.files,
        .operand_count = 1,
        .summary =
            "Simulates a scene: a file, or the name of one that \"sinew scenes\" lists. Writes\n"
            "its frames and a picture of the last one.",
        .notes =
            "Threads and lanes change the speed, never the hash. Ctrl-C finishes the frame and\n"
            "leaves complete files. Warnings of the library go to standard error, each once.\n"
            "exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    app_exit exit = options_parse(&usage, argc, argv);
    if (exit == APP_CONTINUE) exit = app_check_simd("run", r.simd);
    if (exit == APP_CONTINUE) exit = read_quality(&r);
    if (exit == APP_CONTINUE) exit = run_all(&r);
    output_free(&r.output);
    if (exit == APP_FAILED || exit == APP_USAGE) targets_undo(&r.output);
    sn_scene_close(r.scene);
    return exit;
}
