/*
 * Whether the elements of a shape are those that it had before, torn or cut apart: then the new
 * ones are valid for all frames before, with every copy of a vertex where its original was.
 *
 * Frames say what the elements are and not which vertex is a copy of which. But who tears a shape
 * leaves triangles, lines and tets in their order, and their corners too: a corner that has another
 * number now, and one that was not there before, is on a copy of what it was on.
 */
#ifndef SN_IO_ANIMATION_EXPORT_TORN_H
#define SN_IO_ANIMATION_EXPORT_TORN_H

#include <sinew_io/frame.h>

/* The elements of a shape; arrays of length 0 may be null. */
typedef struct sn_io_elements {
    size_t vertices;
    const uint32_t (*triangles)[3], (*lines)[2], (*tets)[4];
    size_t triangle_count, line_count, tet_count;
} sn_io_elements;

/*
 * Whether `after` is `before` torn apart. Fills the origins of all vertices that are new, as
 * numbers of vertices before; the array has one for every vertex of `after`, of which the others
 * are not touched.
 *
 * Where there are tets, triangles may be more: walls of cuts, which come in pairs that cancel out
 * where the vertices are where their originals were.
 */
bool sn_io_is_torn(const sn_io_elements *before, const sn_io_elements *after, uint32_t *origins);

#endif
