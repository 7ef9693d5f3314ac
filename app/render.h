/* The video of a cache, as "sinew render" makes it, for other verbs. */
#ifndef APP_RENDER_H
#define APP_RENDER_H

#include "app.h"

/* Whether a video could be made there, before what it shows: its ending, where it goes, and ffmpeg.
   APP_CONTINUE, or APP_FAILED after a message. */
app_exit render_check_video(const char *video, double fps);

/* APP_OK, APP_INTERRUPTED, or APP_FAILED after a message. A line on standard output says what was
   made, unless `quiet`. */
app_exit render_video(const char *cache, const char *video, int threads, int smooth, bool quiet);

#endif
