/*
 * Keys of scenes that mean something only beside others: they are refused where they do nothing,
 * with their place, and taken where they do something.
 */
#include <sinew_io/scene.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

/* What was said of keys that mean nothing; other mistakes do not count here. */
static struct {
    char sentence[640];
    int count;
} said;

static void hear(void *user, const char *sentence) {
    (void)user;
    if (!strstr(sentence, "means nothing")) return;
    snprintf(said.sentence, sizeof said.sentence, "%s", sentence);
    said.count++;
}

static void open_with(const char *around, const char *first, const char *second) {
    char text[2048], both[1024];
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    snprintf(both, sizeof both, "%s%s%s", first, *first && *second ? ", " : "", second);
    int used = snprintf(text, sizeof text, "{\"version\": 1, ");
    used += snprintf(text + used, sizeof text - (size_t)used, around, both);
    snprintf(text + used, sizeof text - (size_t)used, "}");
    said.count = 0;
    said.sentence[0] = 0;
    def.path = "scene.json";
    def.text = text;
    def.length = strlen(text);
    def.complaint = hear;
    if (sn_scene_open(&def, &scene) == SN_OK) sn_scene_close(scene);
}

#define MESH(shape) "\"meshes\": {\"a\": {\"shape\": \"" shape "\", %s}}"
#define BODY "\"bodies\": [{\"name\": \"a\", \"mesh\": \"m\", \"material\": \"cotton\", %s}]"
#define NODE "\"nodes\": [{\"name\": \"a\", %s}]"
#define JOINT(type) "\"constraints\": [{\"type\": \"" type "\", \"nodes\": [\"a\", \"b\"], %s}]"
#define EFFECTOR "\"effectors\": [{\"position\": [0, 0, 0], %s}]"
#define EMITTER "\"emitters\": [{\"nodes\": \"a\", %s}]"
#define DRAIN "\"drains\": [{\"position\": [0, 0, 0], %s}]"
#define SOURCE "\"sources\": [{\"value\": 1, %s}]"
#define DIFFUSION "\"diffusions\": [{\"nodes\": \"a\", %s}]"
#define MATCHING "\"shape_matchings\": [{\"nodes\": \"a\", %s}]"
#define TARGET "\"animation_targets\": [{\"body\": \"a\", %s}]"
#define CUT "\"cuts\": [{\"body\": \"a\", %s}]"
#define PROBE "\"probes\": [{\"name\": \"a\", %s}]"
#define MEASURE "\"measure\": [{\"name\": \"a\", %s}]"
#define KEYS "\"keys\": [{\"time\": 0}, {\"time\": 1}]"
#define PICK                                                                                       \
    "\"forces\": [{\"nodes\": [{\"body\": \"a\", \"group\": \"b\", %s}], \"force\": [0, 1, 0]}]"

typedef struct row {
    const char *around, *key, *value; /* what is said, where */
    const char *against;              /* beside this it means nothing; empty: without */
    const char *with;                 /* beside this it means something; empty: alone */
    const char *sentence;
} row;

#define BESIDE(other) "means nothing beside \"" other "\", expected one of them"
#define WITHOUT(other) "means nothing without \"" other "\""
#define ZERO(other) "means nothing where \"" other "\" is 0"
#define IS(other, is, expected)                                                                    \
    "means nothing where \"" other "\" is " is ", expected " expected " there"

static const row rows[] = {
    {MESH("disc"), "rings", "3", "\"edge_length\": 0.1", "", BESIDE("edge_length")},
    {MESH("disc"), "segments", "9", "\"edge_length\": 0.1", "\"edge_length\": \"auto\"",
     BESIDE("edge_length")},
    {MESH("sphere"), "level", "2", "\"edge_length\": 0.1", "", BESIDE("edge_length")},
    {MESH("strands"), "count", "2", "\"surface\": \"b\", \"density\": 3", "\"surface\": \"b\"",
     BESIDE("density")},
    {MESH("strands"), "curl_pitch", "2", "\"surface\": \"b\", \"curl_radius\": 0",
     "\"surface\": \"b\", \"curl_radius\": 0.1", ZERO("curl_radius")},
    {MESH("strands"), "direction", "[1, 0, 0]", "\"surface\": \"b\"",
     "\"surface\": \"b\", \"within\": 1", WITHOUT("within")},
    {MESH("lattice"), "extent", "[1, 1, 1]", "\"spacing\": 1, \"inside\": \"b\"", "\"spacing\": 1",
     BESIDE("inside")},
    {MESH("lattice"), "balls", "[]", "\"spacing\": 1, \"inside\": \"b\"", "\"spacing\": 1",
     BESIDE("inside")},
    {MESH("fill"), "levels", "2", "\"spacing\": 1, \"surface\": \"b\"",
     "\"spacing\": 1, \"surface\": \"b\", \"cubes\": true", IS("cubes", "false", "true")},
    {MESH("fill"), "grading", "2", "\"spacing\": 1, \"surface\": \"b\", \"cubes\": true",
     "\"spacing\": 1, \"surface\": \"b\", \"cubes\": true, \"levels\": 1", ZERO("levels")},
    {MESH("fill"), "fine", "[]", "\"spacing\": 1, \"surface\": \"b\", \"cubes\": true",
     "\"spacing\": 1, \"surface\": \"b\", \"cubes\": true, \"levels\": 1", ZERO("levels")},
    {BODY, "thread", "0.01", "", "\"weave\": \"twill\"",
     IS("weave", "none", "plain, twill or knit")},
    {BODY, "pattern_colour", "[1, 0, 0]", "", "\"pattern\": \"stripes\"",
     IS("pattern", "none", "stripes, checks or squares")},
    {BODY, "pattern_width", "0.1", "\"pattern\": \"none\"", "\"pattern\": \"squares\"",
     IS("pattern", "none", "stripes, checks or squares")},
    {NODE, "radius", "1", "\"oriented\": true, \"radii\": [1, 2, 3]", "", BESIDE("radii")},
    {NODE, "radii", "[1, 2, 3]", "", "\"oriented\": true", IS("oriented", "false", "true")},
    {NODE, "orientation", "[0, 0, 0, 1]", "\"oriented\": false", "\"oriented\": true",
     IS("oriented", "false", "true")},
    {NODE, "angular_velocity", "[1, 0, 0]", "", "\"oriented\": true",
     IS("oriented", "false", "true")},
    {NODE, "inverse_inertia", "[1, 0, 0]", "", "\"oriented\": true",
     IS("oriented", "false", "true")},
    {JOINT("ball_joint"), "colour", "[1, 0, 0]", "", "\"shown_thickness\": 0.1",
     ZERO("shown_thickness")},
    {JOINT("turn_drive"), "target", "0", "\"speed\": 1", "\"speed\": \"auto\"", BESIDE("speed")},
    {JOINT("turn_drive"), "target", "1", "\"speed\": \"=t\"", "\"side\": \"at_most\"",
     BESIDE("speed")},
    {JOINT("slide_drive"), "target", "1", "\"speed\": 0", "", BESIDE("speed")},
    {JOINT("distance_joint"), "rest_length", "1", "\"speed\": 0", "", BESIDE("speed")},
    {JOINT("shape_match"), "beta", "0.1", "", "\"deformation\": \"linear\"",
     IS("deformation", "rigid", "linear or quadratic")},
    {JOINT("shape_match"), "plastic_creep", "0.1", "", "\"plastic_yield\": 0.1",
     WITHOUT("plastic_yield")},
    {JOINT("elastic_tet"), "plastic_limit", "0.1", "\"plastic_yield\": \"auto\"",
     "\"plastic_yield\": 0.1", WITHOUT("plastic_yield")},
    {EFFECTOR, "strength", "2", "\"kind\": \"drag\"", "\"kind\": \"harmonic\"",
     IS("kind", "drag", "radial, directional, vortex, turbulence or harmonic")},
    {EFFECTOR, "axis", "[1, 0, 0]", "", "\"kind\": \"vortex\"",
     IS("kind", "radial", "directional or vortex")},
    {EFFECTOR, "axis", "[1, 0, 0]", "\"shape\": \"point\"", "\"shape\": \"line\"",
     IS("kind", "radial", "directional or vortex")},
    {EFFECTOR, "falloff_length", "2", "", "\"falloff\": 1", ZERO("falloff")},
    {EFFECTOR, "min_distance", "2", "\"falloff\": 0", "\"falloff\": \"=t\"", ZERO("falloff")},
    {EFFECTOR, "rest_length", "2", "", "\"kind\": \"harmonic\"", IS("kind", "radial", "harmonic")},
    {EFFECTOR, "eddy_size", "2", "", "\"kind\": \"turbulence\"",
     IS("kind", "radial", "turbulence")},
    {EFFECTOR, "eddy_period", "2", "", "\"kind\": \"turbulence\"",
     IS("kind", "radial", "turbulence")},
    {EMITTER, "radius", "2", "\"shape\": \"box\"", "", IS("shape", "box", "disc or sphere")},
    {EMITTER, "extent", "[1, 1, 1]", "", "\"shape\": \"rectangle\"",
     IS("shape", "disc", "rectangle or box")},
    {DRAIN, "radius", "2", "", "\"shape\": \"sphere\"", IS("shape", "box", "sphere")},
    {DRAIN, "extent", "[1, 1, 1]", "\"shape\": \"sphere\"", "", IS("shape", "sphere", "box")},
    {DRAIN, "rotation", "[0, 0, 0, 1]", "\"shape\": \"sphere\"", "\"shape\": \"half_space\"",
     IS("shape", "sphere", "box or half_space")},
    {SOURCE, "radius", "2", "", "\"shape\": \"sphere\"", IS("shape", "box", "sphere")},
    {SOURCE, "extent", "[1, 1, 1]", "\"shape\": \"sphere\"", "", IS("shape", "sphere", "box")},
    {SOURCE, "rotation", "[0, 0, 0, 1]", "\"shape\": \"everywhere\"", "",
     IS("shape", "everywhere", "box or half_space")},
    {SOURCE, "position", "[0, 0, 0]", "\"shape\": \"everywhere\"", "\"shape\": \"sphere\"",
     IS("shape", "everywhere", "box, sphere or half_space")},
    {DIFFUSION, "latent", "1", "", "\"melting_point\": 0", WITHOUT("melting_point")},
    {DIFFUSION, "modulus", "1", "", "\"melting_point\": 0", WITHOUT("melting_point")},
    {DIFFUSION, "low", "1", "", "\"low_colour\": [1, 1, 1]", WITHOUT("low_colour")},
    {DIFFUSION, "high", "1", "", "\"high_colour\": [1, 1, 1]", WITHOUT("low_colour")},
    {MATCHING, "radius", "1", "", "\"regions\": \"balls\"", IS("regions", "whole", "balls")},
    {MATCHING, "spacing", "1", "", "\"regions\": \"cubes\"", IS("regions", "whole", "cubes")},
    {MATCHING, "omega", "2", "\"regions\": \"balls\"", "\"regions\": \"cubes\"",
     IS("regions", "balls", "cubes")},
    {TARGET, "growth", "[1, 0, 0]", "", "\"max_distance\": 1", WITHOUT("max_distance")},
    {TARGET, "origin", "[1, 0, 0]", "\"max_distance\": 1",
     "\"max_distance\": 1, \"growth\": [1, 0, 0]", WITHOUT("growth")},
    {TARGET, "back_stop_radius", "1", "", "\"back_stop_distance\": 1",
     WITHOUT("back_stop_distance")},
    {"\"crowds\": [{\"nodes\": \"a\", %s}]", "walk", "[1, 0, 0]", "\"goal\": [1, 0, 0]", "",
     BESIDE("goal")},
    {CUT, "time", "1", KEYS, "", BESIDE("keys")},
    {CUT, "point", "[1, 0, 0]", KEYS, "", BESIDE("keys")},
    {CUT, "normal", "[1, 0, 0]", KEYS, "", BESIDE("keys")},
    {CUT, "radius", "1", KEYS, "", BESIDE("keys")},
    {CUT, "start", "[1, 0, 0]", "", KEYS, WITHOUT("keys")},
    {CUT, "end", "[1, 0, 0]", "", KEYS, WITHOUT("keys")},
    {CUT, "pivot", "[1, 0, 0]", "", KEYS, WITHOUT("keys")},
    {CUT, "interpolation", "\"step\"", "", KEYS, WITHOUT("keys")},
    {MEASURE, "nodes", "\"a\"", "\"quantity\": \"force\"", "\"quantity\": \"velocity\"",
     IS("quantity", "force", "position, velocity or speed")},
    {MEASURE, "constraint", "\"a\"", "\"quantity\": \"speed\"", "\"quantity\": \"value\"",
     IS("quantity", "speed", "force or value")},
    {MEASURE, "collider", "\"a\"", "", "\"quantity\": \"contact_force\"",
     IS("quantity", "position", "contact_force")},
    {PROBE, "direction", "[1, 0, 0]", "\"ask\": \"overlap\"", "", IS("ask", "overlap", "cast")},
    {PROBE, "skip_inside", "true", "\"ask\": \"closest\"", "\"ask\": \"cast\"",
     IS("ask", "closest", "cast")},
    {PROBE, "length", "1", "\"ask\": \"overlap\"", "\"ask\": \"closest\"",
     IS("ask", "overlap", "cast or closest")},
    {PROBE, "radius", "1", "\"ask\": \"closest\"", "\"ask\": \"overlap\"",
     IS("ask", "closest", "cast or overlap")},
    {PROBE, "extent", "[1, 1, 1]", "\"ask\": \"cast\"", "\"ask\": \"overlap\"",
     IS("ask", "cast", "overlap")},
    {"\"ground\": {%s}", "colour", "[1, 1, 1]", "\"kind\": \"none\"", "",
     IS("kind", "none", "grid, checker or plain")},
    {"\"ground\": {%s}", "height", "1", "\"kind\": \"none\"", "\"kind\": \"plain\"",
     IS("kind", "none", "grid, checker or plain")},
    {"\"background\": {%s}", "colour", "[1, 1, 1]", "", "\"kind\": \"plain\"",
     IS("kind", "sky", "plain")},
};

TEST(keys_that_mean_nothing_are_refused) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        char item[128], end[256];
        snprintf(item, sizeof item, "\"%s\": %s", r->key, r->value);
        snprintf(end, sizeof end, "%s: %s", r->key, r->sentence);
        check_case("%s beside %s", item, r->against);
        open_with(r->around, r->against, item);
        const size_t length = strlen(said.sentence), least = strlen(end);
        CHECK(said.count == 1);
        if (!CHECK(length > least && strcmp(said.sentence + length - least, end) == 0))
            printf("      expected \"%s\"\n      said     \"%s\"\n", end, said.sentence);
        CHECK(strncmp(said.sentence, "scene.json:1:", 13) == 0);
        check_case("%s beside %s", item, r->with);
        open_with(r->around, item, r->with);
        if (!CHECK(said.count == 0)) printf("      said \"%s\"\n", said.sentence);
        /* Nor does it count where nothing is said of it. */
        check_case("%s alone", r->against);
        open_with(r->around, r->against, "");
        CHECK(said.count == 0);
    }
}

/* What a parameter may make another thing, and what is left to the reader, is no mistake. */
TEST(what_others_may_set_is_left) {
    static const char parameters[] =
        "\"parameters\": {\"power\": 0, \"what\": \"drag\", \"yes\": 0}, ";
    static const struct {
        const char *around, *members;
    } good[] = {{EFFECTOR, "\"falloff\": \"=power\", \"falloff_length\": 2"},
                {EFFECTOR, "\"kind\": \"=what\", \"strength\": 2"},
                {NODE, "\"oriented\": \"=yes\", \"inverse_inertia\": [1, 1, 1]"},
                {JOINT("turn_drive"), "\"target\": \"auto\", \"speed\": 1"},
                {EFFECTOR, "\"falloff\": {\"keys\": [{\"time\": 0, \"value\": 0}]}, "
                           "\"falloff_length\": 2"}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char around[512];
        snprintf(around, sizeof around, "%s%s", parameters, good[i].around);
        check_case("%s", good[i].members);
        open_with(around, good[i].members, "");
        CHECK(said.count == 0);
    }
}

/* What an action changes: beside what is said of the constraint, and what others have changed. */
TEST(actions_that_mean_nothing_are_refused) {
    static const char motor[] =
        "\"nodes\": [{\"name\": \"a\", \"oriented\": true}, {\"name\": \"b\", \"oriented\": "
        "true}], "
        "\"constraints\": [{\"name\": \"m\", \"type\": \"turn_drive\", \"nodes\": [\"a\", \"b\"], "
        "\"speed\": 2}, {\"name\": \"s\", \"type\": \"turn_drive\", \"nodes\": [\"a\", \"b\"], "
        "\"target\": 2}], \"actions\": [%s]";
    static const struct {
        const char *actions, *sentence;
    } all[] = {
        {"{\"time\": 0, \"constraint\": {\"m\": {\"target\": 1}}}",
         "actions[0].constraint.m.target: means nothing while \"speed\" is 2, expected \"speed\": "
         "\"auto\" beside it"},
        {"{\"time\": 0, \"constraint\": {\"m\": {\"speed\": null, \"target\": 1}}}",
         "actions[0].constraint.m.target: means nothing while \"speed\" is 2, expected \"speed\": "
         "\"auto\" beside it"},
        {"{\"time\": 0, \"constraint\": {\"m\": {\"speed\": 3, \"target\": 1}}}",
         "actions[0].constraint.m.target: means nothing beside \"speed\", expected one of them"},
        {"{\"time\": 0, \"constraint\": {\"m\": {\"speed\": \"auto\", \"target\": 1}}}", ""},
        {"{\"time\": 0, \"constraint\": {\"m\": {\"speed\": 3}}}", ""},
        {"{\"time\": 0, \"constraint\": {\"s\": {\"target\": 3}}}", ""},
        {"{\"time\": 0, \"constraint\": {\"s\": {\"speed\": 3}}}", ""},
        {"{\"time\": 2, \"constraint\": {\"m\": {\"target\": 1}}}, "
         "{\"time\": 1, \"constraint\": {\"m\": {\"speed\": \"auto\"}}}",
         ""},
        {"{\"time\": 1, \"constraint\": {\"m\": {\"target\": 1}}}, "
         "{\"time\": 1, \"constraint\": {\"m\": {\"speed\": \"auto\"}}}",
         "actions[0].constraint.m.target: means nothing while \"speed\" is 2, expected \"speed\": "
         "\"auto\" beside it"},
        {"{\"time\": 1, \"constraint\": {\"s\": {\"speed\": 0.5}}}, "
         "{\"time\": 2, \"constraint\": {\"s\": {\"damping\": 0.5}}}, "
         "{\"time\": 3, \"constraint\": {\"s\": {\"target\": 0.5}}}",
         "actions[2].constraint.s.target: means nothing while \"speed\" is 0.5, expected "
         "\"speed\": \"auto\" beside it"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        check_case("%s", all[i].actions);
        open_with(motor, all[i].actions, "");
        CHECK(said.count == (*all[i].sentence ? 1 : 0));
        if (!CHECK(strstr(said.sentence, all[i].sentence) != NULL))
            printf("      said \"%s\"\n", said.sentence);
    }
}

TEST(shapes_and_types_have_their_own_keys) {
    static const struct {
        const char *around, *members, *sentence;
    } bad[] = {
        {"\"colliders\": [{\"name\": \"a\", %s}]", "\"extent\": [1, 1, 1]",
         "colliders[0].extent: means nothing for this shape"},
        {"\"colliders\": [{\"name\": \"a\", %s}]", "\"shape\": \"sphere\", \"scale\": 2",
         "colliders[0].scale: means nothing for this shape"},
        {"\"nodes\": [{\"name\": \"a\"}, {\"name\": \"b\", \"position\": [1, 0, 0]}], "
         "\"constraints\": [{\"nodes\": [\"a\", \"b\"], %s}]",
         "\"type\": \"distance\", \"triangles\": [[0, 1, 0]]",
         "constraints[0].triangles: means nothing for distance, expected a type with a surface"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_case("%s", bad[i].members);
        open_with(bad[i].around, bad[i].members, "");
        CHECK(said.count == 1);
        if (!CHECK(strstr(said.sentence, bad[i].sentence) != NULL))
            printf("      said \"%s\"\n", said.sentence);
    }
    open_with("\"colliders\": [{\"name\": \"a\", %s}]",
              "\"shape\": \"heights\", \"extent\": [1, 1, 1], \"heights\": [[0, 0], [0, 0]]", "");
    CHECK(said.count == 0);
}

TEST(places_outside_are_of_boxes_and_balls) {
    open_with(PICK, "\"outside\": true", "");
    CHECK(said.count == 1);
    open_with(PICK, "\"outside\": true", "\"sphere\": {\"centre\": [0, 0, 0], \"radius\": 1}");
    CHECK(said.count == 0);
    open_with(PICK, "\"outside\": true", "\"box\": {\"least\": [0, 0, 0], \"most\": [1, 1, 1]}");
    CHECK(said.count == 0);
}

TESTS(RUN(keys_that_mean_nothing_are_refused), RUN(what_others_may_set_is_left),
      RUN(actions_that_mean_nothing_are_refused), RUN(shapes_and_types_have_their_own_keys),
      RUN(places_outside_are_of_boxes_and_balls))
