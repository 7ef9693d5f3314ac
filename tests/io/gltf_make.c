#include "gltf_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gltf_begin(gltf *g) {
    memset(g, 0, sizeof *g);
}

static size_t add(gltf *g, const char *type, int component, size_t count, const void *values,
                  size_t bytes) {
    const char *comma = g->count > 0 ? "," : "";
    size_t a = strlen(g->accessors), v = strlen(g->views);
    if (g->size + bytes + 4 > sizeof g->binary) abort();
    snprintf(g->accessors + a, sizeof g->accessors - a,
             "%s{\"bufferView\":%zu,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"}", comma,
             g->count, component, count, type);
    snprintf(g->views + v, sizeof g->views - v,
             "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", comma, g->size, bytes);
    memcpy(g->binary + g->size, values, bytes);
    g->size = (g->size + bytes + 3) / 4 * 4;
    return g->count++;
}

static size_t width_of(const char *type) {
    if (strcmp(type, "MAT4") == 0) return 16;
    return strncmp(type, "VEC", 3) == 0 ? (size_t)(type[3] - '0') : 1;
}

size_t gltf_reals(gltf *g, const char *type, size_t count, const float *values) {
    return add(g, type, 5126, count, values, 4 * count * width_of(type));
}

size_t gltf_bytes(gltf *g, const char *type, size_t count, const uint8_t *values) {
    return add(g, type, 5121, count, values, count * width_of(type));
}

size_t gltf_shorts(gltf *g, const char *type, size_t count, const uint16_t *values) {
    return add(g, type, 5123, count, values, 2 * count * width_of(type));
}

static void put_u32(unsigned char **at, uint32_t value) {
    for (int i = 0; i < 4; i++) *(*at)++ = (unsigned char)(value >> 8 * i);
}

unsigned char *gltf_end(gltf *g, const char *json, size_t *size) {
    size_t room = strlen(json) + sizeof g->accessors + sizeof g->views + 256;
    char *text = malloc(room);
    unsigned char *file = malloc(room + g->size + 64), *at = file;
    if (!text || !file) abort();
    int length = snprintf(text, room,
                          "{\"asset\":{\"version\":\"2.0\"},%s,\"accessors\":[%s],"
                          "\"bufferViews\":[%s],\"buffers\":[{\"byteLength\":%zu}]}",
                          json, g->accessors, g->views, g->size);
    size_t padded = ((size_t)length + 3) / 4 * 4;
    *size = 12 + 8 + padded + 8 + g->size;
    put_u32(&at, 0x46546c67);
    put_u32(&at, 2);
    put_u32(&at, (uint32_t)*size);
    put_u32(&at, (uint32_t)padded);
    put_u32(&at, 0x4e4f534a);
    memset(at, ' ', padded);
    memcpy(at, text, (size_t)length);
    at += padded;
    put_u32(&at, (uint32_t)g->size);
    put_u32(&at, 0x004e4942);
    memcpy(at, g->binary, g->size);
    free(text);
    return file;
}
