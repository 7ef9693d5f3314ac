#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "picture/picture_share.h"

#if defined(__wasm__) && !defined(_REENTRANT) && !defined(SN_NO_THREADS)
#define SN_NO_THREADS
#endif

#include <stdatomic.h>
#include <stdbool.h>

#if defined(SN_NO_THREADS)
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <pthread.h>
#include <unistd.h>
#endif

typedef struct share {
    share_work *work;
    void *context;
    size_t count;
    atomic_size_t next; /* the first piece that nobody has begun */
} share;

typedef struct helper {
    share *share;
    int worker;
#if defined(SN_NO_THREADS)
#elif defined(_WIN32)
    HANDLE thread;
#else
    pthread_t thread;
#endif
} helper;

static void follow(share *s, int worker) {
    for (;;) {
        size_t index = atomic_fetch_add(&s->next, 1);
        if (index >= s->count) return;
        s->work(s->context, index, worker);
    }
}

/* Where a thread cannot be had, the others do its pieces. */
#if defined(SN_NO_THREADS)
static bool begin(helper *h) {
    (void)h;
    return false;
}
static void end(helper *h) {
    (void)h;
}
#elif defined(_WIN32)
static DWORD WINAPI run(LPVOID argument) {
    helper *h = argument;
    follow(h->share, h->worker);
    return 0;
}
static bool begin(helper *h) {
    h->thread = CreateThread(NULL, 0, run, h, 0, NULL);
    return h->thread != NULL;
}
static void end(helper *h) {
    WaitForSingleObject(h->thread, INFINITE);
    CloseHandle(h->thread);
}
#else
static void *run(void *argument) {
    helper *h = argument;
    follow(h->share, h->worker);
    return NULL;
}
static bool begin(helper *h) {
    return pthread_create(&h->thread, NULL, run, h) == 0;
}
static void end(helper *h) {
    pthread_join(h->thread, NULL);
}
#endif

int sn_share_threads(int wanted) {
#if defined(SN_NO_THREADS)
    (void)wanted;
    return 1;
#else
    long cores = wanted;
#if defined(_WIN32)
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    if (wanted <= 0) cores = (long)info.dwNumberOfProcessors;
#else
    if (wanted <= 0) cores = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return cores < 1 ? 1 : cores < SHARE_MOST ? (int)cores : SHARE_MOST;
#endif
}

void sn_share(int threads, size_t count, share_work *work, void *context) {
    share s = {.work = work, .context = context, .count = count};
    helper helpers[SHARE_MOST];
    int begun = 0;
    for (int i = 1; i < threads && (size_t)i < count; i++) {
        helpers[begun] = (helper){.share = &s, .worker = i};
        if (!begin(&helpers[begun])) break;
        begun++;
    }
    follow(&s, 0);
    for (int i = 0; i < begun; i++) end(&helpers[i]);
}
