/* Solids that are cut, and whether everything about them still fits together. */
#ifndef SINEW_TESTS_FRACTURE_PARTED_H
#define SINEW_TESTS_FRACTURE_PARTED_H

#include "bodies/meshed_body.h"

/*
 * Checks that the surface is closed, that nodes have their vertices, that every edge of the tets
 * has one distance constraint, or none has, and nothing else has one, that constraints of four
 * nodes lie on tets, that collision surface and colours follow.
 */
void check_parted(const body *b);

/* Parts that share no node; edges of the surface with more than two triangles. */
size_t count_parts(const body *b);
size_t count_crowded(const body *b);

/* N/m, of all distances; kg, of all nodes, in double. */
double total_stiffness(const body *b);
double total_mass(const body *b);

/* The tet mesh at rest as a mesh, to be freed; m^3, of its tets. */
sn_mesh rest_mesh(const body *b);
double volume_of(const sn_mesh *mesh);

#endif
