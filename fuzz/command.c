/*
 * Any bytes as the arguments of the command, with zeros between them: an exit code that the help
 * names, and a sentence where it is not 0. It runs in a folder of its own, which has a scene, its
 * cache and statistics, a snapshot, a recording and a mesh, and is emptied before every run; paths
 * that lead out of it, numbers that would take long, and programs of others are kept from it.
 */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

/* app/main.c under another name. */
int sinew_main(int argc, char **argv);

enum { MOST_ARGUMENTS = 20, MOST_TEXT = 1024 };

static const char scene[] =
    "{\"version\": 1, \"run\": {\"frames\": 2}, \"settings\": {\"substeps\": 2},"
    " \"parameters\": {\"n\": {\"value\": 2, \"least\": 1, \"most\": 4}},"
    " \"bodies\": [{\"name\": \"a\", \"material\": \"cotton\", \"pins\": [0],"
    " \"mesh\": {\"shape\": \"grid\", \"columns\": \"=n\", \"rows\": 2}}],"
    " \"colliders\": [{\"name\": \"floor\", \"position\": [0, -1, 0]}]}";
static const char mesh[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/* ---- The folder ---- */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at) {
    (void)status, (void)kind;
    return at->level > 0 ? remove(path) : 0;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    FUZZ_EXPECT(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Output goes to a file; the size of what is said on standard error is returned. */
static long call(int argc, char **argv, int *code) {
    int out = dup(1), error = dup(2), to = open("said", O_RDWR | O_CREAT | O_TRUNC, 0600);
    int null = open("/dev/null", O_WRONLY);
    FUZZ_EXPECT(out >= 0 && error >= 0 && to >= 0 && null >= 0);
    fflush(stdout);
    dup2(null, 1);
    dup2(to, 2);
    *code = sinew_main(argc, argv);
    fflush(stdout);
    fflush(stderr);
    long said = (long)lseek(to, 0, SEEK_END);
    dup2(out, 1);
    dup2(error, 2);
    close(out), close(error), close(to), close(null);
    return said;
}

static char folder[64];

static void clean(void) {
    (void)nftw(".", remove_one, 8, FTW_DEPTH | FTW_PHYS);
    if (chdir("..") == 0) rmdir(folder);
}

static void prepare(void) {
    if (!*folder) {
        snprintf(folder, sizeof folder, "fuzz_command_%ld", (long)getpid());
        FUZZ_EXPECT(mkdir(folder, 0700) == 0 && chdir(folder) == 0);
        atexit(clean);
        /* No ffmpeg, and scenes of this folder alone. */
        FUZZ_EXPECT(setenv("PATH", "", 1) == 0 && setenv("SINEW_SCENES", ".", 1) == 0);
    }
    FUZZ_EXPECT(nftw(".", remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
    write_file("s.json", scene);
    write_file("m.obj", mesh);
}

/* What the other verbs take, by these names. */
static bool is_output(const char *name) {
    return strncmp(name, "o/", 2) == 0 || strcmp(name, "t.csv") == 0 || strcmp(name, "r.rec") == 0;
}

static void make_outputs(void) {
    char *argv[] = {"sinew", "run",      "s.json", "--out",     "o",         "--stats",
                    "t.csv", "--record", "r.rec",  "--picture", "o/p.png",   "--snapshot",
                    "2",     "--simd",   "1",      "--format",  "cache,obj", NULL};
    int code;
    call(17, argv, &code);
    FUZZ_EXPECT(code == 0);
}

/* ---- Arguments ---- */

/* Whether an argument could lead out of the folder, or ask for much. */
static bool is_passed_over(const char *text) {
    int digits = 0;
    for (const char *c = text; *c; c++) {
        digits = *c >= '0' && *c <= '9' ? digits + 1 : 0;
        if (digits > 2 || (*c == '/' && (c == text || c[1] == '.' || c[1] == '/'))) return true;
        if (*c == '=' && c[1] == '/') return true;
        if (*c == '.' && c[1] == '.') return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char text[MOST_TEXT + 1];
    char *argv[MOST_ARGUMENTS + 2] = {"sinew"};
    int argc = 1, code;
    bool wants_outputs = false;
    if (size > MOST_TEXT) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    for (size_t at = 0; at < size && argc <= MOST_ARGUMENTS; at += strlen(text + at) + 1) {
        if (is_passed_over(text + at)) return 0;
        wants_outputs |= is_output(text + at);
        argv[argc++] = text + at;
    }
    /* Measuring takes its time, and a server serves until it is told not to. */
    if (argc > 1 && (strcmp(argv[1], "bench") == 0 || strcmp(argv[1], "view") == 0)) return 0;
    prepare();
    if (wants_outputs) make_outputs();
    long said = call(argc, argv, &code);
    FUZZ_EXPECT(code == 0 || code == 1 || code == 2);
    /* "compare" and "check" answer with 1 on standard output. */
    bool answers = argc > 1 && (strcmp(argv[1], "compare") == 0 || strcmp(argv[1], "check") == 0);
    FUZZ_EXPECT(code == 0 || said > 0 || (code == 1 && answers));
    return 0;
}
