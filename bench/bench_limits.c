#define _POSIX_C_SOURCE 200809L

#include "bench/bench_limits.h"

#include <stdio.h>
#include <string.h>

#ifdef __wasi__

app_exit limits_run(const char *program, int threads, limit_list *list) {
    (void)threads, (void)list;
    fprintf(stderr, "sinew: cannot run \"%s\": WebAssembly runs no other programs\n", program);
    return APP_FAILED;
}

#else

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

/* How the child ends when the program could not be run, as shells have it. */
enum { NOT_RUN = 127 };

/* Starts the program with its output in a pipe. Without a shell, so that any path will do. */
static FILE *start(const char *program, int threads, pid_t *child) {
    int ends[2];
    char count[16];
    snprintf(count, sizeof count, "%d", threads);
    if (pipe(ends) != 0) return NULL;
    *child = fork();
    if (*child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp(program, program, count, (char *)NULL);
        fprintf(stderr, "sinew: cannot run \"%s\": %s\n", program, strerror(errno));
        _exit(NOT_RUN);
    }
    close(ends[1]);
    if (*child < 0) {
        close(ends[0]);
        return NULL;
    }
    return fdopen(ends[0], "r");
}

app_exit limits_run(const char *program, int threads, limit_list *list) {
    pid_t child;
    fflush(stdout);
    FILE *output = start(program, threads, &child);
    if (!output) {
        fprintf(stderr, "sinew: cannot run \"%s\": %s\n", program, strerror(errno));
        return APP_FAILED;
    }
    char line[256];
    while (fgets(line, sizeof line, output)) {
        limit_row row;
        if (list->count < LIMIT_ROWS &&
            sscanf(line, "%47s %zu %lf %d", row.name, &row.size, &row.ns, &row.threads) == 4)
            list->rows[list->count++] = row;
    }
    fclose(output);
    int status = 0;
    if (waitpid(child, &status, 0) < 0 || status != 0) {
        bool told = WIFEXITED(status) && WEXITSTATUS(status) == NOT_RUN;
        if (!told)
            fprintf(stderr, "sinew: \"%s %d\" failed, expected its rows\n", program, threads);
        return APP_FAILED;
    }
    return APP_CONTINUE;
}

#endif

double limits_find(const limit_list *list, const char *name, size_t size, int threads) {
    for (size_t i = 0; name && i < list->count; i++) {
        const limit_row *row = &list->rows[i];
        if (strcmp(row->name, name) == 0 && row->size == size && row->threads == threads)
            return row->ns;
    }
    return 0;
}
