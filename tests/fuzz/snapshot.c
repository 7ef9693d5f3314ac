/*
 * Any bytes as a snapshot: loading them gives a result, never more. Half of the time the hashes of
 * the sections are made right first, or nothing but them would be tested. What is loaded must step,
 * and saving it must give bytes that load and save as themselves.
 */
#include "base/hash.h"

#include <sinew/sinew.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static uint64_t number_at(const uint8_t *data, size_t bytes) {
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++) number |= (uint64_t)data[i] << (8 * i);
    return number;
}

/* As in base/archive.c. */
static uint64_t hash_of(const uint8_t *data, size_t size) {
    uint64_t hash = size;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) hash = sn_hash_word(hash, number_at(data + i, 8));
    return sn_hash_word(hash, number_at(data + i, size - i));
}

static void repair(uint8_t *data, size_t size) {
    static const uint8_t head[16] = {0x89, 'S', 'I', 'N', 'E', 'W', '\r', '\n',
                                     1,    0,   0,   0,   'S', 'N', 'A',  'P'};
    if (size < sizeof head) return;
    memcpy(data, head, sizeof head);
    for (size_t at = sizeof head; size - at >= 24;) {
        uint64_t length = number_at(data + at + 8, 8);
        if (length > size - at - 24) return;
        uint64_t hash = hash_of(data + at + 24, (size_t)length);
        for (size_t i = 0; i < 8; i++) data[at + 16 + i] = (uint8_t)(hash >> (8 * i));
        at += 24 + (size_t)length;
    }
}

static void save(const sn_world *world, uint8_t **data, size_t *size) {
    FUZZ_EXPECT(sn_snapshot_save(world, NULL, 0, size) == SN_OK);
    *data = malloc(*size);
    FUZZ_EXPECT(*data && sn_snapshot_save(world, *data, *size, size) == SN_OK);
}

/* Steps and the way through bytes and back. */
static void use(sn_world *world) {
    uint8_t *first, *second;
    size_t first_size, second_size;
    save(world, &first, &first_size);
    FUZZ_EXPECT(sn_snapshot_load(world, first, first_size) == SN_OK);
    save(world, &second, &second_size);
    FUZZ_EXPECT(first_size == second_size && memcmp(first, second, first_size) == 0);
    free(first);
    free(second);
    sn_settings settings = sn_settings_default();
    FUZZ_EXPECT(sn_world_get_settings(world, &settings) == SN_OK);
    settings.substeps = 2;
    settings.iterations = 2;
    FUZZ_EXPECT(sn_world_set_settings(world, &settings) == SN_OK);
    for (int i = 0; i < 2; i++) {
        sn_result result = sn_world_step(world, (sn_real)(1.0 / 60));
        FUZZ_EXPECT(result == SN_OK || result == SN_ERROR_MEMORY);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sn_world *world = NULL;
    uint8_t *copy = malloc(size + 1);
    FUZZ_EXPECT(copy && sn_world_create(NULL, &world) == SN_OK);
    memcpy(copy, data, size);
    if (size % 2 == 0) repair(copy, size);
    if (sn_snapshot_load(world, copy, size) == SN_OK) use(world);
    sn_world_destroy(world);
    free(copy);
    return 0;
}
