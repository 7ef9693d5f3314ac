/*
 * sinew strain: how much of the strain of a scene is there for want of substeps.
 *
 * One sweep per substep leaves strain that no material has. The scene is run as it is and with many
 * times its substeps, and the edges of every body are measured in each frame: what both runs have
 * is of the material and the load, what the first has beyond that is of the solver.
 */
#include "find_scene.h"
#include "interrupt.h"
#include "log.h"
#include "memory.h"
#include "options.h"
#include "progress.h"

#include <sinew_io/scene.h>

#include <stdio.h>
#include <stdlib.h>

enum { MOST_SUBSTEPS = 10000 };

typedef struct strain_options {
    text_list files, sets;
    const char *allow;
    int frames, substeps, times, threads;
    bool json;
} strain_options;

/* Of a body, over all frames. */
typedef struct strained {
    double mean;    /* of its edges, then of the frames */
    double largest; /* of any edge in any frame */
    int frame;      /* in which that was */
    sn_vec3 where;  /* m, likewise */
} strained;

typedef struct strain_run {
    sn_scene *scene;
    int substeps, frames;
    size_t bodies;
    strained *body;
} strain_run;

static void print_complaint(void *user, const char *sentence) {
    (void)user;
    fprintf(stderr, "sinew: %s\n", sentence);
}

static app_exit open_scene(const strain_options *o, int substeps, strain_run *run) {
    char path[SCENE_PATH];
    sn_scene_def def = memory_scene_def();
    sn_settings settings;
    sn_scene_body body;
    def.path = scene_path(o->files.items[0], path);
    def.sets = o->sets.items;
    def.set_count = o->sets.count;
    def.allow = o->allow;
    def.substeps = substeps;
    def.threads = o->threads;
    def.complaint = print_complaint;
    def.log = app_log;
    sn_result result = sn_scene_open(&def, &run->scene);
    if (result == SN_ERROR_DATA) return APP_FAILED;
    if (result == SN_ERROR_FILE) return scene_missing(o->files.items[0]);
    if (result == SN_OK) result = sn_world_get_settings(sn_scene_world(run->scene), &settings);
    if (result != SN_OK) return app_fail(sn_last_error());
    run->substeps = settings.substeps;
    run->frames = o->frames > 0 ? o->frames : sn_scene_frames(run->scene);
    while (sn_scene_body_at(run->scene, run->bodies, &body)) run->bodies++;
    run->body = calloc(run->bodies + 1, sizeof *run->body);
    return run->body ? APP_CONTINUE : app_fail("there is no memory for the bodies");
}

static app_exit measure(strain_run *run, int frame) {
    for (size_t i = 0; i < run->bodies; i++) {
        sn_scene_strain now;
        strained *all = &run->body[i];
        if (sn_scene_body_strain(run->scene, i, &now) != SN_OK) return app_fail(sn_last_error());
        all->mean += now.mean / run->frames;
        if (!(now.largest > all->largest)) continue;
        all->largest = now.largest;
        all->where = now.where;
        all->frame = frame;
    }
    return APP_CONTINUE;
}

static app_exit simulate(strain_run *run) {
    app_exit exit = APP_CONTINUE;
    progress p = progress_start("frame", run->frames);
    for (int frame = 1; frame <= run->frames && exit == APP_CONTINUE; frame++) {
        sn_result result = sn_scene_step(run->scene);
        if (result != SN_OK) exit = app_fail_result("the step failed", result);
        if (exit == APP_CONTINUE) exit = measure(run, frame);
        if (exit == APP_CONTINUE) progress_show(&p, frame);
        if (exit == APP_CONTINUE && interrupt_came()) exit = APP_INTERRUPTED;
    }
    progress_end(&p);
    return exit;
}

static void print_text(const strain_run *as_is, const strain_run *fine) {
    sn_scene_body body;
    printf("%-20s %9s  %9s %9s %9s  %s\n", "body", "substeps", "mean", "largest", "frame",
           "at (m)");
    for (size_t i = 0; sn_scene_body_at(as_is->scene, i, &body); i++) {
        const strain_run *runs[] = {as_is, fine};
        for (int k = 0; k < 2; k++) {
            const strained *s = &runs[k]->body[i];
            printf("%-20.20s %9d  %7.3f %% %7.2f %% %9d  (%.3g, %.3g, %.3g)\n",
                   k == 0 ? body.name : "", runs[k]->substeps, 100 * s->mean, 100 * s->largest,
                   s->frame, (double)s->where.x, (double)s->where.y, (double)s->where.z);
        }
    }
}

static void print_json(const strain_run *as_is, const strain_run *fine) {
    sn_scene_body body;
    printf("{\"frames\": %d, \"substeps\": [%d, %d], \"bodies\": [", as_is->frames, as_is->substeps,
           fine->substeps);
    for (size_t i = 0; sn_scene_body_at(as_is->scene, i, &body); i++)
        printf("%s{\"name\": \"%s\", \"kind\": \"%s\", \"mean\": [%.6g, %.6g], "
               "\"largest\": [%.6g, %.6g]}",
               i > 0 ? ", " : "", body.name, sn_kind_get_info(body.kind)->name, as_is->body[i].mean,
               fine->body[i].mean, as_is->body[i].largest, fine->body[i].largest);
    printf("]}\n");
}

static app_exit compare(const strain_options *o, strain_run *as_is, strain_run *fine) {
    app_exit exit = open_scene(o, o->substeps, as_is);
    if (exit != APP_CONTINUE) return exit;
    long many = (long)as_is->substeps * o->times;
    interrupt_catch();
    exit = simulate(as_is);
    if (exit == APP_CONTINUE)
        exit = open_scene(o, many < MOST_SUBSTEPS ? (int)many : MOST_SUBSTEPS, fine);
    if (exit == APP_CONTINUE) exit = simulate(fine);
    if (exit != APP_CONTINUE) return exit;
    (o->json ? print_json : print_text)(as_is, fine);
    return APP_OK;
}

app_exit verb_strain(int argc, char **argv) {
    strain_options o = {.times = 16, .threads = 1};
    const option options[] = {
        {"frames", "N", "simulate up to this frame (as the scene says)", OPTION_INT, &o.frames, 1,
         1000000},
        {"substeps", "N", "per frame (as the scene says)", OPTION_INT, &o.substeps, 1,
         MOST_SUBSTEPS},
        {"times", "N", "how many times as many the other run has (16)", OPTION_INT, &o.times, 2,
         1000},
        OPTION_SET(&o.sets),
        OPTION_ALLOW(&o.allow),
        {"threads", "N", "threads of the solver, 0 for one per core (1)", OPTION_INT, &o.threads, 0,
         256},
        {"json", NULL, "say it as one line of JSON", OPTION_FLAG, &o.json, 0, 0},
    };
    const verb_usage usage = {
        .name = "strain",
        .operands = "SCENE",
        .operand = &o.files,
        .operand_count = 1,
        .summary = "Says how much edges of bodies are strained, in the mean over edges and frames\n"
                   "and at the worst edge of all frames, as the scene is and with many times its\n"
                   "substeps. What is left then is of the material and the load; what the first\n"
                   "has beyond that is for want of substeps, tethers or levels.",
        .notes = "example: sinew strain cloth --frames 30\n"
                 "exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    app_exit exit = options_parse(&usage, argc, argv);
    strain_run as_is = {0}, fine = {0};
    if (exit == APP_CONTINUE) exit = compare(&o, &as_is, &fine);
    sn_scene_close(as_is.scene);
    sn_scene_close(fine.scene);
    free(as_is.body);
    free(fine.body);
    return exit;
}
