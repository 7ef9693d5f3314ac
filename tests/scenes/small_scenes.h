/* Scenes that are looked at from all sides: the files of small/, each with something that random
   scenes have not got, and then some random ones. */
#ifndef SINEW_TESTS_SCENES_SMALL_SCENES_H
#define SINEW_TESTS_SCENES_SMALL_SCENES_H

#include <sinew_io/scene.h>

/* The text of scene `i`, of which `random` are random; null beyond the last. It is valid until the
   next call. */
const char *small_scene_text(size_t i, size_t random);

sn_scene *small_scene_open(const char *text, int threads, int simd_width);

#endif
