#include "convert_moving.h"

#include <sinew_io/cache.h>
#include <sinew_io/export.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_of(const char *path, const char *named, const char *name, const char *ending) {
    size_t length = strlen(path), end = strlen(ending);
    if (named) return strcmp(named, name) == 0;
    return length > end && strcmp(path + length - end, ending) == 0;
}

static bool is_cache(const moving_options *o) {
    return is_of(o->from, o->format, "cache", ".snc");
}

/* Whether anything in a file moves; one that cannot be opened says why when it is converted. */
static bool has_motion(const moving_options *o) {
    sn_io_animation_def def = sn_io_animation_def_default();
    sn_io_animation *a = NULL;
    def.format = o->format;
    if (sn_io_animation_open(o->from, &def, &a) != SN_OK) return true;
    sn_io_animation_info info = sn_io_animation_get_info(a);
    sn_io_animation_close(a);
    return info.end > info.begin;
}

bool moving_is_meant(const moving_options *o) {
    bool is_glb =
        is_of(o->from, o->format, "glb", ".glb") || is_of(o->from, o->format, "gltf", ".gltf");
    bool is_usda = is_of(o->from, o->format, "usda", ".usda");
    bool for_motion = is_of(o->to, o->target, "pc2", ".pc2") ||
                      is_of(o->to, o->target, "mdd", ".mdd") ||
                      is_of(o->to, o->target, "cache", ".snc") || is_of(o->to, NULL, "vtu", ".pvd");
    if (o->asked || o->clip || is_cache(o) || for_motion) return true;
    if (!is_glb && !is_usda) return sn_io_animation_is_format(o->from, o->format);
    return (is_usda || is_of(o->to, o->target, "usda", ".usda")) && has_motion(o);
}

/* ---- Where it goes ---- */

typedef struct target {
    char folder[SN_PATH_LENGTH], name[SN_PATH_LENGTH];
    const char *format;
} target;

/* Folder, name without its ending, and the format of that ending. */
static app_exit find_target(const moving_options *o, target *t) {
    const char *slash = strrchr(o->to, '/'), *name = slash ? slash + 1 : o->to;
    const char *point = strrchr(name, '.');
    size_t count, length = point ? (size_t)(point - name) : strlen(name);
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    snprintf(t->folder, sizeof t->folder, "%.*s", slash ? (int)(slash - o->to) : 1,
             slash ? o->to : ".");
    if (slash == o->to) snprintf(t->folder, sizeof t->folder, "/");
    snprintf(t->name, sizeof t->name, "%.*s", (int)length, name);
    t->format = o->target;
    for (size_t i = 0; !t->format && point && i < count; i++) {
        bool is_vtu = strcmp(point, ".vtu") == 0 && strcmp(formats[i].name, "vtu") == 0;
        if (strcmp(point, formats[i].extension) == 0 || is_vtu) t->format = formats[i].name;
    }
    if (t->format && sn_io_export_find_format(t->format)) return APP_CONTINUE;
    fprintf(stderr,
            "sinew convert: \"%s\" is no file that motion can be written to, expected .usda, .glb, "
            ".pvd, .pc2, .mdd, .obj, .ply or .snc\n",
            o->to);
    return APP_USAGE;
}

static app_exit finish(const moving_options *o, sn_io_export *e, sn_result result) {
    size_t frames = sn_io_export_frame_count(e);
    if (result == SN_OK) result = sn_io_export_close(e);
    if (result == SN_OK) {
        size_t files = sn_io_export_file_count(e);
        printf("%s: %zu %s; written to ", o->from, frames, frames == 1 ? "frame" : "frames");
        if (files == 1)
            printf("%s\n", sn_io_export_file(e, 0));
        else
            printf("%zu files, %s first\n", files, files > 0 ? sn_io_export_file(e, 0) : "none");
    }
    sn_io_export_free(e);
    return result == SN_OK ? APP_OK : app_fail(sn_last_error());
}

static sn_result open_export(const moving_options *o, const target *t, double fps,
                             sn_io_export **e) {
    sn_io_export_def def = sn_io_export_def_default();
    def.format = t->format;
    def.folder = t->folder;
    def.name = t->name;
    def.fps = fps;
    def.smooth = o->smooth;
    def.liquid_surfaces = o->liquid;
    return sn_io_export_open(&def, e);
}

/* ---- Caches ---- */

static app_exit convert_cache(const moving_options *o, const target *t) {
    sn_io_cache *cache;
    sn_io_export *e = NULL;
    if (sn_io_cache_open(o->from, &cache) != SN_OK) return app_fail(sn_last_error());
    sn_io_cache_info info = sn_io_cache_get_info(cache);
    double fps = o->fps > 0 ? o->fps : info.fps > 0 ? info.fps : 60;
    sn_result result = open_export(o, t, fps, &e);
    for (size_t i = 0; result == SN_OK && i < info.frame_count; i++) {
        sn_io_frame frame;
        result = sn_io_cache_frame(cache, i, &frame);
        if (result == SN_OK) result = sn_io_export_frame(e, &frame);
    }
    app_exit exit = e ? finish(o, e, result) : app_fail(sn_last_error());
    sn_io_cache_close(cache);
    return exit;
}

/* ---- Animations ---- */

static sn_result write_samples(sn_io_animation *a, const char *name, double fps, sn_io_export *e) {
    sn_io_animation_info info = sn_io_animation_get_info(a);
    const sn_mesh *mesh = sn_io_animation_mesh(a);
    const sn_real *uvs = sn_io_animation_uvs(a);
    double last = floor((info.end - info.begin) * fps + 0.5);
    sn_vec3 *x = malloc((info.vertex_count + 1) * sizeof *x);
    if (!x) return sn_fail(SN_ERROR_MEMORY, "no memory for %zu vertices", info.vertex_count);
    if (!(last < 1e6)) {
        free(x);
        return sn_fail(SN_ERROR_LIMIT, "%.0f frames, expected fewer than a million", last);
    }
    sn_io_shape shape = {.name = name,
                         .vertex_count = info.vertex_count,
                         .positions = x,
                         .triangle_count = mesh->triangle_count,
                         .triangles = (const uint32_t(*)[3])mesh->triangles,
                         .line_count = mesh->line_count,
                         .lines = (const uint32_t(*)[2])mesh->lines,
                         .uvs = (const sn_real(*)[2])uvs,
                         .colours = sn_io_animation_colours(a),
                         .group_count = mesh->group_count,
                         .groups = mesh->groups};
    const sn_io_materials *materials = sn_io_animation_materials(a);
    if (materials->count == 1) shape.look = &materials->looks[0];
    if (shape.look && shape.look->colour.x != SN_AUTO) shape.colours = NULL;
    if (materials->count > 1) {
        shape.material_count = materials->count;
        shape.materials = materials->looks;
        shape.triangle_materials = materials->triangles;
    }
    sn_result result = SN_OK;
    for (int i = 0; result == SN_OK && i <= (int)last; i++) {
        sn_io_frame frame = {.number = i, .time = i / fps, .shape_count = 1, .shapes = &shape};
        result = sn_io_animation_sample(a, info.begin + i / fps, x);
        if (result == SN_OK) result = sn_io_export_frame(e, &frame);
    }
    free(x);
    return result;
}

/* The name of what all vertices belong to, as an object of a file is, or that of the file. */
static const char *name_of(const moving_options *o, const sn_io_animation *a,
                           char name[SN_PATH_LENGTH]) {
    const sn_mesh *mesh = sn_io_animation_mesh(a);
    for (size_t i = 0; i < mesh->group_count; i++)
        if (mesh->groups[i].count == mesh->vertex_count) return mesh->groups[i].name;
    const char *slash = strrchr(o->from, '/'), *begin = slash ? slash + 1 : o->from;
    snprintf(name, SN_PATH_LENGTH, "%.*s", (int)strcspn(begin, "."), begin);
    return name[0] ? name : "mesh";
}

static app_exit convert_animation(const moving_options *o, const target *t) {
    char name[SN_PATH_LENGTH];
    sn_io_animation_def def = sn_io_animation_def_default();
    sn_mesh mesh = sn_mesh_default();
    sn_io_animation *a = NULL;
    sn_io_export *e = NULL;
    double fps = o->fps > 0 ? o->fps : 60;
    def.format = o->format;
    def.clip = o->clip;
    def.scale = o->how->scale;
    def.up = o->how->up;
    def.weld = o->how->weld;
    def.fps = fps;
    sn_result result = o->mesh ? sn_io_mesh_read(o->mesh, NULL, &mesh) : SN_OK;
    if (o->mesh) def.mesh = &mesh;
    if (result == SN_OK) result = sn_io_animation_open(o->from, &def, &a);
    if (result == SN_OK) result = open_export(o, t, fps, &e);
    if (result == SN_OK) result = write_samples(a, name_of(o, a, name), fps, e);
    app_exit exit = e ? finish(o, e, result) : app_fail(sn_last_error());
    sn_io_animation_close(a);
    sn_mesh_free(&mesh);
    return exit;
}

/* A cache grows where it is, and would replace what is still to be read. */
static app_exit check_cache(const moving_options *o, const target *t) {
    char path[2 * SN_PATH_LENGTH + 8];
    struct stat from, to;
    snprintf(path, sizeof path, "%s/%s.snc", t->folder, t->name);
    if (strcmp(t->format, "cache") != 0 || stat(o->from, &from) != 0 || stat(path, &to) != 0 ||
        from.st_dev != to.st_dev || from.st_ino != to.st_ino)
        return APP_CONTINUE;
    fprintf(stderr, "sinew convert: \"%s\" would replace itself, expected another file\n", o->to);
    return APP_USAGE;
}

app_exit moving_convert(const moving_options *o) {
    target t;
    app_exit exit = find_target(o, &t);
    if (exit == APP_CONTINUE) exit = check_cache(o, &t);
    if (exit != APP_CONTINUE) return exit;
    return is_cache(o) ? convert_cache(o, &t) : convert_animation(o, &t);
}
