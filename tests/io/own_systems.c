/*
 * The schema knows the objects of systems that the library does not have, by their lists of fields.
 */
#include <stdio.h>
#include <string.h>

#include <sinew/sinew.h>
#include <sinew_io/scene.h>

#include "api/systems.h"
#include "api/types.h"
#include "check.h"
#include "state/attractor.h"

/* A world of the library's systems and one more. */
static sn_world *make_world(void) {
    static const sn_system *list[SN_SYSTEM_COUNT + 1];
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    memcpy(list, sn_systems().system, SN_SYSTEM_COUNT * sizeof *list);
    list[SN_SYSTEM_COUNT] = &attractor_system;
    REQUIRE_OK(
        sn_world_init(&world, &def, sn_types(), (sn_system_list){list, SN_SYSTEM_COUNT + 1}));
    return world;
}

static bool has(const char *schema, const char *text) {
    bool found = strstr(schema, text) != NULL;
    if (!found) printf("      there is no %s\n", text);
    return found;
}

TEST(a_system_of_ones_own_is_in_the_schema) {
    sn_world *world = make_world();
    char *plain = sn_scene_schema(), *own = sn_scene_schema_of(world);
    if (!CHECK(plain && own)) return;
    CHECK(!strstr(plain, "attractor"));
    CHECK(has(own, "\"attractor\": {\"type\": \"object\", \"description\": \"springs from nodes"));
    CHECK(has(own, "where nodes are pulled to [m]; default [0, 0, 0]"));
    CHECK(has(own, "\"compliance\": {\"anyOf\": [{\"type\": \"number\", \"minimum\": 0, "
                   "\"maximum\": 1}"));
    CHECK(has(own, "of the spring of each [m/N]; default 0.001"));
    CHECK(has(own, "\"idle\": {\"anyOf\": [{\"type\": \"boolean\"}"));
    /* What every world has is there once. */
    size_t end = strlen(plain) - strlen("}\n}\n");
    CHECK(strncmp(plain, own, end) == 0);
    sn_scene_text_free(plain);
    sn_scene_text_free(own);
    sn_world_destroy(world);
}

TESTS(RUN(a_system_of_ones_own_is_in_the_schema))
