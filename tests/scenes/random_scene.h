/* Scenes from a number: the same text for the same number everywhere. */
#ifndef SINEW_TESTS_SCENES_RANDOM_SCENE_H
#define SINEW_TESTS_SCENES_RANDOM_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANDOM_SCENE_ROOM = 1 << 14 };

typedef struct random_scene {
    char text[RANDOM_SCENE_ROOM]; /* a scene file */
    size_t length;
    /* What motion it can explain. */
    double gravity; /* m/s^2 */
    double height;  /* m, of the highest point above the floor */
    double thrown;  /* m/s, the fastest of what is given as velocities at the start */
    double driven;  /* m/s, the fastest of what motions and wind move */
    double bounce;  /* 1, the largest restitution */
    bool passive;   /* nothing does work but gravity */
    bool guarded;   /* nothing passes through anything: all bodies are penetration_free */
    bool spanned;   /* a sheet is held on all sides */
    bool rigid;     /* there are nodes that carry colliders */
    uint64_t state; /* of the numbers, while it is made */
} random_scene;

void random_scene_make(random_scene *scene, unsigned seed);
/* With rigid bodies, of which some turn by radians in a substep. */
void random_scene_make_rigid(random_scene *scene, unsigned seed);
/* Of fluids and grains, with what they meet. */
void random_scene_make_loose(random_scene *scene, unsigned seed);

#endif
