/*
 * Threads of a page: workers that have an instance of this module each, on the same memory, and run
 * what a step asks for. The page starts them with view_work, which does not return, and says how
 * many there are with view_set_workers. Without shared memory there are none.
 */
#include "exports.h"

#if defined(__wasm_atomics__)
#include <stdatomic.h>

enum { MOST = 15, FOR_EVER = -1 };

/* A worker is asked, then runs; who asked may take that back before. */
enum { IDLE, ASKED, RUNS };

typedef struct worker {
    _Alignas(64) atomic_int state;
    sn_task *task;
    void *context;
} worker;

static worker workers[MOST];
static int worker_count, next_worker;

static void *ask(void *user, sn_task *task, void *context) {
    (void)user;
    worker *w = &workers[next_worker++ % worker_count];
    w->task = task;
    w->context = context;
    atomic_store(&w->state, ASKED);
    __builtin_wasm_memory_atomic_notify((int *)&w->state, 1);
    return w;
}

static void await(void *user, void *handle) {
    (void)user;
    worker *w = handle;
    int asked = ASKED;
    if (atomic_compare_exchange_strong(&w->state, &asked, IDLE)) return;
    /* A page must not sleep; it has little left to do. */
    while (atomic_load(&w->state) != IDLE) continue;
}

void view_work(int index) {
    worker *w = &workers[index];
    for (;;) {
        int asked = ASKED;
        if (atomic_compare_exchange_strong(&w->state, &asked, RUNS)) {
            w->task(w->context);
            atomic_store(&w->state, IDLE);
        }
        __builtin_wasm_memory_atomic_wait32((int *)&w->state, IDLE, FOR_EVER);
    }
}

int view_set_workers(int count) {
    worker_count = count < 0 ? 0 : count > MOST ? MOST : count;
    return worker_count;
}

int view_thread_count(void) {
    return worker_count + 1;
}

sn_task_system view_tasks(void) {
    return (sn_task_system){worker_count > 0 ? ask : NULL, await, NULL};
}
#else
void view_work(int index) {
    (void)index;
}

int view_set_workers(int count) {
    (void)count;
    return 0;
}

int view_thread_count(void) {
    return 1;
}

sn_task_system view_tasks(void) {
    return (sn_task_system){NULL, NULL, NULL};
}
#endif
