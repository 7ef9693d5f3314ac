/*
 * What four numbers in a register need the instructions of the machine for. The same bits without
 * them. Only for files that use them: what compilers bring to name them is longer than all of the
 * library, and takes as long to read as most files take to compile.
 */
#ifndef SN_MATH_REGISTERS_H
#define SN_MATH_REGISTERS_H

#include "math/vector.h"

#if defined(SN_DOUBLE)
/* Two registers or more in any case. */
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

SN_INLINE sn_v4 sn_v4_sqrt(sn_v4 a) {
#if defined(SN_DOUBLE)
    return (sn_v4){SN_ROOT(a[0]), SN_ROOT(a[1]), SN_ROOT(a[2]), SN_ROOT(a[3])};
#elif defined(__aarch64__)
    return (sn_v4)vsqrtq_f32((float32x4_t)a);
#elif defined(__x86_64__) || defined(_M_X64)
    return (sn_v4)_mm_sqrt_ps((__m128)a);
#elif defined(__wasm_simd128__)
    return (sn_v4)wasm_f32x4_sqrt((v128_t)a);
#else
    return (sn_v4){SN_ROOT(a[0]), SN_ROOT(a[1]), SN_ROOT(a[2]), SN_ROOT(a[3])};
#endif
}

/* The larger and the smaller of two, where neither is NaN; of 0 and -0 either. For what is only
   compared: lanes.h has those for numbers that are kept. */
SN_INLINE sn_v4 sn_v4_larger(sn_v4 a, sn_v4 b) {
#if defined(__aarch64__) && !defined(SN_DOUBLE)
    return (sn_v4)vmaxnmq_f32((float32x4_t)a, (float32x4_t)b);
#elif (defined(__x86_64__) || defined(_M_X64)) && !defined(SN_DOUBLE)
    return (sn_v4)_mm_max_ps((__m128)a, (__m128)b);
#else
    sn_v4_bits more = (sn_v4_bits)(a > b);
    return (sn_v4)((more & (sn_v4_bits)a) | (~more & (sn_v4_bits)b));
#endif
}
SN_INLINE sn_v4 sn_v4_smaller(sn_v4 a, sn_v4 b) {
#if defined(__aarch64__) && !defined(SN_DOUBLE)
    return (sn_v4)vminnmq_f32((float32x4_t)a, (float32x4_t)b);
#elif (defined(__x86_64__) || defined(_M_X64)) && !defined(SN_DOUBLE)
    return (sn_v4)_mm_min_ps((__m128)a, (__m128)b);
#else
    sn_v4_bits less = (sn_v4_bits)(a < b);
    return (sn_v4)((less & (sn_v4_bits)a) | (~less & (sn_v4_bits)b));
#endif
}

/* {a0 + a1, a2 + a3, b0 + b1, b2 + b3} */
SN_INLINE sn_v4 sn_v4_pair_add(sn_v4 a, sn_v4 b) {
#if defined(__aarch64__) && !defined(SN_DOUBLE)
    return (sn_v4)vpaddq_f32((float32x4_t)a, (float32x4_t)b);
#else
    return SN_SHUFFLE(a, b, 0, 2, 4, 6) + SN_SHUFFLE(a, b, 1, 3, 5, 7);
#endif
}

#endif
