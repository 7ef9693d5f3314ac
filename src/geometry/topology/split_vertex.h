/*
 * Which elements around a vertex go with a copy of it, when a mesh is cut there.
 *
 * The corners of the triangles at a vertex form fans: runs in which every triangle shares an edge
 * with the next. A vertex of a sound surface has one, open on the border and closed elsewhere. Of
 * tets, a fan is a group in which one can go from each to each through faces at the vertex.
 */
#ifndef SN_GEOMETRY_TOPOLOGY_SPLIT_VERTEX_H
#define SN_GEOMETRY_TOPOLOGY_SPLIT_VERTEX_H

#include <sinew/base.h>

/* The corner of a triangle or a tet at the vertex. */
typedef struct sn_corner {
    uint32_t a, b;    /* the two others, in the order of the triangle; of a tet, in any */
    uint32_t c;       /* the third other of a tet; UINT32_MAX in a triangle */
    uint32_t element; /* number of the triangle or tet */
    /* Bits 1, 2, 4: whether the side of the element without a, b or c was cut, which for a triangle
       is an edge and for a tet a face. */
    uint8_t shut;
    uint32_t fan;  /* which one it belongs to, from 0, once they are in order */
    double height; /* of the element above the plane of a cut */
    bool copied;   /* whether the element goes with the copy */
} sn_corner;

/* Puts the corners of a vertex in order, fan by fan; returns how many fans there are. The order
   depends on the numbers of the triangles alone. */
size_t sn_corners_arrange(sn_corner *corners, size_t count);

/* Numbers the fans of tets around a vertex; returns how many there are. A fan has the number of its
   first corner among those of all fans; corners stay in their order. */
size_t sn_corners_join(sn_corner *corners, size_t count);

/*
 * Says which of the corners, in order, go with the copy; false where nothing is to be cut.
 *
 * One fan is cut in two, so that both parts are fans again: the lower one goes with the copy. That
 * are the triangles below the plane wherever these lie side by side. Where all of them are on one
 * side there is no cut. Of several fans, which hang together by the vertex alone, the last one goes
 * with the copy, whatever the plane.
 */
bool sn_corners_split(sn_corner *corners, size_t count, size_t fans);

/* On which sides of a split another vertex of the elements lies: bits 1 for the side that stays and
   2 for that of the copy; and an edge between two of them, with the split one. */
unsigned sn_corners_sides(const sn_corner *corners, size_t count, uint32_t vertex);
unsigned sn_corners_sides_of_two(const sn_corner *corners, size_t count, uint32_t a, uint32_t b);

#endif
