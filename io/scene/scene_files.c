/*
 * Which files a scene may read. A scene may come from anywhere, so it sees the files in its own
 * folder and below, those in a folder that the host allows, and those that a parameter was set to;
 * and of these only what is a file, since a device or a pipe need not have an end.
 */
#define _XOPEN_SOURCE 700

#include "io/scene/scene_state.h"

#include <sinew/support.h>
#include <sinew_io/file.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes "." and ".." out of a path and makes it absolute, by its letters alone; false when it is
   too long. */
static bool collapse(const char *path, char to[SN_PATH_LENGTH]) {
    char whole[2 * SN_PATH_LENGTH];
    size_t length = 0, offset = 0;
    if (strlen(path) >= SN_PATH_LENGTH) return false;
    if (path[0] != '/') {
        if (!getcwd(whole, SN_PATH_LENGTH)) return false;
        offset = strlen(whole);
        whole[offset++] = '/';
    }
    memcpy(whole + offset, path, strlen(path) + 1);
    for (const char *part = whole; *part;) {
        size_t count = strcspn(part, "/");
        bool up = count == 2 && part[0] == '.' && part[1] == '.';
        bool here = count == 0 || (count == 1 && part[0] == '.');
        if (!up && !here && length + count + 2 > SN_PATH_LENGTH) return false;
        if (up) /* stays at the top */
            while (length > 0 && to[--length] != '/') {
            }
        if (!up && !here) {
            to[length++] = '/';
            memcpy(to + length, part, count);
            length += count;
        }
        part += count + (part[count] == '/');
    }
    to[length] = 0;
    return true;
}

/* Whether one path, both without "..", begins with the other. */
static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/') length--;
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* The same after links were followed; true where there is nothing yet that could be one. */
static bool is_really_below(const char *path, const char *folder) {
#ifdef __wasi__
    (void)path, (void)folder; /* whose host does this */
    return true;
#else
    char *real_path = realpath(path, NULL), *real_folder = realpath(folder, NULL);
    bool below = !real_path || (real_folder && is_below(real_path, real_folder));
    free(real_path);
    free(real_folder);
    return below;
#endif
}

static bool is_allowed(const char *path, const char *folder) {
    char file[SN_PATH_LENGTH], above[SN_PATH_LENGTH];
    return folder && collapse(path, file) && collapse(folder, above) && is_below(file, above) &&
           is_really_below(path, folder);
}

/* Whether a parameter was set to this from outside. */
static bool is_set(const sn_scene *s, const char *name) {
    for (size_t i = 0; i < s->set_count; i++) {
        const char *value = strchr(s->sets[i], '=');
        if (value && strcmp(value + 1, name) == 0) return true;
    }
    return false;
}

sn_result sn_scene_find_file(sn_scene *s, const json_node *node, const char *folder,
                             const char *name, char **path) {
    bool plain = name[0] == '/' || strcmp(folder, ".") == 0;
    *path = plain ? sn_scene_text(s, "%s", name) : sn_scene_text(s, "%s/%s", folder, name);
    if (!*path) return SN_ERROR_MEMORY;
    if (!is_allowed(*path, s->folder) && !is_allowed(*path, s->allow) && !is_set(s, name))
        return sn_scene_complain(
            &s->reader, node,
            "\"%.200s\" is outside the folder of the scene, expected a file in "
            "it, or in a folder that is allowed (--allow)",
            name);
    if (sn_io_file_expect("the file", *path) != SN_OK)
        return sn_scene_complain_within(&s->reader, node);
    return SN_OK;
}
