/*
 * What is far away changes nothing: the same scene with strangers that were made before everything
 * else, so that whatever it has is the second of its kind, moves as it does alone.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "small_scenes.h"

enum { RANDOM_SCENES = 8, FRAMES = 12 };

static const char strangers[] =
    "{\"name\": \"stranger\", \"mesh\": {\"shape\": \"grid\", \"width\": 0.5, \"depth\": 0.5, "
    "\"columns\": 3, \"rows\": 3}, \"position\": [500, 500, 500], "
    "\"material\": {\"kind\": \"cloth\"}}, "
    "{\"name\": \"stray\", \"mesh\": {\"shape\": \"block\", \"extent\": [0.4, 0.4, 0.4], "
    "\"cells\": [1, 1, 1]}, \"position\": [500, 400, 500], \"material\": {\"kind\": \"solid\"}}, ";
static const char obstacle[] =
    "{\"name\": \"obstacle\", \"shape\": \"sphere\", \"radius\": 0.1, \"position\": [500, -400, "
    "500]}, ";

/* The text with something put in at the beginning of a list, to be freed. */
static char *with(const char *text, const char *list, const char *more) {
    const char *at = strstr(text, list);
    char *made = malloc(strlen(text) + strlen(more) + 1);
    REQUIRE_OK(made ? SN_OK : SN_ERROR_MEMORY);
    size_t before = at ? (size_t)(strchr(at, '[') + 1 - text) : strlen(text);
    sprintf(made, "%.*s%s%s", (int)before, text, at ? more : "", text + before);
    return made;
}

/* m, from where the nodes of a world are to where they are in company, of the farthest. */
static double difference(const sn_world *alone, const sn_world *world) {
    sn_node_view one, two;
    double most = 0;
    REQUIRE_OK(sn_world_nodes(alone, &one));
    REQUIRE_OK(sn_world_nodes(world, &two));
    size_t strange = two.count - one.count;
    if (two.count <= one.count) return INFINITY;
    for (size_t i = 0; i < one.count; i++) {
        if (!one.alive[i]) continue;
        sn_vec4 a = one.position[i], b = two.position[i + strange];
        double apart = hypot(hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y),
                             (double)a.z - (double)b.z);
        if (!(apart <= most)) most = apart;
    }
    return most;
}

/* Nobody needs to read forces, either. */
static void forget_forces(sn_world *world) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.keep_forces = false;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

TEST(strangers_change_nothing) {
    const char *text;
    for (size_t i = 0; (text = small_scene_text(i, RANDOM_SCENES)); i++) {
        char *met = with(text, "\"bodies\":", strangers);
        char *all = with(met, "\"colliders\":", obstacle);
        sn_scene *alone = small_scene_open(text, 1, 0), *scene = small_scene_open(all, 1, 0);
        check_case("scene %zu, %s", i, sn_scene_title(alone));
        double most = 0;
        forget_forces(sn_scene_world(scene));
        for (int frame = 0; frame < FRAMES; frame++) {
            REQUIRE_OK(sn_scene_step(alone));
            REQUIRE_OK(sn_scene_step(scene));
            most = fmax(most, difference(sn_scene_world(alone), sn_scene_world(scene)));
        }
        CHECK_NEAR(most, 0, 0);
        sn_scene_close(alone);
        sn_scene_close(scene);
        free(met);
        free(all);
    }
}

TESTS(RUN(strangers_change_nothing))
