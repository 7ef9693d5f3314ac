/* Where a run writes: all of it is looked at before anything is simulated. */
#ifndef APP_RUN_TARGETS_H
#define APP_RUN_TARGETS_H

#include "run_output.h"

/* Whether --format names formats, each of them once. APP_CONTINUE, or APP_USAGE after a message. */
app_exit targets_check_formats(const run_output *o);

/* The next format of a list and where the list goes on; false at its end. */
bool targets_next_format(const char **list, char format[RUN_FORMAT]);

/* What frames in this format are written with. */
sn_io_export_def targets_export_def(const run_output *o, const sn_scene *scene, const char *format);

/* Makes the folder, unless something is in the way of what goes there or elsewhere. APP_CONTINUE,
   or APP_FAILED or APP_USAGE after a message. */
app_exit targets_prepare(run_output *o, const sn_scene *scene);

/* After a failure: removes the folders that were made, where nothing is in them. */
void targets_undo(const run_output *o);

#endif
