/* What the machine can attain, from a program that prints it: columns name, size, ns, threads. */
#ifndef SN_BENCH_BENCH_LIMITS_H
#define SN_BENCH_BENCH_LIMITS_H

#include "app/app.h"

typedef struct limit_row {
    char name[48];
    size_t size;
    int threads;
    double ns; /* per projection */
} limit_row;

enum { LIMIT_ROWS = 256 };

typedef struct limit_list {
    size_t count;
    limit_row rows[LIMIT_ROWS];
} limit_list;

/* Runs `program N`, which prints rows for one and N threads, and adds them to the list. */
app_exit limits_run(const char *program, int threads, limit_list *list);

/* ns per projection; 0 when there is no such row. */
double limits_find(const limit_list *list, const char *name, size_t size, int threads);

#endif
