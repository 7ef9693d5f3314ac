#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include "clock.h"

#include <stdio.h>
#include <unistd.h>

/* Letters in the bar, and the least time between two of its states in s. */
enum { BAR = 30 };
static const double least_pause = 0.1;

progress progress_start(const char *unit, int total) {
    return (progress){
        .unit = unit, .total = total, .terminal = isatty(STDERR_FILENO) != 0, .start = clock_now()};
}

static void show_bar(progress *p, int done) {
    double now = clock_now();
    if (done < p->total && now - p->shown < least_pause) return;
    p->shown = now;
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++) bar[i] = i * p->total < done * BAR ? '#' : '.';
    bar[BAR] = 0;
    double left = (now - p->start) * (p->total - done) / done;
    fprintf(stderr, "\r[%s] %s %d of %d, %.0f s left \033[K", bar, p->unit, done, p->total, left);
    fflush(stderr);
}

void progress_show(progress *p, int done) {
    if (p->terminal)
        show_bar(p, done);
    else if (done * 4 / p->total != (done - 1) * 4 / p->total)
        fprintf(stderr, "%s %d of %d\n", p->unit, done, p->total);
}

static void clear_line(void) {
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
}

void progress_end(progress *p) {
    if (p->terminal) clear_line();
}

void progress_clear(void) {
    if (isatty(STDERR_FILENO)) clear_line();
}
