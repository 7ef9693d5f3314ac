/* What the parts of a sheet share: measures of its mesh, and what each part adds to it. */
#ifndef SN_BODIES_BODY_CLOTH_H
#define SN_BODIES_BODY_CLOTH_H

#include "bodies/kind.h"

/* Twice the area of a triangle, along its normal, in m^2. */
sn_point sn_cloth_normal(const sn_builder *b, size_t triangle);
/* In m^2. */
double sn_cloth_area(const sn_builder *b, size_t triangle);

/* cloth_plane.c: whether the material can resist stretching, and what does so. */
sn_result sn_cloth_check_plane(const sn_builder *b);
sn_result sn_cloth_stretch(sn_builder *b, const sn_pairs *edges);

/* cloth_match.c: shape matching of edges and triangles. */
sn_result sn_cloth_match(sn_builder *b, sn_sheet_regions kind);

/* What an edge becomes. */
sn_distance_def sn_cloth_edge(const sn_builder *b, const sn_pairs *edges, const sn_pair *e);

/* cloth_order.c: puts the edges into the order in which they are to be made. */
sn_result sn_cloth_order(sn_builder *b, sn_pairs *edges);

/* cloth_choice.c: how it is held, where that is automatic, and by which substeps are enough. */
void sn_cloth_choose(sn_builder *b, const sn_pairs *edges);

/* cloth_hold.c: whether limits and tethers make sense, and the limits of strain. */
sn_result sn_cloth_check_hold(const sn_builder *b);
sn_result sn_cloth_hold(sn_builder *b, const sn_pairs *edges);

/* cloth_vary.c: sn_cloth_bend for a bending stiffness that may differ from vertex to vertex. */
sn_result sn_cloth_bend_varied(sn_builder *b, const sn_pairs *edges);

/* cloth_bend.c: what resists bending, at the edges of the mesh or its vertices. */
sn_result sn_cloth_bend(sn_builder *b, const sn_pairs *edges);

/* cloth_plate.c: bending at all vertices but those without an inner vertex beside them. */
sn_result sn_cloth_bend_plate(sn_builder *b);

/* cloth_inside.c: whether there is something inside, whether that makes sense, and what keeps
   it. */
bool sn_cloth_is_filled(const sn_cloth_material *m);
sn_result sn_cloth_check_inside(const sn_builder *b);
sn_result sn_cloth_fill(sn_builder *b);
/* And struts across. */
sn_result sn_cloth_strut(sn_builder *b);

/* cloth_sheet.c: whether air can act on it as its maps say. */
sn_result sn_cloth_check_air(const sn_builder *b);

#endif
