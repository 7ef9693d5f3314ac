/* Reading a mesh: finds the format, lets its reader fill a mesh, and makes that mesh Sinew's. */
#include "io/mesh/mesh_format.h"

#include <sinew_io/file.h>
#include <sinew_io/mesh.h>

#include <math.h>
#include <stdlib.h>

sn_io_read_def sn_io_read_def_default(void) {
    return (sn_io_read_def){.size = sizeof(sn_io_read_def), .scale = 1, .weld = SN_AUTO};
}

static sn_result check_def(const sn_io_read_def *def) {
    if (def->size != sizeof *def)
        return sn_fail(SN_ERROR_DEFINITION,
                       "read_def: its size is %zu, expected %zu: begin with sn_io_read_def_default",
                       def->size, sizeof *def);
    if (!(def->scale > 0 && isfinite(def->scale)))
        return sn_fail(SN_ERROR_VALUE, "read_def: scale is %g, expected a number above 0 m",
                       def->scale);
    if ((unsigned)def->up > SN_IO_UP_X)
        return sn_fail(SN_ERROR_VALUE, "read_def: up is %d, expected SN_IO_UP_Y, _Z or _X",
                       (int)def->up);
    if (def->weld != SN_AUTO && !(def->weld >= 0 && isfinite(def->weld)))
        return sn_fail(SN_ERROR_VALUE,
                       "read_def: weld is %g, expected a distance of at least 0 m, or SN_AUTO",
                       (double)def->weld);
    return SN_OK;
}

static sn_result check_mesh(const sn_mesh *mesh) {
    if (!mesh) return sn_fail(SN_ERROR_NULL, "mesh is null");
    if (mesh->size != sizeof *mesh)
        return sn_fail(SN_ERROR_DEFINITION,
                       "mesh: its size is %zu, expected %zu: begin with sn_mesh_default",
                       mesh->size, sizeof *mesh);
    if (mesh->vertex_count > 0 || mesh->group_count > 0)
        return sn_fail(SN_ERROR_VALUE,
                       "mesh: it has %zu vertices, expected an empty mesh to read into",
                       mesh->vertex_count);
    return SN_OK;
}

/* Units and axes. */
static sn_result place(const sn_io_read_def *def, const sn_source *source, sn_mesh *mesh) {
    double scale = def->scale;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_vec3 *x = &mesh->positions[i], from = *x;
        if (def->up == SN_IO_UP_Z) *x = (sn_vec3){from.x, from.z, 0 - from.y};
        if (def->up == SN_IO_UP_X) *x = (sn_vec3){0 - from.y, from.x, from.z};
        if (scale == 1) continue;
        x->x = (sn_real)(scale * (double)x->x);
        x->y = (sn_real)(scale * (double)x->y);
        x->z = (sn_real)(scale * (double)x->z);
        if (!isfinite(x->x) || !isfinite(x->y) || !isfinite(x->z))
            return sn_fail(SN_ERROR_VALUE, "%s: vertex %zu is too far away when scaled by %g",
                           source->name, i, scale);
    }
    return SN_OK;
}

static sn_result fill(const sn_source *source, const sn_io_read_def *def,
                      const sn_mesh_format *format, sn_io_build *build) {
    SN_TRY(format->read(source, build));
    SN_TRY(place(def, source, &build->mesh));
    double weld = def->weld == SN_AUTO ? (build->is_welded ? 0 : -1) : (double)def->weld;
    if (weld >= 0) SN_TRY(sn_io_build_weld(build, weld));
    sn_io_build_orient_tets(build);
    return sn_io_build_finish_groups(build);
}

/* What is asked for beside the mesh; null where it is not. */
typedef struct read_extras {
    sn_real (**uvs)[2];
    sn_vec3 **colours;
    sn_io_materials *materials;
} read_extras;

static sn_result read_source(const sn_source *source, const sn_io_read_def *def,
                             const sn_mesh_format *format, sn_mesh *mesh,
                             const read_extras *extras) {
    sn_real(**uvs)[2] = extras->uvs;
    sn_vec3 **colours = extras->colours;
    sn_io_build build = {.mesh = sn_mesh_default()};
    build.mesh.allocator = mesh->allocator;
    build.allocator = mesh->allocator.reallocate ? mesh->allocator : sn_allocator_default();
    build.wants_uvs = uvs != NULL;
    build.wants_colours = colours != NULL;
    build.wants_materials = extras->materials != NULL;
    sn_result result = fill(source, def, format, &build);
    if (result == SN_OK && uvs) result = sn_io_build_take_uvs(&build, uvs);
    if (result == SN_OK && colours) result = sn_io_build_take_colours(&build, colours);
    if (result == SN_OK && extras->materials)
        result = sn_io_build_take_materials(&build, extras->materials);
    if (result != SN_OK && uvs) {
        free(*uvs);
        *uvs = NULL;
    }
    if (result != SN_OK && colours) {
        free(*colours);
        *colours = NULL;
    }
    if (result == SN_OK) {
        sn_mesh_free(mesh);
        *mesh = build.mesh;
        build.mesh = sn_mesh_default();
    }
    sn_io_build_free(&build);
    return result;
}

static sn_result read_file(const char *path, const sn_io_read_def *def, sn_mesh *mesh,
                           read_extras extras) {
    if (!path) return sn_fail(SN_ERROR_NULL, "path is null");
    const sn_io_read_def standard = sn_io_read_def_default();
    if (!def) def = &standard;
    SN_TRY(check_def(def));
    SN_TRY(check_mesh(mesh));
    const sn_mesh_format *format = sn_mesh_format_find(def->format, path);
    if (!format) return SN_ERROR_NAME;
    char *data;
    size_t size;
    SN_TRY(sn_io_file_read("the mesh", path, &data, &size));
    const sn_source source = {.name = path, .path = path, .data = data, .size = size};
    sn_result result = read_source(&source, def, format, mesh, &extras);
    free(data);
    return result;
}

sn_result sn_io_mesh_read(const char *path, const sn_io_read_def *def, sn_mesh *mesh) {
    return read_file(path, def, mesh, (read_extras){0});
}

sn_result sn_io_mesh_read_uvs(const char *path, const sn_io_read_def *def, sn_mesh *mesh,
                              sn_real (**uvs)[2]) {
    if (!uvs) return sn_fail(SN_ERROR_NULL, "uvs is null");
    *uvs = NULL;
    return read_file(path, def, mesh, (read_extras){.uvs = uvs});
}

sn_result sn_io_mesh_read_colours(const char *path, const sn_io_read_def *def, sn_mesh *mesh,
                                  sn_real (**uvs)[2], sn_vec3 **colours) {
    if (!uvs || !colours) return sn_fail(SN_ERROR_NULL, "%s is null", uvs ? "colours" : "uvs");
    *uvs = NULL;
    *colours = NULL;
    return read_file(path, def, mesh, (read_extras){uvs, colours, NULL});
}

sn_result sn_io_mesh_read_materials(const char *path, const sn_io_read_def *def, sn_mesh *mesh,
                                    sn_real (**uvs)[2], sn_vec3 **colours,
                                    sn_io_materials *materials) {
    if (!uvs || !colours || !materials)
        return sn_fail(SN_ERROR_NULL, "%s is null",
                       !uvs       ? "uvs"
                       : !colours ? "colours"
                                  : "materials");
    *uvs = NULL;
    *colours = NULL;
    *materials = (sn_io_materials){0};
    return read_file(path, def, mesh, (read_extras){uvs, colours, materials});
}

sn_result sn_io_mesh_read_memory(const char *name, const void *data, size_t size,
                                 const sn_io_read_def *def, sn_mesh *mesh) {
    if (!name) return sn_fail(SN_ERROR_NULL, "name is null");
    if (!data && size > 0) return sn_fail(SN_ERROR_NULL, "data is null");
    const sn_io_read_def standard = sn_io_read_def_default();
    if (!def) def = &standard;
    SN_TRY(check_def(def));
    SN_TRY(check_mesh(mesh));
    const sn_mesh_format *format = sn_mesh_format_find(def->format, name);
    if (!format) return SN_ERROR_NAME;
    const sn_source source = {.name = name, .data = data ? data : "", .size = size};
    return read_source(&source, def, format, mesh, &(read_extras){0});
}
