/* Which code of the library a test runs: gcc calls this in every basic block of what was compiled
   with -fsanitize-coverage=trace-pc. At the end, or after some seconds, since that is slow and most
   is reached soon, the offsets in the library are written to the file that SINEW_REACHED names. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LARGEST = 1 << 25, SECONDS = 15 };

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
static uint8_t reached[LARGEST];

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void) {
    uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)__ehdr_start;
    if (at < LARGEST) reached[at] = 1;
}

__attribute__((destructor)) static void write_reached(void) {
    const char *path = getenv("SINEW_REACHED");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    for (size_t at = 0; at < LARGEST; at++)
        if (reached[at]) fprintf(file, "%zx\n", at);
    fclose(file);
}

static void end(int number) {
    (void)number;
    write_reached();
    _exit(0);
}

__attribute__((constructor)) static void begin(void) {
    signal(SIGALRM, end);
    alarm(SECONDS);
}
