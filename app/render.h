/* The video of a cache, as "sinew render" makes it, for other verbs. */
#ifndef APP_RENDER_H
#define APP_RENDER_H

#include "app.h"

/* APP_OK, APP_INTERRUPTED, or APP_FAILED after a message. A line on standard output says what was
   made, unless `quiet`. */
app_exit render_video(const char *cache, const char *video, int threads, int smooth, bool quiet);

#endif
