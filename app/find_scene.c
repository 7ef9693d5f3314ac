#define _POSIX_C_SOURCE 200809L

#include "find_scene.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path) {
    struct stat status;
    return path && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A folder that is named as seen from that of the program; null where there is none. */
static const char *beside_program(const char *below) {
    static char path[SCENE_PATH];
#ifdef __linux__
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    char *slash = strrchr(path, '/');
    size_t room = slash ? (size_t)(path + sizeof path - slash) : 0;
    if (!slash || (size_t)snprintf(slash, room, "/%s", below) >= room) return NULL;
#else
    (void)below;
#endif
    return is_folder(path) ? path : NULL;
}

const char *scene_folder(void) {
    const char *named = getenv("SINEW_SCENES");
    if (is_folder(named)) return named;
    if (is_folder("scenes")) return "scenes";
    /* As it was installed, PREFIX/bin/sinew and PREFIX/share/sinew/scenes; or as it was built. */
    const char *installed = beside_program(SINEW_SCENE_FOLDER);
    return installed ? installed : beside_program("../../scenes");
}

const char *scene_path(const char *name, char path[SCENE_PATH]) {
    const char *folder = scene_folder();
    char found[SCENE_PATH];
    snprintf(path, SCENE_PATH, "%s", name);
    if (access(path, F_OK) == 0 && !is_folder(path)) return path;
    if (snprintf(found, sizeof found, "%s.json", name) < SCENE_PATH && access(found, F_OK) == 0) {
        snprintf(path, SCENE_PATH, "%s", found);
        return path;
    }
    if (!folder) return path;
    int length = snprintf(found, sizeof found, "%s/%s%s", folder, name,
                          strstr(name, ".json") ? "" : ".json");
    if (length < SCENE_PATH && access(found, F_OK) == 0) memcpy(path, found, (size_t)length + 1);
    return path;
}

int scene_is_file(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

app_exit scene_missing(const char *name) {
    char path[SCENE_PATH];
    bool there = access(scene_path(name, path), F_OK) == 0;
    const char *folder = there || strchr(name, '/') ? NULL : scene_folder();
    DIR *entries = folder ? opendir(folder) : NULL;
    sn_suggestion guess = {0};
    char best[64] = "";
    struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        char word[64];
        size_t length = strlen(entry->d_name);
        if (!scene_is_file(entry) || length >= sizeof word) continue;
        snprintf(word, sizeof word, "%.*s", (int)length - 5, entry->d_name);
        sn_suggest(&guess, name, word);
        if (guess.word == word) memcpy(best, word, sizeof best);
        if (guess.word) guess.word = best;
    }
    if (entries) closedir(entries);
    if (!*best) return app_fail(sn_last_error());
    fprintf(stderr, "sinew: there is no scene \"%s\", did you mean \"%s\"?\n", name, best);
    return APP_FAILED;
}
