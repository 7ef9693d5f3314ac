/* The public calls of the export: they check, keep account of the files, and leave the rest to the
   format. */
#define _POSIX_C_SOURCE 200809L

#include "io/animation/export.h"
#include "io/animation/export_poses.h"

#include <sinew_io/liquid.h>
#include <sinew_io/smooth.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* ---- Formats ---- */

#define FORMAT(name, extension, sentence) {#name, extension, sentence},
static const sn_io_export_format formats[] = {SN_IO_EXPORT_FORMATS(FORMAT)};
#undef FORMAT
#define EXPORTER(name, extension, sentence) &sn_io_exporter_##name,
static const sn_io_exporter *const exporters[] = {SN_IO_EXPORT_FORMATS(EXPORTER)};
#undef EXPORTER
enum { FORMATS = sizeof formats / sizeof formats[0] };

const sn_io_export_format *sn_io_export_formats(size_t *count) {
    if (count) *count = FORMATS;
    return formats;
}

const sn_io_export_format *sn_io_export_find_format(const char *name) {
    for (size_t i = 0; name && i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

/* ---- Opening ---- */

sn_io_export_def sn_io_export_def_default(void) {
    return (sn_io_export_def){.size = sizeof(sn_io_export_def),
                              .format = "cache",
                              .folder = ".",
                              .name = "frames",
                              .fps = 60,
                              .most_targets = 256};
}

static sn_result check_folder(const char *folder) {
    struct stat status;
    if (stat(folder, &status) != 0)
        return sn_fail(SN_ERROR_FILE, "export: there is no folder \"%s\"", folder);
    if (!S_ISDIR(status.st_mode))
        return sn_fail(SN_ERROR_FILE, "export: \"%s\" is not a folder", folder);
    return SN_OK;
}

static sn_result check_def(const sn_io_export_def *def) {
    if (def->size != sizeof *def)
        return sn_fail(
            SN_ERROR_DEFINITION,
            "export: size is %zu, expected %zu; was the definition made by its default function?",
            def->size, sizeof *def);
    if (!def->format || !def->folder || !def->name)
        return sn_fail(SN_ERROR_NULL, "export: %s is null",
                       !def->format   ? "format"
                       : !def->folder ? "folder"
                                      : "name");
    if (!sn_io_export_find_format(def->format))
        return sn_fail(SN_ERROR_NAME, "export: there is no format \"%s\"", def->format);
    if (!def->name[0] || strchr(def->name, '/') || strchr(def->name, '\n'))
        return sn_fail(SN_ERROR_VALUE, "export: the name is \"%s\", expected that of a file",
                       def->name);
    if (!(def->fps > 0) || !isfinite(def->fps))
        return sn_fail(SN_ERROR_VALUE, "export: fps is %g, expected more than 0 /s", def->fps);
    if (def->most_targets < 1)
        return sn_fail(SN_ERROR_VALUE, "export: most_targets is %d, expected at least 1",
                       def->most_targets);
    if (def->smooth < 0 || def->smooth > SN_IO_SMOOTH_MOST)
        return sn_fail(SN_ERROR_VALUE, "export: smooth is %d, expected 0 to %d", def->smooth,
                       SN_IO_SMOOTH_MOST);
    return check_folder(def->folder);
}

sn_result sn_io_export_check(const sn_io_export_def *def) {
    if (!def) return sn_fail(SN_ERROR_NULL, "export: def is null");
    SN_TRY(check_def(def));
    const sn_io_export_format *format = sn_io_export_find_format(def->format);
    if (!exporters[format - formats]->single) return SN_OK;
    size_t size = strlen(def->folder) + strlen(def->name) + strlen(format->extension) + 2;
    char *path = malloc(size);
    if (!path) return sn_io_export_no_memory();
    snprintf(path, size, "%s/%s%s", def->folder, def->name, format->extension);
    sn_result result = sn_io_file_check(path);
    free(path);
    return result;
}

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

sn_result sn_io_export_open(const sn_io_export_def *def, sn_io_export **out) {
    if (!def || !out) return sn_fail(SN_ERROR_NULL, "export: %s is null", def ? "out" : "def");
    *out = NULL;
    SN_TRY(check_def(def));
    sn_io_export *e = calloc(1, sizeof *e);
    if (!e) return sn_fail(SN_ERROR_MEMORY, "export: no memory");
    e->kind = exporters[sn_io_export_find_format(def->format) - formats];
    e->fps = def->fps;
    e->most_targets = def->most_targets;
    /* A cache is read by who can smooth frames himself. */
    e->smooth = e->kind == &sn_io_exporter_cache ? 0 : def->smooth;
    e->folder = copy_text(def->folder);
    e->name = copy_text(def->name);
    sn_result result = e->folder && e->name ? SN_OK : sn_io_export_no_memory();
    if (result == SN_OK && e->smooth > 0) result = sn_io_smoother_create(&e->smoother);
    if (result == SN_OK && def->liquid_surfaces && e->kind != &sn_io_exporter_cache)
        result = sn_io_liquid_create(&e->liquid);
    if (result == SN_OK && e->kind->transforms) result = sn_io_poses_create(&e->poses);
    if (result == SN_OK && e->kind->open) result = e->kind->open(e);
    if (result != SN_OK) {
        sn_io_export_free(e);
        return result;
    }
    *out = e;
    return SN_OK;
}

sn_result sn_io_export_open_still(const char *path, const char *format, sn_io_export **out) {
    sn_io_export_def def = sn_io_export_def_default();
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *point = strrchr(name, '.');
    char *folder = copy_text(path), *stem = copy_text(name), *still = copy_text(path);
    sn_result result = folder && stem && still ? SN_OK : sn_io_export_no_memory();
    if (result == SN_OK) {
        /* The root is a folder by its slash alone. */
        folder[!slash ? 0 : slash == path ? 1 : slash - path] = 0;
        if (point && point > name) stem[point - name] = 0;
        def.format = format;
        def.folder = slash ? folder : ".";
        def.name = stem;
        result = sn_io_export_open(&def, out);
    }
    free(folder);
    free(stem);
    if (result == SN_OK)
        (*out)->still = still;
    else
        free(still);
    return result;
}

/* ---- Frames ---- */

static sn_result check_order(const sn_io_export *e, const sn_io_frame *frame) {
    if (e->frames == 0) return SN_OK;
    if (frame->number <= e->last_number)
        return sn_fail(SN_ERROR_VALUE, "export: frame %d follows frame %d, expected a later one",
                       frame->number, e->last_number);
    if (!(frame->time > e->last_time))
        return sn_fail(SN_ERROR_VALUE,
                       "export: the time of frame %d is %g s and that of the frame before it %g s, "
                       "expected a later one",
                       frame->number, frame->time, e->last_time);
    return SN_OK;
}

sn_result sn_io_export_frame(sn_io_export *e, const sn_io_frame *frame) {
    if (!e || !frame) return sn_fail(SN_ERROR_NULL, "export: %s is null", e ? "frame" : "export");
    if (e->closed) return sn_fail(SN_ERROR_VALUE, "export: a frame after the export was closed");
    SN_TRY(sn_io_frame_check(frame));
    SN_TRY(check_order(e, frame));
    if (e->frames == 0) e->first_time = frame->time;
    sn_io_frame wet = *frame;
    if (e->liquid) SN_TRY(sn_io_liquid_frame(e->liquid, frame, &wet));
    sn_io_frame smooth = wet;
    if (e->smooth > 0) SN_TRY(sn_io_smoother_frame(e->smoother, &wet, e->smooth, NULL, &smooth));
    sn_io_frame posed = smooth;
    if (e->poses) SN_TRY(sn_io_poses_frame(e->poses, &smooth, &posed));
    SN_TRY(e->kind->frame(e, &posed));
    e->frames++;
    e->last_number = frame->number;
    e->last_time = frame->time;
    return SN_OK;
}

sn_result sn_io_export_close(sn_io_export *e) {
    if (!e) return sn_fail(SN_ERROR_NULL, "export: export is null");
    if (e->closed) return SN_OK;
    e->closed = true;
    sn_result result = e->kind->close ? e->kind->close(e) : SN_OK;
    if (e->kind->free) e->kind->free(e);
    e->state = NULL;
    return result;
}

void sn_io_export_free(sn_io_export *e) {
    if (!e) return;
    if (!e->closed && e->kind->free) e->kind->free(e);
    sn_io_smoother_destroy(e->smoother);
    sn_io_liquid_destroy(e->liquid);
    sn_io_poses_destroy(e->poses);
    for (size_t i = 0; i < e->file_count; i++) free(e->files[i].path);
    free(e->files);
    free(e->folder);
    free(e->name);
    free(e->still);
    free(e);
}

/* ---- What was written ---- */

size_t sn_io_export_frame_count(const sn_io_export *e) {
    return e ? e->frames : 0;
}

size_t sn_io_export_file_count(const sn_io_export *e) {
    return e ? e->file_count : 0;
}

const char *sn_io_export_file(const sn_io_export *e, size_t index) {
    return e && index < e->file_count ? e->files[index].path : NULL;
}

uint64_t sn_io_export_bytes(const sn_io_export *e) {
    uint64_t sum = 0;
    for (size_t i = 0; e && i < e->file_count; i++) sum += e->files[i].bytes;
    return sum;
}

/* ---- For the formats ---- */

sn_result sn_io_export_no_memory(void) {
    return sn_fail(SN_ERROR_MEMORY, "export: no memory");
}

void *sn_io_export_grow(void *items, size_t *capacity, size_t count, size_t size) {
    if (count < *capacity) return items;
    size_t larger = *capacity ? 2 * *capacity : 16;
    void *grown = larger <= SIZE_MAX / size ? realloc(items, larger * size) : NULL;
    if (grown) *capacity = larger;
    return grown;
}

/* Whether this is the ending of the main file. */
static bool is_main(const sn_io_export *e, const char *ending) {
    size_t i = 0;
    while (exporters[i] != e->kind) i++;
    return strcmp(formats[i].extension, ending) == 0;
}

char *sn_io_export_path(const sn_io_export *e, const char *ending) {
    size_t folder = strlen(e->folder), size = folder + strlen(e->name) + strlen(ending) + 2;
    bool is_still = e->still && is_main(e, ending);
    char *path = is_still ? copy_text(e->still) : malloc(size);
    const char *slash = folder == 0 || e->folder[folder - 1] == '/' ? "" : "/";
    if (path && !is_still) snprintf(path, size, "%s%s%s%s", e->folder, slash, e->name, ending);
    if (!path) sn_io_export_no_memory();
    return path;
}

sn_result sn_io_export_reserve(sn_io_export *e) {
    sn_io_written *grown =
        sn_io_export_grow(e->files, &e->file_capacity, e->file_count, sizeof *e->files);
    if (!grown) return sn_io_export_no_memory();
    e->files = grown;
    return SN_OK;
}

void sn_io_export_note(sn_io_export *e, char *path, uint64_t bytes) {
    e->files[e->file_count++] = (sn_io_written){path, bytes};
}

void sn_io_export_take_back(sn_io_export *e) {
    char *path = e->files[--e->file_count].path;
    remove(path);
    free(path);
}

sn_result sn_io_export_begin(sn_io_export *e, const char *ending, sn_io_file *file) {
    SN_TRY(sn_io_export_reserve(e));
    char *path = sn_io_export_path(e, ending);
    if (!path) return SN_ERROR_MEMORY;
    sn_result result = sn_io_file_open(file, path);
    free(path);
    return result;
}

sn_result sn_io_export_end(sn_io_export *e, sn_io_file *file, size_t *slot) {
    char *path = copy_text(sn_output_path_name(&file->path));
    if (!path) {
        sn_io_file_discard(file);
        return sn_io_export_no_memory();
    }
    /* Why a write failed is still in errno. */
    int number = errno;
    off_t bytes = ftello(file->stream);
    errno = number;
    sn_result result = sn_io_file_close(file);
    bool again = slot && *slot < e->file_count;
    if (result == SN_OK && again) e->files[*slot].bytes = (uint64_t)bytes;
    if (result == SN_OK && !again) {
        if (slot) *slot = e->file_count;
        sn_io_export_note(e, path, (uint64_t)bytes);
    } else {
        free(path);
    }
    return result;
}
