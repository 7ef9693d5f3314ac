/*
 * What scenes of applications show, which are made of what there is: a layout of buildings, a
 * valve of the heart, a membrane that is inflated.
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
        double before, after, edge;
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

TESTS(RUN(an_office_park_lays_itself_out), RUN(a_valve_closes_and_its_chordae_hold),
      RUN(a_folded_boom_unfolds))
