/* Where scene files are: a path, or the name of a scene that comes with Sinew. */
#ifndef APP_FIND_SCENE_H
#define APP_FIND_SCENE_H

#include "app.h"

enum { SCENE_PATH = 4096 };

/* The folder with the scenes that come with Sinew: $SINEW_SCENES, "scenes", or where they were
   installed; null when there is none. */
const char *scene_folder(void);

/* The path of a scene that is named by its path, or by its name in the folder of scenes, also where
   another folder is called so. A name that is neither stays as it is, so that reading it says why
   not. */
const char *scene_path(const char *name, char path[SCENE_PATH]);

/* Whether an entry of a folder is a scene file, for scandir(). */
struct dirent;
int scene_is_file(const struct dirent *entry);

/* Says that a scene cannot be read, with a guess where it was named without a folder. */
app_exit scene_missing(const char *name);

#endif
