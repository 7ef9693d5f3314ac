/* Normals of the vertices of a shape, from its triangles. */
#ifndef SN_IO_ANIMATION_EXPORT_NORMALS_H
#define SN_IO_ANIMATION_EXPORT_NORMALS_H

#include <sinew_io/frame.h>

/*
 * Fills an array of vertex_count unit vectors: the sum of the normals of the triangles around a
 * vertex, each as long as its triangle is large. Where there are none, or they cancel out, it is
 * up, (0, 1, 0), so that every normal has length 1.
 */
void sn_io_normals(const sn_io_shape *shape, sn_vec3 *normals);

#endif
