/* Boxes for the tests of the broad phase: random ones of several characters, and how they move. */
#ifndef SINEW_TESTS_COLLISION_BROAD_PHASE_BOXES_H
#define SINEW_TESTS_COLLISION_BROAD_PHASE_BOXES_H

#include "collision/broad_phase/broad_phase.h"

typedef struct boxes {
    sn_vec4 *low, *high;
    size_t count;
    uint64_t state; /* of the random numbers */
} boxes;

/* Between 0 and 1. */
double boxes_random(boxes *b);

void boxes_init(boxes *b, size_t count, uint64_t seed);
void boxes_free(boxes *b);
sn_boxes boxes_view(const boxes *b);

void boxes_set(boxes *b, size_t i, sn_vec3 middle, sn_vec3 size);

/* Cubes between `least` and `most` large, with middles in a cube of that side around a point. */
void boxes_scatter(boxes *b, sn_vec3 around, double side, double least, double most);

/* Everything moves by up to `most` along each axis. */
void boxes_move(boxes *b, double most);

#endif
