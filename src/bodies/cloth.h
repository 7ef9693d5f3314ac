/* What the parts of a sheet share: measures of its mesh, and what each part adds to it. */
#ifndef SN_BODIES_CLOTH_H
#define SN_BODIES_CLOTH_H

#include "bodies/kind.h"

/* Twice the area of a triangle, along its normal, in m^2. */
sn_point sn_cloth_normal(const sn_builder *b, size_t triangle);
/* In m^2. */
double sn_cloth_area(const sn_builder *b, size_t triangle);

/* cloth_bend.c: what resists bending, at the edges of the mesh or its vertices. */
sn_result sn_cloth_bend(sn_builder *b, const sn_pairs *edges);

#endif
