#define _POSIX_C_SOURCE 200809L

#include "find_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path) {
    struct stat status;
    return path && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *scene_folder(void) {
    const char *places[] = {getenv("SINEW_SCENES"), "scenes", SINEW_SCENE_FOLDER};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (is_folder(places[i])) return places[i];
    return NULL;
}

const char *scene_path(const char *name, char path[SCENE_PATH]) {
    const char *folder = scene_folder();
    snprintf(path, SCENE_PATH, "%s", name);
    if (access(path, F_OK) == 0 || !folder || strchr(name, '/')) return path;
    char found[SCENE_PATH];
    int length = snprintf(found, sizeof found, "%s/%s%s", folder, name,
                          strstr(name, ".json") ? "" : ".json");
    if (length < SCENE_PATH && access(found, F_OK) == 0) memcpy(path, found, (size_t)length + 1);
    return path;
}
