/* sinew check: what is wrong with a scene or a mesh, and meshes mended. */
#include "find_scene.h"
#include "log.h"
#include "memory.h"
#include "options.h"

#include <sinew_io/file.h>
#include <sinew_io/mesh.h>
#include <sinew_io/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REMARK_SIZE = 256 };

typedef struct check_options {
    text_list files, sets;
    const char *out, *weld, *format, *allow;
    bool fix, json;
} check_options;

/* ---- Saying it ---- */

typedef struct findings {
    const char *path;
    bool json;
    size_t errors, warnings, said;
} findings;

/* A string inside quotes of JSON. */
static void print_quoted(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    }
    putchar('"');
}

static void say(findings *f, sn_log_level level, const char *sentence) {
    static const char *const names[] = {"info", "warning", "error"};
    f->errors += level == SN_LOG_ERROR;
    f->warnings += level == SN_LOG_WARNING;
    if (f->json) {
        printf("%s{\"level\": \"%s\", \"sentence\": ", f->said ? ", " : "", names[level]);
        print_quoted(sentence);
        putchar('}');
    } else {
        printf("%-8s %s\n", names[level], sentence);
    }
    f->said++;
}

static void begin(findings *f) {
    if (!f->json) return;
    printf("{\"file\": ");
    print_quoted(f->path);
    printf(", \"findings\": [");
}

static app_exit end(findings *f, const char *summary) {
    if (f->json)
        printf("], \"errors\": %zu, \"warnings\": %zu}\n", f->errors, f->warnings);
    else
        printf("%s: %s%zu error%s, %zu warning%s\n", f->path, summary, f->errors,
               f->errors == 1 ? "" : "s", f->warnings, f->warnings == 1 ? "" : "s");
    return f->errors > 0 ? APP_FAILED : APP_OK;
}

/* ---- Scenes ---- */

static void complain(void *user, const char *sentence) {
    say(user, SN_LOG_ERROR, sentence);
}

/* What would be told of every copy of a body is told once. */
static void warn(void *user, sn_log_level level, const char *sentence) {
    if (app_log_is_new(sentence)) say(user, level, sentence);
}

/* What was chosen where the scene leaves it open. */
static void say_choices(findings *f, sn_scene *scene) {
    char text[REMARK_SIZE];
    sn_scene_body body;
    sn_settings settings;
    if (sn_scene_chose_substeps(scene) &&
        sn_world_get_settings(sn_scene_world(scene), &settings) == SN_OK) {
        snprintf(text, sizeof text, "substeps: %d, chosen for the materials", settings.substeps);
        say(f, SN_LOG_INFO, text);
    }
    for (size_t i = 0; sn_scene_body_at(scene, i, &body); i++) {
        if (body.tethers != SN_SHEET_TETHERS_AUTO) continue;
        snprintf(text, sizeof text, "body \"%.64s\": tethers from each place that is pinned",
                 body.name);
        if (app_log_is_new(text)) say(f, SN_LOG_INFO, text);
    }
}

static app_exit check_scene(const check_options *o, findings *f) {
    sn_scene_def def = memory_scene_def();
    sn_scene *scene;
    char summary[128] = "";
    def.path = f->path;
    def.sets = o->sets.items;
    def.set_count = o->sets.count;
    def.allow = o->allow;
    def.complaint = complain;
    def.user = f;
    def.log = warn;
    def.log_user = f;
    if (sn_io_file_expect("the scene", f->path) != SN_OK) return app_fail(sn_last_error());
    FILE *file = fopen(f->path, "rb");
    if (!file) return app_fail_file("read the scene", f->path);
    fclose(file);
    begin(f);
    sn_result result = sn_scene_open(&def, &scene);
    if (result != SN_OK && f->errors == 0) say(f, SN_LOG_ERROR, sn_last_error());
    if (result == SN_OK) {
        say_choices(f, scene);
        sn_scene_body body;
        size_t bodies = 0;
        while (sn_scene_body_at(scene, bodies, &body)) bodies++;
        snprintf(summary, sizeof summary, "%zu bod%s, %zu constraints; ", bodies,
                 bodies == 1 ? "y" : "ies",
                 sn_world_constraint_count(sn_scene_world(scene), SN_TYPE_COUNT));
        sn_scene_close(scene);
    }
    return end(f, summary);
}

/* ---- Meshes ---- */

static app_exit parse_weld(const check_options *o, sn_real *weld) {
    char *last;
    if (!o->weld) return APP_CONTINUE;
    *weld = (sn_real)strtod(o->weld, &last);
    if (last != o->weld && !*last && *weld >= 0 && *weld < SN_REAL_MAX) return APP_CONTINUE;
    fprintf(stderr, "sinew check: --weld is \"%s\", expected a length in m\n", o->weld);
    return APP_USAGE;
}

static void say_shape(findings *f, const sn_mesh_report *report) {
    char text[REMARK_SIZE];
    for (size_t i = 0; i < report->piece_count && i < SN_MESH_PIECES; i++) {
        const sn_mesh_piece *p = &report->pieces[i];
        if (p->closed && p->genus >= 0)
            snprintf(text, sizeof text,
                     "piece %zu: %zu triangles, closed, %lld handle%s, volume %.6g m^3", i,
                     p->triangle_count, (long long)p->genus, p->genus == 1 ? "" : "s", p->volume);
        else
            snprintf(text, sizeof text, "piece %zu: %zu triangles, open, %zu edges on the border",
                     i, p->triangle_count, p->boundary_edges);
        say(f, SN_LOG_INFO, text);
    }
    if (report->piece_count > SN_MESH_PIECES) {
        snprintf(text, sizeof text, "and %zu more pieces", report->piece_count - SN_MESH_PIECES);
        say(f, SN_LOG_INFO, text);
    }
}

static void say_report(findings *f, const sn_mesh_report *report) {
    char text[REMARK_SIZE];
    sn_log_level level;
    for (size_t i = 0; i < sn_mesh_report_remarks(report); i++)
        if (sn_mesh_report_remark(report, i, &level, text, sizeof text) == SN_OK)
            say(f, level, text);
    say_shape(f, report);
}

static app_exit mend(const check_options *o, sn_mesh *mesh, sn_real weld) {
    sn_mesh_changes welded = {0}, cleaned = {0};
    sn_mesh_report report = sn_mesh_report_default();
    report.weld_distance = weld;
    sn_result result = sn_mesh_check(mesh, &report);
    if (result == SN_OK) result = sn_mesh_weld(mesh, report.weld_distance, &welded);
    if (result == SN_OK) result = sn_mesh_clean(mesh, &cleaned);
    if (result == SN_OK) result = sn_io_mesh_write(o->out, NULL, mesh);
    if (result != SN_OK) return app_fail(sn_last_error());
    return APP_CONTINUE;
}

static app_exit check_mesh(const check_options *o, findings *f) {
    sn_io_read_def read = sn_io_read_def_default();
    sn_mesh_report report = sn_mesh_report_default();
    sn_mesh mesh = sn_mesh_default();
    app_exit exit = parse_weld(o, &report.weld_distance);
    sn_real weld = report.weld_distance;
    char summary[128];
    if (exit != APP_CONTINUE) return exit;
    read.format = o->format;
    sn_result result = sn_io_mesh_read(f->path, &read, &mesh);
    if (result == SN_ERROR_FILE) return app_fail(sn_last_error());
    if (result != SN_OK) {
        begin(f);
        say(f, SN_LOG_ERROR, sn_last_error());
        return end(f, "");
    }
    if (o->fix) exit = mend(o, &mesh, weld);
    if (exit == APP_CONTINUE && sn_mesh_check(&mesh, &report) != SN_OK)
        exit = app_fail(sn_last_error());
    if (exit == APP_CONTINUE) {
        begin(f);
        say_report(f, &report);
        snprintf(summary, sizeof summary, "%s%zu vertices, %zu triangles, %zu tets; ",
                 o->fix ? "mended, " : "", mesh.vertex_count, mesh.triangle_count, mesh.tet_count);
        exit = end(f, summary);
        if (o->fix && !o->json) printf("written  %s\n", o->out);
    }
    sn_mesh_free(&mesh);
    return exit;
}

/* ---- The verb ---- */

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static app_exit check(const check_options *o) {
    char path[SCENE_PATH];
    findings f = {.path = scene_path(o->files.items[0], path), .json = o->json};
    bool scene = ends_with(path, ".json") || ends_with(path, ".urdf");
    if (o->fix != (o->out != NULL) || (o->fix && scene)) {
        fprintf(stderr, "sinew check: --fix mends a mesh and needs -o FILE\n");
        return APP_USAGE;
    }
    return scene ? check_scene(o, &f) : check_mesh(o, &f);
}

app_exit verb_check(int argc, char **argv) {
    check_options o = {0};
    const option options[] = {
        OPTION_SET(&o.sets),
        OPTION_ALLOW(&o.allow),
        {"fix", NULL, "weld and clean the mesh and write it, then check what was written",
         OPTION_FLAG, &o.fix, 0, 0},
        {"output", "FILE", "where the mended mesh goes", OPTION_TEXT, &o.out, 0, 0},
        {"weld", "D", "vertices this close are one, m (from the size of the mesh)", OPTION_TEXT,
         &o.weld, 0, 0},
        {"format", "NAME", "format of the mesh (as its extension says)", OPTION_TEXT, &o.format, 0,
         0},
        {"json", NULL, "say the findings as one line of JSON", OPTION_FLAG, &o.json, 0, 0},
    };
    const verb_usage usage = {
        .name = "check",
        .output = "output",
        .operands = "FILE",
        .operand = &o.files,
        .operand_count = 1,
        .summary =
            "Says what is wrong with a scene or a mesh. Of a scene: unknown keys, wrong\n"
            "values, and what cannot be built, each with its place. Of a mesh: edges with\n"
            "more than two triangles or only one, duplicates, elements without size, inverted\n"
            "tets, vertices that nothing uses, and seams that a weld would close.",
        .notes = "exit codes: 0 no errors, 1 errors, 2 wrong usage",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    app_exit exit = options_parse(&usage, argc, argv);
    return exit == APP_CONTINUE ? check(&o) : exit;
}
