/* How much of tetrahedra is inside a surface. */
#ifndef SN_GEOMETRY_VOLUME_FILL_SHARES_H
#define SN_GEOMETRY_VOLUME_FILL_SHARES_H

#include <sinew/mesh.h>

/*
 * For each tet the part of its volume that is inside the surface, above 0. Times their volumes they
 * add up to the volume inside, so that some are above 1 where tets do not cover all of it. Refuses
 * surfaces that are not closed.
 */
sn_result sn_fill_shares(const sn_mesh *surface, const sn_mesh *tets, double *shares);

#endif
