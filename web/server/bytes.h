/* Bytes in a row: added at the end, taken at the front. */
#ifndef SERVER_BYTES_H
#define SERVER_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
    uint8_t *data;
    size_t size, room;
} bytes;

/* Room for so many more; false without memory. */
static inline bool bytes_reserve(bytes *b, size_t more) {
    if (more > SIZE_MAX / 4 || b->size > SIZE_MAX / 4) return false;
    if (b->size + more <= b->room) return true;
    size_t room = b->size + more + b->room / 2;
    uint8_t *data = realloc(b->data, room);
    if (!data) return false;
    b->data = data;
    b->room = room;
    return true;
}

static inline bool bytes_add(bytes *b, const void *data, size_t size) {
    if (!bytes_reserve(b, size)) return false;
    if (size > 0) memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

static inline void bytes_take(bytes *b, size_t count) {
    b->size -= count;
    if (b->size > 0) memmove(b->data, b->data + count, b->size);
}

static inline void bytes_free(bytes *b) {
    free(b->data);
    *b = (bytes){0};
}

#endif
