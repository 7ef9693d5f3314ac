/*
 * The inside of a closed surface: how far a point is from it, and on which side.
 *
 * The side is that of the normal where the surface is nearest: of the triangle, of the edge (the
 * mean of its two triangles) or of the vertex (the mean weighted by angles). Baerentzen and Aanaes
 * 2005 prove that its sign is right for every closed surface that does not cut itself.
 */
#ifndef SN_GEOMETRY_VOLUME_INSIDE_H
#define SN_GEOMETRY_VOLUME_INSIDE_H

#include "geometry/bvh.h"
#include "geometry/mesh_access.h"

typedef struct sn_solid {
    sn_memory memory;
    const sn_mesh *mesh; /* must outlive the solid */
    sn_bvh bvh;
    sn_point *vertex_normal; /* none has to have length 1 */
    sn_point *face_normal;
    sn_point (*edge_normal)[3]; /* per side of a triangle */
    sn_bounds bounds;
} sn_solid;

/* Refuses surfaces that are not closed or face inward, of a sound mesh. */
sn_result sn_solid_expect(const char *what, const sn_mesh *mesh);

/* Refuses surfaces that are not closed or face inward; `what` begins the sentence. Nothing is to be
   freed after a failure. */
sn_result sn_solid_create(sn_solid *solid, const char *what, const sn_mesh *mesh);
void sn_solid_free(sn_solid *solid);

/*
 * The distance to the surface, negative inside. `hint` is a triangle to begin with, such as the
 * nearest one of a point close by, which saves most of the search, or SN_BVH_NONE; it becomes the
 * nearest one, and may be null.
 */
double sn_solid_distance(const sn_solid *solid, sn_point x, uint32_t *hint);

#endif
