/* How shapes look in files of others: their colours. */
#ifndef SN_IO_ANIMATION_EXPORT_LOOK_H
#define SN_IO_ANIMATION_EXPORT_LOOK_H

#include <sinew_io/frame.h>

/* The colour of the front of a shape, sRGB; false where nobody has chosen one. */
bool sn_io_look_colour(const sn_io_look *look, sn_vec3 *colour);

/* Whether a shape has a colour, or its vertices have. */
bool sn_io_shape_is_coloured(const sn_io_shape *shape);

/* The colour of a vertex, or that of its shape, sRGB; white where nobody has chosen one. */
sn_vec3 sn_io_shape_colour(const sn_io_shape *shape, size_t vertex);

/* Whether the colours of vertices are to be seen: some materials may have their own. */
bool sn_io_shape_shows_colours(const sn_io_shape *shape);

/* Every triangle has one of the materials, where a shape has some. */
sn_result sn_io_shape_check_materials(const sn_io_shape *shape);

/* A colour as light, which glTF and OpenUSD take: sRGB without its curve. */
sn_vec3 sn_io_linear_colour(sn_vec3 srgb);

#endif
