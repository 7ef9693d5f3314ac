/*
 * A triangulation of points of the plane, Delaunay but for sides that are locked.
 *
 * Everything is decided by whole numbers (lattice.h), so that no rounding can turn a triangle
 * inside out and every machine makes the same one. Marks of sides say whether they are locked.
 */
#ifndef SN_GEOMETRY_TRIANGULATE_TRIANGULATION_H
#define SN_GEOMETRY_TRIANGULATE_TRIANGULATION_H

#include "geometry/topology/sides.h"
#include "geometry/triangulate/lattice.h"

typedef struct sn_triangulation {
    sn_sides sides;
    sn_site *site; /* the first four are the frame around all others */
    size_t sites, site_capacity;
    uint32_t *stack; /* sides that may have to be flipped */
    size_t stacked, stack_capacity;
    uint32_t hint; /* a triangle where the next site may be */
} sn_triangulation;

/* The frame, with room for so many sites more. Nothing is to be freed after a failure. */
sn_result sn_triangulation_create(sn_triangulation *mesh, sn_memory *memory, size_t sites);
void sn_triangulation_free(sn_triangulation *mesh, sn_memory *memory);

/* The triangle that has x inside it or on its border. */
uint32_t sn_triangulation_find(sn_triangulation *mesh, sn_site x);

/* Adds a site to the triangle that sn_triangulation_find gave for it, and flips what is not
   Delaunay then. False, and nothing happens, where a site is there already. */
bool sn_triangulation_add(sn_triangulation *mesh, uint32_t triangle, sn_site x);

/* Puts a side on the stack, and flips what is on it until all is Delaunay. */
void sn_triangulation_push(sn_triangulation *mesh, uint32_t side);
void sn_triangulation_settle(sn_triangulation *mesh);

/* ---- constrain_edges.c ---- */

/* The side from one site to another; SN_SIDE_NONE where there is none. */
uint32_t sn_triangulation_side(const sn_triangulation *mesh, uint32_t from, uint32_t to);

/* Makes the segment between two sites an edge that stays. False where it cannot be one: a site or
   a locked edge is in the way. */
bool sn_triangulation_lock(sn_triangulation *mesh, uint32_t from, uint32_t to);

/*
 * How many locked edges are between each triangle and the frame, modulo 2: those with 1 are inside
 * the outlines. `inside` has room for all triangles, `queue` too.
 */
void sn_triangulation_inside(const sn_triangulation *mesh, uint8_t *inside, uint32_t *queue);

#endif
