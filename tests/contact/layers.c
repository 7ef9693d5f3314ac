/*
 * What is worn over each other: a body of a higher layer comes out of one of a lower layer, however
 * much of it is inside, and lower layers are as heavy to higher ones as they are said to be.
 */
#include "check.h"
#include "contact/surface/surface_contact.h"
#include "crossing_sheets.h"

#include <math.h>
#include <stdio.h>

static const sn_vec3 nowhere = {0, 0, 0};
static const double dt = 1.0 / 60;

/* ---- Tubes ---- */

/* Open along a line, so that their rest shape may be flat. */
static const double around = 350.0 / 180 * 3.14159265358979323846, inner = 0.2, outer = 0.215;

/* A tube whose front is outside, and one whose ends are around it and two thirds within it. */
static sn_vec3 tube_at(double angle, double radius, double z) {
    return (sn_vec3){(sn_real)(radius * cos(angle)), (sn_real)(radius * sin(angle)), (sn_real)z};
}

static sn_vec3 straight(double x, double z, void *user) {
    (void)user;
    return tube_at(-x / inner, inner, z);
}

static sn_vec3 sunken(double x, double z, void *user) {
    (void)user;
    double step = 1 / (1 + exp((fabs(z) - 0.2) / 0.015));
    return tube_at(-x / outer, outer - 0.03 * step, z);
}

static bool is_end(double x, double z) {
    (void)x;
    return fabs(z) > 0.29;
}

static sheet tube_of(double radius, sn_vec3 (*shape)(double, double, void *), int layer) {
    sheet def = sheet_default();
    def.width = around * radius;
    def.length = 0.6;
    def.columns = 36;
    def.rows = 18;
    def.shape = shape;
    def.thickness = 0.006;
    def.is_pinned = is_end;
    def.layer = layer;
    def.bending = 1e-4;
    def.penetration_free = false;
    return def;
}

/* Nodes of the second tube that are nearer to the axis than those of the first beside them. */
static size_t wrong_nodes(const sheets *s) {
    size_t half = s->nodes / 2, wrong = 0;
    for (size_t i = 0; i < half; i++) {
        double a = hypot((double)s->at[i].x, (double)s->at[i].y);
        double b = hypot((double)s->at[half + i].x, (double)s->at[half + i].y);
        wrong += b < a;
    }
    return wrong;
}

typedef struct outcome {
    size_t began, wrong, crossings;
    double fastest;
    uint64_t hash;
} outcome;

static outcome wear(int layer, bool untangle, bool penetration_free, int threads) {
    sheets *s = sheets_make(5, threads, nowhere);
    sheet def[2] = {tube_of(inner, straight, 0), tube_of(outer, sunken, layer)};
    for (int i = 0; i < 2; i++) {
        def[i].untangle = untangle;
        def[i].penetration_free = penetration_free;
        sheets_add(s, &def[i]);
    }
    outcome o = {0};
    sheets_look(s);
    o.began = wrong_nodes(s);
    for (int i = 0; i < 60; i++) {
        if (!CHECK_OK(sn_world_step(s->world, (sn_real)dt))) break;
        sheets_look(s);
        o.fastest = fmax(o.fastest, s->fastest);
    }
    o.wrong = wrong_nodes(s);
    o.crossings = sheets_crossings(s);
    o.hash = sn_world_hash(s->world);
    printf("  layer %d%s: %zu of %zu nodes inside at first, %zu in the end, %zu crossings, at most "
           "%.2g m/s\n",
           layer, penetration_free ? ", penetration-free" : "", o.began, s->nodes / 2, o.wrong,
           o.crossings, o.fastest);
    sheets_free(s);
    return o;
}

TEST(an_outer_tube_comes_out_of_an_inner_one) {
    outcome o = wear(1, false, false, 1);
    CHECK(o.began > 400);
    CHECK(o.wrong == 0);
    CHECK(o.crossings == 0);
    CHECK(o.fastest < 4);
    CHECK(wear(1, false, false, 3).hash == o.hash);
}

TEST(what_is_penetration_free_comes_out_as_well) {
    outcome o = wear(2, true, true, 2);
    CHECK(o.wrong == 0);
    CHECK(o.crossings == 0);
}

TEST(without_layers_contact_holds_it_inside) {
    outcome o = wear(0, false, false, 2);
    CHECK(o.wrong > 100);
}

/* ---- How heavy ---- */

static sn_vec3 above(double x, double z, void *user) {
    (void)user;
    return (sn_vec3){(sn_real)x, (sn_real)0.003, (sn_real)z};
}

/* Two sheets that overlap by half come apart: how much of the way the lower one goes. */
static double lower_share(double shock, double upper_shock, double mass, double *moved) {
    sheets *s = sheets_make(1, 1, nowhere);
    sheet def[2] = {sheet_default(), sheet_default()};
    for (int i = 0; i < 2; i++) {
        def[i].thickness = 0.006;
        def[i].penetration_free = false;
        def[i].layer = 1 + i;
        def[i].layer_shock = i ? upper_shock : shock;
        def[i].shape = i ? above : NULL;
        def[i].area_density = i ? 0.2 * mass : 0.2;
        sheets_add(s, &def[i]);
    }
    CHECK_OK(sn_world_step(s->world, (sn_real)dt));
    sheets_look(s);
    double mean[2] = {0, 0};
    for (size_t i = 0; i < s->nodes; i++)
        mean[i >= s->nodes / 2] += (double)s->at[i].y / (double)(s->nodes / 2);
    sheets_free(s);
    CHECK(mean[1] - mean[0] > 0.0045);
    /* What both together have gained, of mass times way. */
    *moved = mean[0] + mass * (mean[1] - 0.003);
    return -mean[0] / (mean[1] - mean[0] - 0.003);
}

TEST(lower_layers_are_as_heavy_as_they_are_said_to_be) {
    /* A jacket as heavy as the shirt, and one that is five times as heavy. */
    for (int i = 0; i < 12; i++) {
        static const double shocks[] = {1, 4, 9};
        double shock = shocks[i % 3], mass = i / 3 % 2 ? 5 : 1, moved;
        /* What the upper one is to others that are over it does not matter. */
        double share = lower_share(shock, i < 6 ? shock : 7, mass, &moved);
        printf("  shock %g, mass %g: the lower one goes %.4f of the way\n", shock, mass, share);
        CHECK_NEAR(share, mass / (mass + shock), 1e-4);
        /* The centre of mass stays where nothing is scaled, and is lifted else. */
        CHECK((fabs(moved) < 1e-5) == (shock == 1));
    }
}

/* ---- Definitions ---- */

/* An edge of one sheet and a triangle of the other: how many layers it is outside. */
TEST(the_order_is_that_of_layers) {
    for (int above_by = 0; above_by < 3; above_by++) {
        check_case("%d layers", above_by);
        sheets *s = sheets_make(1, 1, nowhere);
        sheet def[2] = {sheet_default(), sheet_default()};
        for (int i = 0; i < 2; i++) {
            def[i].layer = 1 + i * above_by;
            def[i].untangle = true;
            def[i].shape = i ? above : NULL;
            sheets_add(s, &def[i]);
        }
        CHECK_OK(sn_world_step(s->world, (sn_real)dt));
        const uint32_t *low = s->all.triangles[0],
                       *high = s->all.triangles[s->all.triangle_count - 1];
        CHECK(low[0] < s->nodes / 2 && high[0] >= s->nodes / 2);
        CHECK(sn_layered_pairs_order(s->world, high, low) == above_by);
        CHECK(sn_layered_pairs_order(s->world, low, high) == -above_by);
        sheets_free(s);
    }
}

TEST(layers_have_ranges) {
    sheets *s = sheets_make(1, 1, nowhere);
    sheet def = sheet_default();
    sn_collision_surface surface;
    sn_collision_surface_def d;
    sheets_add(s, &def);
    REQUIRE_OK(sn_world_collision_surface_at(s->world, 0, &surface));
    REQUIRE_OK(sn_collision_surface_get(s->world, surface, &d));
    d.layer = 256;
    CHECK(sn_collision_surface_set(s->world, surface, &d) == SN_ERROR_VALUE);
    d.layer = 255;
    d.layer_shock = (sn_real)0.5;
    CHECK(sn_collision_surface_set(s->world, surface, &d) == SN_ERROR_VALUE);
    d.layer_shock = 3;
    CHECK_OK(sn_collision_surface_set(s->world, surface, &d));
    REQUIRE_OK(sn_collision_surface_get(s->world, surface, &d));
    CHECK(d.layer == 255 && d.layer_shock == 3);
    sheets_free(s);
}

TESTS(RUN(an_outer_tube_comes_out_of_an_inner_one), RUN(what_is_penetration_free_comes_out_as_well),
      RUN(without_layers_contact_holds_it_inside),
      RUN(lower_layers_are_as_heavy_as_they_are_said_to_be), RUN(layers_have_ranges),
      RUN(the_order_is_that_of_layers))
