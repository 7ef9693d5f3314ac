/* sinew convert of what moves: caches and animations into other files, without simulating again. */
#ifndef APP_CONVERT_MOVING_H
#define APP_CONVERT_MOVING_H

#include "app.h"

#include <sinew_io/animation.h>

typedef struct moving_options {
    const char *from, *to;       /* files */
    const char *format, *target; /* of A and B; null: as the extensions say */
    const char *mesh;            /* of a point cache; null for none */
    const char *clip;            /* of a glb; null for the first */
    int fps, smooth;             /* fps 0: 60, and of a cache its own */
    bool liquid;                 /* liquids as their surface */
    bool asked;                  /* whether A is to be taken for something that moves */
    const sn_io_read_def *how;   /* scale, axes and welding */
} moving_options;

/* Whether A moves, or B is a format of motion alone. */
bool moving_is_meant(const moving_options *o);

app_exit moving_convert(const moving_options *o);

#endif
