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

enum { RANDOM_SCENES = 8, FRAMES = 12, STRANGERS = 2 };

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

/* J: what went through an audit, and the largest difference between two of them. */
static double size_of(const sn_audit *a) {
    size_t count;
    double sum = 0;
    (void)sn_audit_fields(&count);
    for (size_t i = 0; i < count; i++) sum += fabs(((const double *)a)[i]);
    return sum;
}

static double apart(const sn_audit *a, const sn_audit *b) {
    size_t count;
    double most = 0;
    (void)sn_audit_fields(&count);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(((const double *)a)[i] - ((const double *)b)[i]));
    return most;
}

static bool are_of_bodies(const sn_world *world) {
    sn_node_view nodes;
    sn_node node;
    REQUIRE_OK(sn_world_nodes(world, &nodes));
    for (size_t i = 0; i < nodes.count; i++) {
        sn_node_def def = sn_node_def_default();
        if (sn_world_node_at(world, i, &node) != SN_OK) continue;
        REQUIRE_OK(sn_node_get(world, node, &def));
        if (def.body.slot == 0) return false;
    }
    return true;
}

/* How much of what goes through an audit may be unexplained: about half more than what was measured
   where air, tension that breaks, strands or regions without energy take part in it, and nearly
   nothing elsewhere. */
static double unexplained_part(const char *title) {
    static const struct {
        const char *title;
        double part;
    } known[] = {
        {"Balloons in the wind", 0.025},
        {"A beam that breaks", 0.008},
        {"What moves by the method of 2007", 0.0015},
        {"Two fluids in a tank", 0.006},
        {"Strands on a ball that turns", 0.15},
        {"A thick fluid and one that turns", 0.01},
        {"Bodies that keep their shapes", 0.002},
        {"Sheets of all models", 0.09},
        {"Solids of all models that fall", 0.001},
        {"Strands that rub against each other and fall asleep", 0.14},
        {"A sheet that is torn by what falls on it", 0.0035},
        {"Ropes that are not limp, a thread through eyelets, and strands held by regions", 0.05},
        {"Two crowds that walk through each other", 0.02},
        {"Lumps of dough that are pressed together and drawn apart", 0.4},
        {"Sheets that are worn over each other, sewn, creased and blown up", 0.07},
        {"Fluids that cling, do not mix, and weigh on what holds them", 0.42},
        {"Rods of all sections, and solids that have a stiffness of their own along each axis",
         0.2},
        {"Levels, regions, wrinkles and the air between sheets", 0.013}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].title, title)) return known[i].part;
    return 5e-4;
}

/* Bodies get and lose the energy that they would alone, which is that of the world in all, but for
   what they do to each other; and nearly all of it is explained. */
static void check_audits(const sn_scene *scene, const sn_world *alone, const sn_world *world) {
    sn_body body, same;
    sn_audit whole, sum = {0}, one, two;
    size_t count;
    const sn_audit_field *field = sn_audit_fields(&count);
    /* What a cut makes has no forces before, where none are kept. */
    const double alike = strstr(sn_scene_title(scene), "cut") ? 0.01 : 1e-6;
    REQUIRE_OK(sn_world_get_audit(alone, &whole));
    for (size_t i = 0; i < 16; i++) {
        if (sn_world_body_at(alone, i, &body) != SN_OK) continue;
        REQUIRE_OK(sn_world_body_at(world, i + STRANGERS, &same));
        REQUIRE_OK(sn_body_get_audit(alone, body, &one));
        REQUIRE_OK(sn_body_get_audit(world, same, &two));
        CHECK_NEAR(apart(&one, &two), 0, alike * size_of(&one));
        for (size_t k = 0; k < count; k++) ((double *)&sum)[k] += ((const double *)&one)[k];
    }
    bool all = are_of_bodies(alone);
    for (size_t k = 0; k < count && all; k++)
        if (strcmp(field[k].name, "work_bodies") != 0)
            CHECK_NEAR(((const double *)&sum)[k], ((const double *)&whole)[k],
                       1e-6 * size_of(&whole));
    /* What a few frames leave is that of the first impact. */
    if (check_sample() && !check_mutant()) return;
    CHECK_NEAR(whole.unexplained / size_of(&whole), 0, unexplained_part(sn_scene_title(scene)));
}

TEST(strangers_change_nothing) {
    const char *text;
    const int frames = check_sample() && !check_mutant() ? FRAMES / 3 : FRAMES;
    for (size_t i = 0; (text = small_scene_text(i, RANDOM_SCENES)); i++) {
        char *met = with(text, "\"bodies\":", strangers);
        char *all = with(met, "\"colliders\":", obstacle);
        sn_scene *alone = small_scene_open(text, 1, 0), *scene = small_scene_open(all, 1, 0);
        check_case("scene %zu, %s", i, sn_scene_title(alone));
        double most = 0;
        REQUIRE_OK(sn_world_audit_start(sn_scene_world(alone)));
        REQUIRE_OK(sn_world_audit_start(sn_scene_world(scene)));
        forget_forces(sn_scene_world(scene));
        for (int frame = 0; frame < frames; frame++) {
            REQUIRE_OK(sn_scene_step(alone));
            REQUIRE_OK(sn_scene_step(scene));
            most = fmax(most, difference(sn_scene_world(alone), sn_scene_world(scene)));
        }
        CHECK_NEAR(most, 0, 0);
        check_audits(alone, sn_scene_world(alone), sn_scene_world(scene));
        sn_scene_close(alone);
        sn_scene_close(scene);
        free(met);
        free(all);
    }
}

TESTS(RUN(strangers_change_nothing))
