/*
 * The scenes in which collision surfaces meet: nothing passes through anything, sheets stay in
 * order, nothing
 * explodes, and what should slide does.
 *
 * Frames are few here, so that the test ends. With more, by hand, it prints what it counts:
 *
 *     SINEW_SCENE_FRAMES=1000 build/release/tests/contact_scenes folds
 */
#include <math.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "collision/ccd/time_of_impact.h"

enum { EVERY = 10 }; /* frames between looks at all triangles */

/* What was seen in a run. */
typedef struct watch {
    size_t looks;        /* how often crossings were counted */
    size_t crossings;    /* in all looks together */
    size_t worst;        /* in one of them */
    size_t last;         /* of them in the last look */
    size_t penetrations; /* that the world itself reported, in all frames together */
    size_t left;         /* of those, in the last frame */
    size_t contacts;     /* likewise */
    double fastest;      /* m/s, of all nodes in all frames */
} watch;

static sn_scene *open_scene(const char *name, const char *const *sets, size_t set_count) {
    char path[512];
    sn_scene *scene;
    sn_scene_def def = sn_scene_def_default();
    snprintf(path, sizeof path, "%s/%s.json", SCENES, name);
    def.path = path;
    def.sets = sets;
    def.set_count = set_count;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    return scene;
}

/* ---- Crossings ---- */

/* The triangles of all bodies as one surface. */
typedef struct surface {
    sn_vec3 *positions;
    uint32_t (*triangles)[3];
    size_t vertices, count;
} surface;

static size_t count_bodies(const sn_scene *scene) {
    sn_scene_body body;
    size_t count = 0;
    while (sn_scene_body_at(scene, count, &body)) count++;
    return count;
}

static surface collect(sn_scene *scene) {
    sn_io_frame frame;
    surface s = {0};
    size_t bodies = count_bodies(scene);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    for (size_t i = 0; i < bodies; i++) {
        s.vertices += frame.shapes[i].vertex_count;
        s.count += frame.shapes[i].triangle_count;
    }
    s.positions = malloc(s.vertices * sizeof *s.positions);
    s.triangles = malloc(s.count * sizeof *s.triangles);
    REQUIRE_OK(s.positions && s.triangles ? SN_OK : SN_ERROR_MEMORY);
    s.vertices = s.count = 0;
    for (size_t i = 0; i < bodies; i++) {
        const sn_io_shape *shape = &frame.shapes[i];
        memcpy(s.positions + s.vertices, shape->positions,
               shape->vertex_count * sizeof *shape->positions);
        for (size_t k = 0; k < shape->triangle_count; k++, s.count++)
            for (int c = 0; c < 3; c++)
                s.triangles[s.count][c] = shape->triangles[k][c] + (uint32_t)s.vertices;
        s.vertices += shape->vertex_count;
    }
    return s;
}

static size_t count_crossings(sn_scene *scene) {
    sn_memory memory = {.allocator = sn_allocator_default()};
    surface s = collect(scene);
    size_t found = 0;
    REQUIRE_OK(sn_ccd_count(&memory, s.positions, s.vertices, (const uint32_t(*)[3])s.triangles,
                            s.count, NULL, 0, &found));
    free(s.positions);
    free(s.triangles);
    return found;
}

/* ---- Running ---- */

static double fastest_of(const sn_scene *scene, const sn_world *world) {
    sn_node_view view;
    sn_scene_body body;
    double most = 0;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; sn_scene_body_at(scene, i, &body); i++)
        for (size_t k = 0; k < body.node_count; k++) {
            sn_vec4 v = view.velocity[body.nodes[k].slot - 1];
            double square =
                (double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z;
            if (!(square <= most)) most = square;
        }
    return sqrt(most);
}

static watch run(sn_scene *scene, const char *name, int frames) {
    watch w = {0};
    const char *asked = getenv("SINEW_SCENE_FRAMES");
    if (asked) frames = atoi(asked);
    for (int i = 1; i <= frames; i++) {
        sn_stats stats;
        const sn_world *world = sn_scene_world(scene);
        REQUIRE_OK(sn_scene_step(scene));
        REQUIRE_OK(sn_world_stats(world, &stats));
        w.penetrations += stats.penetrations;
        w.left = stats.penetrations;
        w.contacts += stats.contacts;
        double speed = fastest_of(scene, world);
        if (!(speed <= w.fastest)) w.fastest = speed;
        if (i % EVERY != 0) continue;
        size_t found = count_crossings(scene);
        w.looks++;
        w.crossings += found;
        w.last = found;
        if (found > w.worst) w.worst = found;
        if (asked && (found > 0 || i % 100 == 0)) {
            printf("%s: frame %d: %zu crossings, %zu penetrations so far, at most %.1f m/s\n", name,
                   i, found, w.penetrations, w.fastest);
            fflush(stdout);
        }
    }
    return w;
}

/* `crossings`: how many there may be in one look. */
static void check_run(const watch *w, size_t crossings, double fastest) {
    CHECK(w->looks > 0 && w->contacts > 100);
    CHECK(w->worst <= crossings);
    CHECK(crossings > 0 || w->left == 0);
    /* Not what falling can give. */
    CHECK(w->fastest < fastest);
}

/* ---- The scenes ---- */

TEST(a_strip_folds_over_itself) {
    sn_scene *scene = open_scene("folded", NULL, 0);
    watch w = run(scene, "folded", 50);
    check_run(&w, 0, 8);
    sn_scene_close(scene);
}

/* Ribs and walls squeeze the cloth, more than contacts alone can bear: its collision surface is
   penetration-free. */
TEST(a_cloth_tumbles_in_a_barrel) {
    sn_scene *scene = open_scene("barrel", NULL, 0);
    watch w = run(scene, "barrel", 50);
    check_run(&w, 0, 8);
    sn_scene_close(scene);
}

TEST(a_cloth_drapes) {
    sn_scene *scene = open_scene("drape", NULL, 0);
    watch w = run(scene, "drape", 100);
    /* Balls are not a surface: a diagonal may pass another one while the cloth crumples. In the end
       nothing does. */
    check_run(&w, 4, 5);
    CHECK(w.last == 0 && w.left == 0);
    sn_scene_close(scene);
}

/* m, the mean height of the nodes of a sheet that lie on the box. */
static double height_of(const sn_scene_body *sheet, const sn_node_view *v) {
    double sum = 0;
    size_t count = 0;
    for (size_t k = 0; k < sheet->node_count; k++) {
        sn_vec4 x = v->position[sheet->nodes[k].slot - 1];
        if (fabs((double)x.x) > 0.2 || fabs((double)x.z) > 0.2) continue;
        sum += (double)x.y;
        count++;
    }
    return count > 0 ? sum / (double)count : 0;
}

TEST(sheets_stay_in_order) {
    const char *sets[] = {"sheets=3"};
    bool long_run = getenv("SINEW_SCENE_FRAMES") != NULL;
    sn_scene *scene = open_scene("stack", sets, long_run ? 0 : 1);
    watch w = run(scene, "stack", 20);
    check_run(&w, 0, 8);
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(sn_scene_world(scene), &view));
    sn_scene_body sheet;
    double below = 0.5 - 0.004; /* the top of the box, less half of a sheet */
    for (size_t i = 0; sn_scene_body_at(scene, i, &sheet); i++) {
        double height = height_of(&sheet, &view);
        check_case("%s", sheet.name);
        CHECK_NEAR(height - below, 0.008, 0.002);
        below = height;
    }
    sn_scene_close(scene);
}

/* How far the nodes of a body are along x, in the mean. */
static double place_of(sn_scene *scene, const char *name) {
    sn_node_view view;
    sn_scene_body body;
    double sum = 0;
    size_t i = 0;
    while (sn_scene_body_at(scene, i, &body) && strcmp(body.name, name) != 0) i++;
    REQUIRE_OK(sn_world_nodes(sn_scene_world(scene), &view));
    for (size_t k = 0; k < body.node_count; k++)
        sum += (double)view.position[body.nodes[k].slot - 1].x;
    return sum / (double)body.node_count;
}

/* ---- Piles ---- */

/* Sheets on a box; %s is gravity, the size of the box, how many sheets, and their mesh. */
static sn_scene *open_pile(const char *gravity, const char *extent, int sheets, const char *mesh) {
    static const char format[] =
        "{\"version\": 1, \"run\": {\"frames\": 60, \"fps\": 60},"
        " \"settings\": {\"substeps\": 20, \"damping\": 0.5, \"gravity\": [%s]},"
        " \"bodies\": [{\"name\": \"sheet\", \"mesh\": {\"shape\": \"grid\", %s},"
        "  \"material\": {\"kind\": \"cloth\", \"preset\": \"cotton\", \"thickness\": 0.008},"
        "  \"position\": [0, 0.51, 0], \"collide\": \"all\","
        "  \"contact\": {\"static_friction\": 0.3, \"dynamic_friction\": 0.3},"
        "  \"copies\": {\"count\": [1, %d, 1], \"step\": [0, 0.012, 0]}}],"
        " \"colliders\": [{\"name\": \"box\", \"shape\": \"box\", \"extent\": [%s], \"radius\": "
        "0.05,"
        "  \"position\": [0, 0.25, 0], \"static_friction\": 0.3, \"dynamic_friction\": 0.3}]}";
    char text[1500];
    int length = snprintf(text, sizeof text, format, gravity, mesh, sheets, extent);
    sn_scene *scene;
    sn_scene_def def = sn_scene_def_default();
    def.path = "pile";
    def.text = text;
    def.length = (size_t)length;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    return scene;
}

static void step_frames(sn_scene *scene, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_scene_step(scene));
}

/*
 * Gravity is tilted to 0.8 of the angle at which layers slide. Each sheet moves the one below it on
 * after that had its turn; friction that goes by the motion of a substep alone lets the upper ones
 * of five creep with 11 to 14 mm/s.
 */
TEST(layers_do_not_creep) {
    sn_scene *scene = open_pile("2.2894, -9.5391, 0", "2, 0.2, 2", 5,
                                "\"width\": 0.12, \"depth\": 0.12, \"columns\": 6, \"rows\": 6");
    sn_scene_body sheet;
    double before[5];
    step_frames(scene, 40);
    for (size_t i = 0; sn_scene_body_at(scene, i, &sheet); i++)
        before[i] = place_of(scene, sheet.name);
    step_frames(scene, 30);
    for (size_t i = 0; sn_scene_body_at(scene, i, &sheet); i++) {
        check_case("%s", sheet.name);
        CHECK_NEAR(place_of(scene, sheet.name), before[i], 2e-6);
    }
    sn_scene_close(scene);
}

/*
 * Six sheets are pulled over the corners of a box with three times their weight. The box pushes the
 * lowest one back in every substep, after the sheets have pushed each other: more than the recovery
 * speed makes good. Edges that were pressed in come out again. With nothing to say so, 28 are in
 * the second sheet after ten frames, stay there, and are taken to be right.
 */
TEST(a_sheet_is_not_pressed_through_another) {
    sn_scene *scene = open_pile("0, -30, 0", "0.3, 0.2, 0.3", 6,
                                "\"width\": 0.9, \"depth\": 0.9, \"columns\": 20, \"rows\": 20");
    size_t least = SIZE_MAX, most = 0;
    step_frames(scene, 8);
    for (int i = 0; i < 8; i++) {
        step_frames(scene, 2);
        size_t crossings = count_crossings(scene);
        if (crossings < least) least = crossings;
        if (crossings > most) most = crossings;
    }
    CHECK(least == 0);
    CHECK(most < 14);
    sn_scene_close(scene);
}

/* Inclines of 22 degrees, whose tangent is 0.40, with friction 0.05, 0.3 and 0.8. */
TEST(some_slide_and_some_stay) {
    static const char *const names[] = {"block", "patch"};
    sn_scene *scene = open_scene("incline", NULL, 0);
    double before[2][3];
    for (int i = 0; i < 6; i++) {
        char name[20];
        snprintf(name, sizeof name, "%s_%d", names[i / 3], i % 3);
        before[i / 3][i % 3] = place_of(scene, name);
    }
    for (int i = 0; i < 40; i++) REQUIRE_OK(sn_scene_step(scene));
    double moved[2][3];
    for (int i = 0; i < 6; i++) {
        char name[20];
        snprintf(name, sizeof name, "%s_%d", names[i / 3], i % 3);
        moved[i / 3][i % 3] = before[i / 3][i % 3] - place_of(scene, name);
    }
    for (int k = 0; k < 2; k++) {
        check_case("%s", names[k]);
        CHECK(moved[k][0] > 0.4);
        CHECK(moved[k][1] > 0.1 && moved[k][1] < 0.6 * moved[k][0]);
        CHECK(moved[k][2] < 0.02);
    }
    /* Balls roll on all of them. */
    for (int i = 0; i < 3; i++) {
        char name[20];
        snprintf(name, sizeof name, "ball_%d", i);
        CHECK(place_of(scene, name) < -0.2);
    }
    sn_scene_close(scene);
}

TESTS(RUN(a_strip_folds_over_itself), RUN(a_cloth_tumbles_in_a_barrel), RUN(a_cloth_drapes),
      RUN(sheets_stay_in_order), RUN(layers_do_not_creep),
      RUN(a_sheet_is_not_pressed_through_another), RUN(some_slide_and_some_stay))
