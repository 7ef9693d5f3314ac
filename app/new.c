/* sinew new: a scene to start from, or a copy of one that comes with Sinew. */
#define _POSIX_C_SOURCE 200809L

#include "find_scene.h"
#include "options.h"

#include <sinew_io/file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char start[] =
    "{\n"
    "  \"comment\": \"docs/scene-format.md has all words; units are those of the SI; "
    "'comment' is not read.\",\n"
    "  \"version\": 1,\n"
    "  \"title\": \"A cloth on a ball\",\n"
    "  \"about\": \"What happens here, for those who come later.\",\n"
    "  \"parameters\": {\n"
    "    \"comment\": \"Values that 'sinew run SCENE --set NAME=VALUE' changes; "
    "'=fabric' below means this one.\",\n"
    "    \"fabric\": {\"value\": \"cotton\", \"meaning\": "
    "\"'sinew info --materials' lists the presets\"},\n"
    "    \"cells\": {\"value\": 40, \"meaning\": \"along each side of the cloth\", "
    "\"least\": 2, \"most\": 400}\n"
    "  },\n"
    "  \"run\": {\"frames\": 90, \"fps\": 30},\n"
    "  \"settings\": {\n"
    "    \"comment\": \"More substeps make everything stiffer, and take as much longer.\",\n"
    "    \"gravity\": [0, -9.81, 0],\n"
    "    \"substeps\": 30\n"
    "  },\n"
    "  \"meshes\": {\n"
    "    \"square\": {\"comment\": \"or 'file': a path beside this scene\", \"shape\": \"grid\", "
    "\"width\": 1, \"depth\": 1,\n"
    "      \"columns\": \"=cells\", \"rows\": \"=cells\"}\n"
    "  },\n"
    "  \"materials\": {\n"
    "    \"cloth\": {\"comment\": \"As thick as contact sees it; thin cloth wants small "
    "triangles.\",\n"
    "      \"kind\": \"cloth\", \"preset\": \"=fabric\", \"thickness\": 0.01}\n"
    "  },\n"
    "  \"bodies\": [\n"
    "    {\n"
    "      \"name\": \"cloth\",\n"
    "      \"mesh\": \"square\",\n"
    "      \"material\": \"cloth\",\n"
    "      \"position\": [0, 0.8, 0],\n"
    "      \"comment\": \"'collide' lets it touch itself and other bodies: all, others or "
    "none.\",\n"
    "      \"collide\": \"all\",\n"
    "      \"contact\": {\"static_friction\": 0.5}\n"
    "    }\n"
    "  ],\n"
    "  \"colliders\": [\n"
    "    {\"name\": \"floor\", \"shape\": \"plane\", \"static_friction\": 0.6, "
    "\"dynamic_friction\": 0.5},\n"
    "    {\"name\": \"ball\", \"shape\": \"sphere\", \"radius\": 0.25, \"position\": "
    "[0, 0.4, 0],\n"
    "      \"static_friction\": 0.4, \"dynamic_friction\": 0.3}\n"
    "  ],\n"
    "  \"cameras\": {\n"
    "    \"main\": {\"eye\": [1.1, 0.95, 1.5], \"target\": [0, 0.35, 0], "
    "\"field_of_view\": 0.6}\n"
    "  }\n"
    "}\n";

/* Into a file that is not there yet; none is left where that fails. */
static app_exit write_new(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0) return app_fail_file("make", path);
    size_t size = strlen(text), done = 0;
    while (done < size) {
        ssize_t wrote = write(file, text + done, size - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) break;
        done += (size_t)wrote;
    }
    int why = errno;
    bool closed = close(file) == 0;
    if (done == size && closed) return APP_OK;
    if (done < size) errno = why;
    app_exit exit = app_fail_file("write", path);
    unlink(path);
    return exit;
}

app_exit verb_new(int argc, char **argv) {
    text_list names = {0};
    const char *of = NULL;
    const option options[] = {
        {"from", "SCENE", "copy this one, which \"sinew scenes\" lists (a cloth on a ball)",
         OPTION_TEXT, &of, 0, 0},
    };
    const verb_usage usage = {
        .name = "new",
        .operands = "NAME",
        .operand = &names,
        .operand_count = 1,
        .summary = "Writes NAME.json, a scene to start from with comments on its parts.",
        .notes = "A file that is there already is left as it is.\n"
                 "exit codes: 0 done, 1 failed, 2 wrong usage",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    app_exit exit = options_parse(&usage, argc, argv);
    if (exit != APP_CONTINUE) return exit;
    const char *name = names.items[0];
    size_t length = strlen(name);
    char path[SCENE_PATH], from[SCENE_PATH];
    bool ends = length > 5 && strcmp(name + length - 5, ".json") == 0;
    if (snprintf(path, sizeof path, "%s%s", name, ends ? "" : ".json") >= SCENE_PATH)
        return app_fail("the name is too long");
    char *copy = NULL;
    size_t size;
    if (of && sn_io_file_read("the scene", scene_path(of, from), &copy, &size) != SN_OK)
        return scene_missing(of);
    exit = write_new(path, copy ? copy : start);
    free(copy);
    if (exit == APP_OK) printf("%s is a scene; simulate it: sinew run %s\n", path, path);
    return exit;
}
