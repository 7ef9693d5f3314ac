/*
 * Steps without memory, in scenes of anything: every block that a step asks for is refused in its
 * turn. The step says so and nothing has changed; with memory it is the step it would have been.
 * Where memory is missing in the middle of a step it goes on, and warns of contacts it may miss.
 */
#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "check.h"
#include "small_scenes.h"
#include "snapshot.h"

enum { FRAMES = 12, MOST_BLOCKS = 4000 };

static meter m;
static bool warned; /* that contacts may be missed */

static void note(void *user, sn_log_level level, const char *sentence) {
    (void)user;
    warned |= level == SN_LOG_WARNING && strstr(sentence, "may be missed in this step");
}

typedef struct copy {
    size_t size;
    void *bytes;
} copy;

static copy take_copy(const sn_world *world) {
    copy c = {0, NULL};
    c.bytes = snapshot_of(world, &c.size);
    return c;
}

/* A world of its own that is at the same place and knows nothing beside. */
static sn_world *load(const copy *c) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    meter_init(&m);
    def.allocator = meter_allocator(&m);
    def.log = note;
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(sn_snapshot_load(world, c->bytes, c->size));
    return world;
}

static sn_result step(sn_world *world) {
    return sn_world_step(world, (sn_real)(1.0 / 60));
}

/* Whether the block was asked for. Where nothing may be passed and there is no memory to find out
   how, everything stands: that is another step, in which nothing is passed. */
static bool step_in_need(const copy *from, size_t block, uint64_t expected, bool guarded) {
    sn_world *world = load(from);
    uint64_t before = sn_world_hash(world);
    m.failures = 0;
    m.fail_after = block;
    warned = false;
    sn_result result = step(world);
    bool short_of = m.failures > 0;
    m.fail_after = METER_NEVER;
    if (result != SN_OK) {
        CHECK(short_of && result == SN_ERROR_MEMORY);
        CHECK(sn_world_hash(world) == before);
        REQUIRE_OK(step(world));
    }
    bool stands = guarded && short_of && result == SN_OK;
    size_t crossings = 0;
    REQUIRE_OK(sn_world_count_crossings(world, &crossings));
    CHECK(stands ? crossings == 0 : warned || sn_world_hash(world) == expected);
    CHECK(!warned || (short_of && result == SN_OK));
    sn_world_destroy(world);
    CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
    return short_of;
}

/* What tears or breaks after a step stays whole without memory, and has a test of its own. */
static bool is_parted(const char *text) {
    return strstr(text, "tear_") || strstr(text, "fracture_stress") || strstr(text, "cuts");
}

TEST(steps_without_memory_change_nothing) {
    const char *text;
    for (size_t i = 0; (text = small_scene_text(i, 0)); i++) {
        if (is_parted(text)) continue;
        sn_scene *scene = small_scene_open(text, 1, 0);
        for (int k = 0; k < FRAMES; k++) REQUIRE_OK(sn_scene_step(scene));
        copy c = take_copy(sn_scene_world(scene));
        sn_world *world = load(&c);
        REQUIRE_OK(step(world));
        uint64_t expected = sn_world_hash(world);
        sn_world_destroy(world);
        size_t block = 0;
        bool guarded = strstr(text, "\"penetration_free\": true");
        check_case("%s", sn_scene_title(scene));
        while (block < MOST_BLOCKS && step_in_need(&c, block, expected, guarded)) {
            block += check_long() ? 1 : check_sample() ? 11 : 3;
            check_case("%s, block %zu", sn_scene_title(scene), block);
        }
        /* What touches nothing asks for little. */
        CHECK(block > (strstr(text, "\"colliders") ? 10 : 2) && block < MOST_BLOCKS);
        free(c.bytes);
        sn_scene_close(scene);
    }
}

TESTS(RUN(steps_without_memory_change_nothing))
