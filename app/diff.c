/* sinew diff: the first difference of two snapshots or recordings. */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The kind of a file: four letters in its head; empty, after a message, where it has none. */
static bool read_kind(const char *path, char kind[5]) {
    char head[16] = "";
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "sinew: \"%s\" cannot be opened: %s\n", path, strerror(errno));
        return false;
    }
    size_t size = fread(head, 1, sizeof head, file);
    fclose(file);
    memcpy(kind, head + 12, 4);
    kind[4] = 0;
    if (size == sizeof head && memcmp(head + 1, "SINEW", 5) == 0 &&
        (strcmp(kind, "SNAP") == 0 || strcmp(kind, "RECO") == 0))
        return true;
    fprintf(stderr, "sinew: \"%s\" is neither a snapshot nor a recording\n", path);
    return false;
}

static sn_result compare_recordings(const text_list *files, sn_difference *difference) {
    sn_world *a = NULL, *b = NULL;
    sn_result result = sn_world_create(NULL, &a);
    if (result == SN_OK) result = sn_world_create(NULL, &b);
    if (result == SN_OK)
        result = sn_recording_compare(a, files->items[0], b, files->items[1], difference);
    sn_world_destroy(a);
    sn_world_destroy(b);
    return result;
}

static app_exit compare(const text_list *files) {
    char kind[2][5];
    sn_difference difference = {0};
    for (int k = 0; k < 2; k++)
        if (!read_kind(files->items[k], kind[k])) return APP_USAGE;
    if (strcmp(kind[0], kind[1]) != 0) {
        fprintf(stderr, "sinew: one file is a snapshot and one a recording\n");
        return APP_USAGE;
    }
    sn_result result =
        strcmp(kind[0], "SNAP") == 0
            ? sn_snapshot_compare_files(files->items[0], files->items[1], &difference)
            : compare_recordings(files, &difference);
    if (result != SN_OK) {
        app_fail_result("cannot compare", result);
        return APP_USAGE;
    }
    if (difference.differs) printf("%s\n", difference.sentence);
    return difference.differs ? APP_FAILED : APP_OK;
}

app_exit verb_diff(int argc, char **argv) {
    text_list files = {0};
    const verb_usage usage = {
        .name = "diff",
        .operands = "A B",
        .operand = &files,
        .operand_count = 2,
        .summary = "Compares two snapshots or two recordings and says the first difference: the\n"
                   "object and the value; of recordings, the call or the step as well. Says\n"
                   "nothing where there is none.",
        .notes = "Where a step of two recordings gives two hashes, both are repeated up to there.\n"
                 "exit codes: 0 equal, 1 different, 2 wrong usage or unreadable",
    };
    app_exit exit = options_parse(&usage, argc, argv);
    return exit == APP_CONTINUE ? compare(&files) : exit;
}
