#include "sha1.h"

#include <string.h>

static uint32_t rotated(uint32_t x, int by) {
    return x << by | x >> (32 - by);
}

/* One block of 64 bytes; the names are those of RFC 3174, section 6.1. */
static void add_block(uint32_t state[5], const uint8_t *block) {
    uint32_t w[80];
    for (int t = 0; t < 16; t++, block += 4)
        w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
               block[3];
    for (int t = 16; t < 80; t++) w[t] = rotated(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int t = 0; t < 80; t++) {
        uint32_t f = t < 20   ? (b & c) | (~b & d)
                     : t < 40 ? b ^ c ^ d
                     : t < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        static const uint32_t k[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint32_t next = rotated(a, 5) + f + e + w[t] + k[t / 20];
        e = d;
        d = c;
        c = rotated(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void sha1(const void *data, size_t size, uint8_t digest[SHA1_SIZE]) {
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    const uint8_t *bytes = data;
    size_t whole = size / 64 * 64, rest = size - whole;
    for (size_t i = 0; i < whole; i += 64) add_block(state, bytes + i);
    /* The rest, a bit that is 1, zeros, and the length in bits. */
    uint8_t last[128] = {0};
    memcpy(last, bytes + whole, rest);
    last[rest] = 0x80;
    size_t end = rest < 56 ? 64 : 128;
    uint64_t bits = (uint64_t)size * 8;
    for (int i = 0; i < 8; i++) last[end - 1 - (size_t)i] = (uint8_t)(bits >> (8 * i));
    for (size_t i = 0; i < end; i += 64) add_block(state, last + i);
    for (int i = 0; i < SHA1_SIZE; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void base64(const uint8_t *data, size_t size, char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t three = (uint32_t)data[i] << 16;
        if (i + 1 < size) three |= (uint32_t)data[i + 1] << 8;
        if (i + 2 < size) three |= data[i + 2];
        *text++ = digits[three >> 18];
        *text++ = digits[three >> 12 & 63];
        *text++ = i + 1 < size ? digits[three >> 6 & 63] : '=';
        *text++ = i + 2 < size ? digits[three & 63] : '=';
    }
    *text = 0;
}
