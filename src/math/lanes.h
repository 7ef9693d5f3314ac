/*
 * Lanes: SN_LANES constraints at a time.
 *
 * A formula written with sn_lane compiles to scalar code and to every SIMD width, in float and in
 * double, and gives the same bits in all of them: each lane does + - * / and square roots as IEEE
 * 754 has them, in the order written. Widths beyond the machine's registers are made of several.
 *
 * Minimum, maximum and selection go by compare and mask, because machines differ in what their own
 * instructions do with NaN and with minus zero.
 */
#ifndef SN_MATH_LANES_H
#define SN_MATH_LANES_H

#include "math/vector.h"

#ifndef SN_LANES
#define SN_LANES 1
#endif
#if SN_LANES > 1
#include "math/registers.h"
#endif

/* Constraints come in blocks of this many, whatever the width. */
enum { SN_BLOCK = 16 };

/*
 * What a file that is compiled once per width has in each, with the name and the number of lanes:
 * declared, and as a list by widths. Double precision is for accuracy: two widths are enough, and
 * halve the time to compile. A build may do the same in float, or have one width alone where it is
 * to be small.
 */
#if defined(SN_ONE_WIDTH)
#define SN_DECLARE_WIDTHS(type, name) extern const type name##4;
#define SN_ALL_WIDTHS(name)                                                                        \
    { &name##4, &name##4, &name##4, &name##4 }
#elif defined(SN_DOUBLE) || defined(SN_FEW_LANES)
#define SN_DECLARE_WIDTHS(type, name) extern const type name##1, name##4;
#define SN_ALL_WIDTHS(name)                                                                        \
    { &name##1, &name##4, &name##4, &name##4 }
#else
#define SN_DECLARE_WIDTHS(type, name) extern const type name##1, name##4, name##8, name##16;
#define SN_ALL_WIDTHS(name)                                                                        \
    { &name##1, &name##4, &name##8, &name##16 }
#endif

/*
 * What several loops are made from, which differ in a few arguments that are known where it is
 * called: once per loop, with all that follows from them left out. Where speed matters less, as in
 * double, once for all of them, in a fraction of the time to compile.
 */
#ifdef SN_ONE_LOOP
#define SN_LOOP static __attribute__((noinline, unused))
#else
#define SN_LOOP SN_INLINE
#endif

/* Before a loop over the numbers of a register, or over registers. For WebAssembly clang leaves
   some as they are, and they all go through memory then. Not where code is to be small. */
#if defined(__clang__) && !defined(__OPTIMIZE_SIZE__)
#define SN_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define SN_UNROLLED
#endif

#if SN_LANES == 1

typedef sn_real sn_lane;
typedef sn_real sn_lane_there;

SN_INLINE sn_lane sn_lane_sqrt(sn_lane a) {
    return SN_ROOT(a);
}
/* a < b ? yes : no */
SN_INLINE sn_lane sn_lane_if_less(sn_lane a, sn_lane b, sn_lane yes, sn_lane no) {
    return a < b ? yes : no;
}

#else

typedef sn_real sn_lane __attribute__((vector_size(SN_LANES * sizeof(sn_real)), may_alias));
typedef sn_bits sn_lane_bits __attribute__((vector_size(SN_LANES * sizeof(sn_real)), may_alias));
/* In memory: local arrays are aligned for registers of four at most. */
typedef sn_real sn_lane_there
    __attribute__((vector_size(SN_LANES * sizeof(sn_real)), aligned(16), may_alias));

/*
 * A lane vector from pieces of four, and back. On machines with wide registers by instructions:
 * through memory, a wide load would have to wait until the narrow stores before it have arrived.
 */
enum { SN_PARTS = SN_LANES / 4 };

SN_INLINE sn_lane sn_lane_join(const sn_v4 *part) {
#if !defined(SN_DOUBLE) && SN_LANES == 16 && defined(__AVX512F__)
    __m512 all = _mm512_castps128_ps512((__m128)part[0]);
    all = _mm512_insertf32x4(all, (__m128)part[1], 1);
    all = _mm512_insertf32x4(all, (__m128)part[2], 2);
    return (sn_lane)_mm512_insertf32x4(all, (__m128)part[3], 3);
#elif !defined(SN_DOUBLE) && SN_LANES == 8 && defined(__AVX__)
    return (sn_lane)_mm256_set_m128((__m128)part[1], (__m128)part[0]);
#else
    union {
        sn_v4 part[SN_PARTS];
        sn_lane whole;
    } all;
    for (int i = 0; i < SN_PARTS; i++) all.part[i] = part[i];
    return all.whole;
#endif
}

SN_INLINE void sn_lane_split(sn_lane a, sn_v4 *part) {
#if !defined(SN_DOUBLE) && SN_LANES == 16 && defined(__AVX512F__)
    part[0] = (sn_v4)_mm512_castps512_ps128((__m512)a);
    part[1] = (sn_v4)_mm512_extractf32x4_ps((__m512)a, 1);
    part[2] = (sn_v4)_mm512_extractf32x4_ps((__m512)a, 2);
    part[3] = (sn_v4)_mm512_extractf32x4_ps((__m512)a, 3);
#elif !defined(SN_DOUBLE) && SN_LANES == 8 && defined(__AVX__)
    part[0] = (sn_v4)_mm256_castps256_ps128((__m256)a);
    part[1] = (sn_v4)_mm256_extractf128_ps((__m256)a, 1);
#else
    union {
        sn_lane whole;
        sn_v4 part[SN_PARTS];
    } all = {a};
    for (int i = 0; i < SN_PARTS; i++) part[i] = all.part[i];
#endif
}

SN_INLINE sn_lane sn_lane_if_less(sn_lane a, sn_lane b, sn_lane yes, sn_lane no) {
#if !defined(SN_DOUBLE) && SN_LANES == 16 && defined(__AVX512F__)
    __mmask16 less = _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
    return (sn_lane)_mm512_mask_blend_ps(less, (__m512)no, (__m512)yes);
#elif !defined(SN_DOUBLE) && SN_LANES == 8 && defined(__AVX__)
    __m256 less = _mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ);
    return (sn_lane)_mm256_blendv_ps((__m256)no, (__m256)yes, less);
#else
    sn_lane_bits mask = (sn_lane_bits)(a < b);
    return (sn_lane)((mask & (sn_lane_bits)yes) | (~mask & (sn_lane_bits)no));
#endif
}

SN_INLINE sn_lane sn_lane_sqrt(sn_lane a) {
#if !defined(SN_DOUBLE) && SN_LANES == 16 && defined(__AVX512F__)
    return (sn_lane)_mm512_sqrt_ps((__m512)a);
#elif !defined(SN_DOUBLE) && SN_LANES == 8 && defined(__AVX__)
    return (sn_lane)_mm256_sqrt_ps((__m256)a);
#else
    sn_v4 part[SN_PARTS];
    sn_lane_split(a, part);
    for (int i = 0; i < SN_PARTS; i++) part[i] = sn_v4_sqrt(part[i]);
    return sn_lane_join(part);
#endif
}

#endif

#if SN_LANES == 1 || defined(SN_DOUBLE)
#elif SN_LANES == 16 && defined(__AVX512F__)
#define SN_LESS_BITS(a, b) _mm512_cmp_ps_mask((__m512)(a), (__m512)(b), _CMP_LT_OQ)
#elif SN_LANES == 8 && defined(__AVX__)
#define SN_LESS_BITS(a, b) _mm256_movemask_ps(_mm256_cmp_ps((__m256)(a), (__m256)(b), _CMP_LT_OQ))
#elif SN_LANES == 4 && (defined(__x86_64__) || defined(_M_X64))
#define SN_LESS_BITS(a, b) _mm_movemask_ps(_mm_cmplt_ps((__m128)(a), (__m128)(b)))
#endif

/* The lanes where a < b, as bits. */
SN_INLINE unsigned sn_lane_less_bits(sn_lane a, sn_lane b) {
#if SN_LANES == 1
    return a < b;
#elif defined(SN_LESS_BITS)
    return (unsigned)SN_LESS_BITS(a, b);
#elif SN_LANES == 4 && defined(__aarch64__) && !defined(SN_DOUBLE)
    return vaddvq_u32(vandq_u32((uint32x4_t)(a < b), (uint32x4_t){1, 2, 4, 8}));
#elif SN_LANES == 4 && defined(__wasm_simd128__) && !defined(SN_DOUBLE)
    return (unsigned)wasm_i32x4_bitmask((v128_t)(a < b));
#else
    sn_lane_bits mask = (sn_lane_bits)(a < b);
    unsigned bits = 0;
    for (int i = 0; i < SN_LANES; i++) bits |= (unsigned)(mask[i] & 1) << i;
    return bits;
#endif
}

/* Whether a < b in any lane. */
SN_INLINE bool sn_lane_any_less(sn_lane a, sn_lane b) {
#if SN_LANES == 1
    return a < b;
#elif defined(SN_LESS_BITS)
    return SN_LESS_BITS(a, b) != 0;
#else
    union {
        sn_lane_bits whole;
        uint64_t word[SN_LANES * sizeof(sn_real) / sizeof(uint64_t)];
    } mask = {(sn_lane_bits)(a < b)};
    uint64_t any = 0;
    for (size_t i = 0; i < sizeof mask / sizeof *mask.word; i++) any |= mask.word[i];
    return any != 0;
#endif
}

/* Whether a < b in all lanes. */
SN_INLINE bool sn_lane_all_less(sn_lane a, sn_lane b) {
#if SN_LANES == 1
    return a < b;
#elif defined(SN_LESS_BITS)
    return SN_LESS_BITS(a, b) == (1 << SN_LANES) - 1;
#else
    union {
        sn_lane_bits whole;
        uint64_t word[SN_LANES * sizeof(sn_real) / sizeof(uint64_t)];
    } mask = {(sn_lane_bits)(a < b)};
    uint64_t all = mask.word[0];
    for (size_t i = 1; i < sizeof mask / sizeof *mask.word; i++) all &= mask.word[i];
    return all == UINT64_MAX;
#endif
}

/* The same number in every lane. */
SN_INLINE sn_lane sn_lane_all(sn_real a) {
    return (sn_lane){0} + a;
}
SN_INLINE sn_lane sn_lane_min(sn_lane a, sn_lane b) {
    return sn_lane_if_less(b, a, b, a);
}
SN_INLINE sn_lane sn_lane_max(sn_lane a, sn_lane b) {
    return sn_lane_if_less(a, b, b, a);
}
SN_INLINE sn_lane sn_lane_load(const sn_real *from) {
    return *(const sn_lane_there *)from;
}
SN_INLINE void sn_lane_store(sn_real *to, sn_lane a) {
    *(sn_lane_there *)to = a;
}

/* ---- Three-vectors of lanes ---- */

typedef struct sn_lane3 {
    sn_lane x, y, z;
} sn_lane3;

SN_INLINE sn_lane3 sn_lane3_add(sn_lane3 a, sn_lane3 b) {
    return (sn_lane3){a.x + b.x, a.y + b.y, a.z + b.z};
}
SN_INLINE sn_lane3 sn_lane3_sub(sn_lane3 a, sn_lane3 b) {
    return (sn_lane3){a.x - b.x, a.y - b.y, a.z - b.z};
}
SN_INLINE sn_lane3 sn_lane3_minus(sn_lane3 a) {
    return (sn_lane3){-a.x, -a.y, -a.z};
}
SN_INLINE sn_lane3 sn_lane3_scale(sn_lane s, sn_lane3 a) {
    return (sn_lane3){s * a.x, s * a.y, s * a.z};
}
/* a < b ? yes : no, of every lane */
SN_INLINE sn_lane3 sn_lane3_if_less(sn_lane a, sn_lane b, sn_lane3 yes, sn_lane3 no) {
    return (sn_lane3){sn_lane_if_less(a, b, yes.x, no.x), sn_lane_if_less(a, b, yes.y, no.y),
                      sn_lane_if_less(a, b, yes.z, no.z)};
}
SN_INLINE sn_lane sn_lane3_dot(sn_lane3 a, sn_lane3 b) {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
SN_INLINE sn_lane3 sn_lane3_cross(sn_lane3 a, sn_lane3 b) {
    return (sn_lane3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* ---- Quaternions of lanes ---- */

/* How much longer than 1 the square of a length may be for 5/16 of its cube to be below
   rounding. */
#ifdef SN_DOUBLE
#define SN_NEAR_UNIT 4e-6
#else
#define SN_NEAR_UNIT 4e-3f
#endif

typedef struct sn_lane4 {
    sn_lane3 v;
    sn_lane w;
} sn_lane4;

/* conj(a) b: the rotation from a to b, in the frame of a. */
SN_INLINE sn_lane4 sn_lane4_between(sn_lane4 a, sn_lane4 b) {
    sn_lane3 v = sn_lane3_sub(sn_lane3_scale(a.w, b.v), sn_lane3_scale(b.w, a.v));
    return (sn_lane4){sn_lane3_sub(v, sn_lane3_cross(a.v, b.v)),
                      a.w * b.w + sn_lane3_dot(a.v, b.v)};
}

/* The rotation b, then a. */
SN_INLINE sn_lane4 sn_lane4_mul(sn_lane4 a, sn_lane4 b) {
    sn_lane3 v = sn_lane3_add(sn_lane3_scale(a.w, b.v), sn_lane3_scale(b.w, a.v));
    return (sn_lane4){sn_lane3_add(v, sn_lane3_cross(a.v, b.v)),
                      a.w * b.w - sn_lane3_dot(a.v, b.v)};
}

/* q (0, v) / 2: how q changes when it is turned by v in its own frame. */
SN_INLINE sn_lane4 sn_lane4_turned(sn_lane4 q, sn_lane3 v) {
    sn_lane half = sn_lane_all(SN_R(0.5));
    sn_lane3 change = sn_lane3_add(sn_lane3_scale(q.w, v), sn_lane3_cross(q.v, v));
    return (sn_lane4){sn_lane3_scale(half, change), -half * sn_lane3_dot(q.v, v)};
}

/*
 * A quaternion that was unit and was turned by a rotation vector, made unit again; what was not
 * turned keeps its bits. Near length 1 the inverse root is three terms of its series, whose error
 * is below rounding there; whether a lane is near does not depend on the others.
 */
SN_INLINE sn_lane4 sn_lane4_unit(sn_lane4 q, sn_lane turned2) {
    sn_lane one = sn_lane_all(1), near = sn_lane_all(SN_NEAR_UNIT);
    sn_lane square = sn_lane3_dot(q.v, q.v) + q.w * q.w, more = square - one;
    sn_lane scale = one + more * (SN_R(0.375) * more - SN_R(0.5));
    if (sn_lane_any_less(near, more))
        scale = sn_lane_if_less(near, more, one / sn_lane_sqrt(square), scale);
    scale = sn_lane_if_less(sn_lane_all(0), turned2, scale, one);
    return (sn_lane4){sn_lane3_scale(scale, q.v), scale * q.w};
}

/* The axes of the frame in the world: the columns of the rotation matrix. */
SN_INLINE void sn_lane4_axes(sn_lane4 q, sn_lane3 axis[3]) {
    sn_lane x = q.v.x, y = q.v.y, z = q.v.z, w = q.w;
    axis[0] = (sn_lane3){1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    axis[1] = (sn_lane3){2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
    axis[2] = (sn_lane3){2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
}

/* ---- Between nodes and lanes ---- */

#if SN_LANES == 1

/* A lane's node. */
typedef sn_v4 sn_lane_nodes;
enum { SN_NODE_REGISTERS = 1 };

SN_INLINE sn_lane_nodes sn_lane_nodes_of(const sn_v4 *node, int i) {
    (void)i;
    return node[0];
}
SN_INLINE sn_lane3 sn_lane3_from_registers(const sn_lane_nodes in[1]) {
    return (sn_lane3){in[0][0], in[0][1], in[0][2]};
}
SN_INLINE sn_lane4 sn_lane4_from_registers(const sn_lane_nodes in[1]) {
    return (sn_lane4){{in[0][0], in[0][1], in[0][2]}, in[0][3]};
}
SN_INLINE void sn_lane4_to_nodes(sn_lane4 a, sn_v4 *out) {
    out[0] = (sn_v4){a.v.x, a.v.y, a.v.z, a.w};
}
SN_INLINE void sn_lane3_to_nodes(sn_lane3 a, sn_v4 *out) {
    out[0] = (sn_v4){a.x, a.y, a.z, 0};
}

#else

/*
 * The nodes of all lanes are in four registers, of which register i has nodes i, i + 4, i + 8 and
 * so on, each in a piece of its own. So all pieces are transposed at once: where registers are
 * wide, that takes as many instructions as four nodes do elsewhere.
 */
typedef sn_lane sn_lane_nodes;
enum { SN_NODE_REGISTERS = 4 };

/* Register i of nodes that lie in the order of their lanes. */
SN_INLINE sn_lane_nodes sn_lane_nodes_of(const sn_v4 *node, int i) {
    sn_v4 part[SN_PARTS];
    for (int k = 0; k < SN_PARTS; k++) part[k] = node[4 * k + i];
    return sn_lane_join(part);
}

/* Numbers i, j, k, l of each piece of a, which has 0 to 3, and of b, which has 4 to 7. */
#define SN_OF_PIECE(p, i) ((i) < 4 ? 4 * (p) + (i) : SN_LANES + 4 * (p) + (i)-4)
#define SN_PIECE(p, i, j, k, l)                                                                    \
    SN_OF_PIECE(p, i), SN_OF_PIECE(p, j), SN_OF_PIECE(p, k), SN_OF_PIECE(p, l)
#if SN_LANES == 4
#define SN_PIECES(...) SN_PIECE(0, __VA_ARGS__)
#elif SN_LANES == 8
#define SN_PIECES(...) SN_PIECE(0, __VA_ARGS__), SN_PIECE(1, __VA_ARGS__)
#else
#define SN_PIECES(...)                                                                             \
    SN_PIECE(0, __VA_ARGS__), SN_PIECE(1, __VA_ARGS__), SN_PIECE(2, __VA_ARGS__),                  \
        SN_PIECE(3, __VA_ARGS__)
#endif
#ifdef __clang__
#define SN_SHUFFLE_PIECES(a, b, ...) __builtin_shufflevector(a, b, SN_PIECES(__VA_ARGS__))
#else
#define SN_SHUFFLE_PIECES(a, b, ...) __builtin_shuffle(a, b, (sn_lane_bits){SN_PIECES(__VA_ARGS__)})
#endif

/* One node vector per lane, turned into rows. */
SN_INLINE sn_lane3 sn_lane3_from_registers(const sn_lane_nodes in[4]) {
    sn_lane ab = SN_SHUFFLE_PIECES(in[0], in[1], 0, 4, 1, 5);
    sn_lane cd = SN_SHUFFLE_PIECES(in[2], in[3], 0, 4, 1, 5);
    sn_lane ab_z = SN_SHUFFLE_PIECES(in[0], in[1], 2, 6, 3, 7);
    sn_lane cd_z = SN_SHUFFLE_PIECES(in[2], in[3], 2, 6, 3, 7);
    return (sn_lane3){SN_SHUFFLE_PIECES(ab, cd, 0, 1, 4, 5), SN_SHUFFLE_PIECES(ab, cd, 2, 3, 6, 7),
                      SN_SHUFFLE_PIECES(ab_z, cd_z, 0, 1, 4, 5)};
}

/* One quaternion per lane. */
SN_INLINE sn_lane4 sn_lane4_from_registers(const sn_lane_nodes in[4]) {
    sn_lane ab = SN_SHUFFLE_PIECES(in[0], in[1], 0, 4, 1, 5);
    sn_lane cd = SN_SHUFFLE_PIECES(in[2], in[3], 0, 4, 1, 5);
    sn_lane ab_z = SN_SHUFFLE_PIECES(in[0], in[1], 2, 6, 3, 7);
    sn_lane cd_z = SN_SHUFFLE_PIECES(in[2], in[3], 2, 6, 3, 7);
    return (sn_lane4){{SN_SHUFFLE_PIECES(ab, cd, 0, 1, 4, 5), SN_SHUFFLE_PIECES(ab, cd, 2, 3, 6, 7),
                       SN_SHUFFLE_PIECES(ab_z, cd_z, 0, 1, 4, 5)},
                      SN_SHUFFLE_PIECES(ab_z, cd_z, 2, 3, 6, 7)};
}

/* And back, in the order of the lanes. */
SN_INLINE void sn_lane4_to_nodes(sn_lane4 a, sn_v4 *out) {
    sn_lane xy0 = SN_SHUFFLE_PIECES(a.v.x, a.v.y, 0, 4, 1, 5);
    sn_lane xy2 = SN_SHUFFLE_PIECES(a.v.x, a.v.y, 2, 6, 3, 7);
    sn_lane zw0 = SN_SHUFFLE_PIECES(a.v.z, a.w, 0, 4, 1, 5);
    sn_lane zw2 = SN_SHUFFLE_PIECES(a.v.z, a.w, 2, 6, 3, 7);
    sn_lane all[4] = {
        SN_SHUFFLE_PIECES(xy0, zw0, 0, 1, 4, 5), SN_SHUFFLE_PIECES(xy0, zw0, 2, 3, 6, 7),
        SN_SHUFFLE_PIECES(xy2, zw2, 0, 1, 4, 5), SN_SHUFFLE_PIECES(xy2, zw2, 2, 3, 6, 7)};
    SN_UNROLLED
    for (int i = 0; i < 4; i++) {
        sn_v4 part[SN_PARTS];
        sn_lane_split(all[i], part);
        for (int k = 0; k < SN_PARTS; k++) out[4 * k + i] = part[k];
    }
}
SN_INLINE void sn_lane3_to_nodes(sn_lane3 a, sn_v4 *out) {
    sn_lane4_to_nodes((sn_lane4){a, sn_lane_all(0)}, out);
}

#endif

/* Register i of the nodes at these offsets, in bytes. */
SN_INLINE sn_lane_nodes sn_lane_nodes_at(const sn_vec4 *array, const int32_t *offset, int i) {
#if SN_LANES == 1
    return *(const sn_v4 *)((const char *)array + offset[i]);
#else
    sn_v4 part[SN_PARTS];
    for (int k = 0; k < SN_PARTS; k++)
        part[k] = *(const sn_v4 *)((const char *)array + offset[4 * k + i]);
    return sn_lane_join(part);
#endif
}

/* Of nodes in the order of their lanes. */
SN_INLINE sn_lane3 sn_lane3_from_nodes(const sn_v4 *in) {
    sn_lane_nodes all[SN_NODE_REGISTERS];
    for (int i = 0; i < SN_NODE_REGISTERS; i++) all[i] = sn_lane_nodes_of(in, i);
    return sn_lane3_from_registers(all);
}
SN_INLINE sn_lane4 sn_lane4_from_nodes(const sn_v4 *in) {
    sn_lane_nodes all[SN_NODE_REGISTERS];
    for (int i = 0; i < SN_NODE_REGISTERS; i++) all[i] = sn_lane_nodes_of(in, i);
    return sn_lane4_from_registers(all);
}

#endif
