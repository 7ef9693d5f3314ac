/* Four numbers as one value, for loops that are to be vectors whatever the compiler thinks. */
#ifndef SN_PICTURE_QUAD_H
#define SN_PICTURE_QUAD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { QUAD = 4 };
typedef float quad __attribute__((vector_size(QUAD * sizeof(float))));
/* All bits of a number, or none, where something is true or not; also whole numbers. */
typedef int32_t quad_bits __attribute__((vector_size(QUAD * sizeof(int32_t))));

static inline quad quad_of(float a) {
    return (quad){a, a, a, a};
}

static inline quad quad_load(const float *from) {
    quad a;
    memcpy(&a, from, sizeof a);
    return a;
}

static inline void quad_store(float *to, quad a) {
    memcpy(to, &a, sizeof a);
}

static inline quad quad_choose(quad_bits which, quad a, quad b) {
    return (quad)(((quad_bits)a & which) | ((quad_bits)b & ~which));
}

static inline quad quad_least(quad a, quad b) {
    return quad_choose(a < b, a, b);
}

static inline quad quad_most(quad a, quad b) {
    return quad_choose(a > b, a, b);
}

static inline quad quad_clamp(quad a, float least, float most) {
    return quad_least(quad_most(a, quad_of(least)), quad_of(most));
}

static inline quad quad_size(quad a) {
    return (quad)((quad_bits)a & INT32_MAX);
}

static inline quad quad_root(quad a) {
    for (int i = 0; i < QUAD; i++) a[i] = sqrtf(a[i]);
    return a;
}

/* Towards zero; of numbers that fit. */
static inline quad_bits quad_whole(quad a) {
    return __builtin_convertvector(a, quad_bits);
}

/* The nearest whole number, of numbers from -1e6 to 1e6. */
static inline quad quad_round(quad a) {
    quad b = quad_clamp(a, -1e6f, 1e6f);
    return __builtin_convertvector(
        quad_whole(b + quad_choose(b < 0, quad_of(-0.5f), quad_of(0.5f))), quad);
}

/* Whether something is true of any of them. */
static inline bool quad_any(quad_bits a) {
    uint64_t half[2];
    memcpy(half, &a, sizeof half);
    return (half[0] | half[1]) != 0;
}

static inline float quad_largest(quad a) {
    float b = a[0] > a[1] ? a[0] : a[1], c = a[2] > a[3] ? a[2] : a[3];
    return b > c ? b : c;
}

static inline float quad_smallest(quad a) {
    float b = a[0] < a[1] ? a[0] : a[1], c = a[2] < a[3] ? a[2] : a[3];
    return b < c ? b : c;
}

#endif
