/* Frames in which liquids are surfaces. */
#include "io/animation/liquid_field.h"
#include "io/animation/marching_tets.h"

#include <sinew/support.h>
#include <sinew_io/liquid.h>

#include <stdlib.h>

struct sn_io_liquid {
    marching_mesh *meshes;
    sn_io_shape *views;
    size_t count; /* of meshes and views */
};

static sn_result no_memory(void) {
    return sn_fail(SN_ERROR_MEMORY, "there is no memory for the surface of a liquid");
}

sn_result sn_io_liquid_create(sn_io_liquid **out) {
    if (!out) return sn_fail(SN_ERROR_NULL, "sn_io_liquid_create: out is null");
    *out = calloc(1, sizeof **out);
    return *out ? SN_OK : no_memory();
}

void sn_io_liquid_destroy(sn_io_liquid *liquid) {
    if (!liquid) return;
    for (size_t i = 0; i < liquid->count; i++) sn_marching_mesh_free(&liquid->meshes[i]);
    free(liquid->meshes);
    free(liquid->views);
    free(liquid);
}

static sn_result make_room(sn_io_liquid *l, size_t count) {
    if (count <= l->count) return SN_OK;
    sn_io_shape *views = realloc(l->views, count * sizeof *views);
    if (views) l->views = views;
    marching_mesh *meshes = realloc(l->meshes, count * sizeof *meshes);
    if (meshes) l->meshes = meshes;
    if (!views || !meshes) return no_memory();
    for (; l->count < count; l->count++) l->meshes[l->count] = (marching_mesh){0};
    return SN_OK;
}

static bool is_liquid(const sn_io_shape *shape) {
    return shape->look && shape->look->liquid && shape->radii && shape->positions &&
           shape->triangle_count == 0 && shape->line_count == 0 && shape->tet_count == 0;
}

/* Colours of the surface, where particles have some. */
static sn_result paint(const sn_io_shape *shape, marching_mesh *mesh) {
    if (!shape->colours) return SN_OK;
    while (mesh->colour_room < mesh->vertex_count)
        if (!sn_liquid_reserve((void **)&mesh->colours, &mesh->colour_room, mesh->vertex_count,
                               sizeof *mesh->colours))
            return no_memory();
    return sn_liquid_colours(shape, mesh->positions, mesh->vertex_count, mesh->colours)
               ? SN_OK
               : no_memory();
}

static sn_result make_surface(const sn_io_shape *shape, marching_mesh *mesh) {
    liquid_field field = {0};
    sn_result result = sn_liquid_field_fill(&field, shape) ? SN_OK : no_memory();
    if (result == SN_OK) result = sn_marching_tets(&field, LIQUID_SURFACE, mesh);
    sn_liquid_field_free(&field);
    if (result == SN_OK) result = paint(shape, mesh);
    return result;
}

static sn_io_shape view_of(const sn_io_shape *shape, const marching_mesh *mesh, int frame) {
    uint64_t topology =
        sn_hash_word(sn_hash_word(shape->topology, (uint64_t)frame), mesh->triangle_count);
    return (sn_io_shape){.name = shape->name,
                         .vertex_count = mesh->vertex_count,
                         .positions = mesh->positions,
                         .triangle_count = mesh->triangle_count,
                         .triangles = (const uint32_t(*)[3])mesh->triangles,
                         .topology = topology,
                         .creased = true,
                         .normals = mesh->normals,
                         .look = shape->look,
                         .colours = shape->colours ? mesh->colours : NULL};
}

sn_result sn_io_liquid_frame(sn_io_liquid *liquid, const sn_io_frame *frame, sn_io_frame *wet) {
    if (!liquid || !frame || !wet)
        return sn_fail(SN_ERROR_NULL, "sn_io_liquid_frame: %s is null",
                       !liquid  ? "liquid"
                       : !frame ? "frame"
                                : "wet");
    SN_TRY(make_room(liquid, frame->shape_count));
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *shape = &frame->shapes[i];
        liquid->views[i] = *shape;
        if (!is_liquid(shape)) continue;
        SN_TRY(make_surface(shape, &liquid->meshes[i]));
        liquid->views[i] = view_of(shape, &liquid->meshes[i], frame->number);
    }
    *wet = *frame;
    wet->shapes = liquid->views;
    return SN_OK;
}
