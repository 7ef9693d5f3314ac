/* The mesh that readers fill, before it is the caller's. */
#include "io/mesh/read.h"
#include "io/mesh/srgb.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sn_text sn_source_text(const sn_source *source) {
    return sn_text_of(source->name, source->data, source->size);
}

sn_result sn_source_fail(const sn_source *source, size_t at, const char *format, ...) {
    char sentence[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return sn_fail(SN_ERROR_DATA, "%s: byte %zu: %s", source->name, at, sentence);
}

sn_result sn_source_within(const sn_source *source, size_t at, sn_result result) {
    char sentence[320];
    snprintf(sentence, sizeof sentence, "%s", sn_last_error());
    return sn_fail(result, "%s: byte %zu: %s", source->name, at, sentence);
}

/* Whether the name leads out of the folder, or is the address of something else. */
static bool leads_out(const char *name) {
    if (name[0] == '/' || strpbrk(name, "\\:")) return true;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0)) return true;
    }
    return false;
}

bool sn_source_beside(const sn_source *source, const char *name, char path[2 * SN_PATH_LENGTH]) {
    const char *own = source->path;
    if (!own || strlen(own) >= SN_PATH_LENGTH || strlen(name) >= SN_PATH_LENGTH || leads_out(name))
        return false;
    const char *slash = strrchr(own, '/');
    int folder = slash ? (int)(slash + 1 - own) : 0;
    snprintf(path, 2 * SN_PATH_LENGTH, "%.*s%s", folder, own, name);
    return true;
}

sn_result sn_io_build_reserve(sn_io_build *build, int kind, size_t count) {
    sn_mesh *mesh = &build->mesh;
    void **arrays[] = {(void **)&mesh->positions, (void **)&mesh->triangles, (void **)&mesh->tets,
                       (void **)&mesh->lines};
    const size_t counts[] = {mesh->vertex_count, mesh->triangle_count, mesh->tet_count,
                             mesh->line_count};
    static const size_t elements[] = {sizeof(sn_vec3), 3 * sizeof(uint32_t), 4 * sizeof(uint32_t),
                                      2 * sizeof(uint32_t)};
    if (kind == BUILD_VERTICES && count > UINT32_MAX - counts[kind])
        return sn_fail(SN_ERROR_LIMIT, "the mesh has more than %u vertices", UINT32_MAX);
    bool done = count <= SIZE_MAX - counts[kind] &&
                sn_io_reserve(&build->allocator, arrays[kind], &mesh->capacity[kind],
                              counts[kind] + count, elements[kind]);
    return done ? SN_OK : SN_ERROR_MEMORY;
}

sn_result sn_io_build_list_reserve(sn_io_build *build, sn_io_build_list *list, size_t count,
                                   size_t element) {
    list->element = element;
    bool done = count <= SIZE_MAX - list->count &&
                sn_io_reserve(&build->allocator, &list->items, &list->capacity, list->count + count,
                              element);
    return done ? SN_OK : SN_ERROR_MEMORY;
}

void sn_io_build_list_free(sn_io_build *build, sn_io_build_list *list) {
    sn_io_free(&build->allocator, list->items, list->capacity, list->element);
    *list = (sn_io_build_list){0};
}

sn_result sn_io_build_set_uv(sn_io_build *build, uint32_t vertex, double u, double v) {
    sn_io_build_list *list = &build->uvs;
    if (vertex >= list->count) {
        size_t more = (size_t)vertex + 1 - list->count;
        SN_TRY(sn_io_build_list_reserve(build, list, more, sizeof(sn_io_build_uv)));
        list->count += more;
    }
    sn_io_build_uv *uv = &((sn_io_build_uv *)list->items)[vertex];
    if (!uv->is_set && isfinite((sn_real)u) && isfinite((sn_real)v))
        *uv = (sn_io_build_uv){{u, v}, true};
    return SN_OK;
}

sn_result sn_io_build_take_uvs(const sn_io_build *build, sn_real (**uvs)[2]) {
    const sn_io_build_uv *from = build->uvs.items;
    const uint32_t *origins = build->origins.count > 0 ? build->origins.items : NULL;
    size_t count = build->mesh.vertex_count;
    bool any = false;
    *uvs = NULL;
    for (size_t i = 0; i < build->uvs.count; i++) any |= from[i].is_set;
    if (!any) return SN_OK;
    *uvs = calloc(count + 1, sizeof **uvs);
    if (!*uvs) return sn_fail(SN_ERROR_MEMORY, "no memory for %zu texture coordinates", count);
    for (size_t i = 0; i < count; i++) {
        size_t origin = origins ? origins[i] : i;
        for (int k = 0; origin < build->uvs.count && k < 2; k++)
            (*uvs)[i][k] = (sn_real)from[origin].x[k];
    }
    return SN_OK;
}

sn_result sn_io_build_set_colour(sn_io_build *build, uint32_t vertex, const double srgb[3]) {
    sn_io_build_list *list = &build->colours;
    if (vertex >= list->count) {
        size_t more = (size_t)vertex + 1 - list->count;
        SN_TRY(sn_io_build_list_reserve(build, list, more, sizeof(sn_io_build_colour)));
        list->count += more;
    }
    sn_io_build_colour *colour = &((sn_io_build_colour *)list->items)[vertex];
    if (colour->is_set || isnan(srgb[0]) || isnan(srgb[1]) || isnan(srgb[2])) return SN_OK;
    for (int k = 0; k < 3; k++) colour->x[k] = fmin(fmax(srgb[k], 0), 1);
    colour->is_set = true;
    return SN_OK;
}

sn_result sn_io_build_set_light(sn_io_build *build, uint32_t vertex, const double light[3]) {
    double srgb[3];
    for (int k = 0; k < 3; k++) srgb[k] = sn_io_srgb_of_linear(light[k] > 1 ? 1 : light[k]);
    return sn_io_build_set_colour(build, vertex, srgb);
}

sn_result sn_io_build_take_colours(const sn_io_build *build, sn_vec3 **colours) {
    const sn_io_build_colour *from = build->colours.items;
    const uint32_t *origins = build->origins.count > 0 ? build->origins.items : NULL;
    size_t count = build->mesh.vertex_count;
    bool any = false;
    *colours = NULL;
    for (size_t i = 0; i < build->colours.count; i++) any |= from[i].is_set;
    if (!any) return SN_OK;
    *colours = malloc((count + 1) * sizeof **colours);
    if (!*colours) return sn_fail(SN_ERROR_MEMORY, "no memory for %zu colours", count);
    for (size_t i = 0; i < count; i++) {
        size_t origin = origins ? origins[i] : i;
        (*colours)[i] = (sn_vec3){1, 1, 1};
        if (origin < build->colours.count && from[origin].is_set)
            (*colours)[i] = (sn_vec3){(sn_real)from[origin].x[0], (sn_real)from[origin].x[1],
                                      (sn_real)from[origin].x[2]};
    }
    return SN_OK;
}

void sn_io_build_orient_tets(sn_io_build *build) {
    const sn_mesh *mesh = &build->mesh;
    for (size_t i = 0; i < mesh->tet_count; i++) {
        uint32_t *tet = mesh->tets[i];
        double e[3][3];
        sn_vec3 o = mesh->positions[tet[0]];
        for (int k = 0; k < 3; k++) {
            sn_vec3 x = mesh->positions[tet[k + 1]];
            e[k][0] = (double)x.x - (double)o.x;
            e[k][1] = (double)x.y - (double)o.y;
            e[k][2] = (double)x.z - (double)o.z;
        }
        double volume = (e[0][1] * e[1][2] - e[0][2] * e[1][1]) * e[2][0] +
                        (e[0][2] * e[1][0] - e[0][0] * e[1][2]) * e[2][1] +
                        (e[0][0] * e[1][1] - e[0][1] * e[1][0]) * e[2][2];
        if (volume >= 0) continue;
        uint32_t corner = tet[2];
        tet[2] = tet[3];
        tet[3] = corner;
    }
}

void sn_io_build_free(sn_io_build *build) {
    sn_io_build_list *lists[] = {&build->names,   &build->groups,        &build->members,
                                 &build->table,   &build->corners,       &build->ears,
                                 &build->origins, &build->uvs,           &build->colours,
                                 &build->looks,   &build->triangle_looks};
    sn_io_build_free_looks(build);
    sn_io_build_free_images(build);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        sn_io_build_list_free(build, lists[i]);
    sn_mesh_free(&build->mesh);
}
