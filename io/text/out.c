#include "io/text/out.h"

#include "io/text/base64.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* Digits for as many bytes of the buffer, of which what is left stays there. */
static void write_base64(sn_io_out *out, size_t count) {
    char text[1 << 10];
    enum { PIECE = sizeof text / 4 * 3 };
    for (size_t i = 0; i < count; i += PIECE) {
        size_t bytes = count - i < PIECE ? count - i : PIECE;
        size_t digits = sn_base64_encode(text, (unsigned char *)out->buffer + i, bytes);
        fwrite(text, 1, digits, out->stream);
        out->written += digits;
    }
    out->used -= count;
    memmove(out->buffer, out->buffer + count, out->used);
}

void sn_io_out_flush(sn_io_out *out) {
    if (out->is_base64) {
        write_base64(out, out->used / 3 * 3);
        return;
    }
    if (out->used > 0) fwrite(out->buffer, 1, out->used, out->stream);
    out->written += out->used;
    out->used = 0;
}

void sn_io_out_begin_base64(sn_io_out *out) {
    sn_io_out_flush(out);
    out->is_base64 = true;
}

void sn_io_out_end_base64(sn_io_out *out) {
    write_base64(out, out->used);
    out->is_base64 = false;
}

void sn_io_out_bytes(sn_io_out *out, const void *data, size_t size) {
    const char *from = data;
    while (size > 0) {
        if (out->used == sizeof out->buffer) sn_io_out_flush(out);
        size_t room = sizeof out->buffer - out->used, part = size < room ? size : room;
        memcpy(out->buffer + out->used, from, part);
        out->used += part;
        from += part;
        size -= part;
    }
}

void sn_io_out_text(sn_io_out *out, const char *text) {
    sn_io_out_bytes(out, text, strlen(text));
}

void sn_io_out_printf(sn_io_out *out, const char *format, ...) {
    va_list arguments;
    sn_io_out_flush(out);
    va_start(arguments, format);
    int size = vfprintf(out->stream, format, arguments);
    va_end(arguments);
    if (size > 0) out->written += (uint64_t)size;
}

/* ---- Reals ---- */

/*
 * Simulated values are of the size of everyday things and are many, so those between 1e-4 and 1e6
 * do not go through printf. With n digits, a value a with 10^e <= a < 10^(e+1) is close to
 * digits / 10^(n-1-e), a quotient of two doubles that are exact, and whether that is the value
 * again is seen by computing it. The quotient is rounded twice on the way to a float, once by a
 * reader: where that could make a difference, in the middle between two floats, more digits are
 * taken. Nine are enough for any float.
 */
static bool is_near_middle(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    /* A double has 29 bits more than a float. */
    uint32_t rest = (uint32_t)(bits & 0x1fffffffu);
    return rest >= 0x10000000u - 2 && rest <= 0x10000000u + 2;
}

/* Writes digits / 10^places without zeros at the end. */
static size_t put_fixed(char *text, uint64_t digits, int places) {
    char reversed[SN_IO_NUMBER] = "";
    size_t length = 0, count = 0;
    while (places > 0 && digits % 10 == 0) {
        digits /= 10;
        places--;
    }
    for (int i = 0; digits > 0 || i <= places; i++) {
        if (i == places && i > 0) reversed[count++] = '.';
        reversed[count++] = (char)('0' + digits % 10);
        digits /= 10;
    }
    while (count > 0) text[length++] = reversed[--count];
    return length;
}

/* The text of a float between 1e-4 and 1e6; 0 where printf must do it. */
static size_t put_quickly(char *text, float value) {
    static const double powers[] = {1e0, 1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
                                    1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    double a = (double)value;
    int e = 5;
    while (e > 0 && a < powers[e]) e--;
    if (a < 1) e = a >= 1e-1 ? -1 : a >= 1e-2 ? -2 : a >= 1e-3 ? -3 : -4;
    for (int n = 6; n <= 9; n++) {
        int places = n - 1 - e;
        uint64_t digits = (uint64_t)(a * powers[places] + 0.5);
        double back = (double)digits / powers[places];
        if ((float)back == value && !is_near_middle(back)) return put_fixed(text, digits, places);
    }
    return 0;
}

size_t sn_io_text_real(char text[SN_IO_NUMBER], sn_real value) {
    float narrow = (float)value, size = fabsf(narrow);
    size_t length = 0;
    if (size >= 1e-4f && size < 1e6f) {
        size_t sign = narrow < 0;
        text[0] = '-';
        length = put_quickly(text + sign, size);
        if (length > 0) length += sign;
    }
    for (int digits = 6; length == 0 && digits <= 9; digits++) {
        snprintf(text, SN_IO_NUMBER, "%.*g", digits, (double)narrow);
        if (digits == 9 || strtof(text, NULL) == narrow) length = strlen(text);
    }
    text[length] = 0;
    return length;
}

size_t sn_io_text_double(char text[SN_IO_NUMBER], double value) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, SN_IO_NUMBER, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return strlen(text);
}

void sn_io_out_real(sn_io_out *out, sn_real value) {
    out->used += sn_io_text_real(sn_io_out_room(out, SN_IO_NUMBER), value);
}

void sn_io_out_double(sn_io_out *out, double value) {
    out->used += sn_io_text_double(sn_io_out_room(out, SN_IO_NUMBER), value);
}

void sn_io_out_uint(sn_io_out *out, char before, uint64_t value) {
    char *to = sn_io_out_room(out, SN_IO_NUMBER);
    to[0] = before;
    out->used += 1 + put_fixed(to + 1, value, 0);
}

void sn_io_out_vertex(sn_io_out *out, sn_vec3 position, const sn_vec3 *colour) {
    sn_io_out_vec3(out, "v ", " ", colour ? "" : "\n", position);
    if (colour) sn_io_out_vec3(out, " ", " ", "\n", *colour);
}

void sn_io_out_uv(sn_io_out *out, const sn_real uv[2]) {
    sn_io_out_text(out, "vt ");
    sn_io_out_real(out, uv[0]);
    sn_io_out_text(out, " ");
    sn_io_out_real(out, uv[1]);
    sn_io_out_text(out, "\n");
}

void sn_io_out_vec3(sn_io_out *out, const char *before, const char *between, const char *after,
                    sn_vec3 v) {
    sn_io_out_text(out, before);
    sn_io_out_real(out, v.x);
    sn_io_out_text(out, between);
    sn_io_out_real(out, v.y);
    sn_io_out_text(out, between);
    sn_io_out_real(out, v.z);
    sn_io_out_text(out, after);
}
