#include "io/animation/export_look.h"

#include "io/mesh/srgb.h"

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

sn_vec3 sn_io_linear_colour(sn_vec3 srgb) {
    return (sn_vec3){(sn_real)sn_io_linear_of_srgb((double)srgb.x),
                     (sn_real)sn_io_linear_of_srgb((double)srgb.y),
                     (sn_real)sn_io_linear_of_srgb((double)srgb.z)};
}
