/*
 * Numbers on their way into a file, as text or as little-endian bytes, the same on every machine.
 * That a write failed is found when the file is closed.
 */
#ifndef SN_IO_TEXT_OUT_H
#define SN_IO_TEXT_OUT_H

#include <sinew/base.h>

#include <stdio.h>
#include <string.h>

typedef struct sn_io_out {
    FILE *stream;
    uint64_t written; /* to the stream, which what is in the buffer follows */
    size_t used;
    bool is_base64;
    char buffer[1 << 13];
} sn_io_out;

/* What a number of any kind needs as text, at most. */
enum { SN_IO_NUMBER = 32 };

/* Begins; what is left in the buffer at the end is written by sn_io_out_flush. */
static inline void sn_io_out_open(sn_io_out *out, FILE *stream) {
    out->stream = stream;
    out->written = 0;
    out->used = 0;
    out->is_base64 = false;
}
/* How many bytes there were so far. */
static inline uint64_t sn_io_out_count(const sn_io_out *out) {
    return out->written + out->used;
}
void sn_io_out_flush(sn_io_out *out);
void sn_io_out_bytes(sn_io_out *out, const void *data, size_t size);

/* Room for this many bytes, which may be few, after what is there. */
static inline char *sn_io_out_room(sn_io_out *out, size_t size) {
    if (sizeof out->buffer - out->used < size) sn_io_out_flush(out);
    return out->buffer + out->used;
}

/* ---- Text ---- */

void sn_io_out_text(sn_io_out *out, const char *text);
void sn_io_out_printf(sn_io_out *out, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* The shortest text that reads back as the same float, or double. */
void sn_io_out_real(sn_io_out *out, sn_real value);
void sn_io_out_double(sn_io_out *out, double value);
/* A character and a number after it. */
void sn_io_out_uint(sn_io_out *out, char before, uint64_t value);
/* Three numbers between these texts. */
void sn_io_out_vec3(sn_io_out *out, const char *before, const char *between, const char *after,
                    sn_vec3 v);

/* A vertex as a line of an OBJ file, with its colour where it has one. */
void sn_io_out_vertex(sn_io_out *out, sn_vec3 position, const sn_vec3 *colour);

/* Texture coordinates as a line of an OBJ file. */
void sn_io_out_uv(sn_io_out *out, const sn_real uv[2]);

/* The same into memory, with a zero at the end; the length. */
size_t sn_io_text_real(char text[SN_IO_NUMBER], sn_real value);
size_t sn_io_text_double(char text[SN_IO_NUMBER], double value);

/* ---- Bytes ---- */

/* Bytes between these two are written as base64. */
void sn_io_out_begin_base64(sn_io_out *out);
void sn_io_out_end_base64(sn_io_out *out);

static inline void sn_io_out_u8(sn_io_out *out, uint8_t value) {
    *sn_io_out_room(out, 1) = (char)value;
    out->used += 1;
}

static inline void sn_io_out_u32(sn_io_out *out, uint32_t value) {
    char *to = sn_io_out_room(out, 4);
    for (int i = 0; i < 4; i++) to[i] = (char)(uint8_t)(value >> (8 * i));
    out->used += 4;
}

static inline void sn_io_out_u64(sn_io_out *out, uint64_t value) {
    sn_io_out_u32(out, (uint32_t)value);
    sn_io_out_u32(out, (uint32_t)(value >> 32));
}

static inline void sn_io_out_f32(sn_io_out *out, sn_real value) {
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    sn_io_out_u32(out, bits);
}

/* As wide as reals are here. */
static inline void sn_io_out_wide(sn_io_out *out, sn_real value) {
#ifdef SN_DOUBLE
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sn_io_out_u64(out, bits);
#else
    sn_io_out_f32(out, value);
#endif
}

static inline void sn_io_out_f32x3(sn_io_out *out, sn_vec3 v) {
    sn_io_out_f32(out, v.x);
    sn_io_out_f32(out, v.y);
    sn_io_out_f32(out, v.z);
}

#endif
