/*
 * The host's threads instead of the built-in pool: whoever runs the tasks, and when, the bits are
 * the same.
 */
/* For nanosleep. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "api/mixed_world.h"
#include "check.h"

#define MAX_TASKS 64

typedef struct host_task {
    sn_task *task;
    void *context;
    pthread_t thread;
    int number;
    long delay; /* ns, before the task begins */
} host_task;

typedef struct host {
    host_task task[MAX_TASKS];
    int started;  /* in this step */
    int finished; /* in this step */
    int disorder; /* handles that were not finished in the order of their start */
    int total;
    long delay;
} host;

/* ---- A thread for every task ---- */

static void *run_thread(void *argument) {
    host_task *task = argument;
    if (task->delay > 0) {
        struct timespec pause = {0, task->delay * task->number};
        nanosleep(&pause, NULL);
    }
    task->task(task->context);
    return NULL;
}

static host_task *note_start(host *h, sn_task *task, void *context) {
    if (!CHECK(h->started < MAX_TASKS)) {
        exit(1);
    }
    host_task *t = &h->task[h->started];
    t->task = task;
    t->context = context;
    t->number = ++h->started;
    t->delay = h->delay;
    h->total++;
    return t;
}

static void note_finish(host *h, const host_task *t) {
    if (t->number != ++h->finished) {
        h->disorder++;
    }
    if (h->finished == h->started) {
        h->finished = h->started = 0;
    }
}

static void *start_thread(void *user, sn_task *task, void *context) {
    host_task *t = note_start(user, task, context);
    if (!CHECK(pthread_create(&t->thread, NULL, run_thread, t) == 0)) {
        exit(1);
    }
    return t;
}

static void finish_thread(void *user, void *handle) {
    host_task *t = handle;
    pthread_join(t->thread, NULL);
    note_finish(user, t);
}

/* ---- No threads at all: tasks run when they are waited for, or at once ---- */

static void *start_later(void *user, sn_task *task, void *context) {
    return note_start(user, task, context);
}

static void finish_later(void *user, void *handle) {
    host_task *t = handle;
    t->task(t->context);
    note_finish(user, t);
}

/* ---- The same bits ---- */

#define STEPS 5

static uint64_t run(const sn_world_def *def) {
    scene s;
    REQUIRE_OK(scene_make(&s, def, SCENE_LARGE));
    for (int i = 0; i < STEPS; i++) {
        REQUIRE_OK(scene_step(&s, 0.01));
    }
    uint64_t hash = sn_world_hash(s.world);
    sn_world_destroy(s.world);
    return hash;
}

static sn_world_def with_threads(int threads) {
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.settings.substeps = 4;
    return def;
}

static void check_host(const char *name, sn_task_system tasks, host *h, int threads) {
    check_case("%s, threads %d", name, threads);
    sn_world_def plain = with_threads(1);
    uint64_t expected = run(&plain);
    sn_world_def def = with_threads(threads);
    def.tasks = tasks;
    CHECK(run(&def) == expected);
    CHECK(h->started == 0 && h->finished == 0);
    CHECK(h->disorder == 0);
    CHECK(h->total == STEPS * (threads - 1));
}

TEST(built_in_pool) {
    sn_world_def def = with_threads(1);
    uint64_t expected = run(&def);
    for (int threads = 0; threads <= 8; threads += 2) {
        check_case("threads %d", threads);
        def.threads = threads;
        CHECK(run(&def) == expected);
    }
}

TEST(threads_of_the_host) {
    for (int threads = 1; threads <= 7; threads += 3) {
        host h = {0};
        check_host("threads", (sn_task_system){start_thread, finish_thread, &h}, &h, threads);
    }
}

TEST(late_threads_of_the_host) {
    /* The third task begins in the middle of the step or after it. */
    host h = {0};
    h.delay = 200000;
    check_host("late", (sn_task_system){start_thread, finish_thread, &h}, &h, 4);
}

TEST(hosts_without_threads) {
    for (int threads = 1; threads <= 7; threads += 3) {
        host h = {0};
        check_host("serial", (sn_task_system){start_later, finish_later, &h}, &h, threads);
    }
}

/* Worlds share nothing: each on a thread of its own does what it does alone. */
static void *run_alone(void *argument) {
    sn_world_def def = with_threads(2);
    *(uint64_t *)argument = run(&def);
    return NULL;
}

TEST(worlds_on_many_threads) {
    enum { WORLDS = 4 };
    pthread_t thread[WORLDS];
    uint64_t hash[WORLDS] = {0};
    sn_world_def def = with_threads(1);
    uint64_t expected = run(&def);
    for (int i = 0; i < WORLDS; i++) {
        CHECK(pthread_create(&thread[i], NULL, run_alone, &hash[i]) == 0);
    }
    for (int i = 0; i < WORLDS; i++) {
        pthread_join(thread[i], NULL);
        CHECK(hash[i] == expected);
    }
}

/* The sentence of a failure is that of the thread it happened on. */
static void *fail_elsewhere(void *argument) {
    sn_type type;
    return sn_type_by_name("elsewhere", &type) == SN_ERROR_NAME ? argument : NULL;
}

TEST(errors_belong_to_threads) {
    sn_type type;
    pthread_t thread;
    CHECK_FAILS(sn_type_by_name("here", &type), SN_ERROR_NAME);
    char before[512];
    size_t length = 0;
    for (const char *c = sn_last_error(); *c && length < sizeof before - 1; c++) {
        before[length++] = *c;
    }
    CHECK(pthread_create(&thread, NULL, fail_elsewhere, before) == 0);
    void *result = NULL;
    pthread_join(thread, &result);
    CHECK(result == before);
    for (size_t i = 0; i < length; i++) {
        CHECK(sn_last_error()[i] == before[i]);
    }
}

TESTS(RUN(built_in_pool), RUN(threads_of_the_host), RUN(late_threads_of_the_host),
      RUN(hosts_without_threads), RUN(worlds_on_many_threads), RUN(errors_belong_to_threads))
