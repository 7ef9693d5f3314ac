/*
 * Which triangles around a vertex go with a copy of it, when a surface is cut there.
 *
 * The corners of the triangles at a vertex form fans: runs in which every triangle shares an edge
 * with the next. A vertex of a sound surface has one, open on the border and closed elsewhere.
 */
#ifndef SN_MESH_SPLIT_H
#define SN_MESH_SPLIT_H

#include <sinew/base.h>

/* The corner of a triangle at the vertex. */
typedef struct sn_corner {
    uint32_t a, b;    /* the two others, in the order of the triangle */
    uint32_t element; /* number of the triangle */
    uint32_t fan;     /* which one it belongs to, from 0, once they are in order */
    double height;    /* of the triangle above the plane of a cut */
    bool copied;      /* whether the triangle goes with the copy */
} sn_corner;

/* Puts the corners of a vertex in order, fan by fan; returns how many fans there are. The order
   depends on the numbers of the triangles alone. */
size_t sn_corners_arrange(sn_corner *corners, size_t count);

/*
 * Says which of the corners, in order, go with the copy; false where nothing is to be cut.
 *
 * One fan is cut in two, so that both parts are fans again: the lower one goes with the copy. That
 * are the triangles below the plane wherever these lie side by side. Where all of them are on one
 * side there is no cut. Of several fans, which hang together by the vertex alone, the last one goes
 * with the copy, whatever the plane.
 */
bool sn_corners_split(sn_corner *corners, size_t count, size_t fans);

#endif
