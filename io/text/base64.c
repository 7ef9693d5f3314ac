#include "io/text/base64.h"

#include <stdint.h>

int sn_base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t sn_base64_encode(char *text, const unsigned char *bytes, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *to = text;
    for (size_t i = 0; i < count; i += 3) {
        size_t there = count - i < 3 ? count - i : 3;
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) bits = bits << 8 | (k < there ? bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++) *to++ = k > there ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    return (size_t)(to - text);
}
