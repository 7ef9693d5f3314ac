/*
 * Three- and four-vectors of the number type.
 *
 * sn_v4 is a node vector in one register: x, y, z and a zero. Its operators work on all four at
 * once, on every machine with the same bits.
 */
#ifndef SN_MATH_VECTOR_H
#define SN_MATH_VECTOR_H

#include <sinew/base.h>

/* Where only the bits matter a compiler may call what it likes: it is done in half of the time. */
#ifdef SN_MAY_CALL
#define SN_INLINE static inline __attribute__((unused))
#else
#define SN_INLINE static inline __attribute__((always_inline, unused))
#endif
/* For what is rarely needed, out of the way of the rest. */
#define SN_NOINLINE __attribute__((noinline))

#ifdef SN_DOUBLE
#define SN_R(number) number
#define SN_ROOT(number) __builtin_sqrt(number)
#define SN_INFINITY __builtin_inf()
typedef int64_t sn_bits;
#else
#define SN_R(number) number##f
#define SN_ROOT(number) __builtin_sqrtf(number)
#define SN_INFINITY __builtin_inff()
typedef int32_t sn_bits;
#endif

/* Nodes are stored as sn_vec4 and worked on as sn_v4. */
typedef sn_real sn_v4 __attribute__((vector_size(4 * sizeof(sn_real)), may_alias));
typedef sn_bits sn_v4_bits __attribute__((vector_size(4 * sizeof(sn_real)), may_alias));

#ifdef __clang__
#define SN_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SN_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (sn_v4_bits){__VA_ARGS__})
#endif

SN_INLINE sn_v4 sn_v4_of(sn_vec3 a) {
    return (sn_v4){a.x, a.y, a.z, 0};
}

/* {a1, a2, a0, a3} */
SN_INLINE sn_v4 sn_v4_turned(sn_v4 a) {
    return SN_SHUFFLE(a, a, 1, 2, 0, 3);
}
SN_INLINE sn_v4 sn_v4_cross(sn_v4 a, sn_v4 b) {
    return sn_v4_turned(a * sn_v4_turned(b) - sn_v4_turned(a) * b);
}
/* Of the first three. */
SN_INLINE sn_real sn_v4_dot(sn_v4 a, sn_v4 b) {
    sn_v4 ab = a * b;
    return (ab[0] + ab[1]) + ab[2];
}

SN_INLINE sn_real sn_v4_length(sn_v4 a) {
    return SN_ROOT(sn_v4_dot(a, a));
}

/* Four node vectors become three rows of four lanes: x, y and z. */
SN_INLINE void sn_v4_transpose(const sn_v4 in[4], sn_v4 out[3]) {
    sn_v4 ab = SN_SHUFFLE(in[0], in[1], 0, 4, 1, 5), cd = SN_SHUFFLE(in[2], in[3], 0, 4, 1, 5);
    sn_v4 ab_z = SN_SHUFFLE(in[0], in[1], 2, 6, 3, 7), cd_z = SN_SHUFFLE(in[2], in[3], 2, 6, 3, 7);
    out[0] = SN_SHUFFLE(ab, cd, 0, 1, 4, 5);
    out[1] = SN_SHUFFLE(ab, cd, 2, 3, 6, 7);
    out[2] = SN_SHUFFLE(ab_z, cd_z, 0, 1, 4, 5);
}

/* All four numbers; its own inverse. */
SN_INLINE void sn_v4_transpose_all(const sn_v4 in[4], sn_v4 out[4]) {
    sn_v4 ab = SN_SHUFFLE(in[0], in[1], 0, 4, 1, 5), cd = SN_SHUFFLE(in[2], in[3], 0, 4, 1, 5);
    sn_v4 ab_z = SN_SHUFFLE(in[0], in[1], 2, 6, 3, 7), cd_z = SN_SHUFFLE(in[2], in[3], 2, 6, 3, 7);
    out[0] = SN_SHUFFLE(ab, cd, 0, 1, 4, 5);
    out[1] = SN_SHUFFLE(ab, cd, 2, 3, 6, 7);
    out[2] = SN_SHUFFLE(ab_z, cd_z, 0, 1, 4, 5);
    out[3] = SN_SHUFFLE(ab_z, cd_z, 2, 3, 6, 7);
}

/* And back: the fourth number of each vector is zero. */
SN_INLINE void sn_v4_transpose_back(sn_v4 x, sn_v4 y, sn_v4 z, sn_v4 out[4]) {
    sn_v4 zero = {0};
    sn_v4 xy0 = SN_SHUFFLE(x, y, 0, 4, 1, 5), xy2 = SN_SHUFFLE(x, y, 2, 6, 3, 7);
    sn_v4 z0 = SN_SHUFFLE(z, zero, 0, 4, 1, 5), z2 = SN_SHUFFLE(z, zero, 2, 6, 3, 7);
    out[0] = SN_SHUFFLE(xy0, z0, 0, 1, 4, 5);
    out[1] = SN_SHUFFLE(xy0, z0, 2, 3, 6, 7);
    out[2] = SN_SHUFFLE(xy2, z2, 0, 1, 4, 5);
    out[3] = SN_SHUFFLE(xy2, z2, 2, 3, 6, 7);
}

SN_INLINE sn_vec3 sn_vec3_sub(sn_vec3 a, sn_vec3 b) {
    return (sn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

SN_INLINE sn_vec3 sn_vec3_cross(sn_vec3 a, sn_vec3 b) {
    return (sn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SN_INLINE sn_real sn_vec3_dot(sn_vec3 a, sn_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

#endif
