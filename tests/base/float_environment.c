/*
 * A host that rounds otherwise, or flushes denormals to zero, gets the same bits from steps, and
 * finds its choice as it was.
 */
#include "base/float_environment.h"

#include <sinew/sinew.h>

#include "api/mixed_world.h"
#include "check.h"

/* Flush to zero, rounding towards zero and up; one by one and together. */
#if defined(__x86_64__)
static const uint64_t choices[] = {0x8040, 0x6000, 0x4000, 0xC040};
#elif defined(__aarch64__)
static const uint64_t choices[] = {0x1000000, 0xC00000, 0x400000, 0x3C00000};
#else
static const uint64_t choices[] = {0};
#endif

/* A ball that is so slow that its way in a substep is denormal. */
static void add_slow_ball(sn_world *world) {
    sn_node_def def = sn_node_def_default();
    sn_body_def body = sn_body_def_default();
    sn_node node;
    body.gravity = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_body_create(world, &body, &def.body));
    def.velocity = (sn_vec3){sizeof(sn_real) == 4 ? (sn_real)3e-38 : (sn_real)1e-307, 0, 0};
    REQUIRE_OK(sn_node_create(world, &def, &node));
}

/* The hash after a few steps; with `choice` in force while they are made. */
static uint64_t run(uint64_t choice, int threads) {
    static scene s;
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.settings.substeps = 4;
    REQUIRE_OK(scene_make(&s, &def, SCENE_LARGE));
    add_slow_ball(s.world);
    uint64_t usual = sn_float_read();
    for (int i = 0; i < 3; i++) {
        sn_float_write(usual | choice);
        sn_result result = scene_step(&s, 1.0 / 64);
        uint64_t after = sn_float_read();
        sn_float_write(usual);
        REQUIRE_OK(result);
        CHECK((after & SN_FLOAT_CHOICES) == choice);
    }
    uint64_t hash = sn_world_hash(s.world);
    sn_world_destroy(s.world);
    return hash;
}

TEST(steps_do_not_follow_the_host) {
    uint64_t expected = run(0, 1);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            check_case("choice %#llx, %d threads", (unsigned long long)choices[i], threads);
            CHECK(run(choices[i], threads) == expected);
        }
}

TESTS(RUN(steps_do_not_follow_the_host))
