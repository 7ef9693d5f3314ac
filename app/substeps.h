/* Whether a scene has the substeps that its materials need. */
#ifndef SINEW_APP_SUBSTEPS_H
#define SINEW_APP_SUBSTEPS_H

#include <sinew_io/scene.h>

/* Writes a sentence about the body that needs the most, where it needs more than the scene has;
   otherwise false. */
bool app_say_substeps(sn_scene *scene, char *text, size_t size);

#endif
