/*
 * Any bytes as a moving mesh: the first byte chooses the format, the second how it is read. Opening
 * gives a result, never more. What opens is a mesh with indices of its vertices, and at every time
 * its vertices are at finite places, or a sentence says that they are not.
 */
#include <sinew_io/animation.h>

#include <math.h>
#include <string.h>

#include "fuzz.h"

static void check_mesh(const sn_mesh *mesh, size_t vertices) {
    FUZZ_EXPECT(mesh->vertex_count == 0 || mesh->vertex_count == vertices);
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        FUZZ_EXPECT(mesh->triangles[i / 3][i % 3] < mesh->vertex_count);
    for (size_t i = 0; i < mesh->group_count; i++)
        for (size_t k = 0; k < mesh->groups[i].count; k++)
            FUZZ_EXPECT(mesh->groups[i].vertices[k] < mesh->vertex_count);
}

static void play(sn_io_animation *a, double speed) {
    sn_io_animation_info info = sn_io_animation_get_info(a);
    sn_vec3 *x = malloc((info.vertex_count + 1) * sizeof *x);
    FUZZ_EXPECT(x && isfinite(info.begin) && isfinite(info.end) && info.begin <= info.end);
    check_mesh(sn_io_animation_mesh(a), info.vertex_count);
    for (int i = -1; i <= 4; i++) {
        sn_io_playback how = {.start = -0.1, .speed = speed, .repeat = i % 2 == 0};
        double time = sn_io_animation_time(a, &how, 0.3 * i);
        FUZZ_EXPECT(time >= info.begin && time <= info.end);
        sn_result result = sn_io_animation_sample(a, time, x);
        FUZZ_EXPECT(result == SN_OK || (result == SN_ERROR_VALUE && sn_last_error()[0]));
        for (size_t k = 0; result == SN_OK && k < info.vertex_count; k++)
            FUZZ_EXPECT(isfinite(x[k].x) && isfinite(x[k].y) && isfinite(x[k].z));
    }
    free(x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"glb", "usda", "pc2", "mdd"};
    static const sn_real welds[] = {SN_AUTO, 0, (sn_real)0.25};
    sn_io_animation_def def = sn_io_animation_def_default();
    sn_io_animation *a = NULL;
    if (size < 2) return 0;
    def.format = formats[data[0] % 4];
    def.weld = welds[data[1] % 3];
    def.up = (sn_io_up)(data[1] / 4 % 3);
    def.clip = data[1] & 64 ? "walk" : NULL;
    /* A copy of its own, so that reading past the end is found. */
    uint8_t *copy = malloc(size - 2);
    FUZZ_EXPECT(copy || size == 2);
    if (size > 2) memcpy(copy, data + 2, size - 2);
    sn_result result = sn_io_animation_open_memory("moving", copy, size - 2, &def, &a);
    free(copy);
    FUZZ_EXPECT((result == SN_OK) == (a != NULL));
    FUZZ_EXPECT(result == SN_OK || sn_last_error()[0]);
    if (a) play(a, data[1] & 128 ? 1e3 : 1);
    sn_io_animation_close(a);
    return 0;
}
