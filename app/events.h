/* What happened in a run: lines of JSON, and counts for the summary. */
#ifndef SINEW_APP_EVENTS_H
#define SINEW_APP_EVENTS_H

#include "app.h"

#include <sinew_io/scene.h>

#include <stdio.h>

typedef struct event_log {
    const char *path; /* of the lines; "-" for standard output, null for none */
    FILE *file;
    size_t count[SN_SCENE_EVENT_KINDS];
    sn_scene_event first[SN_SCENE_EVENT_KINDS], last[SN_SCENE_EVENT_KINDS];
} event_log;

app_exit events_open(event_log *log, sn_scene *scene);
/* After a frame. */
app_exit events_frame(event_log *log, const sn_scene *scene);
app_exit events_close(event_log *log);

void events_print(const event_log *log);
/* As members of an object. */
void events_print_json(const event_log *log);

#endif
