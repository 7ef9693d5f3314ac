/*
 * What scenes of applications show, which are made of what there is: a layout of buildings, a
 * valve of the heart, a membrane that is inflated, struts in a surface, an area that is dented,
 * fascia, and air that blows, skin and tissue that are cut.
 */
#include <math.h>
#include <stdio.h>

#include "check.h"
#include "io/scene_make.h"

/* ---- An office park ---- */

/* Buildings as they lie when they face the streets: half of what they measure along x and z. */
typedef struct building {
    const char *name;
    double half[2];
    double at[2];
} building;

enum { BUILDINGS = 9, WALKS = 8 };

static double column_of(sn_scene *scene, const char *name, const char *what) {
    char column[64];
    snprintf(column, sizeof column, "%s %s", name, what);
    return scene_column_value(scene, column);
}

/* Between the walls of two. */
static double gap_between(const building *a, const building *b) {
    double square = 0;
    for (int k = 0; k < 2; k++) {
        double gap = fabs(a->at[k] - b->at[k]) - a->half[k] - b->half[k];
        if (gap > 0) square += gap * gap;
    }
    return sqrt(square);
}

TEST(an_office_park_lays_itself_out) {
    building all[BUILDINGS] = {
        {"tower", {7, 7}, {0}},      {"labs", {18, 7}, {0}},      {"canteen", {11, 8}, {0}},
        {"offices_a", {20, 6}, {0}}, {"offices_b", {20, 6}, {0}}, {"offices_c", {6, 16}, {0}},
        {"hall", {12, 12}, {0}},     {"parking", {15, 10}, {0}},  {"hotel", {6, 9}, {0}}};
    static const int walk[WALKS][2] = {{0, 1}, {0, 3}, {0, 2}, {2, 4},
                                       {4, 5}, {7, 0}, {8, 6}, {6, 2}};
    sn_scene *scene = scene_open_in(SCENES, "offices", NULL);
    double least = INFINITY, border = INFINITY, turned = 0, longest = 0;
    scene_run_frames(scene, 300);
    for (int i = 0; i < BUILDINGS; i++) {
        all[i].at[0] = column_of(scene, all[i].name, "x [m]");
        all[i].at[1] = column_of(scene, all[i].name, "z [m]");
        turned = fmax(turned, fabs(column_of(scene, all[i].name, "turned [C]")));
        border = fmin(border, 70 - fabs(all[i].at[0]) - all[i].half[0]);
        border = fmin(border, 55 - fabs(all[i].at[1]) - all[i].half[1]);
        for (int k = 0; k < i; k++) least = fmin(least, gap_between(&all[i], &all[k]));
    }
    for (int i = 0; i < WALKS; i++) {
        const building *a = &all[walk[i][0]], *b = &all[walk[i][1]];
        longest = fmax(longest, hypot(a->at[0] - b->at[0], a->at[1] - b->at[1]));
    }
    if (check_shows())
        printf(
            "offices: %.3f m between buildings, %.3f m to the border, %.4f rad, walks of %.2f m\n",
            least, border, turned, longest);
    /* Lanes of 6 m, of which half is at the border; at corners rounded boxes come 0.25 m closer. */
    CHECK(least > 5.7 && border > 2.99);
    CHECK(turned < 1e-3);
    CHECK(longest < 50.01);
    sn_scene_close(scene);
}

/* ---- A valve ---- */

/* Of the free edge of the leaflets: the area that is open, seen from above (m^2), and its highest
   place (m), the ring being at 0. */
static void measure_edge(sn_scene *scene, double *open, double *highest) {
    enum { PLACES = 8 };
    double x[PLACES], z[PLACES];
    *open = 0;
    *highest = -INFINITY;
    for (int i = 0; i < PLACES; i++) {
        char name[16];
        snprintf(name, sizeof name, "edge %d", 5 * i);
        x[i] = column_of(scene, name, "x [m]");
        z[i] = column_of(scene, name, "z [m]");
        *highest = fmax(*highest, column_of(scene, name, "y [m]"));
    }
    for (int i = 0; i < PLACES; i++) {
        int k = (i + 1) % PLACES;
        *open += (x[i] * z[k] - x[k] * z[i]) / 2;
    }
}

/* What flows back closes it, and chordae hold it below its ring; without them it goes through. */
TEST(a_valve_closes_and_its_chordae_hold) {
    for (int torn = 0; torn < 2; torn++) {
        sn_scene *scene = scene_open_in(SCENES, "valve", torn ? "slack=3" : NULL);
        sn_settings settings = sn_settings_default();
        double before, after, edge;
        /* Fewer than for its strain are enough to see whether it closes. */
        REQUIRE_OK(sn_world_get_settings(sn_scene_world(scene), &settings));
        settings.substeps = 40;
        REQUIRE_OK(sn_world_set_settings(sn_scene_world(scene), &settings));
        scene_run_frames(scene, 36);
        measure_edge(scene, &before, &edge);
        CHECK(before > 120e-6 && edge < -0.012);
        scene_run_frames(scene, 36);
        measure_edge(scene, &after, &edge);
        if (check_shows())
            printf("valve: %.1f mm^2 open, then %.1f; the edge is at %.1f mm\n", 1e6 * before,
                   1e6 * after, 1e3 * edge);
        if (torn)
            CHECK(edge > 0.01);
        else
            CHECK(after < 0.45 * before && edge < -0.005);
        sn_scene_close(scene);
    }
}

/* ---- A boom ---- */

/* How far the end is from where the boom is held, at a corner of its flat tube. */
static double reach_of(sn_scene *scene) {
    double x = column_of(scene, "end", "x [m]"), y = column_of(scene, "end", "y [m]");
    return sqrt(x * x + y * y);
}

/* Folded it is as high as its panels rise, 4 * 0.05 m; inflated it is as long as the film, 1.2 m,
   but for what round ends and wrinkles at the creases take. */
TEST(a_folded_boom_unfolds) {
    sn_scene *scene = scene_open_in(SCENES, "boom", NULL);
    double folded = reach_of(scene);
    scene_run_frames(scene, 100);
    if (check_shows()) printf("boom: from %.3f to %.3f m\n", folded, reach_of(scene));
    CHECK_NEAR(folded, 0.2, 0.01);
    CHECK(reach_of(scene) > 1.1 && reach_of(scene) < 1.25);
    CHECK(scene_column_value(scene, "crossings") == 0);
    sn_scene_close(scene);
}

/* ---- Inside a surface ---- */

/* Three rings that fall on an edge: of a surface alone, with struts across, and of tetrahedra. */
TEST(struts_keep_the_shape) {
    sn_scene *scene = scene_open_in(SCENES, "hollow", NULL);
    scene_run_frames(scene, 20);
    double alone = column_of(scene, "surface", "y [m]"),
           filled = column_of(scene, "filled", "y [m]");
    double struts = column_of(scene, "struts", "y [m]");
    if (check_shows()) printf("hollow: %.3f, %.3f and %.3f m high\n", alone, struts, filled);
    CHECK_REL(struts, filled, 0.03);
    CHECK(alone < 0.9 * struts);
    sn_scene_close(scene);
}

/* ---- An area ---- */

/* The finger of 0.05 m is 0.1 m deep in a ball of 0.5 m then, and out again at the end. */
TEST(only_the_area_is_deformed) {
    sn_scene *scene = scene_open_in(SCENES, "dent", NULL);
    double before[3], rest[3];
    scene_run_frames(scene, 1);
    const char *axis[3] = {"x [m]", "y [m]", "z [m]"};
    for (int k = 0; k < 3; k++) before[k] = column_of(scene, "rest", axis[k]);
    scene_run_frames(scene, 49);
    double dent = column_of(scene, "cheek", "z [m]");
    for (int k = 0; k < 3; k++) rest[k] = column_of(scene, "rest", axis[k]);
    if (check_shows()) printf("dent: at %.4f m of 0.5\n", dent);
    CHECK_NEAR(dent, 0.4, 0.005);
    CHECK(rest[0] == before[0] && rest[1] == before[1] && rest[2] == before[2]);
    scene_run_frames(scene, 40);
    CHECK_NEAR(column_of(scene, "cheek", "z [m]"), 0.5, 0.01);
    sn_scene_close(scene);
}

/* ---- Fascia ---- */

TEST(fascia_draws_flesh_in) {
    sn_scene *scene = scene_open_in(SCENES, "fascia", NULL);
    scene_run_frames(scene, 1);
    double wide = column_of(scene, "upper", "x [m]"), high = column_of(scene, "top", "y [m]");
    scene_run_frames(scene, 59);
    double narrow = column_of(scene, "upper", "x [m]"), longer = column_of(scene, "top", "y [m]");
    scene_run_frames(scene, 50);
    double back = column_of(scene, "upper", "x [m]");
    if (check_shows())
        printf("fascia: %.4f m, %.4f m, %.4f m; longer by %.4f m\n", wide, narrow, back,
               longer - high);
    CHECK(narrow < 0.9 * wide && longer > high + 0.001);
    CHECK_REL(back, wide, 0.05);
    sn_scene_close(scene);
}

/* ---- Air ---- */

TEST(air_pushes_a_curtain) {
    double x[2];
    for (int blows = 0; blows < 2; blows++) {
        sn_scene *scene = scene_open_in(SCENES, "breeze", blows ? NULL : "speed=0.1");
        scene_run_frames(scene, 45);
        x[blows] = column_of(scene, "curtain", "x [m]");
        CHECK(scene_column_value(scene, "crossings") == 0);
        sn_scene_close(scene);
    }
    if (check_shows()) printf("breeze: %.4f m, and %.4f m in the wind\n", x[0], x[1]);
    CHECK_NEAR(x[0], 0, 0.005);
    CHECK(x[1] > 0.15);
}

/* Three cloths that are laid over a ball keep their order. */
TEST(layers_stay_layers_in_the_wind) {
    sn_scene *scene = scene_open_in(SCENES, "overlays", NULL);
    scene_run_frames(scene, 35);
    double lowest = column_of(scene, "lowest", "y [m]");
    double middle = column_of(scene, "middle", "y [m]");
    double upper = column_of(scene, "upper", "y [m]");
    if (check_shows()) printf("overlays: %.4f m, %.4f m and %.4f m\n", lowest, middle, upper);
    /* The ball is 0.68 m high; cells are 0.03 m wide. */
    CHECK(lowest > 0.68 && middle > lowest + 0.01 && upper > middle + 0.01);
    sn_scene_close(scene);
}

/* ---- An incision ---- */

static double between(sn_scene *scene, const char *layer) {
    char left[32], right[32];
    snprintf(left, sizeof left, "left %s", layer);
    snprintf(right, sizeof right, "right %s", layer);
    return column_of(scene, right, "x [m]") - column_of(scene, left, "x [m]");
}

/* The blade comes at 0.5 s. Until then the sides are drawn apart, and afterwards only the wound is
   what moves: skin at its edge by more than tissue two elements away, and it stays on that. */
TEST(an_incision_gapes) {
    sn_scene *scene = scene_open_in(SCENES, "incision", "edge=0.008");
    scene_run_frames(scene, 28);
    double skin = between(scene, "skin"), tissue = between(scene, "tissue");
    scene_run_frames(scene, 56);
    double opened = between(scene, "skin") - skin, below = between(scene, "tissue") - tissue;
    double above =
        column_of(scene, "left skin", "y [m]") - column_of(scene, "left tissue", "y [m]");
    if (check_shows())
        printf("incision: %.1f mm of skin, %.1f mm of tissue, %.1f mm above it\n", 1e3 * opened,
               1e3 * below, 1e3 * above);
    CHECK(opened > 0.004 && below > 0.002 && below < opened);
    CHECK(above > -0.002 && above < 0.004);
    sn_scene_close(scene);
}

TESTS(RUN(an_incision_gapes), RUN(an_office_park_lays_itself_out),
      RUN(a_valve_closes_and_its_chordae_hold), RUN(a_folded_boom_unfolds),
      RUN(struts_keep_the_shape), RUN(only_the_area_is_deformed), RUN(fascia_draws_flesh_in),
      RUN(air_pushes_a_curtain), RUN(layers_stay_layers_in_the_wind))
