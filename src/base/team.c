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

enum {
    CHUNKS_PER_THREAD = 4,
    SPINS_BEFORE_YIELD = 2000,
    SPINS_BEFORE_HELP = 32,     /* about as long as a stage of a hundred constraints */
    SPINS_BEFORE_TAKING = 1000, /* somebody's track, whose data lie with another core */
    LINE = 64,
    STEP_BITS = 24 /* of a word that has a stage above and how much of it is done below */
};

/* A word in lines of its own: processors fetch them in pairs. */
typedef struct word {
    _Alignas(LINE) atomic_uint_fast64_t value;
    char apart[LINE];
} word;

/*
 * What threads tell each other. Whoever reads a line that another one writes waits for it: `taken`
 * is written by its own thread unless others help, `passed` is read by neighbours in a flow, `done`
 * by the stepping thread.
 */
typedef struct member {
    word taken;  /* a stage, and how many chunks of this share were taken; of a flow twice the
                    stages that this track is through, and one more while somebody is at it */
    word passed; /* a flow, and its stages that the track is through */
    word done;   /* chunks that this thread has done, ever */
} member;

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
    bool alone; /* whether others are left asleep */
    sn_task_system tasks;
    int tracks;             /* the most of a flow: threads that have a core of their own */
    int patience;           /* spins of the stepping thread before it helps others */
    size_t members;         /* that there is room for */
    size_t most;            /* shares of the largest stage of this step */
    uint_fast64_t expected; /* chunks that all threads together have done when the stage is over */
    atomic_int awake;       /* threads of this step: as many as the step before had work for */
    /* What is to be done, in one line. Its number is odd while the rest is written, and all is read
       before it is looked at again: who is late has the whole of an old stage, or nothing. */
    _Alignas(LINE) atomic_uint_fast64_t stage;
    _Atomic(sn_range_function *) function; /* null for a flow, whose stages are the context */
    _Atomic(void *) context;
    atomic_size_t count;  /* items, or stages of a flow */
    atomic_size_t used;   /* chunks, or tracks */
    atomic_size_t shares; /* threads that have chunks of their own */
    char apart[LINE];
    _Alignas(LINE) atomic_int open; /* whether a step is under way */
    _Alignas(LINE) atomic_int next_member;
    atomic_int quit;
    member *member;
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

/* What was published, as one thread has read it. */
typedef struct work {
    uint_fast64_t stage;
    sn_range_function *function;
    void *context;
    size_t count, used, shares;
} work;

static void publish(sn_team *team, const work *w) {
    uint_fast64_t stage = atomic_load_explicit(&team->stage, memory_order_relaxed);
    atomic_store_explicit(&team->stage, stage + 1, memory_order_relaxed);
    atomic_store_explicit(&team->function, w->function, memory_order_release);
    atomic_store_explicit(&team->context, w->context, memory_order_release);
    atomic_store_explicit(&team->count, w->count, memory_order_release);
    atomic_store_explicit(&team->used, w->used, memory_order_release);
    atomic_store_explicit(&team->shares, w->shares, memory_order_release);
    atomic_store_explicit(&team->stage, stage + 2, memory_order_release);
}

/* Whether there is a stage other than `seen`, and what. */
static bool look(sn_team *team, uint_fast64_t seen, work *w) {
    w->stage = atomic_load_explicit(&team->stage, memory_order_acquire);
    if (w->stage == seen || w->stage % 2 == 1) return false;
    w->function = atomic_load_explicit(&team->function, memory_order_acquire);
    w->context = atomic_load_explicit(&team->context, memory_order_acquire);
    w->count = atomic_load_explicit(&team->count, memory_order_acquire);
    w->used = atomic_load_explicit(&team->used, memory_order_acquire);
    w->shares = atomic_load_explicit(&team->shares, memory_order_acquire);
    return atomic_load_explicit(&team->stage, memory_order_relaxed) == w->stage;
}

static bool is_over(sn_team *team, const work *w) {
    return atomic_load_explicit(&team->stage, memory_order_relaxed) != w->stage;
}

/* The stepping thread waits for others as long as they come; where they do not, because the machine
   has other things to do, hardly at all. */
static void learn(sn_team *team, bool helped) {
    int patience = helped ? team->patience / 4 : 2 * team->patience + 8;
    team->patience = patience < SPINS_BEFORE_TAKING ? patience : SPINS_BEFORE_TAKING;
}

/* Does what is left of somebody's share; whether there was something. */
static bool do_share(sn_team *team, const work *w, size_t share, size_t self) {
    size_t first = w->used * share / w->shares, limit = w->used * (share + 1) / w->shares - first;
    atomic_uint_fast64_t *taken = &team->member[share].taken.value;
    uint_fast64_t base = w->stage << STEP_BITS, seen;
    bool some = false;
    seen = atomic_load_explicit(taken, memory_order_relaxed);
    for (;;) {
        /* A share that nobody has begun has the word of an older stage. */
        size_t n = seen > base ? (size_t)(seen - base) : 0;
        if (n >= limit) return some;
        if (!atomic_compare_exchange_weak_explicit(taken, &seen, base + n + 1, memory_order_acquire,
                                                   memory_order_relaxed))
            continue;
        some = true;
        seen = base + n + 1;
        size_t k = first + n;
        size_t begin = w->count * k / w->used, end = w->count * (k + 1) / w->used;
        if (begin < end) w->function(w->context, begin, end);
        atomic_uint_fast64_t *done = &team->member[self].done.value;
        uint_fast64_t sum = atomic_load_explicit(done, memory_order_relaxed) + 1;
        atomic_store_explicit(done, sum, memory_order_release);
    }
}

/* Shares of others. To look for these is a cache miss each, for their threads as well. */
static bool help_shares(sn_team *team, const work *w, size_t self) {
    bool helped = false;
    for (size_t i = 1; i < w->shares && !is_over(team, w); i++)
        helped = do_share(team, w, (self + i) % w->shares, self) || helped;
    return helped;
}

static bool is_done(const sn_team *team) {
    uint_fast64_t sum = 0;
    for (int i = 0; i < team->threads; i++)
        sum += atomic_load_explicit(&team->member[i].done.value, memory_order_acquire);
    return sum == team->expected;
}

/*
 * Into how many chunks a stage is cut, and for how many threads. If `alone` items are worth a
 * second thread, and every thread costs the same to be told and waited for, the best number of
 * threads grows with the root of the count; twice that is still as good, as others may be late. Few
 * heavy items are one each.
 */
static void cut(const sn_team *team, size_t alone, work *w) {
    size_t threads = 4, all = (size_t)team->threads;
    while (threads < all && threads * threads * alone < 16 * w->count) threads++;
    if (alone <= 2 || threads > all) threads = all;
    w->used = threads * CHUNKS_PER_THREAD;
    if (w->used > w->count) w->used = w->count;
    w->shares = threads < w->used ? threads : w->used;
}

void sn_team_run(sn_team *team, size_t count, size_t alone, sn_range_function *function,
                 void *context) {
    if (count == 0) return;
    if (sn_team_is_alone(team) || count < alone) {
        function(context, 0, count);
        return;
    }
    work w = {.function = function, .context = context, .count = count};
    cut(team, alone, &w);
    if (w.shares > team->most) team->most = w.shares;
    team->expected += w.used;
    publish(team, &w);
    w.stage = atomic_load_explicit(&team->stage, memory_order_relaxed);
    do_share(team, &w, 0, 0);
    int spins = 0,
        patience = team->patience < SPINS_BEFORE_HELP ? team->patience : SPINS_BEFORE_HELP;
    bool helped = false;
    for (int waited = 0; !is_done(team); waited++) {
        if (waited == patience) helped = help_shares(team, &w, 0);
        relax(&spins);
    }
    learn(team, helped);
}

/* ---- Flows ---- */

int sn_team_tracks(const sn_team *team) {
    return team->tracks;
}

void sn_team_set_tracks(sn_team *team, int tracks) {
    team->tracks = tracks < team->threads ? tracks : team->threads;
}

/* That a track is through some stages of a flow. */
typedef struct passage {
    size_t track;
    uint_fast64_t passed;
} passage;

static bool is_past(sn_team *team, passage p) {
    return atomic_load_explicit(&team->member[p.track].passed.value, memory_order_acquire) >=
           p.passed;
}

/* Whether all that a track waits for before a stage is done; `until` is the first that is not. */
static bool is_ready(sn_team *team, const work *w, size_t stage, size_t track, passage *until) {
    const sn_flow_stage *all = w->context;
    if (stage == 0) return true;
    sn_window window = all[stage].window[track];
    for (size_t i = window.begin; i < window.end; i++) {
        *until = (passage){i, (w->stage << STEP_BITS) + stage};
        if (i != track && !is_past(team, *until)) return false;
    }
    return true;
}

/*
 * Takes a track on as far as it comes; whether it came a stage further, and if it is not through,
 * what to wait for. Nobody holds a track while it waits, so others can take it on, and only who
 * holds one looks at the stages, which are gone when all tracks are through.
 */
static bool take_on(sn_team *team, const work *w, size_t track, passage *until) {
    member *own = &team->member[track];
    uint_fast64_t base = w->stage << STEP_BITS;
    uint_fast64_t seen = atomic_load_explicit(&own->taken.value, memory_order_relaxed);
    uint_fast64_t n = seen > base ? seen - base : 0;
    size_t stage = (size_t)n / 2, first = stage;
    *until = (passage){track, base + stage + 1};
    if (n % 2 == 1 || n >= 2 * w->count ||
        !atomic_compare_exchange_strong_explicit(&own->taken.value, &seen, base + n + 1,
                                                 memory_order_acquire, memory_order_relaxed))
        return false;
    const sn_flow_stage *all = w->context;
    while (stage < w->count && is_ready(team, w, stage, track, until)) {
        const sn_flow_stage *s = &all[stage];
        size_t begin = s->count * track / w->used, end = s->count * (track + 1) / w->used;
        if (begin < end) s->function(s->context, begin, end);
        stage++;
        /* The last of all: when it is seen that a track is through, nobody writes here any more. */
        if (stage == w->count)
            atomic_store_explicit(&own->taken.value, base + 2 * stage, memory_order_release);
        atomic_store_explicit(&own->passed.value, base + stage, memory_order_release);
    }
    if (stage < w->count)
        atomic_store_explicit(&own->taken.value, base + 2 * stage, memory_order_release);
    return stage > first;
}

/* Goes with a track to its end, one's own or that of another thread, and takes on any where it is
   held up for long; whether it had to. */
static bool go_with(sn_team *team, const work *w, size_t track, bool own, int most) {
    passage end = {track, (w->stage << STEP_BITS) + w->count}, until = end, other;
    int spins = 0, patience = most;
    bool alone = false;
    while (!is_past(team, end)) {
        if (own) take_on(team, w, track, &until);
        int waited = 0;
        for (; waited < patience && !is_past(team, until); waited++) relax(&spins);
        if (waited < patience) continue;
        bool helped = false;
        for (size_t i = 0; i < w->used; i++) helped = take_on(team, w, i, &other) || helped;
        /* Who had to help once is alone, for now. */
        alone = alone || helped;
        patience = helped ? 0 : most;
        if (!helped) relax(&spins);
    }
    return alone;
}

void sn_team_flow(sn_team *team, const sn_flow_stage *stages, size_t count, size_t tracks) {
    const bool alone = tracks == 1 || sn_team_is_alone(team);
    for (size_t i = 0; alone && i < count; i++)
        if (stages[i].count > 0) stages[i].function(stages[i].context, 0, stages[i].count);
    if (count == 0 || alone) return;
    work w = {.context = (void *)(uintptr_t)stages, .count = count, .used = tracks};
    if (tracks > team->most) team->most = tracks;
    publish(team, &w);
    w.stage = atomic_load_explicit(&team->stage, memory_order_relaxed);
    bool helped = false;
    for (size_t i = 0; i < tracks; i++)
        helped = go_with(team, &w, i, i == 0, team->patience) || helped;
    learn(team, helped);
}

/* What a helper does during a step: every stage until the step is closed. */
static void follow(sn_team *team, size_t self) {
    work w;
    uint_fast64_t seen = 0;
    int spins = 0, waited = 0;
    uint64_t before = sn_float_enter();
    while (atomic_load_explicit(&team->open, memory_order_acquire)) {
        if (look(team, seen, &w)) {
            seen = w.stage;
            waited = 0;
            if (!w.function && self < w.used) go_with(team, &w, self, true, SPINS_BEFORE_TAKING);
            if (w.function && self < w.shares) do_share(team, &w, self, self);
            continue;
        }
        relax(&spins);
        if (++waited == SPINS_BEFORE_HELP && seen > 0 && w.stage == seen && w.function &&
            self < w.shares)
            help_shares(team, &w, self);
    }
    sn_float_leave(before);
}

static void hosted_task(void *context) {
    sn_team *team = context;
    size_t self = (size_t)atomic_fetch_add(&team->next_member, 1);
    follow(team, self % (size_t)team->threads);
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

static bool is_wanted(sn_team *team, size_t i) {
    return atomic_load(&team->quit) ||
           (atomic_load(&team->open) && i < (size_t)atomic_load(&team->awake));
}

static void helper_main(helper *self) {
    sn_team *team = self->team;
    size_t i = (size_t)(self - team->helper);
    while (!atomic_load(&team->quit)) {
        if (is_wanted(team, i)) follow(team, i);
        double since = sn_clock();
        int spins = 0;
        while (!is_wanted(team, i) && sn_clock() - since < linger_seconds) relax(&spins);
        lock(team);
        while (!is_wanted(team, i)) {
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
    team->members = team->most = (size_t)threads;
    team->patience = SPINS_BEFORE_TAKING;
    team->member = sn_allocate(memory, team->members, sizeof *team->member);
    if (!team->member) {
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
    int cores = core_count();
    team->tracks = team->threads < cores ? team->threads : cores;
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
    sn_free(memory, team->member, team->members, sizeof *team->member);
    sn_free(memory, team, 1, sizeof *team);
}

int sn_team_threads(const sn_team *team) {
    return team->threads;
}

void sn_team_set_alone(sn_team *team, bool alone) {
    team->alone = alone;
}

bool sn_team_is_alone(const sn_team *team) {
    return team->alone || team->threads == 1;
}

size_t sn_team_most(const sn_team *team) {
    return team->most;
}

/* Where steps are small most threads would only be in the way: those that the step before had no
   work for stay asleep. Who is missing in a larger one is there in the next. */
static int threads_wanted(const sn_team *team) {
    return team->most < (size_t)team->threads ? (int)team->most : team->threads;
}

void sn_team_begin(sn_team *team) {
    if (sn_team_is_alone(team)) return;
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
    if (sn_team_is_alone(team)) return;
    atomic_store(&team->open, 0);
    if (!team->tasks.start) return;
    for (int i = 1; i < team->threads; i++)
        team->tasks.finish(team->tasks.user, team->helper[i].handle);
}
