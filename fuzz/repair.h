/* Archives whose hashes are right, whatever else is wrong with them. */
#ifndef SINEW_TESTS_REPAIR_H
#define SINEW_TESTS_REPAIR_H

#include <sinew/support.h>

static inline uint64_t number_at(const uint8_t *data, size_t bytes) {
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++) number |= (uint64_t)data[i] << (8 * i);
    return number;
}

/* As in base/archive.c. */
static inline uint64_t hash_of(const uint8_t *data, size_t size) {
    uint64_t hash = size;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) hash = sn_hash_word(hash, number_at(data + i, 8));
    return sn_hash_word(hash, number_at(data + i, size - i));
}

/* Makes the head of an archive of this kind, and the hashes of its sections. */
static inline void repair(uint8_t *data, size_t size, const char kind[4]) {
    static const uint8_t head[12] = {0x89, 'S', 'I', 'N', 'E', 'W', '\r', '\n', 1, 0, 0, 0};
    if (size < 16) return;
    memcpy(data, head, sizeof head);
    memcpy(data + sizeof head, kind, 4);
    for (size_t at = 16; size - at >= 24;) {
        uint64_t length = number_at(data + at + 8, 8);
        if (length > size - at - 24) return;
        uint64_t hash = hash_of(data + at + 24, (size_t)length);
        for (size_t i = 0; i < 8; i++) data[at + 16 + i] = (uint8_t)(hash >> (8 * i));
        at += 24 + (size_t)length;
    }
}

#endif
