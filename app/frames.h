/* Frames of a cache, or of a scene that is simulated for them, one way to get at both. */
#ifndef APP_FRAMES_H
#define APP_FRAMES_H

#include "app.h"
#include "find_scene.h"

#include <sinew_io/cache.h>
#include <sinew_io/scene.h>
#include <sinew_picture/picture.h>

typedef struct frames {
    sn_io_cache *cache; /* one of the two */
    sn_scene *scene;
    sn_scene_def def; /* of the scene, which must be begun anew to go back */
    int count;
    double fps; /* 1/s */
    char path[SCENE_PATH];
} frames;

/* Opens a cache, or a scene by its path or its name; APP_CONTINUE, or APP_FAILED after a message.
   `def` says how the world of a scene is made; everything in it must live as long as the frames. */
app_exit frames_open(frames *f, const char *name, const sn_scene_def *def);

/* The frame of a number below `count`; valid until the next call. Frame 0 of a scene is its
   beginning, and every frame before this one is simulated. */
sn_result frames_at(frames *f, int index, sn_io_frame *frame);

/* The staging of the frames: that of the first; one without cameras where it has none. */
sn_result frames_staging(frames *f, sn_io_staging *staging);

/* Looks at a frame as its staging says: lights, ground, background, and from the camera of this
   name as it is then, where there is one. */
void frames_stage(sn_picture_view *view, const sn_io_frame *frame, const char *camera);

/* The camera of this name; null where there is none. */
const sn_io_camera *frames_camera(const sn_io_staging *staging, const char *name);

/* The frame that a picture shows where nobody says which, of frames 0 to `last`. */
int frames_best(const sn_io_staging *staging, double fps, int last);

void frames_close(frames *f);

#endif
