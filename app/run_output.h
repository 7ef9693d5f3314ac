/* The files of a run: frames in several formats, statistics, snapshots and a picture. */
#ifndef APP_RUN_OUTPUT_H
#define APP_RUN_OUTPUT_H

#include "app.h"

#include <sinew_io/export.h>
#include <sinew_io/file.h>
#include <sinew_io/scene.h>
#include <sinew_picture/picture.h>

enum { RUN_FORMATS = 8, RUN_FORMAT = 32, RUN_NAME = 128, RUN_PATH = 4096 };

typedef struct run_output {
    /* As the options say; recording, video and events are written by who runs. */
    const char *folder, *formats, *stats, *picture, *record, *video, *events;
    bool snapshots;
    const char *scene, *resume; /* files that are read; null without */
    size_t existing; /* characters of the folder that were there already, once it is prepared */
    bool prepared;
    char name[RUN_NAME]; /* what the names of files begin with */
    sn_io_export *exports[RUN_FORMATS];
    size_t export_count;
    sn_io_file table; /* the statistics, open while the stream is not null */
    double *row;
    bool liquid; /* liquids are files of their surface, not of particles */
    int smooth;  /* how often triangles are divided; -1: not at all in files, as a picture needs */
    int threads; /* that draw the picture */
    sn_picture_bounds bounds; /* of all frames, for the picture */
    char picture_path[RUN_PATH], snapshot_path[RUN_PATH];
    double write_time, picture_time; /* s */
    bool drawn;                      /* the picture, at the moment that the scene says */
} run_output;

/* Names the files after the scene file. */
void output_name_from(run_output *o, const char *path);

/* All of these: APP_CONTINUE, or APP_FAILED or APP_USAGE after a message. */
app_exit output_open(run_output *o, sn_scene *scene);
app_exit output_frame(run_output *o, sn_scene *scene);
app_exit output_snapshot(run_output *o, sn_scene *scene);
void output_snapshot_path(const run_output *o, int frame, char path[RUN_PATH]);
/* Completes the files, of however many frames there are, and draws the picture if asked. */
app_exit output_close(run_output *o, sn_scene *scene, bool picture);
void output_free(run_output *o);

void output_print_files(const run_output *o);
void output_print_json_files(const run_output *o);

#endif
