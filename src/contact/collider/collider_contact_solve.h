/*
 * Contacts of nodes and plain colliders several at a time, compiled once per SIMD width.
 *
 * Pairs come in lists, each node at most once in one. What most pairs do is done in lanes, with the
 * arithmetic of collider_contact.c and its bits; a pair that wants something rare is left to
 * collider_contact.c.
 */
#ifndef SN_CONTACT_COLLIDER_COLLIDER_CONTACT_SOLVE_H
#define SN_CONTACT_COLLIDER_COLLIDER_CONTACT_SOLVE_H

#include "contact/collider/collider_contact.h"
#include "math/lanes.h"

/* A pair, with its slot in the set. */
typedef struct sn_collider_pair_lane {
    uint32_t node, collider;
    size_t slot;
} sn_collider_pair_lane;

/* Shapes that lanes know, each where its frame is that of the world and where it is not. */
enum {
    SN_COLLIDER_CONTACT_SHAPES = SN_SHAPE_BOX + 1,
    SN_COLLIDER_CONTACT_CLASSES = 2 * SN_COLLIDER_CONTACT_SHAPES
};

static inline int sn_collider_contact_class(const sn_collider_pose *at) {
    return 2 * at->shape + at->straight;
}

typedef struct sn_collider_contact_batch {
    const sn_world *world;
    const sn_collider_pose *pose;
    sn_real *row;           /* of the set */
    sn_node_search *search; /* by slots */
    const sn_real *w;       /* 1/kg, that contacts see */
    sn_real h;              /* s */
    sn_real slight;         /* m, as of sn_contact_slight */
    bool slides;            /* whether friction acts on positions */
} sn_collider_contact_batch;

/* Works on pairs and leaves in the list those that are still to be looked at; returns how many.
   There is room for SN_BLOCK pairs more, which are written. */
typedef size_t sn_collider_contact_sift(const sn_collider_contact_batch *batch,
                                        sn_collider_pair_lane *pairs, size_t count);

typedef struct sn_collider_contact_kernels {
    sn_collider_contact_sift *clear; /* of those that were not pushed, leaves what may touch */
    sn_collider_contact_sift *solve[SN_COLLIDER_CONTACT_CLASSES]; /* leaves those that are rare */
    /* The first node, from one to before another, that may have left its reach: the first one of
       all, or one of a few at the end, of which nothing is known. */
    size_t (*until_outrun)(const sn_world *world, size_t begin, size_t end);
} sn_collider_contact_kernels;

const sn_collider_contact_kernels *sn_collider_contact_kernels_of(sn_width width);

#endif
