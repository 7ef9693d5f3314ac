/* The `sinew` command: finds the verb and calls it. */
#include "app.h"
#include "interrupt.h"
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *summary;
    app_exit (*call)(int argc, char **argv);
} verbs[] = {
    {"run", "simulate a scene; write its frames and a picture", verb_run},
    {"new", "write a scene to start from, with comments", verb_new},
    {"scenes", "list the scenes that come with Sinew, or the parameters of one", verb_scenes},
    {"check", "say what is wrong with a scene or a mesh, and mend meshes", verb_check},
    {"replay", "repeat a recorded run and check that every step gives the same", verb_replay},
    {"compare", "name the first difference of two snapshots, recordings or caches", verb_compare},
    {"render", "draw a picture or a video of a cache or a scene", verb_render},
    {"view", "open a page on which scenes run and can be taken hold of", verb_view},
    {"plot", "draw the statistics of a run over time", verb_plot},
    {"convert", "read a mesh and write it in another format", verb_convert},
    {"query", "say what rays meet in a scene, and what is nearest to points", verb_query},
    {"strain", "say how much bodies are strained for want of substeps", verb_strain},
    {"bench", "measure the solver, as ratios to what this machine can attain", verb_bench},
    {"info", "say what this build can do, and list types and materials", verb_info},
    {"completion", "print a script that completes commands in a shell", verb_completion},
};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

static void print_help(FILE *stream) {
    fprintf(stream,
            "usage: sinew VERB [OPTION]...\n\n"
            "Position based dynamics: cloth, ropes, rods and solids from nodes and constraints.\n\n"
            "verbs:\n");
    for (int i = 0; i < VERB_COUNT; i++)
        fprintf(stream, "  %-10s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(stream,
            "\n\"sinew VERB --help\" explains a verb; \"sinew --version\" names the build.\n"
            "exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted\n");
}

static app_exit dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return APP_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help(stdout);
        return APP_OK;
    }
    if (strcmp(word, "--version") == 0) {
        sn_version v = sn_version_get();
        printf("sinew %d.%d.%d\n", v.major, v.minor, v.patch);
        return APP_OK;
    }
    sn_suggestion guess = {0};
    for (int i = 0; i < VERB_COUNT; i++) {
        if (strcmp(word, verbs[i].name) == 0) return verbs[i].call(argc - 1, argv + 1);
        sn_suggest(&guess, word, verbs[i].name);
    }
    sn_suggest(&guess, word, "--help");
    sn_suggest(&guess, word, "--version");
    fprintf(stderr, "sinew: there is no verb \"%s\"", word);
    app_print_suggestion(&guess, "one of those that \"sinew --help\" lists");
    return APP_USAGE;
}

int main(int argc, char **argv) {
    memory_limit();
    interrupt_outlive_limits();
    app_exit exit = dispatch(argc, argv);
    /* Output that never arrived, as on a full disk, is a failure too. */
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && exit == APP_OK) {
        fprintf(stderr, "sinew: cannot write to standard output%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
        exit = APP_FAILED;
    }
    return (int)exit;
}
