/*
 * Small scenes, one per constraint type that a device is to carry. Each can be made so that all
 * loops of its type are needed: hard, compliant or damped. They use sums, products, quotients and
 * numbers that float holds exactly, so that they start from the same bits everywhere.
 */
#ifndef SINEW_TESTS_BACKEND_CUDA_SCENES_H
#define SINEW_TESTS_BACKEND_CUDA_SCENES_H

#include <sinew/sinew.h>

typedef enum cuda_softness {
    CUDA_HARD,
    CUDA_COMPLIANT,
    CUDA_DAMPED,
    CUDA_SOFTNESSES
} cuda_softness;

typedef struct cuda_scene {
    const char *name;
    void (*build)(sn_world *world, cuda_softness softness);
    bool shared;   /* whether the threads have a part in it, of types that the device has not */
    bool resident; /* whether the device integrates it as well */
    bool spoiled;  /* whether something is frozen where no speed limit prevents it */
} cuda_scene;

enum { CUDA_SCENES = 6 };
extern const cuda_scene cuda_scenes[CUDA_SCENES];

#endif
