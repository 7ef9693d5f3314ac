#define _POSIX_C_SOURCE 200809L

#include "run_targets.h"

#include "render.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Formats ---- */

bool targets_next_format(const char **list, char format[RUN_FORMAT]) {
    size_t length = strcspn(*list, ",");
    if (!**list) return false;
    snprintf(format, RUN_FORMAT, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

static app_exit refuse_format(const char *format) {
    sn_suggestion guess = {0};
    size_t count;
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    for (size_t i = 0; i < count; i++) sn_suggest(&guess, format, formats[i].name);
    fprintf(stderr, "sinew run: --format has \"%s\"", format);
    app_print_suggestion(&guess, "cache, usda, pc2, mdd, vtu, glb, obj, ply or none");
    return APP_USAGE;
}

app_exit targets_check_formats(const run_output *o) {
    const sn_io_export_format *found[RUN_FORMATS];
    char format[RUN_FORMAT];
    size_t count = 0;
    const char *list = o->formats;
    if (strcmp(list, "none") == 0) return APP_CONTINUE;
    while (targets_next_format(&list, format)) {
        const sn_io_export_format *one = sn_io_export_find_format(format);
        if (!one) return refuse_format(format);
        for (size_t i = 0; i < count; i++) {
            if (found[i] != one) continue;
            fprintf(stderr, "sinew run: --format has \"%s\" twice\n", format);
            return APP_USAGE;
        }
        found[count++] = one;
    }
    return APP_CONTINUE;
}

sn_io_export_def targets_export_def(const run_output *o, const sn_scene *scene,
                                    const char *format) {
    sn_io_export_def def = sn_io_export_def_default();
    def.format = format;
    def.folder = o->folder;
    def.name = o->name;
    def.fps = sn_scene_fps(scene);
    def.smooth = o->smooth > 0 ? o->smooth : 0;
    def.liquid_surfaces = o->liquid;
    return def;
}

/* ---- Files ---- */

typedef struct target {
    const char *option, *path;
} target;

/* Files of a name of their own, and what the run is made from. */
enum { OWN = 5, TARGETS = OWN + 2 };
typedef struct targets {
    target items[TARGETS];
} targets;

static targets list_targets(const run_output *o) {
    const char *events = o->events && strcmp(o->events, "-") != 0 ? o->events : "";
    return (targets){{{"--picture", o->picture_path},
                      {"--stats", o->stats},
                      {"--record", o->record},
                      {"--video", o->video},
                      {"--events", events},
                      {"the scene", o->scene},
                      {"--resume", o->resume}}};
}

static bool is_given(const char *path) {
    return path && *path;
}

/* A path without what says that it begins here. */
static const char *from_here(const char *path) {
    while (path[0] == '.' && path[1] == '/') path += 2;
    return path;
}

/* Devices may be written to by several. */
static bool is_same_file(const char *a, const char *b) {
    struct stat x, y;
    if (stat(a, &x) == 0 && stat(b, &y) == 0)
        return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return strcmp(from_here(a), from_here(b)) == 0;
}

static app_exit refuse_same(const char *a, const char *b, const char *path) {
    fprintf(stderr, "sinew run: %s and %s are the same file, \"%s\"\n", a, b, path);
    return APP_USAGE;
}

static app_exit check_distinct(const targets *all) {
    for (size_t i = 0; i < OWN; i++)
        for (size_t k = i + 1; k < TARGETS; k++) {
            const target *a = &all->items[i], *b = &all->items[k];
            if (is_given(a->path) && is_given(b->path) && is_same_file(a->path, b->path))
                return refuse_same(a->option, b->option, a->path);
        }
    return APP_CONTINUE;
}

static bool is_inside(const char *path, const char *folder) {
    path = from_here(path);
    folder = from_here(folder);
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/') length--;
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* What is not in the folder of the run before that folder is made. */
static sn_result check_files(const run_output *o, const targets *all, bool inside) {
    for (size_t i = 0; i < OWN; i++) {
        const char *path = all->items[i].path;
        if (is_given(path) && is_inside(path, o->folder) == inside) SN_TRY(sn_io_file_check(path));
    }
    return SN_OK;
}

/* ---- The folder, and what is in it ---- */

/* How much of a path is there already. */
static size_t existing_length(const char *path) {
    char part[RUN_PATH];
    size_t length = strlen(path), existing = 0;
    struct stat status;
    if (length >= sizeof part) return length;
    memcpy(part, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != 0) continue;
        part[i] = 0;
        if (stat(part, &status) != 0) break;
        part[i] = path[i];
        existing = i;
    }
    return existing;
}

void targets_undo(const run_output *o) {
    char path[RUN_PATH];
    size_t length = strlen(o->folder);
    if (length >= sizeof path || !o->prepared) return;
    memcpy(path, o->folder, length + 1);
    while (length > o->existing) {
        (void)rmdir(path);
        while (length > o->existing && path[length - 1] != '/') length--;
        while (length > o->existing && path[length - 1] == '/') length--;
        path[length] = 0;
    }
}

/* Before one of the formats is opened, since that of the cache replaces what was there. */
static app_exit check_exports(const run_output *o, const sn_scene *scene, const targets *all) {
    char format[RUN_FORMAT], path[RUN_PATH];
    const char *list = strcmp(o->formats, "none") == 0 ? "" : o->formats;
    while (targets_next_format(&list, format)) {
        sn_io_export_def def = targets_export_def(o, scene, format);
        if (sn_io_export_check(&def) != SN_OK) return app_fail(sn_last_error());
        snprintf(path, sizeof path, "%s/%s%s", o->folder, o->name,
                 sn_io_export_find_format(format)->extension);
        for (size_t i = 0; i < TARGETS; i++)
            if (is_given(all->items[i].path) && is_same_file(path, all->items[i].path))
                return refuse_same("--format", all->items[i].option, path);
    }
    return APP_CONTINUE;
}

static sn_result check_snapshots(const run_output *o, const sn_scene *scene) {
    char path[RUN_PATH];
    if (!o->snapshots) return SN_OK;
    output_snapshot_path(o, sn_scene_frame_number(scene), path);
    return sn_io_file_check(path);
}

app_exit targets_prepare(run_output *o, const sn_scene *scene) {
    const targets all = list_targets(o);
    app_exit exit = check_distinct(&all);
    if (exit != APP_CONTINUE) return exit;
    if (check_files(o, &all, false) != SN_OK) return app_fail(sn_last_error());
    o->existing = existing_length(o->folder);
    o->prepared = true;
    if (sn_io_folder_make(o->folder) != SN_OK || check_files(o, &all, true) != SN_OK ||
        check_snapshots(o, scene) != SN_OK)
        return app_fail(sn_last_error());
    exit = check_exports(o, scene, &all);
    if (exit == APP_CONTINUE && o->video) exit = render_check_video(o->video, sn_scene_fps(scene));
    return exit;
}
