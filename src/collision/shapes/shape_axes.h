/* The directions in which convex shapes with flat faces may be apart: normals of faces, and
   directions of edges, which with those of another shape span a plane between the two. */
#ifndef SN_COLLISION_SHAPES_SHAPE_AXES_H
#define SN_COLLISION_SHAPES_SHAPE_AXES_H

#include "collision/collider_geometry.h"

/* How many there are at most; 0 of shapes that are round, hollow or of several parts. A cylinder
   is the prism of the points of its rims (shape_points.h). */
size_t sn_shape_axes_most(const sn_collider_def *shape);

/* Unit vectors in the frame of the shape, with w 0: normals, outwards, each once; then edges, each
   once whatever its sign. Returns how many edges there are. */
size_t sn_shape_axes(const sn_collider_def *shape, sn_vec4 *axes, size_t *faces);

#endif
