/* sinew compare: the first difference of two snapshots, recordings or caches. */
#include "options.h"

#include <sinew_io/cache.h>
#include <sinew_io/file.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Two worlds repeat what was recorded. */
static sn_result compare_recordings(const char *a, const char *b, sn_difference *difference) {
    sn_world *first = NULL, *second = NULL;
    sn_result result = sn_world_create(NULL, &first);
    if (result == SN_OK) result = sn_world_create(NULL, &second);
    if (result == SN_OK) result = sn_recording_compare(first, a, second, b, difference);
    sn_world_destroy(first);
    sn_world_destroy(second);
    return result;
}

/* What can be compared, and the four letters that the file has at its twelfth byte. */
static const struct {
    const char *letters, *name;
    sn_result (*compare)(const char *a, const char *b, sn_difference *difference);
} kinds[] = {{"SNAP", "a snapshot", sn_snapshot_compare_files},
             {"RECO", "a recording", compare_recordings},
             {"CACH", "a cache", sn_io_cache_compare}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The kind of a file; KINDS, after a message, where it has none. */
static int kind_of(const char *path) {
    char head[16] = "";
    if (sn_io_file_expect("the file", path) != SN_OK) {
        app_fail(sn_last_error());
        return KINDS;
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "sinew: \"%s\" cannot be opened: %s\n", path, strerror(errno));
        return KINDS;
    }
    size_t size = fread(head, 1, sizeof head, file);
    fclose(file);
    for (int i = 0; size == sizeof head && i < KINDS; i++)
        if (memcmp(head + 1, "SINEW", 5) == 0 && memcmp(head + 12, kinds[i].letters, 4) == 0)
            return i;
    fprintf(stderr, "sinew: \"%s\" is no snapshot, recording or cache\n", path);
    return KINDS;
}

static app_exit compare(const char *a, const char *b) {
    sn_difference difference = {0};
    int first = kind_of(a), second = first < KINDS ? kind_of(b) : KINDS;
    if (first == KINDS || second == KINDS) return APP_USAGE;
    if (first != second) {
        fprintf(stderr, "sinew: \"%s\" is %s and \"%s\" is %s, expected two of a kind\n", a,
                kinds[first].name, b, kinds[second].name);
        return APP_USAGE;
    }
    sn_result result = kinds[first].compare(a, b, &difference);
    if (result != SN_OK) {
        app_fail_result("cannot compare", result);
        return APP_USAGE;
    }
    if (difference.differs) printf("%s\n", difference.sentence);
    return difference.differs ? APP_FAILED : APP_OK;
}

app_exit verb_compare(int argc, char **argv) {
    text_list files = {0};
    const verb_usage usage = {
        .name = "compare",
        .operands = "A B",
        .operand = &files,
        .operand_count = 2,
        .summary =
            "Compares two snapshots, recordings or caches and says the first difference: the\n"
            "object and the value; of recordings the call or the step as well, of caches the\n"
            "frame. Says nothing where there is none.",
        .notes = "Where a step of two recordings gives two hashes, both are repeated up to there.\n"
                 "exit codes: 0 equal, 1 different, 2 wrong usage or unreadable",
    };
    app_exit exit = options_parse(&usage, argc, argv);
    return exit == APP_CONTINUE ? compare(files.items[0], files.items[1]) : exit;
}
