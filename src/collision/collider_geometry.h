/*
 * What a world keeps of the geometry of a collider: copies of its arrays, and what distances are
 * found with. Shapes that are said by a few numbers have none.
 */
#ifndef SN_COLLISION_COLLIDER_GEOMETRY_H
#define SN_COLLISION_COLLIDER_GEOMETRY_H

#include "geometry/boundary.h"

#include <sinew/collider.h>

/* Distances on a grid, x fastest, then y. */
typedef struct sn_field_grid {
    sn_point low; /* m */
    double spacing;
    uint32_t points[3];
    sn_real *values; /* m */
    size_t count;
} sn_field_grid;

/* The given arrays are copies; all but hulls have theirs, or a surface made of them, in the
   boundary. */
typedef struct sn_collider_geometry {
    sn_vec3 *vertices;
    sn_real *heights;
    size_t vertex_count, height_count;
    sn_boundary boundary; /* of meshes, hulls, heights, and of what a distance field is made of */
    sn_field_grid grid;   /* of distance fields */
    sn_collider_part *parts; /* of compounds: as they were given, with the arrays of their forms */
    sn_collider_def *pieces; /* the same, as whole definitions */
    size_t part_count;
    sn_bvh tree;       /* over the boxes of the parts */
    bool interpolated; /* whether distances are, or those of a part */
    sn_bounds bounds;  /* of the shape, with its radius, at all times of the step */
} sn_collider_geometry;

/* Checks and copies the geometry of a definition whose other values are in order: its arrays become
   those of the form. A failure changes nothing. */
sn_result sn_collider_geometry_create(sn_memory *memory, sn_collider_def *def);
/* Null is allowed. */
void sn_collider_geometry_free(sn_memory *memory, const sn_collider_geometry *form);

/* Whether a shape has a form. */
bool sn_collider_geometry_is_needed(sn_shape shape);
/* Where a shape is in its frame; infinite for a plane. */
sn_bounds sn_collider_geometry_bounds(const sn_collider_def *def);

/* The vertices of a mesh, on their way; its bounds are those of the way. */
bool sn_collider_geometry_send(sn_memory *memory, sn_collider_def *def, const sn_vec3 *targets);
void sn_collider_geometry_arrive(sn_collider_def *def);

/* A compound (collider_geometry_compound.c). */
sn_result sn_collider_geometry_make_parts(sn_memory *memory, sn_collider_geometry *form,
                                          sn_collider_def *def);

/* The radius that a shape has where none is said. */
sn_real sn_collider_geometry_radius(sn_shape shape, bool two_sided);

#endif
