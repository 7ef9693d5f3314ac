/* sinew replay: repeats a recording and compares the hash of every step. */
#include "find_scene.h"
#include "memory.h"
#include "options.h"

#include <sinew_io/scene.h>

#include <inttypes.h>
#include <stdio.h>

typedef struct replay_options {
    text_list files;
    const char *scene; /* whose formulas the recording needs; null for none */
    int threads, simd;
    bool json;
} replay_options;

/* A path as a JSON string. */
static void print_quoted(const char *text) {
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < ' ')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_json(const char *path, const sn_replay_report *r) {
    printf("{\"file\": ");
    print_quoted(path);
    printf(", \"calls\": %zu, \"steps\": %zu, \"truncated\": %s, \"differs\": %s", r->calls,
           r->steps, r->truncated ? "true" : "false", r->differs ? "true" : "false");
    if (r->differs)
        printf(", \"step\": %zu, \"expected\": \"%016" PRIx64 "\", \"found\": \"%016" PRIx64 "\"",
               r->step, r->expected, r->found);
    printf("}\n");
}

static void print_text(const sn_replay_report *r, const sn_world *world) {
    printf("repeated  %zu calls, %zu of them steps, %.2f s\n", r->calls, r->steps,
           sn_world_time(world));
    if (r->truncated) printf("note      the recording has no end; it was cut off here\n");
    if (r->differs)
        printf("differs   step %zu: the hash is %016" PRIx64 ", recorded was %016" PRIx64 "\n",
               r->step, r->found, r->expected);
    else
        printf("the same  every step gives the recorded hash, the last %016" PRIx64 "\n",
               sn_world_hash(world));
}

/* A world of its own, or that of a scene, which has the types of its formulas. */
static sn_result make_world(const replay_options *o, sn_scene **scene, sn_world **world) {
    char path[SCENE_PATH];
    if (!o->scene) {
        sn_world_def def = sn_world_def_default();
        def.threads = o->threads;
        def.simd_width = o->simd;
        return sn_world_create(&def, world);
    }
    sn_scene_def def = memory_scene_def();
    def.path = scene_path(o->scene, path);
    def.threads = o->threads;
    def.simd_width = o->simd;
    sn_result result = sn_scene_open(&def, scene);
    *world = sn_scene_world(*scene);
    return result;
}

static app_exit replay_all(const replay_options *o) {
    sn_scene *scene = NULL;
    sn_world *world = NULL;
    sn_replay_report report = {0};
    sn_result result = make_world(o, &scene, &world);
    if (result != SN_OK) {
        app_fail_result("cannot make a world", result);
        return APP_USAGE;
    }
    result = sn_replay_file(world, o->files.items[0], &report);
    app_exit exit = report.differs ? APP_FAILED : APP_OK;
    if (result != SN_OK) {
        app_fail_result("cannot repeat the recording", result);
        exit = APP_USAGE;
    } else if (o->json) {
        print_json(o->files.items[0], &report);
    } else {
        print_text(&report, world);
    }
    if (scene)
        sn_scene_close(scene);
    else
        sn_world_destroy(world);
    return exit;
}

app_exit verb_replay(int argc, char **argv) {
    replay_options o = {0};
    const option options[] = {
        {"json", NULL, "say the result as one line of JSON", OPTION_FLAG, &o.json, 0, 0},
        {"scene", "SCENE", "that was recorded, where it has constraints of its own (formulas)",
         OPTION_TEXT, &o.scene, 0, 0},
        {"threads", "N", "threads of the solver, 0 for one per core (0)", OPTION_INT, &o.threads, 0,
         256},
        {"simd", "W", "lanes: 1, 4, 8, 16, or 0 for the best (0)", OPTION_INT, &o.simd, 0, 16},
    };
    const verb_usage usage = {
        .name = "replay",
        .operands = "FILE",
        .operand = &o.files,
        .operand_count = 1,
        .summary = "Repeats the calls of a recording, as \"sinew run --record\" and\n"
                   "sn_recording_start make them, and compares the state after every step.",
        .notes = "A recording that was cut off is repeated up to there.\n"
                 "exit codes: 0 the same, 1 a step differs, 2 wrong usage or unreadable",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    app_exit exit = options_parse(&usage, argc, argv);
    if (exit == APP_CONTINUE) exit = app_check_simd("replay", o.simd);
    return exit == APP_CONTINUE ? replay_all(&o) : exit;
}
