/*
 * How a thread rounds. A host may have its numbers rounded in another direction, or those next to
 * zero flushed to it; the bits of a step must not follow. So a step, and every thread that helps
 * with it, computes as processors do when they are switched on, and leaves the thread as it was.
 */
#ifndef SN_BASE_FLOAT_ENVIRONMENT_H
#define SN_BASE_FLOAT_ENVIRONMENT_H

#include <stdint.h>

#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>

/* MXCSR: flush to zero, rounding, denormals are zero. */
#define SN_FLOAT_CHOICES 0xE040u

static inline uint64_t sn_float_read(void) {
    return _mm_getcsr();
}
static inline void sn_float_write(uint64_t value) {
    _mm_setcsr((unsigned)value);
}

#elif defined(__aarch64__) && defined(__GNUC__)

/* FPCR: flush to zero in halves, rounding, flush to zero, default NaN. */
#define SN_FLOAT_CHOICES 0x3C80000u

static inline uint64_t sn_float_read(void) {
    uint64_t value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value) : : "memory");
    return value;
}
static inline void sn_float_write(uint64_t value) {
    __asm__ volatile("msr fpcr, %0" : : "r"(value) : "memory");
}

#else

/* There is nothing to choose, as in WebAssembly, or nobody knows how. */
#define SN_FLOAT_CHOICES 0u

static inline uint64_t sn_float_read(void) {
    return 0;
}
static inline void sn_float_write(uint64_t value) {
    (void)value;
}

#endif

/* Chooses what is usual; what was there before is handed to sn_float_leave. Reading is cheap and
   writing is not, so that it is done where it is needed alone. */
static inline uint64_t sn_float_enter(void) {
    uint64_t before = sn_float_read();
    if (before & SN_FLOAT_CHOICES) sn_float_write(before & ~(uint64_t)SN_FLOAT_CHOICES);
    return before;
}
static inline void sn_float_leave(uint64_t before) {
    if (before & SN_FLOAT_CHOICES) sn_float_write(before);
}

#endif
