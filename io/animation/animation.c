/* Moving meshes: finds the format, lets it fill an animation, and makes that metres and y up. */
#include "io/animation/animation.h"

#include "io/mesh/mesh_format.h"

#include <sinew/support.h>
#include <sinew_io/file.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    sn_animation_opener *open;
    bool has_mesh;
} formats[] = {{"glb", sn_animation_open_glb, true},
               {"gltf", sn_animation_open_glb, true},
               {"usda", sn_animation_open_usda, true},
               {"pc2", sn_animation_open_pc2, false},
               {"mdd", sn_animation_open_mdd, false}};
enum { FORMATS = sizeof formats / sizeof formats[0] };

void *sn_animation_take(size_t count, size_t size) {
    void *block = calloc(count + 1, size);
    if (!block)
        sn_fail(SN_ERROR_MEMORY, "animation: no memory for %zu times %zu bytes", count, size);
    return block;
}

size_t sn_animation_find(const double *times, size_t count, double time, double *share) {
    size_t low = 0, high = count;
    *share = 0;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    if (low + 1 < count && time > times[low])
        *share = (time - times[low]) / (times[low + 1] - times[low]);
    return low;
}

/* ---- Opening ---- */

sn_io_animation_def sn_io_animation_def_default(void) {
    return (sn_io_animation_def){
        .size = sizeof(sn_io_animation_def), .fps = 60, .scale = 1, .weld = SN_AUTO};
}

static int find_format(const char *path, const char *format) {
    const char *extension = sn_path_extension(path);
    for (int i = 0; i < FORMATS; i++)
        if (format ? strcmp(format, formats[i].name) == 0
                   : sn_text_is(extension, strlen(extension), formats[i].name))
            return i;
    return -1;
}

bool sn_io_animation_is_format(const char *path, const char *format) {
    return path && find_format(path, format) >= 0;
}

static sn_result check_def(const sn_io_animation_def *def) {
    if (def->size != sizeof *def)
        return sn_fail(
            SN_ERROR_DEFINITION,
            "animation: its size is %zu, expected %zu: begin with sn_io_animation_def_default",
            def->size, sizeof *def);
    if (!(def->scale > 0 && isfinite(def->scale)))
        return sn_fail(SN_ERROR_VALUE, "animation: scale is %g, expected a number above 0 m",
                       def->scale);
    if (!(def->fps > 0 && isfinite(def->fps)))
        return sn_fail(SN_ERROR_VALUE, "animation: fps is %g, expected a number above 0 /s",
                       def->fps);
    if ((unsigned)def->up > SN_IO_UP_X)
        return sn_fail(SN_ERROR_VALUE, "animation: up is %d, expected SN_IO_UP_Y, _Z or _X",
                       (int)def->up);
    if (def->weld != SN_AUTO && !(def->weld >= 0 && isfinite(def->weld)))
        return sn_fail(SN_ERROR_VALUE,
                       "animation: weld is %g, expected a distance of at least 0 m, or SN_AUTO",
                       (double)def->weld);
    return SN_OK;
}

/* Takes the mesh of a file over, or that which came with it. */
static sn_result take_mesh(const sn_io_animation_def *def, bool has_mesh, sn_io_build *build,
                           sn_io_animation *a) {
    if (!has_mesh) {
        a->vertex_count = a->point_count;
        if (!def->mesh) return SN_OK;
        if (def->mesh->vertex_count != a->point_count)
            return sn_fail(SN_ERROR_DATA, "%s: it has %zu points, and the mesh %zu vertices",
                           a->name, a->point_count, def->mesh->vertex_count);
        return sn_mesh_copy(def->mesh, &a->mesh);
    }
    if (def->weld != SN_AUTO) {
        SN_TRY(sn_io_build_weld(build, (double)def->weld / a->scale));
        a->origins = sn_animation_take(build->mesh.vertex_count, sizeof *a->origins);
        if (!a->origins) return SN_ERROR_MEMORY;
        if (build->mesh.vertex_count > 0)
            memcpy(a->origins, build->origins.items, build->mesh.vertex_count * sizeof(uint32_t));
    }
    SN_TRY(sn_io_build_take_uvs(build, &a->uvs));
    SN_TRY(sn_io_build_take_colours(build, &a->colours));
    SN_TRY(sn_io_build_take_materials(build, &a->materials));
    SN_TRY(sn_io_build_finish_groups(build));
    a->mesh = build->mesh;
    build->mesh = sn_mesh_default();
    a->vertex_count = a->mesh.vertex_count;
    return SN_OK;
}

static sn_result fill(const sn_source *source, const sn_io_animation_def *def, int format,
                      sn_io_build *build, sn_io_animation *a) {
    size_t length = strlen(source->name) + 1;
    a->name = sn_animation_take(length, 1);
    if (!a->name) return SN_ERROR_MEMORY;
    memcpy(a->name, source->name, length);
    SN_TRY(formats[format].open(source, def, build, a));
    SN_TRY(take_mesh(def, formats[format].has_mesh, build, a));
    a->points = sn_animation_take(a->point_count, 3 * sizeof *a->points);
    if (!a->points) return SN_ERROR_MEMORY;
    if (!a->mesh.positions) return SN_OK;
    return sn_io_animation_sample(a, a->begin, a->mesh.positions);
}

static sn_result open_source(const sn_source *source, const sn_io_animation_def *def, int format,
                             sn_io_animation **out) {
    sn_io_build build = {.mesh = sn_mesh_default(),
                         .allocator = sn_allocator_default(),
                         .wants_uvs = true,
                         .wants_colours = true,
                         .wants_materials = true};
    sn_io_animation *a = sn_animation_take(1, sizeof *a);
    if (!a) return SN_ERROR_MEMORY;
    a->mesh = sn_mesh_default();
    a->scale = def->scale;
    a->up = def->up;
    sn_result result = fill(source, def, format, &build, a);
    sn_io_build_free(&build);
    if (result == SN_OK)
        *out = a;
    else
        sn_io_animation_close(a);
    return result;
}

static sn_result check_call(const char *path, const sn_io_animation_def *def, int *format,
                            sn_io_animation **out) {
    if (!path || !out)
        return sn_fail(SN_ERROR_NULL, "animation: %s is null", path ? "out" : "path");
    *out = NULL;
    SN_TRY(check_def(def));
    *format = find_format(path, def->format);
    if (*format < 0 && def->format)
        return sn_fail(SN_ERROR_NAME,
                       "there is no animation format \"%.64s\", expected glb, usda, pc2 or mdd",
                       def->format);
    if (*format < 0)
        return sn_fail(SN_ERROR_NAME,
                       "\"%.256s\" has no extension of an animation; name the format: glb, usda, "
                       "pc2 or mdd",
                       path);
    if (def->mesh && formats[*format].has_mesh)
        return sn_fail(SN_ERROR_VALUE, "animation: a mesh is given, and \"%.256s\" has its own",
                       path);
    return SN_OK;
}

sn_result sn_io_animation_open(const char *path, const sn_io_animation_def *def,
                               sn_io_animation **out) {
    const sn_io_animation_def standard = sn_io_animation_def_default();
    int format = -1;
    char *data;
    size_t size;
    if (!def) def = &standard;
    SN_TRY(check_call(path, def, &format, out));
    SN_TRY(sn_io_file_read("the animation", path, &data, &size));
    const sn_source source = {.name = path, .path = path, .data = data, .size = size};
    sn_result result = open_source(&source, def, format, out);
    free(data);
    return result;
}

sn_result sn_io_animation_open_memory(const char *name, const void *data, size_t size,
                                      const sn_io_animation_def *def, sn_io_animation **out) {
    const sn_io_animation_def standard = sn_io_animation_def_default();
    int format = -1;
    if (!def) def = &standard;
    SN_TRY(check_call(name, def, &format, out));
    if (!data && size > 0) return sn_fail(SN_ERROR_NULL, "animation: data is null");
    const sn_source source = {.name = name, .data = data ? data : "", .size = size};
    return open_source(&source, def, format, out);
}

void sn_io_animation_close(sn_io_animation *a) {
    if (!a) return;
    if (a->free) a->free(a->state);
    sn_mesh_free(&a->mesh);
    free(a->name);
    free(a->origins);
    free(a->uvs);
    free(a->colours);
    sn_io_materials_free(&a->materials);
    free(a->points);
    free(a);
}

/* ---- Looking ---- */

const sn_mesh *sn_io_animation_mesh(const sn_io_animation *animation) {
    return animation ? &animation->mesh : NULL;
}

const sn_real *sn_io_animation_uvs(const sn_io_animation *animation) {
    return animation && animation->uvs ? *animation->uvs : NULL;
}

const sn_io_materials *sn_io_animation_materials(const sn_io_animation *animation) {
    return animation ? &animation->materials : NULL;
}

const sn_vec3 *sn_io_animation_colours(const sn_io_animation *animation) {
    return animation ? animation->colours : NULL;
}

sn_io_animation_info sn_io_animation_get_info(const sn_io_animation *a) {
    if (!a) return (sn_io_animation_info){0};
    return (sn_io_animation_info){a->begin, a->end, a->vertex_count};
}

/* Units and axes. */
static sn_vec3 placed(const sn_io_animation *a, const double x[3]) {
    double s = a->scale;
    switch (a->up) {
    case SN_IO_UP_Z:
        return (sn_vec3){(sn_real)(s * x[0]), (sn_real)(s * x[2]), (sn_real)(0 - s * x[1])};
    case SN_IO_UP_X:
        return (sn_vec3){(sn_real)(0 - s * x[1]), (sn_real)(s * x[0]), (sn_real)(s * x[2])};
    default:
        return (sn_vec3){(sn_real)(s * x[0]), (sn_real)(s * x[1]), (sn_real)(s * x[2])};
    }
}

sn_result sn_io_animation_sample(sn_io_animation *a, double time, sn_vec3 *positions) {
    if (!a || (!positions && a->vertex_count > 0))
        return sn_fail(SN_ERROR_NULL, "animation: %s is null", a ? "positions" : "animation");
    if (!isfinite(time))
        return sn_fail(SN_ERROR_VALUE, "animation: the time is %g s, expected a finite one", time);
    time = time > a->begin ? time : a->begin;
    time = time < a->end ? time : a->end;
    a->sample(a->state, time, a->points);
    for (size_t i = 0; i < a->vertex_count; i++) {
        size_t origin = a->origins ? a->origins[i] : i;
        sn_vec3 x = placed(a, a->points + 3 * origin);
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
            return sn_fail(SN_ERROR_VALUE,
                           "%s: at %g s vertex %zu is at %g %g %g, expected finite numbers",
                           a->name, time, i, (double)x.x, (double)x.y, (double)x.z);
        positions[i] = x;
    }
    return SN_OK;
}

/* ---- Playing ---- */

sn_io_playback sn_io_playback_default(void) {
    return (sn_io_playback){.speed = 1};
}

double sn_io_animation_time(const sn_io_animation *a, const sn_io_playback *playback, double time) {
    const sn_io_playback standard = sn_io_playback_default();
    if (!a) return 0;
    if (!playback) playback = &standard;
    double gone = (time - playback->start) * playback->speed, span = a->end - a->begin;
    if (!(gone > 0) || !(span > 0)) return a->begin;
    /* What is at the end by rounding is there, and not at the beginning. */
    if (playback->repeat && gone > span) gone -= span * floor(gone / span - 1e-9);
    /* Rounding may lead beyond both. */
    double at = a->begin + gone;
    at = at > a->begin ? at : a->begin;
    return at < a->end ? at : a->end;
}
