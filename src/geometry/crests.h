/*
 * Where a surface of triangles stands out: corners and sides at which a flat thing may touch it and
 * none of its triangles. What is flat there, or goes in, is none.
 */
#ifndef SN_GEOMETRY_CRESTS_H
#define SN_GEOMETRY_CRESTS_H

#include "geometry/boundary.h"

/* What a surface is beside its triangles. */
typedef enum sn_crest_kind {
    SN_CRESTS_SOLID,
    SN_CRESTS_SHEET, /* with two sides */
    SN_CRESTS_FIELD  /* with walls that go down along y at its border */
} sn_crest_kind;

/* A bit for each corner of a triangle, and for each side, of which a triangle is told first. Each
   is told of one of its triangles alone. */
enum { SN_CREST_SIDES = 3, SN_CRESTS = 6 };

/* Finds them in the memory of the boundary, where they are not known; false when there is none.
   Those of vertices that are on their way are those of the time 0. */
bool sn_crests_find(sn_boundary *b, sn_memory *memory, sn_crest_kind kind);

/* Whether all of the surface about a corner or a side is behind it, seen along a direction of unit
   length: that is how what touches it there may be pushed. */
bool sn_crest_looks(const sn_boundary *b, uint32_t triangle, int crest, sn_crest_kind kind,
                    sn_point along);

#endif
