/*
 * PNG without libpng, for builds that have none: the same picture, not compressed. The format wants
 * a zlib stream, which may consist of stored blocks.
 */
#include "picture/picture_texture.h"

#include <sinew/support.h>
#include <sinew_io/file.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The most that a stored block can hold. */
enum { BLOCK = 65535, ADLER = 65521 };

static unsigned char *put32(unsigned char *to, uint32_t value) {
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (24 - 8 * i));
    return to + 4;
}

static uint32_t crc_of(const unsigned char *bytes, size_t count) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 1) != 0 ? (crc >> 1) ^ UINT32_C(0xedb88320) : crc >> 1;
    }
    return ~crc;
}

static uint32_t adler_of(const unsigned char *bytes, size_t count) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < count; i++) {
        a = (a + bytes[i]) % ADLER;
        b = (b + a) % ADLER;
    }
    return b << 16 | a;
}

/* A chunk is its length, its name, its contents and their check; `chunk` begins with the name. */
static void write_chunk(FILE *stream, const unsigned char *chunk, size_t length) {
    unsigned char number[4];
    put32(number, (uint32_t)length);
    fwrite(number, 1, 4, stream);
    fwrite(chunk, 1, 4 + length, stream);
    put32(number, crc_of(chunk, 4 + length));
    fwrite(number, 1, 4, stream);
}

/* All rows as the chunk of the picture, each row after a byte that says "no filter". */
static bool write_rows(FILE *stream, const sn_picture_image *image) {
    size_t row = (size_t)image->width * 3, size = (row + 1) * (size_t)image->height;
    size_t blocks = (size + BLOCK - 1) / BLOCK;
    unsigned char *raw = malloc(size), *chunk = malloc(4 + 2 + size + 5 * blocks + 4);
    if (raw && chunk) {
        for (size_t y = 0; y < (size_t)image->height; y++) {
            raw[y * (row + 1)] = 0;
            memcpy(raw + y * (row + 1) + 1, image->rgb + y * row, row);
        }
        unsigned char *to = chunk;
        memcpy(to, "IDAT\x78\x01", 6);
        to += 6;
        for (size_t done = 0; done < size; done += BLOCK) {
            size_t count = size - done < BLOCK ? size - done : BLOCK;
            const unsigned char head[5] = {done + count == size, (unsigned char)count,
                                           (unsigned char)(count >> 8), (unsigned char)~count,
                                           (unsigned char)(~count >> 8)};
            memcpy(to, head, sizeof head);
            memcpy(to + sizeof head, raw + done, count);
            to += sizeof head + count;
        }
        to = put32(to, adler_of(raw, size));
        write_chunk(stream, chunk, (size_t)(to - chunk) - 4);
    }
    bool written = raw && chunk;
    free(raw);
    free(chunk);
    return written;
}

sn_result sn_picture_png_write(const char *path, const sn_picture_image *image) {
    sn_io_file file;
    SN_TRY(sn_io_file_open(&file, path));
    /* 8 bits, RGB; sRGB. */
    unsigned char head[] = "IHDR________\x08\x02\0\0", space[] = "sRGB\0", end[] = "IEND";
    put32(put32(head + 4, (uint32_t)image->width), (uint32_t)image->height);
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, file.stream);
    write_chunk(file.stream, head, 13);
    write_chunk(file.stream, space, 1);
    if (!write_rows(file.stream, image)) {
        sn_io_file_discard(&file);
        return sn_fail(SN_ERROR_MEMORY, "cannot write \"%s\": there is no memory", path);
    }
    write_chunk(file.stream, end, 0);
    return sn_io_file_close(&file);
}

sn_result sn_png_decode(const uint8_t *bytes, size_t count, sn_picture_image *image) {
    (void)bytes;
    (void)count;
    *image = (sn_picture_image){0};
    return sn_fail(SN_ERROR_FILE, "cannot read a texture: Sinew was built without libpng");
}
