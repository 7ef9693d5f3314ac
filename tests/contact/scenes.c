/*
 * The scenes in which collision surfaces meet: nothing passes through anything, sheets stay in
 * order, nothing explodes, and what should slide does.
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
#include "scenes/scene_watch.h"

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
    double began;        /* J, kinetic, potential and elastic */
    double least, gain;  /* J, likewise: the least so far, and the most above it later */
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

/* ---- Running ---- */

static double energy_of(sn_scene *scene) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(sn_scene_world(scene), &m));
    return m.kinetic_energy + m.potential_energy + m.elastic_energy;
}

static watch run(sn_scene *scene, const char *name, int frames) {
    watch w = {.began = energy_of(scene)};
    const char *asked = getenv("SINEW_SCENE_FRAMES");
    if (asked) frames = atoi(asked);
    w.least = w.began;
    for (int i = 1; i <= frames; i++) {
        sn_stats stats;
        const sn_world *world = sn_scene_world(scene);
        REQUIRE_OK(sn_scene_step(scene));
        REQUIRE_OK(sn_world_stats(world, &stats));
        w.penetrations += stats.penetrations;
        w.left = stats.penetrations;
        w.contacts += stats.contacts;
        double speed = scene_fastest(scene), energy = energy_of(scene);
        if (energy < w.least) w.least = energy;
        if (!(energy - w.least <= w.gain)) w.gain = energy - w.least;
        if (!(speed <= w.fastest)) w.fastest = speed;
        if (i % EVERY != 0) continue;
        size_t found = scene_crossings(scene);
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
    CHECK(w->fastest < fastest);
}

/* Where nothing but gravity does work, energy is lost and not made: from frame to frame at most a
   thousandth of what there was comes back, for how well springs are known (3e-4 was seen). */
static void check_energy(const watch *w) {
    CHECK(w->gain < 1e-3 * w->began);
}

/* ---- The scenes ---- */

TEST(a_strip_folds_over_itself) {
    sn_scene *scene = open_scene("tests/folded", NULL, 0);
    watch w = run(scene, "folded", 50);
    /* Kinks run along its free edges and whip: a node without a contact comes from 2 to 10 m/s and
       back within 30 substeps, while energy falls. Of 32 runs with frictions a thousandth apart and
       72 or 144 substeps, the fastest node of a frame had 4.9 to 8.9 m/s; with 20 substeps 4.1. */
    check_run(&w, 0, 12);
    check_energy(&w);
    sn_scene_close(scene);
}

/* Ribs and walls squeeze the cloth, more than contacts alone can bear: its collision surface is
   penetration-free. */
TEST(a_cloth_tumbles_in_a_barrel) {
    sn_scene *scene = open_scene("tests/barrel", NULL, 0);
    watch w = run(scene, "barrel", 50);
    check_run(&w, 0, 8);
    sn_scene_close(scene);
}

TEST(a_cloth_drapes) {
    sn_scene *scene = open_scene("tests/drape", NULL, 0);
    watch w = run(scene, "drape", 100);
    /* Balls are not a surface: a diagonal may pass another one while the cloth crumples. In the end
       nothing does. Its corners whip: with 300 substeps one goes with 6.3 m/s on average of a
       frame. */
    check_run(&w, 4, 8);
    check_energy(&w);
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
    sn_scene *scene = open_scene("tests/stack", sets, long_run ? 0 : 1);
    watch w = run(scene, "stack", 20);
    check_run(&w, 0, 8);
    check_energy(&w);
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
      RUN(sheets_stay_in_order), RUN(some_slide_and_some_stay))
