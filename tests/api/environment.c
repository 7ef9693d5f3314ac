/*
 * The environment variables that choose where a definition does not: a number is taken, nonsense is
 * refused, and neither matters where the definition says a number itself.
 */
/* For setenv. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include <sinew/sinew.h>

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static sn_world_def undecided(void) {
    sn_world_def def = sn_world_def_default();
    def.simd_width = 0;
    def.threads = 0;
    return def;
}

static void clear(void) {
    unsetenv("SINEW_WIDTH");
    unsetenv("SINEW_THREADS");
}

TEST(width_is_taken) {
    static const char *const widths[] = {"1", "4", "", "0"};
    for (size_t i = 0; i < COUNT(widths); i++) {
        sn_world_def def = undecided();
        sn_world *world = NULL;
        check_case("SINEW_WIDTH \"%s\"", widths[i]);
        setenv("SINEW_WIDTH", widths[i], 1);
        REQUIRE_OK(sn_world_create(&def, &world));
        int width = sn_world_simd_width(world);
        CHECK(i < 2 ? width == atoi(widths[i]) : width >= 4);
        sn_world_destroy(world);
    }
    clear();
}

TEST(threads_are_taken) {
    sn_world_def def = undecided();
    sn_world *world = NULL;
    setenv("SINEW_THREADS", "3", 1);
    REQUIRE_OK(sn_world_create(&def, &world));
#ifdef SN_NO_THREADS
    CHECK(sn_world_threads(world) == 1);
#else
    CHECK(sn_world_threads(world) == 3);
#endif
    sn_world_destroy(world);
    clear();
}

/* The default definition has one thread, and leaves the width open. */
TEST(definitions_come_first) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    setenv("SINEW_WIDTH", "4", 1);
    setenv("SINEW_THREADS", "3", 1);
    def.simd_width = 1;
    REQUIRE_OK(sn_world_create(&def, &world));
    CHECK(sn_world_simd_width(world) == 1);
    CHECK(sn_world_threads(world) == 1);
    sn_world_destroy(world);

    /* What is not looked at may be anything. */
    setenv("SINEW_WIDTH", "wide", 1);
    setenv("SINEW_THREADS", "many", 1);
    REQUIRE_OK(sn_world_create(&def, &world));
    sn_world_destroy(world);
    clear();
}

TEST(nonsense_is_refused) {
    static const char *const widths[] = {"wide", "2",  "7",  "32",  "-4",
                                         "4x",   " 4", "4 ", "1e0", "99999999999999999999"};
    static const char *const threads[] = {"many", "257", "-1",
                                          "2.5",  "0x4", "99999999999999999999"};
    for (size_t i = 0; i < COUNT(widths) + COUNT(threads); i++) {
        bool width = i < COUNT(widths);
        const char *name = width ? "SINEW_WIDTH" : "SINEW_THREADS";
        const char *value = width ? widths[i] : threads[i - COUNT(widths)];
        sn_world_def def = undecided();
        sn_world *world = (sn_world *)&def;
        check_case("%s \"%s\"", name, value);
        setenv(name, value, 1);
        CHECK_FAILS(sn_world_create(&def, &world), SN_ERROR_VALUE);
        CHECK(world == NULL);
        CHECK(strstr(sn_last_error(), name) != NULL);
        CHECK(strstr(sn_last_error(), value) != NULL);
        clear();
    }
}

TESTS(RUN(width_is_taken), RUN(threads_are_taken), RUN(definitions_come_first),
      RUN(nonsense_is_refused))
