/*
 * Normals at edges that are to be seen.
 *
 * A vertex has one normal where its surface is smooth. Where faces meet at an edge, each of their
 * corners has its own: the mean of those faces around the vertex that turn away from it by less
 * than a crease does. So all triangles along an edge end in the same way, however large they are,
 * and the side of a cylinder is as round at its rim as in its middle.
 */
#ifndef SN_PICTURE_PICTURE_CREASE_H
#define SN_PICTURE_PICTURE_CREASE_H

#include "picture/picture_stage.h"

/* Finds the triangles of a part that have corners of their own, after its points and normals.
   False when there is no memory. */
bool sn_crease_find(stage *s, const stage_part *part);

#endif
