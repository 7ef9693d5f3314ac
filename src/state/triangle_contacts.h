/* Triangles of collision surfaces that meet colliders between their nodes. */
#ifndef SN_STATE_TRIANGLE_CONTACTS_H
#define SN_STATE_TRIANGLE_CONTACTS_H

#include "base/slots.h"

#include <sinew/collision_surface.h>

/* A triangle and a collider that may meet. */
typedef struct sn_triangle_pair {
    uint32_t node[3];
    uint32_t collider;
    sn_real weight[3]; /* 1, of the nodes: where it was deepest, when last looked at */
    sn_real radius;    /* m, the largest of its nodes */
    sn_real push;      /* m, along the normals in this substep, all sweeps together */
    sn_real left;      /* m, how deep its last turn left it; infinity before the first in a step */
    sn_real clear;     /* m, that it could go from where and when it was asked for: */
    sn_vec4 asked[3];  /* m, in the frame of the collider (w of the first: the part of the step) */
    sn_vec4 slide;     /* m, friction in this substep */
    sn_vec4 normal;    /* of the last touch */
    sn_vec4 flow;      /* m, of the surface in this substep, by its vertices */
    sn_vec4 impulse;   /* N s, of the step so far */
    sn_real pressure;  /* N s, the part of the impulse along the normals */
    sn_real pressed;   /* the part of the step at which it last touched */
    bool touched;      /* in this step */
    uint32_t item;     /* the nearest triangle of a mesh, when it was last asked for */
    uint32_t colour;
    sn_vec4 before[3]; /* m/s, velocities before the substep, where anything bounces */
} sn_triangle_pair;

/* Of the present step. */
typedef struct sn_triangle_contacts {
    sn_triangle_pair *face; /* in the order of triangles and colliders */
    size_t count, capacity;
    size_t *begin; /* of the pairs of each triangle; one more than triangles */
    size_t begin_capacity;
    sn_real *reach; /* m, how far a node of a triangle may go before pairs are found again */
    size_t reach_capacity;
    size_t triangles; /* that meet colliders, of all collision surfaces */
    /* The pairs before they were found again, which have what happened in the step so far. */
    sn_triangle_pair *old;
    size_t *old_begin;
    size_t old_capacity, old_begin_capacity;
    /* Numbers of pairs: of all colour by colour; when the step has ended of those that touched, in
       the order of contacts. */
    uint32_t *order;
    size_t listed, order_capacity;
    size_t *colour; /* where each colour begins in that; one more than colours */
    size_t colours, colour_capacity;
    uint64_t *taken; /* per node, colours */
    size_t taken_capacity;
} sn_triangle_contacts;

void sn_triangle_contacts_free(sn_triangle_contacts *faces, sn_memory *memory);

#endif
