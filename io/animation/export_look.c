#include "io/animation/export_look.h"

#include "io/mesh/srgb.h"

#include <sinew/support.h>

bool sn_io_look_colour(const sn_io_look *look, sn_vec3 *colour) {
    if (!look || look->colour.x == SN_AUTO) return false;
    *colour = look->colour;
    return true;
}

bool sn_io_shape_is_coloured(const sn_io_shape *shape) {
    sn_vec3 colour;
    return shape->colours || sn_io_look_colour(shape->look, &colour);
}

sn_vec3 sn_io_shape_colour(const sn_io_shape *shape, size_t vertex) {
    sn_vec3 colour = {1, 1, 1};
    if (shape->colours) return shape->colours[vertex];
    (void)sn_io_look_colour(shape->look, &colour);
    return colour;
}

bool sn_io_shape_shows_colours(const sn_io_shape *shape) {
    bool shown = shape->material_count == 0;
    for (size_t i = 0; i < shape->material_count; i++)
        shown = shown || shape->materials[i].colour.x == SN_AUTO;
    return shape->colours && shown;
}

sn_result sn_io_shape_check_materials(const sn_io_shape *shape) {
    size_t count = shape->material_count;
    if (count == 0 && !shape->triangle_materials) return SN_OK;
    if (!shape->materials || (shape->triangle_count > 0 && !shape->triangle_materials))
        return sn_fail(SN_ERROR_NULL, "shape \"%s\": an array of its %zu materials is null",
                       shape->name, count);
    for (size_t i = 0; i < shape->triangle_count; i++)
        if (shape->triangle_materials[i] >= count)
            return sn_fail(SN_ERROR_VALUE,
                           "shape \"%s\": triangle %zu has material %lu, but the shape has %zu",
                           shape->name, i, (unsigned long)shape->triangle_materials[i], count);
    return SN_OK;
}

sn_vec3 sn_io_linear_colour(sn_vec3 srgb) {
    return (sn_vec3){(sn_real)sn_io_linear_of_srgb((double)srgb.x),
                     (sn_real)sn_io_linear_of_srgb((double)srgb.y),
                     (sn_real)sn_io_linear_of_srgb((double)srgb.z)};
}
