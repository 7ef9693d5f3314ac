/*
 * The buffers of a glTF file: the binary chunk of a GLB, base64 within the JSON, or files beside
 * it. Files are those in its folder and below, as the file may come from anywhere.
 */
#include "io/mesh/read_glb.h"
#include "io/text/base64.h"

#include <sinew_io/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Within the JSON ---- */

static sn_result decode(const glb_file *glb, const json_node *uri, const char *text,
                        glb_buffer *buffer) {
    size_t digits = strlen(text), size = 0;
    while (digits > 0 && text[digits - 1] == '=') digits--;
    buffer->own = malloc(digits / 4 * 3 + 3);
    if (!buffer->own) return sn_fail(SN_ERROR_MEMORY, "%s: no memory", glb->source->name);
    uint32_t bits = 0;
    for (size_t i = 0; i < digits; i++) {
        int digit = sn_base64_digit(text[i]);
        if (digit < 0) return sn_glb_fail(glb, uri, "byte %zu of the base64 is no digit of it", i);
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 > 0) buffer->own[size++] = (char)(bits >> (6 - 2 * (i % 4)) & 255);
    }
    buffer->size = size;
    return SN_OK;
}

/* ---- Beside it ---- */

static int hex_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Takes "%20" and the like for what they stand for. */
static void unescape(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++) {
        int high = *from == '%' ? hex_of(from[1]) : -1, low = high >= 0 ? hex_of(from[2]) : -1;
        *to++ = (char)(low >= 0 ? high << 4 | low : *from);
        if (low >= 0) from += 2;
    }
    *to = 0;
}

static sn_result read_beside(const glb_file *glb, const json_node *uri, glb_buffer *buffer) {
    const char *path = glb->source->path;
    char name[SN_PATH_LENGTH], whole[2 * SN_PATH_LENGTH];
    if (!path)
        return sn_glb_fail(glb, uri, "the buffer is another file, which cannot be found from here");
    if (strlen(uri->text) >= sizeof name || strlen(path) >= sizeof name)
        return sn_glb_fail(glb, uri, "the name of the file is too long");
    snprintf(name, sizeof name, "%s", uri->text);
    unescape(name);
    if (!sn_source_beside(glb->source, name, whole))
        return sn_glb_fail(glb, uri, "expected a file in the folder of this one, or below it");
    return sn_io_file_read("the buffer", whole, &buffer->own, &buffer->size);
}

/* ---- All of them ---- */

static sn_result read_one(const glb_file *glb, const json_node *place, glb_buffer *buffer) {
    const json_node *uri = sn_json_member(place, "uri");
    if (!uri) return SN_OK;
    if (uri->kind != JSON_STRING)
        return sn_glb_fail(glb, uri, "found %s, expected a string", sn_json_kind_name(uri->kind));
    static const char base64[] = ";base64,";
    const char *data = strncmp(uri->text, "data:", 5) == 0 ? strstr(uri->text, base64) : NULL;
    SN_TRY(data ? decode(glb, uri, data + strlen(base64), buffer) : read_beside(glb, uri, buffer));
    buffer->bytes = buffer->own;
    return SN_OK;
}

sn_result sn_glb_read_buffers(glb_file *glb, const char *chunk, size_t size) {
    size_t count = glb->buffers ? glb->buffers->count : 0;
    if (count == 0) return SN_OK;
    glb->buffer = calloc(count, sizeof *glb->buffer);
    if (!glb->buffer) return sn_fail(SN_ERROR_MEMORY, "%s: no memory", glb->source->name);
    for (size_t i = 0; i < count; i++) {
        glb_buffer *buffer = &glb->buffer[i];
        const json_node *place = &glb->buffers->items[i];
        SN_TRY(read_one(glb, place, buffer));
        if (i == 0 && !sn_json_member(place, "uri")) buffer->bytes = chunk, buffer->size = size;
        if (buffer->own) glb->budget += 16 * (uint64_t)buffer->size;
    }
    return SN_OK;
}

void sn_glb_free_buffers(glb_file *glb) {
    for (size_t i = 0; glb->buffer && i < glb->buffers->count; i++) free(glb->buffer[i].own);
    free(glb->buffer);
}
