/*
 * What a scene file says is what its world becomes: parameters, includes, meshes, materials,
 * bodies, selectors, single nodes, cameras, columns and frames.
 */
#include <math.h>
#include <sinew_io/file.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scene_make.h"

static bool is_near(sn_vec3 a, double x, double y, double z) {
    return fabs((double)a.x - x) < 1e-5 && fabs((double)a.y - y) < 1e-5 &&
           fabs((double)a.z - z) < 1e-5;
}

/* ---- Files and text ---- */

static const char *const examples[] = {"balloon", "beam", "cloth", "net", "rods", "rope"};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

TEST(a_scene_from_memory_is_that_of_the_file) {
    for (int i = 0; i < EXAMPLES; i++) {
        char path[512], *text = NULL;
        size_t length;
        check_case("%s", examples[i]);
        snprintf(path, sizeof path, "%s/%s.json", SCENES, examples[i]);
        REQUIRE_OK(sn_io_file_read("the scene", path, &text, &length));
        sn_scene_def def = sn_scene_def_default();
        sn_scene *file = NULL, *memory = NULL;
        def.path = path;
        REQUIRE_OK(sn_scene_open(&def, &file));
        def.text = text;
        def.length = length;
        def.threads = 2;
        REQUIRE_OK(sn_scene_open(&def, &memory));
        CHECK(*sn_scene_title(file) && *sn_scene_about(file));
        for (int k = 0; k < 2; k++) {
            CHECK(sn_world_hash(sn_scene_world(file)) == sn_world_hash(sn_scene_world(memory)));
            scene_run_frames(file, 1);
            scene_run_frames(memory, 1);
        }
        sn_scene_close(file);
        sn_scene_close(memory);
        free(text);
    }
}

TEST(what_the_file_says_of_itself) {
    sn_scene *s = scene_make("{\"version\": 1, \"title\": \"Gr\\u00f6\\u00dfe\", \"about\": \"b\","
                             " \"comment\": [1], \"run\": {\"frames\": 7, \"fps\": 25}}");
    CHECK(strcmp(sn_scene_title(s), "Gr\xc3\xb6\xc3\x9f"
                                    "e") == 0);
    CHECK(strcmp(sn_scene_about(s), "b") == 0);
    CHECK(sn_scene_frames(s) == 7 && sn_scene_fps(s) == 25);
    sn_scene_close(s);
    s = scene_make("{\"version\": 1}");
    CHECK(strcmp(sn_scene_title(s), "") == 0 && sn_scene_frames(s) == 100 && sn_scene_fps(s) == 60);
    sn_scene_close(s);
}

TEST(frames_per_second_from_outside) {
    static const char text[] = "{\"version\": 1, \"run\": {\"fps\": 25}}";
    sn_scene_def def = sn_scene_def_default();
    sn_scene *s = NULL;
    def.path = "a.json";
    def.text = text;
    def.length = strlen(text);
    def.fps = 100;
    REQUIRE_OK(sn_scene_open(&def, &s));
    CHECK(sn_scene_fps(s) == 100);
    scene_run_frames(s, 3);
    CHECK(sn_scene_frame_number(s) == 3);
    CHECK_NEAR(sn_world_time(sn_scene_world(s)), 0.03, 1e-7);
    sn_scene_close(s);
}

/* ---- Includes ---- */

static const char scratch[] = "scene_scratch";

static void write_file(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0);
    if (file) fclose(file);
}

static sn_scene *open_file(const char *name) {
    char path[200];
    sn_scene_def def = sn_scene_def_default();
    sn_scene *s = NULL;
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    def.path = path;
    REQUIRE_OK(sn_scene_open(&def, &s));
    return s;
}

/* Included files first; entries of maps and keys of settings are replaced, lists put together. */
TEST(included_files_come_first) {
    char below[200];
    REQUIRE_OK(sn_io_folder_make(scratch));
    snprintf(below, sizeof below, "%s/parts", scratch);
    REQUIRE_OK(sn_io_folder_make(below));
    write_file("parts/mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n");
    write_file("parts/base.json",
               "{\"version\": 1, \"title\": \"base\", \"about\": \"kept\","
               "\"parameters\": {\"a\": 1, \"b\": 2, \"c\": \"=a + b\"},"
               "\"settings\": {\"substeps\": 3, \"iterations\": 4},"
               "\"meshes\": {\"m\": {\"shape\": \"file\", \"path\": \"mesh.obj\"}},"
               "\"materials\": {\"p\": {\"kind\": \"cloth\", \"area_density\": 1}},"
               "\"bodies\": [{\"name\": \"first\", \"mesh\": \"m\", \"material\": \"p\"}]}");
    write_file("parts/more.json", "{\"version\": 1, \"include\": [\"base.json\"],"
                                  "\"nodes\": [{\"name\": \"n\", \"position\": [\"=c\", 0, 0]}]}");
    write_file("main.json",
               "{\"version\": 1, \"include\": [\"parts/base.json\", \"parts/more.json\"],"
               "\"title\": \"main\", \"parameters\": {\"b\": 5, \"c\": \"=10 * b\"},"
               "\"settings\": {\"substeps\": 7},"
               "\"materials\": {\"p\": {\"kind\": \"cloth\", \"area_density\": 4}},"
               "\"bodies\": [{\"name\": \"second\", \"mesh\": \"m\", \"material\": \"p\"}]}");
    sn_scene *s = open_file("main.json");
    sn_scene_body body;
    sn_settings settings = sn_settings_default();
    CHECK(strcmp(sn_scene_title(s), "main") == 0 && strcmp(sn_scene_about(s), "kept") == 0);
    CHECK(sn_scene_body_at(s, 0, &body) && strcmp(body.name, "first") == 0);
    CHECK_NEAR(body.mass, 2, 1e-6);
    CHECK(sn_scene_body_at(s, 1, &body) && strcmp(body.name, "second") == 0);
    CHECK(!sn_scene_body_at(s, 2, &body));
    CHECK_OK(sn_world_get_settings(sn_scene_world(s), &settings));
    CHECK(settings.substeps == 7 && settings.iterations == 4);
    CHECK(is_near(scene_node_at(s, 6).position, 50, 0, 0));
    sn_scene_close(s);
}

/* ---- Parameters ---- */

static const char parameters[] =
    "{\"version\": 1, \"parameters\": {"
    " \"comment\": \"is not read\","
    " \"size\": {\"value\": 2, \"unit\": \"m\", \"meaning\": \"side\", \"least\": 0.1, \"most\": "
    "10},"
    " \"twice\": \"=2 * size\", \"name\": \"bob\", \"free\": 1},"
    " \"title\": \"=name\","
    " \"nodes\": [{\"name\": \"=name\", \"position\": [\"=size\", \"=twice\", \"=-free\"]}],"
    " \"forces\": [{\"nodes\": \"=name\", \"force\": [1, 0, 0]}]}";

TEST(parameters_have_their_values) {
    sn_scene *s = scene_make(parameters);
    sn_scene_parameter p;
    CHECK(sn_scene_parameter_at(s, 0, &p) && strcmp(p.name, "size") == 0 && p.number == 2);
    CHECK(strcmp(p.unit, "m") == 0 && strcmp(p.meaning, "side") == 0 && !p.text);
    CHECK(sn_scene_parameter_at(s, 2, &p) && strcmp(p.text, "bob") == 0 && *p.unit == 0);
    CHECK(sn_scene_parameter_at(s, 3, &p) && !sn_scene_parameter_at(s, 4, &p));
    CHECK(strcmp(sn_scene_title(s), "bob") == 0);
    CHECK(is_near(scene_node_at(s, 0).position, 2, 4, -1));
    sn_scene_close(s);
}

TEST(parameters_are_set_from_outside) {
    /* The least value itself is allowed, though 0.1 is not a number of the world. */
    const char *sets[] = {"size=5", "size=0.1", "name=al", "free=1e2", NULL};
    sn_scene *s = scene_make_with(parameters, sets);
    CHECK(strcmp(sn_scene_title(s), "al") == 0);
    CHECK(is_near(scene_node_at(s, 0).position, 0.1, 0.2, -100));
    sn_scene_close(s);
}

TEST(wrong_settings_of_parameters_are_refused) {
    static const struct {
        const char *set;
        sn_result result;
        const char *sentence;
    } rows[] = {
        {"siez=1", SN_ERROR_NAME, "the scene has no parameter \"siez\"; did you mean \"size\"?"},
        {"volume=1", SN_ERROR_NAME,
         "the scene has no parameter \"volume\"; \"sinew scenes\" lists those of a scene"},
        {"size", SN_ERROR_VALUE, "\"size\" sets no parameter, expected NAME=VALUE"},
        {"size=big", SN_ERROR_DATA,
         "scene.json:1:66: parameters.size: is set to \"big\", expected a number"},
        {"size=1m", SN_ERROR_DATA,
         "scene.json:1:66: parameters.size: is set to \"1m\", expected a number"},
        {"size=inf", SN_ERROR_DATA,
         "scene.json:1:66: parameters.size: is set to \"inf\", expected a number"},
        {"size=0.09", SN_ERROR_DATA,
         "scene.json:1:66: parameters.size: is 0.09, expected at least 0.1"},
        {"size=10.5", SN_ERROR_DATA,
         "scene.json:1:66: parameters.size: is 10.5, expected at most 10"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *sets[] = {rows[i].set, NULL};
        sn_scene *s = NULL;
        check_case("%s", rows[i].set);
        CHECK_FAILS(scene_try(parameters, sets, &s), rows[i].result);
        if (!CHECK(strcmp(sn_last_error(), rows[i].sentence) == 0))
            printf("      said \"%s\"\n", sn_last_error());
        CHECK(!s);
    }
    const char *sets[] = {"a=1", NULL};
    sn_scene *s = NULL;
    CHECK_FAILS(scene_try("{\"version\": 1}", sets, &s), SN_ERROR_NAME);
    CHECK(strcmp(sn_last_error(), "the scene has no parameter \"a\", nor any other") == 0);
}

/* ---- Bodies ---- */

TEST(bodies_are_placed_and_moved) {
    sn_scene *s =
        scene_make("{\"version\": 1, \"bodies\": [{\"name\": \"a\", \"material\": \"glass\","
                   "\"mesh\": {\"shape\": \"points\", \"positions\": [[1, 0, 0], [0, 2, 0]]},"
                   "\"position\": [10, 0, 0], \"scale\": 2,"
                   "\"rotation\": {\"axis\": [0, 0, 5], \"angle\": \"=pi / 2\"},"
                   "\"velocity\": [0, 0, 1], \"angular_velocity\": [0, 0, 3], \"group\": 7,"
                   "\"gravity\": [0, 1, 0], \"damping\": 0.5, \"rigid_damping\": 0.25,"
                   "\"may_sleep\": false}]}");
    sn_node_def a = scene_node_at(s, 0), b = scene_node_at(s, 1);
    CHECK(is_near(a.position, 10, 2, 0) && is_near(b.position, 6, 0, 0));
    CHECK(is_near(a.velocity, -6, 0, 1) && is_near(b.velocity, 0, -12, 1));
    CHECK(a.group == 7 && b.group == 7);
    sn_scene_body body;
    sn_body_def def = sn_body_def_default();
    CHECK(sn_scene_body_at(s, 0, &body) && body.kind == SN_KIND_PARTICLES && body.node_count == 2);
    CHECK_OK(sn_body_get(sn_scene_world(s), body.body, &def));
    CHECK(is_near(def.gravity, 0, 1, 0));
    CHECK_NEAR(def.damping, 0.5, 0);
    CHECK_NEAR(def.rigid_damping, 0.25, 0);
    CHECK(!def.may_sleep);
    sn_scene_close(s);
}

TEST(bodies_that_rest_sleep_and_are_counted) {
    sn_scene *s =
        scene_make("{\"version\": 1, \"settings\": {\"sleep_time\": 0.1, \"sleep_speed\": 0.5},"
                   "\"bodies\": [{\"name\": \"a\", \"material\": \"glass\", \"gravity\": [0, 0, 0],"
                   "\"mesh\": {\"shape\": \"points\", \"positions\": [[1, 0, 0]]}}]}");
    sn_settings settings = sn_settings_default();
    CHECK_OK(sn_world_get_settings(sn_scene_world(s), &settings));
    CHECK_NEAR(settings.sleep_time, 0.1, 1e-6);
    CHECK_NEAR(settings.sleep_speed, 0.5, 0);
    double values[64];
    size_t column = 0;
    while (column < sn_scene_column_count(s) && strcmp(sn_scene_column(s, column), "asleep") != 0)
        column++;
    if (CHECK(column < sn_scene_column_count(s) && sn_scene_column_count(s) <= 64)) {
        CHECK_OK(sn_scene_measure(s, values));
        CHECK_NEAR(values[column], 0, 0);
        for (int i = 0; i < 10; i++) CHECK_OK(sn_scene_step(s));
        CHECK_OK(sn_scene_measure(s, values));
        CHECK_NEAR(values[column], 1, 0);
    }
    sn_scene_close(s);
}

TEST(copies_are_bodies_of_their_own) {
    sn_scene *s = scene_make(
        "{\"version\": 1, \"bodies\": [{\"name\": \"a\", \"material\": \"glass\","
        "\"mesh\": {\"shape\": \"points\", \"positions\": [[1, 0, 0]]}, \"pins\": \"all\","
        "\"copies\": {\"count\": [2, 3, 2], \"step\": [10, 20, 30]}}]}");
    sn_scene_body body;
    CHECK(sn_scene_body_at(s, 11, &body) && !sn_scene_body_at(s, 12, &body));
    CHECK(sn_scene_body_at(s, 3, &body) && strcmp(body.name, "a_3") == 0);
    CHECK(is_near(scene_node_at(s, 3).position, 11, 20, 0));
    CHECK(is_near(scene_node_at(s, 11).position, 11, 40, 30));
    CHECK(scene_count_kinematic(s) == 12);
    sn_scene_close(s);
}

TEST(bodies_get_the_skin_that_is_written) {
    static const char text[] =
        "{\"version\": 1, \"parameters\": {\"what\": \"all\"},"
        "\"meshes\": {\"g\": {\"shape\": \"grid\", \"columns\": 2, \"rows\": 2}}, \"bodies\": ["
        "{\"name\": \"a\", \"mesh\": \"g\", \"material\": \"silk\", \"contact\": {}},"
        "{\"name\": \"b\", \"mesh\": \"g\", \"material\": \"silk\", \"collide\": \"others\"},"
        "{\"name\": \"c\", \"mesh\": \"g\", \"material\": \"silk\", \"collide\": \"=what\","
        "\"contact\": {\"detail\": \"points\", \"static_friction\": 0.75, \"dynamic_friction\": "
        "0.5,"
        "\"restitution\": 0.25, \"recovery_speed\": \"auto\", \"groups\": [0, 3]},"
        "\"copies\": {\"count\": [1, 2, 1], \"step\": [0, 1, 0]}}]}";
    sn_scene *s = scene_make(text);
    const sn_world *world = sn_scene_world(s);
    sn_collision_surface surface[3], none;
    sn_collision_surface_def def[3], standard = sn_collision_surface_def_default();
    for (size_t i = 0; i < 3; i++) {
        def[i] = sn_collision_surface_def_default();
        REQUIRE_OK(sn_world_collision_surface_at(world, i, &surface[i]));
        REQUIRE_OK(sn_collision_surface_get(world, surface[i], &def[i]));
        CHECK(def[i].node_count == 9 && def[i].triangle_count == 8);
    }
    CHECK_FAILS(sn_world_collision_surface_at(world, 3, &none), SN_ERROR_ID);
    CHECK(!def[0].self && def[0].mask == standard.mask && def[0].detail == standard.detail);
    CHECK((double)def[0].static_friction == (double)standard.static_friction);
    for (int i = 1; i < 3; i++) {
        CHECK(def[i].self && def[i].mask == 9 && def[i].detail == SN_DETAIL_POINTS);
        CHECK((double)def[i].static_friction == 0.75 && (double)def[i].dynamic_friction == 0.5);
        CHECK((double)def[i].restitution == 0.25 && def[i].recovery_speed == SN_AUTO);
    }
    /* Copies are a metre apart: nothing meets. */
    scene_run_frames(s, 2);
    CHECK(scene_column_value(s, "detections") >= 1);
    CHECK_NEAR(scene_column_value(s, "penetrations"), 0, 0);
    CHECK_NEAR(scene_column_value(s, "contacts"), 0, 0);
    sn_scene_close(s);
}

TEST(probes_are_asked_whenever_something_is_measured) {
    static const char text[] =
        "{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0]}, \"colliders\": ["
        "{\"name\": \"floor\", \"shape\": \"plane\", \"position\": [0, -1, 0]},"
        "{\"name\": \"ball\", \"shape\": \"sphere\", \"radius\": 0.5, \"position\": [0, 1, 0],"
        "\"velocity\": [0, 0.6, 0]}], \"nodes\": [{\"name\": \"a\", \"position\": [2, 0, 0],"
        "\"radius\": 0.1}], \"bodies\": [{\"name\": \"sheet\", \"material\": \"silk\","
        "\"mesh\": {\"shape\": \"grid\", \"columns\": 1, \"rows\": 1}, \"position\": [8, 0, 0],"
        "\"collide\": \"others\", \"contact\": {\"faces\": true}}], \"probes\": ["
        "{\"name\": \"ray\", \"origin\": [0, 5, 0]},"
        "{\"name\": \"ball\", \"origin\": [0, 5, 0], \"radius\": 0.25},"
        "{\"name\": \"short\", \"origin\": [0, 5, 0], \"length\": 1},"
        "{\"name\": \"near\", \"ask\": \"closest\", \"origin\": [2, 0.5, 0], \"objects\": "
        "\"nodes\"},"
        "{\"name\": \"sheet\", \"origin\": [8.1, 1, 0.1], \"objects\": \"skins\"},"
        "{\"name\": \"box\", \"ask\": \"overlap\", \"origin\": [0, 0, 0], \"extent\": [3, 2, 1],"
        "\"objects\": \"colliders\"},"
        "{\"name\": \"round\", \"ask\": \"overlap\", \"radius\": 0.25}]}";
    sn_scene *s = scene_make(text);
    CHECK_NEAR(scene_column_value(s, "ray hits"), 1, 0);
    CHECK_NEAR(scene_column_value(s, "ray distance [m]"), 3.5, 1e-6);
    CHECK_NEAR(scene_column_value(s, "ray y [m]"), 1.5, 1e-6);
    CHECK_NEAR(scene_column_value(s, "ray kind"), SN_HIT_COLLIDER, 0);
    CHECK_NEAR(scene_column_value(s, "ray object"), 1, 0);
    CHECK_NEAR(scene_column_value(s, "ball distance [m]"), 3.25, 1e-6);
    CHECK_NEAR(scene_column_value(s, "short hits"), 0, 0);
    CHECK(isnan(scene_column_value(s, "short distance [m]")));
    CHECK_NEAR(scene_column_value(s, "short object"), -1, 0);
    CHECK_NEAR(scene_column_value(s, "near distance [m]"), 0.4, 1e-6);
    CHECK_NEAR(scene_column_value(s, "near kind"), SN_HIT_NODE, 0);
    CHECK_NEAR(scene_column_value(s, "near object"), -1, 0);
    CHECK_NEAR(scene_column_value(s, "sheet kind"), SN_HIT_SURFACE, 0);
    CHECK_NEAR(scene_column_value(s, "sheet object"), 0, 0);
    CHECK_NEAR(scene_column_value(s, "box hits"), 2, 0);
    CHECK_NEAR(scene_column_value(s, "round hits"), 0, 0);
    /* The ball goes up by 1 cm a frame. */
    scene_run_frames(s, 10);
    CHECK_NEAR(scene_column_value(s, "ray distance [m]"), 3.4, 1e-5);
    sn_scene_close(s);
}

TEST(a_preset_is_that_of_the_kind_that_fits) {
    static const struct {
        const char *mesh, *material;
        sn_kind kind;
    } rows[] = {
        {"{\"shape\": \"rope\"}", "\"steel\"", SN_KIND_ROPE},
        {"{\"shape\": \"rope\"}", "\"hair\"", SN_KIND_ROD},
        {"{\"shape\": \"rope\"}", "{\"kind\": \"rod\", \"preset\": \"steel\"}", SN_KIND_ROD},
        {"{\"shape\": \"sphere\", \"level\": 0}", "\"rubber\"", SN_KIND_CLOTH},
        {"{\"shape\": \"block\", \"cells\": [1, 1, 1]}", "\"rubber\"", SN_KIND_SOLID},
        {"{\"shape\": \"points\", \"positions\": [[0, 0, 0]]}", "\"sand\"", SN_KIND_PARTICLES},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[300];
        sn_scene_body body;
        check_case("%s %s", rows[i].mesh, rows[i].material);
        snprintf(
            text, sizeof text,
            "{\"version\": 1, \"bodies\": [{\"name\": \"a\", \"mesh\": %s, \"material\": %s}]}",
            rows[i].mesh, rows[i].material);
        sn_scene *s = scene_make(text);
        CHECK(sn_scene_body_at(s, 0, &body) && body.kind == rows[i].kind && body.mass > 0);
        sn_scene_close(s);
    }
}

/* What a material says goes before its preset. */
TEST(a_material_changes_its_preset) {
    sn_scene *s = scene_make("{\"version\": 1, \"bodies\": [{\"name\": \"a\","
                             "\"mesh\": {\"shape\": \"grid\", \"width\": 2, \"depth\": 3},"
                             "\"material\": {\"kind\": \"cloth\", \"preset\": \"cotton\","
                             "\"area_density\": 0.5, \"bending\": \"dihedral\"}}]}");
    sn_scene_body body;
    CHECK(sn_scene_body_at(s, 0, &body));
    CHECK_NEAR(body.mass, 3, 1e-6);
    CHECK_NEAR(scene_node_at(s, 0).radius, 0.00016, 1e-9);
    sn_scene_close(s);
}

/* A field of the material by an expression of the place, on a group, at vertices, and written out;
   later maps come on top. The grid of 2 x 1 cells has the vertices 0 to 2 at z = -0.5. */
TEST(materials_differ_from_vertex_to_vertex) {
    sn_scene *s = scene_make(
        "{\"version\": 1, \"parameters\": {\"x0\": 2}, \"bodies\": [{\"name\": \"a\","
        "\"mesh\": {\"shape\": \"grid\", \"width\": 2, \"depth\": 1, \"columns\": 2,"
        "\"rows\": 1}, \"material\": {\"kind\": \"cloth\", \"thickness\": 0.5}, \"maps\": ["
        "{\"field\": \"thickness\", \"value\": \"=x0 + x + 2 * z\"},"
        "{\"field\": \"thickness\", \"group\": \"corner_0\", \"value\": 8},"
        "{\"field\": \"area_density\", \"values\": [[1, 1, 1], [1, 1, 4]]},"
        "{\"field\": \"thickness\", \"vertices\": [2, 5], \"value\": \"=8 * x\"}]}]}");
    static const double radii[] = {4, 0.5, 4, 1, 1.5, 4};
    sn_scene_body body;
    for (uint32_t i = 0; i < 6; i++) {
        check_case("vertex %u", i);
        CHECK_NEAR(scene_node_at(s, i).radius, radii[i], 1e-6);
    }
    CHECK(sn_scene_body_at(s, 0, &body));
    /* Four triangles of 1/2 m^2, of which those at vertex 5 have the mean 2. */
    double weighed = body.mass - 2;
    CHECK(fabs(weighed - 0.5) < 1e-6 || fabs(weighed - 1) < 1e-6);
    sn_scene_close(s);
}

/* Towards the end of each chain of lines, by length; of the material, or of the map itself. */
TEST(what_is_of_lines_may_taper) {
    sn_scene *s = scene_make(
        "{\"version\": 1, \"meshes\": {\"m\": {\"shape\": \"rope\", \"segments\": 2}}, \"bodies\": "
        "[{\"name\": \"a\", \"mesh\": \"m\", \"material\": {\"kind\": \"rope\", \"radius\": 0.08},"
        "\"maps\": [{\"field\": \"radius\", \"taper\": 0.5}]}, {\"name\": \"b\", \"mesh\": \"m\", "
        "\"material\": {\"kind\": \"rope\"}, \"maps\": [{\"field\": \"radius\", \"value\": 0.04, "
        "\"taper\": 3}]}]}");
    static const double radii[] = {0.08, 0.06, 0.04, 0.04, 0.08, 0.12};
    for (uint32_t i = 0; i < 6; i++) CHECK_NEAR(scene_node_at(s, i).radius, radii[i], 1e-7);
    sn_scene_close(s);
}

/* Edges that tear first: a line of vertices, all edges between some, and later ones on top. The
   grid of 3 x 3 vertices has 4 in its middle. */
TEST(edges_are_made_weak) {
    static const struct {
        uint32_t from, to;
        double strength; /* below 0: that of the sheet */
    } rows[] = {{3, 4, 0.5}, {4, 5, 0.5}, {1, 4, 0.25}, {4, 7, 2}, {0, 4, -1}};
    sn_scene *s = scene_make(
        "{\"version\": 1, \"bodies\": [{\"name\": \"first\", \"mesh\": {\"shape\": \"grid\","
        "\"columns\": 1, \"rows\": 1}, \"material\": \"cotton\"}, {\"name\": \"a\","
        "\"mesh\": {\"shape\": \"grid\", \"columns\": 2, \"rows\": 2}, \"material\": \"cotton\","
        "\"weak_edges\": [{\"line\": [3, 4, 5], \"strength\": 0.5},"
        "{\"between\": {\"box\": {\"least\": [-0.1, -1, -1], \"most\": [0.1, 1, 1]}},"
        "\"strength\": 0.25}, {\"between\": [4, 7, 8], \"strength\": 2}]}]}");
    sn_world *world = sn_scene_world(s);
    sn_sheet sheet;
    sn_node nodes[9];
    size_t count;
    REQUIRE_OK(sn_world_sheet_at(world, 1, &sheet));
    REQUIRE_OK(sn_sheet_get_nodes(world, sheet, nodes, 9, &count));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sn_real strength = 7;
        check_case("edge %u to %u", rows[i].from, rows[i].to);
        sn_result result = sn_sheet_get_edge_strength(world, sheet, nodes[rows[i].from],
                                                      nodes[rows[i].to], &strength);
        /* Which way a diagonal goes is up to the grid. */
        if (rows[i].strength < 0) CHECK(result != SN_OK || strength == SN_AUTO);
        if (rows[i].strength >= 0) CHECK(result == SN_OK && (double)strength == rows[i].strength);
    }
    sn_scene_close(s);
}

/* ---- Selectors ---- */

TEST(pins_are_chosen_in_every_way) {
    static const struct {
        const char *pins;
        size_t count;
    } rows[] = {{"[]", 0},
                {"3", 1},
                {"[0, 3, 3]", 2},
                {"\"corners\"", 4},
                {"[\"corner_0\", \"corner_1\", 5]", 3},
                {"\"all\"", 9},
                {"\"=group\"", 4},
                {"[\"=n + 1\"]", 1},
                {"{\"vertices\": [1, 2]}", 2},
                {"{\"group\": \"left\"}", 3},
                {"{\"box\": {\"least\": [-0.1, -1, -1], \"most\": [9, 1, 1]}}", 6},
                {"{\"sphere\": {\"centre\": [0, 0, 0], \"radius\": 0.6}}", 5},
                {"{\"sphere\": {\"centre\": [0, 0, 0], \"radius\": 0.6},"
                 " \"box\": {\"least\": [-0.1, -1, -1], \"most\": [9, 1, 1]}}",
                 4},
                {"[{\"group\": \"left\"}, {\"group\": \"right\"}]", 6},
                {"{}", 9}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[500];
        check_case("%s", rows[i].pins);
        snprintf(
            text, sizeof text,
            "{\"version\": 1, \"parameters\": {\"n\": 2, \"group\": \"corners\"}, \"bodies\": ["
            "{\"name\": \"a\", \"mesh\": {\"shape\": \"grid\", \"columns\": 2, \"rows\": 2},"
            "\"material\": \"cotton\", \"velocity\": [1, 0, 0], \"pins\": %s}]}",
            rows[i].pins);
        sn_scene *s = scene_make(text);
        sn_node_view view;
        size_t resting = 0;
        CHECK(scene_count_kinematic(s) == rows[i].count);
        REQUIRE_OK(sn_world_nodes(sn_scene_world(s), &view));
        for (size_t k = 0; k < 9; k++) resting += view.velocity[k].x == 0;
        CHECK(resting == rows[i].count);
        sn_scene_close(s);
    }
}

/* The mean position of what is selected says what it was. */
TEST(nodes_are_selected_in_every_way) {
    static const struct {
        const char *nodes;
        double x;
    } rows[] = {
        {"\"peg\"", 5},
        {"\"sheet[0]\"", -1},
        {"\"sheet.right\"", 1},
        {"\"sheet\"", 0},
        {"\"=which\"", 5},
        {"[\"peg\", \"sheet[0]\"]", 2},
        {"{\"body\": \"sheet\", \"vertices\": [2, 5, 0]}", 1.0 / 3},
        {"{\"body\": \"sheet\", \"group\": \"left\"}", -1},
        {"{\"body\": \"sheet\", \"box\": {\"least\": [0.5, -1, -1], \"most\": [2, 1, 1]}}", 1},
        {"[{\"body\": \"sheet\", \"sphere\": {\"centre\": [1, 0, 1], \"radius\": 0.1}},"
         " \"peg\"]",
         3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[600];
        check_case("%s", rows[i].nodes);
        snprintf(
            text, sizeof text,
            "{\"version\": 1, \"parameters\": {\"which\": \"peg\"}, \"bodies\": ["
            "{\"name\": \"sheet\", \"mesh\": {\"shape\": \"grid\", \"columns\": 2, \"rows\": 2,"
            "\"width\": 2, \"depth\": 2}, \"material\": \"cotton\"}],"
            "\"nodes\": [{\"name\": \"peg\", \"position\": [5, 0, 0]}],"
            "\"measure\": [{\"name\": \"m\", \"nodes\": %s}]}",
            rows[i].nodes);
        sn_scene *s = scene_make(text);
        CHECK_NEAR(scene_column_value(s, "m x [m]"), rows[i].x, 1e-6);
        sn_scene_close(s);
    }
}

/* ---- Nodes and constraints ---- */

TEST(single_nodes_are_what_is_written) {
    sn_scene *s = scene_make(
        "{\"version\": 1, \"bodies\": [{\"name\": \"b\", \"mesh\": {\"shape\": \"rope\","
        "\"segments\": 1}, \"material\": \"nylon\"}], \"nodes\": ["
        "{\"position\": [1, 2, 3], \"velocity\": [4, 5, 6], \"mass\": 4, \"radius\": 0.5,"
        " \"group\": 3, \"body\": \"b\"},"
        "{\"mass\": \"auto\", \"oriented\": true, \"orientation\": [0, 2, 0, 0],"
        " \"angular_velocity\": [1, 0, 0], \"inverse_inertia\": [1, 2, 3]}]}");
    sn_node_def a = scene_node_at(s, 2), b = scene_node_at(s, 3);
    CHECK(is_near(a.position, 1, 2, 3) && is_near(a.velocity, 4, 5, 6));
    CHECK_NEAR(a.inverse_mass, 0.25, 0);
    CHECK_NEAR(a.radius, 0.5, 0);
    CHECK(a.group == 3 && a.body.slot == scene_node_at(s, 0).body.slot && !a.oriented);
    CHECK(b.inverse_mass == 0 && b.oriented);
    CHECK_NEAR(b.orientation.y, 1, 0);
    CHECK(is_near(b.inverse_inertia, 1, 2, 3) && is_near(b.angular_velocity, 1, 0, 0));
    sn_scene_close(s);
}

/* One of every type of the list, by what the library says about it. */
TEST(constraints_of_every_type_can_be_written) {
    static const char *const plain[] = {"a", "b", "c", "d", "ab", "ac", "ad", "bc", "bd", "cd"};
    char nodes[1600] = "\"nodes\": [{\"name\": \"o\", \"position\": [0.2, 0.2, 0]},"
                       "{\"name\": \"k\", \"position\": [0.1, 0, 0], \"mass\": \"auto\","
                       " \"oriented\": true, \"inverse_inertia\": [0, 0, 0]}";
    for (size_t i = 0; i < 10; i++) {
        const char *at = plain[i], *more = i < 3 ? ", \"oriented\": true" : "";
        double share = at[1] ? 0.5 : 1;
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes),
                 ",{\"name\": \"%s\", \"position\": [%g, %g, %g]%s}%s", at,
                 strchr(at, 'b') ? share : 0, strchr(at, 'c') ? share : 0,
                 strchr(at, 'd') ? share : 0, more, i == 9 ? "]" : "");
    }
    for (int t = 0; t < SN_TYPE_COUNT; t++) {
        const sn_type_info *info = sn_type_get_info((sn_type)t);
        char text[2400], list[160] = "";
        check_case("%s", info->name);
        for (int i = 0; i < info->nodes && info->list == SN_LIST_NONE; i++) {
            bool fixed = i >= info->nodes - info->fixed_nodes;
            snprintf(list + strlen(list), sizeof list - strlen(list), fixed ? "%snull" : "%s\"%s\"",
                     i ? ", " : "", plain[i]);
        }
        /* A fan about its centre, or a closed surface. */
        if (info->list != SN_LIST_NONE) snprintf(list, sizeof list, "\"a\", \"b\", \"c\", \"d\"");
        if (info->list == SN_LIST_RING || info->list == SN_LIST_FAN)
            snprintf(list, sizeof list, "\"o\", \"a\", \"b\", \"c\"], \"comment\": [");
        if (info->list == SN_LIST_SURFACE)
            snprintf(list, sizeof list,
                     "\"a\", \"b\", \"c\", \"d\"], \"triangles\": ["
                     "[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]");
        snprintf(text, sizeof text,
                 "{\"version\": 1, %s, \"constraints\": [{\"type\": \"%s\", \"nodes\": [%s]}]}",
                 nodes, info->name, list);
        sn_scene *s = NULL;
        if (!CHECK_OK(scene_try(text, NULL, &s))) continue;
        sn_stats stats;
        CHECK_OK(sn_world_stats(sn_scene_world(s), &stats));
        CHECK(stats.constraints == 1);
        CHECK_OK(sn_scene_step(s));
        sn_scene_close(s);
    }
}

/* ---- Looking ---- */

TEST(cameras_are_found_by_name) {
    sn_scene *s = scene_make("{\"version\": 1, \"cameras\": {"
                             "\"main\": {\"eye\": [1, 2, 3], \"target\": [0, 1, 0]},"
                             "\"top\": {\"eye\": [0, 5, 0], \"target\": [0, 0, 0],"
                             "\"up\": [0, 0, -1], \"field_of_view\": 1.2}}}");
    sn_scene_camera c;
    CHECK(sn_scene_find_camera(s, "main", &c));
    CHECK(is_near(c.eye, 1, 2, 3) && is_near(c.target, 0, 1, 0) && is_near(c.up, 0, 1, 0));
    CHECK_NEAR(c.field_of_view, 0.6, 1e-6);
    CHECK(sn_scene_find_camera(s, "top", &c) && is_near(c.up, 0, 0, -1));
    CHECK_NEAR(c.field_of_view, 1.2, 1e-6);
    CHECK(!sn_scene_find_camera(s, "side", &c) && !sn_scene_find_camera(s, "comment", &c));
    sn_scene_close(s);
}

static const char mixed[] =
    "{\"version\": 1, \"bodies\": ["
    "{\"name\": \"sheet\", \"mesh\": {\"shape\": \"grid\", \"columns\": 2, \"rows\": 3},"
    " \"material\": \"cotton\"},"
    "{\"name\": \"line\", \"mesh\": {\"shape\": \"rope\", \"segments\": 4}, \"material\": "
    "\"nylon\"},"
    "{\"name\": \"block\", \"mesh\": {\"shape\": \"block\", \"cells\": [1, 1, 2]},"
    " \"material\": \"jelly\"},"
    "{\"name\": \"dust\", \"mesh\": {\"shape\": \"points\", \"positions\": [[0, 0, 0], [1, 1, 1]]},"
    " \"material\": \"sand\"}],"
    "\"nodes\": [{\"name\": \"a\", \"position\": [0, 9, 0], \"radius\": 0.5}, {\"name\": \"b\","
    " \"position\": [2, 9, 0], \"velocity\": [0, 0, 3]}],"
    "\"constraints\": [{\"name\": \"x\", \"type\": \"distance\", \"nodes\": [\"a\", \"b\"],"
    " \"rest_length\": 1.5, \"compliance\": 0.01}],"
    "\"measure\": [{\"name\": \"p\", \"nodes\": [\"a\", \"b\"]},"
    "{\"name\": \"v\", \"nodes\": \"b\", \"quantity\": \"velocity\"},"
    "{\"name\": \"s\", \"nodes\": \"b\", \"quantity\": \"speed\"},"
    "{\"name\": \"f\", \"constraint\": \"x\", \"quantity\": \"force\"},"
    "{\"name\": \"c\", \"constraint\": \"x\", \"quantity\": \"value\"}]}";

TEST(strain_of_a_body_is_where_it_is) {
    sn_scene *s = scene_make(mixed);
    sn_world *world = sn_scene_world(s);
    sn_scene_body line;
    sn_scene_strain strain;
    sn_node_view view;
    CHECK(sn_scene_body_at(s, 1, &line) && line.node_count == 5);
    CHECK_OK(sn_world_nodes(world, &view));
    sn_vec4 a = view.position[line.nodes[3].slot - 1], end = view.position[line.nodes[4].slot - 1];
    sn_vec3 b = {2 * end.x - a.x, 2 * end.y - a.y, 2 * end.z - a.z};
    CHECK_OK(sn_node_set_position(world, line.nodes[4], b));
    CHECK_OK(sn_scene_body_strain(s, 1, &strain));
    /* The last of four lines is twice as long. */
    CHECK_NEAR(strain.largest, 1, 1e-5);
    CHECK_NEAR(strain.mean, 0.25, 1e-5);
    CHECK_NEAR(strain.where.x, (a.x + b.x) / 2, 1e-6);
    CHECK_NEAR(strain.where.y, (a.y + b.y) / 2, 1e-6);
    CHECK_NEAR(strain.where.z, (a.z + b.z) / 2, 1e-6);
    CHECK_OK(sn_scene_body_strain(s, 0, &strain));
    CHECK_NEAR(strain.largest, 0, 1e-5);
    CHECK_FAILS(sn_scene_body_strain(s, 99, &strain), SN_ERROR_VALUE);
    CHECK_FAILS(sn_scene_body_strain(s, 0, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_scene_body_strain(NULL, 0, &strain), SN_ERROR_NULL);
    sn_scene_close(s);
}

TEST(frames_have_the_shapes_of_the_bodies) {
    static const struct {
        const char *name;
        size_t vertices, triangles, lines, tets;
    } rows[] = {{"sheet", 12, 12, 0, 0},
                {"line", 5, 0, 4, 0},
                {"block", 12, 20, 0, 10},
                {"dust", 2, 0, 0, 0},
                {"nodes", 2, 0, 0, 0}};
    sn_scene *s = scene_make(mixed);
    for (int k = 0; k < 3; k++) {
        sn_io_frame frame;
        CHECK_OK(sn_scene_frame(s, &frame));
        CHECK(frame.number == k && frame.shape_count == 5);
        CHECK_NEAR(frame.time, k / 60.0, 1e-7);
        for (size_t i = 0; i < 5; i++) {
            const sn_io_shape *shape = &frame.shapes[i];
            check_case("frame %d, %s", k, rows[i].name);
            CHECK(strcmp(shape->name, rows[i].name) == 0);
            CHECK(shape->vertex_count == rows[i].vertices);
            CHECK(shape->triangle_count == rows[i].triangles);
            CHECK(shape->line_count == rows[i].lines && shape->tet_count == rows[i].tets);
            CHECK((shape->strain != NULL) == (i < 3));
        }
        CHECK_NEAR(frame.shapes[4].radii[0], 0.5, 0);
        sn_vec3 x = scene_node_at(s, 0).position, y = frame.shapes[0].positions[0];
        CHECK(x.x == y.x && x.y == y.y && x.z == y.z);
        scene_run_frames(s, 1);
    }
    sn_scene_close(s);
}

TEST(strain_is_that_of_the_edges) {
    sn_scene *s =
        scene_make("{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0]}, \"bodies\": ["
                   "{\"name\": \"line\", \"mesh\": {\"shape\": \"rope\", \"end\": [2, 0, 0],"
                   "\"segments\": 2}, \"scale\": 3, \"material\": \"bungee\"}]}");
    sn_world *world = sn_scene_world(s);
    sn_scene_body body;
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_body_at(s, 0, &body) ? SN_OK : SN_ERROR_ID);
    CHECK_OK(sn_node_set_position(world, body.nodes[2], (sn_vec3){(sn_real)7.5, 0, 0}));
    CHECK_OK(sn_scene_frame(s, &frame));
    CHECK_NEAR(frame.shapes[0].strain[0], 0, 1e-6);
    CHECK_NEAR(frame.shapes[0].strain[1], 0.25, 1e-6);
    CHECK_NEAR(frame.shapes[0].strain[2], 0.5, 1e-6);
    CHECK_NEAR(scene_column_value(s, "mean strain [1]"), 0.25, 1e-6);
    CHECK_NEAR(scene_column_value(s, "largest strain [1]"), 0.5, 1e-6);
    sn_scene_close(s);
}

TEST(columns_are_what_is_measured) {
    sn_scene *s = scene_make(mixed);
    CHECK(strcmp(sn_scene_column(s, 0), "frame") == 0);
    CHECK(!sn_scene_column(s, sn_scene_column_count(s)));
    CHECK_NEAR(scene_column_value(s, "p x [m]"), 1, 1e-6);
    CHECK_NEAR(scene_column_value(s, "p y [m]"), 9, 1e-6);
    CHECK_NEAR(scene_column_value(s, "v z [m/s]"), 3, 1e-6);
    CHECK_NEAR(scene_column_value(s, "s [m/s]"), 3, 1e-6);
    CHECK_NEAR(scene_column_value(s, "c [C]"), 0.5, 1e-6);
    CHECK_NEAR(scene_column_value(s, "nodes"), 33, 0);
    sn_measure m;
    scene_run_frames(s, 2);
    CHECK_OK(sn_world_measure(sn_scene_world(s), &m));
    CHECK_NEAR(scene_column_value(s, "frame"), 2, 0);
    CHECK_NEAR(scene_column_value(s, "kinetic energy [J]"), m.kinetic_energy, 0);
    CHECK_NEAR(scene_column_value(s, "elastic energy [J]"), m.elastic_energy, 0);
    CHECK_NEAR(scene_column_value(s, "angular momentum z [kg m^2/s]"), m.angular_momentum[2], 0);
    /* A spring that is too long pulls. */
    CHECK(fabs(scene_column_value(s, "f [N]")) > 1);
    sn_scene_close(s);
}

TEST(nothing_is_asked_of_no_scene) {
    sn_scene *s = scene_make(mixed), *none = (sn_scene *)s;
    sn_io_frame frame;
    sn_scene_def def = sn_scene_def_default();
    double values[64];
    CHECK_FAILS(sn_scene_open(NULL, &none), SN_ERROR_NULL);
    CHECK_FAILS(sn_scene_open(&def, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_scene_open(&def, &none), SN_ERROR_NULL);
    def.path = "none.json";
    def.set_count = 1;
    CHECK_FAILS(sn_scene_open(&def, &none), SN_ERROR_NULL);
    def.set_count = 0;
    def.fps = -1;
    CHECK_FAILS(sn_scene_open(&def, &none), SN_ERROR_VALUE);
    def.fps = 0;
    CHECK_FAILS(sn_scene_open(&def, &none), SN_ERROR_FILE);
    CHECK(!none);
    def.size--;
    CHECK_FAILS(sn_scene_open(&def, &none), SN_ERROR_DEFINITION);
    CHECK_FAILS(sn_scene_step(NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_scene_frame(s, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_scene_frame(NULL, &frame), SN_ERROR_NULL);
    CHECK_FAILS(sn_scene_measure(NULL, values), SN_ERROR_NULL);
    CHECK_FAILS(sn_scene_measure(s, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_scene_resume(NULL, "a"), SN_ERROR_NULL);
    CHECK_FAILS(sn_scene_resume(s, NULL), SN_ERROR_NULL);
    CHECK(!sn_scene_world(NULL) && !*sn_scene_title(NULL) && sn_scene_frames(NULL) == 0);
    sn_scene_close(NULL);
    sn_scene_close(s);
}

/* The limit of a host that does not trust its scenes. */
TEST(a_scene_has_as_many_nodes_as_it_may) {
    static const char text[] =
        "{\"version\": 1, \"bodies\": [{\"name\": \"a\", \"material\": \"nylon\","
        "\"mesh\": {\"shape\": \"rope\", \"segments\": 4}}], \"nodes\": [{}, {}]}";
    sn_scene_def def = sn_scene_def_default();
    sn_scene *s = NULL;
    CHECK(def.most_nodes == (size_t)1 << 26);
    def.path = "a.json";
    def.text = text;
    def.length = strlen(text);
    def.most_nodes = 7;
    CHECK_OK(sn_scene_open(&def, &s));
    sn_scene_close(s);
    def.most_nodes = 6;
    CHECK_FAILS(sn_scene_open(&def, &s), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "nodes[1]: 1 times 1 vertices make 7 nodes with those before"));
}

TESTS(RUN(a_scene_from_memory_is_that_of_the_file), RUN(what_the_file_says_of_itself),
      RUN(frames_per_second_from_outside), RUN(included_files_come_first),
      RUN(parameters_have_their_values), RUN(parameters_are_set_from_outside),
      RUN(wrong_settings_of_parameters_are_refused), RUN(bodies_are_placed_and_moved),
      RUN(bodies_that_rest_sleep_and_are_counted), RUN(copies_are_bodies_of_their_own),
      RUN(bodies_get_the_skin_that_is_written),
      RUN(probes_are_asked_whenever_something_is_measured),
      RUN(a_preset_is_that_of_the_kind_that_fits), RUN(a_material_changes_its_preset),
      RUN(materials_differ_from_vertex_to_vertex), RUN(what_is_of_lines_may_taper),
      RUN(edges_are_made_weak), RUN(pins_are_chosen_in_every_way),
      RUN(nodes_are_selected_in_every_way), RUN(single_nodes_are_what_is_written),
      RUN(constraints_of_every_type_can_be_written), RUN(cameras_are_found_by_name),
      RUN(strain_of_a_body_is_where_it_is), RUN(frames_have_the_shapes_of_the_bodies),
      RUN(strain_is_that_of_the_edges), RUN(columns_are_what_is_measured),
      RUN(nothing_is_asked_of_no_scene), RUN(a_scene_has_as_many_nodes_as_it_may))
