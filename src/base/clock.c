#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/clock.h"

#include <time.h>

double sn_clock(void) {
    struct timespec now;
#ifdef _WIN32
    timespec_get(&now, TIME_UTC);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double sn_clock_of_thread(void) {
#if !defined(_WIN32) && defined(CLOCK_THREAD_CPUTIME_ID) && !defined(__wasi__)
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
    return sn_clock();
}
