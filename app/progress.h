/*
 * Says how far a long run is, on standard error: a bar with the time left where that is a terminal,
 * a plain line every quarter where it is not.
 */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    const char *unit; /* what is counted, such as "frame" */
    int total;
    bool terminal;
    double start, shown; /* s on the clock */
} progress;

progress progress_start(const char *unit, int total);
void progress_show(progress *p, int done);
/* Removes the bar, so that what follows starts on a clean line. */
void progress_end(progress *p);
/* The same in the middle of a run; the bar comes again when there is more. */
void progress_clear(void);

#endif
