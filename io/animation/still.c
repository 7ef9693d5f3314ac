/* A mesh that does not move, written by the exporters of frames: what has materials, and OpenUSD.
   The file has the name that it was given; libraries of materials and images lie beside it. */
#include "io/animation/export.h"
#include "io/mesh/mesh_write.h"

#include <string.h>

/* The name of what all vertices belong to, as the object of a file is; else that of the file. */
static const char *name_of(const sn_mesh *mesh, const sn_io_export *e) {
    for (size_t i = 0; i < mesh->group_count; i++)
        if (mesh->groups[i].count == mesh->vertex_count) return mesh->groups[i].name;
    return e->name;
}

/* Materials of all triangles; one alone is that of the whole, and its colour is before those of the
   vertices. */
static void wear(sn_io_shape *shape, const sn_io_materials *materials) {
    if (!materials || materials->count == 0) return;
    bool is_one = materials->count == 1;
    if (is_one && materials->looks->colour.x != SN_AUTO) shape->colours = NULL;
    shape->look = is_one ? materials->looks : NULL;
    shape->material_count = is_one ? 0 : materials->count;
    shape->materials = is_one ? NULL : materials->looks;
    shape->triangle_materials = is_one ? NULL : materials->triangles;
}

static sn_result write_still(const char *path, const char *format, const sn_io_write_def *def,
                             const sn_mesh *mesh) {
    sn_io_export *e;
    SN_TRY(sn_io_export_open_still(path, format, &e));
    sn_io_shape shape = {.name = name_of(mesh, e),
                         .vertex_count = mesh->vertex_count,
                         .positions = mesh->positions,
                         .triangle_count = mesh->triangle_count,
                         .triangles = (const uint32_t(*)[3])mesh->triangles,
                         .line_count = mesh->line_count,
                         .lines = (const uint32_t(*)[2])mesh->lines,
                         .uvs = def->uvs,
                         .colours = def->colours,
                         .group_count = mesh->group_count,
                         .groups = mesh->groups};
    wear(&shape, def->materials);
    sn_result result = sn_io_export_frame(e, &(sn_io_frame){.shape_count = 1, .shapes = &shape});
    if (result == SN_OK) result = sn_io_export_close(e);
    sn_io_export_free(e);
    return result;
}

sn_result sn_write_still_obj(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    return write_still(path, "obj", def, mesh);
}

sn_result sn_write_still_glb(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    return write_still(path, "glb", def, mesh);
}

sn_result sn_write_still_usda(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    return write_still(path, "usda", def, mesh);
}
