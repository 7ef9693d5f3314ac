/* sinew scenes: the scenes that come with Sinew, and the parameters of one. */
#define _POSIX_C_SOURCE 200809L

#include "find_scene.h"
#include "options.h"

#include <sinew_io/scene.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without bodies: a folder of scenes would take seconds to build. */
static sn_scene *open_outline(const char *path) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene;
    def.path = path;
    def.outline = true;
    return sn_scene_open(&def, &scene) == SN_OK ? scene : NULL;
}

static app_exit list_scenes(void) {
    const char *folder = scene_folder();
    struct dirent **entries;
    int count = folder ? scandir(folder, &entries, scene_is_file, alphasort) : -1;
    if (count < 0) return app_fail("there is no folder of scenes; SINEW_SCENES names one");
    app_exit exit = APP_OK;
    for (int i = 0; i < count; i++) {
        char path[SCENE_PATH];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        sn_scene *scene = open_outline(path);
        printf("%-12.*s %s\n", (int)strlen(entries[i]->d_name) - 5, entries[i]->d_name,
               scene ? sn_scene_title(scene) : "(cannot be read; \"sinew check\" says why)");
        if (!scene) exit = APP_FAILED;
        sn_scene_close(scene);
        free(entries[i]);
    }
    free(entries);
    return exit;
}

static app_exit show_scene(const char *name) {
    char path[SCENE_PATH];
    sn_scene *scene = open_outline(scene_path(name, path));
    if (!scene) return app_fail(sn_last_error());
    printf("%s\n%s\n\n%d frames, %d per second\n", sn_scene_title(scene), sn_scene_about(scene),
           sn_scene_frames(scene), sn_scene_fps(scene));
    sn_scene_parameter p;
    for (size_t i = 0; sn_scene_parameter_at(scene, i, &p); i++) {
        char value[64];
        if (p.text)
            snprintf(value, sizeof value, "%s=%s", p.name, p.text);
        else
            snprintf(value, sizeof value, "%s=%.9g", p.name, p.number);
        printf("  --set %-20s %s%s%s%s\n", value, p.meaning, *p.unit ? " [" : "", p.unit,
               *p.unit ? "]" : "");
    }
    sn_scene_close(scene);
    return APP_OK;
}

app_exit verb_scenes(int argc, char **argv) {
    text_list names = {0};
    const verb_usage usage = {
        .name = "scenes",
        .operands = "[SCENE]",
        .operand = &names,
        .operand_count = 1,
        .operands_optional = true,
        .summary =
            "Lists the scenes that come with Sinew, from $SINEW_SCENES, the folder \"scenes\",\n"
            "where they were installed, or where the command was built; or the parameters of one.",
        .notes = "exit codes: 0 done, 1 failed, 2 wrong usage",
    };
    app_exit exit = options_parse(&usage, argc, argv);
    if (exit != APP_CONTINUE) return exit;
    return names.count ? show_scene(names.items[0]) : list_scenes();
}
