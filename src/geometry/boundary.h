/*
 * A surface that points are asked about: which of its triangles is nearest, where, and on which
 * side of it a point lies. Its vertices may be on their way from one place to another; a time from
 * 0 to 1 says where they are.
 *
 * The nearest triangle is the one with the least (distance, index). That does not depend on the
 * tree nor on the triangle that a search begins with, so that both may be chosen for speed.
 */
#ifndef SN_GEOMETRY_BOUNDARY_H
#define SN_GEOMETRY_BOUNDARY_H

#include "geometry/bvh.h"
#include "geometry/closest_point.h"

/* An inner node of the tree, with the boxes of both of its children: what a walk looks at together
   lies together. */
typedef struct sn_fork {
    sn_vec4 low[2], high[2]; /* m, at the time 0 */
    uint32_t first[2];       /* another fork, or the first facet of a leaf */
    uint32_t count[2];       /* of facets; 0: a fork */
} sn_fork;

/* A triangle as the leaves have it. */
typedef struct sn_facet {
    sn_vec4 low, high; /* m, at the time 0 */
    sn_vec3 corner[3]; /* m, likewise */
    uint32_t triangle;
} sn_facet;

/* m: how a box goes from the time 0 to the time 1. Vertices go evenly, and so does a box about
   them. */
typedef struct sn_moving_box {
    sn_vec4 low, high;
} sn_moving_box;

typedef struct sn_boundary {
    sn_vec3 *vertices; /* m, at the time 0 */
    sn_vec3 *targets;  /* m, at the time 1; null until they move for the first time */
    uint32_t (*triangles)[3];
    size_t vertex_count, triangle_count;
    sn_bvh bvh;       /* from which the forks are made, which are asked; its root has all the way */
    sn_bounds *boxes; /* of the triangles, at the time 0 */
    sn_fork *forks;
    size_t fork_count;
    sn_facet *facets;
    /* Of both boxes of every fork, and of facets; null until they move for the first time. */
    sn_moving_box *fork_motions, *facet_motions;
    /* Triangles about each vertex, and beyond each side; the latter SN_BVH_NONE at a border. */
    uint32_t *ring_begin, *ring, (*beyond)[3];
    uint8_t *crests;   /* of the triangles (crests.h); null until somebody asks */
    bool crests_known; /* whether they are those of the vertices at the time 0 */
    bool moves;        /* whether the vertices are on their way */
    double fastest;    /* m, the longest path of a vertex */
} sn_boundary;

/* Copies vertices and triangles, which are sound. Nothing is to be freed after a failure. */
sn_result sn_boundary_create(sn_boundary *b, sn_memory *memory, const sn_vec3 *vertices,
                             size_t vertex_count, const uint32_t (*triangles)[3],
                             size_t triangle_count);
void sn_boundary_free(sn_boundary *b, sn_memory *memory);

/* Sends the vertices to places, so that at the time 1 they are there; false without memory. */
bool sn_boundary_send(sn_boundary *b, sn_memory *memory, const sn_vec3 *targets);
/* They have arrived. */
void sn_boundary_arrive(sn_boundary *b);

typedef struct sn_foot {
    uint32_t triangle; /* to begin with, then the nearest one; SN_BVH_NONE: none, or none so near */
    sn_part part;      /* of it */
    sn_point at;       /* m, the nearest point */
    double square;     /* m^2, of its distance */
} sn_foot;

/* Looks no further than `within` (m). */
void sn_boundary_nearest(const sn_boundary *b, sn_point x, double time, double within,
                         sn_foot *nearest);

/* A normal where the surface is nearest, of any length: its side is that of the surface if that is
   closed and does not cut itself (Baerentzen and Aanaes 2005). Zero where there is none. */
sn_point sn_boundary_normal(const sn_boundary *b, const sn_foot *nearest, double time);

/* m: the displacement, from the time 0 to the time 1, of the nearest point. */
sn_point sn_boundary_displacement(const sn_boundary *b, const sn_foot *nearest, double time);

#endif
