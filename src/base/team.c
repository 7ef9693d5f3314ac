#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "base/team.h"

#include "base/float_environment.h"

#include "base/clock.h"

#include <stdatomic.h>

/* Where there are no threads (the build may say so) a team has one, and the same bits. */
#if defined(__wasm__) && !defined(_REENTRANT) && !defined(SN_NO_THREADS)
#define SN_NO_THREADS
#endif

#if defined(SN_NO_THREADS)
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#endif

enum { CHUNKS_PER_THREAD = 2, SPINS_BEFORE_YIELD = 2000, LINE = 64 };

typedef struct chunk {
    _Alignas(LINE) atomic_uint_fast32_t stamp;
} chunk;

typedef struct helper {
    sn_team *team;
    void *handle; /* the host's, while a step runs */
    bool sleeps;  /* read and written under the lock */
#if defined(SN_NO_THREADS)
#elif defined(_WIN32)
    HANDLE thread;
#else
    pthread_t thread;
#endif
} helper;

struct sn_team {
    int threads;
    sn_task_system tasks;
    /* The stage. Written by the stepping thread, then announced by `stage`. */
    sn_range_function *function;
    void *context;
    size_t count;
    atomic_size_t used; /* chunks of the stage; the others carry its stamp from the beginning */
    size_t chunks;      /* the most */
    size_t most;        /* chunks of the largest stage of this step */
    atomic_int awake;   /* threads of this step: as many as the step before had work for */
    _Alignas(LINE) atomic_uint_fast32_t stage;
    _Alignas(LINE) atomic_size_t done; /* chunks of this stage */
    _Alignas(LINE) atomic_int open;    /* whether a step is under way */
    _Alignas(LINE) atomic_int next_member;
    atomic_int quit;
    chunk *chunk;
    helper helper[SN_MAX_THREADS];
#if defined(SN_NO_THREADS)
#elif defined(_WIN32)
    SRWLOCK lock;
    CONDITION_VARIABLE wake;
#else
    pthread_mutex_t lock;
    pthread_cond_t wake;
#endif
};

/* ---- The machine ---- */

static void relax(int *spins) {
    if (++*spins < SPINS_BEFORE_YIELD) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("isb" ::: "memory");
#endif
        return;
    }
    *spins = 0;
#if defined(__wasm_atomics__)
    /* Workers of a page, whose stacks are allocated, let others go on for a while. The page itself
       must not sleep. */
    extern unsigned char __heap_base;
    static int never;
    enum { WHILE_NS = 20000 };
    if ((unsigned char *)spins > &__heap_base)
        __builtin_wasm_memory_atomic_wait32(&never, 0, WHILE_NS);
#elif defined(SN_NO_THREADS)
#elif defined(_WIN32)
    SwitchToThread();
#else
    sched_yield();
#endif
}

static int core_count(void) {
#if defined(SN_NO_THREADS)
    return 1;
#elif defined(_WIN32)
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (int)info.dwNumberOfProcessors;
#else
    /* Cores this process may use, which in a container are fewer than the machine's. */
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
#endif
}

/* ---- Stages ---- */

/* Claims and does chunks of the stage, own ones first; returns how many. Who has none of its own is
   not needed. */
static size_t work_on(sn_team *team, uint_fast32_t stage, size_t member) {
    size_t chunks = atomic_load_explicit(&team->used, memory_order_relaxed), mine = 0;
    size_t own = member * CHUNKS_PER_THREAD;
    for (size_t i = 0; i < chunks && own < chunks; i++) {
        size_t k = own + i < chunks ? own + i : own + i - chunks;
        uint_fast32_t before = stage - 1;
        /* To look for chunks of others is a cache miss each: who does so late must not miss the
           next stage for it. */
        if (atomic_load_explicit(&team->stage, memory_order_relaxed) != stage) break;
        if (atomic_load_explicit(&team->chunk[k].stamp, memory_order_relaxed) != before) continue;
        if (!atomic_compare_exchange_strong_explicit(&team->chunk[k].stamp, &before, stage,
                                                     memory_order_acquire, memory_order_relaxed))
            continue;
        size_t begin = team->count * k / chunks, end = team->count * (k + 1) / chunks;
        if (begin < end) team->function(team->context, begin, end);
        mine++;
    }
    return mine;
}

/* What a helper does during a step: every stage until the step is closed. */
static void follow(sn_team *team, size_t member) {
    uint_fast32_t seen = 0;
    int spins = 0;
    uint64_t before = sn_float_enter();
    while (atomic_load_explicit(&team->open, memory_order_acquire)) {
        uint_fast32_t stage = atomic_load_explicit(&team->stage, memory_order_acquire);
        if (stage == seen) {
            relax(&spins);
            continue;
        }
        seen = stage;
        size_t mine = work_on(team, stage, member);
        if (mine > 0) atomic_fetch_add_explicit(&team->done, mine, memory_order_release);
    }
    sn_float_leave(before);
}

static void hosted_task(void *context) {
    sn_team *team = context;
    size_t member = (size_t)atomic_fetch_add(&team->next_member, 1);
    follow(team, member % (size_t)team->threads);
}

/*
 * Into how many chunks a stage is cut. If `alone` items are worth a second thread, and every thread
 * costs the same to be told and waited for, the best number of threads grows with the root of the
 * count; twice that is still as good, as others may be late. Few heavy items are one each.
 */
static size_t chunks_of(const sn_team *team, size_t count, size_t alone) {
    size_t threads = 4, most = team->chunks;
    if (alone <= 2) return count < most ? count : most;
    while (threads * CHUNKS_PER_THREAD < most && threads * threads * alone < 16 * count) threads++;
    return threads * CHUNKS_PER_THREAD < most ? threads * CHUNKS_PER_THREAD : most;
}

void sn_team_run(sn_team *team, size_t count, size_t alone, sn_range_function *function,
                 void *context) {
    if (count == 0) return;
    if (team->threads == 1 || count < alone) {
        function(context, 0, count);
        return;
    }
    team->function = function;
    team->context = context;
    team->count = count;
    size_t used = chunks_of(team, count, alone);
    if (used > team->most) team->most = used;
    uint_fast32_t stage = atomic_load_explicit(&team->stage, memory_order_relaxed) + 1;
    atomic_store_explicit(&team->done, 0, memory_order_relaxed);
    atomic_store_explicit(&team->used, used, memory_order_relaxed);
    for (size_t k = used; k < team->chunks; k++)
        atomic_store_explicit(&team->chunk[k].stamp, stage, memory_order_relaxed);
    atomic_store_explicit(&team->stage, stage, memory_order_release);
    size_t mine = work_on(team, stage, 0);
    int spins = 0;
    while (atomic_load_explicit(&team->done, memory_order_acquire) + mine < used) relax(&spins);
}

/* ---- Threads of our own ---- */

#if defined(SN_NO_THREADS)

static void lock(sn_team *team) {
    (void)team;
}
static void unlock(sn_team *team) {
    (void)team;
}
static void wake_all(sn_team *team) {
    (void)team;
}
static bool start_helper(sn_team *team, int i) {
    (void)team, (void)i;
    return false;
}
static void join_helper(sn_team *team, int i) {
    (void)team, (void)i;
}
static void init_lock(sn_team *team) {
    (void)team;
}
static void drop_lock(sn_team *team) {
    (void)team;
}

#else

static void lock(sn_team *team) {
#ifdef _WIN32
    AcquireSRWLockExclusive(&team->lock);
#else
    pthread_mutex_lock(&team->lock);
#endif
}

static void unlock(sn_team *team) {
#ifdef _WIN32
    ReleaseSRWLockExclusive(&team->lock);
#else
    pthread_mutex_unlock(&team->lock);
#endif
}

static void wait_for_wake(sn_team *team) {
#ifdef _WIN32
    SleepConditionVariableSRW(&team->wake, &team->lock, INFINITE, 0);
#else
    pthread_cond_wait(&team->wake, &team->lock);
#endif
}

static void wake_all(sn_team *team) {
#ifdef _WIN32
    WakeAllConditionVariable(&team->wake);
#else
    pthread_cond_broadcast(&team->wake);
#endif
}

/* How long a helper stays awake after a step in case another follows at once. */
static const double linger_seconds = 50e-6;

static bool is_wanted(sn_team *team, size_t member) {
    return atomic_load(&team->quit) ||
           (atomic_load(&team->open) && member < (size_t)atomic_load(&team->awake));
}

static void helper_main(helper *self) {
    sn_team *team = self->team;
    size_t member = (size_t)(self - team->helper);
    while (!atomic_load(&team->quit)) {
        if (is_wanted(team, member)) follow(team, member);
        double since = sn_clock();
        int spins = 0;
        while (!is_wanted(team, member) && sn_clock() - since < linger_seconds) relax(&spins);
        lock(team);
        while (!is_wanted(team, member)) {
            self->sleeps = true;
            wait_for_wake(team);
            self->sleeps = false;
        }
        unlock(team);
    }
}

#ifdef _WIN32
static DWORD WINAPI thread_main(LPVOID argument) {
    helper_main(argument);
    return 0;
}
static bool start_helper(sn_team *team, int i) {
    team->helper[i].thread = CreateThread(NULL, 0, thread_main, &team->helper[i], 0, NULL);
    return team->helper[i].thread != NULL;
}
static void join_helper(sn_team *team, int i) {
    WaitForSingleObject(team->helper[i].thread, INFINITE);
    CloseHandle(team->helper[i].thread);
}
static void init_lock(sn_team *team) {
    InitializeSRWLock(&team->lock);
    InitializeConditionVariable(&team->wake);
}
static void drop_lock(sn_team *team) {
    (void)team;
}
#else
static void *thread_main(void *argument) {
    helper_main(argument);
    return NULL;
}
static bool start_helper(sn_team *team, int i) {
    return pthread_create(&team->helper[i].thread, NULL, thread_main, &team->helper[i]) == 0;
}
static void join_helper(sn_team *team, int i) {
    pthread_join(team->helper[i].thread, NULL);
}
static void init_lock(sn_team *team) {
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wake, NULL);
}
static void drop_lock(sn_team *team) {
    pthread_mutex_destroy(&team->lock);
    pthread_cond_destroy(&team->wake);
}
#endif

#endif

/* ---- Life ---- */

sn_team *sn_team_create(sn_memory *memory, int threads, const sn_task_system *tasks) {
    if (threads == 0) threads = core_count();
    if (threads > SN_MAX_THREADS) threads = SN_MAX_THREADS;
#if defined(SN_NO_THREADS)
    if (!tasks->start) threads = 1;
#endif
    sn_team *team = sn_allocate(memory, 1, sizeof *team);
    if (!team) return NULL;
    team->tasks = *tasks;
    team->chunks = (size_t)threads * CHUNKS_PER_THREAD;
    team->most = team->chunks;
    atomic_store(&team->used, team->chunks);
    team->chunk = sn_allocate(memory, team->chunks, sizeof *team->chunk);
    if (!team->chunk) {
        sn_free(memory, team, 1, sizeof *team);
        return NULL;
    }
    init_lock(team);
    /* A machine that gives no more threads gives fewer: the results are the same. */
    team->threads = threads;
    for (int i = 1; i < threads && !tasks->start; i++) {
        team->helper[i].team = team;
        if (!start_helper(team, i)) {
            team->threads = i;
            break;
        }
    }
    return team;
}

void sn_team_destroy(sn_memory *memory, sn_team *team) {
    if (!team) return;
    if (!team->tasks.start) {
        lock(team);
        atomic_store(&team->quit, 1);
        wake_all(team);
        unlock(team);
        for (int i = 1; i < team->threads; i++) join_helper(team, i);
    }
    drop_lock(team);
    sn_free(memory, team->chunk, team->chunks, sizeof *team->chunk);
    sn_free(memory, team, 1, sizeof *team);
}

int sn_team_threads(const sn_team *team) {
    return team->threads;
}

/* Where steps are small most threads would only be in the way: those that the step before had no
   work for stay asleep. Who is missing in a larger one is there in the next. */
static int threads_wanted(const sn_team *team) {
    size_t wanted = (team->most + CHUNKS_PER_THREAD - 1) / CHUNKS_PER_THREAD;
    return wanted < (size_t)team->threads ? (int)wanted : team->threads;
}

void sn_team_begin(sn_team *team) {
    if (team->threads == 1) return;
    int awake = team->tasks.start ? team->threads : threads_wanted(team);
    atomic_store(&team->awake, awake);
    team->most = 1;
    atomic_store(&team->open, 1);
    if (team->tasks.start) {
        atomic_store(&team->next_member, 1);
        for (int i = 1; i < awake; i++)
            team->helper[i].handle = team->tasks.start(team->tasks.user, hosted_task, team);
        return;
    }
    bool sleeps = false;
    if (awake == 1) return;
    lock(team);
    for (int i = 1; i < awake; i++) sleeps = sleeps || team->helper[i].sleeps;
    if (sleeps) wake_all(team);
    unlock(team);
}

void sn_team_end(sn_team *team) {
    if (team->threads == 1) return;
    atomic_store(&team->open, 0);
    if (!team->tasks.start) return;
    for (int i = 1; i < team->threads; i++)
        team->tasks.finish(team->tasks.user, team->helper[i].handle);
}
