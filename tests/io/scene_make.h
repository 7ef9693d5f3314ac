/* Scenes from text, and what is in their worlds. */
#ifndef SINEW_TESTS_SCENE_MAKE_H
#define SINEW_TESTS_SCENE_MAKE_H

#include <sinew_io/scene.h>

/* A scene from its text; the run ends when it cannot be opened. */
sn_scene *scene_make(const char *text);

/* The same with parameters, "name=value", up to the null at the end of the list. */
sn_scene *scene_make_with(const char *text, const char *const *sets);

/* Tries to open a scene; null without a sentence in `sn_last_error` is a failed check. */
sn_result scene_try(const char *text, const char *const *sets, sn_scene **scene);

/* What a node is now, by its place in the world, from 0. */
sn_node_def scene_node_at(sn_scene *scene, size_t slot);

/* How many nodes cannot be moved. */
size_t scene_count_kinematic(sn_scene *scene);

/* Steps a number of frames; the run ends when one fails. */
void scene_run_frames(sn_scene *scene, int frames);

/* The value of a column of the statistics; NaN where there is no such column. */
double scene_column_value(sn_scene *scene, const char *name);

/* A scene of a folder by its name, with a parameter set unless that is null. */
sn_scene *scene_open_in(const char *folder, const char *name, const char *set);

/* Writes three frames in a format, and closes the scene. */
void scene_write_frames(sn_scene *scene, const char *format, const char *folder, const char *name);

#endif
