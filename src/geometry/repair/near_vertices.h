/* Vertices that are close together, by a grid of cells in a hash table. */
#ifndef SN_GEOMETRY_REPAIR_NEAR_VERTICES_H
#define SN_GEOMETRY_REPAIR_NEAR_VERTICES_H

#include "geometry/mesh_access.h"

/*
 * Which vertices stay when those within `distance` are made one: in their order, each goes to the
 * nearest of those that stay, the first of them, or stays itself. Vertices that are not finite
 * stay. stays[i] is where vertex i goes.
 */
sn_result sn_near_find(const sn_mesh *mesh, sn_memory *memory, double distance, uint32_t *stays);

/* The distance that SN_AUTO means. */
double sn_near_distance(const sn_mesh *mesh);

#endif
