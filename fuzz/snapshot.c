/*
 * Any bytes as a snapshot: loading them gives a result, never more. Half of the time the hashes of
 * the sections are made right first, or nothing but them would be tested. What is loaded must step,
 * and saving it must give bytes that load and save as themselves.
 */
#include <sinew/sinew.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "repair.h"

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
    if (size % 2 == 0) repair(copy, size, "SNAP");
    if (sn_snapshot_load(world, copy, size) == SN_OK) use(world);
    sn_world_destroy(world);
    free(copy);
    return 0;
}
