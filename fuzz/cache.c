/*
 * Any bytes as a cache: opening and reading gives results, never more. Half of the time the hashes
 * of the sections are made right first, or nothing but them would be tested. A frame that is read
 * is one that can be exported: its elements have vertices, and its values can be looked at.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "io/animation/export.h"
#include "io/cache/cache_parts.h"
#include "repair.h"

/* Looks at everything; what comes of it is nothing. */
static uint64_t look(const sn_io_frame *frame) {
    uint64_t sum = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        sum += strlen(s->name) + s->topology;
        for (size_t k = 0; k < s->vertex_count; k++) {
            sum += s->positions[k].x > 0;
            if (s->velocities) sum += s->velocities[k].z > 0;
            if (s->strain) sum += s->strain[k] > 0;
            if (s->radii) sum += s->radii[k] > 0;
        }
        for (size_t k = 0; k < s->triangle_count; k++) sum += s->triangles[k][2];
        for (size_t k = 0; k < s->line_count; k++) sum += s->lines[k][1];
        for (size_t k = 0; k < s->tet_count; k++) sum += s->tets[k][3];
    }
    return sum;
}

static void read_all(sn_io_cache *cache) {
    sn_io_cache_info info = sn_io_cache_get_info(cache);
    sn_io_frame frame;
    FUZZ_EXPECT(info.fps > 0);
    /* Back and forth, so that topologies change at the wrong places. */
    for (size_t i = 0; i < info.frame_count && i < 64; i++) {
        size_t index = i % 2 == 0 ? i : info.frame_count - i;
        sn_result result = sn_io_cache_frame(cache, index, &frame);
        FUZZ_EXPECT(result == SN_OK || result == SN_ERROR_DATA || result == SN_ERROR_MEMORY);
        FUZZ_EXPECT(result == SN_OK || frame.shape_count == 0);
        if (result != SN_OK) continue;
        FUZZ_EXPECT(sn_io_frame_check(&frame) == SN_OK);
        FUZZ_EXPECT(look(&frame) < UINT64_MAX);
    }
    FUZZ_EXPECT(sn_io_cache_frame(cache, info.frame_count, &frame) == SN_ERROR_VALUE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size + 1);
    FUZZ_EXPECT(copy);
    memcpy(copy, data, size);
    if (size % 2 == 0) repair(copy, size, "CACH");
    FILE *stream = size > 0 ? fmemopen(copy, size, "rb") : NULL;
    sn_io_cache *cache = NULL;
    if (stream) {
        sn_result result = sn_io_cache_open_stream(stream, "input", &cache);
        FUZZ_EXPECT(result == SN_OK || result == SN_ERROR_DATA || result == SN_ERROR_MEMORY ||
                    result == SN_ERROR_FILE);
        FUZZ_EXPECT((result == SN_OK) == (cache != NULL));
    }
    if (cache) read_all(cache);
    sn_io_cache_close(cache);
    free(copy);
    return 0;
}
