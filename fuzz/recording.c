/*
 * Any bytes as a recording: repeating them gives a result, never more. Half of the time the hashes
 * of the sections are made right first. Recordings are files, so every input becomes one.
 */
#include <sinew/sinew.h>
#include <string.h>

#include "fuzz.h"
#include "repair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = "fuzz_recording.part";
    sn_world *world = NULL;
    uint8_t *copy = malloc(size + 1);
    FUZZ_EXPECT(copy && sn_world_create(NULL, &world) == SN_OK);
    memcpy(copy, data, size);
    if (size % 2 == 0) repair(copy, size, "RECO");
    FILE *file = fopen(path, "wb");
    FUZZ_EXPECT(file && fwrite(copy, 1, size, file) == size && fclose(file) == 0);
    sn_replay_report report;
    sn_replay_file(world, path, &report);
    FUZZ_EXPECT(report.steps <= report.calls);
    FUZZ_EXPECT(sn_world_step(world, (sn_real)(1.0 / 60)) != SN_ERROR_LOCKED);
    sn_world_destroy(world);
    remove(path);
    free(copy);
    return 0;
}
