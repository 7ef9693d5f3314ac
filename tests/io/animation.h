/* A small animation of everything that a frame can hold, made by additions and multiplications
   alone, so that it has the same bits everywhere. */
#ifndef SINEW_TESTS_IO_ANIMATION_H
#define SINEW_TESTS_IO_ANIMATION_H

#include <sinew_io/frame.h>

enum { ANIMATION_FRAMES = 6, ANIMATION_FPS = 24, ANIMATION_VERTICES = 16, ANIMATION_SHAPES = 5 };

/* The arrays of a shape. */
typedef struct animation_shape {
    sn_vec3 positions[ANIMATION_VERTICES], velocities[ANIMATION_VERTICES];
    sn_real strain[ANIMATION_VERTICES], radii[ANIMATION_VERTICES];
    uint32_t triangles[ANIMATION_VERTICES][3], lines[ANIMATION_VERTICES][2];
    uint32_t tets[2][4];
} animation_shape;

typedef struct animation {
    animation_shape arrays[ANIMATION_SHAPES];
    sn_io_shape shapes[ANIMATION_SHAPES];
    sn_io_frame frame;
} animation;

/*
 * The frame with this number: a flag, a jelly of two tets with the faces of its surface, a rope,
 * grains, and a box. Where `changing`, the flag tears at frame 3 and its strain is not known in
 * frame 4, there is a grain more in every frame, and the box comes at frame 2 and goes at frame 4.
 */
const sn_io_frame *animation_frame(animation *a, int number, bool changing);

#endif
