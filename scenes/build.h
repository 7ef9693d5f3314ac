/* What the builders share: lists that grow to a size known beforehand, and tet mesh creation. */
#ifndef SCENES_BUILD_H
#define SCENES_BUILD_H

#include "scenes.h"

/* Room for lists of these sizes, all counts zero; false when memory ran out. */
bool scene_mesh_reserve(scene_mesh *mesh, size_t nodes, size_t edges, size_t triangles,
                        size_t hinges, size_t tets);

void scene_add_edge(scene_mesh *mesh, uint32_t a, uint32_t b);
void scene_add_triangle(scene_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);
void scene_add_hinge(scene_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
void scene_add_tet(scene_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/* How stiff the constraints of a mesh are. */
typedef struct scene_material {
    sn_real compliance, damping; /* of the edges */
    sn_real bending_compliance;
    sn_real volume_compliance;
    sn_real young, poisson; /* above 0, tets are elements instead of edges and volumes */
} scene_material;

/* Makes the nodes, a distance per edge, a bending constraint per hinge and a volume per tet; or
   elastic tets. */
sn_result scene_create(sn_world *world, const sn_node_def *defs, size_t count,
                       const scene_material *material, scene_mesh *mesh);

/* Gives the mesh to the caller, or frees it after a failure or when nobody wants it. */
sn_result scene_finish(sn_result result, scene_mesh *made, scene_mesh *wanted);

#endif
