/* Numbers as they lie in binary files: ten types, two orders of bytes. */
#ifndef SN_IO_MESH_READ_SCALAR_H
#define SN_IO_MESH_READ_SCALAR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum sn_scalar {
    SCALAR_I8,
    SCALAR_U8,
    SCALAR_I16,
    SCALAR_U16,
    SCALAR_I32,
    SCALAR_U32,
    SCALAR_I64,
    SCALAR_U64,
    SCALAR_F32,
    SCALAR_F64
} sn_scalar;

/* Bytes. */
static inline unsigned sn_scalar_size(sn_scalar type) {
    static const unsigned char sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return sizes[type];
}

static inline bool sn_scalar_is_real(sn_scalar type) {
    return type == SCALAR_F32 || type == SCALAR_F64;
}

/* The bits of a number; written so that compilers make one load of it. */
static inline uint64_t sn_scalar_bits(const void *data, unsigned size, bool is_big) {
    const unsigned char *b = data;
    uint64_t bits = 0;
    if (is_big)
        for (unsigned i = 0; i < size; i++) bits = bits << 8 | b[i];
    else
        for (unsigned i = 0; i < size; i++) bits |= (uint64_t)b[i] << (8 * i);
    return bits;
}

static inline uint32_t sn_scalar_u32(const void *data, bool is_big) {
    return (uint32_t)sn_scalar_bits(data, 4, is_big);
}

static inline float sn_scalar_f32(const void *data, bool is_big) {
    uint32_t bits = sn_scalar_u32(data, is_big);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double sn_scalar_f64(const void *data, bool is_big) {
    uint64_t bits = sn_scalar_bits(data, 8, is_big);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A whole number. One that is too large for the result is its largest, which is no index. */
static inline int64_t sn_scalar_integer(const void *data, sn_scalar type, bool is_big) {
    uint64_t bits = sn_scalar_bits(data, sn_scalar_size(type), is_big);
    switch (type) {
    case SCALAR_I8:
        return (int8_t)bits;
    case SCALAR_I16:
        return (int16_t)bits;
    case SCALAR_I32:
        return (int32_t)bits;
    case SCALAR_I64:
        return (int64_t)bits;
    default:
        return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    }
}

static inline double sn_scalar_real(const void *data, sn_scalar type, bool is_big) {
    if (type == SCALAR_F32) return (double)sn_scalar_f32(data, is_big);
    if (type == SCALAR_F64) return sn_scalar_f64(data, is_big);
    return (double)sn_scalar_integer(data, type, is_big);
}

#endif
