/*
 * Contacts of nodes and plain colliders several at a time, compiled once per SIMD width.
 *
 * Pairs come in lists, each node at most once in one. What most pairs do is done in lanes, with the
 * arithmetic of triangle_tet_overlap.c and its bits; a pair that wants something rare is left to triangle_tet_overlap.c.
 */
#ifndef SN_CONTACT_TOUCH_LOOPS_H
#define SN_CONTACT_TOUCH_LOOPS_H

#include "contact/touch.h"
#include "math/lanes.h"

/* A pair, with its number in the list of the step. */
typedef struct sn_touch_pair {
    uint32_t node, collider;
    size_t touch;
} sn_touch_pair;

/* Shapes that lanes know, each where its frame is that of the world and where it is not. */
enum { SN_TOUCH_SHAPES = SN_SHAPE_BOX + 1, SN_TOUCH_CLASSES = 2 * SN_TOUCH_SHAPES };

static inline int sn_touch_class(const sn_placing *at) {
    return 2 * at->shape + at->straight;
}

typedef struct sn_touch_batch {
    const sn_world *world;
    const sn_real *w; /* 1/kg, that contacts see */
    sn_real h;        /* s */
    bool slides;      /* whether friction acts on positions */
} sn_touch_batch;

/* Works on pairs and leaves in the list those that are still to be looked at; returns how many.
   There is room for SN_BLOCK pairs more, which are written. */
typedef size_t sn_touch_sift(const sn_touch_batch *batch, sn_touch_pair *pairs, size_t count);

typedef struct sn_touch_loops {
    sn_touch_sift *clear;                   /* leaves those that may touch, or did */
    sn_touch_sift *solve[SN_TOUCH_CLASSES]; /* leaves those that are rare */
    /* Whether a node that can move, from one to before another, has left its reach or may have. */
    bool (*outrun)(const sn_world *world, size_t begin, size_t end);
} sn_touch_loops;

const sn_touch_loops *sn_touch_loops_of(sn_width width);

#endif
